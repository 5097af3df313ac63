//! Cylinders as convex primitives.

use super::convex_kind::{ConvexKind, axes_along, for_each_number_bits, for_each_ring_line};
use super::support::{ClosedCore, Rounded, Support};
use crate::error::Error;
use crate::num::Scalar;
use crate::num::linear::{Vec3, add, length, scale};
use crate::shape::{Aabb, Cylinder, Pose, WideCylinder, WideObb, wide_point};

impl<T: Scalar> Support for Cylinder<T> {
    fn farthest(&self, direction: Vec3) -> Vec3 {
        self.wide().support(direction)
    }
    fn core_point(&self) -> Vec3 {
        wide_point(self.center())
    }
    /// Returns the capsule whose end balls contain the discs.
    fn outer_rounded(&self) -> Option<Rounded> {
        let WideCylinder { center, axis, half_height, radius } = self.wide();
        let ends = [-half_height, half_height].map(|along| add(center, scale(axis, along)));
        Some(Rounded { core: ClosedCore::Line(ends), radius })
    }
    /// Returns the inscribed capsule that touches both discs; a ball for a flat cylinder.
    fn inner_rounded(&self) -> Option<Rounded> {
        let WideCylinder { center, axis, half_height, radius } = self.wide();
        let unit = length(axis);
        if half_height * unit <= radius {
            return Some(Rounded { core: ClosedCore::Point(center), radius: half_height * unit });
        }
        let half = half_height - radius / unit;
        let ends = [-half, half].map(|along| add(center, scale(axis, along)));
        Some(Rounded { core: ClosedCore::Line(ends), radius })
    }
}

impl<T: Scalar> ConvexKind<T> for Cylinder<T> {
    fn bounds(&self) -> Aabb<T, 3> {
        self.aabb()
    }

    fn fitted_box(&self) -> WideObb {
        let wide = self.wide();
        let half_extents = [wide.radius, wide.radius, wide.half_height * length(wide.axis)];
        WideObb { center: wide.center, axes: axes_along(wide.axis), half_extents }
    }

    fn posed(&self, pose: &Pose<T>) -> Result<Self, Error> {
        self.transformed(pose)
    }

    fn wide_volume(&self) -> f64 {
        self.volume().wide()
    }

    fn for_each_bits(&self, each: &mut dyn FnMut(u64)) {
        for_each_number_bits(self.center().coords.as_slice(), each);
        for_each_number_bits(self.axis().as_slice(), each);
        for_each_number_bits(&[self.half_height(), Cylinder::radius(self)], each);
    }

    fn outline(&self, line: &mut dyn FnMut([Vec3; 2])) {
        let wide = self.wide();
        let [x, y, _] = axes_along(wide.axis).map(|v| scale(v, wide.radius));
        let end = |half: f64| add(wide.center, scale(wide.axis, half));
        let ends = [end(-wide.half_height), end(wide.half_height)];
        ends.iter().for_each(|&end| for_each_ring_line(end, x, y, line));
        for side in [x, y, scale(x, -1.0), scale(y, -1.0)] {
            line(ends.map(|end| add(end, side)));
        }
    }
}
