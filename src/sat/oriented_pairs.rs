//! SAT prefilter of oriented boxes of two parts, pair by pair, in single precision.
//!
//! Only few pairs come here, those that the aligned boxes do not separate.
//!
//! # Error bounds
//! Let `u` and `S` be those of [`eight_boxes`](super::eight_boxes); oriented boxes may extend
//! `sqrt(3)` times as far as the aligned ones that `S` is made of. The error of an axis of the
//! second box seen from the first is less than `13 u` in each entry, that of the offset of the
//! centres along any axis less than `40 u S`, that of the radii less than `13 sqrt(3) u S` and
//! their own rounding: so the error of a separation is at most `120 u S`. *Separated*: a separation
//! above twice the pad of `128 u S`. *Overlapping*: every axis overlaps by as much; then the boxes
//! share a point, though stored axes are not quite at right angles. Where edges are parallel, their
//! axis is too short for that, and the test in double precision decides.
//!
//! *Depth*: the upper bound is the least overlap along the axes that a contact chooses from; the
//! lower bound is the least overlap along all axes, with those of nearly parallel edges times their
//! sines. Both are widened by the error above, by the error of the formula of the edge axes, by the
//! rounding of the chosen direction, at most `10 u` of the sizes, which the same pad covers, and by
//! rounding in the world.

use super::eight_boxes::{enlarged, splat_rotation};
use super::oriented_batch::{OrientedBatch, QUEUE_LEN};
use super::{BoxPair, SatMasks};
use crate::num::SimdLevel;
use crate::num::linear::coordinate_sum;
use crate::num::simd::{FloatKernel, Floats};
use crate::num::tolerance::PARALLEL_SINE;
use crate::num::vectors::splat;

/// Lower and upper bounds on the depths of contacts, valid if the boxes touch [length units].
pub(crate) type DepthBounds = [[f32; QUEUE_LEN]; 2];

/// Test of pairs of oriented boxes.
pub(crate) struct OrientedPairs<'a> {
    pub batch: OrientedBatch<'a>,
    /// Output for the depths, if needed, and a further error of these [length units].
    pub depths: Option<(&'a mut DepthBounds, f32)>,
}

/// Error of the depth along an edge axis of sine 1 by the verdict's formula, as a share of sizes:
/// `16 u`; see [`tolerance`](crate::num::tolerance). It grows as the sine decreases.
const EDGE_FORMULA_ERROR: f32 = 1.0 / (1 << 20) as f32;

/// Error of a sine: more than `13 u` in either of two entries.
const SINE_ERROR: f32 = 1.0 / (1 << 17) as f32;

/// Least computed sine of edges that may give a contact its direction.
const MIN_CONTACT_SINE: f32 = 0.9 * PARALLEL_SINE as f32;

/// Least sine that is accurate enough to divide by.
const MIN_DIVISOR_SINE: f32 = 1.0 / (1 << 6) as f32;
/// Upper bound on the relative error of a quotient by such a sine.
const QUOTIENT_ERROR: f32 = 1.0 / (1 << 10) as f32;

impl OrientedPairs<'_> {
    pub fn masks(self, simd: SimdLevel) -> SatMasks {
        simd.run(self)
    }
}

impl FloatKernel for OrientedPairs<'_> {
    type Output = SatMasks;

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) -> SatMasks {
        let OrientedPairs { batch, mut depths } = self;
        let OrientedBatch { frame, len, .. } = batch;
        let mut masks = SatMasks::default();
        let rotation = splat_rotation::<L>(token, frame);
        let offset = splat(token, &frame.offset);
        let (pad, by) = (L::splat(token, frame.pad), L::splat(token, frame.margin));
        let mut at = 0;
        while at < len {
            let boxes = batch.load::<L>(token, 0, at);
            let mut others = batch.load::<L>(token, 1, at);
            others.half_extents = enlarged(others.half_extents, by);
            let pair = BoxPair::from_frames(&boxes, &others, &rotation, offset);
            let faces = pair.max_face_separation();
            let most = pair.max_separation_with_edges(faces);
            if let Some(([least, greatest], off)) = &mut depths {
                let depth = depth_bounds(token, &pair, (faces, pad), L::splat(token, *off));
                depth[0].store(&mut least[at..]);
                depth[1].store(&mut greatest[at..]);
            }
            let overlap = most.at_most(L::splat(token, -2.0) * pad);
            masks.apart |= u64::from(L::bits(most.above(pad + pad))) << at;
            masks.overlapping |= u64::from(L::bits(overlap)) << at;
            at += L::LEN;
        }
        if frame.margin > 0.0 {
            masks.overlapping = 0;
        }
        masks.masked_by(u64::MAX >> (64 - len))
    }
}

#[inline(always)]
fn depth_bounds<L: Floats>(
    token: L::Token,
    pair: &BoxPair<L>,
    (faces, pad): (L, L),
    off: L,
) -> [L; 2] {
    let (zero, one) = (L::splat(token, 0.0), L::splat(token, 1.0));
    // Lower and upper bound on the largest separation along unit axes.
    let (mut at_most, mut at_least, mut straightest) = (faces + pad, faces - pad, zero - one);
    for i in 0..3 {
        for j in 0..3 {
            let (excess, sine) =
                (pair.separation_on_edges(i, j), pair.rotation.squared_sine(i, j).sqrt());
            // Nearly parallel edges give a contact no direction.
            let counts = sine.above(L::splat(token, MIN_CONTACT_SINE));
            let clear = sine.above(L::splat(token, MIN_DIVISOR_SINE));
            let stretch = one / L::choose(clear, sine, one);
            let most = (excess + pad) * stretch * L::splat(token, 1.0 - QUOTIENT_ERROR);
            let most = L::choose(clear, most, excess + pad);
            at_most = at_most.high(L::choose(counts, most, at_most));
            let least = (excess - pad) * stretch * L::splat(token, 1.0 + QUOTIENT_ERROR);
            at_least = at_least.high(L::choose(clear, least, at_least));
            straightest = straightest.high(L::choose(counts, zero - sine, straightest));
        }
    }
    let sine = zero - straightest - L::splat(token, SINE_ERROR);
    // Error of the formula of the edge axes.
    let askew = L::splat(token, EDGE_FORMULA_ERROR)
        * (one + one / sine)
        * (coordinate_sum(pair.a) + coordinate_sum(pair.b));
    let off = askew + off;
    // Boxes that only the slack of the test makes overlap have a depth of zero.
    [zero - at_most - off, zero.high(zero - at_least + off)]
}
