//! Sweep of a circle against an outline: its centre against the outline grown by the radius.

use super::core::PlanarCore;
use super::edge::PlanarEdge;
use super::outline::Outline2;
use super::vector::{Vec2, dot, length, scale, sub};
use crate::pair::sweep::{TimeSpan, chord};

/// Returns the time interval in which a point is within `radius` of the edges, and the direction
/// from the outline to it at its start. The point starts at `at`, relative to the centre of the
/// outline, and moves by `velocity`.
pub(super) fn first_touch<C: PlanarCore>(
    of: &Outline2<C>,
    at: Vec2,
    velocity: Vec2,
    radius: f64,
) -> Option<(TimeSpan, Vec2)> {
    let (mut times, mut outward): (Option<TimeSpan>, Vec2) = (None, [0.0; 2]);
    let mut add = |piece: TimeSpan, direction: Vec2| {
        let old = times.unwrap_or(TimeSpan { enter: f64::INFINITY, leave: f64::NEG_INFINITY });
        if piece.enter < old.enter {
            outward = direction;
        }
        let (enter, leave) = (old.enter.min(piece.enter), old.leave.max(piece.leave));
        times = Some(TimeSpan { enter, leave });
    };
    for edge in of.edges() {
        if let Some(piece) = edge_time_span(&edge, at, velocity, radius) {
            let normal = edge.outward();
            // Thin outlines are hit from behind, too.
            let sign = if dot(normal, velocity) > 0.0 { -1.0 } else { 1.0 };
            add(piece, scale(normal, sign));
        }
        let from = sub(at, edge.start);
        if let Some(piece) = chord(from, velocity, radius) {
            let shift = if piece.enter.is_finite() { piece.enter } else { 0.0 };
            add(piece, [from[0] + velocity[0] * shift, from[1] + velocity[1] * shift]);
        }
    }
    let size = length(outward);
    let outward = if size > 0.0 { scale(outward, 1.0 / size) } else { [1.0, 0.0] };
    times.filter(TimeSpan::overlaps_motion).map(|passage| (passage, outward))
}

/// Returns the time interval in which the point is within `radius` of an edge and projects onto it.
fn edge_time_span(edge: &PlanarEdge, at: Vec2, velocity: Vec2, radius: f64) -> Option<TimeSpan> {
    let (normal, size, from) = (edge.outward(), edge.size, sub(at, edge.start));
    if size == 0.0 {
        // A box of zero size has such edges; the circles around their ends suffice.
        return None;
    }
    let mut passage = TimeSpan::ALWAYS;
    let band = radius * size;
    let (height, along) = (dot(normal, from), dot(edge.along, from));
    passage.narrow_always(-band - height, band - height, dot(normal, velocity))?;
    passage.narrow_always(-along, size * size - along, dot(edge.along, velocity))?;
    Some(passage)
}
