//! Rays: half-lines with a unit direction.

use nalgebra::{Point3, Unit, Vector3};

use super::{Aabb, Pose, nearest_point, rotated, transformed_points, wide_point};
use crate::error::Error;
use crate::num::linear::{Vec3, add, dot, length, scale, sub};
use crate::num::{Scalar, check_coordinates, check_unit};

/// A ray: all points `origin + direction * t` with `t >= 0`. The direction is unit, so `t` is a
/// length.
///
/// ```
/// use boxwood::Ray;
/// use boxwood::nalgebra::{Point3, Vector3};
///
/// let down = Ray::new(Point3::new(0.0, 5.0, 0.0), -Vector3::y_axis())?;
/// assert_eq!(down.at(2.0), Point3::new(0.0, 3.0, 0.0)); // a length
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ray<T: Scalar> {
    origin: Point3<T>,
    direction: Unit<Vector3<T>>,
}

impl<T: Scalar> Ray<T> {
    /// A ray from its origin and its unit direction.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::NotUnit`] for a direction that is not
    /// of length one.
    pub fn new(origin: Point3<T>, direction: Unit<Vector3<T>>) -> Result<Self, Error> {
        check_coordinates(origin.coords.as_slice(), "origin", 0)?;
        check_unit(&direction, "direction")?;
        Ok(Ray { origin, direction })
    }

    /// The ray from one point through another; `None` if they are equal.
    ///
    /// # Errors
    /// The errors of [`Ray::new`].
    ///
    /// ```
    /// use boxwood::Ray;
    /// use boxwood::nalgebra::{Point3, Vector3};
    ///
    /// let ray = Ray::through(Point3::origin(), Point3::new(0.0, 0.0, 7.0))?.expect("two points");
    /// assert_eq!(ray.direction(), Vector3::z_axis()); // unit, and without end
    /// assert_eq!(Ray::through(Point3::<f32>::origin(), Point3::origin())?, None);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn through(origin: Point3<T>, target: Point3<T>) -> Result<Option<Self>, Error> {
        check_coordinates(origin.coords.as_slice(), "origin", 0)?;
        check_coordinates(target.coords.as_slice(), "target", 0)?;
        // No square of a difference in range overflows in double precision; division by the largest
        // component prevents squares of tiny ones from vanishing.
        let way = sub(wide_point(target), wide_point(origin));
        let most = way.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        if most == 0.0 {
            return Ok(None);
        }
        let way = way.map(|x| x / most);
        let unit = nearest_point(scale(way, 1.0 / length(way))).coords;
        Ray::new(origin, Unit::new_unchecked(unit)).map(Some)
    }

    /// The origin.
    pub fn origin(&self) -> Point3<T> {
        self.origin
    }

    /// The unit direction.
    pub fn direction(&self) -> Unit<Vector3<T>> {
        self.direction
    }

    /// The point at length `t`.
    pub fn at(&self, t: impl Into<f64>) -> Point3<T> {
        self.origin + self.direction.into_inner() * T::nearest(t.into())
    }

    /// Returns `true` if the point is at most `tolerance` away; a ray has no interior.
    pub fn contains_within(&self, point: Point3<T>, tolerance: impl Into<f64>) -> bool {
        let p = wide_point(point);
        length(sub(p, self.nearest(p))) <= tolerance.into()
    }

    /// The point of the ray nearest to `point`, rounded to `T`.
    pub fn closest_point(&self, point: Point3<T>) -> Point3<T> {
        nearest_point(self.nearest(wide_point(point)))
    }

    /// The smallest axis-aligned box around it, exactly: infinite along the direction.
    pub fn aabb(&self) -> Aabb<T, 3> {
        let mut bounds = Aabb::new(self.origin, self.origin);
        let infinity = T::nearest(f64::INFINITY);
        for i in 0..3 {
            if self.direction[i] > T::zero() {
                bounds.max[i] = infinity;
            } else if self.direction[i] < T::zero() {
                bounds.min[i] = -infinity;
            }
        }
        bounds
    }

    /// The ray moved by `pose`, rounded to `T`.
    ///
    /// # Errors
    /// The errors of any pose: [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::NotUnit`].
    pub fn transformed(&self, pose: &Pose<T>) -> Result<Self, Error> {
        let [origin] = transformed_points(pose, [self.origin])?;
        Ray::new(origin, rotated(pose, self.direction)?)
    }

    /// Origin and direction in double precision.
    pub(crate) fn wide(&self) -> (Vec3, Vec3) {
        (wide_point(self.origin), wide_point(self.direction.into_inner().into()))
    }

    fn nearest(&self, p: Vec3) -> Vec3 {
        let (origin, direction) = self.wide();
        // A stored direction is unit up to rounding only.
        let t = dot(sub(p, origin), direction) / dot(direction, direction);
        if t > 0.0 { add(origin, scale(direction, t)) } else { origin }
    }
}
