//! Triangles in space.

use nalgebra::{Point3, Unit, Vector3};

use super::{Aabb, Pose, WideTriangle, nearest_point, transformed_points, wide_point};
use crate::error::Error;
use crate::num::linear::{cross, dot, length, scale, sub};
use crate::num::{Scalar, check_coordinates};

/// A triangle: all points between three corners, its edges included. Thin and closed; the corners
/// may be on one line or in one point.
///
/// ```
/// use boxwood::Triangle;
/// use boxwood::nalgebra::{Point3, Vector3};
///
/// let [b, c] = [Point3::new(2.0, 0.0, 0.0), Point3::new(0.0, 2.0, 0.0)];
/// let triangle = Triangle::new(Point3::origin(), b, c)?;
/// assert_eq!(triangle.area(), 2.0);
/// assert_eq!(triangle.normal(), Some(Vector3::z_axis())); // from there the corners turn left
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Triangle<T: Scalar> {
    a: Point3<T>,
    b: Point3<T>,
    c: Point3<T>,
}

impl<T: Scalar> Triangle<T> {
    /// A triangle from its corners.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`], naming the corner.
    pub fn new(a: Point3<T>, b: Point3<T>, c: Point3<T>) -> Result<Self, Error> {
        for (index, corner) in [a, b, c].iter().enumerate() {
            check_coordinates(corner.coords.as_slice(), "corner", index)?;
        }
        Ok(Triangle { a, b, c })
    }

    /// An unchecked triangle, from corners of a valid shape.
    pub(crate) fn new_unchecked([a, b, c]: [Point3<T>; 3]) -> Self {
        Triangle { a, b, c }
    }

    /// The first corner.
    pub fn a(&self) -> Point3<T> {
        self.a
    }

    /// The second corner.
    pub fn b(&self) -> Point3<T> {
        self.b
    }

    /// The third corner.
    pub fn c(&self) -> Point3<T> {
        self.c
    }

    /// The three corners in order.
    pub fn corners(&self) -> [Point3<T>; 3] {
        [self.a, self.b, self.c]
    }

    /// The area, in square units.
    pub fn area(&self) -> T {
        T::nearest(self.wide().area())
    }

    /// The unit normal, on the side from which the corners are counter-clockwise; `None` if they
    /// are on one line.
    pub fn normal(&self) -> Option<Unit<Vector3<T>>> {
        let [a, b, c] = self.wide().corners;
        let normal = cross(sub(b, a), sub(c, a));
        let size = length(normal);
        (size > 0.0).then(|| {
            let unit = nearest_point(scale(normal, 1.0 / size));
            Unit::new_unchecked(unit.coords)
        })
    }

    /// Returns `true` if the point is at most `tolerance` away; a triangle has no interior.
    pub fn contains_within(&self, point: Point3<T>, tolerance: impl Into<f64>) -> bool {
        self.wide().distance(wide_point(point)) <= tolerance.into()
    }

    /// The point of the triangle nearest to `point`, rounded to `T`.
    /// Source: Ericson, Real-Time Collision Detection (2005), 5.1.5.
    pub fn closest_point(&self, point: Point3<T>) -> Point3<T> {
        nearest_point(self.wide().closest_point(wide_point(point)))
    }

    /// The corner farthest along `direction`, which need not be unit; the first for a tie.
    pub fn support(&self, direction: Vector3<T>) -> Point3<T> {
        let along = |p: Point3<T>| dot(wide_point(p), wide_point(direction.into()));
        let farther = |p, q| if along(q) > along(p) { q } else { p };
        farther(farther(self.a, self.b), self.c)
    }

    /// The smallest axis-aligned box around it, exactly.
    pub fn aabb(&self) -> Aabb<T, 3> {
        Aabb::from_points(self.corners())
    }

    /// The triangle moved by `pose`, rounded to `T`.
    ///
    /// # Errors
    /// The errors of any pose: [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::NotUnit`].
    pub fn transformed(&self, pose: &Pose<T>) -> Result<Self, Error> {
        let [a, b, c] = transformed_points(pose, self.corners())?;
        Triangle::new(a, b, c)
    }

    pub(crate) fn wide(&self) -> WideTriangle {
        WideTriangle::new(self.corners())
    }
}
