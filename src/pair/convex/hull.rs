//! Convex hulls as convex primitives.

use nalgebra::Point3;

use super::convex_kind::{ConvexKind, axes_along, box_along, for_each_number_bits};
use super::gjk::ConvexPair;
use super::support::Support;
use crate::error::Error;
use crate::num::Scalar;
use crate::num::linear::{IDENTITY, Vec3, dot, sub};
use crate::shape::{Aabb, ConvexHull, Pose, WideObb, nearest_point, wide_point};

impl<T: Scalar> Support for ConvexHull<T> {
    fn farthest(&self, direction: Vec3) -> Vec3 {
        self.corner(ConvexHull::support_index(self, direction))
    }
    fn core_point(&self) -> Vec3 {
        self.corner(0)
    }
}

impl<T: Scalar> ConvexHull<T> {
    /// Returns the point of the hull nearest to `point`, rounded to `T`: `point` itself if inside.
    /// By GJK.
    pub fn closest_point(&self, point: Point3<T>) -> Point3<T> {
        let p = wide_point(point);
        let (near, apart) = ConvexPair::in_one_frame([self, &p]).closest_points();
        if apart { nearest_point(near.on_a) } else { point }
    }
}

impl<T: Scalar> ConvexKind<T> for ConvexHull<T> {
    fn bounds(&self) -> Aabb<T, 3> {
        self.aabb()
    }

    /// Returns the smaller of two boxes: along the coordinates, and along the line from the corner
    /// farthest from the first one to the corner farthest from that.
    fn fitted_box(&self) -> WideObb {
        let corners: Vec<Vec3> = (0..self.corners().len()).map(|at| self.corner(at)).collect();
        let from = |origin: Vec3| {
            let far = |p: &Vec3| dot(sub(*p, origin), sub(*p, origin));
            corners.iter().fold(origin, |most, p| if far(p) > far(&most) { *p } else { most })
        };
        let one = from(corners[0]);
        let boxes =
            [IDENTITY, axes_along(sub(from(one), one))].map(|axes| box_along(axes, &corners));
        let surface = |[x, y, z]: Vec3| x * y + y * z + z * x;
        let [plain, turned] = boxes;
        let smaller = surface(turned.half_extents) < 0.9 * surface(plain.half_extents);
        if smaller { turned } else { plain }
    }

    fn posed(&self, pose: &Pose<T>) -> Result<Self, Error> {
        self.transformed(pose)
    }

    fn wide_volume(&self) -> f64 {
        self.volume().wide()
    }

    fn for_each_bits(&self, each: &mut dyn FnMut(u64)) {
        each(self.corners().len() as u64);
        self.corners()
            .iter()
            .for_each(|corner| for_each_number_bits(corner.coords.as_slice(), each));
    }

    fn outline(&self, line: &mut dyn FnMut([Vec3; 2])) {
        for &[a, b, c] in self.triangles() {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                if from < to {
                    line([from, to].map(|v| self.corner(v as usize)));
                }
            }
        }
    }
}
