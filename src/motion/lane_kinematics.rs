//! Forward kinematics of many rows side by side, in single precision with a proved error bound: the
//! input of filters. Poses themselves are those of [`Kinematics`].
//!
//! Every moving link has a frame that is the link's own, rotated so that its joint axis is `z`. A
//! revolute joint then mixes two columns of a matrix. Fixed links and points of links are stored in
//! the frame of the nearest moving ancestor.
//!
//! # Error
//! Let `u = 2^-24`. Frame `i` has a rotation `W` and a position `p`; the computed ones are off by
//! at most `e` (operator norm of the difference) and `d` (length). All `e` are at most
//! [`MAX_ROTATION_ERROR`], so that computed matrices have norms below `1.01` and Frobenius norms
//! below `1.01 sqrt(3)`.
//!
//! - Product with the stored rotation `O` of the joint: three terms an entry are off by `3 u` of
//!   their magnitudes, which is `9.1 u` of the Frobenius norm; the rounding of `O` adds `1.8 u`.
//!   Together less than `12 u`.
//! - Sine and cosine, see [`sine_and_cosine`]: `256 u`, times `1.01`.
//! - Mixing of columns: two products and a sum an entry, less than `5 u`.
//! - The joint value: `m` and `o` of the rule and the actuator's value `v` are rounded, then the
//!   product and the sum: `4 u (|m v| + |o|)`. An error of an angle rotates by as much.
//!
//! A revolute joint adds [`REVOLUTE_ERROR`] and [`VALUE_ERROR`] of the largest value to `e`, and a
//! prismatic one [`PRODUCT_ERROR`].
//!
//! A point `c` of a frame is at `p + W c`: `d + e |c|`, and from rounding `c`, three products, their
//! sums, and the sum with `p`, `6.4 u |c| + 1.01 u (|p| + |c|)`. A stored pose of a link in `f32` is
//! itself off the exact one by `2.1 u |c| + u |p|`. [`POINT_ERROR`] and [`SUM_ERROR`] cover all of
//! these; the origin of the next frame is such a point, plus the displacement of a prismatic joint.

use super::kinematics::{Kinematics, LinkStepJoint};
use super::link::Mimic;
use super::rigid_motion::{conjugate, product};
use crate::num::linear::{
    Mat3, Vec3, add, length, matrix_product, perpendicular_axes, relative_axes, rotate,
    rotate_back, rotation_of, scale, sub,
};
use crate::num::simd::{Floats, MAX_FLOATS};

/// Number of rows that are computed side by side, for any width of registers.
pub(crate) const ROWS: usize = MAX_FLOATS;

/// One number for each row. Aligned, so that no load crosses two cache lines.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(64))]
pub(crate) struct RowNumbers(pub [f32; ROWS]);

impl RowNumbers {
    pub const ZERO: RowNumbers = RowNumbers([0.0; ROWS]);

    #[inline(always)]
    pub fn load<L: Floats>(&self, token: L::Token, row: usize) -> L {
        L::load(token, &self.0[row..])
    }

    #[inline(always)]
    pub fn store<L: Floats>(&mut self, row: usize, lanes: L) {
        lanes.store(&mut self.0[row..]);
    }
}

/// A frame in the model for each row: columns of the rotation, then the position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RowFrames([[RowNumbers; 3]; 4]);

impl RowFrames {
    /// The frame of the model itself, for all rows.
    const IDENTITY: RowFrames = {
        let (zero, one) = (RowNumbers::ZERO, RowNumbers([1.0; ROWS]));
        RowFrames([[one, zero, zero], [zero, one, zero], [zero, zero, one], [zero; 3]])
    };

    #[inline(always)]
    fn load<L: Floats>(&self, token: L::Token, row: usize) -> (Mat3<L>, Vec3<L>) {
        let [x, y, z, position] = &self.0;
        (
            [load_vector(token, x, row), load_vector(token, y, row), load_vector(token, z, row)],
            load_vector(token, position, row),
        )
    }

    #[inline(always)]
    fn store<L: Floats>(&mut self, row: usize, [x, y, z]: Mat3<L>, position: Vec3<L>) {
        for (own, column) in self.0.iter_mut().zip([x, y, z, position]) {
            store_vector(own, row, column);
        }
    }

    /// Places a point of the frame in the model.
    #[inline(always)]
    pub fn point<L: Floats>(&self, token: L::Token, row: usize, point: &Vec3<f32>) -> Vec3<L> {
        self.place_lanes(token, row, splat(token, point))
    }

    /// Places points of the frame, one for each row, in the model.
    #[inline(always)]
    pub fn place_lanes<L: Floats>(&self, token: L::Token, row: usize, points: Vec3<L>) -> Vec3<L> {
        let (rotation, position) = self.load::<L>(token, row);
        add(position, rotate(&rotation, points))
    }

    /// Sets the frame of a row, rounded to the nearest: columns of the rotation, then the position.
    pub fn set_row(&mut self, row: usize, rotation: &Mat3, position: Vec3) {
        let [x, y, z] = *rotation;
        for (own, column) in self.0.iter_mut().zip([x, y, z, position]) {
            own.iter_mut().zip(column).for_each(|(lanes, number)| lanes.0[row] = number as f32);
        }
    }
}

#[inline(always)]
pub(crate) fn load_vector<L: Floats>(
    token: L::Token,
    vector: &[RowNumbers; 3],
    row: usize,
) -> Vec3<L> {
    [vector[0].load(token, row), vector[1].load(token, row), vector[2].load(token, row)]
}

#[inline(always)]
pub(crate) fn store_vector<L: Floats>(vector: &mut [RowNumbers; 3], row: usize, lanes: Vec3<L>) {
    for (own, lanes) in vector.iter_mut().zip(lanes) {
        own.store(row, lanes);
    }
}

#[inline(always)]
pub(crate) fn splat<L: Floats>(token: L::Token, v: &Vec3<f32>) -> Vec3<L> {
    [L::splat(token, v[0]), L::splat(token, v[1]), L::splat(token, v[2])]
}

/// Unit of rounding of `f32`.
const UNIT: f64 = 1.0 / (1u64 << 24) as f64;
const PRODUCT_ERROR: f64 = 12.0 * UNIT;
const REVOLUTE_ERROR: f64 = 280.0 * UNIT;
const VALUE_ERROR: f64 = 4.1 * UNIT;
const POINT_ERROR: f64 = 10.0 * UNIT;
const SUM_ERROR: f64 = 3.0 * UNIT;
/// Covers products of errors, and the rounding of the bounds.
const SECOND_ORDER: f64 = 1.001;
const MAX_ROTATION_ERROR: f64 = 1.0 / 128.0;

/// Largest angle of a joint: [`sine_and_cosine`] uses the series at an eighth of it [radians].
const MAX_ANGLE: f64 = 8.0;

/// Largest displacement of a slide without limits, as a multiple of the lengths of all links.
const FREE_SLIDE: f64 = 16.0;

/// Largest distance of a frame: beyond it products overflow.
const MAX_DISTANCE: f64 = 1e15;

/// Kinematics of many rows; see the module.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LaneKinematics {
    steps: Vec<FrameStep>,
    /// Bounds of frames: that of the model, then those of the steps.
    bounds: Vec<FrameBounds>,
    /// Frame of each link, and the link's pose in it.
    links: Vec<(usize, Mat3, Vec3)>,
    /// Largest magnitude of each actuator's value for which the bounds hold; negative if for none.
    max_values: Vec<f32>,
}

/// Computes one frame from an earlier one.
#[derive(Debug, Clone, PartialEq)]
struct FrameStep {
    parent: usize,
    /// Columns of the rotation at zero, and the position, in the parent.
    rotation: Mat3<f32>,
    position: Vec3<f32>,
    /// The axis is `z`.
    is_revolute: bool,
    actuator: usize,
    /// The rule of the displacement, or of an eighth of the angle.
    multiplier: f32,
    offset: f32,
}

/// Bounds of a frame: errors of rotation and position, and the distance from the model's origin.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct FrameBounds {
    rotation: f64,
    position: f64,
    distance: f64,
}

/// A point of a link, in the frame that it moves with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct FramePoint {
    pub frame: u32,
    pub position: Vec3<f32>,
    /// Bound on the distance between the computed point of a row and the point placed by the stored
    /// pose of the link, for poses of either precision.
    pub error: f64,
    /// Bound on the distance of the point from the origin of the model.
    pub distance: f64,
}

impl LaneKinematics {
    /// Prepares a mechanism with the limits of each actuator; `None` for one so large or of so many
    /// joints in a row that errors have no useful bound.
    pub(super) fn new(kinematics: &Kinematics, limits: &[Option<[f64; 2]>]) -> Option<Self> {
        let max_values = max_values(kinematics, limits);
        let mut all = LaneKinematics {
            steps: Vec::new(),
            bounds: vec![FrameBounds::default()],
            links: vec![(0, rotation_of([0.0, 0.0, 0.0, 1.0]), [0.0; 3]); kinematics.steps.len()],
            max_values: max_values.iter().map(|&most| most as f32).collect(),
        };
        // Frame in each slot, and the rotation from that frame to its link.
        let identity = all.links[0].1;
        let mut slots = vec![(0, identity); kinematics.slots];
        for step in &kinematics.steps {
            let (parent, aligned) = step.ancestor.map_or((0, identity), |slot| slots[slot]);
            let rotation = relative_axes(&aligned, &rotation_of(step.origin.rotation));
            let position = rotate_back(&aligned, step.origin.position);
            let (axis, rule, is_revolute) = match step.joint {
                LinkStepJoint::Fixed => {
                    all.links[step.link] = (parent, rotation, position);
                    continue;
                }
                LinkStepJoint::Revolute(turned, rule) => {
                    let [x, y, z, _] = product(conjugate(step.origin.rotation), turned);
                    ([x, y, z], rule, true)
                }
                LinkStepJoint::Prismatic(axis, rule) => {
                    (rotate_back(&rotation_of(step.origin.rotation), axis), rule, false)
                }
            };
            let axis = scale(axis, 1.0 / length(axis));
            let [x, y] = perpendicular_axes(axis);
            let to_link = [x, y, axis];
            let frame = all.add_step(
                (parent, &matrix_product(&rotation, &to_link), position),
                (is_revolute, &rule, max_values[rule.actuator]),
            )?;
            slots[step.slot] = (frame, to_link);
            // The frame shares the link's origin: the link is turned back in it.
            all.links[step.link] = (frame, relative_axes(&to_link, &identity), [0.0; 3]);
        }
        Some(all)
    }

    /// Adds a frame and returns its index.
    fn add_step(
        &mut self,
        (parent, rotation, position): (usize, &Mat3, Vec3),
        (is_revolute, rule, max_value): (bool, &Mimic, f64),
    ) -> Option<usize> {
        let above = self.bounds[parent];
        let (offset, most) = (length(position), rule.multiplier.abs() * max_value.max(0.0));
        let most = most + rule.offset.abs();
        let own = if is_revolute { REVOLUTE_ERROR + VALUE_ERROR * most } else { PRODUCT_ERROR };
        let turn = above.rotation + own;
        let slide = if is_revolute { 0.0 } else { most };
        let distance = above.distance + offset + slide;
        let shift = above.position
            + (above.rotation + POINT_ERROR) * offset
            + (turn + VALUE_ERROR + 2.0 * UNIT) * slide
            + SUM_ERROR * distance;
        let bounds = FrameBounds { rotation: turn, position: shift * SECOND_ORDER, distance };
        // Written so that NaN is refused.
        let is_bounded = turn <= MAX_ROTATION_ERROR && distance <= MAX_DISTANCE;
        let share = if is_revolute { 0.125 } else { 1.0 };
        self.steps.push(FrameStep {
            parent,
            rotation: rotation.map(|column| column.map(|x| x as f32)),
            position: position.map(|x| x as f32),
            is_revolute,
            actuator: rule.actuator,
            multiplier: (share * rule.multiplier) as f32,
            offset: (share * rule.offset) as f32,
        });
        self.bounds.push(bounds);
        is_bounded.then_some(self.steps.len())
    }

    /// Number of frames, that of the model included.
    pub fn frame_count(&self) -> usize {
        self.bounds.len()
    }

    /// The frame of the model, which no joint moves, in all rows.
    pub fn fixed_frame() -> RowFrames {
        RowFrames::IDENTITY
    }

    /// Converts a point of a link, in the link's coordinates.
    pub fn point(&self, link: usize, point: Vec3) -> FramePoint {
        let (frame, rotation, position) = &self.links[link];
        let point = add(rotate(rotation, point), *position);
        let (bounds, size) = (self.bounds[*frame], length(point));
        let distance = (bounds.distance + size) * SECOND_ORDER;
        let error = bounds.position
            + (bounds.rotation + POINT_ERROR) * size
            + SUM_ERROR * (bounds.distance + size);
        FramePoint {
            frame: *frame as u32,
            position: point.map(|x| x as f32),
            error: error * SECOND_ORDER,
            distance,
        }
    }

    /// Computes the frames of as many rows as there are lanes, from `row` on; `values` has the rows
    /// of each actuator. Returns the lanes of rows for which no error is proved.
    #[inline(always)]
    pub fn pose_rows<L: Floats>(
        &self,
        token: L::Token,
        row: usize,
        values: &[RowNumbers],
        frames: &mut [RowFrames],
    ) -> u32 {
        let mut beyond = 0;
        for (value, &most) in values.iter().zip(&self.max_values) {
            let is_bounded = value.load::<L>(token, row).abs().at_most(L::splat(token, most));
            beyond |= L::bits(L::not(is_bounded));
        }
        for (index, step) in self.steps.iter().enumerate() {
            let (turned, moved) = frames[step.parent].load::<L>(token, row);
            let mut position = add(moved, rotate(&turned, splat(token, &step.position)));
            let [x, y, z] = &step.rotation;
            let mut rotation =
                matrix_product(&turned, &[splat(token, x), splat(token, y), splat(token, z)]);
            let value = values[step.actuator].load::<L>(token, row)
                * L::splat(token, step.multiplier)
                + L::splat(token, step.offset);
            if step.is_revolute {
                let (sine, cosine) = sine_and_cosine(token, value);
                let [x, y, z] = rotation;
                rotation = [
                    add(scale(x, cosine), scale(y, sine)),
                    sub(scale(y, cosine), scale(x, sine)),
                    z,
                ];
            } else {
                position = add(position, scale(rotation[2], value));
            }
            frames[index + 1].store(row, rotation, position);
        }
        beyond
    }
}

/// Returns sine and cosine of eight times `x`, which is at most 1 in magnitude, up to rounding.
///
/// The series end at `x^9` and `x^10`, and the terms left out are below `0.5 u` and `0.1 u`, with
/// `u = 2^-24`. Rounding of all operations included, the worst at the outermost brackets, they are
/// off by less than `4 u`. Doubling the angle, `s' = 2 s c` and `c' = 1 - 2 s s`, takes errors `a`
/// of the sine and `b` of the cosine to `2 (|s| b + |c| a) + u` and `4 a |s| + 3 u`: to `12.4 u`
/// and `16 u` (where `|s| < 0.842`), to `46.3 u` and `52.6 u`, and to `141.2 u` and `188.2 u`. A
/// rotation by the two is off by less than `sqrt(141.2^2 + 188.2^2) u < 236 u`.
#[inline(always)]
fn sine_and_cosine<L: Floats>(token: L::Token, x: L) -> (L, L) {
    let one = L::splat(token, 1.0);
    let z = x * x;
    let sine = one - z * L::splat(token, 1.0 / 72.0);
    let sine = one - z * L::splat(token, 1.0 / 42.0) * sine;
    let sine = one - z * L::splat(token, 1.0 / 20.0) * sine;
    let sine = one - z * L::splat(token, 1.0 / 6.0) * sine;
    let mut sine = x * sine;
    let cosine = one - z * L::splat(token, 1.0 / 90.0);
    let cosine = one - z * L::splat(token, 1.0 / 56.0) * cosine;
    let cosine = one - z * L::splat(token, 1.0 / 30.0) * cosine;
    let cosine = one - z * L::splat(token, 1.0 / 12.0) * cosine;
    let mut cosine = one - z * L::splat(token, 0.5) * cosine;
    for _ in 0..3 {
        let twice = sine + sine;
        (sine, cosine) = (twice * cosine, one - twice * sine);
    }
    (sine, cosine)
}

/// Returns the largest magnitude of each actuator's value for which the bounds hold: its limits, at
/// most [`MAX_ANGLE`] of every revolute joint that follows it, and [`FREE_SLIDE`] if it has none.
fn max_values(kinematics: &Kinematics, limits: &[Option<[f64; 2]>]) -> Vec<f64> {
    let lengths: f64 = kinematics.steps.iter().map(|step| length(step.origin.position)).sum();
    let largest = |own: &Option<[f64; 2]>| {
        own.map_or(f64::INFINITY, |[least, most]| least.abs().max(most.abs()))
    };
    let mut all: Vec<f64> = limits.iter().map(largest).collect();
    for step in &kinematics.steps {
        let (rule, most) = match &step.joint {
            LinkStepJoint::Fixed => continue,
            LinkStepJoint::Revolute(_, rule) => (rule, MAX_ANGLE),
            LinkStepJoint::Prismatic(_, rule) => (rule, f64::INFINITY),
        };
        let own = &mut all[rule.actuator];
        if rule.offset.abs() > most {
            *own = -1.0;
        } else if rule.multiplier == 0.0 {
            // Any value will do.
        } else if most.is_finite() {
            *own = own.min((most - rule.offset.abs()) / rule.multiplier.abs());
        } else if own.is_infinite() {
            *own = FREE_SLIDE * lengths;
        }
    }
    // No joint follows an actuator whose value is still infinite.
    all.into_iter().map(|most| most.min(f64::from(f32::MAX))).collect()
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use nalgebra::{Isometry3, Point3, Quaternion, Translation3, UnitQuaternion, Vector3};

    use super::*;
    use crate::motion::{Actuator, JointKind, Link, Mechanism};
    use crate::num::SplitMix64;
    use crate::num::simd::FloatKernel;
    use crate::num::{Scalar, SimdLevel};
    use crate::shape::Pose;

    struct PoseRowsKernel<'a>(&'a LaneKinematics, &'a [RowNumbers], &'a mut [RowFrames]);

    impl FloatKernel for PoseRowsKernel<'_> {
        type Output = u32;

        #[inline(always)]
        fn run<L: Floats>(self, token: L::Token) -> u32 {
            let (mut beyond, mut row) = (0, 0);
            while row < ROWS {
                beyond |= self.0.pose_rows::<L>(token, row, self.1, self.2) << row;
                row += L::LEN;
            }
            beyond
        }
    }

    /// Places a point in all rows.
    struct PlacePointKernel<'a>(&'a RowFrames, &'a FramePoint, &'a mut [RowNumbers; 3]);

    impl FloatKernel for PlacePointKernel<'_> {
        type Output = ();

        #[inline(always)]
        fn run<L: Floats>(self, token: L::Token) {
            let mut row = 0;
            while row < ROWS {
                let point = self.0.point::<L>(token, row, &self.1.position);
                store_vector(self.2, row, point);
                row += L::LEN;
            }
        }
    }

    fn vector(chance: &mut SplitMix64, size: f64) -> Vector3<f64> {
        Vector3::from(chance.point(size))
    }

    /// A random tree of links of all kinds of joints: limited, continuous, mimics, slides, fixed.
    fn robot(chance: &mut SplitMix64, links: usize) -> Mechanism {
        let actuators = 1 + chance.below(links);
        let link = |index: usize, chance: &mut SplitMix64| {
            let q = chance.point(1.0);
            let turn = Quaternion::new(chance.between(-1.0, 1.0), q[0], q[1], q[2]);
            let rotation = match chance.below(3) {
                0 => UnitQuaternion::identity(),
                _ => UnitQuaternion::from_quaternion(turn),
            };
            let at = Translation3::from(vector(chance, 1.0));
            let axis = vector(chance, 1.0).normalize();
            let mimic = Mimic {
                actuator: chance.below(actuators),
                multiplier: chance.between(-2.0, 2.0),
                offset: chance.between(-1.0, 1.0),
            };
            let joint = match chance.below(5) {
                0 => JointKind::Fixed,
                1 => JointKind::Prismatic { axis, mimic },
                _ => JointKind::Revolute { axis, mimic },
            };
            let parent = index.checked_sub(1 + chance.below(2));
            Link {
                name: index.to_string(),
                parent,
                origin: Isometry3::from_parts(at, rotation),
                joint,
            }
        };
        let links = (0..links).map(|index| link(index, chance)).collect();
        let actuator = |index: usize, chance: &mut SplitMix64| Actuator {
            name: index.to_string(),
            limits: (chance.below(3) > 0)
                .then(|| [-chance.between(0.0, 4.0), chance.between(0.0, 3.0)]),
        };
        let actuators = (0..actuators).map(|index| actuator(index, chance)).collect();
        Mechanism::new(links, actuators).expect("a tree")
    }

    /// Returns the worst error over its bound of points in 16 rows, and the number of rows used.
    fn worst<T: Scalar>(robot: &Mechanism, chance: &mut SplitMix64) -> (f64, usize) {
        let lanes = robot.lane_kinematics().expect("short chains");
        let rows: Vec<Vec<T>> = (0..ROWS)
            .map(|_| {
                let mut row = Vec::new();
                robot.sample_values(|| chance.between(0.0, 1.0), &mut row);
                // Some values are at the limits.
                for (value, own) in row.iter_mut().zip(robot.actuators()) {
                    if let (Some(limits), 0) = (own.limits, chance.below(8)) {
                        *value = T::nearest(limits[chance.below(2)]);
                    }
                }
                row
            })
            .collect();
        let mut values = vec![RowNumbers::ZERO; robot.actuators().len()];
        for (row, own) in rows.iter().enumerate() {
            own.iter().zip(&mut values).for_each(|(v, lanes)| lanes.0[row] = v.wide() as f32);
        }
        let mut frames = vec![LaneKinematics::fixed_frame(); lanes.frame_count()];
        let beyond = SimdLevel::PLAIN.run(PoseRowsKernel(&lanes, &values, &mut frames));
        for simd in SimdLevel::all() {
            let mut again = vec![LaneKinematics::fixed_frame(); lanes.frame_count()];
            assert_eq!(simd.run(PoseRowsKernel(&lanes, &values, &mut again)), beyond);
            assert_eq!(again, frames, "{simd:?}");
        }
        let (mut worst, mut poses) = (0.0_f64, Vec::<Pose<T>>::new());
        for link in 0..robot.links().len() {
            let local = vector(chance, 0.5);
            let point = lanes.point(link, local.into());
            let mut placed = [RowNumbers::ZERO; 3];
            SimdLevel::PLAIN.run(PlacePointKernel(
                &frames[point.frame as usize],
                &point,
                &mut placed,
            ));
            for row in (0..ROWS).filter(|row| beyond >> row & 1 == 0) {
                robot.poses(&rows[row], &mut poses).expect("values within limits");
                let [x, y, z, w]: [T; 4] = poses[link].rotation.coords.into();
                let q = Quaternion::new(w.wide(), x.wide(), y.wide(), z.wide());
                let at = poses[link].translation.vector.map(T::wide);
                let exact = UnitQuaternion::from_quaternion(q) * Point3::from(local) + at;
                let own = Vector3::from_fn(|i, _| f64::from(placed[i].0[row]));
                worst = worst.max((exact.coords - own).norm() / point.error);
                assert!(exact.coords.norm() <= point.distance);
            }
        }
        (worst, (!beyond & 0xffff).count_ones() as usize)
    }

    pub fn points_are_within_their_bounds_at_every_level() {
        let (mut chance, mut most, mut used) = (SplitMix64(59), [0.0_f64; 2], 0);
        for round in 0..400 {
            let links = 1 + round % 24;
            let robot = robot(&mut chance, links);
            let (single, rows) = worst::<f32>(&robot, &mut chance);
            let (double, _) = worst::<f64>(&robot, &mut chance);
            most = [most[0].max(single), most[1].max(double)];
            used += rows;
        }
        assert!(used > 3_000, "{used} rows of 6,400");
        assert!(most.iter().all(|&share| share > 0.01 && share < 1.0), "{most:?}");
    }

    struct Turn(f32);

    impl FloatKernel for Turn {
        type Output = [f64; 2];

        #[inline(always)]
        fn run<L: Floats>(self, token: L::Token) -> [f64; 2] {
            let (sine, cosine) = sine_and_cosine::<L>(token, L::splat(token, self.0));
            let (mut sines, mut cosines) = (RowNumbers::ZERO, RowNumbers::ZERO);
            sines.store(0, sine);
            cosines.store(0, cosine);
            [sines.0[0], cosines.0[0]].map(f64::from)
        }
    }

    pub fn sines_and_cosines_are_within_their_bound() {
        let mut worst = 0.0_f64;
        for step in -40_000..=40_000 {
            let eighth = (f64::from(step) / 40_000.0) as f32;
            let [sine, cosine] = SimdLevel::PLAIN.run(Turn(eighth));
            let (s, c) = (8.0 * f64::from(eighth)).sin_cos();
            worst = worst.max((sine - s).hypot(cosine - c));
        }
        assert!(worst < 236.0 * UNIT && worst > 2.0 * UNIT, "{} u", worst / UNIT);
    }

    pub fn rows_beyond_the_bounds_are_named() {
        let joint = |multiplier| JointKind::Revolute {
            axis: Vector3::z(),
            mimic: Mimic { actuator: 0, multiplier, offset: 1.0 },
        };
        let origin = Isometry3::identity();
        let link =
            |multiplier| Link { name: "a".into(), parent: None, origin, joint: joint(multiplier) };
        let free = || vec![Actuator { name: "d".into(), limits: None }];
        for (multiplier, value, beyond) in [
            (1.0, 6.99, false),
            (1.0, -6.99, false),
            (1.0, 7.01, true),
            (2.0, 3.6, true),
            (2.0, -3.4, false),
            (0.0, 100.0, false),
        ] {
            let robot = Mechanism::new(vec![link(multiplier)], free()).expect("a wheel");
            let lanes = robot.lane_kinematics().expect("one joint");
            let mut values = [RowNumbers::ZERO];
            values[0].0[5] = value;
            let mut frames = vec![LaneKinematics::fixed_frame(); 2];
            let found = SimdLevel::best().run(PoseRowsKernel(&lanes, &values, &mut frames));
            assert_eq!(found, u32::from(beyond) << 5, "{multiplier} {value}");
        }
    }

    pub fn mechanisms_without_a_useful_bound_are_refused() {
        let joint = JointKind::Revolute { axis: Vector3::x(), mimic: Mimic::direct(0) };
        let link = |index: usize, size: f64| Link {
            name: index.to_string(),
            parent: index.checked_sub(1),
            origin: Isometry3::translation(size, 0.0, 0.0),
            joint,
        };
        let free = || vec![Actuator { name: "d".into(), limits: Some([-1.0, 1.0]) }];
        let chain = |links: usize, size: f64| {
            let links = (0..links).map(|index| link(index, size)).collect();
            Mechanism::new(links, free()).expect("a chain").lane_kinematics().is_some()
        };
        assert_eq!(
            [chain(400, 1.0), chain(500, 1.0), chain(2, 1e14), chain(2, 1e15)],
            [true, false, true, false]
        );
    }
}
