//! Ray casts.

use crate::error::Error;
use crate::num::{Scalar, check_size, checked_size};
use crate::scene::{CharacterKey, Scene};
use crate::shape::Ray;

/// A ray with a largest length, and a character that it passes through.
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
#[non_exhaustive]
pub struct RayCast<T: Scalar> {
    /// The start and the direction [world frame].
    pub ray: Ray<T>,
    /// The length of the ray, its end included [world units]; `None` for a ray without end.
    pub max_length: Option<T>,
    /// A character that this ray does not hit.
    pub excluded: Option<CharacterKey>,
}

impl<T: Scalar> RayCast<T> {
    /// Returns a ray of that length, rounded up [world units].
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::Negative`] for the length.
    pub fn new(ray: Ray<T>, max_length: impl Into<f64>) -> Result<Self, Error> {
        let max_length = Some(T::at_least(checked_size::<T>(max_length, "length")?));
        Ok(RayCast { max_length, ..RayCast::from(ray) })
    }

    /// Excludes one character, in addition to those that the
    /// [filter](crate::scene::QueryFilter::excluding) of the query excludes: rays of many shooters
    /// can share a [batch](crate::scene::Snapshot::ray_cast_batch), and none hits its shooter. A
    /// second call replaces the first.
    ///
    /// ```
    /// # boxwood::fixture_snapshot!(model, scene, red, blue at 3.0, buffers, now);
    /// use boxwood::{HitMode, QueryFilter, Ray, RayCast, RayHits};
    ///
    /// // Each shoots from its middle at the other.
    /// let (at_red, at_blue) = (Point3::origin(), Point3::new(3.0, 0.0, 0.0));
    /// let ray = |from, to| Ray::through(from, to).map(|ray| ray.expect("two points"));
    /// let shots = [
    ///     RayCast::from(ray(at_red, at_blue)?).excluding(red),
    ///     RayCast::from(ray(at_blue, at_red)?).excluding(blue),
    /// ];
    /// let mut hits = RayHits::new();
    /// now.ray_cast_batch(&shots, HitMode::Closest, &QueryFilter::all(), &mut hits)?;
    /// assert_eq!(hits.of(0)[0].target.character, blue);
    /// assert_eq!(hits.of(1)[0].target.character, red);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn excluding(mut self, character: CharacterKey) -> Self {
        self.excluded = Some(character);
        self
    }

    pub(super) fn check(&self, scene: &Scene<T>) -> Result<(), Error> {
        if let Some(key) = self.excluded {
            scene.character(key)?;
        }
        self.max_length.map_or(Ok(()), |length| check_size(length, "length"))
    }
}

impl<T: Scalar> From<Ray<T>> for RayCast<T> {
    fn from(ray: Ray<T>) -> Self {
        RayCast { ray, max_length: None, excluded: None }
    }
}
