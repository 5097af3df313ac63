//! Root box of a tree.

use crate::num::Scalar;
use crate::num::linear::{IDENTITY, Vec3};
use crate::shape::wide_matrix;
use crate::tree::Node;

/// Aligned box of the root.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::tree) struct RootBox {
    pub(super) center: Vec3,
    pub(super) half: Vec3,
    /// `true` if the oriented box equals this one, up to much less than the prefilter resolves.
    pub(super) oriented_is_aligned: bool,
}

/// Rounding of single precision.
pub(super) const F32_ROUNDING: f64 = f32::EPSILON as f64;

pub(super) fn l1_distance(a: Vec3, b: Vec3) -> f64 {
    (0..3).map(|i| (a[i] - b[i]).abs()).sum()
}

impl RootBox {
    pub fn new<T: Scalar>(root: &Node<T>) -> Self {
        let ((center, half), oriented) = (root.aligned.wide(), root.oriented.wide());
        let difference =
            l1_distance(center, oriented.center) + l1_distance(half, oriented.half_extents);
        let size = half[0] + half[1] + half[2];
        let oriented_is_aligned = wide_matrix(&root.oriented.axes()) == IDENTITY
            && difference <= size * (0.5 * T::LEAF_SLACK);
        match oriented_is_aligned {
            true => RootBox {
                center: oriented.center,
                half: oriented.half_extents,
                oriented_is_aligned,
            },
            false => RootBox { center, half, oriented_is_aligned },
        }
    }
}
