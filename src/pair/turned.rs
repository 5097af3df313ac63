//! Oriented boxes of one part against up to eight of another: the 15 axes in single precision, as far as that can tell.
//!
//! # What is certain
//! With `u` and `S` as in [`octet`](super::octet); oriented boxes may reach `sqrt(3)` times as far as the aligned ones `S` is made of. An axis of the
//! second box seen from the first is off by less than `13 u` in each entry, the offset of the middles along any axis by less than `40 u S`, reaches
//! by less than `13 sqrt(3) u S` and their own rounding: so no excess is off by more than `120 u S`. *Apart*: an excess above twice the
//! pad of `128 u S`. *Touching*: every axis overlaps by the pad. Where edges are parallel, their axis is too short for that, and the test in double precision decides.

use super::excess::Pairing;
use super::octet::{Facing, SIDE, Seen, rotation};
use crate::num::Level;
use crate::num::lanes::{Kernel, Lanes};
use crate::num::vectors::{Three, add, load, splat, splat_at, sub, transposed, turn};
use crate::shape::WideObb;

/// Oriented boxes of one part, number by number: the centre, axis after axis, the half extents.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Turned {
    center: [[f32; SIDE]; 3],
    axes: [[[f32; SIDE]; 3]; 3],
    half: [[f32; SIDE]; 3],
}

impl Turned {
    /// Puts a box at a place, its centre seen from the middle of the root.
    #[inline]
    pub fn put(&mut self, place: usize, solid: &WideObb) {
        for i in 0..3 {
            self.center[i][place] = solid.center[i] as f32;
            self.half[i][place] = solid.half_extents[i] as f32;
            for j in 0..3 {
                self.axes[j][i][place] = solid.axes[j][i] as f32;
            }
        }
    }
}

/// Looks at the pairs whose bits are set: for each box of the first, a bit for each of the second. In the answer those are near that are
/// not told apart.
pub(crate) fn look_turned(
    level: Level,
    facing: &Facing,
    [a, b]: [&Turned; 2],
    pairs: [u8; SIDE],
) -> Seen {
    level.run_eight(Look { facing, a, b, pairs })
}

struct Look<'a> {
    facing: &'a Facing,
    a: &'a Turned,
    b: &'a Turned,
    pairs: [u8; SIDE],
}

/// Boxes in the frame of the first part.
struct Boxes<L> {
    center: Three<L>,
    axes: [Three<L>; 3],
    half: Three<L>,
}

impl Kernel for Look<'_> {
    type Output = Seen;

    #[inline(always)]
    fn run<L: Lanes>(self, token: L::Token) -> Seen {
        let Look { facing, a, b, pairs } = self;
        let mut seen = Seen::default();
        let pad = L::splat(token, facing.pad);
        let mut lane = 0;
        while lane < SIDE {
            let of_lanes = ((1u32 << L::LEN) - 1) << lane;
            let others = seen_from_first::<L>(token, facing, b, lane);
            for (place, &of_place) in pairs.iter().enumerate() {
                let asked = u32::from(of_place) & of_lanes;
                if asked == 0 {
                    continue;
                }
                let most = excess::<L>(&of_first::<L>(token, a, place), &others);
                let apart = L::bits(most.above(pad + pad)) << lane;
                let touching = L::bits(most.within(L::splat(token, -1.0) * pad)) << lane;
                seen.near[place] |= (asked & !apart) as u8;
                seen.touching[place] |= (asked & touching) as u8;
            }
            lane += L::LEN;
        }
        seen
    }
}

#[inline(always)]
fn of_first<L: Lanes>(token: L::Token, a: &Turned, place: usize) -> Boxes<L> {
    let [x, y, z] = &a.axes;
    Boxes {
        center: splat_at(token, &a.center, place),
        axes: [splat_at(token, x, place), splat_at(token, y, place), splat_at(token, z, place)],
        half: splat_at(token, &a.half, place),
    }
}

#[inline(always)]
fn seen_from_first<L: Lanes>(
    token: L::Token,
    facing: &Facing,
    b: &Turned,
    lane: usize,
) -> Boxes<L> {
    let rows = transposed(&rotation::<L>(token, facing));
    let [x, y, z] = &b.axes;
    Boxes {
        center: add(turn(&rows, load(token, &b.center, lane)), splat(token, &facing.offset)),
        axes: [
            turn(&rows, load(token, x, lane)),
            turn(&rows, load(token, y, lane)),
            turn(&rows, load(token, z, lane)),
        ],
        half: load(token, &b.half, lane),
    }
}

/// The largest excess of the 15 axes.
#[inline(always)]
fn excess<L: Lanes>(first: &Boxes<L>, others: &Boxes<L>) -> L {
    let between = sub(others.center, first.center);
    let pairing = Pairing::new([&first.axes, &others.axes], between, [first.half, others.half]);
    pairing.edges(pairing.faces())
}
