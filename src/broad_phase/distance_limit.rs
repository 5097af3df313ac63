//! Upper limits on the distance of boxes.

use super::aabb16::{Aabb16, AabbF32, SquaredDistancesKernel, prefix_mask, within_mask};
use crate::num::linear::Vec3;
use crate::num::{Scalar, SimdLevel};
use crate::shape::{Aabb, wide_point};

/// An upper limit on the distance of boxes, prepared for comparison. World units.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DistanceLimit<T> {
    limit: f64,
    /// A squared distance of boxes above this, computed in `T`, is beyond the limit.
    limit_squared: T,
    /// Like `limit_squared`, in single precision.
    limit_squared_f32: f32,
}

/// Bound on the rounding of a squared distance in single precision, as a share of it: covers two
/// products, two sums and a difference, each less than `2^-23`.
const SQUARE_ROUNDING: f64 = 1.0 / (1 << 18) as f64;

/// Squared distance below which its products may underflow, which rounds them by more than a share.
const LEAST_SQUARE: f32 = 1e-30;

/// Returns a lower bound on a distance, given its square as single precision computes it, which may
/// be infinite.
#[inline(always)]
pub(super) fn lower_bound_of_squared(squared: f32) -> f64 {
    let squared = if squared > f32::MAX { f32::MAX } else { squared };
    if squared < LEAST_SQUARE { 0.0 } else { f64::from(squared).sqrt() * (1.0 - SQUARE_ROUNDING) }
}

/// Returns no less than the square, as single precision computes it, of the distance of any point
/// of one box from any of another, both rounded outward.
#[inline(always)]
pub(super) fn greatest_square(a: AabbF32, b: AabbF32) -> f32 {
    let ([a_min, a_max], [b_min, b_max]) = (a.corners(), b.corners());
    let far = |i: usize| (a_max[i] - b_min[i]).max(b_max[i] - a_min[i]);
    let (x, y, z) = (far(0), far(1), far(2));
    f32::at_least((x * x + y * y + z * z) * (1.0 + SQUARE_ROUNDING))
}

impl<T: Scalar> DistanceLimit<T> {
    pub fn new(limit: f64) -> Self {
        let squared = limit * limit * (1.0 + SQUARE_ROUNDING);
        DistanceLimit {
            limit,
            limit_squared: T::at_least(squared),
            limit_squared_f32: f32::at_least(squared),
        }
    }

    /// Returns the limit. [world units]
    #[inline(always)]
    pub fn value(&self) -> f64 {
        self.limit
    }

    /// Lowers the limit. Mostly it stays the same, and is not prepared again.
    #[inline(always)]
    pub fn lower_to(&mut self, limit: f64) {
        if limit != self.limit {
            *self = DistanceLimit::new(limit);
        }
    }

    /// Returns the lower bound [`distance_lower_bound`] on the boxes' distance, if within the
    /// limit.
    #[inline(always)]
    pub fn lower_bound_within(&self, a: &Aabb<T, 3>, b: &Aabb<T, 3>) -> Option<f64> {
        let lower_bound = distance_lower_bound(a, b);
        (lower_bound <= self.limit).then_some(lower_bound)
    }

    /// Like [`lower_bound_within`](Self::lower_bound_within), for boxes rounded outward.
    #[inline(always)]
    pub fn lower_bound_within_f32(&self, a: AabbF32, b: AabbF32) -> Option<f64> {
        let lower_bound = gap_length(a.corners(), b.corners());
        (lower_bound <= self.limit).then_some(lower_bound)
    }

    /// Returns `true` if the boxes are further apart. Rejects most pairs without a square root, and
    /// in single precision.
    #[inline(always)]
    pub fn exceeded_by(&self, a: &Aabb<T, 3>, b: &Aabb<T, 3>) -> bool {
        let ([p, q, r], [x, y, z]): ([T; 3], [T; 3]) = (a.min.coords.into(), a.max.coords.into());
        let ([i, j, k], [u, v, w]): ([T; 3], [T; 3]) = (b.min.coords.into(), b.max.coords.into());
        let (x, y, z) = (
            interval_distance(p, u, i, x),
            interval_distance(q, v, j, y),
            interval_distance(r, w, k, z),
        );
        x * x + y * y + z * z > self.limit_squared
    }

    /// Returns the greatest squared distance, in single precision, of boxes rounded outward that
    /// may be within the limit.
    #[inline(always)]
    pub fn squared_f32(&self) -> f32 {
        self.limit_squared_f32
    }

    /// Mask of the boxes, at most 64, that may be within the limit; they are rounded outward. Bits
    /// of empty boxes are unspecified.
    #[inline]
    pub fn within_mask(&self, simd: SimdLevel, one: AabbF32, others: &[Aabb16], len: usize) -> u64 {
        if self.limit_squared_f32 == f32::INFINITY {
            return prefix_mask(len);
        }
        within_mask(simd, one, others, len, self.limit_squared_f32)
    }

    /// Like [`DistanceLimit::within_mask`], and writes the squared distances of the boxes, as many
    /// as the blocks have. Bits and distances of empty boxes are unspecified.
    #[inline]
    pub fn squared_distances(
        &self,
        simd: SimdLevel,
        one: AabbF32,
        (many, len): (&[Aabb16], usize),
        squared: &mut [f32],
    ) -> u64 {
        let limit_squared = self.limit_squared_f32;
        simd.run(SquaredDistancesKernel { one, many, len, limit_squared, squared })
    }
}

/// Lower bound on the distance of two boxes.
fn distance_lower_bound<T: Scalar>(a: &Aabb<T, 3>, b: &Aabb<T, 3>) -> f64 {
    let corners = |aabb: &Aabb<T, 3>| [wide_point(aabb.min), wide_point(aabb.max)];
    gap_length(corners(a), corners(b))
}

/// Returns a lower bound on the distance of two boxes, given their corners.
#[inline(always)]
fn gap_length([a_min, a_max]: [Vec3; 2], [b_min, b_max]: [Vec3; 2]) -> f64 {
    let gap = |i: usize| interval_distance(a_min[i], b_max[i], b_min[i], a_max[i]);
    let (x, y, z) = (gap(0), gap(1), gap(2));
    (x * x + y * y + z * z).sqrt() * (1.0 - 1.0 / (1u64 << 48) as f64)
}

/// Distance of two intervals, `[a, d]` and `[c, b]`, along a coordinate; 0 if they overlap.
#[inline(always)]
fn interval_distance<T: Scalar>(a: T, b: T, c: T, d: T) -> T {
    let (above, below) = (a - b, c - d);
    let most = if below > above { below } else { above };
    if most > T::zero() { most } else { T::zero() }
}
