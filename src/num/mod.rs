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

mod bits;
pub(crate) mod counting_sort;
pub(crate) mod exact;
pub(crate) mod gap;
pub(crate) mod linear;
pub(crate) mod outward;
mod precompiled;
#[cfg(feature = "internals")]
pub(crate) mod proof;
#[cfg(feature = "internals")]
mod random;
mod scalar;
pub(crate) mod scaling;
pub(crate) mod simd;
mod simd_level;
pub(crate) mod sorting;
mod split_mix;
pub mod tolerance;
pub(crate) mod vectors;

pub(crate) use bits::{Fingerprint, set_bits};
pub(crate) use precompiled::precompiled;
pub(crate) use scalar::Precompiled;
pub use scalar::Scalar;
pub(crate) use scalar::{
    check_coordinates, check_size, check_unit, check_unit_at, checked_number, checked_size,
};
pub use simd_level::SimdLevel;
pub(crate) use split_mix::SplitMix64;

collect_tests!(counting_sort, exact, linear, outward, scaling, sorting, vectors);
