//! Rays with an end, and what they hit.

use nalgebra::{Point3, Vector3};

use crate::error::Error;
use crate::num::{Scalar, check_size};
use crate::scene::Site;
use crate::scene::way::Way;
use crate::shape::Ray;

/// A ray, and how far it reaches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Beam<T: Scalar> {
    /// Where it starts and goes.
    pub ray: Ray<T>,
    /// A length, its end included; `None` for a ray without end.
    pub length: Option<T>,
}

impl<T: Scalar> Beam<T> {
    /// A ray that ends at that length.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::Negative`] for the length.
    pub fn new(ray: Ray<T>, length: T) -> Result<Self, Error> {
        check_size(length, "length")?;
        Ok(Beam { ray, length: Some(length) })
    }

    pub(super) fn check(&self) -> Result<(), Error> {
        self.length.map_or(Ok(()), |length| check_size(length, "length"))
    }

    #[inline(always)]
    pub(super) fn way(&self) -> Way {
        let (from, along) = self.ray.wide();
        Way { from, along, end: self.length.map_or(f64::INFINITY, T::wide) }
    }
}

impl<T: Scalar> From<Ray<T>> for Beam<T> {
    fn from(ray: Ray<T>) -> Self {
        Beam { ray, length: None }
    }
}

/// What a ray hits, and where. World.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Strike<T: Scalar> {
    /// The box that is met, or whose primitive is; the root for a start inside a solid mesh. Of a part as a whole, the
    /// one met first.
    pub site: Site,
    /// How far along the ray: a length. Zero for a start inside.
    pub t: T,
    /// The point there.
    pub point: Point3<T>,
    /// Unit, against the ray: out of the box, or on the side of the triangle the ray comes from; back along the
    /// ray for a start inside.
    pub normal: Vector3<T>,
    /// Whether the ray starts in what it hits.
    pub started_inside: bool,
    /// The geometry is no further from the ray than this. World units.
    pub slack: T,
}
