//! Oriented boxes of one part against those of another, pair by pair: the 15 axes in single
//! precision, as far as that can tell.
//!
//! Only pairs that the boxes along the parts' frames have left over come here, few of all there
//! are; so what stands side by side in the lanes are pairs, each fetched by its number.
//!
//! # What is certain
//! With `u` and `S` as in [`octet`](super::octet); oriented boxes may reach `sqrt(3)` times as far
//! as the aligned ones `S` is made of. An axis of the second box seen from the first is off by less
//! than `13 u` in each entry, the offset of the middles along any axis by less than `40 u S`,
//! reaches by less than `13 sqrt(3) u S` and their own rounding: so no excess is off by more than
//! `120 u S`. *Apart*: an excess above twice the pad of `128 u S`. *Touching*: every axis overlaps
//! by as much; then the boxes share a point, though stored axes are not quite at right angles.
//! Where edges are parallel, their axis is too short for that, and the test in double precision
//! decides.
//!
//! *Depth*: at most the least overlap along an axis a contact chooses from; at least the least
//! overlap along all axes, those of edges that are nearly parallel times their sines: but for the
//! error above, for what the formula of the edge axes takes for granted of the axis chosen, for
//! what rounding its direction changes, `10 u` of the sizes at most, which the same allowance
//! covers, and for rounding in the world.

use super::facing::Facing;
use super::octet::{RelativeFrame, rotation};
use crate::num::SimdLevel;
use crate::num::linear::{Mat3, Vec3, add, sub, sum, turn};
use crate::num::simd::{FloatKernel, Floats};
use crate::num::tolerance::PARALLEL_SINE;
use crate::num::vectors::{Record, gather_at, splat, three};
use crate::shape::WideObb;

/// How many pairs are looked at together.
pub(crate) const CLOSE: usize = 16;

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

/// A bit for each pair, the first lowest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Told {
    pub apart: u32,
    /// Sure to share a point. No bit is in both.
    pub touching: u32,
}

/// Between what and what the depth of a contact is, should the boxes touch. Units.
pub(crate) type Depths = [[f32; CLOSE]; 2];

/// Pairs of oriented boxes to be looked at.
pub(crate) struct Look<'a> {
    pub frame: &'a RelativeFrame,
    /// Those of either part.
    pub records: [&'a [Record]; 2],
    /// Pairs by number among these; all numbers have to be there, the first `len` pairs count.
    pub pairs: &'a [[u32; CLOSE]; 2],
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

impl Look<'_> {
    pub fn told(self, level: SimdLevel) -> Told {
        level.run(self)
    }
}

/// Boxes in the frame of the first part.
struct TurnedBoxes<L> {
    center: Vec3<L>,
    axes: Mat3<L>,
    half: Vec3<L>,
}

impl FloatKernel for Look<'_> {
    type Output = Told;

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) -> Told {
        let Look { frame, records: [a, b], pairs: [first, second], len, mut depths } = self;
        let mut told = Told::default();
        let rotation = rotation::<L>(token, frame);
        let offset = splat(token, &frame.offset);
        let pad = L::splat(token, frame.pad);
        let mut at = 0;
        while at < len {
            let boxes = of_part::<L>(token, a, &first[at..]);
            let others = of_part::<L>(token, b, &second[at..]).moved(&rotation, offset);
            let between = sub(others.center, boxes.center);
            let half = [boxes.half, others.half];
            let facing = Facing::of_axes([&boxes.axes, &others.axes], between, half);
            let faces = facing.excess_of_faces();
            let most = facing.excess_of_all_edges(faces);
            if let Some(([least, greatest], off)) = &mut depths {
                let depth = depth(token, &facing, (faces, pad), L::splat(token, *off));
                depth[0].store(&mut least[at..]);
                depth[1].store(&mut greatest[at..]);
            }
            told.apart |= L::bits(most.above(pad + pad)) << at;
            told.touching |= L::bits(most.within(L::splat(token, -2.0) * pad)) << at;
            at += L::LEN;
        }
        let filled = u32::MAX >> (32 - len);
        Told { apart: told.apart & filled, touching: told.touching & filled }
    }
}

#[inline(always)]
fn of_part<L: Floats>(token: L::Token, records: &[Record], numbers: &[u32]) -> TurnedBoxes<L> {
    let columns = gather_at::<L>(token, records, numbers);
    TurnedBoxes {
        center: three(&columns, 0),
        axes: [three(&columns, AXES), three(&columns, AXES + 3), three(&columns, AXES + 6)],
        half: three(&columns, HALF),
    }
}

impl<L: Floats> TurnedBoxes<L> {
    #[inline(always)]
    fn moved(&self, rotation: &Mat3<L>, offset: Vec3<L>) -> Self {
        let [x, y, z] = self.axes;
        TurnedBoxes {
            center: add(turn(rotation, self.center), offset),
            axes: [turn(rotation, x), turn(rotation, y), turn(rotation, z)],
            half: self.half,
        }
    }
}

/// Between what and what the depth of a contact is.
#[inline(always)]
fn depth<L: Floats>(token: L::Token, facing: &Facing<L>, (faces, pad): (L, L), off: L) -> [L; 2] {
    let (zero, one) = (L::splat(token, 0.0), L::splat(token, 1.0));
    // The largest excess along unit axes, no less and no more.
    let (mut at_most, mut at_least, mut straightest) = (faces + pad, faces - pad, zero - one);
    for i in 0..3 {
        for j in 0..3 {
            let (excess, sine) = (facing.excess_of_edges(i, j), facing.axes.square(i, j).sqrt());
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
    let askew = L::splat(token, ASKEW) * (one + one / sine) * (sum(facing.a) + sum(facing.b));
    let off = askew + off;
    // Boxes that are apart by no more than the slack of the test have a depth of zero.
    [zero - at_most - off, zero.high(zero - at_least + off)]
}
