//! Traversal of two wide BVHs, eight children against eight at once.
//!
//! First the boxes along the frames of the parts, by their face normals; the few pairs that these
//! leave wait in a queue until there are enough oriented boxes to fill the lanes.

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

/// Two nodes of the cuts, and what is known of them when they are reached.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reached {
    /// In the order of the arithmetic.
    pub nodes: (u32, u32),
    /// Whether both boxes touch; or primitives decide, and boxes have told what they can. Else
    /// nothing on the way told them apart.
    pub decided: bool,
    /// Whether the boxes along the frames overlap, surely.
    pub aligned: bool,
    /// Whether all their ancestors at equal depths touch, surely.
    pub ancestors: bool,
    /// If they touch, their contact is no less deep and no deeper than this.
    pub depth: [f32; 2],
}

/// A contact of any depth.
pub(super) const UNKNOWN: [f32; 2] = [0.0, f32::INFINITY];

/// What a descent is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Aim {
    /// All that touches.
    All,
    /// Whether anything does; so nothing waits for company.
    First,
    /// The deepest contact: what is surely less deep than another may be left out.
    Deepest,
}

/// How a descent goes on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Manner {
    pub accuracy: Accuracy,
    pub aim: Aim,
}

/// How one of two nodes goes on.
enum WideStep<'a, T: Scalar> {
    /// It belongs to the cut.
    Stays,
    Opens(&'a WideNode<T>),
    /// The cut of its tree runs through what its wide node would skip.
    OneByOne,
}

/// So many pairs of oriented boxes are enough where any will do of what a single box touches.
const FEW: usize = 4;

/// A descent on its way.
struct WideTraversal<'p, 'a, T: Scalar> {
    pair: &'p TreePair<'a, T>,
    bvhs: [&'a WideBvh<T>; 2],
    manner: Manner,
    frame: RelativeFrame,
    /// Whether nodes of both trees have convex hulls.
    hulls: bool,
    /// Whether one of the trees is a single node.
    single_node: bool,
    /// How much deeper a contact may be than the boxes along the frames that hold the two leaves
    /// overlap.
    deeper: f32,
    /// What rounding in the world may add to a depth or take from it.
    far_out: f32,
}

impl<'a, T: Scalar> TreePair<'a, T> {
    /// As [`TreePair::descend_to`] from the roots to the cut of that accuracy, and the same set, or
    /// what is asked of it.
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

    /// How the two parts stand to each other, for prefilters; `None` where these can tell nothing.
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
        // The roots.
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

    /// Whether no contact of nodes in boxes that overlap like that can be the deepest.
    fn is_too_shallow(&self, excess: f32, scratch: &TreeScratch) -> bool {
        let known = self.manner.aim == Aim::Deepest && scratch.deepest > 0.0;
        known && self.deeper - excess < scratch.deepest
    }

    /// What stands for two nodes, of which one at least is not of its cut.
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
        // The only box of a tree stands by itself already; what it says of its oriented box is not
        // asked.
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

    /// Every box of one wide node against every one of another: what is near goes on, or is looked at
    /// closer.
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

    /// Tests the boxes along the frames; `stay`: which pairs belong to both cuts.
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
        // The oriented boxes tell as much where these lie in those along the frames, unless they
        // are those and may be parallel.
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

    /// Tests the oriented boxes of the pairs in the queue: what these do not separate goes on, or has
    /// reached the cut.
    fn test_oriented(
        &self,
        scratch: &mut TreeScratch,
        at_cut: &mut impl FnMut(Reached, &mut TreeScratch) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let OrientedQueue { mut children, stay, sure, excess, len } = scratch.oriented.clone();
        // The lanes left over take the roots; what was there is of other trees.
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
            // What the ancestors hold overlaps, surely.
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

    /// Whether primitives decide: then every box that holds them may cull, so the oriented ones do
    /// on the way, too.
    fn is_exact(&self) -> bool {
        self.manner.accuracy == Accuracy::Exact
    }

    /// Whether hulls below the roots may cull on the way: not where primitives decide sooner.
    fn asks_hulls(&self) -> bool {
        self.hulls && !matches!(self.manner.accuracy, Accuracy::Exact | Accuracy::Within(_))
    }

    fn tolerance(&self) -> Option<f64> {
        match self.manner.accuracy {
            Accuracy::Within(t) => Some(t),
            _ => None,
        }
    }

    /// Whether the slack of two nodes at equal depths meets the tolerance, if there is one; or
    /// something tells them apart.
    fn is_met(&self, nodes: (u32, u32), scratch: &mut TreeScratch) -> bool {
        self.tolerance().is_some_and(|t| self.pair.meets(nodes, t, scratch))
    }

    /// Those of some pairs of children that are pairs at equal depths.
    fn level(&self, wides: [&WideNode<T>; 2], pairs: u64) -> u64 {
        let [first, second] = [0, 1].map(|side| self.bvhs[side].children_of(wides[side]));
        let is_level = |&bit: &usize| first[bit / SIDE].is_level_with(&second[bit % SIDE]);
        set_bits(pairs).filter(is_level).fold(0, |level, bit| level | 1 << bit)
    }

    /// So many pairs of oriented boxes do not wait for more.
    fn enough(&self) -> usize {
        match self.manner.aim {
            Aim::First if !self.is_exact() => 1,
            // What overlaps most comes first: what touches any mostly touches one of the first.
            Aim::First if self.single_node => FEW,
            Aim::Deepest => QUEUE / 2,
            // All are asked for; or primitives decide, and of those whose boxes touch few do.
            _ => QUEUE,
        }
    }

    /// A bit for each node of an wide node that belongs to the cut of its tree, whatever the other.
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

/// Puts last what is to be opened first: what overlaps most, as the likeliest to touch, and to
/// touch deeply.
fn order(aim: Aim, ahead: &mut [Ahead]) {
    // Zeros of either sign are alike: which it is depends on the instructions.
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
