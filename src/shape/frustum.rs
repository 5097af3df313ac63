//! View frusta, as convex hulls of eight corners.

use nalgebra::{Matrix4, Point3, Vector3};

use super::{
    Aabb, Placement, Pose, Triangle, check_poses, nearest_point, transformed_points, wide_point,
};
use crate::error::Error;
use crate::num::linear::{Vec3, cross, dot, scale, sub};
use crate::num::{Scalar, check_coordinates, checked_number};

/// A view frustum: the convex hull of eight corners. Closed, solid. Any box with six flat faces is
/// allowed.
///
/// Bit 0 of a corner's index selects left or right, bit 1 bottom or top, bit 2 near or far.
///
/// ```
/// use boxwood::nalgebra::{Isometry3, Point3};
/// use boxwood::{Frustum, Sphere};
///
/// // An eye at the origin that looks along -Z, 90 degrees wide and high, from 0.1 to 100 units.
/// let view = Frustum::of_eye(&Isometry3::identity(), [1.0, 1.0], [0.1, 100.0])?;
/// assert!(view.contains(Point3::new(0.0, 0.0, -50.0)));
/// assert!(!view.contains(Point3::new(0.0, 0.0, 50.0)));
/// assert!(view.intersects(&Sphere::new(Point3::new(0.0, 0.0, -5.0), 1.0)?));
/// assert!(!view.intersects(&Sphere::new(Point3::new(0.0, 0.0, 5.0), 1.0)?)); // behind the eye
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frustum<T: Scalar> {
    corners: [Point3<T>; 8],
}

impl<T: Scalar> Frustum<T> {
    /// A frustum from its corners, in the order of their indices.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`], naming the corner.
    pub fn new(corners: [Point3<T>; 8]) -> Result<Self, Error> {
        for (index, corner) in corners.iter().enumerate() {
            check_coordinates(corner.coords.as_slice(), "corner", index)?;
        }
        Ok(Frustum { corners })
    }

    /// The view frustum of an eye that looks along -Z of its pose, Y up, between two depths.
    /// `tangents` are those of half the angles of view, across and up.
    ///
    /// # Errors
    /// The errors of any pose, [`Error::NotFinite`], [`Error::OutOfRange`], and [`Error::Negative`]
    /// for a tangent or depth; [`Error::OutOfOrder`] if the far depth is not beyond the near one.
    pub fn of_eye(
        eye: &Pose<T>,
        tangents: [impl Into<f64>; 2],
        depths: [impl Into<f64>; 2],
    ) -> Result<Self, Error> {
        check_poses(std::slice::from_ref(eye), "eye")?;
        let (tangents, depths) = (rounded(tangents, "tangent")?, rounded(depths, "depth")?);
        for (field, values) in [("tangent", tangents), ("depth", depths)] {
            if let Some(index) = values.iter().position(|x: &T| x.wide() < 0.0) {
                return Err(Error::Negative { field, index });
            }
        }
        if depths[1] <= depths[0] {
            return Err(Error::OutOfOrder { field: "depth", index: 1 });
        }
        let (placement, [x, y]) = (Placement::new(eye), tangents.map(T::wide));
        Frustum::new(std::array::from_fn(|index| {
            let depth = depths[index >> 2].wide();
            let side = |bit: usize| if index >> bit & 1 == 1 { depth } else { -depth };
            nearest_point(placement.point([x * side(0), y * side(1), -depth]))
        }))
    }

    /// The view frustum of a matrix from world to clip space. `depths` are the clip depths of the
    /// near and the far plane after the division: mostly `[-1, 1]` or `[0, 1]`, and `[1, 0]` where
    /// depth is reversed.
    ///
    /// # Errors
    /// [`Error::NotFinite`] for a matrix without an inverse, or if a corner lies at infinity;
    /// [`Error::OutOfRange`].
    pub fn of_projection(
        world_to_clip: &Matrix4<T>,
        depths: [impl Into<f64>; 2],
    ) -> Result<Self, Error> {
        let depths: [T; 2] = rounded(depths, "depth")?;
        check_coordinates(world_to_clip.as_slice(), "matrix", 0)?;
        let inverse = world_to_clip.map(T::wide).try_inverse();
        let inverse = inverse.ok_or(Error::NotFinite { field: "inverse of matrix", index: 0 })?;
        Frustum::new(std::array::from_fn(|index| {
            let side = |bit: usize| if index >> bit & 1 == 1 { 1.0 } else { -1.0 };
            let clip = [side(0), side(1), depths[index >> 2].wide(), 1.0];
            let [x, y, z, w] = (inverse * nalgebra::Vector4::from(clip)).into();
            nearest_point([x / w, y / w, z / w])
        }))
    }

    /// The corners.
    pub fn corners(&self) -> [Point3<T>; 8] {
        self.corners
    }

    /// Returns `true` if the frustum contains the point, its surface included, up to the rounding
    /// of `f64`. A frustum without volume contains its corners, and the points of its axis-aligned
    /// box that are between its faces, as far as it has any.
    pub fn contains(&self, point: Point3<T>) -> bool {
        let corners = self.corners.map(wide_point);
        // Relative to a corner: the numbers are small there.
        let local = corners.map(|p| sub(p, corners[0]));
        let p = sub(wide_point(point), corners[0]);
        let between = |normal: Vec3| {
            let (along, at) = (local.map(|q| dot(normal, q)), dot(normal, p));
            along.iter().any(|&x| x <= at) && along.iter().any(|&x| at <= x)
        };
        self.aabb().contains(point) && face_normals(&local).into_iter().all(between)
    }

    /// The point of the frustum nearest to `point`, itself if inside; rounded to `T`.
    pub fn closest_point(&self, point: Point3<T>) -> Point3<T> {
        if self.contains(point) {
            return point;
        }
        let p = wide_point(point);
        let near = self.face_triangles().map(|face| face.wide().closest_point(p));
        let square = |q: Vec3| dot(sub(q, p), sub(q, p));
        let nearer = |best: Vec3, q: Vec3| if square(q) < square(best) { q } else { best };
        nearest_point(near.fold(wide_point(self.corners[0]), nearer))
    }

    /// The corner farthest along `direction`, which need not be unit; the first of equals.
    pub fn support(&self, direction: Vector3<T>) -> Point3<T> {
        let along = |p: Point3<T>| dot(wide_point(p), wide_point(direction.into()));
        let farther = |p, q| if along(q) > along(p) { q } else { p };
        self.corners.into_iter().fold(self.corners[0], farther)
    }

    /// The smallest axis-aligned box around it, exactly.
    pub fn aabb(&self) -> Aabb<T, 3> {
        Aabb::from_points(self.corners)
    }

    /// The frustum moved by `pose`, its corners rounded to `T`.
    ///
    /// # Errors
    /// The errors of any pose: [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::NotUnit`].
    pub fn transformed(&self, pose: &Pose<T>) -> Result<Self, Error> {
        Frustum::new(transformed_points(pose, self.corners)?)
    }

    /// The surface as triangles, two for each face.
    pub(crate) fn face_triangles(&self) -> impl Iterator<Item = Triangle<T>> + '_ {
        let corner = |i: usize| self.corners[i];
        FACES.into_iter().flat_map(move |[a, b, c, d]| {
            [
                Triangle::new_unchecked([a, c, b].map(corner)),
                Triangle::new_unchecked([a, d, b].map(corner)),
            ]
        })
    }
}

/// Indices of the corners of each face: two opposite ones, then the other two.
const FACES: [[usize; 4]; 6] =
    [[0, 3, 1, 2], [4, 7, 5, 6], [0, 6, 2, 4], [1, 7, 3, 5], [0, 5, 1, 4], [2, 7, 3, 6]];

/// Rounds two numbers to the type; rejects what is not finite or would overflow, naming `field`.
fn rounded<T: Scalar>(
    [first, second]: [impl Into<f64>; 2],
    field: &'static str,
) -> Result<[T; 2], Error> {
    Ok([checked_number(first, field, 0)?, checked_number(second, field, 1)?])
}

/// Unit normals of the faces, outward or inward; zero for a degenerate face.
pub(crate) fn face_normals(corners: &[Vec3; 8]) -> [Vec3; 6] {
    let way = |from: usize, to: usize| normalised(sub(corners[to], corners[from]));
    FACES.map(|[a, b, c, d]| normalised(cross(way(a, b), way(c, d))))
}

/// Normalises a vector; returns a zero vector unchanged.
pub(crate) fn normalised(v: Vec3) -> Vec3 {
    let length = dot(v, v).sqrt();
    if length > 0.0 { scale(v, 1.0 / length) } else { v }
}
