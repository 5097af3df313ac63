//! Ellipsoids as convex primitives.

use super::convex_kind::{ConvexKind, for_each_number_bits, for_each_ring_line, wide};
use super::support::{ClosedCore, Rounded, Support};
use crate::error::Error;
use crate::num::Scalar;
use crate::num::linear::{Vec3, scale};
use crate::shape::{Aabb, Ellipsoid, Pose, WideObb, wide_matrix, wide_point};

impl<T: Scalar> Support for Ellipsoid<T> {
    fn farthest(&self, direction: Vec3) -> Vec3 {
        self.wide().support(direction)
    }
    fn core_point(&self) -> Vec3 {
        wide_point(self.center())
    }
    /// Returns the ball of the longest radius.
    fn outer_rounded(&self) -> Option<Rounded> {
        let longest = wide(self.radii()).into_iter().fold(0.0, f64::max);
        Some(Rounded {
            core: ClosedCore::Point(self.core_point()),
            radius: longest * (1.0 + AXES_LENGTH_ERROR),
        })
    }
    /// Returns the ball of the shortest radius.
    fn inner_rounded(&self) -> Option<Rounded> {
        let shortest = wide(self.radii()).into_iter().fold(f64::MAX, f64::min);
        Some(Rounded {
            core: ClosedCore::Point(self.core_point()),
            radius: shortest * (1.0 - AXES_LENGTH_ERROR),
        })
    }
}

/// Error of the lengths and right angles of stored axes, in single precision.
const AXES_LENGTH_ERROR: f64 = 1.0 / (1u64 << 18) as f64;

impl<T: Scalar> ConvexKind<T> for Ellipsoid<T> {
    fn bounds(&self) -> Aabb<T, 3> {
        self.aabb()
    }

    fn fitted_box(&self) -> WideObb {
        let (axes, half_extents) = (wide_matrix(&self.axes()), wide(self.radii()));
        WideObb { center: self.core_point(), axes, half_extents }
    }

    fn posed(&self, pose: &Pose<T>) -> Result<Self, Error> {
        self.transformed(pose)
    }

    fn wide_volume(&self) -> f64 {
        self.volume().wide()
    }

    fn for_each_bits(&self, each: &mut dyn FnMut(u64)) {
        for_each_number_bits(self.center().coords.as_slice(), each);
        for_each_number_bits(self.axes().as_slice(), each);
        for_each_number_bits(self.radii().as_slice(), each);
    }

    fn outline(&self, line: &mut dyn FnMut([Vec3; 2])) {
        let (axes, radii) = (wide_matrix(&self.axes()), wide(self.radii()));
        let [x, y, z] = [0, 1, 2].map(|i| scale(axes[i], radii[i]));
        for (x, y) in [(x, y), (y, z), (z, x)] {
            for_each_ring_line(self.core_point(), x, y, line);
        }
    }
}
