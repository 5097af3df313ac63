//! Ray casts and their hits.

use crate::error::Error;
use crate::num::{Scalar, check_size};
use crate::shape::Ray;

/// A ray with a largest length.
///
/// ```
/// use boxwood::nalgebra::Point3;
/// use boxwood::{Ray, RayCast};
///
/// let ray = Ray::through(Point3::origin(), Point3::new(0.0, 0.0, 9.0))?.expect("two points");
/// assert_eq!(RayCast::from(ray).max_length, None); // without end
/// assert_eq!(RayCast::new(ray, 20.0)?.max_length, Some(20.0)); // a length, not a share
/// assert!(RayCast::new(ray, -1.0).is_err());
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RayCast<T: Scalar> {
    /// The start and the direction [world frame].
    pub ray: Ray<T>,
    /// The length of the ray, its end included [world units]; `None` for a ray without end.
    pub max_length: Option<T>,
}

impl<T: Scalar> RayCast<T> {
    /// Returns a ray of that length.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::Negative`] for the length.
    pub fn new(ray: Ray<T>, max_length: T) -> Result<Self, Error> {
        check_size(max_length, "length")?;
        Ok(RayCast { ray, max_length: Some(max_length) })
    }

    pub(super) fn check(&self) -> Result<(), Error> {
        self.max_length.map_or(Ok(()), |length| check_size(length, "length"))
    }
}

impl<T: Scalar> From<Ray<T>> for RayCast<T> {
    fn from(ray: Ray<T>) -> Self {
        RayCast { ray, max_length: None }
    }
}
