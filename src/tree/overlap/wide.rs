//! Traversal of two wide BVHs, eight children against eight at once.
//!
//! The part-aligned boxes are tested first, by their face normals. The few pairs left are queued
//! until their oriented boxes fill the lanes.

use std::cmp::Ordering::Equal;
use std::ops::ControlFlow;

use crate::num::linear::{add, rotate, sub};
use crate::num::{Scalar, set_bits};
use crate::sat::SatMasks;
use crate::sat::eight_boxes;
use crate::sat::eight_boxes::{RelativeFrame, WIDTH, row_masks};
use crate::sat::oriented_batch::{OrientedBatch, QUEUE_LEN};
use crate::sat::oriented_pairs::OrientedPairs;
use crate::tree::pair::ancestors::PendingTests;
use crate::tree::pair::stack_entries::{OrientedQueue, SearchEntry};
use crate::tree::pair::wide_pair::{WidePair, WideStep, child_indices, count_box_tests};
use crate::tree::store::wide_bvh::{WideBvh, WideChild, WideNode};
use crate::tree::{Accuracy, TreePair, TreeScratch};

/// Pair of nodes at the cuts, with what is proven about it.
#[derive(Debug, Clone, Copy)]
pub(in crate::tree) struct CutPair {
    /// Nodes in canonical order.
    pub nodes: (u32, u32),
    /// `true` if the boxes need no further test, as both kinds overlap. Otherwise no test on the
    /// way has separated the two nodes; where primitives decide, they need none either.
    pub boxes_decided: bool,
    /// `true` if the part-aligned boxes surely overlap.
    pub aligned_overlap: bool,
    /// `true` if all ancestors at equal depths surely overlap.
    pub ancestors_overlap: bool,
    /// Lower and upper bound on the depth of their contact, if they touch. [world units]
    pub depth: [f32; 2],
}

/// Bounds of a contact of unknown depth.
pub(in crate::tree) const ANY_DEPTH: [f32; 2] = [0.0, f32::INFINITY];

/// Goal of a traversal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tree) enum TraversalGoal {
    /// All pairs that touch.
    All,
    /// Any pair that touches; pairs are tested at once instead of queued.
    First,
    /// The deepest contact: pairs surely less deep than another may be left out.
    Deepest,
}

/// Options of a traversal.
#[derive(Debug, Clone, Copy)]
pub(in crate::tree) struct TraversalOptions {
    pub accuracy: Accuracy,
    pub goal: TraversalGoal,
}

/// Batch size of oriented boxes if any hit will do and one tree is a single node.
const ANY_HIT_BATCH: usize = 4;

/// State of a traversal.
struct WideTraversal<'p, 'a, T: Scalar> {
    pair: &'p TreePair<'a, T>,
    bvhs: [&'a WideBvh<T>; 2],
    options: TraversalOptions,
    frame: RelativeFrame,
    /// `true` if nodes of both trees have convex hulls.
    has_hulls: bool,
    /// `true` if one of the trees is a single node.
    has_leaf_tree: bool,
    /// Upper bound on the depth of a contact beyond the overlap of the part-aligned boxes around
    /// both leaves. [world units]
    depth_beyond_overlap: f32,
    /// Rounding error of a depth in the world. [world units]
    world_depth_error: f32,
}

impl<'a, T: Scalar> TreePair<'a, T> {
    /// Like [`traverse_pairwise`](Self::traverse_pairwise) from the roots to the cut of that
    /// accuracy: visits the same set, or as much of it as the goal requires.
    pub(in crate::tree) fn traverse_wide(
        &self,
        options: TraversalOptions,
        scratch: &mut TreeScratch,
        mut at_cut: impl FnMut(CutPair, &mut TreeScratch) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some(frame) = self.relative_frame() else {
            return self.traverse_pairwise(options, [(0, 0); 2], scratch, &mut at_cut);
        };
        let bvhs = self.bvhs();
        let world_depth_error =
            if options.goal == TraversalGoal::Deepest { self.world_depth_error() } else { 0.0 };
        let depth_beyond_overlap = f32::at_least(
            self.depth_beyond_overlap(options) + f64::from(world_depth_error + frame.pad),
        );
        let has_hulls = self.hull_counts().iter().all(|&hulls| hulls > 0);
        let has_leaf_tree = bvhs.iter().any(|bvh| bvh.child(0).is_leaf());
        WideTraversal {
            pair: self,
            bvhs,
            options,
            frame,
            has_hulls,
            has_leaf_tree,
            depth_beyond_overlap,
            world_depth_error,
        }
        .run(scratch, &mut at_cut)
    }

    /// Returns the relative pose of the two parts for prefilters; `None` if sizes exceed single
    /// precision.
    pub(in crate::tree) fn relative_frame(&self) -> Option<RelativeFrame> {
        let [first, second] = self.bvhs();
        let ((rotation, offset), radii) =
            (self.second_in_first(), self.ordered_pair().radii_about_origins());
        let middle = add(rotate(rotation, second.center), offset);
        RelativeFrame::new::<T>(
            rotation,
            sub(middle, first.center),
            [first.half_extent_sum + second.half_extent_sum, radii],
            self.margin,
        )
    }
}

impl<T: Scalar> WideTraversal<'_, '_, T> {
    fn run(
        &self,
        scratch: &mut TreeScratch,
        at_cut: &mut impl FnMut(CutPair, &mut TreeScratch) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        scratch.search_stack.clear();
        scratch.oriented.clear();
        // Primitives decide, so a test less changes no answer; the first wide nodes cull as well.
        let left = if self.is_exact() { PendingTests::OrientedAndHulls } else { PendingTests::All };
        if self.has_hulls && !self.pair.cached_overlap((0, 0), left, scratch) {
            return ControlFlow::Continue(());
        }
        if self.within_tolerance((0, 0), scratch) {
            return self.pair.traverse_pairwise(self.options, [(0, 0); 2], scratch, at_cut);
        }
        // Starts at the roots.
        scratch.search_stack.push(SearchEntry::ROOTS);
        loop {
            match scratch.search_stack.pop() {
                Some(next) if self.is_too_shallow(next.lower_bound, scratch) => {}
                Some(next) => self.open(next.children, scratch, at_cut)?,
                None if scratch.oriented.len() > 0 => self.test_oriented(scratch, at_cut)?,
                None => return ControlFlow::Continue(()),
            }
        }
    }

    /// Returns `true` if no contact of nodes in boxes with that overlap can be the deepest.
    fn is_too_shallow(&self, lower_bound: f32, scratch: &TreeScratch) -> bool {
        let known = self.options.goal == TraversalGoal::Deepest && scratch.min_deepest > 0.0;
        known && self.depth_beyond_overlap - lower_bound < scratch.min_deepest
    }

    /// Opens a pair of nodes that are not both at their cuts.
    fn open(
        &self,
        children: [u32; 2],
        scratch: &mut TreeScratch,
        at_cut: &mut impl FnMut(CutPair, &mut TreeScratch) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let from = self.pair.wide_children(children).map(|child| (child.node, child.depth));
        let nodes = (from[0].0, from[1].0);
        if self.uses_hulls() && !self.pair.first_nodes_overlap(nodes, scratch) {
            return ControlFlow::Continue(());
        }
        let step = |side, child: &_, number| self.step(side, child, number);
        let opened = self.pair.open(children, step, |wides: [&WideNode<T>; 2]| {
            let skips = |t| !wides[0].preserves_slack(wides[1], t + self.pair.margin);
            let tested = !self.tolerance().is_some_and(skips);
            tested.then(|| self.test_children(wides, scratch, at_cut))
        });
        match opened.flatten() {
            Some(flow) => flow,
            None => self.pair.traverse_pairwise(self.options, from, scratch, at_cut),
        }
    }

    /// Returns the next step for a child.
    #[inline(always)]
    fn step(&self, side: usize, child: &WideChild, number: u32) -> WideStep<'_, T> {
        let below = || self.bvhs[side].child_wide_node(child);
        match self.options.accuracy {
            // May have the stored node of a root: exact queries do not read its flags.
            Accuracy::Exact => self.pair.step_to_leaves(side, child, number),
            _ if child.is_leaf() => WideStep::Stay(None),
            Accuracy::Depth(cut) if child.depth >= cut => WideStep::Stay(None),
            Accuracy::Depth(cut) if !below().is_above_cut(cut) => WideStep::Pairwise,
            _ => WideStep::Open(below()),
        }
    }

    /// Tests all boxes of one wide node against all of another. Pairs that overlap are pushed onto
    /// the stack or queued for the oriented test.
    fn test_children(
        &self,
        wides: [&WideNode<T>; 2],
        scratch: &mut TreeScratch,
        at_cut: &mut impl FnMut(CutPair, &mut TreeScratch) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let cut_mask = row_masks(self.cut_mask(0, wides[0]), self.cut_mask(1, wides[1]));
        let mut lower_bounds = [0.0; WIDTH * WIDTH];
        // No pair below is within the tolerance: oriented boxes cull as they do exactly.
        let exceeds = |t: f64| wides[0].exceeds_slack(wides[1], t + self.pair.margin);
        let exactly = self.is_exact() || self.tolerance().is_some_and(exceeds);
        let masks = self.aligned_masks(wides, cut_mask, exactly, &mut lower_bounds, scratch);
        let overlaps = !masks.apart;
        let entry = |bit: usize| SearchEntry {
            children: child_indices(wides, bit),
            lower_bound: lower_bounds[bit],
        };
        let undecided = match self.options.accuracy {
            Accuracy::Exact if self.has_leaf_tree => {
                overlaps & (cut_mask | !row_masks(wides[0].filled_mask, wides[1].filled_mask))
            }
            _ if exactly => overlaps,
            Accuracy::Within(_) => overlaps & self.equal_depth_mask(wides, overlaps),
            _ => overlaps & cut_mask,
        };
        let before = scratch.search_stack.len();
        scratch.search_stack.extend(set_bits(overlaps & !undecided).map(entry));
        sort_stack(self.options.goal, &mut scratch.search_stack[before..]);
        for bit in set_bits(undecided) {
            if self.is_too_shallow(lower_bounds[bit], scratch) {
                continue;
            }
            let is = |bits: u64| (bits >> bit & 1) as u32;
            scratch.oriented.push(entry(bit), is(cut_mask), is(masks.overlapping));
            if scratch.oriented.is_full() {
                self.test_oriented(scratch, at_cut)?;
            }
        }
        match scratch.oriented.len() >= self.flush_at() {
            true => self.test_oriented(scratch, at_cut),
            false => ControlFlow::Continue(()),
        }
    }

    /// Tests the part-aligned boxes; `cut_mask`: bits of the pairs that belong to both cuts;
    /// `exactly`: primitives decide all of them.
    fn aligned_masks(
        &self,
        [a, b]: [&WideNode<T>; 2],
        cut_mask: u64,
        exactly: bool,
        lower_bounds: &mut [f32; WIDTH * WIDTH],
        scratch: &mut TreeScratch,
    ) -> SatMasks {
        let lens = count_box_tests([a, b], &mut scratch.counts);
        // Oriented boxes within the aligned ones separate at least as much, unless both are the
        // same boxes and may be parallel.
        let oriented_is_aligned = a.oriented_is_aligned && b.oriented_is_aligned;
        let thorough = cut_mask != 0
            && !exactly
            && (oriented_is_aligned || !(a.oriented_within_aligned && b.oriented_within_aligned));
        eight_boxes::masks(
            scratch.simd,
            &self.frame,
            [&a.boxes, &b.boxes],
            lens,
            thorough,
            lower_bounds,
        )
    }

    /// Tests the oriented boxes of the queue. Pairs that overlap are pushed onto the stack, or
    /// passed to `at_cut`.
    fn test_oriented(
        &self,
        scratch: &mut TreeScratch,
        at_cut: &mut impl FnMut(CutPair, &mut TreeScratch) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let OrientedQueue { mut children, cut_mask, overlap_mask, lower_bounds, len } =
            scratch.oriented.clone();
        // Unused lanes get the roots: the entries there may belong to other trees.
        children.iter_mut().for_each(|numbers| numbers[len..].fill(0));
        let [first, second] = self.bvhs;
        let mut depths = [[0.0; QUEUE_LEN], [f32::INFINITY; QUEUE_LEN]];
        let masks = OrientedPairs {
            batch: OrientedBatch {
                frame: &self.frame,
                records: self.pair.oriented_records(),
                pairs: &children,
                len,
            },
            depths: (self.options.goal == TraversalGoal::Deepest)
                .then_some((&mut depths, self.world_depth_error)),
        }
        .masks(scratch.simd);
        scratch.counts.oriented += len as u64;
        scratch.oriented.clear();
        let before = scratch.search_stack.len();
        for lane in set_bits(!masks.apart & (u64::MAX >> (64 - len))) {
            let is = |bits: u32| bits >> lane & 1 == 1;
            // Not by `map`, which copies both arrays.
            let children = [children[0][lane], children[1][lane]];
            let (x, y) =
                (&first.children[children[0] as usize], &second.children[children[1] as usize]);
            if !is(cut_mask) && !self.within_tolerance((x.node, y.node), scratch) {
                scratch
                    .search_stack
                    .push(SearchEntry { children, lower_bound: lower_bounds[lane] });
                continue;
            }
            let held =
                is(overlap_mask) || x.oriented_within_aligned() && y.oriented_within_aligned();
            let same = is(overlap_mask) && x.oriented_is_aligned() && y.oriented_is_aligned();
            let boxes_decided = same || held && masks.overlapping >> lane & 1 == 1;
            // Proves that all boxes of the ancestors overlap.
            let ancestors_overlap = x.box_is_geometry() && y.box_is_geometry() && boxes_decided;
            let depth = [depths[0][lane], depths[1][lane]];
            let nodes = (x.node, y.node);
            let reached = CutPair {
                nodes,
                boxes_decided,
                aligned_overlap: is(overlap_mask),
                ancestors_overlap,
                depth,
            };
            if at_cut(reached, scratch).is_break() {
                return ControlFlow::Break(());
            }
        }
        sort_stack(self.options.goal, &mut scratch.search_stack[before..]);
        ControlFlow::Continue(())
    }

    /// Returns `true` if primitives decide. Oriented boxes then cull on the way too, as they
    /// contain the primitives.
    fn is_exact(&self) -> bool {
        self.options.accuracy == Accuracy::Exact
    }

    /// Returns `true` if hulls below the roots may cull on the way; pointless where primitives
    /// decide.
    fn uses_hulls(&self) -> bool {
        self.has_hulls && !matches!(self.options.accuracy, Accuracy::Exact | Accuracy::Within(_))
    }

    fn tolerance(&self) -> Option<f64> {
        match self.options.accuracy {
            Accuracy::Within(t) => Some(t),
            _ => None,
        }
    }

    /// Returns `true` if there is a tolerance and the slack of two nodes at equal depths is within
    /// it, or if a test separates them.
    fn within_tolerance(&self, nodes: (u32, u32), scratch: &mut TreeScratch) -> bool {
        self.tolerance().is_some_and(|t| self.pair.within_tolerance(nodes, t, scratch))
    }

    /// Returns the mask of the given pairs of children that have equal depths.
    fn equal_depth_mask(&self, wides: [&WideNode<T>; 2], pairs: u64) -> u64 {
        let [first, second] = [0, 1].map(|side| self.bvhs[side].children_of(wides[side]));
        let is_equal = |&bit: &usize| first[bit / WIDTH].has_equal_depth(&second[bit % WIDTH]);
        set_bits(pairs).filter(is_equal).fold(0, |mask, bit| mask | 1 << bit)
    }

    /// Returns the number of queued pairs at which the queue is flushed.
    fn flush_at(&self) -> usize {
        match self.options.goal {
            TraversalGoal::First if !self.is_exact() => 1,
            // Deepest overlap first: if any pair touches, one of the first few usually does.
            TraversalGoal::First if self.has_leaf_tree => ANY_HIT_BATCH,
            TraversalGoal::Deepest => QUEUE_LEN / 2,
            // Full batches: all hits are wanted, or primitives decide and few boxes that overlap
            // touch.
            _ => QUEUE_LEN,
        }
    }

    /// Returns the mask of the children of a wide node that belong to the cut of their tree,
    /// whatever the other tree.
    fn cut_mask(&self, which: usize, wide: &WideNode<T>) -> u8 {
        match self.options.accuracy {
            Accuracy::Depth(cut) if cut <= wide.max_depth => {
                let mut bits = wide.leaf_mask;
                for (i, child) in self.bvhs[which].children_of(wide).iter().enumerate() {
                    bits |= u8::from(child.depth >= cut) << i;
                }
                bits
            }
            _ => wide.leaf_mask,
        }
    }
}

/// Sorts stack entries so that the deepest overlap is on top: it most likely touches, and deeply.
fn sort_stack(aim: TraversalGoal, ahead: &mut [SearchEntry]) {
    // -0.0 and 0.0 compare as equal: the sign of zero depends on the SIMD level.
    let later = |x: &SearchEntry, y: &SearchEntry| {
        y.lower_bound.partial_cmp(&x.lower_bound).unwrap_or(Equal)
    };
    match aim {
        TraversalGoal::All => {}
        _ if ahead.len() < 2 => {}
        TraversalGoal::First => {
            let (mut deepest, last) = (0, ahead.len() - 1);
            for i in 1..=last {
                // The last of equals, as in `max_by`.
                if ahead[i].lower_bound <= ahead[deepest].lower_bound {
                    deepest = i;
                }
            }
            ahead.swap(deepest, last);
        }
        TraversalGoal::Deepest => ahead.sort_unstable_by(later),
    }
}
