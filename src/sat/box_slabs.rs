//! Slabs of box pairs: the shifts along a direction at which boxes of two wide nodes may touch.
//!
//! Two convex bodies, one of them shifted by `t d`, overlap along an axis `L` while `t` is in one
//! interval, a slab; they touch only while `t` is in the slabs of all axes. Source: Kay, Kajiya,
//! Ray Tracing Complex Scenes (1986): a ray through the Minkowski difference of the two.
//!
//! The axes here are the six face normals of the aligned boxes of two parts; the coordinates of `d`
//! along them are the same for all pairs. Fewer axes leave the interval too long, never too short.
//!
//! # Error bounds
//! Let `u` and `S` be those of [`eight_boxes`](super::eight_boxes): the error of distance and
//! radius along a face normal is less than `64 u S` together. No two boxes of the parts touch at a
//! shift beyond `S`, since their roots do not. The error of a coordinate of `d` is `2 u`, which
//! moves a box by `2 u S`; the ends of a box, each a sum of two products, lose `7 u S` before the
//! division, and their difference `4 u S`. The pad of `128 u S` covers all of it.

use super::eight_boxes::{
    EightBoxes, RelativeFrame, WIDTH, enlarged, projected_radii, splat_rotation,
};
use crate::num::SimdLevel;
use crate::num::linear::{Mat3, Vec3, add, rotate_back, sub, transposed};
use crate::num::simd::{FloatKernel, Floats};
use crate::num::vectors::{load, splat, splat_entry};

/// Least absolute coordinate of a direction, equal to the error of a coordinate; no unit.
pub(super) const MIN_DIRECTION: f32 = 1.0 / (1 << 24) as f32;

/// Rotation and offset between two parts, and the direction along which the second is shifted.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ShiftedFrame {
    pub frame: RelativeFrame,
    /// Direction in the frame of the first.
    pub direction: [f32; 3],
    /// Reciprocals of the direction's coordinates along the axes of the first and of the second
    /// part.
    reciprocals: [[f32; 3]; 2],
}

impl ShiftedFrame {
    /// Creates the frame from the direction in the frames of both parts.
    pub fn new(frame: RelativeFrame, directions: [Vec3; 2]) -> Self {
        let direction = directions[0].map(|x| x as f32);
        ShiftedFrame { frame, direction, reciprocals: directions.map(reciprocals) }
    }
}

fn reciprocals(direction: Vec3) -> [f32; 3] {
    direction.map(|x| {
        let x = x as f32;
        let least = if x < 0.0 { -MIN_DIRECTION } else { MIN_DIRECTION };
        1.0 / if x.abs() < MIN_DIRECTION { least } else { x }
    })
}

/// Test of the first `counts` boxes of two wide nodes, the second shifted along a direction.
pub(crate) struct BoxSlabs<'a> {
    pub frame: &'a ShiftedFrame,
    pub boxes: [&'a EightBoxes; 2],
    pub counts: [usize; 2],
    /// Range of shifts that matters [length units].
    pub range: [f32; 2],
}

impl BoxSlabs<'_> {
    /// Returns the pairs that may touch at a shift in the range: for each box of the first a row of
    /// [`WIDTH`] bits, one for each box of the second, the first lowest.
    pub fn touching_mask(self, simd: SimdLevel) -> u64 {
        simd.run_eight(self)
    }
}

impl FloatKernel for BoxSlabs<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) -> u64 {
        let BoxSlabs { frame, boxes: [a, b], counts, range } = self;
        let ShiftedFrame { frame, reciprocals, .. } = frame;
        let mut touching = 0;
        let columns = splat_rotation::<L>(token, frame);
        let rows = transposed(&columns);
        let offset = splat::<L>(token, &frame.offset);
        let turned_offset = rotate_back(&columns, offset);
        let pad = L::splat(token, frame.pad);
        let [first, second] =
            [splat::<L>(token, &reciprocals[0]), splat::<L>(token, &reciprocals[1])];
        let (on_first, on_second) = slab_ends_of_first(token, a, &columns, [&first, &second]);
        let [from, to] = [L::splat(token, range[0]), L::splat(token, range[1])];
        let mut lane = 0;
        while lane < counts[1] {
            let half = load::<L, WIDTH>(token, &b.half, lane);
            let center = load::<L, WIDTH>(token, &b.center, lane);
            let one = slab_ends(
                add(rotate_back(&rows, center), offset),
                enlarged(projected_radii(&rows, half), pad),
                &first,
            );
            let other = slab_ends(add(center, turned_offset), enlarged(half, pad), &second);
            for row in 0..counts[0] {
                // The remainder hides the loop's bound from the compiler: unrolled, it would keep
                // the ends in registers, and shuffling one out takes longer than loading it.
                let place = row % WIDTH;
                let (enter, leave) = common_slab(token, (&on_first, place), &one);
                let (later, sooner) = common_slab(token, (&on_second, place), &other);
                let (enter, leave) = (enter.high(later), leave.low(sooner));
                let near = L::bits(enter.high(from).at_most(leave.low(to)));
                touching |= u64::from(near) << (place * WIDTH + lane);
            }
            lane += L::LEN;
        }
        touching & super::eight_boxes::row_masks(u8::MAX, u8::MAX >> (WIDTH - counts[1]))
    }
}

/// Ends of boxes along three axes, each divided by the direction's coordinate.
type SlabEnds<X> = [Vec3<X>; 2];

#[inline(always)]
fn slab_ends<L: Floats>(center: Vec3<L>, half: Vec3<L>, reciprocals: &Vec3<L>) -> SlabEnds<L> {
    let [x, y, z] = [
        slab_of_axis(center[0], half[0], reciprocals[0]),
        slab_of_axis(center[1], half[1], reciprocals[1]),
        slab_of_axis(center[2], half[2], reciprocals[2]),
    ];
    [[x.0, y.0, z.0], [x.1, y.1, z.1]]
}

/// Returns the ends of the boxes of the first along its own axes and along those of the second,
/// given the reciprocals of the direction along either.
#[inline(always)]
fn slab_ends_of_first<L: Floats>(
    token: L::Token,
    a: &EightBoxes,
    columns: &Mat3<L>,
    [first, second]: [&Vec3<L>; 2],
) -> (SlabEnds<[f32; WIDTH]>, SlabEnds<[f32; WIDTH]>) {
    let mut all = ([[[0.0; WIDTH]; 3]; 2], [[[0.0; WIDTH]; 3]; 2]);
    let mut lane = 0;
    while lane < WIDTH {
        let half = load::<L, WIDTH>(token, &a.half, lane);
        let center = load::<L, WIDTH>(token, &a.center, lane);
        let one = slab_ends(center, half, first);
        let other = slab_ends(rotate_back(columns, center), projected_radii(columns, half), second);
        for end in 0..2 {
            for i in 0..3 {
                one[end][i].store(&mut all.0[end][i][lane..]);
                other[end][i].store(&mut all.1[end][i][lane..]);
            }
        }
        lane += L::LEN;
    }
    all
}

/// Returns the shifts in the slabs of three axes, for one box of the first and some of the second.
#[inline(always)]
fn common_slab<L: Floats>(
    token: L::Token,
    (a, place): (&SlabEnds<[f32; WIDTH]>, usize),
    b: &SlabEnds<L>,
) -> (L, L) {
    let enter = sub(splat_entry::<L, WIDTH>(token, &a[0], place), b[1]);
    let leave = sub(splat_entry::<L, WIDTH>(token, &a[1], place), b[0]);
    (enter[0].high(enter[1]).high(enter[2]), leave[0].low(leave[1]).low(leave[2]))
}

#[inline(always)]
pub(super) fn slab_of_axis<L: Floats>(c: L, r: L, reciprocal: L) -> (L, L) {
    let (middle, half) = (c * reciprocal, r * reciprocal.abs());
    (middle - half, middle + half)
}
