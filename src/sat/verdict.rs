//! Verdicts of the 15 axes in double precision: order, slack and masks.

use super::BoxPair;
use crate::num::{Scalar, set_bits};
use crate::shape::{Obb, WideObb};

/// Returns the slack of the deciding test of two boxes stored in `T` [length units].
#[inline(always)]
pub(crate) fn sat_tolerance<T: Scalar>(a: &WideObb, b: &WideObb) -> f64 {
    T::LEAF_SLACK * (a.radius() + b.radius())
}

/// Deciding test: returns `true` if the boxes overlap or touch, in double precision.
///
/// Never inlined: inlined into its callers it takes nearly twice as long (measured).
#[inline(never)]
#[cfg_attr(feature = "simd", cold)]
pub(crate) fn boxes_overlap<T: Scalar>(a: &Obb<T>, b: &Obb<T>) -> bool {
    let (first, second) = sorted_wide_boxes(a, b).0;
    !BoxPair::new(&first, &second).apart(sat_tolerance::<T>(&first, &second))
}

/// Returns the boxes in double precision, sorted by their bits, and whether that swapped them.
///
/// Inlined: as a call it doubles the time of a verdict.
#[inline(always)]
pub(crate) fn sorted_wide_boxes<T: Scalar>(a: &Obb<T>, b: &Obb<T>) -> ((WideObb, WideObb), bool) {
    let ([first, second], swapped) = sorted_boxes(a, b);
    ((first.wide(), second.wide()), swapped)
}

/// Like [`sorted_wide_boxes`], but returns the boxes as they are stored.
#[inline(always)]
pub(crate) fn sorted_boxes<'a, T: Scalar>(a: &'a Obb<T>, b: &'a Obb<T>) -> ([&'a Obb<T>; 2], bool) {
    let swapped = b.precedes(a);
    // Selected by index: the order is random, and a branch would be mispredicted half the time.
    let (pair, first) = ([a, b], usize::from(swapped));
    ([pair[first], pair[1 - first]], swapped)
}

/// Answers of a prefilter to up to 64 pairs, one bit a pair, the first pair lowest. Pairs in
/// neither mask are undecided and passed on to the deciding test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct SatMasks {
    /// Pairs that the deciding test would separate.
    pub apart: u64,
    /// Pairs that the deciding test would find overlapping. No bit is in both masks.
    pub overlapping: u64,
}

impl SatMasks {
    /// Moves bit `k` to the position of the `k`-th set bit of `of`.
    pub fn scatter(self, of: u64) -> Self {
        let mut spread = SatMasks::default();
        for (from, to) in set_bits(of).enumerate() {
            spread.apart |= (self.apart >> from & 1) << to;
            spread.overlapping |= (self.overlapping >> from & 1) << to;
        }
        spread
    }

    pub fn or(self, other: Self) -> Self {
        SatMasks {
            apart: self.apart | other.apart,
            overlapping: self.overlapping | other.overlapping,
        }
    }

    /// Returns both masks, restricted to the bits set in `of`.
    pub fn masked_by(self, of: u64) -> Self {
        SatMasks { apart: self.apart & of, overlapping: self.overlapping & of }
    }
}
