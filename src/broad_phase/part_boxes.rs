//! Part AABBs of a character in the world, many at once in single precision, for the broad phase.
//!
//! # Proof that no box is too small
//!
//! Let `u = 2^-24`, and `|x|` the sum of the magnitudes of the coordinates. Rotations have the
//! error that [`rotation`] states. So the error of a centre `R c + p` is less than
//! `32 u |c| + 3 u |p|`, and that of half extents less than `34 u` of their sum: together less than
//! [`DISTANCE_PAD`] and [`RADIUS_PAD`].
//!
//! Every number is computed by the same operations, so the bits do not depend on the number of
//! lanes.

use super::aabb16::{Aabb16, BLOCK};
use crate::num::Scalar;
use crate::num::linear::{Vec3, absolute_values, add, dot, rotate_back, sub, transposed};
use crate::num::simd::{FloatKernel, Floats};
use crate::num::vectors::{ShortRecord, gather_short, lane_maxima, load, rotation, vector_at};
use crate::shape::Pose;

/// Block of boxes in the frames of their parts, as structure of arrays.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct PartBox16 {
    pub center: [[f32; BLOCK]; 3],
    pub half: [[f32; BLOCK]; 3],
    /// Radius of each box about the part's origin, as the sum of the coordinates, rounded up.
    pub radius_about_origin: [f32; BLOCK],
    /// Bit per lane: set for parts that have geometry.
    pub geometry_mask: u32,
}

impl PartBox16 {
    pub const EMPTY: Self = {
        let zero = [0.0; BLOCK];
        PartBox16 {
            center: [zero; 3],
            half: [zero; 3],
            radius_about_origin: zero,
            geometry_mask: 0,
        }
    };
}

/// Greatest distance or size for single precision: beyond it products overflow. [world units]
pub(crate) const MAX_F32_DISTANCE: f64 = 1e15;

/// Pad of a box as a share of its distance from the origin: `8 u`.
const DISTANCE_PAD: f32 = 8.0 * UNIT;

/// Pad of a box as a share of its radius: `128 u`. Of these, `94 u` cover boxes that count as
/// touching though they are disjoint along a face normal.
const RADIUS_PAD: f32 = 128.0 * UNIT;

const UNIT: f32 = f32::EPSILON / 2.0;

/// Returns the part whose box is in a slot. `order`: the part of each slot; empty if that is the
/// slot's index.
#[inline(always)]
pub(crate) fn part_at_slot(order: &[u32], slot: usize) -> usize {
    if order.is_empty() { slot } else { order[slot] as usize }
}

/// Kernel that computes the boxes of the parts of one character.
pub(crate) struct PartBoxesKernel<'a, T: Scalar> {
    /// Boxes by slot.
    pub boxes: &'a [PartBox16],
    /// Part of each slot, see [`part_at_slot`].
    pub order: &'a [u32],
    /// Poses by part.
    pub poses: &'a [Pose<T>],
    /// Flag per part: `true` if it is switched on. Empty if all are.
    pub enabled: &'a [bool],
    pub blocks: &'a mut [Aabb16],
}

/// Corners of the box around all parts; the lower exceeds the upper if there are none.
pub(crate) type BoundsF32 = [[f32; 3]; 2];

/// Layout of a pose record: the quaternion, then the position, then the flag of a missing part.
const POSITION: usize = 4;
const MISSING: usize = 7;

/// Records of the parts of a block. Aligned, so that no load crosses two cache lines.
#[repr(align(64))]
struct PoseRecords([ShortRecord; BLOCK]);

/// Record of a missing part.
const MISSING_RECORD: ShortRecord = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];

#[inline(always)]
fn write_record<T: Scalar>(record: &mut ShortRecord, pose: &Pose<T>) {
    let (q, p) = (&pose.rotation.coords, &pose.translation.vector);
    let [x, y, z, w] = [q.x, q.y, q.z, q.w].map(|x| x.wide() as f32);
    let [i, j, k] = [p.x, p.y, p.z].map(|x| x.wide() as f32);
    *record = [x, y, z, w, i, j, k, 0.0];
}

/// Running maxima over all parts: the corners, the lower ones negated, the distance from the
/// origin, and one that is unused.
type RunningMaxima<L> = [L; 8];

/// Less than every coordinate of a placed box.
const MIN_COORDINATE: f32 = f32::MIN;

impl<T: Scalar> FloatKernel for PartBoxesKernel<'_, T> {
    /// `None` if a part is too far out for single precision.
    type Output = Option<BoundsF32>;

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) -> Self::Output {
        let PartBoxesKernel { boxes, order, poses, enabled, blocks } = self;
        let mut most = [L::splat(token, MIN_COORDINATE); 8];
        for (index, (root, block)) in boxes.iter().zip(blocks).enumerate() {
            let PoseRecords(records) = &mut PoseRecords([MISSING_RECORD; BLOCK]);
            let start = index * BLOCK;
            let end = poses.len().min(start + BLOCK);
            let has_all = root.geometry_mask == u32::MAX >> (32 - (end - start));
            if has_all && order.is_empty() && enabled.is_empty() {
                for (record, pose) in records.iter_mut().zip(&poses[start..end]) {
                    write_record(record, pose);
                }
            } else {
                for slot in start..end {
                    let part = part_at_slot(order, slot);
                    let is_on = enabled.is_empty() || enabled[part];
                    if root.geometry_mask >> (slot % BLOCK) & 1 == 1 && is_on {
                        write_record(&mut records[slot % BLOCK], &poses[part]);
                    }
                }
            }
            let mut lane = 0;
            while lane < end - start {
                let columns = gather_short::<L>(token, &records[lane..]);
                let position = vector_at(&columns, POSITION);
                let missing = columns[MISSING].above(L::splat(token, 0.5));
                let ends = box_corners::<L>(token, &columns, (root, lane));
                store_boxes(token, &ends, missing, (block, lane));
                most = updated_maxima(token, most, &ends, (absolute_values(position), missing));
                lane += L::LEN;
            }
            clear_lanes(block, lane);
        }
        let [a, b, c, x, y, z, out, _] = lane_maxima(most);
        (out <= MAX_F32_DISTANCE as f32).then_some([[-a, -b, -c], [x, y, z]])
    }
}

/// Kernel that replaces each box by one around it and another, grown by a length, rounded outward.
pub(crate) struct GrownBoxesKernel<'a> {
    pub blocks: &'a mut [Aabb16],
    /// The other boxes, missing where those of `blocks` are.
    pub others: &'a [Aabb16],
    pub growths: &'a [[f32; BLOCK]],
}

impl FloatKernel for GrownBoxesKernel<'_> {
    type Output = BoundsF32;

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) -> BoundsF32 {
        let GrownBoxesKernel { blocks, others, growths } = self;
        let mut most = [L::splat(token, MIN_COORDINATE); 8];
        let zero = L::splat(token, 0.0);
        // More than the rounding of three operations, of the growth and of the end.
        let (more, share) = (L::splat(token, 1.0 + 16.0 * UNIT), L::splat(token, 4.0 * UNIT));
        for ((block, other), growth) in blocks.iter_mut().zip(others).zip(growths) {
            let mut lane = 0;
            while lane < BLOCK {
                let growth = L::load(token, &growth[lane..]) * more;
                let mut ends = [[zero; 3]; 2];
                for i in 0..3 {
                    let low = L::load(token, &block[i][lane..]);
                    let low = low.low(L::load(token, &other[i][lane..]));
                    let high = L::load(token, &block[i + 3][lane..]);
                    let high = high.high(L::load(token, &other[i + 3][lane..]));
                    ends[0][i] = low - (growth + share * low.abs());
                    ends[1][i] = high + (growth + share * high.abs());
                }
                // Missing boxes are NaN, of which all comparisons are false.
                let missing = L::not(ends[0][0].at_most(ends[1][0]));
                store_boxes(token, &ends, missing, (block, lane));
                most = updated_maxima(token, most, &ends, ([zero; 3], missing));
                lane += L::LEN;
            }
        }
        let [a, b, c, x, y, z, ..] = lane_maxima(most);
        [[-a, -b, -c], [x, y, z]]
    }
}

/// Computes the corners of the boxes. [world frame]
#[inline(always)]
fn box_corners<L: Floats>(
    token: L::Token,
    columns: &[L; 8],
    (root, lane): (&PartBox16, usize),
) -> [Vec3<L>; 2] {
    let [x, y, z] = vector_at(columns, 0);
    let (rows, position) =
        (transposed(&rotation(token, [x, y, z, columns[3]])), vector_at(columns, POSITION));
    let center = rotate_back(&rows, load::<L, BLOCK>(token, &root.center, lane));
    let half = load::<L, BLOCK>(token, &root.half, lane);
    let near = L::splat(token, RADIUS_PAD) * L::load(token, &root.radius_about_origin[lane..]);
    let (far, out) =
        (L::splat(token, DISTANCE_PAD), add(absolute_values(position), absolute_values(center)));
    let mut wide = [near; 3];
    for i in 0..3 {
        wide[i] = dot(absolute_values(rows[i]), half) + (near + far * out[i]);
    }
    let middle = add(center, position);
    [sub(middle, wide), add(middle, wide)]
}

/// Writes the boxes into their block; missing parts become empty boxes.
#[inline(always)]
fn store_boxes<L: Floats>(
    token: L::Token,
    ends: &[Vec3<L>; 2],
    missing: L::Mask,
    (block, lane): (&mut Aabb16, usize),
) {
    let nothing = L::splat(token, f32::NAN);
    for (row, end) in block.iter_mut().zip(ends.as_flattened()) {
        L::choose(missing, nothing, *end).store(&mut row[lane..]);
    }
}

/// Fills the lanes after the last part of a block with empty boxes.
#[inline(always)]
fn clear_lanes(block: &mut Aabb16, from: usize) {
    if from < BLOCK {
        for row in block.iter_mut() {
            row[from..].fill(f32::NAN);
        }
    }
}

#[inline(always)]
fn updated_maxima<L: Floats>(
    token: L::Token,
    most: RunningMaxima<L>,
    [low, high]: &[Vec3<L>; 2],
    (out, missing): (Vec3<L>, L::Mask),
) -> RunningMaxima<L> {
    let zero = L::splat(token, 0.0);
    let out = out[0].high(out[1]).high(out[2]);
    let next = [zero - low[0], zero - low[1], zero - low[2], high[0], high[1], high[2], out];
    let mut raised = most;
    for i in 0..7 {
        raised[i] = L::choose(missing, most[i], most[i].high(next[i]));
    }
    raised
}
