//! Properties of root boxes that are known in advance.

use crate::num::Scalar;
use crate::sat::prefilter::{PartBox, PosedBox};
use crate::tree::ObbTree;

/// Properties of the root box of a part, or common properties of those of two parts.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct RootTraits {
    /// The tree is a single node.
    pub is_leaf_tree: bool,
    /// The box lies along the frame of its part.
    pub oriented_is_aligned: bool,
    /// The root has a convex hull.
    pub has_hull: bool,
    /// The box is the geometry itself. May be `false` though it is.
    pub box_is_geometry: bool,
    /// The tree has a few leaves, which are tested one by one; of two trees, one has.
    pub has_leaf_boxes: bool,
}

impl RootTraits {
    pub fn from_tree<T: Scalar>(tree: &ObbTree<T>) -> Self {
        RootTraits {
            is_leaf_tree: tree.len() == 1,
            oriented_is_aligned: tree.root_oriented_is_aligned(),
            has_hull: tree.has_root_hull(),
            box_is_geometry: false,
            has_leaf_boxes: false,
        }
    }

    /// Returns the properties that both have, and those that one of the two suffices for.
    #[inline]
    pub fn and(self, other: Self) -> Self {
        RootTraits {
            is_leaf_tree: self.is_leaf_tree & other.is_leaf_tree,
            oriented_is_aligned: self.oriented_is_aligned & other.oriented_is_aligned,
            has_hull: self.has_hull & other.has_hull,
            box_is_geometry: self.box_is_geometry & other.box_is_geometry,
            has_leaf_boxes: self.has_leaf_boxes | other.has_leaf_boxes,
        }
    }
}

/// Root box of a part with its pose, for the prefilter in single precision.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PosedRoot<'a, T: Scalar> {
    pub posed: PosedBox<'a, T>,
    pub traits: RootTraits,
}

/// Largest number of leaves of a part that are tested one by one.
pub(crate) const MAX_LEAF_BOXES: usize = 16;

/// The aligned boxes of a part.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LeafBoxes<'a> {
    pub root: &'a PartBox,
    /// Boxes of all leaves, if there are several but no more than [`MAX_LEAF_BOXES`].
    pub leaves: &'a [PartBox],
}
