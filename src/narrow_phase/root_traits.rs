//! Properties of root boxes that are known in advance.

use crate::num::Scalar;
use crate::sat::prefilter::PosedBox;
use crate::tree::ObbTree;

/// Properties of the root box of a part, or common properties of those of two parts.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct RootTraits {
    /// The tree is a single node.
    pub single: bool,
    /// The box lies along the frame of its part.
    pub upright: bool,
    /// The root has a convex hull.
    pub hulled: bool,
    /// The box is the geometry itself. May be `false` though it is.
    pub whole: bool,
}

impl RootTraits {
    pub fn of<T: Scalar>(tree: &ObbTree<T>) -> Self {
        RootTraits {
            single: tree.len() == 1,
            upright: tree.is_upright(),
            hulled: tree.has_root_hull(),
            whole: false,
        }
    }

    /// Returns the properties that both have.
    #[inline]
    pub fn and(self, other: Self) -> Self {
        RootTraits {
            single: self.single & other.single,
            upright: self.upright & other.upright,
            hulled: self.hulled & other.hulled,
            whole: self.whole & other.whole,
        }
    }
}

/// Root box of a part with its pose, for the prefilter in single precision.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PosedRoot<'a, T: Scalar> {
    pub posed: PosedBox<'a, T>,
    pub traits: RootTraits,
}
