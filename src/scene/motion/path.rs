//! The path of a part between two poses: relative to its parent at constant rates.
//!
//! The offset of a part in its parent changes linearly, its rotation turns about a fixed axis along
//! the shorter arc (slerp, Shoemake, Animating Rotation with Quaternion Curves, 1985), both at
//! constant rates. Time is counted in [`STEPS`] steps a tick, and a pose is only ever computed at
//! whole steps: a rotation by halving, since the middle of a slerp is the normalised sum of its
//! ends. So a path needs `+ - * / sqrt` alone.
//!
//! # Rates and accelerations
//! Let `q` be the rotation after an eighth of the arc seen from its start, or the whole one if that
//! is small: its vector part is the axis times the sine of half the angle, at most a quarter. The
//! arc sine is a series there, whose rest after eight terms is below `2^-40` of it.
//!
//! A vector `v` behind rotations `R_1 ... R_k` at constant rates `w_i` has the second derivative
//!
//! ```text
//! sum over i of (.. R_i'' ..) v + 2 sum over i < j of (.. R_i' .. R_j' ..) v
//! ```
//!
//! of which `R_i''` is no longer than `w_i w_i`, and `R_i'` than `w_i`. The whole is no longer than
//! `W W |v|` with `W` the sum of the rates: centripetal and Euler accelerations together. So along
//! a chain, root first, with the rates `u` of the offsets in their parents and the largest length
//! `l` of each offset, each link adds to bounds on the angular velocity `W` and the acceleration
//! `a` of its origin
//!
//! ```text
//! a += W W l + 2 W u,    W += w
//! ```
//!
//! and a point at distance `r` from the origin accelerates by at most `a + W W r`.

use crate::motion::{Quat, RigidMotion, conjugate, product, squared_length};
use crate::num::linear::{Vec3, dot, length, scale, sub};

/// Number of steps of a tick: times are multiples of `1 / STEPS`.
pub(in crate::scene) const STEPS: u32 = 1 << LEVELS;

/// Number of halvings of a tick down to one step.
pub(in crate::scene) const LEVELS: usize = 16;

/// Path of the parts of a character between two poses.
///
/// More than half a turn within a tick cannot be known from two poses: where a part may turn
/// further, take shorter ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum MotionPath {
    /// Each part moves relative to its parent part, a root relative to the world or to the part
    /// that the character is [attached](crate::Scene::attach) to before and after: animated
    /// characters and robots, whose parts turn about their joints.
    #[default]
    Joints,
    /// Each part moves relative to the world: ragdolls, loose parts.
    Parts,
    /// The character is at its later pose during the whole tick: teleports and spawns. What is
    /// [attached](crate::Scene::attach) to it before and after, and moves by its joints, jumps too.
    Jump,
}

/// Bounds on the motion of a part, and what its poses may be off.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ChainBounds {
    /// Angular velocity. [1 / tick]
    angular: f64,
    /// Speed of the origin. [1 / tick]
    speed: f64,
    /// Acceleration of the origin.
    acceleration: f64,
    /// Sum of the largest lengths of the offsets of the chain.
    length: f64,
    /// Number of links of the chain.
    links: f64,
}

/// Rounding of a rotation or an offset of one link, with all its halvings, as a share of the
/// length of the chain: `256 e`.
const LINK_ERROR: f64 = 256.0 * f64::EPSILON;

impl ChainBounds {
    /// Returns an upper bound on the acceleration of points no further than `radius` from the
    /// origin.
    pub fn acceleration_within(&self, radius: f64) -> f64 {
        (self.acceleration + self.angular * self.angular * radius) * (1.0 + 1e-6)
    }

    /// Returns an upper bound on the distance between points no further than `radius` from the
    /// origin at the pose of a time, `rounding` being that of the stored type, and where they are
    /// on their path.
    pub fn error_within(&self, radius: f64, rounding: f64) -> f64 {
        let size = self.size_within(radius);
        (self.links * LINK_ERROR + 4.0 * rounding) * size
    }

    /// Returns an upper bound on the distance from the start of the chain of points no further than
    /// `radius` from the origin.
    pub fn size_within(&self, radius: f64) -> f64 {
        self.length + radius
    }

    /// Returns an upper bound on the speed of points no further than `radius` from the origin.
    pub fn speed_within(&self, radius: f64) -> f64 {
        (self.speed + self.angular * radius) * (1.0 + 1e-6)
    }

    fn with_link(&self, link: &PartPath) -> ChainBounds {
        let (rate, speed) = (length(link.angular) * (1.0 + 1e-6), length(link.linear));
        self.with_joint(rate, speed, longest_offset(&link.ends))
    }

    /// Returns the bounds of a link from its poses at both ends and the [chord](rotation_chord) of
    /// its turn, without a path. They are not below those of the path, and hardly above.
    pub(super) fn with_ends(&self, ends: &[RigidMotion; 2], chord: f64) -> ChainBounds {
        let speed = length(sub(ends[1].position, ends[0].position));
        self.with_joint(largest_rate(chord), speed, longest_offset(ends))
    }

    /// Returns the bounds of a link whose joint turns at a rate, and whose offset in its parent
    /// changes at a speed and is no longer than `reach`.
    pub fn with_joint(&self, rate: f64, speed: f64, reach: f64) -> ChainBounds {
        let per_tick = self.angular * reach + 2.0 * speed;
        ChainBounds {
            acceleration: self.acceleration + self.angular * per_tick,
            speed: self.speed + self.angular * reach + speed,
            angular: self.angular + rate,
            length: self.length + reach,
            links: self.links + 1.0,
        }
    }
}

/// Returns the largest length of the offset between two ends.
fn longest_offset(ends: &[RigidMotion; 2]) -> f64 {
    let [before, after] = ends.map(|end| dot(end.position, end.position));
    before.max(after).sqrt()
}

/// Returns the distance of two unit quaternions of the nearer signs: `2 sin(w / 4)` for a turn by
/// `w`, at most half a turn.
pub(super) fn rotation_chord([first, second]: [Quat; 2]) -> f64 {
    let squares = [1.0, -1.0].map(|sign| {
        let [x, y, z, w] = [0, 1, 2, 3].map(|i| second[i] - sign * first[i]);
        (x * x + y * y) + (z * z + w * w)
    });
    squares[0].min(squares[1]).sqrt()
}

/// Returns an upper bound on the angle of a turn with this chord, `4 asin(c / 2)`.
///
/// The arc sine over its argument grows with it, faster than its square does: up to the chord of
/// half a turn, `sqrt 2`, it is at most `1 + (pi / sqrt 8 - 1) c c / 2`. The rest covers the
/// rounding of the quaternions, and what a path adds to its rate.
fn largest_rate(chord: f64) -> f64 {
    2.0 * chord * (1.0 + 0.0554 * chord * chord) * (1.0 + 2e-6) + 1e-14
}

/// Path of one part, relative to its parent or to the world.
#[derive(Debug, Clone, Copy)]
pub(super) struct PartPath {
    /// Index of the parent's path, given by the owner of both; `None` if it moves relative to the
    /// world.
    pub parent: Option<u32>,
    /// Poses at the ends; the rotation of the second continues the shorter arc from the first.
    pub ends: [RigidMotion; 2],
    /// Angular velocity. [frame of the parent, 1 / tick]
    pub angular: Vec3,
    /// Velocity of the offset. [frame of the parent]
    pub linear: Vec3,
    pub bounds: ChainBounds,
}

impl PartPath {
    /// Creates a path relative to the world or, with a parent and its index, to that.
    pub fn new(ends: [RigidMotion; 2], parent: Option<(u32, &PartPath)>) -> Self {
        let [first, mut second] = ends;
        if !is_shorter_arc(first.rotation, second.rotation) {
            second.rotation = second.rotation.map(|x| -x);
        }
        let mut path = PartPath {
            parent: parent.map(|(index, _)| index),
            ends: [first, second],
            angular: angular_velocity(first.rotation, second.rotation),
            linear: sub(second.position, first.position),
            bounds: ChainBounds::default(),
        };
        let above = parent.map_or_else(ChainBounds::default, |(_, parent)| parent.bounds);
        path.bounds = above.with_link(&path);
        path
    }

    /// Creates the path of a part that stays where it is in the world.
    pub fn still(at: RigidMotion) -> Self {
        let mut path = PartPath {
            parent: None,
            ends: [at; 2],
            angular: [0.0; 3],
            linear: [0.0; 3],
            bounds: ChainBounds::default(),
        };
        path.bounds = path.bounds.with_link(&path);
        path
    }

    /// Returns the offset at a step.
    pub fn offset(&self, step: u32) -> Vec3 {
        let share = f64::from(step) / f64::from(STEPS);
        let [first, second] = &self.ends;
        [0, 1, 2].map(|i| (1.0 - share) * first.position[i] + share * second.position[i])
    }
}

/// Returns `true` if the arc between two unit quaternions is at most a quarter turn in the space of
/// quaternions, half a turn in the world. At half a turn the first component that is not zero
/// decides, so that either sign of the second gives the same arc.
fn is_shorter_arc(a: Quat, b: Quat) -> bool {
    let cosine = a[0] * b[0] + a[1] * b[1] + (a[2] * b[2] + a[3] * b[3]);
    if cosine != 0.0 {
        return cosine > 0.0;
    }
    b.iter().find(|&&x| x != 0.0).is_none_or(|&x| x > 0.0)
}

/// Returns the middle of the shorter arc between two unit quaternions.
#[inline]
pub(super) fn middle_rotation(a: Quat, b: Quat) -> Quat {
    let sum: Quat = std::array::from_fn(|i| a[i] + b[i]);
    let length = squared_length(sum).sqrt();
    sum.map(|x| x / length)
}

/// Largest sine of half an angle for the series of the arc sine.
const MAX_SINE: f64 = 0.25;

/// Returns the constant angular velocity that turns one rotation into another within a tick.
fn angular_velocity(first: Quat, second: Quat) -> Vec3 {
    if first == second {
        return [0.0; 3];
    }
    let (mut end, mut parts) = (second, 1.0);
    loop {
        let [x, y, z, _] = product(end, conjugate(first));
        let squared = x * x + y * y + z * z;
        // After three halvings the sine is at most that of an eighth of a quarter turn.
        if squared <= MAX_SINE * MAX_SINE || parts == 8.0 {
            return scale([x, y, z], 2.0 * parts * arc_sine_ratio(squared));
        }
        (end, parts) = (middle_rotation(first, end), 2.0 * parts);
    }
}

/// Returns the arc sine of `x` over `x`, given the square of `x`, at most 1/16.
fn arc_sine_ratio(square: f64) -> f64 {
    const TERMS: [f64; 8] = [
        1.0 / 6.0,
        3.0 / 40.0,
        15.0 / 336.0,
        105.0 / 3456.0,
        945.0 / 42240.0,
        10395.0 / 599_040.0,
        135_135.0 / 9_676_800.0,
        2_027_025.0 / 175_472_640.0,
    ];
    1.0 + TERMS.iter().rev().fold(0.0, |sum, term| (sum + term) * square)
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use std::f64::consts::PI;

    use nalgebra::{Isometry3, Point3, UnitQuaternion, Vector3};

    use super::{ChainBounds, PartPath, rotation_chord};
    use crate::motion::RigidMotion;
    use crate::num::SplitMix64;

    /// A link of a chain: its pose in its parent before the tick, and what it turns and slides
    /// within it.
    struct TestLink {
        before: Isometry3<f64>,
        turn: Vector3<f64>,
        slide: Vector3<f64>,
    }

    impl TestLink {
        /// Returns the pose at a time, by sine and cosine, which the crate does not use.
        fn at(&self, time: f64) -> Isometry3<f64> {
            let offset = self.before.translation.vector + self.slide * time;
            let turned = UnitQuaternion::new(self.turn * time) * self.before.rotation;
            Isometry3::from_parts(offset.into(), turned)
        }
    }

    /// Draws a link that turns by up to half a turn, one in ten by exactly that.
    fn random_link(random: &mut SplitMix64) -> TestLink {
        let angle = if random.below(10) == 0 { PI } else { random.between(0.0, PI) };
        let slide = if random.below(2) == 0 { random.between(0.0, 2.0) } else { 0.0 };
        let offset = Vector3::from(random.unit()) * random.between(0.0, 1.0);
        let rotation = UnitQuaternion::new(Vector3::from(random.unit()) * random.between(0.0, 3.0));
        TestLink {
            before: Isometry3::from_parts(offset.into(), rotation),
            turn: Vector3::from(random.unit()) * angle,
            slide: Vector3::from(random.unit()) * slide,
        }
    }

    /// Returns a straight arm in the middle of the tick, whose joints all turn by the same angle
    /// about one axis: all accelerations point from the tip to the root.
    fn straight_arm(links: usize, angle: f64) -> Vec<TestLink> {
        let link = |index: usize| TestLink {
            before: Isometry3::new(
                if index == 0 { Vector3::zeros() } else { Vector3::x() },
                Vector3::z() * (-0.5 * angle),
            ),
            turn: Vector3::z() * angle,
            slide: Vector3::zeros(),
        };
        (0..links).map(link).collect()
    }

    /// Returns the bound for points of the last part no further than `radius` from its origin.
    fn bound(chain: &[TestLink], radius: f64) -> f64 {
        let mut above: Option<PartPath> = None;
        for (index, link) in chain.iter().enumerate() {
            let ends = [0.0, 1.0].map(|time| RigidMotion::normalised(&link.at(time)));
            let parent = above.as_ref().map(|above| (index as u32, above));
            above = Some(PartPath::new(ends, parent));
        }
        above.expect("a link").bounds.acceleration_within(radius)
    }

    /// Returns the acceleration of a point of the last part by the second difference of its
    /// positions, and the rounding of that.
    fn acceleration(chain: &[TestLink], point: &Point3<f64>, time: f64) -> [f64; 2] {
        let at =
            |time: f64| chain.iter().fold(Isometry3::identity(), |at, link| at * link.at(time));
        let rate: f64 = chain.iter().map(|link| link.turn.norm()).sum();
        let length: f64 =
            chain.iter().map(|link| link.before.translation.vector.norm() + 2.0).sum();
        let h = 1e-3 / (1.0 + rate);
        let [before, now, after] = [time - h, time, time + h].map(|time| at(time) * point);
        let difference = (after.coords + before.coords - now.coords * 2.0).norm() / (h * h);
        [
            difference,
            8.0 * chain.len() as f64 * f64::EPSILON * (length + point.coords.norm()) / (h * h),
        ]
    }

    pub fn bounds_of_ends_are_hardly_above_those_of_paths() {
        let mut random = SplitMix64(59);
        for round in 0..20_000 {
            let links: Vec<TestLink> =
                (0..1 + round % 7).map(|_| random_link(&mut random)).collect();
            let (mut above, mut bounds) = (None::<PartPath>, ChainBounds::default());
            for (index, link) in links.iter().enumerate() {
                let ends = [0.0, 1.0].map(|time| RigidMotion::normalised(&link.at(time)));
                bounds = bounds.with_ends(&ends, rotation_chord(ends.map(|end| end.rotation)));
                let parent = above.as_ref().map(|above| (index as u32, above));
                above = Some(PartPath::new(ends, parent));
            }
            let (of_path, radius) = (above.expect("a link").bounds, random.between(0.0, 1.0));
            let [least, bound] = [of_path, bounds].map(|one| one.acceleration_within(radius));
            // Two rates count, each up to 0.8 % above its arc.
            assert!(least <= bound && bound <= 1.02 * least + 1e-12, "{least} {bound}");
            assert!(bounds.error_within(radius, 1e-7) == of_path.error_within(radius, 1e-7));
        }
    }

    pub fn no_point_accelerates_beyond_its_bound() {
        let mut random = SplitMix64(58);
        let (mut worst, mut points) = ([0.0_f64; 2], 0);
        for round in 0..6_000 {
            let links = 1 + round % 60;
            let chain: Vec<TestLink> = (0..links).map(|_| random_link(&mut random)).collect();
            for _ in 0..4 {
                let point = Point3::from(Vector3::from(random.unit()) * random.between(0.0, 1.0));
                let [found, rounding] = acceleration(&chain, &point, random.between(0.01, 0.99));
                let ratio = found / bound(&chain, point.coords.norm());
                assert!(found <= bound(&chain, point.coords.norm()) * (1.0 + 1e-6) + rounding);
                worst[usize::from(links > 1)] = worst[usize::from(links > 1)].max(ratio);
                points += 1;
            }
        }
        println!("{points} random points: worst ratio {:.3}, of chains {:.3}", worst[0], worst[1]);
        // Straight arms need all of the bound.
        let mut least = f64::MAX;
        for links in 1..=60 {
            for angle in [0.1, 1.0, 2.0, 3.0, PI] {
                let chain = straight_arm(links, angle);
                let point = Point3::new(1.0, 0.0, 0.0);
                let [found, rounding] = acceleration(&chain, &point, 0.5);
                let ratio = found / bound(&chain, 1.0);
                assert!(ratio <= 1.0 + 1e-6 + rounding, "{links} links: {ratio}");
                assert!(ratio > 0.999, "{links} links: {ratio}");
                least = least.min(ratio);
            }
        }
        println!("straight arms of 1 to 60 joints: ratios from {least:.3} to 1");
    }
}
