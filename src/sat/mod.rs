//! Separating-axis tests (SAT) of oriented boxes, and of boxes against other convex bodies.
//!
//! Two boxes are apart iff one of 15 axes separates them: the three face normals of each, and the
//! nine cross products of their edges. Along an axis the *distance* is that of the centres, the
//! *reach* what the boxes cover together, the *excess* the distance less the reach: positive where
//! the axis separates them. All are times the length of the axis, which for an edge axis is the
//! sine `k` between the edges. Sources: Gottschalk, Lin, Manocha, OBBTree (1996); Ericson,
//! Real-Time Collision Detection (2005), 4.4.1. Letters: `R` the rotation of B seen from A, `t` the
//! centre of B seen from A, `a` and `b` the half extents.
//!
//! | what | where |
//! |---|---|
//! | kernel 1: pairs across lanes, one axis after another | [`BoxPair`] |
//! | kernel 2: axes across lanes, one pair | [`ThreeAxes`] |
//! | axis of least overlap, for contacts, by either kernel | [`LeastOverlap`] |
//! | `f32` prefilter: pairs of boxes in a queue, or one pair | [`prefilter`] |
//! | `f32`, up to 8 boxes of a part against 8 of another, one rotation | [`eight_boxes`] |
//! | `f32`, oriented boxes of two parts, pair by pair | [`oriented_pairs`] |
//! | `f32`, when shifted boxes of two wide nodes touch | [`box_slabs`] |
//! | `f32`, when shifted oriented boxes touch, pair by pair | [`oriented_slabs`] |
//! | when shifted triangles and boxes touch, eight pairs at once | [`primitive_slabs`] |
//! | any convex polytopes by their corners: frusta, axes as stored, triangles | [`polytope`] |
//! | box against triangle or segment, with a margin | [`box_triangle`] |
//! | boxes and triangles exactly, where rounding leaves a doubt | [`exact_boxes`] |
//!
//! # What decides, and what filters
//! What decides is in double precision: the boxes are apart iff `distance > reach + slack` on some
//! axis. The slack is absolute, not an epsilon on `R`, so nearly parallel edges need no case of
//! their own: see [`tolerance`](crate::num::tolerance). A prefilter is in single precision and has
//! three answers; *apart* and *overlap* are what the deciding test would say, and what is left open
//! goes to it. So no instruction set can change an answer. Nothing is fused but in the prefilter of a
//! single pair, since the counts of a report depend on what the others leave open.
//!
//! # What single precision is off by
//! Let `u = 2^-24` and `s = |a| + |b|`, lengths of the half diagonals. If entries of `R` are off by
//! at most `r`, and components of `t` by at most `d`, then along
//!
//! | axis | the distance is off by at most | the reach by at most |
//! |---|---|---|
//! | face normal of A | `d` | `sqrt(3) r s + 4 u s` |
//! | face normal of B | `sqrt(3) (r \|t\| + d) + 3 u \|t\|` | `sqrt(3) r s + 4 u s` |
//! | edges, sine `k` | `sqrt(2) (r \|t\| + d k) + 3 u \|t\| k` | `sqrt(2) r s + 4 u s k` |
//!
//! A distance along B's normal is a product of both errors' bearers; the terms of an edge axis have
//! factors no larger than `sqrt(1 - R_ij^2) <= k`, except for the error of `R` itself; the last
//! summand of each is the rounding of the products and sums, fewer of which are rounded where they
//! are fused. Each prefilter states its `r` and `d`, and margins that cover them several times.

mod aligned_box;
mod box_pair;
pub(crate) mod box_slabs;
pub(crate) mod box_triangle;
pub(crate) mod eight_boxes;
pub(crate) mod exact_boxes;
#[cfg(test)]
mod hard_pairs;
mod least_overlap;
mod least_overlap_of_one;
pub(crate) mod oriented_pairs;
pub(crate) mod oriented_slabs;
pub(crate) mod polytope;
pub(crate) mod prefilter;
pub(crate) mod primitive_slabs;
mod shift_frame;
mod three_axes;

pub(crate) use aligned_box::box_meets_aligned;
pub(crate) use box_pair::{BoxPair, RelativeRotation};
pub(crate) use least_overlap::LeastOverlap;
pub(crate) use least_overlap_of_one::least_overlap_of_one;
pub(crate) use three_axes::{Three, ThreeAxes, along, lane_of_edge};

use crate::num::{Scalar, set_bits};
use crate::shape::{Obb, WideObb};

/// The slack of the deciding test of two boxes stored in `T`. Units.
#[inline(always)]
pub(crate) fn leaf_slack<T: Scalar>(a: &WideObb, b: &WideObb) -> f64 {
    T::LEAF_SLACK * (a.radius() + b.radius())
}

/// The deciding test, in double precision. (Compiled into its callers it takes nearly twice as
/// long: measured.)
#[inline(never)]
#[cfg_attr(feature = "simd", cold)]
pub(crate) fn decide<T: Scalar>(a: &Obb<T>, b: &Obb<T>) -> bool {
    let (first, second) = in_order(a, b).0;
    !BoxPair::new(&first, &second).apart(leaf_slack::<T>(&first, &second))
}

/// The two boxes in the order of their bits, and whether that swapped them. (As a call of its own
/// it doubles the time of a verdict.)
#[inline(always)]
pub(crate) fn in_order<T: Scalar>(a: &Obb<T>, b: &Obb<T>) -> ((WideObb, WideObb), bool) {
    let ([first, second], swapped) = ordered(a, b);
    ((first.wide(), second.wide()), swapped)
}

/// The same as they are stored.
#[inline(always)]
pub(crate) fn ordered<'a, T: Scalar>(a: &'a Obb<T>, b: &'a Obb<T>) -> ([&'a Obb<T>; 2], bool) {
    let swapped = b.precedes(a);
    // Picked by number: which of them comes first is as good as chance, and a branch would be
    // guessed wrong half the time.
    let (pair, first) = ([a, b], usize::from(swapped));
    ([pair[first], pair[1 - first]], swapped)
}

/// The answers of a prefilter to up to 64 pairs, a bit for each, the first lowest. What is in
/// neither is left to the deciding test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct SatMasks {
    /// The deciding test would say apart.
    pub apart: u64,
    /// It would say that they touch. No bit is in both.
    pub overlap: u64,
}

impl SatMasks {
    /// Moves the first bits, one after another, to the places of those that are set in `of`.
    pub fn spread(self, of: u64) -> Self {
        let mut spread = SatMasks::default();
        for (from, to) in set_bits(of).enumerate() {
            spread.apart |= (self.apart >> from & 1) << to;
            spread.overlap |= (self.overlap >> from & 1) << to;
        }
        spread
    }

    pub fn or(self, other: Self) -> Self {
        SatMasks { apart: self.apart | other.apart, overlap: self.overlap | other.overlap }
    }

    /// The bits of both that are set in `of`.
    pub fn among(self, of: u64) -> Self {
        SatMasks { apart: self.apart & of, overlap: self.overlap & of }
    }
}
