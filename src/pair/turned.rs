//! Oriented boxes of one part against up to eight of another: the 15 axes in single precision, as far as that can tell.
//!
//! # What is certain
//! With `u` and `S` as in [`octet`](super::octet); oriented boxes may reach `sqrt(3)` times as far as the aligned ones `S` is made of. An axis of the
//! second box seen from the first is off by less than `13 u` in each entry, the offset of the middles along any axis by less than `40 u S`, reaches
//! by less than `13 sqrt(3) u S` and their own rounding: so no excess is off by more than `120 u S`. *Apart*: an excess above twice the pad of `128 u S`. *Touching*: every axis overlaps by the
//! pad. Where edges are parallel, their axis is too short for that, and the test in double precision decides.

use super::octet::{self, Facing, SIDE, Seen, dot, load, rows, splat};
use crate::num::lanes::{Kernel, Lanes, Level};
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
    center: [L; 3],
    axes: [[L; 3]; 3],
    half: [L; 3],
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
    Boxes {
        center: splat(token, &a.center, place),
        axes: [
            splat(token, &a.axes[0], place),
            splat(token, &a.axes[1], place),
            splat(token, &a.axes[2], place),
        ],
        half: splat(token, &a.half, place),
    }
}

#[inline(always)]
fn seen_from_first<L: Lanes>(
    token: L::Token,
    facing: &Facing,
    b: &Turned,
    lane: usize,
) -> Boxes<L> {
    let rows = rows::<L>(token, &facing.rotation);
    let center = turn(&rows, load(token, &b.center, lane));
    Boxes {
        center: [
            center[0] + L::splat(token, facing.offset[0]),
            center[1] + L::splat(token, facing.offset[1]),
            center[2] + L::splat(token, facing.offset[2]),
        ],
        axes: [
            turn(&rows, load(token, &b.axes[0], lane)),
            turn(&rows, load(token, &b.axes[1], lane)),
            turn(&rows, load(token, &b.axes[2], lane)),
        ],
        half: load(token, &b.half, lane),
    }
}

#[inline(always)]
fn turn<L: Lanes>(rows: &[[L; 3]; 3], v: [L; 3]) -> [L; 3] {
    [dot(rows[0], v), dot(rows[1], v), dot(rows[2], v)]
}

/// The largest excess of the 15 axes.
#[inline(always)]
fn excess<L: Lanes>(first: &Boxes<L>, others: &Boxes<L>) -> L {
    let (a, b) = (first.half, others.half);
    let between = [
        others.center[0] - first.center[0],
        others.center[1] - first.center[1],
        others.center[2] - first.center[2],
    ];
    let [x, y, z] = first.axes;
    let t = [dot(x, between), dot(y, between), dot(z, between)];
    let mut r = [between; 3];
    let mut abs = [between; 3];
    for j in 0..3 {
        let axis = others.axes[j];
        r[j] = [dot(x, axis), dot(y, axis), dot(z, axis)];
        abs[j] = octet::abs(r[j]);
    }
    let mut most = t[0].abs() - (a[0] + dot([abs[0][0], abs[1][0], abs[2][0]], b));
    for i in 1..3 {
        most = most.larger(t[i].abs() - (a[i] + dot([abs[0][i], abs[1][i], abs[2][i]], b)));
    }
    for j in 0..3 {
        most = most.larger(dot(r[j], t).abs() - (b[j] + dot(abs[j], a)));
    }
    for i in 0..3 {
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        for j in 0..3 {
            let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
            let distance = t[i2] * r[j][i1] - t[i1] * r[j][i2];
            let reach_a = a[i1] * abs[j][i2] + a[i2] * abs[j][i1];
            let reach_b = b[j1] * abs[j2][i] + b[j2] * abs[j1][i];
            most = most.larger(distance.abs() - (reach_a + reach_b));
        }
    }
    most
}
