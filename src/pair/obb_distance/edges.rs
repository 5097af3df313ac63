//! Closest points of two boxes by all edges of both, for the few pairs that nothing shorter
//! decides.

use super::relative::{ClosestFeatures, RelativeBoxes};
use crate::num::linear::{Mat3, Vec3, add, dot, scale, sub};
use crate::num::simd::{Coordinates, PlainTriple};
use crate::pair::rounded::cores::ClosestOnCores;
use crate::pair::rounded::slack_box::{clamp_to_box, nearest_parameter};

/// One box in the frame of another, with plain numbers.
struct PlainBoxInFrame {
    /// Axes of the other box.
    axes: Mat3,
    /// Centre of the other box.
    center: Vec3,
    /// Half extents of the own box; `half` of the other.
    own: Vec3,
    half: Vec3,
}

/// Searches all edges of each box against the other. That suffices: corners are ends of edges, and
/// one of two overlapping boxes has an edge in the other.
pub(super) fn by_all_edges(both: &RelativeBoxes<PlainTriple>) -> ClosestFeatures<PlainTriple> {
    let [first, second] = [plain_box_in_frame(both, true), plain_box_in_frame(both, false)];
    let near = first.by_all_edges(f64::INFINITY).unwrap_or(ClosestOnCores::common([0.0; 3]));
    let nearer = second.by_all_edges(near.squared);
    let ClosestOnCores { on_a, offset, squared } = nearer.unwrap_or(near);
    let [on_own, offset] =
        [PlainTriple::from_numbers((), on_a), PlainTriple::from_numbers((), offset)];
    let first = both.mask(nearer.is_none());
    ClosestFeatures { on_own, offset, squared, length: squared.sqrt(), first }
}

fn plain_box_in_frame(both: &RelativeBoxes<PlainTriple>, first: bool) -> PlainBoxInFrame {
    let view = both.box_in_frame(both.mask(first));
    let axes = view.forth.map(PlainTriple::numbers);
    let [center, own, half] = [view.center, view.own, view.half].map(PlainTriple::numbers);
    PlainBoxInFrame { axes, center, own, half }
}

impl PlainBoxInFrame {
    /// Returns the closest points of the own box and a point.
    fn closest_from(&self, p: Vec3) -> ClosestOnCores {
        let on_own = clamp_to_box(p, scale(self.own, -1.0), self.own);
        ClosestOnCores::new(on_own, sub(p, on_own))
    }

    /// Searches the edges of the other box for closest points nearer than `least` (squared).
    fn by_all_edges(&self, mut least: f64) -> Option<ClosestOnCores> {
        let mut best = None;
        for k in 0..3 {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            let half = scale(self.axes[k], self.half[k]);
            // Facing edges first: once one is near, the others are skipped.
            let facing =
                |axis: usize| if dot(self.axes[axis], self.center) > 0.0 { -1.0 } else { 1.0 };
            let (u, v) = (facing(i), facing(j));
            for (s, t) in [(u, v), (-u, v), (u, -v), (-u, -v)] {
                let aside = add(
                    scale(self.axes[i], s * self.half[i]),
                    scale(self.axes[j], t * self.half[j]),
                );
                let middle = add(self.center, aside);
                let out = [0, 1, 2].map(|n| {
                    let out = middle[n].abs() - half[n].abs() - self.own[n];
                    if out > 0.0 { out } else { 0.0 }
                });
                if dot(out, out) >= least {
                    continue;
                }
                let (p, d) = (sub(middle, half), scale(half, 2.0));
                let t = nearest_parameter(p, d, scale(self.own, -1.0), self.own);
                let near = self.closest_from(add(p, scale(d, t)));
                if near.squared < least {
                    (best, least) = (Some(near), near.squared);
                }
            }
        }
        best
    }
}
