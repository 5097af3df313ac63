//! Candidates: pairs of parts whose world boxes overlap. An f32 SAT on root boxes, many at a time,
//! drops most disjoint ones as they are collected.

use super::part_id::PartId;
use super::root_traits::{PosedRoot, RootTraits};
use crate::num::counting_sort::CountingSort;
use crate::num::{Scalar, SimdLevel};
use crate::sat::prefilter::{BATCH, PrefilterQueue};
use crate::tree::NodeId;

/// Two parts, each by the index of its character and its own.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate {
    pub a: (u32, PartId),
    pub b: (u32, PartId),
}

impl Candidate {
    /// Returns the two parts with the lesser first.
    pub fn unordered(&self) -> [(u32, PartId); 2] {
        if self.b < self.a { [self.b, self.a] } else { [self.a, self.b] }
    }

    /// Sorts by the first part, then by the second. Candidates that were collected by characters,
    /// ascending, arrive sorted by the first character, and mostly grouped by the parts of the
    /// second.
    pub fn sort<C: Copy>(
        all: &mut [C],
        sorting: &mut CountingSort<C>,
        parts: impl Fn(&C) -> &Candidate,
    ) {
        let key = |one: &C| (parts(one).a, parts(one).b);
        if all.is_sorted_by_key(key) {
            return;
        }
        if !all.is_sorted_by_key(|one| parts(one).a.0) {
            return all.sort_unstable_by_key(key);
        }
        for of_one in all.chunk_by_mut(|x, y| parts(x).a.0 == parts(y).a.0) {
            let part = |one: &C| parts(one).a.1.index() as u32;
            let last = of_one.iter().map(part).max().unwrap_or(0);
            sorting.sort(of_one, 0, last, part);
            if !of_one.is_sorted_by_key(key) {
                of_one.sort_unstable_by_key(key);
            }
        }
    }

    pub fn key(&self, node_a: NodeId, node_b: NodeId) -> [u32; 6] {
        let side = |(character, part): (u32, PartId), node: NodeId| {
            [character, part.index() as u32, node.index() as u32]
        };
        let ([a, b, c], [d, e, f]) = (side(self.a, node_a), side(self.b, node_b));
        [a, b, c, d, e, f]
    }
}

/// Candidate whose root boxes may overlap.
#[derive(Debug, Clone, Copy)]
pub(super) struct QueuedCandidate {
    pub parts: Candidate,
    /// `true` if the part-aligned root boxes surely overlap.
    pub aligned_overlap: bool,
    /// Traits of both roots, if the prefilter in single precision ran and left the pair undecided.
    pub root_traits: Option<RootTraits>,
}

impl QueuedCandidate {
    /// Sorts candidates by their parts, regardless of which of two is first.
    pub fn sort(all: &mut [QueuedCandidate]) {
        all.sort_unstable_by_key(|kept| kept.parts.unordered());
    }
}

/// Candidates of a query. The last ones are queued until they fill all lanes of the prefilter.
#[derive(Debug, Clone, Default)]
pub(crate) struct CandidateQueue {
    simd: SimdLevel,
    pub(super) candidates: Vec<QueuedCandidate>,
    /// Boxes of the queued candidates, the last of `candidates`.
    queue: PrefilterQueue,
    /// Number of candidates dropped.
    dropped_count: u64,
    /// `true` if a candidate may have a part of few boxes.
    pub(super) has_leaf_boxes: bool,
    sorting: CountingSort<QueuedCandidate>,
}

impl CandidateQueue {
    pub(super) fn clear(&mut self, simd: SimdLevel) {
        self.simd = simd;
        self.candidates.clear();
        self.queue.clear();
        (self.dropped_count, self.has_leaf_boxes) = (0, false);
    }

    pub fn len(&self) -> usize {
        self.candidates.len()
    }

    /// Appends a candidate that skips the prefilter.
    pub fn push(&mut self, parts: Candidate) {
        self.prefilter();
        self.candidates.push(QueuedCandidate { parts, aligned_overlap: false, root_traits: None });
    }

    /// Appends a candidate whose boxes can be placed in single precision.
    #[inline(always)]
    pub fn push_posed<T: Scalar>(
        &mut self,
        (parts, margin): (Candidate, f64),
        a: &PosedRoot<'_, T>,
        b: &PosedRoot<'_, T>,
    ) {
        let root_traits = a.traits.and(b.traits);
        self.has_leaf_boxes |= root_traits.has_leaf_boxes;
        let root_traits = Some(root_traits);
        self.candidates.push(QueuedCandidate { parts, aligned_overlap: false, root_traits });
        self.queue.push_posed(&a.posed, &b.posed, margin);
        if self.queue.is_full() {
            self.prefilter();
        }
    }

    /// Tests the queued candidates and drops disjoint ones.
    pub(super) fn prefilter(&mut self) {
        let start = self.candidates.len() - self.queue.len();
        if start == self.candidates.len() {
            return;
        }
        let masks = self.queue.masks_posed(self.simd);
        let queued = &mut self.candidates[start..];
        let (mut left, mut kept) = (!masks.apart & u64::MAX >> (BATCH - queued.len()), 0);
        self.dropped_count += queued.len() as u64 - u64::from(left.count_ones());
        while left != 0 {
            let at = left.trailing_zeros() as usize;
            left &= left - 1;
            queued[kept] =
                QueuedCandidate { aligned_overlap: masks.overlapping >> at & 1 == 1, ..queued[at] };
            kept += 1;
        }
        self.candidates.truncate(start + kept);
    }

    /// Returns the number of candidates dropped since the last call: one test of the roots each.
    pub(super) fn take_dropped_count(&mut self) -> u64 {
        std::mem::take(&mut self.dropped_count)
    }

    /// Sorts by the first part, then by the second.
    pub(super) fn sort(&mut self) {
        Candidate::sort(&mut self.candidates, &mut self.sorting, |queued| &queued.parts);
    }
}
