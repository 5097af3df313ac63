//! Cylinders: discs moved along their axis.

use std::f64::consts::PI;

use nalgebra::{Point3, Unit, Vector3};

use super::{Aabb, Pose, nearest_point, rotated, transformed_points, wide_point};
use crate::error::Error;
use crate::num::linear::{Vec3, add, dot, length, scale, sub};
use crate::num::{Scalar, check_coordinates, check_size, check_unit, tolerance};

/// A cylinder: all points at most `half_height` along the axis from the disc of some radius around
/// the centre. Closed, solid. Radius and half height may be zero: a disc, a segment or a point.
///
/// ```
/// use boxwood::Cylinder;
/// use boxwood::nalgebra::{Point3, Vector3};
///
/// let drum = Cylinder::new(Point3::origin(), Vector3::z_axis(), 2.0, 1.0)?; // 4 high, 2 wide
/// let rim = Point3::new(1.0, 0.0, 2.0);
/// assert!(drum.contains(rim) && !drum.contains(2.0 * rim));
/// assert_eq!(drum.closest_point(Point3::new(5.0, 0.0, 1.5)), Point3::new(1.0, 0.0, 1.5));
/// assert_eq!(drum.support(Vector3::new(0.0, 3.0, 1.0)), Point3::new(0.0, 1.0, 2.0));
/// assert!(Cylinder::new(Point3::origin(), Vector3::z_axis(), 2.0, -1.0).is_err());
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cylinder<T: Scalar> {
    center: Point3<T>,
    axis: Unit<Vector3<T>>,
    half_height: T,
    radius: T,
}

impl<T: Scalar> Cylinder<T> {
    /// A cylinder from its centre, the direction of its axis, half its height and its radius, in
    /// one unit.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::Negative`] for half height and
    /// radius, [`Error::NotUnit`] for an axis further off than [`tolerance::UNIT`].
    pub fn new(
        center: Point3<T>,
        axis: Unit<Vector3<T>>,
        half_height: T,
        radius: T,
    ) -> Result<Self, Error> {
        check_coordinates(center.coords.as_slice(), "center", 0)?;
        check_unit(&axis, "axis")?;
        check_size(half_height, "half height")?;
        check_size(radius, "radius")?;
        let wide = wide_point(axis.into_inner().into());
        let unit = nearest_point::<T>(scale(wide, 1.0 / length(wide))).coords;
        Ok(Cylinder { center, axis: Unit::new_unchecked(unit), half_height, radius })
    }

    /// A cylinder as stored: its axis is kept bit for bit.
    ///
    /// # Errors
    /// The errors of [`Cylinder::new`].
    pub(crate) fn stored(
        center: Point3<T>,
        axis: Vector3<T>,
        half_height: T,
        radius: T,
    ) -> Result<Self, Error> {
        let axis = Unit::new_unchecked(axis);
        Ok(Cylinder { axis, ..Cylinder::new(center, axis, half_height, radius)? })
    }

    /// The centre.
    pub fn center(&self) -> Point3<T> {
        self.center
    }

    /// The direction of the axis.
    pub fn axis(&self) -> Unit<Vector3<T>> {
        self.axis
    }

    /// Half the height, along the axis.
    pub fn half_height(&self) -> T {
        self.half_height
    }

    /// The radius, across the axis.
    pub fn radius(&self) -> T {
        self.radius
    }

    /// Returns `true` if the cylinder contains the point, its surface included, up to the rounding
    /// of `f64`.
    pub fn contains(&self, point: Point3<T>) -> bool {
        let wide = self.wide();
        let (along, across) = wide.split_along_axis(sub(wide_point(point), wide.center));
        along.abs() <= wide.half_height && dot(across, across) <= wide.radius * wide.radius
    }

    /// The point of the cylinder nearest to `point`, itself if inside; rounded to `T`.
    pub fn closest_point(&self, point: Point3<T>) -> Point3<T> {
        match self.contains(point) {
            true => point,
            false => nearest_point(self.wide().closest_point(wide_point(point))),
        }
    }

    /// The point farthest along `direction`, which need not be unit; of several the middle one.
    pub fn support(&self, direction: Vector3<T>) -> Point3<T> {
        nearest_point(self.wide().support(wide_point(direction.into())))
    }

    /// The volume.
    pub fn volume(&self) -> T {
        let (half, radius) = (self.half_height.wide(), self.radius.wide());
        T::nearest(2.0 * PI * radius * radius * half)
    }

    /// The smallest axis-aligned box around it, rounded outward.
    ///
    /// Source: the half extent of a disc along an axis is its radius times the sine of the angle
    /// between that axis and the normal of the disc.
    pub fn aabb(&self) -> Aabb<T, 3> {
        let WideCylinder { center, axis, half_height, radius } = self.wide();
        let square = dot(axis, axis);
        let half = axis.map(|x| {
            let rest = (1.0 - x * x / square).max(0.0);
            half_height * x.abs() + radius * rest.sqrt()
        });
        let size = half_height + radius + length(center);
        Aabb::outward(center, half, size * tolerance::WORLD_BOX_PAD)
    }

    /// The cylinder moved by `pose`, rounded to `T`.
    ///
    /// # Errors
    /// The errors of any pose: [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::NotUnit`].
    pub fn transformed(&self, pose: &Pose<T>) -> Result<Self, Error> {
        let [center] = transformed_points(pose, [self.center])?;
        Cylinder::new(center, rotated(pose, self.axis)?, self.half_height, self.radius)
    }

    pub(crate) fn wide(&self) -> WideCylinder {
        WideCylinder {
            center: wide_point(self.center),
            axis: wide_point(self.axis.into_inner().into()),
            half_height: self.half_height.wide(),
            radius: self.radius.wide(),
        }
    }
}

/// A cylinder in double precision. Its axis is unit up to the rounding of its stored type: lengths
/// along it are in units of the axis, lengths across it in the caller's.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WideCylinder {
    pub center: Vec3,
    pub axis: Vec3,
    pub half_height: f64,
    pub radius: f64,
}

impl WideCylinder {
    /// Splits a vector into its length along the axis and its part across. Projects twice: for a
    /// vector nearly parallel to the axis the first projection leaves a rounding error along it.
    #[inline]
    fn split_along_axis(&self, v: Vec3) -> (f64, Vec3) {
        let square = dot(self.axis, self.axis);
        let along = dot(v, self.axis) / square;
        let across = sub(v, scale(self.axis, along));
        let rest = dot(across, self.axis) / square;
        (along + rest, sub(across, scale(self.axis, rest)))
    }

    /// The point farthest along `direction`; of several the middle one.
    #[inline]
    pub fn support(&self, direction: Vec3) -> Vec3 {
        let (along, across) = self.split_along_axis(direction);
        let height = match along {
            a if a > 0.0 => self.half_height,
            a if a < 0.0 => -self.half_height,
            _ => 0.0,
        };
        let end = add(self.center, scale(self.axis, height));
        let size = length(across);
        if size > 0.0 { add(end, scale(across, self.radius / size)) } else { end }
    }

    /// The closest point to `p`, itself if inside.
    pub fn closest_point(&self, p: Vec3) -> Vec3 {
        let (along, across) = self.split_along_axis(sub(p, self.center));
        let (size, half) = (length(across), self.half_height);
        let along = if along > half { half } else { along.max(-half) };
        let share = if size > self.radius { self.radius / size } else { 1.0 };
        add(self.center, add(scale(self.axis, along), scale(across, share)))
    }
}
