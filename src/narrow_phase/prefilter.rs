//! SAT prefilter on root boxes placed in double precision. It decides most of the remaining
//! candidates without a traversal.

use super::candidates::{Candidate, Kept};
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
    apart: u64,
    /// Candidates whose root boxes overlap, where that decides.
    touching: u64,
}

impl PairMasks {
    /// Returns `true` if the candidate at an index touches, `false` if not, `None` if the roots do
    /// not decide.
    #[inline]
    pub fn verdict(&self, at: usize) -> Option<bool> {
        match (self.touching >> at & 1, self.apart >> at & 1) {
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
    upright: u64,
    /// Candidates whose part-aligned root boxes surely overlap.
    touching: u64,
    /// Candidates that the test in single precision left undecided.
    posed: u64,
}

impl RootPrefilter {
    pub fn clear(&mut self) {
        self.queue.clear();
    }

    /// Tests up to [`BATCH`] candidates, and counts one test for each that is decided.
    pub fn masks<'a, T: Scalar>(
        &mut self,
        chunk: &[Kept],
        placed: &impl PlacedTrees<'a, T>,
        (goal, accuracy): (Goal, Accuracy),
        tree: &mut TreeScratch,
    ) -> PairMasks {
        let all = u64::MAX >> (BATCH - chunk.len());
        let masks = root_masks(chunk, placed, (goal, accuracy));
        let RootMasks { decided, upright, touching, posed } = masks;
        let mut aligned = SatMasks { apart: 0, overlap: touching };
        // A query for any hit ends with the first, so the other candidates are traversed one by
        // one.
        let lazily = if goal == Goal::Any { posed } else { 0 };
        let close = all & !touching & !lazily;
        if close != 0 {
            let boxes = |tree: &ObbTree<T>, place: &Placement| tree.placed_root(place);
            aligned = aligned.or(self.sat(chunk, (close, placed), tree, boxes));
        }
        let mut touching = aligned.overlap & decided & !(lazily & !upright);
        let mut oriented = SatMasks::default();
        if touching & !upright != 0 {
            let boxes = |tree: &ObbTree<T>, place: &Placement| tree.placed_oriented_root(place);
            oriented = self.sat(chunk, (touching & !upright, placed), tree, boxes);
            touching &= upright | oriented.overlap;
        }
        let told = (aligned.apart | oriented.apart | touching) & all;
        tree.counts.boxes[0] += u64::from(told.count_ones());
        tree.counts.oriented += u64::from((told & !aligned.apart).count_ones());
        PairMasks { apart: aligned.apart | oriented.apart, touching }
    }

    /// Tests some of the candidates by boxes placed in double precision.
    fn sat<'a, T: Scalar, P: PlacedTrees<'a, T>>(
        &mut self,
        chunk: &[Kept],
        (of, placed): (u64, &P),
        tree: &TreeScratch,
        placed_box: impl Fn(&ObbTree<T>, &Placement) -> PrefilterBox,
    ) -> SatMasks {
        for (at, Kept { parts, .. }) in chunk.iter().enumerate() {
            if of >> at & 1 == 1 {
                let Candidate { a, b } = *parts;
                let boxes = [a, b]
                    .map(|part| placed_box(placed.tree(part), &Placement::new(placed.pose(part))));
                self.queue.push(&boxes[0], &boxes[1], placed.margin(parts));
            }
        }
        self.queue.masks::<T>(tree.level).spread(of)
    }
}

fn root_masks<'a, T: Scalar>(
    chunk: &[Kept],
    placed: &impl PlacedTrees<'a, T>,
    (goal, accuracy): (Goal, Accuracy),
) -> RootMasks {
    let (mut masks, about_parts) = (RootMasks::default(), goal.is_about_parts());
    for (at, Kept { parts, touching, posed }) in chunk.iter().enumerate() {
        let roots = posed.unwrap_or_else(|| {
            let [a, b] = [parts.a, parts.b].map(|part| RootTraits::of(placed.tree(part)));
            a.and(b)
        });
        // Only with the f32 verdict: the f64 prefilter may report overlap of boxes that are
        // disjoint by less than the error.
        let whole = *touching && about_parts && roots.whole;
        let decided = accuracy.is_told_by_roots([roots.single, whole, roots.hulled]);
        masks.decided |= u64::from(decided) << at;
        masks.upright |= u64::from(roots.upright) << at;
        masks.touching |= u64::from(*touching) << at;
        masks.posed |= u64::from(posed.is_some()) << at;
    }
    masks
}
