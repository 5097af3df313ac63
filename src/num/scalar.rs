//! The two scalars, and checks of their values.

use crate::error::Error;

/// Number type that geometry is stored in: `f32` or `f64`. Sealed.
///
/// Verdicts are computed in `f64` for both; [`tolerance`] describes what stays undecided.
///
/// ```
/// use boxwood::num::Scalar;
///
/// fn halved<T: Scalar>(value: T) -> T {
///     T::nearest(0.5 * value.wide()) // computed in f64, whatever T is
/// }
/// assert_eq!((halved(3.0_f32), halved(3.0_f64)), (1.5, 1.5));
/// assert!(f32::at_least(0.1).wide() >= 0.1); // rounded up
/// ```
pub trait Scalar:
    nalgebra::RealField + Copy + Default + Send + Sync + super::precompiled::SealedScalar
{
    /// Slack of the deciding SAT, as a share of the two boxes' sizes. See [`tolerance`].
    const LEAF_SLACK: f64;
    /// Slack of the culling SAT on inner nodes, as a share of the two boxes' sizes. See
    /// [`tolerance`].
    const INNER_SLACK: f64;
    /// Weight of the two parts' radii beside the size of their boxes in a slack. See [`tolerance`].
    const REACH_SHARE: f64;
    /// The largest coordinate or size accepted, so that no product overflows. Units.
    const MAX_COORDINATE: f64;
    /// The relative error of rounding to this type: half a unit in the last place.
    const ROUNDING: f64;
    /// `true` for single precision.
    const IS_SINGLE: bool = Self::ROUNDING > f32::EPSILON as f64 / 4.0;

    /// Converts to double precision, exactly.
    fn wide(self) -> f64;
    /// Rounds to the nearest value of this type.
    fn nearest(value: f64) -> Self;
    /// Rounds up, to the least value of this type that is not below `value`.
    fn at_least(value: f64) -> Self;
    /// Rounds down, to the greatest value of this type that is not above `value`.
    fn at_most(value: f64) -> Self {
        -Self::at_least(-value)
    }
    /// Returns the bit pattern, for ordering and hashing.
    fn bits(self) -> u64;
}

/// Rejects coordinates that are not finite or would overflow, naming `field` and `index`.
pub(crate) fn check_coordinates<T: Scalar>(
    coordinates: &[T],
    field: &'static str,
    index: usize,
) -> Result<(), Error> {
    for &value in coordinates {
        // The comparison is false for NaN.
        if value.wide().abs() <= T::MAX_COORDINATE {
            continue;
        }
        if !value.wide().is_finite() {
            return Err(Error::NotFinite { field, index });
        }
        return Err(Error::OutOfRange { field, index, limit: T::MAX_COORDINATE });
    }
    Ok(())
}

/// Rejects a size that is negative, not finite or would overflow, naming `field`.
pub(crate) fn check_size<T: Scalar>(size: T, field: &'static str) -> Result<(), Error> {
    check_coordinates(&[size], field, 0)?;
    if size.wide() < 0.0 { Err(Error::Negative { field, index: 0 }) } else { Ok(()) }
}

/// Rejects a direction that is not finite or not of length one (within [`tolerance::UNIT`]), naming
/// `field`.
pub(crate) fn check_unit<T: Scalar>(
    direction: &nalgebra::Vector3<T>,
    field: &'static str,
) -> Result<(), Error> {
    check_coordinates(direction.as_slice(), field, 0)?;
    let length = direction.map(T::wide).norm();
    if (length - 1.0).abs() > super::tolerance::UNIT {
        return Err(Error::NotUnit { field, index: 0, length });
    }
    Ok(())
}
