//! Search for the first contact of two bodies while the second is shifted along a direction.
//!
//! Branch and bound over pairs of nodes. Part-aligned boxes are tested by slabs, eight against
//! eight at once; what they leave by its oriented boxes, 16 at once; the bodies test the
//! primitives.

use crate::num::linear::Vec3;
use crate::num::sorting::move_least_to_end;
use crate::num::{Scalar, SimdLevel, set_bits};
use crate::sat::box_slabs::{BoxSlabs, ShiftedFrame};
use crate::sat::oriented_batch::{OrientedBatch, QUEUE_LEN};
use crate::sat::oriented_slabs::OrientedSlabs;
use crate::sat::primitive_slabs::{BoxOrTriangle, PAIRS, PrimitivePairs, ShiftFrame};
use crate::tree::Counts;
use crate::tree::pair::stack_entries::SearchEntry;
use crate::tree::pair::wide_pair::{WidePair, child_indices, count_box_tests};
use crate::tree::store::wide_bvh::WideNode;

/// Two bodies with bounding volume hierarchies, the second to be shifted along a direction.
pub(in crate::tree) trait TranslationPair<T: Scalar> {
    /// Returns the relative pose and direction; `None` if sizes exceed single precision, so that
    /// boxes cannot prune.
    fn shifted_frame(&self) -> Option<&ShiftedFrame>;
    /// Returns the bounding volume hierarchies.
    fn wide_pair(&self) -> &impl WidePair<T>;
    /// Calls `visit` with all pairs of leaves.
    fn visit_leaf_pairs(&self, visit: &mut dyn FnMut([u32; 2]));
    /// Tests or queues all pairs of primitives of two leaves that may touch.
    fn test_leaves(&self, leaves: [u32; 2], search: &mut FirstContactSearch<'_>);
    /// Tests the queued primitives.
    fn flush(&self, search: &mut FirstContactSearch<'_>);
}

/// Scratch memory of searches.
#[derive(Debug, Clone, Default)]
pub(in crate::tree) struct ShiftScratch {
    stack: Vec<SearchEntry>,
    /// Queued pairs of nodes, by the indices of their children, and their number; their oriented
    /// boxes are tested together.
    queue: [[u32; QUEUE_LEN]; 2],
    queue_len: usize,
    pub pairs: PrimitivePairs,
    /// Nodes and primitives of each queued pair of primitives.
    pub pair_indices: [[u32; 4]; PAIRS],
}

/// Primitives of the first contact, in canonical order, and their shift.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ShiftContact {
    /// Lower bound on the shift at which they touch. [world units]
    pub shift: f64,
    pub(in crate::tree) nodes: [u32; 2],
    pub(in crate::tree) primitives: [u32; 2],
}

impl ShiftContact {
    /// Contact of two bodies one of which is inside the other before the motion.
    pub const CONTAINMENT: ShiftContact =
        ShiftContact { shift: 0.0, nodes: [0; 2], primitives: [u32::MAX; 2] };

    pub fn is_inside(&self) -> bool {
        self.primitives == Self::CONTAINMENT.primitives
    }
}

/// State of the search for the first contact.
pub(in crate::tree) struct FirstContactSearch<'s> {
    pub simd: SimdLevel,
    /// Range of shifts; `to` is at most the incumbent's shift. [world units]
    pub from: f64,
    pub to: f64,
    /// The search may stop at any contact whose shift is at most this. [world units]
    pub stop_at: f64,
    /// Leaves likely to touch early, by their nodes: tested first, so that more is pruned.
    pub witnesses: &'s [[u32; 2]],
    /// Incumbent; among contacts at one shift the one with the least primitive indices.
    pub incumbent: Option<ShiftContact>,
    pub counts: &'s mut Counts,
    pub scratch: &'s mut ShiftScratch,
}

impl FirstContactSearch<'_> {
    /// Empties the scratch memory, and tests the witnesses.
    pub fn begin<T: Scalar>(&mut self, bodies: &impl TranslationPair<T>) {
        self.scratch.stack.clear();
        self.scratch.pairs.clear();
        // Zeroed: unused lanes must be valid indices of these bodies too.
        (self.scratch.queue, self.scratch.queue_len) = ([[0; QUEUE_LEN]; 2], 0);
        for leaves in self.witnesses {
            bodies.test_leaves(*leaves, self);
        }
        bodies.flush(self);
    }

    /// Returns `true` if a contact has been found that is early enough.
    pub fn may_stop(&self) -> bool {
        self.incumbent.is_some() && self.to <= self.stop_at
    }

    pub fn run<T: Scalar>(&mut self, bodies: &impl TranslationPair<T>) {
        self.begin(bodies);
        if bodies.shifted_frame().is_none() {
            // Sizes near the limits of single precision: no boxes.
            bodies.visit_leaf_pairs(&mut |leaves| bodies.test_leaves(leaves, self));
        } else {
            self.scratch.stack.push(SearchEntry::ROOTS);
        }
        loop {
            if self.may_stop() {
                return;
            }
            match self.scratch.stack.pop() {
                Some(next) if f64::from(next.lower_bound) > self.to => {}
                Some(next) => self.open(bodies, next.children),
                None if self.scratch.queue_len > 0 => self.test_queue(bodies),
                None => break,
            }
        }
        bodies.flush(self);
    }

    /// Opens a pair of nodes; the primitives of two leaves are tested.
    fn open<T: Scalar>(&mut self, bodies: &impl TranslationPair<T>, children: [u32; 2]) {
        let pair = bodies.wide_pair();
        let step = |side, child: &_, number| pair.step_to_leaves(side, child, number);
        let opened = pair.open(children, step, |nodes| self.test_children(bodies, nodes));
        if opened.is_none() {
            let leaves = pair.wide_children(children).map(|leaf| leaf.node);
            bodies.test_leaves(leaves, self);
        }
    }

    /// Tests the queued pairs of nodes whose oriented boxes may touch in the range: leaves by their
    /// primitives; others are pushed onto the stack, the one with the least lower bound on top.
    fn test_queue<T: Scalar>(&mut self, bodies: &impl TranslationPair<T>) {
        let ShiftScratch { queue, queue_len: len, .. } = *self.scratch;
        let Some(frame) = bodies.shifted_frame().filter(|_| len > 0) else { return };
        self.scratch.queue_len = 0;
        self.counts.oriented += len as u64;
        let mut lower_bounds = [0.0; QUEUE_LEN];
        let range = [f32::at_most(self.from), f32::at_least(self.to)];
        let (pairs, records) = (&queue, bodies.wide_pair().oriented_records());
        let slabs = OrientedSlabs {
            batch: OrientedBatch { frame: &frame.frame, records, pairs, len },
            direction: &frame.direction,
            range,
            least_shifts: &mut lower_bounds,
        };
        let start = self.scratch.stack.len();
        for at in set_bits(slabs.touching_mask(self.simd)) {
            let at = at % QUEUE_LEN;
            let lower_bound = lower_bounds[at];
            if f64::from(lower_bound) > self.to {
                continue;
            }
            let children = [queue[0][at], queue[1][at]];
            let nodes = bodies.wide_pair().wide_children(children);
            match nodes.iter().all(|node| node.is_leaf()) {
                true => bodies.test_leaves(nodes.map(|leaf| leaf.node), self),
                false => self.scratch.stack.push(SearchEntry { children, lower_bound }),
            }
        }
        let lower_bound = |entry: &SearchEntry| f64::from(entry.lower_bound);
        move_least_to_end(&mut self.scratch.stack[start..], lower_bound);
    }

    /// Queues a pair of primitives with their nodes and indices.
    #[inline]
    pub fn push_pair(&mut self, pair: [&BoxOrTriangle; 2], of: [u32; 4], frame: &ShiftFrame) {
        self.scratch.pair_indices[self.scratch.pairs.len()] = of;
        self.scratch.pairs.push(pair);
        if self.scratch.pairs.is_full() {
            self.test_pairs(frame);
        }
    }

    /// Like [`push_pair`](Self::push_pair), for two triangles.
    #[inline(always)]
    pub fn push_triangles(&mut self, pair: [[Vec3; 3]; 2], of: [u32; 4], frame: &ShiftFrame) {
        self.scratch.pair_indices[self.scratch.pairs.len()] = of;
        self.scratch.pairs.push_triangles(pair);
        if self.scratch.pairs.is_full() {
            self.test_pairs(frame);
        }
    }

    /// Tests the queued pairs of primitives on all axes at once.
    pub fn test_pairs(&mut self, frame: &ShiftFrame) {
        let ShiftScratch { pairs, pair_indices, .. } = &mut *self.scratch;
        let (len, of) = (pairs.len(), *pair_indices);
        self.counts.primitives += len as u64;
        let [enter, leave] = pairs.spans(frame, self.to / frame.unit, self.simd);
        pairs.clear();
        for (lane, of) in of[..len].iter().enumerate() {
            self.update_incumbent([enter[lane], leave[lane]].map(|x| x * frame.unit), *of);
        }
    }

    /// Updates the incumbent with primitives that touch between two shifts.
    #[inline]
    pub fn update_incumbent(&mut self, [enter, leave]: [f64; 2], of: [u32; 4]) {
        if !(enter <= leave && leave >= self.from) {
            return;
        }
        let shift = if enter > self.from { enter } else { self.from };
        let [a, b, i, j] = of;
        let is_first = || self.incumbent.is_none_or(|best| [i, j] < best.primitives);
        if shift < self.to || shift == self.to && is_first() {
            self.incumbent = Some(ShiftContact { shift, nodes: [a, b], primitives: [i, j] });
            self.to = shift;
        }
    }

    /// Tests all boxes of one wide node against all of another. Those that may touch in the range
    /// are queued.
    fn test_children<T: Scalar>(
        &mut self,
        bodies: &impl TranslationPair<T>,
        wides: [&WideNode<T>; 2],
    ) {
        let Some(frame) = bodies.shifted_frame() else { return };
        let counts = count_box_tests(wides, self.counts);
        let boxes = [&wides[0].boxes, &wides[1].boxes];
        let range = [f32::at_most(self.from), f32::at_least(self.to)];
        let overlaps = BoxSlabs { frame, boxes, counts, range };
        for bit in set_bits(overlaps.touching_mask(self.simd)) {
            let ShiftScratch { queue, queue_len, .. } = &mut *self.scratch;
            let [a, b] = child_indices(wides, bit);
            (queue[0][*queue_len], queue[1][*queue_len]) = (a, b);
            *queue_len += 1;
            if *queue_len == QUEUE_LEN {
                self.test_queue(bodies);
            }
        }
    }
}
