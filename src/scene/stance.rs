//! Where the parts of a character stand, many at once in single precision: the world boxes that are compared first, and what a glance
//! takes.
//!
//! # What is certain
//! Let `u = 2^-24`. A rotation made of a quaternion has entries off by at most `25 u` on the diagonal and `12 u` beside it: the quaternion
//! rounded `u`, the square of its length `6 u`, each product at most `11 u`, the sums; an axis is off by at most `31 u`. Positions are taken
//! from the character's anchor, in double precision before they are rounded. So a centre `R c + d` is off by less than `64 u |c| + 4 u |d|`, `|x|`
//! the sum of the coordinates: with what subtracting two of them adds, less than [`CENTER`] and [`OFFSET`] of these, the *doubt* of the character.
//! A world box adds the anchor, `3 u` of its coordinates and of the centre's, and half extents, off by less than `34 u` of the sum of these: less than
//! [`FAR`] and [`NEAR`] together.
//!
//! All of it is the same operations on each number, so the same bits whatever the lanes; and every answer is that of the test in double
//! precision.

use super::rows::{BLOCK, Block};
use crate::model::{RootBlock, Roots, SIDE};
use crate::num::Scalar;
use crate::num::lanes::{Kernel, Lanes};
use crate::num::linear::Vec3;
use crate::num::vectors::{
    Record, Three, abs, add, dot, load, scatter, splat, sub, sum, transposed, turn,
};
use crate::pair::glance;
use crate::shape::Pose;

/// What the doubt has of the centre in the part's frame: `80 u`.
const CENTER: f32 = 80.0 * UNIT;

/// What the doubt has of the offset from the anchor: `8 u`.
const OFFSET: f32 = 8.0 * UNIT;

/// How much wider a world box is for where it is: `8 u`.
const FAR: f32 = 8.0 * UNIT;

/// How much wider a world box is for how far it reaches: `128 u`, of which `94 u` let boxes meet that count as touching but do not.
const NEAR: f32 = 128.0 * UNIT;

const UNIT: f32 = f32::EPSILON / 2.0;

/// Farther from the origin, or from each other, parts are placed in double precision. Units.
const FARTHEST: f32 = 1e15;

/// The parts of one character, and the room for what is worked out of them.
pub(super) struct Stand<'a, T: Scalar> {
    pub roots: &'a Roots,
    pub poses: &'a [Pose<T>],
    pub enabled: &'a [bool],
    pub blocks: &'a mut [Block],
    pub records: &'a mut [Record],
}

/// How a character stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stood {
    /// What its parts are seen from.
    pub anchor: Vec3,
    /// How far their centres may be off as seen from there. Units.
    pub doubt: f32,
    /// The ends of the box around all of it; `None` if there is nothing.
    pub around: Option<[[f32; 3]; 2]>,
}

/// The poses of up to as many parts as a block has, number by number.
struct Rows {
    turn: [[f32; SIDE]; 3],
    real: [[f32; SIDE]; 1],
    offset: [[f32; SIDE]; 3],
    /// 1 for parts that are not there.
    missing: [f32; SIDE],
}

impl Rows {
    const NONE: Rows = Rows {
        turn: [[0.0; SIDE]; 3],
        real: [[1.0; SIDE]; 1],
        offset: [[0.0; SIDE]; 3],
        missing: [1.0; SIDE],
    };

    #[inline(always)]
    fn put<T: Scalar>(&mut self, place: usize, pose: &Pose<T>, from: [T; 3]) {
        let (q, p) = (&pose.rotation.coords, &pose.translation.vector);
        for i in 0..3 {
            self.turn[i][place] = q[i].wide() as f32;
            self.offset[i][place] = (p[i].wide() - from[i].wide()) as f32;
        }
        self.real[0][place] = q[3].wide() as f32;
        self.missing[place] = 0.0;
    }
}

/// As many parts as there are lanes.
struct Placed<L> {
    /// The axes, seen from the anchor as all of it.
    axes: [Three<L>; 3],
    center: Three<L>,
    /// How far it reaches along the coordinates.
    spread: Three<L>,
}

/// What of all parts is largest: the ends away from the anchor, the lower ones negated, and how far they are from it.
type Most<L> = [L; 7];

/// Less than anything placed.
const LEAST: f32 = f32::MIN;

impl<T: Scalar> Kernel for Stand<'_, T> {
    /// `None` if some of it is too far out for single precision.
    type Output = Option<Stood>;

    #[inline(always)]
    fn run<L: Lanes>(self, token: L::Token) -> Self::Output {
        let Stand { roots, poses, enabled, blocks, records } = self;
        let first = poses[0].translation.vector;
        let from = [first.x, first.y, first.z];
        let anchor = [from[0].wide(), from[1].wide(), from[2].wide()];
        let near = [anchor[0] as f32, anchor[1] as f32, anchor[2] as f32];
        if !near.iter().all(|x| x.abs() <= FARTHEST) {
            return None;
        }
        let at = splat::<L>(token, &near);
        let mut most = [L::splat(token, LEAST); 7];
        for (index, (root, block)) in roots.blocks.iter().zip(blocks).enumerate() {
            let mut rows = Rows::NONE;
            let start = index * SIDE;
            let end = poses.len().min(start + SIDE);
            for part in start..end {
                if enabled[part] && roots.solid >> part & 1 == 1 {
                    rows.put(part % SIDE, &poses[part], from);
                }
            }
            let mut lane = 0;
            while lane < end - start {
                let offset = load::<L, SIDE>(token, &rows.offset, lane);
                let missing = L::load(token, &rows.missing[lane..]).above(L::splat(token, 0.5));
                let placed = placed::<L>(token, (&rows, root), offset, lane);
                let size = L::load(token, &root.size[lane..]);
                let half = load::<L, SIDE>(token, &root.half, lane);
                scatter(columns(&placed, half, size), &mut records[start + lane..]);
                let reach = L::load(token, &root.reach[lane..]);
                let ends = ends::<L>(token, &placed, (at, offset, reach));
                bound(token, &ends, missing, (block, lane));
                most = raised(token, most, &ends, (sum(abs(offset)), missing));
                lane += L::LEN;
            }
            blank(block, lane);
        }
        stood(folded(most), anchor, roots.far)
    }
}

/// Turned and moved. Source of the rotation: any text on quaternions; the same as in double precision, in another order.
#[inline(always)]
fn placed<L: Lanes>(
    token: L::Token,
    (rows, root): (&Rows, &RootBlock),
    offset: Three<L>,
    lane: usize,
) -> Placed<L> {
    let [x, y, z] = load::<L, SIDE>(token, &rows.turn, lane);
    let w = L::load(token, &rows.real[0][lane..]);
    let (one, two) = (L::splat(token, 1.0), L::splat(token, 2.0));
    let s = two / (x * x + y * y + z * z + w * w);
    let (sx, sy, sz) = (s * x, s * y, s * z);
    let (xx, yy, zz) = (sx * x, sy * y, sz * z);
    let (xy, xz, yz) = (sx * y, sx * z, sy * z);
    let (wx, wy, wz) = (sx * w, sy * w, sz * w);
    let axes = [
        [one - (yy + zz), xy + wz, xz - wy],
        [xy - wz, one - (xx + zz), yz + wx],
        [xz + wy, yz - wx, one - (xx + yy)],
    ];
    let rows = transposed(&axes);
    let half = load::<L, SIDE>(token, &root.half, lane);
    let center = load::<L, SIDE>(token, &root.center, lane);
    Placed {
        axes,
        center: add(turn(&rows, center), offset),
        spread: [dot(abs(rows[0]), half), dot(abs(rows[1]), half), dot(abs(rows[2]), half)],
    }
}

#[inline(always)]
fn columns<L: Lanes>(placed: &Placed<L>, half: Three<L>, size: L) -> [L; 16] {
    let ([x, y, z], c) = (placed.axes, placed.center);
    const { assert!(glance::AXES == 3 && glance::HALF == 12 && glance::SIZE == 15) };
    [
        c[0], c[1], c[2], x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2], half[0], half[1],
        half[2], size,
    ]
}

/// The ends of the world boxes.
#[inline(always)]
fn ends<L: Lanes>(
    token: L::Token,
    placed: &Placed<L>,
    (at, offset, reach): (Three<L>, Three<L>, L),
) -> [Three<L>; 2] {
    let middle = add(placed.center, at);
    let near = L::splat(token, NEAR) * reach;
    let out = add(add(abs(at), abs(offset)), abs(placed.center));
    let far = L::splat(token, FAR);
    let mut wide = placed.spread;
    for i in 0..3 {
        wide[i] = wide[i] + (near + far * out[i]);
    }
    [sub(middle, wide), add(middle, wide)]
}

/// Writes the boxes into their block; those of missing parts are nothing.
#[inline(always)]
fn bound<L: Lanes>(
    token: L::Token,
    ends: &[Three<L>; 2],
    missing: L::Mask,
    (block, lane): (&mut Block, usize),
) {
    let nothing = L::splat(token, f32::NAN);
    for (row, end) in block.iter_mut().zip(ends.as_flattened()) {
        L::choose(missing, nothing, *end).store(&mut row[lane..]);
    }
}

/// What is behind the last part of a block is nothing.
#[inline(always)]
fn blank(block: &mut Block, from: usize) {
    if from < BLOCK {
        for row in block {
            row[from..].fill(f32::NAN);
        }
    }
}

#[inline(always)]
fn raised<L: Lanes>(
    token: L::Token,
    most: Most<L>,
    [low, high]: &[Three<L>; 2],
    (out, missing): (L, L::Mask),
) -> Most<L> {
    let zero = L::splat(token, 0.0);
    let next = [zero - low[0], zero - low[1], zero - low[2], high[0], high[1], high[2], out];
    let mut raised = most;
    for i in 0..7 {
        raised[i] = L::choose(missing, most[i], most[i].larger(next[i]));
    }
    raised
}

/// The largest of all lanes.
#[inline(always)]
fn folded<L: Lanes>(most: Most<L>) -> [f32; 7] {
    let mut columns = [most[0]; 16];
    columns[..7].copy_from_slice(&most);
    let mut records = [[LEAST; 16]; 16];
    scatter(columns, &mut records);
    let mut folded = [LEAST; 7];
    for record in &records[..L::LEN] {
        for i in 0..7 {
            folded[i] = if record[i] > folded[i] { record[i] } else { folded[i] };
        }
    }
    folded
}

#[inline(always)]
fn stood(most: [f32; 7], anchor: Vec3, far: f32) -> Option<Stood> {
    let [a, b, c, x, y, z, out] = most;
    let around = (out >= 0.0).then_some([[-a, -b, -c], [x, y, z]]);
    let doubt = CENTER * far + OFFSET * if out > 0.0 { out } else { 0.0 };
    (out <= FARTHEST).then_some(Stood { anchor, doubt, around })
}
