//! Batch size and error bounds of the prefilters in single precision.

/// Number of pairs tested together.
pub(crate) const BATCH: usize = 64;

/// Separation that proves boxes disjoint, as a share of their sizes and distance: `128 u`.
pub(super) const SEPARATION_PAD: f32 = 1.0 / (1 << 17) as f32;

/// Reduction of the first box before the test for overlap, as a share of the sizes: `16 u`, times
/// the sine on edge axes.
pub(super) const EXTENT_PAD: f32 = 1.0 / (1 << 20) as f32;

/// Overlap that proves boxes of double precision overlapping, as a share of their sizes: `128 u`.
pub(super) const OVERLAP_PAD_F64: f32 = 1.0 / (1 << 17) as f32;

/// Pad of both proofs for boxes placed in single precision, as a share of their sizes: `512 u`.
pub(super) const POSED_PAD: f32 = 1.0 / (1 << 15) as f32;

/// Share of the centres' distances from their parts' origins in the offset error: `80 u`.
pub(super) const CENTER_ERROR: f32 = 40.0 * f32::EPSILON;

/// Share of the distance of the parts' origins in the offset error: `8 u`.
pub(super) const ORIGIN_ERROR: f32 = 4.0 * f32::EPSILON;

/// Least size that is tested here: products of smaller boxes underflow [length units].
pub(super) const MIN_SIZE: f64 = 1e-25;

/// Least size as a share of the distance from the origin: 2^-24, so that the rounding of centres,
/// some `2^-52` of the distance, is negligible.
pub(super) const MIN_RELATIVE_SIZE: f64 = 1.0 / (1u64 << 24) as f64;
