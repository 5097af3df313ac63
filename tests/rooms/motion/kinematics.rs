//! Poses of mechanisms beside products of matrices and quaternions in twice double precision; links
//! in any order, branches and fixed links.

use boxwood::motion::{Actuator, JointKind, Link, Mechanism, Mimic};
use nalgebra::{ComplexField, Quaternion};

use support::prelude::*;

/// Rounding of double precision: half a unit in the last place.
const U: f64 = f64::EPSILON / 2.0;

/// Sum of two doubles, the second one the rounding of the first.
#[derive(Clone, Copy)]
struct Double(f64, f64);

impl Double {
    fn sum(a: f64, b: f64) -> Self {
        let sum = a + b;
        let part = sum - a;
        Double(sum, (a - (sum - part)) + (b - part))
    }

    fn plus(self, other: Self) -> Self {
        let (high, low) = (Double::sum(self.0, other.0), Double::sum(self.1, other.1));
        let sum = Double::sum(high.0, high.1 + low.0);
        Double::sum(sum.0, sum.1 + low.1)
    }

    fn minus(self, other: Self) -> Self {
        self.plus(Double(-other.0, -other.1))
    }

    fn times(self, other: Self) -> Self {
        let product = self.0 * other.0;
        let rest = self.0.mul_add(other.0, -product);
        Double::sum(product, rest + (self.0 * other.1 + self.1 * other.0))
    }

    /// Divides by Newton's method: each step doubles the digits.
    fn over(self, other: Self) -> Self {
        let one = Double(1.0, 0.0);
        let mut inverse = Double(1.0 / other.0, 0.0);
        for _ in 0..2 {
            inverse = inverse.plus(inverse.times(one.minus(inverse.times(other))));
        }
        self.times(inverse)
    }

    fn sqrt(self) -> Self {
        if self.0 == 0.0 {
            return self;
        }
        let root = Double(self.0.sqrt(), 0.0);
        let next = root.plus(self.over(root));
        let root = Double(0.5 * next.0, 0.5 * next.1);
        let next = root.plus(self.over(root));
        Double(0.5 * next.0, 0.5 * next.1)
    }
}

type Quat = [Double; 4];
type Vec3 = [Double; 3];

fn exactly<const N: usize>(numbers: [f64; N]) -> [Double; N] {
    numbers.map(|x| Double(x, 0.0))
}

fn length<const N: usize>(v: [Double; N]) -> Double {
    v.iter().fold(Double(0.0, 0.0), |sum, &x| sum.plus(x.times(x))).sqrt()
}

fn unit<const N: usize>(v: [Double; N]) -> [Double; N] {
    let length = length(v);
    v.map(|x| x.over(length))
}

fn added(a: Vec3, b: Vec3) -> Vec3 {
    std::array::from_fn(|i| a[i].plus(b[i]))
}

/// Hamilton's product, from `i j = k`.
fn product(a: Quat, b: Quat) -> Quat {
    let mut sum = exactly([0.0; 4]);
    for (i, &p) in a.iter().enumerate() {
        for (j, &q) in b.iter().enumerate() {
            let term = p.times(q);
            let (at, positive) = match (i, j) {
                (3, k) | (k, 3) => (k, true),
                (i, j) if i == j => (3, false),
                (i, j) => (3 - i - j, (i + 1) % 3 == j),
            };
            sum[at] = if positive { sum[at].plus(term) } else { sum[at].minus(term) };
        }
    }
    sum
}

/// Rotates by `q v q*`.
fn rotated(q: Quat, [x, y, z]: Vec3) -> Vec3 {
    let [i, j, k, w] = q;
    let zero = Double(0.0, 0.0);
    let back = [zero.minus(i), zero.minus(j), zero.minus(k), w];
    let [x, y, z, _] = product(product(q, [x, y, z, zero]), back);
    [x, y, z]
}

/// Returns the poses of all links, with the sines and cosines of double precision.
fn expected_poses(robot: &Mechanism, values: &[f64]) -> Vec<(Quat, Vec3)> {
    let mut all: Vec<(Quat, Vec3)> = Vec::new();
    for link in robot.links() {
        let mut turn: Quat = unit(exactly(link.origin.rotation.coords.into()));
        let mut place: Vec3 = exactly(link.origin.translation.vector.into());
        match link.joint {
            JointKind::Revolute { axis, mimic } => {
                let angle = mimic.multiplier * values[mimic.actuator] + mimic.offset;
                let (sine, cosine) = ComplexField::sin_cos(0.5 * angle);
                let [x, y, z] = unit(exactly(axis.into())).map(|x| x.times(Double(sine, 0.0)));
                turn = unit(product(turn, [x, y, z, Double(cosine, 0.0)]));
            }
            JointKind::Prismatic { axis, mimic } => {
                let length = mimic.multiplier * values[mimic.actuator] + mimic.offset;
                let way = unit(exactly(axis.into())).map(|x| x.times(Double(length, 0.0)));
                place = added(place, rotated(turn, way));
            }
            _ => {}
        }
        all.push(match link.parent {
            None => (turn, place),
            Some(parent) => {
                let (outer, at) = all[parent];
                (unit(product(outer, turn)), added(at, rotated(outer, place)))
            }
        });
    }
    all
}

/// Returns how far a pose is off in rotation, in position, and in the length of its quaternion.
fn deviation<T: Scalar>(pose: &Isometry3<T>, (turn, place): (Quat, Vec3)) -> [f64; 3] {
    let given: Quat = exactly(pose.rotation.coords.map(T::wide).into());
    let at: Vec3 = exactly(pose.translation.vector.map(T::wide).into());
    let (own, size) = (unit(given), length(given));
    let same: Quat = std::array::from_fn(|i| own[i].minus(turn[i]));
    let opposite: Quat = std::array::from_fn(|i| own[i].plus(turn[i]));
    let away: Vec3 = std::array::from_fn(|i| at[i].minus(place[i]));
    let rotation = length(same).0.min(length(opposite).0);
    [rotation, length(away).0, size.minus(Double(1.0, 0.0)).0.abs()]
}

/// Shapes of trees: the parent of a link, drawn from the links before it.
const SHAPES: [fn(&mut Random, usize) -> usize; 4] = [
    |_, index| index - 1,
    |random, index| random.below(index),
    // A binary tree, level by level: as many branches are open as a level is wide.
    |_, index| (index - 1) / 2,
    // A spine with ribs of two links.
    |_, index| if index % 3 == 1 { index.saturating_sub(3) } else { index - 1 },
];

/// Draws a mechanism of lengths about one, with fixed links, several roots, and quaternions and axes
/// as far from length one as is accepted.
pub(super) fn random_mechanism(random: &mut Random, shape: usize, len: usize) -> Mechanism {
    mechanism_of_roots(random, shape, len, 0.03)
}

/// Like [`random_mechanism`], with that share of roots.
fn mechanism_of_roots(random: &mut Random, shape: usize, len: usize, roots: f64) -> Mechanism {
    let actuators = 1 + len / 2;
    let links = (0..len).map(|index| {
        let off = |random: &mut Random| match random.below(3) {
            0 => 1.0 + random.between(-9e-4, 9e-4),
            _ => 1.0,
        };
        let turn: [f64; 4] = std::array::from_fn(|_| random.between(-1.0, 1.0));
        let [x, y, z, w] = turn;
        let turn = Quaternion::new(w, x, y, z + 2.0).normalize() * off(random);
        let axis = Vector3::from(random.direction()).normalize() * off(random);
        let mimic = Mimic {
            actuator: random.below(actuators),
            multiplier: random.between(-2.0, 2.0),
            offset: random.between(-1.0, 1.0),
        };
        let joint = match random.below(4) {
            0 => JointKind::Fixed,
            1 => JointKind::Prismatic { axis, mimic },
            _ => JointKind::Revolute { axis, mimic },
        };
        let parent = (index > 0 && !random.chance(roots)).then(|| SHAPES[shape](random, index));
        let place = random.vector(0.5).into();
        let origin = Isometry3::from_parts(place, UnitQuaternion::new_unchecked(turn));
        Link { name: index.to_string(), parent, origin, joint }
    });
    let links = links.collect();
    let actuator = |index: usize| Actuator { name: index.to_string(), limits: None };
    Mechanism::new(links, (0..actuators).map(actuator).collect()).expect("a mechanism")
}

fn depths(robot: &Mechanism) -> Vec<f64> {
    let mut depths: Vec<f64> = Vec::new();
    for link in robot.links() {
        depths.push(link.parent.map_or(1.0, |parent| depths[parent] + 1.0));
    }
    depths
}

#[test]
fn poses_are_products_of_unit_quaternions() {
    let (mut random, mut poses, mut fixed) = (Random(3_071), Vec::new(), 0);
    for case in 0..cases(1_000) {
        let len = 1 + random.below(50);
        let robot = random_mechanism(&mut random, case % SHAPES.len(), len);
        let values: Vec<f64> =
            robot.actuators().iter().map(|_| random.between(-3.0, 3.0)).collect();
        robot.poses(&values, &mut poses).expect("finite values");
        let expected = expected_poses(&robot, &values);
        let reach = 1.0 + expected.iter().map(|(_, at)| length(*at).0).fold(0.0, f64::max);
        for ((pose, &expected), depth) in poses.iter().zip(&expected).zip(depths(&robot)) {
            let [rotation, position, size] = deviation(pose, expected);
            assert!(rotation <= 6.0 * U * depth, "{rotation:e} at depth {depth}");
            assert!(position <= 12.0 * U * depth * reach, "{position:e} of {reach} at {depth}");
            assert!(size <= 5.0 * U, "{size:e}");
        }
        fixed += robot.links().iter().filter(|link| link.joint == JointKind::Fixed).count();
    }
    assert!(fixed > 100);
}

/// Rounding to single precision happens to results alone.
#[test]
fn poses_in_single_precision_are_those_in_double_rounded_once() {
    let (mut random, mut single, mut double) = (Random(3_072), Vec::new(), Vec::new());
    for case in 0..cases(1_000) {
        let len = 1 + random.below(80);
        let robot = random_mechanism(&mut random, case % SHAPES.len(), len);
        let values: Vec<f32> =
            robot.actuators().iter().map(|_| random.between(-3.0, 3.0) as f32).collect();
        let wide: Vec<f64> = values.iter().map(|&value| f64::from(value)).collect();
        robot.poses(&values, &mut single).expect("finite values");
        robot.poses(&wide, &mut double).expect("finite values");
        assert_eq!(single.len(), len);
        for (single, double) in single.iter().zip(&double) {
            assert_eq!(single.rotation.coords, double.rotation.coords.map(|x| x as f32));
            assert_eq!(single.translation.vector, double.translation.vector.map(|x| x as f32));
        }
    }
}

/// A link's pose is a function of its ancestors: other links, and their order, change no bit.
#[test]
fn other_branches_change_no_bit() {
    let mut random = Random(3_073);
    let (mut poses, mut alone) = (Vec::new(), Vec::new());
    for case in 0..cases(400) {
        let robot = random_mechanism(&mut random, case % SHAPES.len(), 60);
        let values: Vec<f64> =
            robot.actuators().iter().map(|_| random.between(-3.0, 3.0)).collect();
        robot.poses(&values, &mut poses).expect("finite values");
        let mut chain = vec![random.below(60)];
        while let Some(parent) = robot.links()[chain[chain.len() - 1]].parent {
            chain.push(parent);
        }
        chain.reverse();
        let links = chain.iter().enumerate().map(|(index, &own)| Link {
            parent: index.checked_sub(1),
            ..robot.links()[own].clone()
        });
        let single = Mechanism::new(links.collect(), robot.actuators().to_vec()).expect("a chain");
        single.poses(&values, &mut alone).expect("finite values");
        for (pose, &own) in alone.iter().zip(&chain) {
            assert_eq!(*pose, poses[own], "link {own} of {}", poses.len());
        }
    }
}

/// A fixed root is where its origin says, bit for bit, if its quaternion is of length one.
#[test]
fn fixed_roots_keep_their_bits() {
    let mut random = Random(3_074);
    for _ in 0..cases(1_000) {
        let turn = UnitQuaternion::from_scaled_axis(random.vector(3.0));
        let origin = Isometry3::from_parts(random.vector(9.0).into(), turn);
        let (name, joint) = ("base".to_owned(), JointKind::Fixed);
        let base = Link { name, parent: None, origin, joint };
        let robot = Mechanism::new(vec![base], Vec::new()).expect("a mechanism");
        let mut poses = Vec::new();
        robot.poses::<f64>(&[], &mut poses).expect("no values");
        assert_eq!(poses, [origin]);
    }
}

/// Chains as long as none is: lengths do not drift, and rotations add up.
#[test]
fn lengths_of_long_chains_do_not_drift() {
    let mut random = Random(3_075);
    let robot = random_mechanism(&mut random, 0, 3_000);
    let values: Vec<f64> = robot.actuators().iter().map(|_| random.between(-3.0, 3.0)).collect();
    let mut poses = Vec::new();
    robot.poses(&values, &mut poses).expect("finite values");
    let expected = expected_poses(&robot, &values);
    for ((pose, &expected), depth) in poses.iter().zip(&expected).zip(depths(&robot)) {
        let [rotation, _, size] = deviation(pose, expected);
        assert!(size <= 5.0 * U && rotation <= 6.0 * U * depth, "{size:e} {rotation:e}");
    }
}

#[test]
fn warm_poses_allocate_nothing_however_many_branches_are_open() {
    let mut random = Random(3_076);
    for shape in 0..SHAPES.len() {
        let robot = mechanism_of_roots(&mut random, shape, 900, 0.0);
        let values: Vec<f32> = robot.actuators().iter().map(|_| 0.5).collect();
        let mut poses = Vec::new();
        robot.poses(&values, &mut poses).expect("finite values");
        let first = poses.clone();
        let again = || robot.poses(&values, &mut poses).expect("finite values");
        assert_eq!(allocation_counter::measure(again).count_total, 0);
        assert_eq!(poses, first);
    }
}

/// Buffers of longer and shorter mechanisms, and refused values.
#[test]
fn buffers_of_other_mechanisms_leave_nothing() {
    let mut random = Random(3_077);
    let (long, short) = (random_mechanism(&mut random, 1, 30), random_mechanism(&mut random, 1, 7));
    let rest = |robot: &Mechanism| vec![0.25; robot.actuators().len()];
    let (mut poses, mut fresh) = (Vec::<Isometry3<f64>>::new(), Vec::new());
    for robot in [&long, &short, &long] {
        robot.poses(&rest(robot), &mut poses).expect("finite values");
        fresh.clear();
        robot.poses(&rest(robot), &mut fresh).expect("finite values");
        assert_eq!(poses, fresh);
        for bad in [f64::NAN, f64::INFINITY, 1e80] {
            let mut values = rest(robot);
            values[2] = bad;
            assert!(robot.poses(&values, &mut poses).is_err());
            assert_eq!(poses, fresh);
        }
    }
}
