//! Sweeps of shapes against a plane.

use nalgebra::Vector3;

use super::{Bounded, Side};
use crate::error::Error;
use crate::num::linear::dot;
use crate::num::{Scalar, check_coordinates};
use crate::shape::{Plane, wide_point};

/// First contact of a moving shape with a plane.
///
/// ```
/// use boxwood::nalgebra::{Point3, Vector3};
/// use boxwood::{Plane, Sphere, pair::plane::Side};
///
/// let glass = Plane::new(Vector3::y_axis(), 0.0)?;
/// let ball = Sphere::new(Point3::new(0.0, -3.0, 0.0), 1.0)?;
/// let hit = glass.sweep_surface(&ball, Vector3::new(0.0, 4.0, 0.0))?.expect("it rises");
/// assert_eq!((hit.time, hit.from), (0.5, Side::Behind));
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlaneHit<T: Scalar> {
    /// Share of the step until then, in `0..=1`.
    pub time: T,
    /// Side that the shape comes from. Straddling, with time 0, if the start shares a point with
    /// the plane, or with the solid for a sweep against that.
    pub from: Side,
}

impl<T: Scalar> Plane<T> {
    /// Sweeps the shape by `step`, without rotation, against the plane from either side; `None` if
    /// they never share a point.
    ///
    /// With the distances `d0`, `d1` of a ball's centre at both ends of the step, the time is
    /// `(d0 - r) / (d0 - d1)` from the front and `(d0 + r) / (d0 - d1)` from behind. Other shapes
    /// use their lowest and highest points.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`] for the step.
    pub fn sweep_surface<S: Bounded<T>>(
        &self,
        shape: &S,
        step: Vector3<T>,
    ) -> Result<Option<PlaneHit<T>>, Error> {
        let (start, climb) = (self.heights(shape), self.height_change(step)?);
        Ok(match start.side() {
            Side::Straddling => Some(PlaneHit { time: T::zero(), from: Side::Straddling }),
            Side::Front => plane_hit(start.least, -climb, Side::Front),
            Side::Behind => plane_hit(-start.greatest, climb, Side::Behind),
        })
    }

    /// Sweeps the shape by `step`, without rotation, against the solid; `None` if they never share
    /// a point. A start in the solid, wholly or in part, has time 0.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`] for the step.
    ///
    /// ```
    /// use boxwood::nalgebra::{Point3, Vector3};
    /// use boxwood::{Plane, Sphere};
    ///
    /// let ground = Plane::new(Vector3::y_axis(), 0.0)?; // solid below y = 0
    /// let ball = Sphere::new(Point3::new(0.0, 3.0, 0.0), 1.0)?;
    /// let hit = ground.sweep_solid(&ball, Vector3::new(0.0, -4.0, 0.0))?.expect("it falls");
    /// assert_eq!(hit.time, 0.5); // a share of the step
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn sweep_solid<S: Bounded<T>>(
        &self,
        shape: &S,
        step: Vector3<T>,
    ) -> Result<Option<PlaneHit<T>>, Error> {
        let (start, climb) = (self.heights(shape), self.height_change(step)?);
        Ok(match start.side() {
            Side::Straddling | Side::Behind => {
                Some(PlaneHit { time: T::zero(), from: Side::Straddling })
            }
            Side::Front => plane_hit(start.least, -climb, Side::Front),
        })
    }

    /// Returns the change of height by the step.
    fn height_change(&self, step: Vector3<T>) -> Result<f64, Error> {
        check_coordinates(step.as_slice(), "step", 0)?;
        let wide = self.wide();
        Ok(dot(wide.normal, wide_point(step.into())) / wide.length)
    }
}

/// Returns the hit if a positive `gap` closes by `nearing`.
fn plane_hit<T: Scalar>(gap: f64, nearing: f64, from: Side) -> Option<PlaneHit<T>> {
    // Compared without a quotient: nearing may be zero, and an empty box is infinitely far away.
    (nearing >= gap && gap < f64::INFINITY)
        .then(|| PlaneHit { time: T::nearest(gap / nearing), from })
}
