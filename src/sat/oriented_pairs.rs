//! SAT prefilter of oriented boxes of two parts, pair by pair, in single precision.
//!
//! Only pairs that the boxes along the parts' frames have left over come here, few of all there
//! are; so each lane fetches its pair by number.
//!
//! # What is certain
//! With `u` and `S` as in [`eight_boxes`](super::eight_boxes); oriented boxes may reach `sqrt(3)` times as far
//! as the aligned ones `S` is made of. An axis of the second box seen from the first is off by less
//! than `13 u` in each entry, the offset of the middles along any axis by less than `40 u S`,
//! reaches by less than `13 sqrt(3) u S` and their own rounding: so no excess is off by more than
//! `120 u S`. *Apart*: an excess above twice the pad of `128 u S`. *Overlap*: every axis overlaps
//! by as much; then the boxes share a point, though stored axes are not quite at right angles.
//! Where edges are parallel, their axis is too short for that, and the test in double precision
//! decides.
//!
//! *Depth*: at most the least overlap along an axis a contact chooses from; at least the least
//! overlap along all axes, those of edges that are nearly parallel times their sines: but for the
//! error above, for what the formula of the edge axes takes for granted of the axis chosen, for
//! what rounding its direction changes, `10 u` of the sizes at most, which the same allowance
//! covers, and for rounding in the world.

use super::eight_boxes::{RelativeFrame, grown, rotation};
use super::{BoxPair, SatMasks};
use crate::num::SimdLevel;
use crate::num::linear::sum;
use crate::num::simd::{FloatKernel, Floats};
use crate::num::tolerance::PARALLEL_SINE;
use crate::num::vectors::{Record, gather_at, splat, three};
use crate::shape::WideObb;

/// How many pairs are tested together.
pub(crate) const QUEUE: usize = 16;

/// Where in a record what begins; the first three numbers are the centre's, seen from the middle of
/// the root.
const AXES: usize = 3;
const HALF: usize = 12;

/// An oriented box in single precision, its centre seen from the middle of the root.
pub(crate) fn record(solid: &WideObb) -> Record {
    let [x, y, z] = solid.axes;
    let numbers = [solid.center, x, y, z, solid.half_extents];
    let mut record = [0.0; 16];
    for (place, number) in record.iter_mut().zip(numbers.as_flattened()) {
        *place = *number as f32;
    }
    record
}

/// Bounds on the depths of contacts, should the boxes touch: the least, the greatest. Units.
pub(crate) type Depths = [[f32; QUEUE]; 2];

/// A test of pairs of oriented boxes.
pub(crate) struct OrientedPairs<'a> {
    pub frame: &'a RelativeFrame,
    /// Those of either part.
    pub records: [&'a [Record]; 2],
    /// Pairs by number among these; all numbers have to be there, the first `len` pairs count.
    pub pairs: &'a [[u32; QUEUE]; 2],
    pub len: usize,
    /// Where depths go, if they are asked for, and what else these may be off by. Units.
    pub depths: Option<(&'a mut Depths, f32)>,
}

/// How far the depth along an edge axis of sine 1 may be off what the verdict's formula says, as a
/// share of sizes: `16 u`; see [`tolerance`](crate::num::tolerance). It grows as the sine gets
/// less.
const ASKEW: f32 = 1.0 / (1 << 20) as f32;

/// More than a sine is off, `13 u` in either of two entries.
const SINE: f32 = 1.0 / (1 << 17) as f32;

/// Less than the least sine, as computed here, of edges that give a contact its direction.
const STRAIGHT: f32 = 0.9 * PARALLEL_SINE as f32;

/// A sine that is known well enough to divide by, and more than the share it is then off by.
const CLEAR: f32 = 1.0 / (1 << 6) as f32;
const ROUNDED: f32 = 1.0 / (1 << 10) as f32;

impl OrientedPairs<'_> {
    pub fn masks(self, level: SimdLevel) -> SatMasks {
        level.run(self)
    }
}

impl FloatKernel for OrientedPairs<'_> {
    type Output = SatMasks;

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) -> SatMasks {
        let OrientedPairs { frame, records: [a, b], pairs: [first, second], len, mut depths } =
            self;
        let mut masks = SatMasks::default();
        let rotation = rotation::<L>(token, frame);
        let offset = splat(token, &frame.offset);
        let (pad, by) = (L::splat(token, frame.pad), L::splat(token, frame.grown));
        let mut at = 0;
        while at < len {
            let boxes = of_part::<L>(token, a, &first[at..]);
            let mut others = of_part::<L>(token, b, &second[at..]);
            others.half_extents = grown(others.half_extents, by);
            let pair = BoxPair::across(&boxes, &others, &rotation, offset);
            let faces = pair.excess_of_faces();
            let most = pair.excess_of_all_edges(faces);
            if let Some(([least, greatest], off)) = &mut depths {
                let depth = depth(token, &pair, (faces, pad), L::splat(token, *off));
                depth[0].store(&mut least[at..]);
                depth[1].store(&mut greatest[at..]);
            }
            let overlap = most.within(L::splat(token, -2.0) * pad);
            masks.apart |= u64::from(L::bits(most.above(pad + pad))) << at;
            masks.overlap |= u64::from(L::bits(overlap)) << at;
            at += L::LEN;
        }
        if frame.grown > 0.0 {
            masks.overlap = 0;
        }
        masks.among(u64::MAX >> (64 - len))
    }
}

/// The boxes of those numbers, one a lane.
#[inline(always)]
pub(super) fn of_part<L: Floats>(
    token: L::Token,
    records: &[Record],
    numbers: &[u32],
) -> WideObb<L> {
    let columns = gather_at::<L>(token, records, numbers);
    WideObb {
        center: three(&columns, 0),
        axes: [three(&columns, AXES), three(&columns, AXES + 3), three(&columns, AXES + 6)],
        half_extents: three(&columns, HALF),
    }
}

/// Bounds on the depth of a contact.
#[inline(always)]
fn depth<L: Floats>(token: L::Token, pair: &BoxPair<L>, (faces, pad): (L, L), off: L) -> [L; 2] {
    let (zero, one) = (L::splat(token, 0.0), L::splat(token, 1.0));
    // The largest excess along unit axes, no less and no more.
    let (mut at_most, mut at_least, mut straightest) = (faces + pad, faces - pad, zero - one);
    for i in 0..3 {
        for j in 0..3 {
            let (excess, sine) = (pair.excess_of_edges(i, j), pair.rotation.square(i, j).sqrt());
            // Edges as good as parallel give a contact no direction.
            let counts = sine.above(L::splat(token, STRAIGHT));
            let clear = sine.above(L::splat(token, CLEAR));
            let stretch = one / L::choose(clear, sine, one);
            let most = (excess + pad) * stretch * L::splat(token, 1.0 - ROUNDED);
            let most = L::choose(clear, most, excess + pad);
            at_most = at_most.high(L::choose(counts, most, at_most));
            let least = (excess - pad) * stretch * L::splat(token, 1.0 + ROUNDED);
            at_least = at_least.high(L::choose(clear, least, at_least));
            straightest = straightest.high(L::choose(counts, zero - sine, straightest));
        }
    }
    let sine = zero - straightest - L::splat(token, SINE);
    // What the formula of the edge axes takes for granted.
    let askew = L::splat(token, ASKEW) * (one + one / sine) * (sum(pair.a) + sum(pair.b));
    let off = askew + off;
    // Boxes that are apart by no more than the slack of the test have a depth of zero.
    [zero - at_most - off, zero.high(zero - at_least + off)]
}
