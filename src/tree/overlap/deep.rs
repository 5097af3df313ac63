//! Overlap that lasts while the parts move a little: primitives that overlap deeply.

use std::ops::ControlFlow;

use crate::num::Scalar;
use crate::tree::{TreePair, TreeScratch};

impl<T: Scalar> TreePair<'_, T> {
    /// Returns two primitives that still touch, or are within the margin, after every motion that
    /// displaces no point of the one part against a point of the other by more than `motion`: two
    /// that overlap by more than that. `likely` are tested first. A solid within another is not
    /// found if their surfaces do not touch.
    pub(crate) fn lasting_overlap(
        &self,
        motion: f64,
        likely: Option<[u32; 2]>,
        scratch: &mut TreeScratch,
    ) -> Option<[u32; 2]> {
        let relation = self.relation();
        let lasts = |[a, b]: [u32; 2]| {
            let canonical = if self.ordered_pair().swapped { [b, a] } else { [a, b] };
            let depth = self.stored_pair(canonical).convex_pair(&relation).depth_at_least();
            depth + self.margin > motion
        };
        if let Some(pair) = likely.filter(|&pair| lasts(pair)) {
            return Some(pair);
        }
        let mut found = None;
        let _ = self.visit_primitives(scratch, |a, b| {
            if likely != Some([a, b]) && lasts([a, b]) {
                found = Some([a, b]);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        found
    }
}
