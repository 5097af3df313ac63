//! Balls around parts.

use crate::num::Scalar;
use crate::num::linear::Vec3;
use crate::tree::ObbTree;

/// A ball that contains a part.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::robot) struct PartBall {
    /// Centre, in the frame of the part or in the world.
    pub center: Vec3,
    pub radius: f64,
}

impl PartBall {
    /// Returns the ball around the root's box, in the frame of the part.
    pub fn of_tree<T: Scalar>(tree: &ObbTree<T>) -> Self {
        let root = tree.root_obb();
        // Covers the skew of stored axes, and primitives that touch across it.
        let pad = 8.0 * T::LEAF_SLACK * root.radius()
            + 2.0 * T::LEAF_SLACK * T::REACH_SHARE * tree.wide_radius_about_origin();
        PartBall { center: root.center, radius: root.radius() + pad }
    }
}
