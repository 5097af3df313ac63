//! Scalar types, rounding, tolerances, and the double-precision arithmetic that decides every
//! verdict.
//!
//! Public are [`Scalar`], the number type that geometry is stored in, [`SimdLevel`] and the
//! constants of [`tolerance`]. The rest is for this crate:
//!
//! - `linear`: vectors and matrices in one fixed order of operations. Read it first.
//! - `simd`: lanes, over which kernels are generic; `vectors`: vectors of lanes of `f32`.
//! - `exact`: sums and products without rounding. `outward`: sums rounded outward.
//! - `scaling`, `sorting`, `precompiled`: what several modules share.

pub(crate) mod exact;
pub(crate) mod linear;
pub(crate) mod outward;
mod precompiled;
#[cfg(test)]
pub(crate) mod random;
pub(crate) mod scaling;
pub(crate) mod simd;
mod simd_level;
pub(crate) mod sorting;
pub mod tolerance;
pub(crate) mod vectors;

pub(crate) use precompiled::{Precompiled, precompiled};
pub use simd_level::SimdLevel;

use crate::error::Error;

/// Returns the indices of the set bits, ascending.
#[inline(always)]
pub(crate) fn set_bits(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let index = bits.trailing_zeros();
        (index < u64::BITS).then(|| {
            bits &= bits - 1;
            index as usize
        })
    })
}

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
    nalgebra::RealField + Copy + Default + Send + Sync + precompiled::SealedScalar
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

impl Scalar for f32 {
    const LEAF_SLACK: f64 = tolerance::LEAF_SLACK_F32;
    const INNER_SLACK: f64 = tolerance::INNER_SLACK_F32;
    const REACH_SHARE: f64 = tolerance::REACH_SHARE_F32;
    const MAX_COORDINATE: f64 = tolerance::MAX_COORDINATE_F32;
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
    const LEAF_SLACK: f64 = tolerance::LEAF_SLACK_F64;
    const INNER_SLACK: f64 = tolerance::INNER_SLACK_F64;
    const REACH_SHARE: f64 = tolerance::REACH_SHARE_F64;
    const MAX_COORDINATE: f64 = tolerance::MAX_COORDINATE_F64;
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
    if (length - 1.0).abs() > tolerance::UNIT {
        return Err(Error::NotUnit { field, index: 0, length });
    }
    Ok(())
}

/// A 64-bit hash, equal on all machines. A word is added by exclusive or, then multiplication by an
/// odd number, then folding the high half into the low one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fingerprint(u64);

impl Default for Fingerprint {
    fn default() -> Self {
        Fingerprint(0xcbf2_9ce4_8422_2325)
    }
}

impl Fingerprint {
    pub fn add(&mut self, word: u64) {
        let mixed = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }

    /// Adds the length and every byte of a text.
    pub fn add_text(&mut self, text: &str) {
        self.add(text.len() as u64);
        text.bytes().for_each(|byte| self.add(u64::from(byte)));
    }

    pub fn value(self) -> u64 {
        self.0
    }
}
