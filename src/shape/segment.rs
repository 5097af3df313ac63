//! Line segments.

use nalgebra::{Point3, Vector3};

use super::{Aabb, Pose, closest_on_segment, nearest_point, transformed_points, wide_point};
use crate::error::Error;
use crate::num::linear::{Vec3, dot, length, sub};
use crate::num::{Scalar, check_coordinates};

/// A line segment: all points between two ends, the ends included. The ends may be one point.
///
/// ```
/// use boxwood::Segment;
/// use boxwood::nalgebra::Point3;
///
/// let pole = Segment::new(Point3::origin(), Point3::new(0.0, 3.0, 0.0))?;
/// assert_eq!(pole.length(), 3.0);
/// assert_eq!(pole.closest_point(Point3::new(1.0, 1.0, 0.0)), Point3::new(0.0, 1.0, 0.0));
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Segment<T: Scalar> {
    a: Point3<T>,
    b: Point3<T>,
}

impl<T: Scalar> Segment<T> {
    /// A segment from its two ends.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`].
    pub fn new(a: Point3<T>, b: Point3<T>) -> Result<Self, Error> {
        check_coordinates(a.coords.as_slice(), "end", 0)?;
        check_coordinates(b.coords.as_slice(), "end", 1)?;
        Ok(Segment { a, b })
    }

    /// A segment of one point of a valid shape, unchecked.
    pub(super) fn from_point(point: Point3<T>) -> Self {
        Segment { a: point, b: point }
    }

    /// The first end.
    pub fn a(&self) -> Point3<T> {
        self.a
    }

    /// The second end.
    pub fn b(&self) -> Point3<T> {
        self.b
    }

    /// The vector from the first end to the second, not normalised.
    pub fn direction(&self) -> Vector3<T> {
        self.b - self.a
    }

    /// The length.
    pub fn length(&self) -> T {
        let [a, b] = self.wide();
        T::nearest(length(sub(b, a)))
    }

    /// Returns `true` if the point is at most `tolerance` away; a segment has no interior.
    pub fn contains_within(&self, point: Point3<T>, tolerance: impl Into<f64>) -> bool {
        self.wide_distance(point) <= tolerance.into()
    }

    /// The point of the segment nearest to `point`, rounded to `T`. Source: Ericson, Real-Time
    /// Collision Detection (2005), 5.1.2.
    pub fn closest_point(&self, point: Point3<T>) -> Point3<T> {
        let [a, b] = self.wide();
        nearest_point(closest_on_segment(wide_point(point), a, b))
    }

    /// The end farther along `direction`, which need not be unit; the first for a tie.
    pub fn support(&self, direction: Vector3<T>) -> Point3<T> {
        let along = |p: Point3<T>| dot(wide_point(p), wide_point(direction.into()));
        if along(self.b) > along(self.a) { self.b } else { self.a }
    }

    /// The smallest axis-aligned box around it, exactly.
    pub fn aabb(&self) -> Aabb<T, 3> {
        Aabb::from_points([self.a, self.b])
    }

    /// The segment moved by `pose`, rounded to `T`.
    ///
    /// # Errors
    /// The errors of any pose: [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::NotUnit`].
    pub fn transformed(&self, pose: &Pose<T>) -> Result<Self, Error> {
        let [a, b] = transformed_points(pose, [self.a, self.b])?;
        Segment::new(a, b)
    }

    /// The ends in double precision.
    pub(crate) fn wide(&self) -> [Vec3; 2] {
        [wide_point(self.a), wide_point(self.b)]
    }

    /// The distance of a point, in double precision.
    pub(super) fn wide_distance(&self, point: Point3<T>) -> f64 {
        let ([a, b], p) = (self.wide(), wide_point(point));
        length(sub(p, closest_on_segment(p, a, b)))
    }
}
