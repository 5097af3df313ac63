//! Robots whose parts are sets of balls: random ones, a forward kinematics by nalgebra, and the
//! distances of parts as formulas.

use std::sync::Arc;

use boxwood::Build;
use boxwood::model::{Model, PartId};
use boxwood::motion::{Actuator, JointKind, Link, Mechanism, Mimic};
use boxwood::num::Scalar;
use boxwood::pair::ConvexShape;
use boxwood::shape::Sphere;
use boxwood::tree::Geometry;
use nalgebra::{Isometry3, Point3, Translation3, Unit, UnitQuaternion, Vector3};

use crate::random::Random;

/// A ball: centre and radius.
pub type Ball = (Point3<f64>, f64);

/// A robot of balls.
pub struct BallRobot<T: Scalar> {
    pub mechanism: Mechanism,
    pub model: Arc<Model<T>>,
    pub balls: Vec<Vec<Ball>>,
    /// Tested pairs of parts.
    pub pairs: Vec<[usize; 2]>,
}

/// Builds a robot; links of distance up to `hops` in the tree of links are not tested.
pub fn ball_robot<T: Scalar>(
    links: Vec<Link>,
    actuators: Vec<Actuator>,
    balls: Vec<Vec<Ball>>,
    hops: usize,
) -> BallRobot<T> {
    let mechanism = Mechanism::new(links, actuators).expect("a mechanism");
    let mut builder = Model::builder();
    for (link, balls) in mechanism.links().iter().zip(&balls) {
        let shape = |(center, radius): &Ball| {
            let ball = Sphere::new(center.map(T::nearest), T::nearest(*radius)).expect("a ball");
            ConvexShape::Sphere(ball)
        };
        let geometry = match balls.is_empty() {
            true => Geometry::None,
            false => Geometry::Convex(balls.iter().map(shape).collect()),
        };
        let parent = link.parent.map(|parent| mechanism.links()[parent].name.clone());
        builder = builder.part(link.name.clone(), parent.as_deref(), geometry);
    }
    let model = builder.ignore_neighbours(hops).build(&Build::default()).expect("a model");
    let count = balls.len();
    let pairs = (0..count).flat_map(|a| (a + 1..count).map(move |b| [a, b]));
    let is_tested = |&[a, b]: &[usize; 2]| {
        let has_balls = !balls[a].is_empty() && !balls[b].is_empty();
        has_balls && !model.ignores(PartId::new(a), PartId::new(b))
    };
    let pairs = pairs.filter(is_tested).collect();
    BallRobot { mechanism, model, balls, pairs }
}

impl<T: Scalar> BallRobot<T> {
    /// Draws a robot: a tree of links that turn and slide, some after another's actuator, of up to
    /// three balls each.
    pub fn random(random: &mut Random) -> Self {
        let count = 4 + random.below(6);
        let actuators = 2 + random.below(count - 2);
        let links = (0..count).map(|index| random_link(index, actuators, random)).collect();
        let actuator = |index: usize, random: &mut Random| Actuator {
            name: format!("actuator {index}"),
            limits: (random.below(4) > 0).then_some([-2.0, 2.5]),
        };
        let actuators = (0..actuators).map(|index| actuator(index, random)).collect();
        let balls = (0..count).map(|_| {
            let balls = if random.below(8) == 0 { 0 } else { 1 + random.below(3) };
            (0..balls).map(|_| random_ball::<T>(random)).collect()
        });
        let balls = balls.collect();
        ball_robot(links, actuators, balls, random.below(2))
    }

    /// Draws a configuration within the limits.
    pub fn configuration(&self, random: &mut Random) -> Vec<T> {
        let mut values = Vec::new();
        self.mechanism.sample_values(|| random.share(), &mut values);
        values
    }

    /// Returns the least distance of tested parts in a configuration, less than zero for balls that
    /// overlap, and its pair.
    pub fn distance(&self, values: &[f64]) -> (f64, [usize; 2]) {
        self.distance_of(&self.pairs, values)
    }

    /// Returns the least distance of some pairs of parts in a configuration, and its pair.
    pub fn distance_of(&self, pairs: &[[usize; 2]], values: &[f64]) -> (f64, [usize; 2]) {
        let poses = link_poses(&self.mechanism, values);
        let placed: Vec<Vec<Ball>> = (self.balls.iter().zip(&poses))
            .map(|(balls, pose)| balls.iter().map(|(center, r)| (pose * center, *r)).collect())
            .collect();
        let distances = pairs.iter().map(|&[a, b]| {
            let pairs =
                placed[a].iter().flat_map(|one| placed[b].iter().map(move |two| (one, two)));
            let each = pairs.map(|((p, r), (q, s))| (p - q).norm() - r - s);
            (each.fold(f64::INFINITY, f64::min), [a, b])
        });
        distances
            .fold((f64::INFINITY, [0; 2]), |least, one| if one.0 < least.0 { one } else { least })
    }

    /// Returns the distance at a fraction of an edge.
    pub fn distance_at(&self, ends: [&[T]; 2], fraction: f64) -> f64 {
        self.distance(&mixed(ends, fraction)).0
    }

    /// Returns an upper bound on how much any distance changes along an edge [per unit of the
    /// fraction]: each joint moves what hangs on it by its turn times the length of all links.
    pub fn speed(&self, ends: [&[T]; 2]) -> f64 {
        let ends = [0.0, 1.0].map(|fraction| mixed(ends, fraction));
        let links = self.mechanism.links();
        let slide = |link: &Link| match &link.joint {
            JointKind::Prismatic { mimic, .. } => {
                ends.each_ref().map(|values| mimic_value(mimic, values).abs()).into_iter().sum()
            }
            _ => 0.0,
        };
        let ball = self.balls.iter().flatten().map(|(center, _)| center.coords.norm());
        let lengths = links.iter().map(|link| link.origin.translation.vector.norm() + slide(link));
        let reach = lengths.sum::<f64>() + ball.fold(0.0, f64::max);
        let change = |mimic: &Mimic| {
            let [from, to] = ends.each_ref().map(|values| mimic_value(mimic, values));
            (to - from).abs()
        };
        let mut speeds: Vec<f64> = Vec::new();
        for link in links {
            let own = match &link.joint {
                JointKind::Revolute { mimic, .. } => reach * change(mimic),
                JointKind::Prismatic { mimic, .. } => change(mimic),
                _ => 0.0,
            };
            speeds.push(own + link.parent.map_or(0.0, |parent| speeds[parent]));
        }
        2.0 * speeds.into_iter().fold(0.0, f64::max)
    }

    /// Returns the least distance at that many evenly spaced fractions, the least of them refined,
    /// and its fraction. Samples that the speed proves to be farther are skipped.
    pub fn least_distance(&self, ends: [&[T]; 2], samples: usize) -> (f64, f64) {
        let (speed, mut farther_until) = (self.speed(ends), 0.0);
        let mut found = (f64::INFINITY, 0.0);
        for sample in 0..=samples {
            let fraction = sample as f64 / samples as f64;
            if fraction < farther_until {
                continue;
            }
            let distance = self.distance_at(ends, fraction);
            if distance < found.0 {
                found = (distance, fraction);
            }
            farther_until = fraction + (distance - found.0) / speed;
        }
        let (_, least) = found;
        let step = 1.0 / samples as f64;
        let (mut low, mut high) = ((least - step).max(0.0), (least + step).min(1.0));
        for _ in 0..60 {
            let thirds = [low + (high - low) / 3.0, high - (high - low) / 3.0];
            let [a, b] = thirds.map(|fraction| self.distance_at(ends, fraction));
            (low, high) = if a < b { (low, thirds[1]) } else { (thirds[0], high) };
        }
        let middle = 0.5 * (low + high);
        let refined = (self.distance_at(ends, middle), middle);
        let sampled = (self.distance_at(ends, least), least);
        if refined.0 < sampled.0 { refined } else { sampled }
    }
}

/// Returns the configuration at a fraction of an edge.
pub fn mixed<T: Scalar>([from, to]: [&[T]; 2], fraction: f64) -> Vec<f64> {
    let pairs = from.iter().zip(to);
    pairs.map(|(a, b)| (1.0 - fraction) * a.wide() + fraction * b.wide()).collect()
}

fn random_link(index: usize, actuators: usize, random: &mut Random) -> Link {
    let axis = Vector3::from(random.direction());
    let mimic = match random.below(4) {
        0 => Mimic {
            actuator: random.below(actuators),
            multiplier: random.between(-1.5, 1.5),
            offset: random.between(-0.5, 0.5),
        },
        _ => Mimic::direct(index % actuators),
    };
    let slide = Mimic { multiplier: 0.2 * mimic.multiplier, offset: 0.1 * mimic.offset, ..mimic };
    let turn = Vector3::from(random.direction()) * random.between(0.0, 3.0);
    Link {
        name: format!("link {index}"),
        // Mostly chains.
        parent: index.checked_sub(1).map(|above| match random.below(5) {
            0 => random.below(above + 1),
            _ => above,
        }),
        origin: Isometry3::new(Vector3::from(random.direction()) * random.between(0.0, 0.6), turn),
        joint: match random.below(8) {
            0 => JointKind::Fixed,
            1 | 2 => JointKind::Prismatic { axis, mimic: slide },
            _ => JointKind::Revolute { axis, mimic },
        },
    }
}

fn random_ball<T: Scalar>(random: &mut Random) -> Ball {
    let center = Vector3::from(random.direction()) * random.between(0.0, 0.3);
    let rounded = |x: f64| T::nearest(x).wide();
    (Point3::from(center.map(rounded)), rounded(random.between(0.02, 0.12)))
}

fn mimic_value(mimic: &Mimic, values: &[f64]) -> f64 {
    mimic.multiplier * values[mimic.actuator] + mimic.offset
}

/// Computes the poses of links by nalgebra.
pub fn link_poses(mechanism: &Mechanism, values: &[f64]) -> Vec<Isometry3<f64>> {
    let mut poses: Vec<Isometry3<f64>> = Vec::new();
    for link in mechanism.links() {
        let value = |mimic: &Mimic| mimic_value(mimic, values);
        let moved = match &link.joint {
            JointKind::Revolute { axis, mimic } => {
                let axis = Unit::new_normalize(*axis);
                let turned = UnitQuaternion::from_axis_angle(&axis, value(mimic));
                Isometry3::from_parts(Translation3::identity(), turned)
            }
            JointKind::Prismatic { axis, mimic } => {
                Translation3::from(axis.normalize() * value(mimic)).into()
            }
            _ => Isometry3::identity(),
        };
        let above = link.parent.map_or_else(Isometry3::identity, |parent| poses[parent]);
        poses.push(above * link.origin * moved);
    }
    poses
}

compiled_here!(mixed; BallRobot: random, configuration, distance, distance_of, distance_at, speed, least_distance);
