//! Filter of a batch: poses rows side by side in single precision, drops the pairs of parts that
//! are certainly apart, and finds rows that certainly collide with an obstacle.
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
//! - A capsule and a box, by any direction `n` in the axes of the box: as for two capsules, with
//!   the ends in these axes, each off as a centre, and the support of the box, the sum of the
//!   products of `|n|` and the half extents. `g` is off by less than `28 u |n|` of the distances of
//!   the ends and the centre and the half extents.
//! - A base: the exact query has the poses `base * pose`, computed in the scalar of the model. With
//!   `s` the squared length of the base's quaternion, an origin `p` of a link is rotated to within
//!   `2 |s - 1| |p|`, and to within `64 u |p|` and `2 u |t|` by rounding, where `t` is the position
//!   of the base; the rounded product of the quaternions rotates the geometry by `16 u` more. The
//!   filter rotates a centre `c` by a rounded matrix, to within `8 u |c| + 2 u |t|`.
//!
//! A row collides for certain if a point of a part is within a solid of an obstacle: further from
//! its surface than the errors of a point and a box. Axes of a box that are not quite orthonormal
//! put the coordinates off by the product of their errors and the half extents.
//!
//! [`LENGTH_PAD`], [`SQUARE_PAD`] and [`BASE_PAD`] cover these. A square that underflows is below
//! [`MIN_REACH`] squared. NaN compares as near.

use super::obstacles::{Obstacle, PlacedBox, PlacedSolid};
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
    solids: Vec<FilterSolid>,
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
    ball: ObstacleReach,
    capsule: FilterCapsule,
    capsule_reach: ObstacleReach,
    /// Range of the solids within the obstacle's part.
    solids: [u32; 2],
    /// Depth below which a point of the robot's part is not certainly within a solid.
    depth: ObstacleReach,
}

/// Distance beyond which two volumes are certainly apart [length units].
#[derive(Debug, Clone, Copy, PartialEq)]
struct ObstacleReach {
    /// Distance for a base at the origin of the world.
    unplaced: f32,
    /// Distance for a base with a pose, to which `RowBases::pads` is added.
    placed: f32,
}

/// A box of an obstacle, placed.
#[derive(Debug, Clone, Copy, PartialEq)]
struct FilterBox {
    axes: Mat3<f32>,
    center: Vec3<f32>,
    half: Vec3<f32>,
}

/// A solid within an obstacle, placed: a box grown by a radius.
#[derive(Debug, Clone, Copy, PartialEq)]
struct FilterSolid {
    block: FilterBox,
    radius: f32,
    /// Error of coordinates by axes that are not quite orthonormal [length units].
    error: f32,
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
    /// Distance of the axes of the two capsules of each pair, or of an axis and the boxes of an
    /// obstacle, as a share of the distance beyond which the two are certainly apart; for the rows
    /// in which the pair is open.
    pub nearness: Vec<RowNumbers>,
    /// Mask of the rows that certainly collide with an obstacle.
    pub colliding: u32,
    /// Mask of the rows that the filter does not decide at all.
    pub unfiltered: u32,
    pub counts: FilterCounts,
}

/// Numbers of own pairs, and of pairs with obstacles, that are not certainly apart, of all filtered
/// rows.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FilterCounts {
    /// Numbers by their balls, or by the ball of a part and the boxes of an obstacle.
    pub near_balls: [u64; 2],
    /// Numbers by their capsules too.
    pub near_capsules: [u64; 2],
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
            solids: Vec::new(),
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
                        &[
                            farther(first.ends[0], first.ends[1]),
                            farther(second.ends[0], second.ends[1]),
                        ],
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
        self.solids.clear();
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
        let start = self.solids.len() as u32;
        self.solids.extend(obstacle.inner_solids(other).iter().map(FilterSolid::new));
        let solids = [start, self.solids.len() as u32];
        for part in parts {
            let volume = self.volume(part).expect("a part with geometry");
            let (own, margin) = (&self.volumes[volume], query.own_margin());
            let trees = [model.tree(part), obstacle.model.tree(other)];
            let slack = part_slack(trees, query.accuracy(), margin).wide();
            let obstacle_reach = |terms: &[f64], point: FramePoint| {
                let reach = reach(terms, &[point], size);
                let lengths = own.origin_distance + own.size + point.distance;
                let padded = |reach: f64| f32::at_least(reach * (1.0 + SQUARE_PAD));
                let (unplaced, placed) = (padded(reach), padded(reach + BASE_PAD * lengths));
                ObstacleReach { unplaced, placed }
            };
            self.obstacle_pairs.push(FilterObstacle {
                volume: volume as u32,
                boxes,
                ball: obstacle_reach(&[own.radius, margin, slack], own.center),
                capsule: FilterCapsule::new(own),
                capsule_reach: obstacle_reach(
                    &[own.capsule_radius, margin, slack],
                    farther(own.ends[0], own.ends[1]),
                ),
                solids,
                depth: obstacle_reach(&[], own.points.iter().copied().fold(own.center, farther)),
            });
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
        scratch.nearness.resize(scratch.open.len(), RowNumbers::ZERO);
        scratch.frames[0] = LaneKinematics::fixed_frame();
        let found = simd.run(FilterKernel {
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
        scratch.unfiltered = found.unfiltered;
        scratch.colliding = found.colliding & !found.unfiltered;
        scratch.counts = found.counts;
    }
}

/// Returns the point whose bounds are the larger ones.
fn farther(a: FramePoint, b: FramePoint) -> FramePoint {
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

impl FilterSolid {
    fn new(placed: &PlacedSolid) -> Self {
        let PlacedSolid { block, radius } = placed;
        let [x, y, z] = block.axes;
        let angles = dot(x, y).abs() + dot(y, z).abs() + dot(z, x).abs();
        let lengths = block.axes.iter().map(|axis| (dot(*axis, *axis) - 1.0).abs()).sum::<f64>();
        let error = 2.0 * (angles + lengths) * (block.half.iter().sum::<f64>() + radius);
        let (radius, error) = (*radius as f32, f32::at_least(error + LENGTH_PAD * radius));
        FilterSolid { block: FilterBox::new(block), radius, error }
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

/// Rows decided by the filter, and counts.
#[derive(Debug, Clone, Copy, Default)]
struct FilterOutput {
    /// Mask of the rows that are not filtered.
    unfiltered: u32,
    /// Mask of the rows that certainly collide with an obstacle.
    colliding: u32,
    counts: FilterCounts,
}

impl FloatKernel for FilterKernel<'_> {
    type Output = FilterOutput;

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) -> FilterOutput {
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
        let (own_nearness, other_nearness) = nearness.split_at_mut(filter.pairs.len());
        let (mut found, mut row) = (FilterOutput::default(), 0);
        while row < ROWS {
            let beyond = filter.kinematics.pose_rows::<L>(token, row, values, frames);
            found.unfiltered |= beyond << row;
            let counted = counted >> row & !beyond;
            for (volumes, placed) in filter.volumes.iter().zip(centers.iter_mut()) {
                let FramePoint { frame, position, .. } = &volumes.center;
                let center = frames[*frame as usize].point::<L>(token, row, position);
                store_vector(placed, row, center);
            }
            let pairs = filter.pairs.iter().zip(own.iter_mut()).zip(own_nearness.iter_mut());
            for ((pair, open), nearness) in pairs {
                let [a, b] = pair.volumes;
                let a = load_vector::<L>(token, &centers[a as usize], row);
                let b = load_vector::<L>(token, &centers[b as usize], row);
                let offset = sub(a, b);
                let apart = dot(offset, offset).above(L::splat(token, pair.ball_limit));
                let mut near = L::bits(L::not(apart));
                found.counts.near_balls[0] += u64::from((near & counted).count_ones());
                if near != 0 {
                    near &= near_capsules::<L>(token, row, frames, (pair, nearness));
                    found.counts.near_capsules[0] += u64::from((near & counted).count_ones());
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
            let pairs = filter.obstacle_pairs.iter().zip(others.iter_mut());
            for ((pair, open), nearness) in pairs.zip(other_nearness.iter_mut()) {
                let center = load_vector::<L>(token, &in_world[pair.volume as usize], row);
                let reach = pair.ball.lanes::<L>(token, row, bases);
                let [start, end] = pair.boxes.map(|at| at as usize);
                let boxes = &filter.boxes[start..end];
                let mut near = 0;
                for placed in boxes {
                    let square = square_to_box::<L>(token, center, placed);
                    near |= L::bits(L::not(square.above(reach * reach)));
                }
                found.counts.near_balls[1] += u64::from((near & counted).count_ones());
                if near != 0 {
                    near &= near_boxes::<L>(token, row, (frames, bases), (pair, boxes, nearness));
                    found.counts.near_capsules[1] += u64::from((near & counted).count_ones());
                }
                let unknown = near & !(found.colliding >> row);
                if unknown != 0 {
                    let inside =
                        inside_solids::<L>(token, row, (frames, bases), (filter, pair), unknown);
                    found.colliding |= (inside & unknown) << row;
                }
                *open |= near << row;
            }
            row += L::LEN;
        }
        found
    }
}

impl ObstacleReach {
    /// Returns the distance in each row.
    #[inline(always)]
    fn lanes<L: Floats>(&self, token: L::Token, row: usize, bases: Option<&RowBases>) -> L {
        match bases {
            Some(bases) => L::splat(token, self.placed) + bases.pads.load::<L>(token, row),
            None => L::splat(token, self.unplaced),
        }
    }
}

/// Returns points in the axes of a box, from its centre.
#[inline(always)]
fn point_in_box<L: Floats>(token: L::Token, point: Vec3<L>, placed: &FilterBox) -> Vec3<L> {
    let [x, y, z] = &placed.axes;
    let axes = [splat(token, x), splat(token, y), splat(token, z)];
    rotate_back(&axes, sub(point, splat(token, &placed.center)))
}

/// Returns the square of the distance between points and a box.
#[inline(always)]
fn square_to_box<L: Floats>(token: L::Token, point: Vec3<L>, placed: &FilterBox) -> L {
    let zero = L::splat(token, 0.0);
    let offset = point_in_box::<L>(token, point, placed);
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

/// Returns the closest points of a box about the origin.
#[inline(always)]
fn clamp_to_box<L: Floats>([x, y, z]: Vec3<L>, half: Vec3<L>) -> Vec3<L> {
    [x.low(half[0]).high(-half[0]), y.low(half[1]).high(-half[1]), z.low(half[2]).high(-half[2])]
}

/// Returns the lanes in which the capsule of a part is not certainly apart from all boxes of an
/// obstacle, and writes how near they are.
///
/// The direction is that between a point of the axis and the closest point of the box. The point is
/// the projection of the box's point that is closest to the middle of the axis: a second projection
/// separates one capsule in 300 more.
#[inline(always)]
fn near_boxes<L: Floats>(
    token: L::Token,
    row: usize,
    (frames, bases): (&[RowFrames], Option<&RowBases>),
    (pair, boxes, nearness): (&FilterObstacle, &[FilterBox], &mut RowNumbers),
) -> u32 {
    let (zero, one) = (L::splat(token, 0.0), L::splat(token, 1.0));
    let FilterCapsule { frame, ends, reciprocal, .. } = &pair.capsule;
    let frame = &frames[*frame as usize];
    let mut start = frame.point::<L>(token, row, &ends[0]);
    let mut end = frame.point::<L>(token, row, &ends[1]);
    if let Some(RowBases { frames, .. }) = bases {
        start = frames.place_lanes::<L>(token, row, start);
        end = frames.place_lanes::<L>(token, row, end);
    }
    let reach = pair.capsule_reach.lanes::<L>(token, row, bases);
    let (mut near, mut nearest) = (0, L::splat(token, f32::INFINITY));
    for placed in boxes {
        let a = point_in_box::<L>(token, start, placed);
        let b = point_in_box::<L>(token, end, placed);
        let (along, half) = (sub(b, a), splat::<L>(token, &placed.half));
        let closest = clamp_to_box(scale(add(a, b), L::splat(token, 0.5)), half);
        let share = dot(sub(closest, a), along) * L::splat(token, *reciprocal);
        let on_axis = add(a, scale(along, share.low(one).high(zero)));
        let direction = sub(on_axis, clamp_to_box(on_axis, half));
        let support = dot(absolute_values(direction), half);
        let gap = dot(direction, a).low(dot(direction, b)) - support;
        // Shorter directions are mostly rounding.
        let square = dot(direction, direction).high(L::splat(token, SHORTEST_SQUARE));
        let limit = square.sqrt() * reach;
        near |= L::bits(L::not(gap.above(limit)));
        nearest = nearest.low(gap / limit);
    }
    if near != 0 {
        nearest.store(&mut nearness.0[row..]);
    }
    near
}

/// Returns the lanes in which a point of a part is certainly within a solid of an obstacle; stops
/// once all lanes of `unknown` are.
#[inline(always)]
fn inside_solids<L: Floats>(
    token: L::Token,
    row: usize,
    (frames, bases): (&[RowFrames], Option<&RowBases>),
    (filter, pair): (&BatchFilter, &FilterObstacle),
    unknown: u32,
) -> u32 {
    let zero = L::splat(token, 0.0);
    let depth = pair.depth.lanes::<L>(token, row, bases);
    let [start, end] = pair.solids;
    let solids = &filter.solids[start as usize..end as usize];
    let mut inside = 0;
    if solids.is_empty() {
        return inside;
    }
    for FramePoint { frame, position, .. } in &filter.volumes[pair.volume as usize].points {
        let mut point = frames[*frame as usize].point::<L>(token, row, position);
        if let Some(RowBases { frames, .. }) = bases {
            point = frames.place_lanes::<L>(token, row, point);
        }
        for FilterSolid { block, radius, error } in solids {
            let depth = depth + L::splat(token, *error);
            // The depth is taken from the radius, or without one from the half extents.
            let shrunk = if *radius > 0.0 { zero } else { depth };
            let limit = if *radius > 0.0 { L::splat(token, *radius) - depth } else { zero };
            let offset = point_in_box::<L>(token, point, block);
            let [x, y, z] = sub(absolute_values(offset), splat(token, &block.half));
            let outside =
                [(x + shrunk).high(zero), (y + shrunk).high(zero), (z + shrunk).high(zero)];
            let square = dot(outside, outside);
            let is_inside = L::both(square.at_most(limit * limit), zero.at_most(limit));
            inside |= L::bits(is_inside);
        }
        if unknown & !inside == 0 {
            break;
        }
    }
    inside
}
