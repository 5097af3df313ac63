//! Oriented boxes as convex primitives.

use super::convex_kind::ConvexKind;
use super::support::{ClosedCore, Support};
use crate::error::Error;
use crate::num::Scalar;
use crate::num::linear::Vec3;
use crate::shape::{Aabb, Obb, Pose, WideObb, wide_point};

impl<T: Scalar> Support for Obb<T> {
    fn farthest(&self, direction: Vec3) -> Vec3 {
        self.wide().support(direction)
    }
    fn core_point(&self) -> Vec3 {
        wide_point(self.center())
    }
    fn core(&self) -> Option<ClosedCore> {
        Some(ClosedCore::Block(self.wide(), T::LEAF_SLACK))
    }
}

impl<T: Scalar> ConvexKind<T> for Obb<T> {
    fn bounds(&self) -> Aabb<T, 3> {
        self.aabb()
    }

    fn fitted_box(&self) -> WideObb {
        self.wide()
    }

    fn posed(&self, pose: &Pose<T>) -> Result<Self, Error> {
        self.transformed(pose)
    }

    fn wide_volume(&self) -> f64 {
        self.volume().wide()
    }

    fn for_each_bits(&self, each: &mut dyn FnMut(u64)) {
        self.bits().for_each(each);
    }

    fn outline(&self, line: &mut dyn FnMut([Vec3; 2])) {
        let corners = self.wide().corners();
        for from in 0..8 {
            for axis in [1, 2, 4] {
                if from & axis == 0 {
                    line([corners[from], corners[from | axis]]);
                }
            }
        }
    }
}
