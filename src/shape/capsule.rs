//! Capsules: segments with a radius.

use std::f64::consts::PI;

use nalgebra::{Point3, Vector3};

use super::{Aabb, Pose, Segment, Sphere, closest_on_segment, nearest_point, wide_point};
use crate::error::Error;
use crate::num::linear::{Vec3, add, length, scale, sub};
use crate::num::outward::{sum_at_least, sum_at_most};
use crate::num::{Scalar, check_size};

/// A capsule: all points within `radius` of a segment. Closed, solid; a segment of one point makes
/// a ball, a radius of zero the segment.
///
/// ```
/// use boxwood::nalgebra::Point3;
/// use boxwood::{Capsule, Segment};
///
/// let spine = Segment::new(Point3::new(0.0, 0.5, 0.0), Point3::new(0.0, 1.5, 0.0))?;
/// let body = Capsule::new(spine, 0.5)?; // 2 units high: the radius reaches beyond both ends
/// assert!(body.contains(Point3::origin()) && body.contains(Point3::new(0.0, 2.0, 0.0)));
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Capsule<T: Scalar> {
    segment: Segment<T>,
    radius: T,
}

impl<T: Scalar> Capsule<T> {
    /// A capsule from its core segment and its radius, in one unit.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::Negative`] for the radius.
    pub fn new(segment: Segment<T>, radius: T) -> Result<Self, Error> {
        check_size(radius, "radius")?;
        Ok(Capsule { segment, radius })
    }

    /// The core segment.
    pub fn segment(&self) -> Segment<T> {
        self.segment
    }

    /// The distance from the segment to the surface.
    pub fn radius(&self) -> T {
        self.radius
    }

    /// Returns `true` if the capsule contains the point, its surface included, up to the rounding
    /// of `f64`.
    pub fn contains(&self, point: Point3<T>) -> bool {
        self.segment.wide_distance(point) <= self.radius.wide()
    }

    /// The point of the capsule nearest to `point`, itself if inside; rounded to `T`.
    pub fn closest_point(&self, point: Point3<T>) -> Point3<T> {
        let ([a, b], p) = (self.segment.wide(), wide_point(point));
        let middle = closest_on_segment(p, a, b);
        let offset = sub(p, middle);
        let inside = length(offset) <= self.radius.wide();
        if inside { point } else { nearest_point(self.surface_point(middle, offset)) }
    }

    /// The point farthest along `direction`, which need not be unit; at the first end for a tie.
    pub fn support(&self, direction: Vector3<T>) -> Point3<T> {
        let end = wide_point(self.segment.support(direction));
        nearest_point(self.surface_point(end, wide_point(direction.into())))
    }

    /// The volume.
    pub fn volume(&self) -> T {
        let [a, b] = self.segment.wide();
        let radius = self.radius.wide();
        T::nearest(PI * radius * radius * (length(sub(b, a)) + 4.0 / 3.0 * radius))
    }

    /// The smallest axis-aligned box around it, rounded outward.
    pub fn aabb(&self) -> Aabb<T, 3> {
        let (ends, radius) = (self.segment.aabb(), self.radius.wide());
        Aabb::new(
            ends.min.map(|x| sum_at_most([x.wide(), -radius])),
            ends.max.map(|x| sum_at_least(&[x.wide(), radius])),
        )
    }

    /// The capsule moved by `pose`, its ends rounded to `T`.
    ///
    /// # Errors
    /// The errors of any pose: [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::NotUnit`].
    pub fn transformed(&self, pose: &Pose<T>) -> Result<Self, Error> {
        Capsule::new(self.segment.transformed(pose)?, self.radius)
    }

    /// The surface point in a direction from `middle`, a point of the segment; `middle` itself for
    /// the zero direction.
    fn surface_point(&self, middle: Vec3, direction: Vec3) -> Vec3 {
        let size = length(direction);
        let share = if size > 0.0 { self.radius.wide() / size } else { 0.0 };
        add(middle, scale(direction, share))
    }
}

impl<T: Scalar> From<Segment<T>> for Capsule<T> {
    /// The segment as a capsule of radius zero.
    fn from(segment: Segment<T>) -> Self {
        Capsule { segment, radius: T::zero() }
    }
}

impl<T: Scalar> From<Sphere<T, 3>> for Capsule<T> {
    /// The ball as a capsule with both ends in its centre.
    fn from(ball: Sphere<T, 3>) -> Self {
        Capsule { segment: Segment::from_point(ball.center()), radius: ball.radius() }
    }
}
