//! The search for the first contact of two bodies of which the second is shifted along a direction.
//!
//! Branch and bound over pairs of nodes: for each the slabs of the boxes along the frames of both
//! bodies, eight times eight at once; for pairs of leaves those of their oriented boxes, 16 at once;
//! what primitives do is up to the bodies.

use super::wide_bvh::{WideChild, WideNode};
use super::{Counts, LEVELS};
use crate::num::linear::Vec3;
use crate::num::vectors::Record;
use crate::num::{Scalar, SimdLevel, set_bits};
use crate::sat::box_slabs::{BoxSlabs, ShiftedFrame};
use crate::sat::eight_boxes::{SIDE, squared};
use crate::sat::oriented_pairs::QUEUE;
use crate::sat::oriented_slabs::OrientedSlabs;
use crate::sat::primitive_slabs::{PAIRS, Primitive, PrimitivePairs, ShiftFrame};

/// Two bodies of boxes within boxes, the second to be shifted along a direction.
pub(super) trait ShiftedBodies<T: Scalar> {
    /// How they stand to each other and to the direction; `None` where boxes can tell nothing.
    fn slabs(&self) -> Option<&ShiftedFrame>;
    /// The oriented boxes of either by number.
    fn records(&self) -> [&[Record]; 2];
    /// Boxes of the first and the second by their numbers.
    fn children(&self, numbers: [u32; 2]) -> [WideChild; 2];
    /// What is below a box of the first (0) or the second that is no leaf.
    fn below(&self, side: usize, child: &WideChild) -> &WideNode<T>;
    /// A box with its number, by itself.
    fn alone(&self, side: usize, child: &WideChild, number: u32) -> WideNode<T>;
    /// Calls `meet` with every leaf of the first and every one of the second.
    fn each_two_leaves(&self, meet: &mut dyn FnMut([u32; 2]));
    /// Every primitive of a leaf of the first with every one of a leaf of the second: what may touch
    /// is tested, or waits.
    fn meet(&self, leaves: [u32; 2], search: &mut FirstContact<'_>);
    /// Tests the primitives that wait.
    fn finish(&self, search: &mut FirstContact<'_>);
}

/// Pairs of nodes, by the numbers of their children in the wide BVHs, that are yet to be opened.
#[derive(Debug, Clone, Copy)]
struct Shifted {
    children: [u32; 2],
    /// They touch at no lesser shift.
    least: f32,
}

/// The scratch memory of searches.
#[derive(Debug, Clone, Default)]
pub(super) struct PassageScratch {
    ahead: Vec<Shifted>,
    /// Pairs of leaves by number whose oriented boxes are yet to be tested, and how many there are.
    leaf_pairs: [[u32; QUEUE]; 2],
    waiting: usize,
    pub pairs: PrimitivePairs,
    /// What the pairs of primitives are: nodes, primitives.
    pub of: [[u32; 4]; PAIRS],
}

/// The primitives that meet first, in the order of the arithmetic, and at which shift.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FirstTouch {
    /// World units; no greater than that at which they truly touch.
    pub shift: f64,
    pub(super) nodes: [u32; 2],
    pub(super) primitives: [u32; 2],
}

impl FirstTouch {
    /// Bodies of which one lies inside the other before anything moves.
    pub const INSIDE: FirstTouch =
        FirstTouch { shift: 0.0, nodes: [0; 2], primitives: [u32::MAX; 2] };

    pub fn is_inside(&self) -> bool {
        self.primitives == Self::INSIDE.primitives
    }
}

/// The search for the first contact.
pub(super) struct FirstContact<'s> {
    pub level: SimdLevel,
    /// The shifts that are asked about, the last no greater than that of the best. World units.
    pub from: f64,
    pub to: f64,
    /// The search may end with a shift that is no greater.
    pub enough: f64,
    /// Leaves that are likely to touch early, by their nodes: met first, so that less is opened.
    pub likely: &'s [[u32; 2]],
    /// Of several at one shift the first by number.
    pub best: Option<FirstTouch>,
    pub counts: &'s mut Counts,
    pub scratch: &'s mut PassageScratch,
}

impl FirstContact<'_> {
    pub fn run<T: Scalar>(&mut self, bodies: &impl ShiftedBodies<T>) {
        self.scratch.ahead.clear();
        self.scratch.pairs.clear();
        // What is left in the queue has to be there.
        (self.scratch.leaf_pairs, self.scratch.waiting) = ([[0; QUEUE]; 2], 0);
        for leaves in self.likely {
            bodies.meet(*leaves, self);
        }
        bodies.finish(self);
        if bodies.slabs().is_none() {
            // Of sizes near the limits of single precision.
            bodies.each_two_leaves(&mut |leaves| bodies.meet(leaves, self));
        } else {
            self.scratch.ahead.push(Shifted { children: [0; 2], least: f32::NEG_INFINITY });
        }
        while let Some(next) = self.scratch.ahead.pop() {
            if self.best.is_some() && self.to <= self.enough {
                return;
            }
            if f64::from(next.least) <= self.to {
                self.open(bodies, next.children);
            }
        }
        self.meet_leaves(bodies);
        bodies.finish(self);
    }

    /// Meets those pairs of leaves that wait whose oriented boxes may touch in the range.
    fn meet_leaves<T: Scalar>(&mut self, bodies: &impl ShiftedBodies<T>) {
        let PassageScratch { leaf_pairs, waiting: len, .. } = *self.scratch;
        let Some(frame) = bodies.slabs().filter(|_| len > 0) else { return };
        self.scratch.waiting = 0;
        self.counts.oriented += len as u64;
        let mut least = [0.0; QUEUE];
        let range = [f32::at_most(self.from), f32::at_least(self.to)];
        let slabs = OrientedSlabs {
            frame,
            records: bodies.records(),
            pairs: &leaf_pairs,
            len,
            range,
            least: &mut least,
        };
        for at in set_bits(slabs.touching(self.level)) {
            let at = at % QUEUE;
            if f64::from(least[at]) <= self.to {
                let children = [leaf_pairs[0][at], leaf_pairs[1][at]];
                bodies.meet(bodies.children(children).map(|leaf| leaf.node), self);
            }
        }
    }

    /// Lets a pair of primitives wait; of which nodes they are, and their numbers.
    #[inline]
    pub fn wait(&mut self, pair: [&Primitive; 2], of: [u32; 4], frame: &ShiftFrame) {
        self.scratch.of[self.scratch.pairs.len()] = of;
        self.scratch.pairs.push(pair);
        if self.scratch.pairs.is_full() {
            self.test_pairs(frame);
        }
    }

    /// As [`FirstContact::wait`], of two triangles.
    #[inline(always)]
    pub fn wait_triangles(&mut self, pair: [[Vec3; 3]; 2], of: [u32; 4], frame: &ShiftFrame) {
        self.scratch.of[self.scratch.pairs.len()] = of;
        self.scratch.pairs.push_triangles(pair);
        if self.scratch.pairs.is_full() {
            self.test_pairs(frame);
        }
    }

    /// Tests the pairs of primitives that wait, all axes at once.
    pub fn test_pairs(&mut self, frame: &ShiftFrame) {
        let PassageScratch { pairs, of, .. } = &mut *self.scratch;
        let (len, of) = (pairs.len(), *of);
        self.counts.primitives += len as u64;
        let [enter, leave] = pairs.spans(frame, self.to / frame.unit, self.level);
        pairs.clear();
        for (place, of) in of[..len].iter().enumerate() {
            self.take([enter[place], leave[place]].map(|x| x * frame.unit), *of);
        }
    }

    /// Takes note of primitives of two nodes that touch from one shift to another.
    #[inline]
    pub fn take(&mut self, [enter, leave]: [f64; 2], of: [u32; 4]) {
        if !(enter <= leave && leave >= self.from) {
            return;
        }
        let shift = if enter > self.from { enter } else { self.from };
        let [a, b, i, j] = of;
        let is_first = || self.best.is_none_or(|best| [i, j] < best.primitives);
        if shift < self.to || shift == self.to && is_first() {
            self.best = Some(FirstTouch { shift, nodes: [a, b], primitives: [i, j] });
            self.to = shift;
        }
    }

    /// Two nodes, of which one at least has children, or the two roots.
    fn open<T: Scalar>(&mut self, bodies: &impl ShiftedBodies<T>, numbers: [u32; 2]) {
        let [x, y] = bodies.children(numbers);
        match [x.is_leaf(), y.is_leaf()] {
            [true, true] => bodies.meet([x.node, y.node], self),
            [false, false] => self.compare(bodies, [bodies.below(0, &x), bodies.below(1, &y)]),
            [true, _] => {
                let alone = bodies.alone(0, &x, numbers[0]);
                self.compare(bodies, [&alone, bodies.below(1, &y)]);
            }
            [_, true] => {
                let alone = bodies.alone(1, &y, numbers[1]);
                self.compare(bodies, [bodies.below(0, &x), &alone]);
            }
        }
    }

    /// Every box of one wide node against every one of another: what may touch in the range waits to
    /// be met or to be opened, what may touch first last.
    fn compare<T: Scalar>(&mut self, bodies: &impl ShiftedBodies<T>, wides: [&WideNode<T>; 2]) {
        let Some(frame) = bodies.slabs() else { return };
        let counts = [usize::from(wides[0].len), usize::from(wides[1].len)];
        let level = usize::from(wides[0].deepest.max(wides[1].deepest)).min(LEVELS - 1);
        self.counts.boxes[level] += (counts[0] * counts[1]) as u64;
        let mut least = [0.0; SIDE * SIDE];
        let boxes = [&wides[0].boxes, &wides[1].boxes];
        let range = [f32::at_most(self.from), f32::at_least(self.to)];
        let near = BoxSlabs { frame, boxes, counts, range, least: &mut least };
        let near = near.touching(self.level);
        let leaves = near & squared(wides[0].leaves, wides[1].leaves);
        let children = |bit: usize| {
            let [row, place] = [bit / SIDE, bit % SIDE].map(|at| at as u32);
            [wides[0].first + row, wides[1].first + place]
        };
        let start = self.scratch.ahead.len();
        for bit in set_bits(near & !leaves) {
            let least = least[bit];
            self.scratch.ahead.push(Shifted { children: children(bit), least });
        }
        for bit in set_bits(leaves) {
            let PassageScratch { leaf_pairs, waiting, .. } = &mut *self.scratch;
            let [a, b] = children(bit);
            (leaf_pairs[0][*waiting], leaf_pairs[1][*waiting]) = (a, b);
            *waiting += 1;
            if *waiting == QUEUE {
                self.meet_leaves(bodies);
            }
        }
        let ahead = &mut self.scratch.ahead[start..];
        let first = (0..ahead.len())
            .fold(0, |first, i| if ahead[i].least < ahead[first].least { i } else { first });
        if let Some(last) = ahead.len().checked_sub(1) {
            ahead.swap(first, last);
        }
    }
}
