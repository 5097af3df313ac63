//! Two placed trees in canonical order.

use crate::num::Scalar;
use crate::shape::{Placement, Pose};
use crate::tree::{Node, NodeId, ObbTree};

/// Tie breaker between parts in the same pose: model fingerprint, part, order of the character.
pub(crate) type TieBreak = (u64, u32, u64);

/// A tree with its pose in the world.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlacedTree<'a, T: Scalar> {
    pub tree: &'a ObbTree<T>,
    pub pose: Pose<T>,
    pub tie_break: TieBreak,
}

impl<T: Scalar> PlacedTree<'_, T> {
    pub fn placement(&self) -> Placement {
        Placement::new(&self.pose)
    }

    /// Returns the sort key of the canonical order: bits of the pose, then the tie breaker.
    fn key(&self) -> ([u64; 7], TieBreak) {
        let (q, p) = (self.pose.rotation.coords, self.pose.translation.vector);
        ([q.x, q.y, q.z, q.w, p.x, p.y, p.z].map(T::bits), self.tie_break)
    }
}

/// Two placed trees in canonical order. Answers name nodes in the order in which the trees were
/// given; the arithmetic runs in an order fixed by the data, so swapping the trees swaps the
/// answers, bit for bit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OrderedPair<'a, T: Scalar> {
    pub first: PlacedTree<'a, T>,
    pub second: PlacedTree<'a, T>,
    /// `true` if the canonical order is not the order given.
    pub swapped: bool,
    /// `true` for two equal trees in one pose, which have no order.
    pub tied: bool,
}

impl<'a, T: Scalar> OrderedPair<'a, T> {
    #[inline]
    pub fn new(a: PlacedTree<'a, T>, b: PlacedTree<'a, T>) -> Self {
        let order = b.key().cmp(&a.key());
        let swapped = order.is_lt();
        let (first, second) = if swapped { (b, a) } else { (a, b) };
        OrderedPair { first, second, swapped, tied: order.is_eq() }
    }

    /// Returns `true` if the canonical order of two nodes is not the order given. For two equal
    /// trees in one pose, the indices of the nodes decide.
    pub fn is_swapped(&self, a: NodeId, b: NodeId) -> bool {
        if self.tied { b < a } else { self.swapped }
    }

    /// Returns two nodes in canonical order, which does not depend on the order of the trees.
    pub fn canonical_ids(&self, a: NodeId, b: NodeId) -> (NodeId, NodeId) {
        if self.is_swapped(a, b) { (b, a) } else { (a, b) }
    }

    /// Returns two nodes in canonical order, and `true` if that is not the order given.
    pub fn canonical_nodes(&self, a: NodeId, b: NodeId) -> (&'a Node<T>, &'a Node<T>, bool) {
        let (first, second) = self.canonical_ids(a, b);
        let swapped = self.is_swapped(a, b);
        (self.first.tree.node(first), self.second.tree.node(second), swapped)
    }

    /// Returns the depth of the deeper tree.
    pub fn depth(&self) -> u8 {
        self.first.tree.depth.max(self.second.tree.depth)
    }

    /// Returns the sum of the half diagonals of the largest oriented boxes of both cuts at a depth.
    pub fn coarsest_radius(&self, depth: u8) -> f64 {
        self.first.tree.cut_bounds(depth).radius + self.second.tree.cut_bounds(depth).radius
    }

    /// Returns the sum of both trees' radii about their origins.
    pub fn radii_about_origins(&self) -> f64 {
        self.first.tree.radius_about_origin + self.second.tree.radius_about_origin
    }

    /// Returns the pad of box sizes for those radii, for the error of box tests.
    pub fn size_pad(&self) -> f64 {
        T::REACH_SHARE * self.radii_about_origins()
    }
}
