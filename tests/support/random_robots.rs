//! Random robots of all kinds of joints and parts, and rows of values for them.

use std::sync::Arc;

use boxwood::load::Robot;
use boxwood::model::Model;
use boxwood::motion::{Actuator, JointKind, Link, Mechanism, Mimic};
use boxwood::num::Scalar;
use boxwood::tree::Geometry;
use boxwood::{Build, CollisionGroups};
use nalgebra::{Isometry3, Vector3};

use crate::random::Random;
use crate::random_parts::{random_part, turned};

/// Returns a link of that name.
pub fn link(name: &str, parent: Option<usize>, origin: Isometry3<f64>, joint: JointKind) -> Link {
    Link { name: name.to_owned(), parent, origin, joint }
}

/// Draws a tree of links of all kinds of joints: limited, continuous, mimics, slides, fixed.
pub fn random_mechanism(random: &mut Random, links: usize) -> Mechanism {
    let actuators = 1 + random.below(links);
    let joint = |random: &mut Random| {
        let axis = Vector3::from(random.direction());
        let mimic = Mimic {
            actuator: random.below(actuators),
            multiplier: random.sign() * random.between(0.2, 1.5),
            offset: random.between(-0.5, 0.5),
        };
        match random.below(6) {
            0 => JointKind::Fixed,
            1 => JointKind::Prismatic { axis, mimic },
            _ => JointKind::Revolute { axis, mimic },
        }
    };
    let all = (0..links).map(|index| {
        let at = random.direction().map(|x| 1.5 * x);
        let parent = index.checked_sub(1 + random.below(2));
        let origin = turned::<f64>(random, at);
        link(&index.to_string(), parent, origin, joint(random))
    });
    let all = all.collect();
    let actuator = |index: usize| {
        let limits = [-random.between(0.1, 4.0), random.between(0.1, 3.0)];
        let limits = random.chance(0.8).then_some(limits);
        Actuator { name: index.to_string(), limits }
    };
    Mechanism::new(all, (0..actuators).map(actuator).collect()).expect("a tree")
}

/// Draws a robot of random parts, some without geometry, with groups and ignored pairs.
pub fn random_robot<T: Scalar>(random: &mut Random, links: usize) -> Robot<T> {
    let mechanism = random_mechanism(random, links);
    let mut parts = Model::<T>::builder();
    for (index, link) in mechanism.links().iter().enumerate() {
        let geometry = match random.below(7) {
            0 => Geometry::None,
            kind => random_part(random, kind),
        };
        let parent = link.parent.map(|parent| parent.to_string());
        parts = parts.part(index.to_string(), parent.as_deref(), geometry);
        if random.chance(0.2) {
            parts = parts.groups(CollisionGroups { memberships: random.bits(), filter: u64::MAX });
        }
    }
    let model = parts.ignore_neighbours(1).build(&Build::fast()).expect("a model");
    Robot::new(model, Arc::new(mechanism))
}

/// Draws rows within the limits, some at them.
pub fn rows<T: Scalar>(mechanism: &Mechanism, random: &mut Random, count: usize) -> Vec<T> {
    let (mut all, mut row) = (Vec::new(), Vec::<T>::new());
    for _ in 0..count {
        mechanism.sample_values(|| random.share(), &mut row);
        for (value, actuator) in row.iter_mut().zip(mechanism.actuators()) {
            if let (Some(limits), true) = (actuator.limits, random.chance(0.1)) {
                *value = T::nearest(limits[random.below(2)]);
            }
        }
        all.extend_from_slice(&row);
    }
    all
}
