//! Entries of the stacks, queues and heaps of the traversals.

use std::cmp::Ordering;

use crate::sat::oriented_pairs::QUEUE;

/// Pair of nodes to open, by the indices of their children.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ahead {
    pub children: [u32; 2],
    /// Greatest separation of the part-aligned boxes along a face normal, negative if they overlap.
    /// [world units]
    pub excess: f32,
}

/// Pairs of nodes whose oriented boxes are to be tested, as a SIMD batch.
#[derive(Debug, Clone, Default)]
pub(super) struct OrientedQueue {
    /// Indices of their children.
    pub children: [[u32; QUEUE]; 2],
    /// Bit per pair: set if both nodes belong to their cuts.
    pub stay: u32,
    /// Bit per pair: set if the part-aligned boxes surely overlap.
    pub sure: u32,
    /// Greatest separations, as in [`WideStackEntry`].
    pub excess: [f32; QUEUE],
    pub len: usize,
}

impl OrientedQueue {
    pub fn push(&mut self, next: Ahead, stay: u32, sure: u32) {
        (self.children[0][self.len], self.children[1][self.len]) =
            (next.children[0], next.children[1]);
        self.excess[self.len] = next.excess;
        self.stay |= stay << self.len;
        self.sure |= sure << self.len;
        self.len += 1;
    }

    pub fn clear(&mut self) {
        (self.stay, self.sure, self.len) = (0, 0, 0);
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns `true` if the queue fills a batch.
    pub fn is_full(&self) -> bool {
        self.len == QUEUE
    }
}

/// Pair of nodes to visit in a distance query.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pending {
    /// Nodes in canonical order, each with its depth.
    pub nodes: [(u32, u8); 2],
    /// `true` below the cut, on the way to the primitives.
    pub exactly: bool,
    /// Lower bound on the distance. [world units]
    pub least: f64,
    /// Squared distance of the centres.
    pub between: f64,
}

/// Pair of overlapping nodes, of one of several pairs of trees.
#[derive(Debug, Clone, Copy)]
pub(super) struct Open {
    /// Sum of the nodes' bounds. [world units]
    pub bound: f64,
    pub pair: u32,
    /// Nodes in canonical order.
    pub nodes: (u32, u32),
    pub level: u8,
}

/// Orders by bound; ties are greater for the lesser pair of trees, then the lesser nodes.
impl Ord for Open {
    fn cmp(&self, other: &Self) -> Ordering {
        let index = |open: &Open| (open.pair, open.nodes);
        self.bound.total_cmp(&other.bound).then_with(|| index(other).cmp(&index(self)))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Open {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Open {}
