//! Sweeps: first contact, and its end, of shapes in straight motion.
//!
//! | moving | against | method |
//! |---|---|---|
//! | [`Aabb`](crate::shape::Aabb), any dimension | same | intersection of the intervals of the axes |
//! | [`Sphere`](crate::shape::Sphere), any dimension | same | chord of the sum of the radii |
//! | [`Sphere`](crate::shape::Sphere), any dimension | [`Aabb`](crate::shape::Aabb), and reversed | squared distance, piece by piece |
//! | [`Sphere`](crate::shape::Sphere) | [`Obb`](crate::shape::Obb), and reversed | squared distance in the frame of the box |
//! | [`Obb`](crate::shape::Obb) | same | intersection of the intervals of the 15 axes |
//! | [`Sphere`](crate::shape::Sphere), [`Capsule`](crate::shape::Capsule) | [`Triangle`](crate::shape::Triangle), [`Polygon3`](crate::shape::Polygon3), and reversed | chords of faces, edges, corners and ends |
//! | [`Sphere`](crate::shape::Sphere) | solid side of a [`Plane`](crate::shape::Plane), and reversed | height of the lowest point |
//!
//! Shapes of the plane are in [`planar`](crate::planar). Every shape against a plane, without a
//! contact point: [`Plane::sweep_solid`](crate::shape::Plane::sweep_solid),
//! [`Plane::sweep_surface`](crate::shape::Plane::sweep_surface).
//!
//! # Never late
//! Rounding only ever lengthens the interval of contact. A pair that truly touches is always
//! reported, and the time of impact is never later than the true first contact. It may be earlier:
//! then the shapes are no further apart than [`CastHit::slack`], so a pair that passes within the
//! slack may be reported too. The time of leaving is never too early.

mod aabb_aabb;
mod axis_times;
mod ball_box;
mod capsule_polygon;
mod motion;
mod obb_obb;
mod outline;
mod plane;
mod sphere_sphere;
mod time_span;
mod touching_features;

use nalgebra::SVector;

use super::results::CastHit;
use crate::num::Scalar;
#[cfg(feature = "levels")]
pub(crate) use capsule_polygon::{nearest_on_outline, sweep_to_outline};
pub(crate) use motion::{Motion, UnroundedHit, impact_time};
pub(crate) use time_span::{TimeSpan, chord};

/// Shape that can be swept against an `Other`.
///
/// ```
/// use boxwood::pair::Sweep;
/// use boxwood::shape::Aabb;
/// use nalgebra::{Point3, Vector3};
///
/// let cube = |x: f64| Aabb::new(Point3::new(x, 0.0, 0.0), Point3::new(x + 1.0, 1.0, 1.0));
/// let hit = cube(0.5).sweep(Vector3::new(-3.0, 0.0, 0.0), &cube(-1.0)).expect("in the way");
/// assert!((hit.time_of_impact - 1.0 / 6.0).abs() < 1e-15);
/// assert!((hit.time_of_leaving - 5.0 / 6.0).abs() < 1e-15);
/// ```
pub trait Sweep<T: Scalar, const D: usize, Other = Self> {
    /// Returns the first contact while `self` moves by `displacement` and `other` by
    /// `other_displacement`, both at constant speed. `None` if they never touch, or if a
    /// displacement is not finite or beyond [`Scalar::MAX_COORDINATE`].
    ///
    /// `other.sweep_both(other_displacement, self, displacement)` is the
    /// [reversed](CastHit::reversed) answer, bit for bit, except for two shapes of the same bits,
    /// which have no order.
    fn sweep_both(
        &self,
        displacement: SVector<T, D>,
        other: &Other,
        other_displacement: SVector<T, D>,
    ) -> Option<CastHit<T, D>>;

    /// Returns the first contact while `self` moves by `displacement` and `other` rests; touching
    /// counts, at the start and end too. `None` as for [`Sweep::sweep_both`].
    ///
    /// ```
    /// use boxwood::Aabb;
    /// use boxwood::nalgebra::{Point3, Vector3};
    /// use boxwood::pair::Sweep;
    ///
    /// let cube = |x: f32| Aabb::new(Point3::new(x, 0.0, 0.0), Point3::new(x + 1.0, 1.0, 1.0));
    /// let hit = cube(0.0).sweep(Vector3::new(4.0, 0.0, 0.0), &cube(3.0)).expect("in the way");
    /// assert!((hit.time_of_impact - 0.5).abs() < 1e-6); // half way
    /// assert!(cube(0.0).sweep(Vector3::new(-4.0, 0.0, 0.0), &cube(3.0)).is_none());
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    fn sweep(&self, displacement: SVector<T, D>, other: &Other) -> Option<CastHit<T, D>> {
        self.sweep_both(displacement, other, SVector::zeros())
    }
}
