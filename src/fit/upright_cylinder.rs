//! Upright cylinders around points.

use nalgebra::{Point2, Point3};

use crate::error::Error;
use crate::num::{Scalar, check_coordinates};
use crate::shape::{Sphere, UpAxis, UprightCylinder, nearest_point, wide_point};

impl<T: Scalar> UprightCylinder<T> {
    /// Fits an upright cylinder around points and returns it with its centre. It is as high as the
    /// points, and its axis is through the centre of the smallest disc around them seen from above.
    /// Rounded outward, so that every point is inside.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`], naming the point; [`Error::Empty`] without
    /// points.
    ///
    /// ```
    /// use boxwood::UprightCylinder;
    /// use boxwood::nalgebra::Point3;
    /// use boxwood::shape::UpAxis;
    ///
    /// let points = [Point3::new(1.0, 0.0, 0.0), Point3::new(-1.0, 0.0, 3.0)];
    /// let (body, center) = UprightCylinder::from_points(&points, UpAxis::Z)?;
    /// assert!(body.radius() >= 1.0 && body.radius() < 1.0001);
    /// assert_eq!((body.half_height(), center), (1.5, Point3::new(0.0, 0.0, 1.5)));
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn from_points(points: &[Point3<T>], up: UpAxis) -> Result<(Self, Point3<T>), Error> {
        for (index, point) in points.iter().enumerate() {
            check_coordinates(point.coords.as_slice(), "point", index)?;
        }
        let upright: Vec<[f64; 3]> =
            points.iter().map(|&point| up.to_z(wide_point(point))).collect();
        let flat: Vec<Point2<f64>> = upright.iter().map(|p| Point2::new(p[0], p[1])).collect();
        let disc = Sphere::from_points(&flat)?;
        let first = upright[0][2];
        let (low, high) = upright.iter().fold((first, first), |(low, high), p| {
            (if p[2] < low { p[2] } else { low }, if p[2] > high { p[2] } else { high })
        });
        let middle = [disc.center().x, disc.center().y, 0.5 * (low + high)];
        let center = nearest_point(up.undo_to_z(middle));
        // Measured from the rounded centre.
        let at = up.to_z(wide_point(center));
        let (mut radius, mut half_height) = (0.0, 0.0);
        for p in &upright {
            let side = ((p[0] - at[0]) * (p[0] - at[0]) + (p[1] - at[1]) * (p[1] - at[1])).sqrt();
            radius = if side > radius { side } else { radius };
            let rise = (p[2] - at[2]).abs();
            half_height = if rise > half_height { rise } else { half_height };
        }
        let radius = T::at_least(radius * (1.0 + 4.0 * f64::EPSILON));
        Ok((UprightCylinder::new(radius, T::at_least(half_height))?, center))
    }
}
