//! SAT prefilter in single precision: many pairs of oriented boxes in a queue, by kernel 1, or one
//! pair, by kernel 2. Every answer equals the verdict of the deciding test, and undecided pairs are
//! passed on to that test, so no answer depends on what runs here.
//!
//! # Boxes stored, or placed in double precision
//! In the terms of [`sat`](super): axes and `t` are rounded to single precision, so `r = 5 u` (`2
//! u` from the axes, `3 u` from the sum) and `d = 5 u |t|`. The error of a face axis is at most
//! `20.4 u |t|` in its distance and `12.7 u s` in its radius, that of an edge axis `7.1 u |t| +
//! 10.1 u |t| k` and `7.1 u s + 4 u s k`. Stored axes are not quite at right angles, so the numbers
//! depend on the box they are seen from, and the deciding test may see them from the other: `3.5 u
//! |t|` more on faces, `3.5 u |t| (1 + k)` on edges.
//!
//! *Separated*: a separation above [`SEPARATION_PAD`] times `|t| + s + margins`, with `|x|` the sum
//! of the coordinates. That is far more than the error, the effect of [`EXTENT_PAD`] and the slack
//! of the test together. *Overlapping*: no separation above zero, after the half extents of the
//! first are reduced by [`EXTENT_PAD`] of the sizes, which takes at least `16 u s` off the radius
//! of a face axis and `16 u s k` off that of an edge axis. Then no face axis separates the boxes,
//! so `|t| <= 1.4 s`, and the true separation is at most `31 u s` on face axes and `22 u s + 8 u s
//! k` on edge axes: under [`LEAF_SLACK_F32`](crate::num::tolerance::LEAF_SLACK_F32) `= 32 u` of
//! `s`, which the test in double precision allows. So parallel edges leave no pair undecided. Boxes
//! stored in double precision have a smaller slack and must overlap by [`OVERLAP_PAD_F64`] of their
//! sizes instead.
//!
//! # Boxes placed in single precision
//! The error of the axes is at most `31 u` (see [`rotation`](crate::num::vectors::rotation)), so `r
//! = 65 u`. The offset is the offset of the parts' origins, rounded once, plus the centres, each
//! off by less than `64 u` of its distance from the part's origin. Together that is less than the
//! *offset error* `e`, which is [`CENTER_ERROR`] and [`ORIGIN_ERROR`] of these lengths; so `d = 34
//! u |t| + e`. The error of a face axis is then at most `175 u |t| + 1.8 e` in its distance and
//! `117 u s` in its radius, that of an edge axis `143 u |t| + 1.5 k e` and `96 u s`.
//!
//! *Separated*: a separation above [`POSED_PAD`] times `|t| + s + margins`, that is `512 u`, plus
//! `6 e`: more than the errors, the slack of the test and the reduced first box together.
//! *Overlapping*: the first box is reduced by `2 e`, which takes that much off the radius of a face
//! axis and that times the sine off an edge axis, and all axes overlap by `POSED_PAD` of the sizes.
//! Then no face axis separates the boxes, so `|t| <= 1.5 s`, and all other errors are less than
//! `400 u s`. Boxes that are nearly parallel stay undecided and are tested again as above.

mod pads;
mod queue;
#[cfg(feature = "simd")]
mod single;
#[cfg(not(feature = "simd"))]
mod without_lanes;

pub(crate) use self::pads::BATCH;
pub(crate) use queue::{PartBox, PosedBox, PrefilterBox, PrefilterQueue};
#[cfg(feature = "simd")]
pub(crate) use single::intersects;
#[cfg(not(feature = "simd"))]
pub(crate) use without_lanes::intersects;

collect_tests!(
    #[cfg(feature = "simd")]
    single,
);
