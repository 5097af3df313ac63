//! The 15 axes of as many pairs of boxes as there are lanes.

use super::{ABOUT, AWAY, AXES, BATCH, CENTER, Glances, HALF, SIZE, Seen, TURN};
use crate::num::linear::{Mat3, Vec3, absolute, add, sub, sum, turn};
use crate::num::simd::{FloatKernel, Floats};
use crate::num::vectors::{gather, rotation, three};
use crate::pair::facing::Facing;

/// Shares of sizes and distance.
#[derive(Clone, Copy)]
pub(super) struct Margins {
    pub apart: f32,
    pub spare: f32,
    pub deep: f32,
}

pub(super) struct Look<'a> {
    pub glances: &'a Glances,
    pub margins: Margins,
    pub posed: bool,
}

/// As many pairs of boxes as there are lanes.
struct Pairs<L> {
    axes: [Mat3<L>; 2],
    half: [Vec3<L>; 2],
    size: L,
    /// From the centres of the first to those of the second, and how far that may be off.
    offset: Vec3<L>,
    doubt: L,
}

impl FloatKernel for Look<'_> {
    type Output = Seen;

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) -> Seen {
        let Look { glances: Glances { first, second, len }, margins, posed } = self;
        let mut seen = Seen::default();
        let mut at = 0;
        while at < *len {
            let columns = [gather::<L>(token, &first[at..]), gather::<L>(token, &second[at..])];
            let pairs = if posed { posed_pairs(token, columns) } else { pairs(token, columns) };
            let (apart, touching) = look::<L>(token, &pairs, margins);
            seen.apart |= u64::from(apart) << at;
            seen.touching |= u64::from(touching) << at;
            at += L::LEN;
        }
        let filled = if *len == 0 { 0 } else { u64::MAX >> (BATCH - len) };
        Seen { apart: seen.apart & filled, touching: seen.touching & filled }
    }
}

/// Of boxes that were placed in double precision.
#[inline(always)]
fn pairs<L: Floats>(token: L::Token, [a, b]: [[L; 16]; 2]) -> Pairs<L> {
    Pairs {
        axes: [
            [three(&a, AXES), three(&a, AXES + 3), three(&a, AXES + 6)],
            [three(&b, AXES), three(&b, AXES + 3), three(&b, AXES + 6)],
        ],
        half: [three(&a, HALF), three(&b, HALF)],
        size: a[SIZE] + b[SIZE],
        offset: three(&a, 0),
        doubt: L::splat(token, 0.0),
    }
}

/// Of boxes that are placed here.
#[inline(always)]
fn posed_pairs<L: Floats>(token: L::Token, [a, b]: [[L; 16]; 2]) -> Pairs<L> {
    let axes = [turned(token, &a), turned(token, &b)];
    let between = three(&a, 0);
    let centers = [three(&a, CENTER), three(&b, CENTER)];
    let from = turn(&axes[0], centers[0]);
    let to = turn(&axes[1], centers[1]);
    let out = sum(absolute(centers[0])) + sum(absolute(centers[1]));
    Pairs {
        axes,
        half: [three(&a, HALF), three(&b, HALF)],
        size: a[SIZE] + b[SIZE],
        offset: sub(add(between, to), from),
        doubt: L::splat(token, ABOUT) * out + L::splat(token, AWAY) * sum(absolute(between)),
    }
}

#[inline(always)]
fn turned<L: Floats>(token: L::Token, columns: &[L; 16]) -> Mat3<L> {
    let [x, y, z] = three(columns, TURN);
    rotation(token, [x, y, z, columns[TURN + 3]])
}

#[inline(always)]
fn look<L: Floats>(token: L::Token, pairs: &Pairs<L>, margins: Margins) -> (u32, u32) {
    let Pairs { axes: [a, b], half, size, offset, doubt } = *pairs;
    let mut facing = Facing::of_axes([&a, &b], offset, half);
    let far = L::splat(token, margins.apart) * (size + sum(absolute(offset)));
    let doubt = doubt + doubt;
    let far = far + L::splat(token, 3.0) * doubt;
    let less = L::splat(token, margins.spare) * size + doubt;
    facing.a = [facing.a[0] - less, facing.a[1] - less, facing.a[2] - less];
    let faces = facing.excess_of_faces();
    let apart = L::bits(faces.above(far));
    if apart.count_ones() == L::LEN as u32 {
        return (apart, 0);
    }
    let most = facing.excess_of_all_edges(faces);
    // NaN in the size is in neither; NaN elsewhere may be lost in `high`, but comes with one
    // there.
    let touching = most.within(L::splat(token, -margins.deep) * size);
    let told = L::both(touching, size.within(L::splat(token, f32::MAX)));
    (L::bits(most.above(far)), L::bits(told))
}
