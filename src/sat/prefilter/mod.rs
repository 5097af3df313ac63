//! SAT prefilter in single precision: many pairs of oriented boxes in a queue, by kernel 1, or one
//! pair, by kernel 2. Every answer it gives is that of the deciding test; close calls are left to
//! that, so no answer depends on what runs here.
//!
//! # Boxes stored, or placed in double precision
//! In the terms of [`sat`](super): axes and `t` are rounded to single precision, so `r = 5 u` (`2 u`
//! from the axes, `3 u` from the sum) and `d = 5 u |t|`. A face axis is off by at most `20.4 u |t|`
//! in its distance and `12.7 u s` in its reach, an edge axis by `7.1 u |t| + 10.1 u |t| k` and
//! `7.1 u s + 4 u s k`. Stored axes are not quite at right angles, so that it matters from which box
//! it is all seen, and the deciding test may see it from the other: `3.5 u |t|` more on faces,
//! `3.5 u |t| (1 + k)` on edges.
//!
//! *Apart*: an excess above [`APART`] `(|t| + s + pads)`, `|x|` taken as the sum of the
//! coordinates: far more than that error, what [`SPARE`] adds, and the slack of the test together.
//! *Overlap*: no excess above zero, the half extents of the first made less by [`SPARE`] of the
//! sizes, which takes at least `16 u s` off the reach of a face axis and `16 u s k` off that of an
//! edge axis. Then no face axis separates the boxes, so `|t| <= 1.4 s` and the true excess is at
//! most `31 u s` on face axes, `22 u s + 8 u s k` on edge axes: under
//! [`LEAF_SLACK_F32`](crate::num::tolerance::LEAF_SLACK_F32) `= 32 u` of `s`, which the test in
//! double precision allows. That edges are parallel is thus no close call. Boxes stored in double
//! precision, whose slack is smaller, have to overlap by [`DEEP`] of their sizes instead.
//!
//! # Boxes placed in single precision
//! Axes are off by at most `31 u` (see [`rotation`](crate::num::vectors::rotation)), so `r = 65 u`.
//! The offset is that of the parts' origins, rounded once, and what the centres add, each off by
//! less than `64 u` of its distance from the part's origin: together less than the *doubt*,
//! [`ABOUT`] and [`AWAY`] of these; so `d = 34 u |t| + doubt`. A face axis is then off by at most
//! `175 u |t| + 1.8 doubt` in its distance and `117 u s` in its reach, an edge axis by `143 u |t| +
//! 1.5 k doubt` and `96 u s`.
//!
//! *Apart*: an excess above [`ROUGH`] `(|t| + s + pads)`, that is `512 u`, and six times the doubt:
//! more than that, the slack of the test, and what making the first less adds, together.
//! *Overlap*: with the first made less by twice the doubt, which takes that much off the reach of a
//! face axis and that times the sine off an edge axis, all overlap by `ROUGH` of the sizes; no face
//! axis separates the boxes, so `|t| <= 1.5 s`, and what else is off is less than `400 u s`. What
//! stands all but parallel is a close call here, and looked at again as above.

mod queue;
#[cfg(feature = "simd")]
mod single;

pub(crate) use queue::{PartBox, PosedBox, PrefilterBox, PrefilterQueue};
#[cfg(feature = "simd")]
pub(crate) use single::intersects;

/// Without lanes single precision is no faster.
#[cfg(not(feature = "simd"))]
pub(crate) fn intersects<T: crate::num::Scalar>(
    _: &crate::shape::Obb<T>,
    _: &crate::shape::Obb<T>,
) -> Option<bool> {
    None
}

/// How many pairs are tested together.
pub(crate) const BATCH: usize = 64;

/// The excess that tells boxes apart, as a share of their sizes and distance: `128 u`.
const APART: f32 = 1.0 / (1 << 17) as f32;

/// What boxes have to overlap more to be told to overlap, as a share of the sizes: `16 u`, times
/// the sine on edge axes.
const SPARE: f32 = 1.0 / (1 << 20) as f32;

/// The overlap that tells that boxes of double precision overlap, as a share of their sizes:
/// `128 u`.
const DEEP: f32 = 1.0 / (1 << 17) as f32;

/// What tells boxes placed in single precision apart, and that they overlap: `512 u`.
const ROUGH: f32 = 1.0 / (1 << 15) as f32;

/// What the doubt has of how far the centres are from their parts' origins: `80 u`.
const ABOUT: f32 = 40.0 * f32::EPSILON;

/// What it has of how far those are from each other: `8 u`.
const AWAY: f32 = 4.0 * f32::EPSILON;

/// Boxes smaller than this are left to the deciding test: their products underflow. Units.
const LEAST: f64 = 1e-25;

/// Boxes smaller than this share of their distance from the origin are left to it, too: 2^-24, so
/// that the rounding of centres, some `2^-52` of the distance, is nothing beside the rest.
const SMALL: f64 = 1.0 / (1u64 << 24) as f64;
