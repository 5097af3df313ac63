//! Balls as convex primitives: a point and a radius.

use super::kind::{ConvexKind, each_bits, ring};
use super::support::{ClosedCore, Support};
use crate::error::Error;
use crate::num::Scalar;
use crate::num::linear::{IDENTITY, Vec3, scale};
use crate::shape::{Aabb, Pose, Sphere, WideObb, wide_point};

impl<T: Scalar> Support for Sphere<T, 3> {
    fn farthest(&self, _: Vec3) -> Vec3 {
        wide_point(self.center())
    }
    fn middle(&self) -> Vec3 {
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

    fn fitted(&self) -> WideObb {
        let half_extents = [Sphere::radius(self).wide(); 3];
        WideObb { center: self.middle(), axes: IDENTITY, half_extents }
    }

    fn placed(&self, pose: &Pose<T>) -> Result<Self, Error> {
        self.transformed(pose)
    }

    fn content(&self) -> f64 {
        self.volume().wide()
    }

    fn for_each_bits(&self, each: &mut dyn FnMut(u64)) {
        each_bits(self.center().coords.as_slice(), each);
        each(Sphere::radius(self).bits());
    }

    fn outline(&self, line: &mut dyn FnMut([Vec3; 2])) {
        let [x, y, z] = IDENTITY.map(|axis| scale(axis, Sphere::radius(self).wide()));
        for (x, y) in [(x, y), (y, z), (z, x)] {
            ring(self.middle(), x, y, line);
        }
    }
}
