//! Search for the deepest contact of two trees that computes few contacts.

use std::ops::ControlFlow;

use super::wide::{TraversalGoal, TraversalOptions};
use crate::num::Scalar;
use crate::num::tolerance::PARALLEL_SINE;
use crate::shape::Placement;
use crate::tree::{Accuracy, NodePair, TreePair, TreeScratch};

/// Greatest depth of a contact beyond the least overlap over all directions, as a share of the half
/// diagonals of the boxes. It covers skipped products of nearly parallel edges (a rotation of
/// either box by that sine makes up for one) and the error of the formula for edges that are barely
/// not parallel: see [`tolerance`](crate::num::tolerance).
const EDGE_DEPTH_ERROR: f64 = 2.0 * PARALLEL_SINE + (1.0 / (1u64 << 20) as f64) / PARALLEL_SINE;

impl<T: Scalar> TreePair<'_, T> {
    /// Writes to `touches` the node pairs that touch at that accuracy, which must be valid, except
    /// pairs surely less deep than another.
    pub(crate) fn deepest_candidates(
        &self,
        accuracy: Accuracy,
        scratch: &mut TreeScratch,
        touches: &mut Vec<NodePair>,
    ) {
        touches.clear();
        let mut depths = std::mem::take(&mut scratch.contact_depth_bounds);
        depths.clear();
        scratch.min_deepest = 0.0;
        let options = TraversalOptions { accuracy, goal: TraversalGoal::Deepest };
        let _ = self.visit_with_options(options, scratch, |touch, depth| {
            touches.push(touch);
            depths.push(depth);
            ControlFlow::Continue(())
        });
        let mut at_most = depths.iter();
        touches.retain(|_| at_most.next().is_some_and(|&depth| depth >= scratch.min_deepest));
        scratch.contact_depth_bounds = depths;
    }

    /// Returns an upper bound on the error of a depth from computing contacts far from the world's
    /// origin: `32 e` of the distance. [world units]
    pub(in crate::tree) fn world_depth_error(&self) -> f32 {
        let distance =
            |placement: &Placement| placement.position.iter().map(|x| x.abs()).sum::<f64>();
        let [first, second] = self.placements();
        f32::at_least((distance(first) + distance(second)) / (1u64 << 48) as f64)
    }

    /// Returns an upper bound on the depth of a contact of two leaves beyond the overlap of the
    /// part-aligned boxes around both, without rounding; infinite if it is not needed. [world
    /// units]
    pub(in crate::tree) fn depth_beyond_overlap(&self, options: TraversalOptions) -> f64 {
        let at_leaves = match options.accuracy {
            Accuracy::Depth(cut) => cut >= self.ordered_pair().depth(),
            accuracy => accuracy == Accuracy::Exact,
        };
        if options.goal != TraversalGoal::Deepest || !at_leaves {
            return f64::INFINITY;
        }
        let ([first, second], leaves) = (self.bvhs(), self.ordered_pair().coarsest_radius(u8::MAX));
        // A box that sticks out along three axes sticks out less than twice as much in any
        // direction.
        2.0 * (first.leaf_protrusion + second.leaf_protrusion) + EDGE_DEPTH_ERROR * leaves
    }
}
