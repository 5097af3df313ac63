//! Oriented boxes of one part against those of another, pair by pair: the 15 axes in single precision, as far as that can tell.
//!
//! Only pairs that the boxes along the parts' frames have left over come here, few of all there are; so what stands side by side in the
//! lanes are pairs, each fetched by its number.
//!
//! # What is certain
//! With `u` and `S` as in [`octet`](super::octet); oriented boxes may reach `sqrt(3)` times as far as the aligned ones `S` is made of. An axis of the
//! second box seen from the first is off by less than `13 u` in each entry, the offset of the middles along any axis by less than `40 u S`, reaches
//! by less than `13 sqrt(3) u S` and their own rounding: so no excess is off by more than `120 u S`. *Apart*: an excess above twice the
//! pad of `128 u S`. *Touching*: every axis overlaps by as much; then the boxes share a point, though stored axes are not quite at right angles.
//! Where edges are parallel, their axis is too short for that, and the test in double precision decides.

use super::excess::Pairing;
use super::octet::{Facing, rotation};
use crate::num::Level;
use crate::num::lanes::{Kernel, Lanes};
use crate::num::vectors::{Record, Three, add, gather_at, splat, sub, three, transposed, turn};
use crate::shape::WideObb;

/// How many pairs are looked at together.
pub(crate) const CLOSE: usize = 16;

/// Where in a record what begins; the first three numbers are the centre's, seen from the middle of the root.
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

/// Looks at the pairs of those numbers among the records of either part.
pub(crate) fn look_turned(
    level: Level,
    facing: &Facing,
    records: [&[Record]; 2],
    pairs: &[[u32; CLOSE]; 2],
    len: usize,
) -> Told {
    level.run(Look { facing, records, pairs, len })
}

struct Look<'a> {
    facing: &'a Facing,
    records: [&'a [Record]; 2],
    pairs: &'a [[u32; CLOSE]; 2],
    len: usize,
}

/// Boxes in the frame of the first part.
struct Boxes<L> {
    center: Three<L>,
    axes: [Three<L>; 3],
    half: Three<L>,
}

impl Kernel for Look<'_> {
    type Output = Told;

    #[inline(always)]
    fn run<L: Lanes>(self, token: L::Token) -> Told {
        let Look { facing, records: [a, b], pairs: [first, second], len } = self;
        let mut told = Told::default();
        let rows = transposed(&rotation::<L>(token, facing));
        let offset = splat(token, &facing.offset);
        let pad = L::splat(token, facing.pad);
        let mut at = 0;
        while at < len {
            let boxes = of_part::<L>(token, a, &first[at..]);
            let others = of_part::<L>(token, b, &second[at..]).moved(&rows, offset);
            let most = excess(&boxes, &others);
            told.apart |= L::bits(most.above(pad + pad)) << at;
            told.touching |= L::bits(most.within(L::splat(token, -2.0) * pad)) << at;
            at += L::LEN;
        }
        let filled = u32::MAX >> (32 - len);
        Told { apart: told.apart & filled, touching: told.touching & filled }
    }
}

#[inline(always)]
fn of_part<L: Lanes>(token: L::Token, records: &[Record], numbers: &[u32]) -> Boxes<L> {
    let columns = gather_at::<L>(token, records, numbers);
    Boxes {
        center: three(&columns, 0),
        axes: [three(&columns, AXES), three(&columns, AXES + 3), three(&columns, AXES + 6)],
        half: three(&columns, HALF),
    }
}

impl<L: Lanes> Boxes<L> {
    #[inline(always)]
    fn moved(&self, rows: &[Three<L>; 3], offset: Three<L>) -> Self {
        let [x, y, z] = self.axes;
        Boxes {
            center: add(turn(rows, self.center), offset),
            axes: [turn(rows, x), turn(rows, y), turn(rows, z)],
            half: self.half,
        }
    }
}

/// The largest excess of the 15 axes.
#[inline(always)]
fn excess<L: Lanes>(first: &Boxes<L>, others: &Boxes<L>) -> L {
    let between = sub(others.center, first.center);
    let pairing = Pairing::new([&first.axes, &others.axes], between, [first.half, others.half]);
    pairing.edges(pairing.faces())
}
