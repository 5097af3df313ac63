//! Filter of a batch: poses rows side by side in single precision, and drops the pairs of parts
//! that are certainly apart.
//!
//! # Proof that nothing is dropped that touches
//! Let `u = 2^-24`. [`LaneKinematics`] bounds the error of each computed point. Two parts are
//! reported if they are no further apart than the margin and the slack of their trees, so they are
//! not if volumes around them are: `reach` is the sum of the radii, the errors of both points, the
//! margin and the slack.
//!
//! - Balls: the difference of two points rounds each coordinate by `u` of itself; its square is off
//!   by `6 u` of itself.
//! - Capsules, by any direction `n`: their segments are apart by at least `g / |n|`, where `g` is
//!   the least product of `n` and a difference of their points. The computed `g` is off by less
//!   than `8 u |n|` of the lengths of the two segments and the distance of their first ends, which
//!   are at most three times the distances of all ends from the origin. The length of `n` and its
//!   product with the reach are off by `4 u` of themselves. A direction shorter than [`MIN_REACH`]
//!   is compared as if it had that length, which is never in favour of a separation.
//! - A ball and a box: the difference of the centres, in the axes of the box, less the half extents
//!   is off by less than `12 u` of the distances of both centres and the half extents.
//! - A base: the exact query has the poses `base * pose`, computed in the scalar of the model. With
//!   `s` the squared length of the base's quaternion, an origin `p` of a link is rotated to within
//!   `2 |s - 1| |p|`, and to within `64 u |p|` and `2 u |t|` by rounding, where `t` is the position
//!   of the base; the rounded product of the quaternions rotates the geometry by `16 u` more. The
//!   filter rotates a centre `c` by a rounded matrix, to within `8 u |c| + 2 u |t|`.
//!
//! [`LENGTH_PAD`], [`SQUARE_PAD`] and [`BASE_PAD`] cover these. A square that underflows is below
//! [`MIN_REACH`] squared. NaN compares as near.

use super::obstacles::{Obstacle, PlacedBox};
use super::volumes::PartVolumes;
use crate::model::{Model, PartId, SelfQuery};
use crate::motion::{
    FramePoint, LaneKinematics, Mechanism, ROWS, RowFrames, RowNumbers, load_vector, splat,
    store_vector,
};
use crate::num::linear::{Mat3, Vec3, absolute_values, add, dot, length, rotate_back, scale, sub};
use crate::num::simd::{FloatKernel, Floats};
use crate::num::{Scalar, SimdLevel};
use crate::shape::{Placement, Pose};
use crate::tree::part_slack;

const LENGTH_PAD: f64 = 64.0 / (1u64 << 24) as f64;
const SQUARE_PAD: f64 = 16.0 / (1u64 << 24) as f64;
const BASE_PAD: f64 = 128.0 / (1u64 << 24) as f64;
const MIN_REACH: f64 = 1e-15;
/// Least square of a direction, that of [`MIN_REACH`]: those of shorter ones may underflow.
const SHORTEST_SQUARE: f32 = 1e-30;

/// The volumes and pairs of a robot, and the obstacles around it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct BatchFilter {
    kinematics: LaneKinematics,
    volumes: Vec<PartVolumes>,
    /// Pairs of the robot's own parts, ascending.
    pub pairs: Vec<FilterPair>,
    /// Pairs of its parts and of obstacles' parts, in the order in which they were added.
    obstacle_pairs: Vec<FilterObstacle>,
    boxes: Vec<FilterBox>,
    /// Bound on the distances of the links' origins from that of the model.
    origin_distance: f64,
}

/// Two parts of the robot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct FilterPair {
    pub parts: (PartId, PartId),
    volumes: [u32; 2],
    /// Square of the distance beyond which the balls are certainly apart.
    ball_limit: f32,
    capsules: [FilterCapsule; 2],
    /// Distance beyond which the capsules are certainly apart.
    capsule_limit: f32,
}

/// Segment of a capsule with its squared length, and its reciprocal or 0.
#[derive(Debug, Clone, Copy, PartialEq)]
struct FilterCapsule {
    frame: u32,
    ends: [Vec3<f32>; 2],
    square: f32,
    reciprocal: f32,
}

/// A part of the robot and a part of an obstacle.
#[derive(Debug, Clone, Copy, PartialEq)]
struct FilterObstacle {
    volume: u32,
    /// Range of the boxes of the obstacle's part.
    boxes: [u32; 2],
    /// Square of the distance beyond which the ball is certainly apart from the boxes.
    limit: f32,
    /// Distance beyond which the ball is certainly apart from the boxes, for a base with a pose;
    /// `RowBases::pads` is added [length units].
    based_reach: f32,
}

/// A box of an obstacle, placed.
#[derive(Debug, Clone, Copy, PartialEq)]
struct FilterBox {
    axes: Mat3<f32>,
    center: Vec3<f32>,
    half: Vec3<f32>,
}

/// Poses of the base in the world, one for each row.
#[derive(Debug, Clone)]
struct RowBases {
    frames: RowFrames,
    /// Pad of each base, added to `based_reach` [length units].
    pads: RowNumbers,
}

/// Scratch memory of the filter, and its verdicts.
#[derive(Debug, Clone, Default)]
pub(super) struct FilterScratch {
    /// Rows of each actuator's values.
    pub values: Vec<RowNumbers>,
    /// `None` if the base is at the origin of the world.
    bases: Option<RowBases>,
    frames: Vec<RowFrames>,
    centers: Vec<[RowNumbers; 3]>,
    /// Centres of the balls in the world, if there are bases.
    placed_centers: Vec<[RowNumbers; 3]>,
    /// Mask of the rows in which each own pair is left open, then each pair with an obstacle.
    pub open: Vec<u32>,
    /// Distance of the axes of the two capsules of each own pair, as a share of the distance beyond
    /// which they are certainly apart; for the rows in which the pair is open.
    pub nearness: Vec<RowNumbers>,
    /// Mask of the rows that the filter does not decide at all.
    pub unfiltered: u32,
    /// Number of own pairs whose balls are not certainly apart, of all filtered rows.
    pub near_balls: u64,
}

impl BatchFilter {
    /// Prepares the filter; `None` for robots that it does not support.
    pub fn new<T: Scalar>(
        (mechanism, model): (&Mechanism, &Model<T>),
        query: SelfQuery,
    ) -> Option<Self> {
        let kinematics = mechanism.lane_kinematics()?;
        let volumes = PartVolumes::of_model(model, &kinematics)?;
        let distances = volumes.iter().map(|volumes| volumes.origin_distance);
        let mut filter = BatchFilter {
            origin_distance: distances.fold(0.0, f64::max),
            kinematics,
            volumes,
            pairs: Vec::new(),
            obstacle_pairs: Vec::new(),
            boxes: Vec::new(),
        };
        let mut pairs = Vec::new();
        for parts in model.tested_pairs().filter(|&pair| model.groups_interact(pair)) {
            // Parts without geometry touch nothing.
            let (Some(a), Some(b)) = (filter.volume(parts.0), filter.volume(parts.1)) else {
                continue;
            };
            let margin = model.requested_margin(parts, query.asked_margin());
            let trees = [model.tree(parts.0), model.tree(parts.1)];
            let slack = part_slack(trees, query.accuracy(), margin).wide();
            let [first, second] = [&filter.volumes[a], &filter.volumes[b]];
            pairs.push(FilterPair {
                parts,
                volumes: [a as u32, b as u32],
                ball_limit: squared(reach(
                    &[first.radius, second.radius, margin, slack],
                    &[first.center, second.center],
                    0.0,
                )),
                capsules: [FilterCapsule::new(first), FilterCapsule::new(second)],
                capsule_limit: f32::at_least(
                    reach(
                        &[first.capsule_radius, second.capsule_radius, margin, slack],
                        &[farther(first.ends), farther(second.ends)],
                        0.0,
                    ) * (1.0 + SQUARE_PAD),
                ),
            });
        }
        pairs.sort_unstable_by_key(|pair| pair.parts);
        filter.pairs = pairs;
        Some(filter)
    }

    /// Index of the volumes of a part; `None` for parts without geometry.
    fn volume(&self, part: PartId) -> Option<usize> {
        self.volumes.binary_search_by_key(&part.index(), |volumes| volumes.part).ok()
    }

    /// Removes all obstacles.
    pub fn clear_obstacles(&mut self) {
        self.obstacle_pairs.clear();
        self.boxes.clear();
    }

    /// Adds parts of the robot, tested against a part of an obstacle.
    pub fn add_obstacle<T: Scalar>(
        &mut self,
        model: &Model<T>,
        parts: impl Iterator<Item = PartId>,
        obstacle: &Obstacle<T>,
        other: PartId,
        query: SelfQuery,
    ) {
        let (start, boxes) = (self.boxes.len() as u32, obstacle.boxes(other));
        let size = |of: &PlacedBox| length(of.center) + length(of.half);
        let size = boxes.iter().map(size).fold(0.0, f64::max);
        self.boxes.extend(boxes.iter().map(FilterBox::new));
        let boxes = [start, self.boxes.len() as u32];
        for part in parts {
            let volume = self.volume(part).expect("a part with geometry");
            let (own, margin) = (&self.volumes[volume], query.own_margin());
            let trees = [model.tree(part), obstacle.model.tree(other)];
            let slack = part_slack(trees, query.accuracy(), margin).wide();
            let reach = reach(&[own.radius, margin, slack], &[own.center], size);
            let limit = squared(reach);
            let lengths = own.origin_distance + own.size + own.center.distance;
            let based_reach = (reach + BASE_PAD * lengths) * (1.0 + SQUARE_PAD);
            let based_reach = f32::at_least(based_reach);
            let volume = volume as u32;
            self.obstacle_pairs.push(FilterObstacle { volume, boxes, limit, based_reach });
        }
    }

    /// Places the base in up to [`ROWS`] rows: at one pose in all of them, at a pose each, or at
    /// the origin without poses.
    pub fn load_bases<T: Scalar>(&self, bases: &[Pose<T>], scratch: &mut FilterScratch) {
        let Some(last) = bases.last().filter(|_| !self.obstacle_pairs.is_empty()) else {
            scratch.bases = None;
            return;
        };
        let all = scratch.bases.get_or_insert_with(|| RowBases {
            frames: LaneKinematics::fixed_frame(),
            pads: RowNumbers::ZERO,
        });
        for row in 0..ROWS {
            let base = bases.get(row).unwrap_or(last);
            let Placement { rotation, position } = Placement::new(base);
            all.frames.set_row(row, &rotation, position);
            let square: f64 = base.rotation.coords.iter().map(|x| x.wide() * x.wide()).sum();
            let stretch = 2.0 * (square - 1.0).abs() * self.origin_distance;
            let pad = (BASE_PAD + LENGTH_PAD) * length(position) + stretch;
            all.pads.0[row] = f32::at_least(pad * (1.0 + SQUARE_PAD));
        }
    }

    /// Finds the pairs that are not certainly apart in the first `rows` rows, whose values the
    /// scratch has.
    pub fn run(&self, simd: SimdLevel, rows: usize, scratch: &mut FilterScratch) {
        scratch.frames.resize(self.kinematics.frame_count(), LaneKinematics::fixed_frame());
        scratch.centers.resize(self.volumes.len(), [RowNumbers::ZERO; 3]);
        scratch.placed_centers.resize(self.volumes.len(), [RowNumbers::ZERO; 3]);
        scratch.open.clear();
        scratch.open.resize(self.pairs.len() + self.obstacle_pairs.len(), 0);
        scratch.nearness.resize(self.pairs.len(), RowNumbers::ZERO);
        scratch.frames[0] = LaneKinematics::fixed_frame();
        (scratch.unfiltered, scratch.near_balls) = simd.run(FilterKernel {
            filter: self,
            values: &scratch.values,
            bases: scratch.bases.as_ref(),
            frames: &mut scratch.frames,
            centers: &mut scratch.centers,
            placed_centers: &mut scratch.placed_centers,
            open: &mut scratch.open,
            nearness: &mut scratch.nearness,
            counted: u32::MAX >> (u32::BITS - rows as u32),
        });
    }
}

/// Returns the point whose bounds are the larger ones.
fn farther([a, b]: [FramePoint; 2]) -> FramePoint {
    FramePoint { error: a.error.max(b.error), distance: a.distance.max(b.distance), ..a }
}

/// Returns a distance beyond which volumes at these points are certainly apart, with the errors of
/// the module. `size`: distances and sizes besides those of the points.
fn reach(terms: &[f64], points: &[FramePoint], size: f64) -> f64 {
    let sum: f64 = terms.iter().sum();
    let errors: f64 = points.iter().map(|point| point.error).sum();
    let sizes: f64 = points.iter().map(|point| point.distance).sum();
    (sum + errors + LENGTH_PAD * (sizes + size)).max(MIN_REACH)
}

/// Returns the square of a reach, rounded up.
fn squared(reach: f64) -> f32 {
    f32::at_least(reach * reach * (1.0 + SQUARE_PAD))
}

impl FilterScratch {
    /// Writes up to [`ROWS`] rows of values side by side.
    pub fn load_rows<T: Scalar>(&mut self, values: &[T], width: usize) {
        self.values.resize(width, RowNumbers::ZERO);
        for (row, values) in values.chunks_exact(width.max(1)).enumerate() {
            for (own, value) in self.values.iter_mut().zip(values) {
                own.0[row] = value.wide() as f32;
            }
        }
    }

    /// Mask of the rows in which any pair is open.
    pub fn undecided(&self) -> u32 {
        self.open.iter().fold(self.unfiltered, |all, open| all | open)
    }
}

impl FilterCapsule {
    fn new(volumes: &PartVolumes) -> Self {
        let ends = volumes.ends.map(|end| end.position);
        let along = sub(ends[1], ends[0]);
        let square = dot(along, along);
        let reciprocal = if square > 0.0 { 1.0 / square } else { 0.0 };
        FilterCapsule { frame: volumes.ends[0].frame, ends, square, reciprocal }
    }
}

impl FilterBox {
    fn new(placed: &PlacedBox) -> Self {
        let single = |v: Vec3| v.map(|x| x as f32);
        FilterBox {
            axes: placed.axes.map(single),
            center: single(placed.center),
            half: single(placed.half),
        }
    }
}

struct FilterKernel<'a> {
    filter: &'a BatchFilter,
    values: &'a [RowNumbers],
    bases: Option<&'a RowBases>,
    frames: &'a mut [RowFrames],
    centers: &'a mut [[RowNumbers; 3]],
    placed_centers: &'a mut [[RowNumbers; 3]],
    open: &'a mut [u32],
    nearness: &'a mut [RowNumbers],
    /// Mask of the rows that are counted.
    counted: u32,
}

impl FloatKernel for FilterKernel<'_> {
    /// Mask of the rows that are not filtered, and the number of own pairs whose balls are near.
    type Output = (u32, u64);

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) -> (u32, u64) {
        let FilterKernel {
            filter,
            values,
            bases,
            frames,
            centers,
            placed_centers,
            open,
            nearness,
            counted,
        } = self;
        let (own, others) = open.split_at_mut(filter.pairs.len());
        let (mut unfiltered, mut row, mut near_balls) = (0, 0, 0);
        while row < ROWS {
            let beyond = filter.kinematics.pose_rows::<L>(token, row, values, frames);
            unfiltered |= beyond << row;
            let counted = counted >> row & !beyond;
            for (volumes, placed) in filter.volumes.iter().zip(centers.iter_mut()) {
                let FramePoint { frame, position, .. } = &volumes.center;
                let center = frames[*frame as usize].point::<L>(token, row, position);
                store_vector(placed, row, center);
            }
            let pairs = filter.pairs.iter().zip(own.iter_mut()).zip(nearness.iter_mut());
            for ((pair, open), nearness) in pairs {
                let [a, b] = pair.volumes;
                let a = load_vector::<L>(token, &centers[a as usize], row);
                let b = load_vector::<L>(token, &centers[b as usize], row);
                let offset = sub(a, b);
                let apart = dot(offset, offset).above(L::splat(token, pair.ball_limit));
                let mut near = L::bits(L::not(apart));
                near_balls += u64::from((near & counted).count_ones());
                if near != 0 {
                    near &= near_capsules::<L>(token, row, frames, (pair, nearness));
                }
                *open |= near << row;
            }
            if let Some(bases) = bases {
                for (center, placed) in centers.iter().zip(placed_centers.iter_mut()) {
                    let center = load_vector::<L>(token, center, row);
                    store_vector(placed, row, bases.frames.place_lanes::<L>(token, row, center));
                }
            }
            let in_world = if bases.is_some() { &*placed_centers } else { &*centers };
            for (pair, open) in filter.obstacle_pairs.iter().zip(others.iter_mut()) {
                let center = load_vector::<L>(token, &in_world[pair.volume as usize], row);
                let limit = match bases {
                    Some(bases) => {
                        let pad = bases.pads.load::<L>(token, row);
                        let reach = L::splat(token, pair.based_reach) + pad;
                        reach * reach
                    }
                    None => L::splat(token, pair.limit),
                };
                let [start, end] = pair.boxes;
                for placed in &filter.boxes[start as usize..end as usize] {
                    let square = square_to_box::<L>(token, center, placed);
                    *open |= L::bits(L::not(square.above(limit))) << row;
                }
            }
            row += L::LEN;
        }
        (unfiltered, near_balls)
    }
}

/// Returns the square of the distance between points and a box.
#[inline(always)]
fn square_to_box<L: Floats>(token: L::Token, point: Vec3<L>, placed: &FilterBox) -> L {
    let zero = L::splat(token, 0.0);
    let [x, y, z] = &placed.axes;
    let axes = [splat(token, x), splat(token, y), splat(token, z)];
    let offset = rotate_back(&axes, sub(point, splat(token, &placed.center)));
    let [x, y, z] = sub(absolute_values(offset), splat(token, &placed.half));
    let outside = [x.high(zero), y.high(zero), z.high(zero)];
    dot(outside, outside)
}

/// Returns the lanes in which the capsules of two parts are not certainly apart, and writes how
/// near they are.
///
/// The direction is that between the closest points of the segments. Source: Ericson, Real-Time
/// Collision Detection (2005), 5.1.9. Its errors change no verdict that is certain.
#[inline(always)]
fn near_capsules<L: Floats>(
    token: L::Token,
    row: usize,
    frames: &[RowFrames],
    (pair, nearness): (&FilterPair, &mut RowNumbers),
) -> u32 {
    let (zero, one) = (L::splat(token, 0.0), L::splat(token, 1.0));
    let [first, second] = &pair.capsules;
    let (frame_a, frame_b) = (&frames[first.frame as usize], &frames[second.frame as usize]);
    let a = frame_a.point::<L>(token, row, &first.ends[0]);
    let along_a = sub(frame_a.point::<L>(token, row, &first.ends[1]), a);
    let b = frame_b.point::<L>(token, row, &second.ends[0]);
    let along_b = sub(frame_b.point::<L>(token, row, &second.ends[1]), b);
    let offset = sub(a, b);
    let (square_a, square_b) = (L::splat(token, first.square), L::splat(token, second.square));
    let (cosine, on_a, on_b) = (dot(along_a, along_b), dot(along_a, offset), dot(along_b, offset));
    // Nearly parallel segments: any share of the first will do.
    let determinant = (square_a * square_b - cosine * cosine).high(L::splat(token, 1e-30));
    let share_a = (cosine * on_b - on_a * square_b) / determinant;
    let share_a = share_a.low(one).high(zero);
    let share_b = (cosine * share_a + on_b) * L::splat(token, second.reciprocal);
    let share_b = share_b.low(one).high(zero);
    let share_a = (cosine * share_b - on_a) * L::splat(token, first.reciprocal);
    let share_a = share_a.low(one).high(zero);
    let direction = sub(add(offset, scale(along_a, share_a)), scale(along_b, share_b));
    let gap = dot(direction, offset)
        + dot(direction, along_a).low(zero)
        + (-dot(direction, along_b)).low(zero);
    // Shorter directions are mostly rounding.
    let square = dot(direction, direction).high(L::splat(token, SHORTEST_SQUARE));
    let limit = square.sqrt() * L::splat(token, pair.capsule_limit);
    let near = L::bits(L::not(gap.above(limit)));
    if near != 0 {
        (gap / limit).store(&mut nearness.0[row..]);
    }
    near
}
