//! Slabs of box pairs: the shifts along a direction at which boxes of two wide nodes may touch.
//!
//! Two convex bodies, one of which is shifted by `t d`, touch along an axis `L` while `t` is in one
//! interval, a slab; they touch at most while `t` is in the slabs of all axes. Source: Kay, Kajiya,
//! Ray Tracing Complex Scenes (1986), a ray through the Minkowski difference of the two.
//!
//! Here the axes are the six face normals of boxes along the frames of two parts, whose
//! coordinates of `d` are the same for all pairs. Fewer axes leave the interval too long, never too
//! short.
//!
//! # What is certain
//! With `u` and `S` of [`eight_boxes`](super::eight_boxes): distances and reaches along a face
//! normal are off by less than `64 u S` together. No two boxes of the parts touch at a shift beyond
//! `S`, as far as that of their roots. A coordinate of `d` is off by `2 u`, which moves a box by
//! `2 u S`; quotients lose `3 u` of what is divided, at most `6 S`. The pad of `128 u S` covers all
//! of it, before the division.

use super::eight_boxes::{EightBoxes, RelativeFrame, SIDE, along_second, rotation, spread};
use crate::num::SimdLevel;
use crate::num::linear::{Vec3, add, sub, transposed, turn_back};
use crate::num::simd::{FloatKernel, Floats};
use crate::num::vectors::{load, splat, splat_at};

/// The least size of a coordinate of a direction: as much as one may be off by. No unit.
pub(super) const LEAST: f32 = 1.0 / (1 << 24) as f32;

/// How two parts stand to each other, and the direction along which the second is shifted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ShiftedFrame {
    pub(super) frame: RelativeFrame,
    /// The direction in the frame of the first.
    pub(super) direction: [f32; 3],
    /// The reciprocals of its coordinates along the axes of the first part, and of the second.
    reciprocals: [[f32; 3]; 2],
}

impl ShiftedFrame {
    /// Given the direction in the frames of both.
    pub fn new(frame: RelativeFrame, directions: [Vec3; 2]) -> Self {
        let direction = directions[0].map(|x| x as f32);
        ShiftedFrame { frame, direction, reciprocals: directions.map(reciprocals) }
    }
}

fn reciprocals(direction: Vec3) -> [f32; 3] {
    direction.map(|x| {
        let x = x as f32;
        let least = if x < 0.0 { -LEAST } else { LEAST };
        1.0 / if x.abs() < LEAST { least } else { x }
    })
}

/// A test of the first `counts` of two times eight boxes, the second shifted along a direction.
pub(crate) struct BoxSlabs<'a> {
    pub frame: &'a ShiftedFrame,
    pub boxes: [&'a EightBoxes; 2],
    pub counts: [usize; 2],
    /// The shifts that are asked about. Units.
    pub range: [f32; 2],
    /// Where the least shifts go, row by row: no later than the boxes touch.
    pub least: &'a mut [f32; SIDE * SIDE],
}

impl BoxSlabs<'_> {
    /// The pairs that may touch at a shift in the range: for each box of the first a row of
    /// [`SIDE`] bits, one for each of the second, the first lowest.
    pub fn touching(self, level: SimdLevel) -> u64 {
        level.run_eight(self)
    }
}

impl FloatKernel for BoxSlabs<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) -> u64 {
        let BoxSlabs { frame, boxes: [a, b], counts, range, least } = self;
        let ShiftedFrame { frame, reciprocals, .. } = frame;
        let mut touching = 0;
        let columns = rotation::<L>(token, frame);
        let rows = transposed(&columns);
        let offset = splat::<L>(token, &frame.offset);
        let turned_offset = turn_back(&columns, offset);
        let along_second = along_second::<L>(token, a, &columns);
        let pad = L::splat(token, frame.pad);
        let [first, second] =
            [splat::<L>(token, &reciprocals[0]), splat::<L>(token, &reciprocals[1])];
        let [from, to] = [L::splat(token, range[0]), L::splat(token, range[1])];
        let mut lane = 0;
        while lane < counts[1] {
            let half = load::<L, SIDE>(token, &b.half, lane);
            let center = load::<L, SIDE>(token, &b.center, lane);
            let on_first = (add(turn_back(&rows, center), offset), spread(&rows, half));
            let on_second = add(center, turned_offset);
            for place in 0..counts[0] {
                let c = sub(splat_at(token, &a.center, place), on_first.0);
                let r = add(splat_at::<L, SIDE>(token, &a.half, place), on_first.1);
                let one = slabs(c, r, &first, pad);
                let c = sub(splat_at(token, &along_second.center, place), on_second);
                let r = add(splat_at(token, &along_second.reach, place), half);
                let other = slabs(c, r, &second, pad);
                let (enter, leave) = (one.0.high(other.0), one.1.low(other.1));
                enter.store(&mut least[place * SIDE + lane..]);
                let some = L::both(enter.within(leave), enter.within(to));
                let near = L::bits(L::both(some, from.within(leave)));
                touching |= u64::from(near) << (place * SIDE + lane);
            }
            lane += L::LEN;
        }
        touching & super::eight_boxes::squared(u8::MAX, u8::MAX >> (SIDE - counts[1]))
    }
}

/// The shifts in the slabs of three axes, of boxes whose centres coincide along them after shifts of
/// `c`, and whose reaches are `r` together.
#[inline(always)]
fn slabs<L: Floats>(c: Vec3<L>, r: Vec3<L>, reciprocals: &Vec3<L>, pad: L) -> (L, L) {
    let mut span = slab(c[0], r[0] + pad, reciprocals[0]);
    for i in 1..3 {
        let (enter, leave) = slab(c[i], r[i] + pad, reciprocals[i]);
        span = (span.0.high(enter), span.1.low(leave));
    }
    span
}

/// The shifts in the slab of one axis.
#[inline(always)]
pub(super) fn slab<L: Floats>(c: L, r: L, reciprocal: L) -> (L, L) {
    let (middle, half) = (c * reciprocal, r * reciprocal.abs());
    (middle - half, middle + half)
}
