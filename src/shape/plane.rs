//! Planes and half-spaces.

use nalgebra::{Point3, Unit, Vector3};

use super::{Pose, nearest_point, rotated, wide_point};
use crate::error::Error;
use crate::num::linear::{Vec3, dot, length, scale, sub};
use crate::num::{Scalar, check_coordinates, check_unit};

/// A plane: all points with `normal . x = offset`; as a solid (a half-space) all points with
/// `normal . x <= offset`.
///
/// The normal is unit and points out of the solid; the offset is in the caller's unit.
///
/// ```
/// use boxwood::Plane;
/// use boxwood::nalgebra::{Point3, Vector3};
///
/// let ground = Plane::new(Vector3::y_axis(), 1.0)?; // y = 1; solid below
/// assert_eq!(ground.distance(Point3::new(0.0, 3.0, 0.0)), 2.0); // in front
/// assert_eq!(ground.distance(Point3::origin()), -1.0); // in the solid
/// assert!(ground.contains(Point3::origin()) && !ground.flipped().contains(Point3::origin()));
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plane<T: Scalar> {
    normal: Unit<Vector3<T>>,
    offset: T,
}

impl<T: Scalar> Plane<T> {
    /// A plane from its unit normal and its offset along it from the origin.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::NotUnit`] for a normal that is not of
    /// length one.
    pub fn new(normal: Unit<Vector3<T>>, offset: T) -> Result<Self, Error> {
        check_unit(&normal, "normal")?;
        check_coordinates(&[offset], "offset", 0)?;
        Ok(Plane { normal, offset })
    }

    /// The unit normal, pointing out of the solid.
    pub fn normal(&self) -> Unit<Vector3<T>> {
        self.normal
    }

    /// The signed distance of the plane from the origin along the normal; negative behind it.
    pub fn offset(&self) -> T {
        self.offset
    }

    /// The plane through a point with this normal.
    ///
    /// # Errors
    /// The errors of [`Plane::new`].
    ///
    /// ```
    /// use boxwood::Plane;
    /// use boxwood::nalgebra::{Point3, Vector3};
    ///
    /// let wall = Plane::through(Point3::new(4.0, 7.0, 9.0), Vector3::x_axis())?;
    /// assert_eq!(wall.offset(), 4.0);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn through(point: Point3<T>, normal: Unit<Vector3<T>>) -> Result<Self, Error> {
        check_coordinates(point.coords.as_slice(), "point", 0)?;
        let offset = dot(wide_point(point), wide_point(normal.into_inner().into()));
        Plane::new(normal, T::nearest(offset))
    }

    /// The plane with its other side solid.
    pub fn flipped(&self) -> Self {
        Plane { normal: -self.normal, offset: -self.offset }
    }

    /// The signed distance of the point: positive in front of the plane, out of the solid; negative
    /// behind it, in the solid.
    ///
    /// The length of the stored normal, which is unit only up to rounding, is divided out. Computed
    /// in `f64` at the size of the coordinates, then rounded to `T`.
    pub fn distance(&self, point: Point3<T>) -> T {
        T::nearest(self.wide().height(wide_point(point)))
    }

    /// Returns `true` if the solid contains the point, its surface included, up to the rounding of
    /// `f64`.
    pub fn contains(&self, point: Point3<T>) -> bool {
        self.wide().height(wide_point(point)) <= 0.0
    }

    /// Returns `true` if the point is at most `tolerance` away from the plane, on either side.
    pub fn contains_within(&self, point: Point3<T>, tolerance: impl Into<f64>) -> bool {
        self.wide().height(wide_point(point)).abs() <= tolerance.into()
    }

    /// The point of the solid nearest to `point`, itself if inside; rounded to `T`.
    pub fn closest_point(&self, point: Point3<T>) -> Point3<T> {
        if self.contains(point) { point } else { self.projected(point) }
    }

    /// The point of the plane itself nearest to `point`, from either side; rounded to `T`.
    pub fn projected(&self, point: Point3<T>) -> Point3<T> {
        let (wide, p) = (self.wide(), wide_point(point));
        nearest_point(sub(p, scale(wide.normal, wide.height(p) / wide.length)))
    }

    /// The plane moved by `pose`, rounded to `T`.
    ///
    /// # Errors
    /// The errors of any pose: [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::NotUnit`].
    pub fn transformed(&self, pose: &Pose<T>) -> Result<Self, Error> {
        let normal = rotated(pose, self.normal)?;
        let shift = dot(pose_shift(pose), wide_point(normal.into_inner().into()));
        Plane::new(normal, T::nearest(self.offset.wide() + shift))
    }

    pub(crate) fn wide(&self) -> WidePlane {
        let normal = wide_point(self.normal.into_inner().into());
        WidePlane { normal, length: length(normal), offset: self.offset.wide() }
    }
}

fn pose_shift<T: Scalar>(pose: &Pose<T>) -> Vec3 {
    wide_point(pose.translation.vector.into())
}

/// A plane in double precision, as stored.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WidePlane {
    /// The stored normal, unit up to the rounding of its type.
    pub normal: Vec3,
    /// The length of the normal.
    pub length: f64,
    pub offset: f64,
}

impl WidePlane {
    /// The signed distance of a point.
    #[inline]
    pub fn height(&self, p: Vec3) -> f64 {
        (dot(self.normal, p) - self.offset) / self.length
    }
}
