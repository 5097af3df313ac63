//! Sweeps of two moving shapes.

use nalgebra::SVector;

use crate::num::Scalar;
use crate::pair::results::CastHit;

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
    /// The mover is `self`, also where both move: [`CastHit::normal`] points out of `other`,
    /// towards `self`. The times are shares of both displacements.
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
    /// assert_eq!(hit.normal, -Vector3::x()); // out of the other cube, towards the mover
    /// assert!(cube(0.0).sweep(Vector3::new(-4.0, 0.0, 0.0), &cube(3.0)).is_none());
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    fn sweep(&self, displacement: SVector<T, D>, other: &Other) -> Option<CastHit<T, D>> {
        self.sweep_both(displacement, other, SVector::zeros())
    }
}
