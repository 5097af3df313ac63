//! Traversal of two wide BVHs, eight children against eight at once.
//!
//! The part-aligned boxes are tested first, by their face normals. The few pairs left are queued
//! until their oriented boxes fill the lanes.

use std::cmp::Ordering::Equal;
use std::ops::ControlFlow;

use super::ancestors::Left;
use super::pending::{Ahead, OrientedQueue};
use super::wide_bvh::{WideBvh, WideChild, WideNode};
use super::{Accuracy, LEVELS, TreePair, TreeScratch};
use crate::num::linear::{add, sub, turn};
use crate::num::{Scalar, set_bits};
use crate::sat::SatMasks;
use crate::sat::eight_boxes::{self, RelativeFrame, SIDE, squared};
use crate::sat::oriented_pairs::{OrientedPairs, QUEUE};

/// Pair of nodes at the cuts, with what is proven about it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reached {
    /// Nodes in canonical order.
    pub nodes: (u32, u32),
    /// `true` if the boxes need no further test: both kinds overlap, or primitives decide and boxes
    /// have been used for culling. Otherwise no test on the way has separated the two nodes.
    pub decided: bool,
    /// `true` if the part-aligned boxes surely overlap.
    pub aligned: bool,
    /// `true` if all ancestors at equal depths surely overlap.
    pub ancestors: bool,
    /// Lower and upper bound on the depth of their contact, if they touch. [world units]
    pub depth: [f32; 2],
}

/// Bounds of a contact of unknown depth.
pub(super) const UNKNOWN: [f32; 2] = [0.0, f32::INFINITY];

/// Goal of a traversal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Aim {
    /// All pairs that touch.
    All,
    /// Any pair that touches; pairs are tested at once instead of queued.
    First,
    /// The deepest contact: pairs surely less deep than another may be left out.
    Deepest,
}

/// Options of a traversal.
#[derive(Debug, Clone, Copy)]
pub(super) struct Manner {
    pub accuracy: Accuracy,
    pub aim: Aim,
}

/// Next step for one of two nodes.
enum WideStep<'a, T: Scalar> {
    /// The node belongs to the cut.
    Stays,
    Opens(&'a WideNode<T>),
    /// The cut runs through levels that the wide node would skip.
    OneByOne,
}

/// Batch size of oriented boxes if any hit will do and one tree is a single node.
const FEW: usize = 4;

/// State of a traversal.
struct WideTraversal<'p, 'a, T: Scalar> {
    pair: &'p TreePair<'a, T>,
    bvhs: [&'a WideBvh<T>; 2],
    manner: Manner,
    frame: RelativeFrame,
    /// `true` if nodes of both trees have convex hulls.
    hulls: bool,
    /// `true` if one of the trees is a single node.
    single_node: bool,
    /// Upper bound on the depth of a contact beyond the overlap of the part-aligned boxes around
    /// both leaves. [world units]
    deeper: f32,
    /// Rounding error of a depth in the world. [world units]
    far_out: f32,
}

impl<'a, T: Scalar> TreePair<'a, T> {
    /// Like [`traverse_pairwise`](Self::traverse_pairwise) from the roots to the cut of that
    /// accuracy: visits the same set, or as much of it as the goal requires.
    pub(super) fn traverse_wide(
        &self,
        manner: Manner,
        scratch: &mut TreeScratch,
        mut at_cut: impl FnMut(Reached, &mut TreeScratch) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some(frame) = self.relative_frame() else {
            return self.descend_to(manner.accuracy, [(0, 0); 2], scratch, &mut at_cut);
        };
        let bvhs = self.bvhs();
        let far_out = if manner.aim == Aim::Deepest { self.far_out() } else { 0.0 };
        let deeper = f32::at_least(self.deeper(manner) + f64::from(far_out + frame.pad));
        let hulls = self.hulls().iter().all(|&hulls| hulls > 0);
        let single_node = bvhs.iter().any(|bvh| bvh.child(0).is_leaf());
        WideTraversal { pair: self, bvhs, manner, frame, hulls, single_node, deeper, far_out }
            .run(scratch, &mut at_cut)
    }

    /// Returns the relative pose of the two parts for prefilters; `None` if sizes exceed single
    /// precision.
    pub(super) fn relative_frame(&self) -> Option<RelativeFrame> {
        let [first, second] = self.bvhs();
        let ((rotation, offset), reach) = (self.frame(), self.seats().reaches());
        let middle = add(turn(rotation, second.middle), offset);
        RelativeFrame::new::<T>(
            rotation,
            sub(middle, first.middle),
            [first.size + second.size, reach],
            self.margin,
        )
    }
}

impl<T: Scalar> WideTraversal<'_, '_, T> {
    fn run(
        &self,
        scratch: &mut TreeScratch,
        at_cut: &mut impl FnMut(Reached, &mut TreeScratch) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        scratch.ahead.clear();
        scratch.oriented.clear();
        if self.hulls && !self.pair.known_touch(((0, 0), Left::All), scratch) {
            return ControlFlow::Continue(());
        }
        if self.is_met((0, 0), scratch) {
            return self.pair.descend_to(self.manner.accuracy, [(0, 0); 2], scratch, at_cut);
        }
        // Starts at the roots.
        scratch.ahead.push(Ahead { children: [0, 0], excess: f32::NEG_INFINITY });
        loop {
            match scratch.ahead.pop() {
                Some(next) if self.is_too_shallow(next.excess, scratch) => {}
                Some(next) => self.open(next.children, scratch, at_cut)?,
                None if scratch.oriented.len() > 0 => self.test_oriented(scratch, at_cut)?,
                None => return ControlFlow::Continue(()),
            }
        }
    }

    /// Returns `true` if no contact of nodes in boxes with that overlap can be the deepest.
    fn is_too_shallow(&self, excess: f32, scratch: &TreeScratch) -> bool {
        let known = self.manner.aim == Aim::Deepest && scratch.deepest > 0.0;
        known && self.deeper - excess < scratch.deepest
    }

    /// Opens a pair of nodes that are not both at their cuts.
    fn open(
        &self,
        [a, b]: [u32; 2],
        scratch: &mut TreeScratch,
        at_cut: &mut impl FnMut(Reached, &mut TreeScratch) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (accuracy, [first, second]) = (self.manner.accuracy, self.bvhs);
        let (child_a, child_b) = (&first.children[a as usize], &second.children[b as usize]);
        let nodes = (child_a.node, child_b.node);
        if self.asks_hulls() && !self.pair.first_touch(nodes, scratch) {
            return ControlFlow::Continue(());
        }
        let alone;
        // A tree with a single box needs no copy of it: exact queries do not read its flags.
        let only = |number: u32| number == 0 && self.is_exact();
        let wides = match [step(first, child_a, accuracy), step(second, child_b, accuracy)] {
            [WideStep::Opens(x), WideStep::Opens(y)] => Some([x, y]),
            [WideStep::Opens(x), WideStep::Stays] if only(b) => Some([x, second.wide(0)]),
            [WideStep::Stays, WideStep::Opens(y)] if only(a) => Some([first.wide(0), y]),
            [WideStep::Opens(x), WideStep::Stays] => {
                alone = second.alone(self.pair.bounded(1, nodes.1), b, child_b.depth);
                Some([x, &alone])
            }
            [WideStep::Stays, WideStep::Opens(y)] => {
                alone = first.alone(self.pair.bounded(0, nodes.0), a, child_a.depth);
                Some([&alone, y])
            }
            _ => None,
        };
        match wides {
            Some([x, y])
                if self.tolerance().is_none_or(|t| x.skips_no_slack(y, t + self.pair.margin)) =>
            {
                self.compare([x, y], scratch, at_cut)
            }
            _ => {
                let from = [(child_a.node, child_a.depth), (child_b.node, child_b.depth)];
                self.pair.descend_to(accuracy, from, scratch, at_cut)
            }
        }
    }

    /// Tests all boxes of one wide node against all of another. Pairs that overlap are pushed onto
    /// the stack or queued for the oriented test.
    fn compare(
        &self,
        wides: [&WideNode<T>; 2],
        scratch: &mut TreeScratch,
        at_cut: &mut impl FnMut(Reached, &mut TreeScratch) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let stay = squared(self.staying(0, wides[0]), self.staying(1, wides[1]));
        let mut excess = [0.0; SIDE * SIDE];
        let masks = self.masks(wides, stay, &mut excess, scratch);
        let near = !masks.apart;
        let ahead = |bit: usize| Ahead {
            children: [wides[0].first + (bit / SIDE) as u32, wides[1].first + (bit % SIDE) as u32],
            excess: excess[bit],
        };
        let closer = match self.manner.accuracy {
            Accuracy::Exact if self.single_node => {
                near & (stay | !squared(wides[0].filled, wides[1].filled))
            }
            Accuracy::Exact => near,
            Accuracy::Within(_) => near & self.level(wides, near),
            _ => near & stay,
        };
        let before = scratch.ahead.len();
        scratch.ahead.extend(set_bits(near & !closer).map(ahead));
        order(self.manner.aim, &mut scratch.ahead[before..]);
        for bit in set_bits(closer) {
            if self.is_too_shallow(excess[bit], scratch) {
                continue;
            }
            let is = |bits: u64| (bits >> bit & 1) as u32;
            scratch.oriented.push(ahead(bit), is(stay), is(masks.overlap));
            if scratch.oriented.is_full() {
                self.test_oriented(scratch, at_cut)?;
            }
        }
        match scratch.oriented.len() >= self.enough() {
            true => self.test_oriented(scratch, at_cut),
            false => ControlFlow::Continue(()),
        }
    }

    /// Tests the part-aligned boxes; `cut_mask`: bits of the pairs that belong to both cuts.
    fn masks(
        &self,
        [a, b]: [&WideNode<T>; 2],
        stay: u64,
        excess: &mut [f32; SIDE * SIDE],
        scratch: &mut TreeScratch,
    ) -> SatMasks {
        let lens = [usize::from(a.len), usize::from(b.len)];
        let level = usize::from(a.deepest.max(b.deepest)).min(LEVELS - 1);
        scratch.counts.boxes[level] += (lens[0] * lens[1]) as u64;
        // Oriented boxes within the aligned ones separate at least as much, unless both are the
        // same boxes and may be parallel.
        let same = a.upright && b.upright;
        let thorough = stay != 0 && !self.is_exact() && (same || !(a.held && b.held));
        eight_boxes::masks(
            scratch.level,
            &self.frame,
            [&a.boxes, &b.boxes],
            (lens, thorough),
            excess,
        )
    }

    /// Tests the oriented boxes of the queue. Pairs that overlap are pushed onto the stack, or
    /// passed to `at_cut`.
    fn test_oriented(
        &self,
        scratch: &mut TreeScratch,
        at_cut: &mut impl FnMut(Reached, &mut TreeScratch) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let OrientedQueue { mut children, stay, sure, excess, len } = scratch.oriented.clone();
        // Unused lanes get the roots: the entries there may belong to other trees.
        children.iter_mut().for_each(|numbers| numbers[len..].fill(0));
        let [first, second] = self.bvhs;
        let mut depths = [[0.0; QUEUE], [f32::INFINITY; QUEUE]];
        let masks = OrientedPairs {
            frame: &self.frame,
            records: [&first.records, &second.records],
            pairs: &children,
            len,
            depths: (self.manner.aim == Aim::Deepest).then_some((&mut depths, self.far_out)),
        }
        .masks(scratch.level);
        scratch.counts.oriented += len as u64;
        scratch.oriented.clear();
        let before = scratch.ahead.len();
        for place in set_bits(!masks.apart & (u64::MAX >> (64 - len))) {
            let is = |bits: u32| bits >> place & 1 == 1;
            let children = children.map(|numbers| numbers[place]);
            let (x, y) =
                (&first.children[children[0] as usize], &second.children[children[1] as usize]);
            if !is(stay) && !self.is_met((x.node, y.node), scratch) {
                scratch.ahead.push(Ahead { children, excess: excess[place] });
                continue;
            }
            let held = is(sure) || x.held && y.held;
            let same = is(sure) && x.upright && y.upright;
            let decided = self.is_exact() || same || held && masks.overlap >> place & 1 == 1;
            // Proves that all boxes of the ancestors overlap.
            let ancestors = x.whole && y.whole && (same || held && masks.overlap >> place & 1 == 1);
            let depth = depths.map(|depths| depths[place]);
            let nodes = (x.node, y.node);
            let reached = Reached { nodes, decided, aligned: is(sure), ancestors, depth };
            if at_cut(reached, scratch).is_break() {
                return ControlFlow::Break(());
            }
        }
        order(self.manner.aim, &mut scratch.ahead[before..]);
        ControlFlow::Continue(())
    }

    /// Returns `true` if primitives decide. Oriented boxes then cull on the way too, as they
    /// contain the primitives.
    fn is_exact(&self) -> bool {
        self.manner.accuracy == Accuracy::Exact
    }

    /// Returns `true` if hulls below the roots may cull on the way; pointless where primitives
    /// decide.
    fn asks_hulls(&self) -> bool {
        self.hulls && !matches!(self.manner.accuracy, Accuracy::Exact | Accuracy::Within(_))
    }

    fn tolerance(&self) -> Option<f64> {
        match self.manner.accuracy {
            Accuracy::Within(t) => Some(t),
            _ => None,
        }
    }

    /// Returns `true` if there is a tolerance and the slack of two nodes at equal depths is within
    /// it, or if a test separates them.
    fn is_met(&self, nodes: (u32, u32), scratch: &mut TreeScratch) -> bool {
        self.tolerance().is_some_and(|t| self.pair.meets(nodes, t, scratch))
    }

    /// Returns the mask of the given pairs of children that have equal depths.
    fn level(&self, wides: [&WideNode<T>; 2], pairs: u64) -> u64 {
        let [first, second] = [0, 1].map(|side| self.bvhs[side].children_of(wides[side]));
        let is_level = |&bit: &usize| first[bit / SIDE].is_level_with(&second[bit % SIDE]);
        set_bits(pairs).filter(is_level).fold(0, |level, bit| level | 1 << bit)
    }

    /// Returns the number of queued pairs at which the queue is flushed.
    fn enough(&self) -> usize {
        match self.manner.aim {
            Aim::First if !self.is_exact() => 1,
            // Deepest overlap first: if any pair touches, one of the first few usually does.
            Aim::First if self.single_node => FEW,
            Aim::Deepest => QUEUE / 2,
            // Full batches: all hits are wanted, or primitives decide and few boxes that overlap
            // touch.
            _ => QUEUE,
        }
    }

    /// Returns the mask of the children of a wide node that belong to the cut of their tree,
    /// whatever the other tree.
    fn staying(&self, which: usize, wide: &WideNode<T>) -> u8 {
        match self.manner.accuracy {
            Accuracy::Depth(cut) if cut <= wide.deepest => {
                let mut bits = wide.leaves;
                for (i, child) in self.bvhs[which].children_of(wide).iter().enumerate() {
                    bits |= u8::from(child.depth >= cut) << i;
                }
                bits
            }
            _ => wide.leaves,
        }
    }
}

fn step<'a, T: Scalar>(
    bvh: &'a WideBvh<T>,
    child: &WideChild,
    accuracy: Accuracy,
) -> WideStep<'a, T> {
    match accuracy {
        _ if child.is_leaf() => WideStep::Stays,
        Accuracy::Depth(cut) if child.depth >= cut => WideStep::Stays,
        Accuracy::Depth(cut) if !bvh.below(child).is_above(cut) => WideStep::OneByOne,
        _ => WideStep::Opens(bvh.below(child)),
    }
}

/// Sorts stack entries so that the deepest overlap is on top: it most likely touches, and deeply.
fn order(aim: Aim, ahead: &mut [Ahead]) {
    // -0.0 and 0.0 compare as equal: the sign of zero depends on the SIMD level.
    let later = |x: &Ahead, y: &Ahead| y.excess.partial_cmp(&x.excess).unwrap_or(Equal);
    match aim {
        Aim::All => {}
        Aim::First => {
            let deepest = (0..ahead.len()).max_by(|&i, &j| later(&ahead[i], &ahead[j]));
            if let (Some(deepest), Some(last)) = (deepest, ahead.len().checked_sub(1)) {
                ahead.swap(deepest, last);
            }
        }
        Aim::Deepest => ahead.sort_unstable_by(later),
    }
}
