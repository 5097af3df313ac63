//! The deepest of all contacts of two trees, without working out most of them.

use std::ops::ControlFlow;

use super::traverse_wide::{Aim, Manner};
use super::{Accuracy, NodePair, TreePair, TreeScratch};
use crate::num::Scalar;
use crate::num::tolerance::PARALLEL_SINE;
use crate::shape::Placement;

/// How much deeper than the least overlap of any direction a contact may be, as a share of the half
/// diagonals of the boxes: by passing over edges that are nearly parallel, as turning either box by
/// that sine makes up for it, and by more than what the formula takes for granted of those that are
/// just not: see [`tolerance`](crate::num::tolerance).
const DEEPER: f64 = 2.0 * PARALLEL_SINE + (1.0 / (1u64 << 20) as f64) / PARALLEL_SINE;

impl<T: Scalar> TreePair<'_, T> {
    /// Leaves in `touches` what touches at that accuracy, which was checked, but for what is surely
    /// less deep than another.
    pub(crate) fn deepest(
        &self,
        accuracy: Accuracy,
        scratch: &mut TreeScratch,
        touches: &mut Vec<NodePair>,
    ) {
        touches.clear();
        let mut depths = std::mem::take(&mut scratch.depths);
        depths.clear();
        scratch.deepest = 0.0;
        let manner = Manner { accuracy, aim: Aim::Deepest };
        let _ = self.visit_in(manner, scratch, |touch, depth| {
            touches.push(touch);
            depths.push(depth);
            ControlFlow::Continue(())
        });
        let mut at_most = depths.iter();
        touches.retain(|_| at_most.next().is_some_and(|&depth| depth >= scratch.deepest));
        scratch.depths = depths;
    }

    /// More than a depth is off because contacts are worked out in the world, far from its origin:
    /// `32 e` of the distance. Units.
    pub(super) fn far_out(&self) -> f32 {
        let distance = |place: &Placement| place.position.iter().map(|x| x.abs()).sum::<f64>();
        let [first, second] = self.places();
        f32::at_least((distance(first) + distance(second)) / (1u64 << 48) as f64)
    }

    /// How much deeper a contact of two leaves may be than boxes along the frames that hold both
    /// overlap, but for rounding. Units.
    pub(super) fn deeper(&self, manner: Manner) -> f64 {
        let at_leaves = match manner.accuracy {
            Accuracy::Depth(cut) => cut >= self.seats().depth(),
            accuracy => accuracy == Accuracy::Exact,
        };
        if manner.aim != Aim::Deepest || !at_leaves {
            return f64::INFINITY;
        }
        let ([first, second], leaves) = (self.bvhs(), self.seats().coarsest(u8::MAX));
        // What sticks out along three axes sticks out less than twice as much along any other.
        2.0 * (first.out + second.out) + DEEPER * leaves
    }
}
