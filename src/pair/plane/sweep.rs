//! Sweeps of shapes against a plane.

use nalgebra::Vector3;

use super::{Bounded, Side};
use crate::error::Error;
use crate::num::linear::dot;
use crate::num::{Scalar, check_coordinates};
use crate::shape::{Plane, wide_point};

/// The time at which a moving shape reaches a plane.
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
    /// The share of the step until then, in `0..=1`.
    pub time: T,
    /// The side it comes from; straddling if it shares a point with the plane, or is in the solid
    /// asked about, at once: then the time is 0.
    pub from: Side,
}

impl<T: Scalar> Plane<T> {
    /// When the shape, moved by `step` without turning, first shares a point with the plane, from
    /// whichever side it comes; `None` if it does not.
    ///
    /// With `d0`, `d1` the distances of a ball's centre at both ends of the step,
    /// `(d0 - r) / (d0 - d1)` from the front and `(d0 + r) / (d0 - d1)` from behind; so for every
    /// shape with its lowest and its highest point.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::OutOfRange`] for the step.
    pub fn sweep_surface<S: Bounded<T>>(
        &self,
        shape: &S,
        step: Vector3<T>,
    ) -> Result<Option<PlaneHit<T>>, Error> {
        let (start, climb) = (self.heights(shape), self.climb(step)?);
        Ok(match start.side() {
            Side::Straddling => Some(PlaneHit { time: T::zero(), from: Side::Straddling }),
            Side::Front => arrival(start.least, -climb, Side::Front),
            Side::Behind => arrival(-start.greatest, climb, Side::Behind),
        })
    }

    /// When the shape, moved by `step` without turning, first shares a point with the solid; `None`
    /// if it does not. Who is in the solid, wholly or in part, is there at once.
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
        let (start, climb) = (self.heights(shape), self.climb(step)?);
        Ok(match start.side() {
            Side::Straddling | Side::Behind => {
                Some(PlaneHit { time: T::zero(), from: Side::Straddling })
            }
            Side::Front => arrival(start.least, -climb, Side::Front),
        })
    }

    /// How much farther in front the step leads.
    fn climb(&self, step: Vector3<T>) -> Result<f64, Error> {
        check_coordinates(step.as_slice(), "step", 0)?;
        let wide = self.wide();
        Ok(dot(wide.normal, wide_point(step.into())) / wide.length)
    }
}

/// Whether a positive `gap` closes by `nearing`, and when.
fn arrival<T: Scalar>(gap: f64, nearing: f64, from: Side) -> Option<PlaneHit<T>> {
    // Without a quotient first: nearing may be zero, and an empty box is infinitely far away.
    (nearing >= gap && gap < f64::INFINITY)
        .then(|| PlaneHit { time: T::nearest(gap / nearing), from })
}
