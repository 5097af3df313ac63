//! Capsules and segments as convex primitives.

use super::convex_kind::{ConvexKind, axes_along, for_each_number_bits, for_each_ring_line};
use super::support::{ClosedCore, Support, farthest_of};
use crate::error::Error;
use crate::num::Scalar;
use crate::num::linear::{Vec3, add, length, scale, sub};
use crate::shape::{Aabb, Capsule, Pose, Segment, WideObb};

impl<T: Scalar> Support for Capsule<T> {
    fn farthest(&self, direction: Vec3) -> Vec3 {
        farthest_of(&self.segment().wide(), direction)
    }
    fn core_point(&self) -> Vec3 {
        let [a, b] = self.segment().wide();
        scale(add(a, b), 0.5)
    }
    fn radius(&self) -> f64 {
        Capsule::radius(self).wide()
    }
    fn core(&self) -> Option<ClosedCore> {
        Some(ClosedCore::Line(self.segment().wide()))
    }
}

impl<T: Scalar> Support for Segment<T> {
    fn farthest(&self, direction: Vec3) -> Vec3 {
        farthest_of(&self.wide(), direction)
    }
    fn core_point(&self) -> Vec3 {
        self.wide()[0]
    }
    fn core(&self) -> Option<ClosedCore> {
        Some(ClosedCore::Line(self.wide()))
    }
}

impl<T: Scalar> ConvexKind<T> for Capsule<T> {
    fn bounds(&self) -> Aabb<T, 3> {
        self.aabb()
    }

    fn fitted_box(&self) -> WideObb {
        let [a, b] = self.segment().wide();
        let (way, radius) = (sub(b, a), Capsule::radius(self).wide());
        let half_extents = [radius, radius, radius + 0.5 * length(way)];
        WideObb { center: self.core_point(), axes: axes_along(way), half_extents }
    }

    fn posed(&self, pose: &Pose<T>) -> Result<Self, Error> {
        self.transformed(pose)
    }

    fn wide_volume(&self) -> f64 {
        self.volume().wide()
    }

    fn for_each_bits(&self, each: &mut dyn FnMut(u64)) {
        for_each_number_bits(self.segment().a().coords.as_slice(), each);
        for_each_number_bits(self.segment().b().coords.as_slice(), each);
        each(Capsule::radius(self).bits());
    }

    fn outline(&self, line: &mut dyn FnMut([Vec3; 2])) {
        let [a, b] = self.segment().wide();
        let [x, y, z] = axes_along(sub(b, a)).map(|v| scale(v, Capsule::radius(self).wide()));
        for end in [a, b] {
            for (x, y) in [(x, y), (y, z), (z, x)] {
                for_each_ring_line(end, x, y, line);
            }
        }
        for side in [x, y, scale(x, -1.0), scale(y, -1.0)] {
            line([add(a, side), add(b, side)]);
        }
    }
}
