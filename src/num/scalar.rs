//! The two scalars, and checks of their values.

use crate::error::Error;

/// Number type that geometry is stored in: `f32` or `f64`. Sealed.
///
/// Verdicts are computed in `f64` for both; [`tolerance`](super::tolerance) describes what stays
/// undecided.
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
pub trait Scalar: nalgebra::RealField + Copy + Default + Send + Sync + SealedScalar {
    /// Slack of the deciding SAT, as a share of the two boxes' sizes. See
    /// [`tolerance`](super::tolerance).
    const LEAF_SLACK: f64;
    /// Slack of the culling SAT on inner nodes, as a share of the two boxes' sizes. See
    /// [`tolerance`](super::tolerance).
    const INNER_SLACK: f64;
    /// Weight of the two parts' radii beside the size of their boxes in a slack. See
    /// [`tolerance`](super::tolerance).
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

impl Scalar for f32 {
    const LEAF_SLACK: f64 = super::tolerance::LEAF_SLACK_F32;
    const INNER_SLACK: f64 = super::tolerance::INNER_SLACK_F32;
    const REACH_SHARE: f64 = super::tolerance::REACH_SHARE_F32;
    const MAX_COORDINATE: f64 = super::tolerance::MAX_COORDINATE_F32;
    const ROUNDING: f64 = f32::EPSILON as f64 / 2.0;

    #[inline]
    fn wide(self) -> f64 {
        f64::from(self)
    }
    #[inline]
    fn nearest(value: f64) -> Self {
        value as f32
    }
    #[inline]
    fn at_least(value: f64) -> Self {
        let nearest = value as f32;
        // Branch-free next value up: bit patterns of negative numbers descend.
        let turn = |bits: i32| bits ^ ((bits >> 31) as u32 >> 1) as i32;
        let up = turn(nearest.to_bits() as i32) + i32::from(f64::from(nearest) < value);
        f32::from_bits(turn(up) as u32)
    }
    #[inline]
    fn bits(self) -> u64 {
        u64::from(self.to_bits())
    }
}

impl Scalar for f64 {
    const LEAF_SLACK: f64 = super::tolerance::LEAF_SLACK_F64;
    const INNER_SLACK: f64 = super::tolerance::INNER_SLACK_F64;
    const REACH_SHARE: f64 = super::tolerance::REACH_SHARE_F64;
    const MAX_COORDINATE: f64 = super::tolerance::MAX_COORDINATE_F64;
    const ROUNDING: f64 = f64::EPSILON / 2.0;

    #[inline]
    fn wide(self) -> f64 {
        self
    }
    #[inline]
    fn nearest(value: f64) -> Self {
        value
    }
    #[inline]
    fn at_least(value: f64) -> Self {
        value
    }
    #[inline]
    fn bits(self) -> u64 {
        self.to_bits()
    }
}

/// Rejects coordinates that are not finite or would overflow, naming `field` and `index`.
pub(crate) fn check_coordinates<T: Scalar>(
    coordinates: &[T],
    field: &'static str,
    index: usize,
) -> Result<(), Error> {
    coordinates.iter().try_for_each(|value| check_range::<T>(value.wide(), field, index))
}

/// Rejects a number that is not finite, or that would overflow as a coordinate of the type.
fn check_range<T: Scalar>(value: f64, field: &'static str, index: usize) -> Result<(), Error> {
    // The comparison is false for NaN.
    match value.abs() <= T::MAX_COORDINATE {
        true => Ok(()),
        false if !value.is_finite() => Err(Error::NotFinite { field, index }),
        false => Err(Error::OutOfRange { field, index, limit: T::MAX_COORDINATE }),
    }
}

/// Rounds a number to the type; rejects one that is not finite or would overflow, naming `field`.
pub(crate) fn checked_number<T: Scalar>(
    number: impl Into<f64>,
    field: &'static str,
    index: usize,
) -> Result<T, Error> {
    let number = number.into();
    check_range::<T>(number, field, index)?;
    Ok(T::nearest(number))
}

/// Returns a size in double precision; rejects one that is negative, not finite or would overflow
/// in the type, naming `field`.
pub(crate) fn checked_size<T: Scalar>(
    size: impl Into<f64>,
    field: &'static str,
) -> Result<f64, Error> {
    let size = size.into();
    check_range::<T>(size, field, 0)?;
    if size < 0.0 { Err(Error::Negative { field, index: 0 }) } else { Ok(size) }
}

/// Rejects a size that is negative, not finite or would overflow, naming `field`.
pub(crate) fn check_size<T: Scalar>(size: T, field: &'static str) -> Result<(), Error> {
    checked_size::<T>(size.wide(), field).map(drop)
}

/// Rejects a direction that is not finite or not of length one (within [`tolerance::UNIT`]), naming
/// `field`.
pub(crate) fn check_unit<T: Scalar>(
    direction: &nalgebra::Vector3<T>,
    field: &'static str,
) -> Result<(), Error> {
    check_unit_at(direction, field, 0)
}

/// Like [`check_unit`], for one of several directions.
pub(crate) fn check_unit_at<T: Scalar>(
    direction: &nalgebra::Vector3<T>,
    field: &'static str,
    index: usize,
) -> Result<(), Error> {
    check_coordinates(direction.as_slice(), field, index)?;
    let length = direction.map(T::wide).norm();
    if (length - 1.0).abs() > super::tolerance::UNIT {
        return Err(Error::NotUnit { field, index, length });
    }
    Ok(())
}

/// A function of either scalar, written by [`precompiled!`].
pub trait Precompiled {
    /// Arguments of the function.
    type Arguments<'a, T: Scalar>;
    /// Result of the function.
    type Output<T: Scalar>;
    /// Calls the function for `f32`.
    fn single(arguments: Self::Arguments<'_, f32>) -> Self::Output<f32>;
    /// Calls the function for `f64`.
    fn double(arguments: Self::Arguments<'_, f64>) -> Self::Output<f64>;
}

/// Restricts [`Scalar`] to `f32` and `f64`, and selects the function compiled for each.
pub trait SealedScalar: Sized {
    /// Calls `F` as compiled for this scalar.
    fn precompiled<F: Precompiled>(arguments: F::Arguments<'_, Self>) -> F::Output<Self>
    where
        Self: Scalar;
}

impl SealedScalar for f32 {
    #[inline]
    fn precompiled<F: Precompiled>(arguments: F::Arguments<'_, f32>) -> F::Output<f32> {
        F::single(arguments)
    }
}

impl SealedScalar for f64 {
    #[inline]
    fn precompiled<F: Precompiled>(arguments: F::Arguments<'_, f64>) -> F::Output<f64> {
        F::double(arguments)
    }
}
