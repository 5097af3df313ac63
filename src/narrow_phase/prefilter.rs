//! SAT prefilter on root boxes placed in double precision. It decides most of the remaining
//! candidates without a traversal.

use super::candidates::{Candidate, QueuedCandidate};
use super::placed_trees::{Goal, PlacedTrees};
use super::root_traits::RootTraits;
use crate::num::Scalar;
use crate::sat::SatMasks;
use crate::sat::prefilter::{BATCH, PrefilterBox, PrefilterQueue};
use crate::shape::Placement;
use crate::tree::{Accuracy, ObbTree, TreeScratch};

/// Queue of the prefilter.
#[derive(Debug, Clone, Default)]
pub(super) struct RootPrefilter {
    queue: PrefilterQueue,
}

/// Verdicts on up to [`BATCH`] candidates, a bit each.
pub(super) struct PairMasks {
    /// Candidates whose root boxes are disjoint.
    separated: u64,
    /// Candidates whose root boxes overlap, where that decides.
    touching: u64,
}

impl PairMasks {
    /// Returns `true` if the candidate at an index touches, `false` if not, `None` if the roots do
    /// not decide.
    #[inline]
    pub fn verdict(&self, at: usize) -> Option<bool> {
        match (self.touching >> at & 1, self.separated >> at & 1) {
            (1, _) => Some(true),
            (_, 1) => Some(false),
            _ => None,
        }
    }
}

/// Properties of some candidates, a bit each.
#[derive(Default)]
struct RootMasks {
    /// Candidates that the roots alone decide.
    decided: u64,
    /// Candidates with both root boxes along the frames of their parts.
    oriented_is_aligned: u64,
    /// Candidates whose part-aligned root boxes surely overlap.
    aligned_overlap: u64,
    /// Candidates that the test in single precision left undecided.
    tested_in_f32: u64,
}

impl RootPrefilter {
    pub fn clear(&mut self) {
        self.queue.clear();
    }

    /// Tests up to [`BATCH`] candidates, and counts one test for each that is decided.
    pub fn masks<'a, T: Scalar>(
        &mut self,
        chunk: &[QueuedCandidate],
        placed: &impl PlacedTrees<'a, T>,
        goal: Goal,
        accuracy: Accuracy,
        tree: &mut TreeScratch,
    ) -> PairMasks {
        let all = u64::MAX >> (BATCH - chunk.len());
        let masks = root_masks(chunk, placed, goal, accuracy);
        let RootMasks { decided, oriented_is_aligned, aligned_overlap, tested_in_f32 } = masks;
        let mut aligned = SatMasks { apart: 0, overlapping: aligned_overlap };
        // A query for any hit ends with the first, so the other candidates are traversed one by
        // one.
        let lazily = if goal == Goal::Any { tested_in_f32 } else { 0 };
        let undecided = all & !aligned_overlap & !lazily;
        if undecided != 0 {
            let boxes = |tree: &ObbTree<T>, place: &Placement| tree.placed_root(place);
            aligned = aligned.or(self.test_boxes(chunk, undecided, placed, tree, boxes));
        }
        let mut touching = aligned.overlapping & decided & !(lazily & !oriented_is_aligned);
        let mut oriented = SatMasks::default();
        if touching & !oriented_is_aligned != 0 {
            let boxes = |tree: &ObbTree<T>, place: &Placement| tree.placed_oriented_root(place);
            oriented = self.test_boxes(chunk, touching & !oriented_is_aligned, placed, tree, boxes);
            touching &= oriented_is_aligned | oriented.overlapping;
        }
        let decided_now = (aligned.apart | oriented.apart | touching) & all;
        tree.counts.boxes[0] += u64::from(decided_now.count_ones());
        tree.counts.oriented += u64::from((decided_now & !aligned.apart).count_ones());
        PairMasks { separated: aligned.apart | oriented.apart, touching }
    }

    /// Tests some of the candidates by boxes placed in double precision.
    fn test_boxes<'a, T: Scalar, P: PlacedTrees<'a, T>>(
        &mut self,
        chunk: &[QueuedCandidate],
        of: u64,
        placed: &P,
        tree: &TreeScratch,
        placed_box: impl Fn(&ObbTree<T>, &Placement) -> PrefilterBox,
    ) -> SatMasks {
        for (at, QueuedCandidate { parts, .. }) in chunk.iter().enumerate() {
            if of >> at & 1 == 1 {
                let Candidate { a, b } = *parts;
                let boxes = [a, b]
                    .map(|part| placed_box(placed.tree(part), &Placement::new(placed.pose(part))));
                self.queue.push(&boxes[0], &boxes[1], placed.margin(parts));
            }
        }
        self.queue.masks::<T>(tree.simd).scatter(of)
    }
}

fn root_masks<'a, T: Scalar>(
    chunk: &[QueuedCandidate],
    placed: &impl PlacedTrees<'a, T>,
    goal: Goal,
    accuracy: Accuracy,
) -> RootMasks {
    let (mut masks, about_parts) = (RootMasks::default(), goal.names_parts_only());
    for (at, QueuedCandidate { parts, aligned_overlap, root_traits }) in chunk.iter().enumerate() {
        let roots = root_traits.unwrap_or_else(|| {
            let [a, b] = [parts.a, parts.b].map(|part| RootTraits::from_tree(placed.tree(part)));
            a.and(b)
        });
        // Only with the f32 verdict: the f64 prefilter may report overlap of boxes that are
        // disjoint by less than the error.
        let box_is_geometry = *aligned_overlap && about_parts && roots.box_is_geometry;
        let decided =
            accuracy.decided_by_roots([roots.is_leaf_tree, box_is_geometry, roots.has_hull]);
        masks.decided |= u64::from(decided) << at;
        masks.oriented_is_aligned |= u64::from(roots.oriented_is_aligned) << at;
        masks.aligned_overlap |= u64::from(*aligned_overlap) << at;
        masks.tested_in_f32 |= u64::from(root_traits.is_some()) << at;
    }
    masks
}
