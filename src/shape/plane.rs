//! Planes, and the solid side of them.

use nalgebra::{Point3, Unit, Vector3};

use crate::error::Error;
use crate::num::{Scalar, check_coordinates, check_unit};

/// All points with `normal . x = offset`; as a solid (a half-space) all with `normal . x <= offset`.
///
/// The normal is unit and points out of the solid; the offset is in the caller's unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plane<T: Scalar> {
    normal: Unit<Vector3<T>>,
    offset: T,
}

impl<T: Scalar> Plane<T> {
    /// A plane from its unit normal and its offset along it from the origin.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::NotUnit`] for a normal that is not of length one.
    pub fn new(normal: Unit<Vector3<T>>, offset: T) -> Result<Self, Error> {
        check_unit(&normal, "normal")?;
        check_coordinates(&[offset], "offset", 0)?;
        Ok(Plane { normal, offset })
    }

    /// Out of the solid; unit.
    pub fn normal(&self) -> Unit<Vector3<T>> {
        self.normal
    }

    /// How far the plane is from the origin along the normal; negative behind it.
    pub fn offset(&self) -> T {
        self.offset
    }

    /// The plane through `point`.
    ///
    /// # Errors
    /// As [`Plane::new`].
    pub fn through(point: Point3<T>, normal: Unit<Vector3<T>>) -> Result<Self, Error> {
        check_coordinates(point.coords.as_slice(), "point", 0)?;
        Plane::new(normal, normal.dot(&point.coords))
    }
}
