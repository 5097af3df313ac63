//! A point that moves against an outline grown by a radius: a circle on the way.

use super::outline::Outline;
use super::vector::{Vec2, dot, length, right, scale, sub};
use crate::num::Scalar;
use crate::pair::sweep::{Passage, chord};

/// When a point that starts at `at`, seen from the centre of the outline, and moves by `velocity`, is within `radius` of
/// the edges, and the direction from the outline to it when it first is.
pub(super) fn first_touch<T: Scalar>(
    of: &Outline<'_, T>,
    at: Vec2,
    velocity: Vec2,
    radius: f64,
) -> Option<(Passage, Vec2)> {
    let (mut times, mut outward): (Option<Passage>, Vec2) = (None, [0.0; 2]);
    let mut add = |piece: Passage, direction: Vec2| {
        let old = times.unwrap_or(Passage { enter: f64::INFINITY, leave: f64::NEG_INFINITY });
        if piece.enter < old.enter {
            outward = direction;
        }
        let (enter, leave) = (old.enter.min(piece.enter), old.leave.max(piece.leave));
        times = Some(Passage { enter, leave });
    };
    for [a, b] in of.edges() {
        if let Some(piece) = along_edge([a, b], at, velocity, radius) {
            let normal = right(sub(b, a));
            // Thin outlines are met from behind too.
            let sign = if dot(normal, velocity) > 0.0 { -1.0 } else { 1.0 };
            add(piece, scale(normal, sign));
        }
        if let Some(piece) = chord(sub(at, a), velocity, radius) {
            let shift = if piece.enter.is_finite() { piece.enter } else { 0.0 };
            add(piece, [0, 1].map(|i| at[i] - a[i] + velocity[i] * shift));
        }
    }
    let size = length(outward);
    let outward = if size > 0.0 { scale(outward, 1.0 / size) } else { [1.0, 0.0] };
    times.filter(Passage::any).map(|passage| (passage, outward))
}

/// When the point is within `radius` of an edge, straight across it.
fn along_edge([a, b]: [Vec2; 2], at: Vec2, velocity: Vec2, radius: f64) -> Option<Passage> {
    let edge = sub(b, a);
    let (normal, size, from) = (right(edge), length(edge), sub(at, a));
    if size == 0.0 {
        // A box without an extent has such edges; the circles around their ends are enough.
        return None;
    }
    let mut passage = Passage::ALWAYS;
    let band = radius * size;
    let (height, along) = (dot(normal, from), dot(edge, from));
    passage.narrow_always(-band - height, band - height, dot(normal, velocity))?;
    passage.narrow_always(-along, size * size - along, dot(edge, velocity))?;
    Some(passage)
}
