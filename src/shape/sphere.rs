//! Spheres in space, circles in the plane.

use std::f64::consts::PI;

use nalgebra::{Point, SVector};

use super::{Aabb, Pose, transformed_points};
use crate::error::Error;
use crate::num::outward::{sum_at_least, sum_at_most};
use crate::num::{Scalar, check_coordinates, check_size};

/// A ball in space, a disc in the plane: all points within `radius` of `center`. Closed, solid; a
/// radius of zero makes a point.
///
/// ```
/// use boxwood::Sphere;
/// use boxwood::nalgebra::{Point3, Vector3};
///
/// let ball = Sphere::new(Point3::origin(), 2.0)?;
/// assert!(ball.contains(Point3::new(2.0, 0.0, 0.0))); // its surface belongs to it
/// assert_eq!(ball.closest_point(Point3::new(0.0, 5.0, 0.0)), Point3::new(0.0, 2.0, 0.0));
/// assert_eq!(ball.support(Vector3::z()), Point3::new(0.0, 0.0, 2.0));
/// assert!(Sphere::new(Point3::origin(), -2.0).is_err());
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sphere<T: Scalar, const D: usize> {
    center: Point<T, D>,
    radius: T,
}

impl<T: Scalar, const D: usize> Sphere<T, D> {
    /// A ball from its centre and radius, in one unit.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::Negative`] for the radius.
    pub fn new(center: Point<T, D>, radius: T) -> Result<Self, Error> {
        check_coordinates(center.coords.as_slice(), "center", 0)?;
        check_size(radius, "radius")?;
        Ok(Sphere { center, radius })
    }

    /// The centre.
    pub fn center(&self) -> Point<T, D> {
        self.center
    }

    /// The distance from the centre to the surface.
    pub fn radius(&self) -> T {
        self.radius
    }

    /// Returns `true` if the ball contains the point, its surface included, up to the rounding of
    /// `f64`.
    pub fn contains(&self, point: Point<T, D>) -> bool {
        let radius = self.radius.wide();
        squared(self.offset_to(point)) <= radius * radius
    }

    /// The point of the ball nearest to `point`, itself if inside; rounded to `T`.
    pub fn closest_point(&self, point: Point<T, D>) -> Point<T, D> {
        if self.contains(point) { point } else { self.on_surface(self.offset_to(point)) }
    }

    /// The point farthest along `direction`, which need not be unit; the centre for the zero
    /// direction.
    pub fn support(&self, direction: SVector<T, D>) -> Point<T, D> {
        self.on_surface(std::array::from_fn(|i| direction[i].wide()))
    }

    /// The smallest axis-aligned box around it, rounded outward.
    pub fn aabb(&self) -> Aabb<T, D> {
        let (center, radius) = (self.center.map(T::wide), self.radius.wide());
        let low = |i: usize, _| sum_at_most([center[i], -radius]);
        let high = |i: usize, _| sum_at_least(&[center[i], radius]);
        Aabb::new(Point::from(SVector::from_fn(low)), Point::from(SVector::from_fn(high)))
    }

    /// The vector from the centre to a point.
    fn offset_to(&self, point: Point<T, D>) -> [f64; D] {
        std::array::from_fn(|i| point[i].wide() - self.center[i].wide())
    }

    /// The surface point in a direction, the centre for the zero direction.
    fn on_surface(&self, direction: [f64; D]) -> Point<T, D> {
        let length = squared(direction).sqrt();
        let share = if length > 0.0 { self.radius.wide() / length } else { 0.0 };
        let at = |i: usize, _| T::nearest(self.center[i].wide() + direction[i] * share);
        Point::from(SVector::from_fn(at))
    }
}

impl<T: Scalar> Sphere<T, 3> {
    /// The volume.
    pub fn volume(&self) -> T {
        let radius = self.radius.wide();
        T::nearest(4.0 / 3.0 * PI * radius * radius * radius)
    }

    /// The ball moved by `pose`, its centre rounded to `T`.
    ///
    /// # Errors
    /// The errors of any pose: [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::NotUnit`].
    pub fn transformed(&self, pose: &Pose<T>) -> Result<Self, Error> {
        let [center] = transformed_points(pose, [self.center])?;
        Sphere::new(center, self.radius)
    }
}

impl<T: Scalar> Sphere<T, 2> {
    /// The area of the disc; named like the volume in space.
    pub fn volume(&self) -> T {
        T::nearest(PI * self.radius.wide() * self.radius.wide())
    }
}

fn squared<const D: usize>(v: [f64; D]) -> f64 {
    v.iter().fold(0.0, |sum, x| sum + x * x)
}
