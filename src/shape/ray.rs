//! Rays.

use nalgebra::{Point3, Unit, Vector3};

use crate::error::Error;
use crate::num::{Scalar, check_coordinates, check_unit};

/// All points `origin + direction * t` with `t >= 0`; `t` is a length, for the direction is unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ray<T: Scalar> {
    origin: Point3<T>,
    direction: Unit<Vector3<T>>,
}

impl<T: Scalar> Ray<T> {
    /// A ray from where it starts and where it goes.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::NotUnit`] for a direction that is not of length one.
    pub fn new(origin: Point3<T>, direction: Unit<Vector3<T>>) -> Result<Self, Error> {
        check_coordinates(origin.coords.as_slice(), "origin", 0)?;
        check_unit(&direction, "direction")?;
        Ok(Ray { origin, direction })
    }

    /// The ray from one point through another; `None` if they are the same.
    ///
    /// # Errors
    /// As [`Ray::new`].
    pub fn through(origin: Point3<T>, target: Point3<T>) -> Result<Option<Self>, Error> {
        check_coordinates(target.coords.as_slice(), "target", 0)?;
        let direction = Unit::try_new(target - origin, T::zero());
        direction.map(|direction| Ray::new(origin, direction)).transpose()
    }

    /// Where it starts.
    pub fn origin(&self) -> Point3<T> {
        self.origin
    }

    /// Where it goes: unit.
    pub fn direction(&self) -> Unit<Vector3<T>> {
        self.direction
    }

    /// The point at length `t`.
    pub fn at(&self, t: T) -> Point3<T> {
        self.origin + self.direction.into_inner() * t
    }
}
