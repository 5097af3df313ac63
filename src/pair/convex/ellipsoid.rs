//! Ellipsoids as convex primitives.

use super::kind::{ConvexKind, each_bits, ring, wide};
use super::support::{ClosedCore, Rounded, Support};
use crate::error::Error;
use crate::num::Scalar;
use crate::num::linear::{Vec3, scale};
use crate::shape::{Aabb, Ellipsoid, Pose, WideObb, wide_matrix, wide_point};

impl<T: Scalar> Support for Ellipsoid<T> {
    fn farthest(&self, direction: Vec3) -> Vec3 {
        self.wide().support(direction)
    }
    fn middle(&self) -> Vec3 {
        wide_point(self.center())
    }
    /// Returns the ball of the longest radius.
    fn around(&self) -> Option<Rounded> {
        let longest = wide(self.radii()).into_iter().fold(0.0, f64::max);
        Some(Rounded { core: ClosedCore::Point(self.middle()), radius: longest * (1.0 + OFF_UNIT) })
    }
    /// Returns the ball of the shortest radius.
    fn within(&self) -> Option<Rounded> {
        let shortest = wide(self.radii()).into_iter().fold(f64::MAX, f64::min);
        Some(Rounded {
            core: ClosedCore::Point(self.middle()),
            radius: shortest * (1.0 - OFF_UNIT),
        })
    }
}

/// Error of the lengths and right angles of stored axes, in single precision.
const OFF_UNIT: f64 = 1.0 / (1u64 << 18) as f64;

impl<T: Scalar> ConvexKind<T> for Ellipsoid<T> {
    fn bounds(&self) -> Aabb<T, 3> {
        self.aabb()
    }

    fn fitted(&self) -> WideObb {
        let (axes, half_extents) = (wide_matrix(&self.axes()), wide(self.radii()));
        WideObb { center: self.middle(), axes, half_extents }
    }

    fn placed(&self, pose: &Pose<T>) -> Result<Self, Error> {
        self.transformed(pose)
    }

    fn content(&self) -> f64 {
        self.volume().wide()
    }

    fn for_each_bits(&self, each: &mut dyn FnMut(u64)) {
        each_bits(self.center().coords.as_slice(), each);
        each_bits(self.axes().as_slice(), each);
        each_bits(self.radii().as_slice(), each);
    }

    fn outline(&self, line: &mut dyn FnMut([Vec3; 2])) {
        let (axes, radii) = (wide_matrix(&self.axes()), wide(self.radii()));
        let [x, y, z] = [0, 1, 2].map(|i| scale(axes[i], radii[i]));
        for (x, y) in [(x, y), (y, z), (z, x)] {
            ring(self.middle(), x, y, line);
        }
    }
}
