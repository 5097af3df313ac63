//! Search for the first contact of two bodies while the second is shifted along a direction.
//!
//! Branch and bound over pairs of nodes. Part-aligned boxes are tested by slabs, eight against
//! eight at once; oriented boxes of pairs of leaves 16 at once; the bodies test the primitives.

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

/// Two bodies with bounding volume hierarchies, the second to be shifted along a direction.
pub(super) trait ShiftedBodies<T: Scalar> {
    /// Returns the relative pose and direction; `None` if sizes exceed single precision, so that
    /// boxes cannot prune.
    fn slabs(&self) -> Option<&ShiftedFrame>;
    /// Returns the oriented boxes of both bodies, by index.
    fn records(&self) -> [&[Record]; 2];
    /// Returns a box of the first body and one of the second, by index.
    fn children(&self, numbers: [u32; 2]) -> [WideChild; 2];
    /// Returns the wide node below a box of the first body (0) or the second (1) that is no leaf.
    fn below(&self, side: usize, child: &WideChild) -> &WideNode<T>;
    /// Returns a wide node that contains only this box.
    fn alone(&self, side: usize, child: &WideChild, number: u32) -> WideNode<T>;
    /// Calls `visit` with all pairs of leaves.
    fn each_two_leaves(&self, meet: &mut dyn FnMut([u32; 2]));
    /// Tests or queues all pairs of primitives of two leaves that may touch.
    fn meet(&self, leaves: [u32; 2], search: &mut FirstContact<'_>);
    /// Tests the queued primitives.
    fn finish(&self, search: &mut FirstContact<'_>);
}

/// Pairs of nodes to open, by the indices of their children in the wide BVHs.
#[derive(Debug, Clone, Copy)]
struct Shifted {
    children: [u32; 2],
    /// Lower bound on the shift at which they touch. [world units]
    least: f32,
}

/// Scratch memory of searches.
#[derive(Debug, Clone, Default)]
pub(super) struct PassageScratch {
    ahead: Vec<Shifted>,
    /// Queued pairs of leaves, by index, and their number; their oriented boxes are tested
    /// together.
    leaf_pairs: [[u32; QUEUE]; 2],
    waiting: usize,
    pub pairs: PrimitivePairs,
    /// Nodes and primitives of each queued pair of primitives.
    pub of: [[u32; 4]; PAIRS],
}

/// Primitives of the first contact, in canonical order, and their shift.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FirstTouch {
    /// Lower bound on the shift at which they touch. [world units]
    pub shift: f64,
    pub(super) nodes: [u32; 2],
    pub(super) primitives: [u32; 2],
}

impl FirstTouch {
    /// Contact of two bodies one of which is inside the other before the motion.
    pub const INSIDE: FirstTouch =
        FirstTouch { shift: 0.0, nodes: [0; 2], primitives: [u32::MAX; 2] };

    pub fn is_inside(&self) -> bool {
        self.primitives == Self::INSIDE.primitives
    }
}

/// State of the search for the first contact.
pub(super) struct FirstContact<'s> {
    pub level: SimdLevel,
    /// Range of shifts; `to` is at most the incumbent's shift. [world units]
    pub from: f64,
    pub to: f64,
    /// The search may stop at any contact whose shift is at most this. [world units]
    pub enough: f64,
    /// Leaves likely to touch early, by their nodes: tested first, so that more is pruned.
    pub likely: &'s [[u32; 2]],
    /// Incumbent; among contacts at one shift the one with the least primitive indices.
    pub best: Option<FirstTouch>,
    pub counts: &'s mut Counts,
    pub scratch: &'s mut PassageScratch,
}

impl FirstContact<'_> {
    pub fn run<T: Scalar>(&mut self, bodies: &impl ShiftedBodies<T>) {
        self.scratch.ahead.clear();
        self.scratch.pairs.clear();
        // Zeroed: unused lanes must be valid indices of these bodies too.
        (self.scratch.leaf_pairs, self.scratch.waiting) = ([[0; QUEUE]; 2], 0);
        for leaves in self.likely {
            bodies.meet(*leaves, self);
        }
        bodies.finish(self);
        if bodies.slabs().is_none() {
            // Sizes near the limits of single precision: no boxes.
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

    /// Tests the primitives of queued pairs of leaves whose oriented boxes may touch in the range.
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

    /// Queues a pair of primitives with their nodes and indices.
    #[inline]
    pub fn wait(&mut self, pair: [&Primitive; 2], of: [u32; 4], frame: &ShiftFrame) {
        self.scratch.of[self.scratch.pairs.len()] = of;
        self.scratch.pairs.push(pair);
        if self.scratch.pairs.is_full() {
            self.test_pairs(frame);
        }
    }

    /// Like [`push_pair`](Self::push_pair), for two triangles.
    #[inline(always)]
    pub fn wait_triangles(&mut self, pair: [[Vec3; 3]; 2], of: [u32; 4], frame: &ShiftFrame) {
        self.scratch.of[self.scratch.pairs.len()] = of;
        self.scratch.pairs.push_triangles(pair);
        if self.scratch.pairs.is_full() {
            self.test_pairs(frame);
        }
    }

    /// Tests the queued pairs of primitives on all axes at once.
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

    /// Updates the incumbent with primitives that touch between two shifts.
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

    /// Opens a pair of nodes that are not both leaves, or the two roots.
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

    /// Tests all boxes of one wide node against all of another. Those that may touch in the range
    /// are queued (leaves) or pushed onto the stack, the one with the least lower bound on top.
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
