//! Entries of the stacks, queues and heaps of the traversals.

use std::cmp::Ordering;

use super::cut_node::CutNode;
use crate::sat::oriented_batch::QUEUE_LEN;
use crate::tree::{Accuracy, DecidedBy, NodePair};

/// Pairs of nodes whose oriented boxes are to be tested, as a SIMD batch.
#[derive(Debug, Clone, Default)]
pub(in crate::tree) struct OrientedQueue {
    /// Indices of their children.
    pub children: [[u32; QUEUE_LEN]; 2],
    /// Bit per pair: set if both nodes belong to their cuts.
    pub cut_mask: u32,
    /// Bit per pair: set if the part-aligned boxes surely overlap.
    pub overlap_mask: u32,
    /// Lower bounds, as in [`SearchEntry`].
    pub lower_bounds: [f32; QUEUE_LEN],
    pub len: usize,
}

impl OrientedQueue {
    /// Appends a pair; there must be room.
    #[inline(always)]
    pub fn push(&mut self, next: SearchEntry, cut_mask: u32, overlap_mask: u32) {
        let lane = self.len % QUEUE_LEN;
        (self.children[0][lane], self.children[1][lane]) = (next.children[0], next.children[1]);
        self.lower_bounds[lane] = next.lower_bound;
        self.cut_mask |= cut_mask << lane;
        self.overlap_mask |= overlap_mask << lane;
        self.len += 1;
    }

    pub fn clear(&mut self) {
        (self.cut_mask, self.overlap_mask, self.len) = (0, 0, 0);
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns `true` if the queue fills a batch.
    pub fn is_full(&self) -> bool {
        self.len == QUEUE_LEN
    }
}

/// Pair of nodes still to open, by the indices of their children in the wide BVHs.
#[derive(Debug, Clone, Copy)]
pub(in crate::tree) struct SearchEntry {
    pub children: [u32; 2],
    /// Lower bound on the value of all pairs of leaves below. For an overlap query that is the
    /// greatest separation of the part-aligned boxes along a face normal, negative if they overlap.
    /// [world units]
    pub lower_bound: f32,
}

impl SearchEntry {
    /// The pair of the two roots.
    pub const ROOTS: SearchEntry = SearchEntry { children: [0; 2], lower_bound: f32::NEG_INFINITY };
}

/// Pair of nodes to visit in a distance query.
#[derive(Debug, Clone, Copy)]
pub(in crate::tree) struct DistanceStackEntry {
    /// Nodes in canonical order.
    pub nodes: [CutNode; 2],
    /// Lower bound on the distance; negative if the boxes overlap. [unit of the search]
    pub lower_bound: f32,
}

/// Pair of overlapping nodes, of one of several pairs of trees.
#[derive(Debug, Clone, Copy)]
pub(in crate::tree) struct BudgetHeapEntry {
    /// Sum of the nodes' bounds. [world units]
    pub bound: f64,
    pub pair: u32,
    /// Nodes in canonical order.
    pub nodes: (u32, u32),
    pub depth: u8,
}

/// Orders by bound; ties are greater for the lesser pair of trees, then the lesser nodes.
impl Ord for BudgetHeapEntry {
    fn cmp(&self, other: &Self) -> Ordering {
        let index = |open: &BudgetHeapEntry| (open.pair, open.nodes);
        self.bound.total_cmp(&other.bound).then_with(|| index(other).cmp(&index(self)))
    }
}

impl PartialOrd for BudgetHeapEntry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for BudgetHeapEntry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for BudgetHeapEntry {}

/// Pair of nodes that touch or stay undecided, of one of several pairs of trees.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OpenPair {
    /// Index of the pair of trees.
    pub pair: u32,
    pub nodes: NodePair,
    /// Depth of the nodes.
    pub depth: u8,
}

impl OpenPair {
    /// Returns the accuracy that a budget has reached for two trees, given their open pairs: the
    /// least depth of an undecided one. Each pair of nodes of that depth is decided, open, or above
    /// an open one.
    pub fn completed_accuracy(open: &[OpenPair]) -> Accuracy {
        let undecided = open.iter().filter(|open| open.nodes.by == DecidedBy::Boxes);
        undecided.map(|open| open.depth).min().map_or(Accuracy::Exact, Accuracy::Depth)
    }
}
