//! Two trees in their places, in the order of the arithmetic.

use super::{Node, NodeId, ObbTree};
use crate::num::Scalar;
use crate::shape::{Placement, Pose};

/// Breaks ties between parts in the same pose: model fingerprint, part, order of the character.
pub(crate) type Rank = (u64, u32, u64);

/// A tree in its place in the world.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seat<'a, T: Scalar> {
    pub tree: &'a ObbTree<T>,
    pub pose: Pose<T>,
    pub rank: Rank,
}

impl<T: Scalar> Seat<'_, T> {
    pub fn placement(&self) -> Placement {
        Placement::new(&self.pose)
    }

    /// What decides which of two comes first: bits of the pose, then the rank.
    fn key(&self) -> ([u64; 7], Rank) {
        let (q, p) = (self.pose.rotation.coords, self.pose.translation.vector);
        ([q.x, q.y, q.z, q.w, p.x, p.y, p.z].map(T::bits), self.rank)
    }
}

/// Two trees. Answers name nodes in the order the trees were given in; the arithmetic runs in an
/// order fixed by the data, so that swapping the trees swaps the answers, bit for bit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seats<'a, T: Scalar> {
    pub first: Seat<'a, T>,
    pub second: Seat<'a, T>,
    /// Whether they were given the other way round.
    pub swapped: bool,
    /// Whether these are two equal trees in one pose, which have no order.
    pub tied: bool,
}

impl<'a, T: Scalar> Seats<'a, T> {
    #[inline]
    pub fn new(a: Seat<'a, T>, b: Seat<'a, T>) -> Self {
        let order = b.key().cmp(&a.key());
        let swapped = order.is_lt();
        let (first, second) = if swapped { (b, a) } else { (a, b) };
        Seats { first, second, swapped, tied: order.is_eq() }
    }

    /// Two equal trees in one pose are told apart by the nodes' numbers alone.
    pub fn is_swapped(&self, a: NodeId, b: NodeId) -> bool {
        if self.tied { b < a } else { self.swapped }
    }

    /// The nodes in the order of the arithmetic: the same two, however the trees were given.
    pub fn in_order(&self, a: NodeId, b: NodeId) -> (NodeId, NodeId) {
        if self.is_swapped(a, b) { (b, a) } else { (a, b) }
    }

    /// The nodes in the order of the arithmetic, and whether that is not the order given.
    pub fn canonical(&self, a: NodeId, b: NodeId) -> (&'a Node<T>, &'a Node<T>, bool) {
        let (first, second) = self.in_order(a, b);
        let swapped = self.is_swapped(a, b);
        (self.first.tree.node(first), self.second.tree.node(second), swapped)
    }

    /// How deep the deeper tree is.
    pub fn depth(&self) -> u8 {
        self.first.tree.depth.max(self.second.tree.depth)
    }

    /// The half diagonals of the largest oriented boxes of the cuts at a depth, together.
    pub fn coarsest(&self, depth: u8) -> f64 {
        self.first.tree.coarsest(depth).radius + self.second.tree.coarsest(depth).radius
    }

    /// How far both reach from their origins, together.
    pub fn reaches(&self) -> f64 {
        self.first.tree.reach + self.second.tree.reach
    }

    /// What that adds to the size of boxes, for the slack.
    pub fn reach(&self) -> f64 {
        T::REACH_SHARE * self.reaches()
    }
}
