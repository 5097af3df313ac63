//! Nodes of a tree and their numbers.

use std::fmt;
use std::ops::Range;

use crate::num::Scalar;
use crate::num::linear::IDENTITY;
use crate::shape::{Aabb, Obb, WideObb};

/// Index of a node: breadth-first in the binary tree, the root first.
///
/// ```
/// # boxwood::fixture_tree!(cube, tree);
/// use boxwood::NodeId;
///
/// assert_eq!(tree.node(NodeId::ROOT).children(), None); // one box: the root is a leaf
/// assert_eq!(NodeId::new(7).index(), 7);
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NodeId(pub(super) u32);

impl NodeId {
    /// The root: the node of all primitives.
    pub const ROOT: NodeId = NodeId(0);

    /// Returns the id of an index; indices above `u32::MAX` saturate.
    pub fn new(index: usize) -> Self {
        NodeId(u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// Returns the index of the node.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A node of an OBB tree: two boxes around the same primitives, in the frame of the part, and two
/// children.
///
/// ```
/// # boxwood::fixture_tree!(cube, tree);
/// use boxwood::NodeId;
///
/// let root = tree.node(NodeId::ROOT);
/// assert_eq!(root.oriented(), &cube); // a leaf of one hand-made box has that box
/// assert_eq!(root.bound(), 0.0);
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Node<T: Scalar> {
    pub(super) aligned: Aabb<T, 3>,
    pub(super) oriented: Obb<T>,
    pub(super) bound: T,
    /// Least bound of the boxes and hulls of all ancestors [part units]; infinite for the root.
    pub(super) ancestor_bound: T,
    /// Index of the first of two consecutive children; 0 for a leaf.
    pub(super) first_child: u32,
    pub(super) start: u32,
    pub(super) end: u32,
}

impl<T: Scalar> Node<T> {
    /// Creates a leaf of some primitives, without boxes and bound.
    pub(super) fn leaf(range: Range<usize>) -> Self {
        Node {
            aligned: Aabb::empty(),
            oriented: WideObb { center: [0.0; 3], axes: IDENTITY, half_extents: [0.0; 3] }.narrow(),
            bound: T::zero(),
            ancestor_bound: T::nearest(f64::INFINITY),
            first_child: 0,
            start: range.start as u32,
            end: range.end as u32,
        }
    }

    /// Returns the primitives, as positions in the order of the leaves.
    pub(super) fn primitive_range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Returns the box aligned with the part's frame. It contains those of all descendants.
    pub fn aligned(&self) -> &Aabb<T, 3> {
        &self.aligned
    }

    /// Returns the box rotated to fit. It contains the primitives of its descendants, but not
    /// always their boxes.
    pub fn oriented(&self) -> &Obb<T> {
        &self.oriented
    }

    /// Returns an upper bound on the distance of any point of the oriented box from the geometry in
    /// the node, or from the inside of a solid part [part units].
    pub fn bound(&self) -> T {
        self.bound
    }

    /// Returns the two children; `None` for a leaf.
    pub fn children(&self) -> Option<[NodeId; 2]> {
        (self.first_child > 0).then_some([NodeId(self.first_child), NodeId(self.first_child + 1)])
    }
}

/// Nodes of a tree, and its primitives in the order of the leaves, of which each node has a range.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OrderedNodes<'a, T: Scalar> {
    pub nodes: &'a [Node<T>],
    pub order: &'a [u32],
}

impl<'a, T: Scalar> OrderedNodes<'a, T> {
    /// Returns the primitives of a node.
    pub fn primitives(&self, node: &Node<T>) -> &'a [u32] {
        &self.order[node.primitive_range()]
    }
}
