//! Triangles as convex primitives: flat, without an inside.

use super::convex_kind::{ConvexKind, axes_along, box_along, for_each_number_bits};
use super::support::{ClosedCore, Support, farthest_of};
use crate::error::Error;
use crate::num::Scalar;
use crate::num::linear::{Vec3, dot, sub};
use crate::shape::{Aabb, Pose, Triangle, WideObb, triangle_frame};

impl<T: Scalar> Support for Triangle<T> {
    fn farthest(&self, direction: Vec3) -> Vec3 {
        farthest_of(&self.wide().corners, direction)
    }
    fn core_point(&self) -> Vec3 {
        self.wide().corners[0]
    }
    fn core(&self) -> Option<ClosedCore> {
        Some(ClosedCore::Triangle(self.wide().corners))
    }
}

/// Returns the longest edge, the first of equals.
fn longest_edge(corners: &[Vec3; 3]) -> Vec3 {
    let edges = [0, 1, 2].map(|i| sub(corners[(i + 1) % 3], corners[i]));
    let longer = |x: Vec3, y: Vec3| if dot(y, y) > dot(x, x) { y } else { x };
    longer(longer(edges[0], edges[1]), edges[2])
}

impl<T: Scalar> ConvexKind<T> for Triangle<T> {
    fn bounds(&self) -> Aabb<T, 3> {
        Aabb::from_points(self.corners())
    }

    fn fitted_box(&self) -> WideObb {
        let corners = self.wide().corners;
        let axes = match triangle_frame((), corners) {
            (true, axes) => axes,
            _ => axes_along(longest_edge(&corners)),
        };
        box_along(axes, &corners)
    }

    fn posed(&self, pose: &Pose<T>) -> Result<Self, Error> {
        self.transformed(pose)
    }

    fn wide_volume(&self) -> f64 {
        0.0
    }

    fn for_each_bits(&self, each: &mut dyn FnMut(u64)) {
        self.corners()
            .iter()
            .for_each(|corner| for_each_number_bits(corner.coords.as_slice(), each));
    }

    fn outline(&self, line: &mut dyn FnMut([Vec3; 2])) {
        let [a, b, c] = self.wide().corners;
        [[a, b], [b, c], [c, a]].into_iter().for_each(line);
    }
}
