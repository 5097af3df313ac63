//! Spheres in space, circles in the plane.

use nalgebra::Point;

use crate::error::Error;
use crate::num::{Scalar, check_coordinates, check_size};

/// All points within `radius` of `center`: a solid ball, in the plane a disc. Closed; a radius of zero makes a point.
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

    /// The middle.
    pub fn center(&self) -> Point<T, D> {
        self.center
    }

    /// The distance from the middle to the surface.
    pub fn radius(&self) -> T {
        self.radius
    }
}
