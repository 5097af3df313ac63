//! What is known of root boxes beforehand.

use crate::num::Scalar;
use crate::sat::prefilter::PosedBox;
use crate::tree::ObbTree;

/// What holds of the root box of a part, or of those of both parts of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct RootTraits {
    /// The tree has no other box.
    pub single: bool,
    /// It lies along the frame of its part.
    pub upright: bool,
    /// It has a convex hull besides.
    pub hulled: bool,
    /// It is the geometry itself; not known of all that are.
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

    /// What holds of both.
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

/// The root box of a part with its pose, for the prefilter in single precision.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PosedRoot<'a, T: Scalar> {
    pub posed: PosedBox<'a, T>,
    pub traits: RootTraits,
}
