//! Segments.

use nalgebra::{Point3, Vector3};

use crate::error::Error;
use crate::num::{Scalar, check_coordinates};

/// All points between two ends, the ends included. The ends may be one point.
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

    /// The first end.
    pub fn a(&self) -> Point3<T> {
        self.a
    }

    /// The second end.
    pub fn b(&self) -> Point3<T> {
        self.b
    }

    /// From the first end to the second, not normalised.
    pub fn direction(&self) -> Vector3<T> {
        self.b - self.a
    }
}
