//! Triangles as convex primitives: flat, so without an inside.

use super::kind::{ConvexKind, axes_along, box_along, each_bits};
use super::support::{ClosedCore, Support, farthest_of};
use crate::error::Error;
use crate::num::Scalar;
use crate::num::linear::{Vec3, cross, dot, length, scale, sub};
use crate::shape::{Aabb, Pose, Triangle, WideObb};

impl<T: Scalar> Support for Triangle<T> {
    fn farthest(&self, direction: Vec3) -> Vec3 {
        farthest_of(&self.wide().corners, direction)
    }
    fn middle(&self) -> Vec3 {
        self.wide().corners[0]
    }
    fn core(&self) -> Option<ClosedCore> {
        Some(ClosedCore::Triangle(self.wide().corners))
    }
}

impl<T: Scalar> ConvexKind<T> for Triangle<T> {
    fn bounds(&self) -> Aabb<T, 3> {
        Aabb::around(self.corners())
    }

    fn fitted(&self) -> WideObb {
        let corners = self.wide().corners;
        let edges = [0, 1, 2].map(|i| sub(corners[(i + 1) % 3], corners[i]));
        let longer = |x: Vec3, y: Vec3| if dot(y, y) > dot(x, x) { y } else { x };
        let longest = longer(longer(edges[0], edges[1]), edges[2]);
        let normal = cross(edges[0], edges[1]);
        let (up, along) = (length(normal), length(longest));
        let axes = match up > 1e-12 * along * along {
            true => {
                let (x, z) = (scale(longest, 1.0 / along), scale(normal, 1.0 / up));
                [x, cross(z, x), z]
            }
            false => axes_along(longest),
        };
        box_along(axes, &corners)
    }

    fn placed(&self, pose: &Pose<T>) -> Result<Self, Error> {
        self.transformed(pose)
    }

    fn content(&self) -> f64 {
        0.0
    }

    fn for_each_bits(&self, each: &mut dyn FnMut(u64)) {
        self.corners().iter().for_each(|corner| each_bits(corner.coords.as_slice(), each));
    }

    fn outline(&self, line: &mut dyn FnMut([Vec3; 2])) {
        let [a, b, c] = self.wide().corners;
        [[a, b], [b, c], [c, a]].into_iter().for_each(line);
    }
}
