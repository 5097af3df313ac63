//! Balls as convex primitives: a point and a radius.

use super::convex_kind::{ConvexKind, for_each_number_bits, for_each_ring_line};
use super::support::{ClosedCore, Support};
use crate::error::Error;
use crate::num::Scalar;
use crate::num::linear::{IDENTITY, Vec3, scale};
use crate::shape::{Aabb, Pose, Sphere, WideObb, wide_point};

impl<T: Scalar> Support for Sphere<T, 3> {
    fn farthest(&self, _: Vec3) -> Vec3 {
        wide_point(self.center())
    }
    fn core_point(&self) -> Vec3 {
        wide_point(self.center())
    }
    fn radius(&self) -> f64 {
        Sphere::radius(self).wide()
    }
    fn core(&self) -> Option<ClosedCore> {
        Some(ClosedCore::Point(wide_point(self.center())))
    }
}

impl<T: Scalar> ConvexKind<T> for Sphere<T, 3> {
    fn bounds(&self) -> Aabb<T, 3> {
        self.aabb()
    }

    fn fitted_box(&self) -> WideObb {
        let half_extents = [Sphere::radius(self).wide(); 3];
        WideObb { center: self.core_point(), axes: IDENTITY, half_extents }
    }

    fn posed(&self, pose: &Pose<T>) -> Result<Self, Error> {
        self.transformed(pose)
    }

    fn wide_volume(&self) -> f64 {
        self.volume().wide()
    }

    fn for_each_bits(&self, each: &mut dyn FnMut(u64)) {
        for_each_number_bits(self.center().coords.as_slice(), each);
        each(Sphere::radius(self).bits());
    }

    fn outline(&self, line: &mut dyn FnMut([Vec3; 2])) {
        let [x, y, z] = IDENTITY.map(|axis| scale(axis, Sphere::radius(self).wide()));
        for (x, y) in [(x, y), (y, z), (z, x)] {
            for_each_ring_line(self.core_point(), x, y, line);
        }
    }
}
