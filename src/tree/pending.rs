//! Pairs of nodes that a query has yet to look at, as each traversal keeps them.

use std::cmp::Ordering;

use crate::sat::oriented_pairs::QUEUE;

/// Pairs of nodes, by the numbers of their children, that are yet to be opened.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ahead {
    pub children: [u32; 2],
    /// How far apart the face normals show the boxes along the frames to be, at most; negative if
    /// these overlap.
    pub excess: f32,
}

/// Pairs of nodes whose oriented boxes are yet to be tested.
#[derive(Debug, Clone, Default)]
pub(super) struct OrientedQueue {
    /// The numbers of their children.
    pub children: [[u32; QUEUE]; 2],
    /// A bit for each: whether both belong to their cuts, and whether their boxes along the frames
    /// surely touch.
    pub stay: u32,
    pub sure: u32,
    /// As of [`Ahead`].
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

    /// Whether these are as many as are tested together.
    pub fn is_full(&self) -> bool {
        self.len == QUEUE
    }
}

/// Two nodes to be looked at.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pending {
    /// In the order of the arithmetic, and how deep each is.
    pub nodes: [(u32, u8); 2],
    /// Below the cut, down to the primitives.
    pub exactly: bool,
    /// What is in them is no closer than this, surely. World units.
    pub least: f64,
    /// The square of the distance of their centres.
    pub between: f64,
}

/// Two nodes that touch and may be looked into, of one of several pairs of trees.
#[derive(Debug, Clone, Copy)]
pub(super) struct Open {
    /// The sum of the nodes' bounds. World units.
    pub bound: f64,
    pub pair: u32,
    /// In the order of the arithmetic.
    pub nodes: (u32, u32),
    pub level: u8,
}

/// The largest bound is greatest; of equal ones the pair, then the nodes that come first.
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
