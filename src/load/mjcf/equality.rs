//! Equality constraints between joints: a joint that follows another one has no value of its own.
//!
//! Source: the MuJoCo documentation, XML reference, `equality/joint`: the value of the first joint,
//! less its reference, is a polynomial of the second's, less its own; without a second joint it is
//! constant.

use std::collections::HashMap;

use nalgebra::{Isometry3, Vector3};

use super::bodies::{JointOfLink, MjcfReader};
use super::references::{ResolvedElement, resolve};
use crate::load::Warning;
use crate::load::urdf::xml::rotation_about;
use crate::motion::{Actuator, JointKind, Mimic};
use crate::shape::Pose;

/// The rule of a joint that follows another: `multiplier * value of leader + offset`; only the
/// offset without a leader.
#[derive(Debug, Clone, Copy)]
struct CouplingRule {
    leader: Option<usize>,
    multiplier: f64,
    offset: f64,
}

/// Couples joints by the file's constraints; returns the actuators, one for each joint that follows
/// none.
pub(super) fn couple(
    reader: &mut MjcfReader<'_, '_>,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Actuator>, String> {
    let rules = rules(reader, warnings)?;
    let mut actuators = Vec::new();
    let mut actuator_of = vec![0; reader.joints.len()];
    for (index, own) in
        reader.joints.iter().enumerate().filter(|(index, _)| rules[*index].is_none())
    {
        actuator_of[index] = actuators.len();
        actuators.push(Actuator { name: own.name.clone(), limits: own.joint.limits });
    }
    for (index, own) in reader.joints.iter().enumerate() {
        let CouplingRule { leader, multiplier, offset } = followed(&rules, index);
        let link = &mut reader.links[own.link];
        match leader {
            Some(leader) => {
                let mimic = Mimic { actuator: actuator_of[leader], multiplier, offset };
                link.joint = own.joint.motion(mimic).unwrap_or(JointKind::Fixed);
            }
            None => {
                let zero = Mimic { actuator: 0, multiplier: 0.0, offset };
                link.origin *= displacement(own.joint.motion(zero));
                link.joint = JointKind::Fixed;
            }
        }
    }
    Ok(actuators)
}

/// The displacement of a joint at the offset of its rule.
fn displacement(motion: Option<JointKind>) -> Pose<f64> {
    match motion {
        Some(JointKind::Revolute { axis, mimic }) => {
            Isometry3::from_parts(Vector3::zeros().into(), rotation_about(axis, mimic.offset))
        }
        Some(JointKind::Prismatic { axis, mimic }) => Isometry3::from(axis * mimic.offset),
        _ => Isometry3::identity(),
    }
}

/// The rule of a joint by one that follows none, or by a constant.
fn followed(rules: &[Option<CouplingRule>], joint: usize) -> CouplingRule {
    let mut found = CouplingRule { leader: Some(joint), multiplier: 1.0, offset: 0.0 };
    // Circular rules were left out.
    while let Some(CouplingRule { leader, multiplier, offset }) =
        found.leader.and_then(|leader| rules[leader])
    {
        found.offset += found.multiplier * offset;
        found.multiplier *= multiplier;
        found.leader = leader;
    }
    found
}

/// Returns the rule of each joint; constraints that are no linear rule of another joint are left
/// out, with a warning.
fn rules(
    reader: &MjcfReader<'_, '_>,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Option<CouplingRule>>, String> {
    let names = reader.joints.iter().map(|own| own.name.as_str()).zip(0..);
    let names: HashMap<&str, usize> = names.collect();
    let attributes = ["joint1", "joint2"];
    let find = |name: &str| names.get(name).copied();
    let (found, lost) = resolve(&reader.expansion, "equality", "joint", attributes, &find)?;
    if let Some(element) = lost.first() {
        let absent = attributes.into_iter().filter_map(|name| element.attribute(name));
        let absent = absent.filter(|name| find(name).is_none()).collect::<Vec<_>>();
        let trouble = format!("no hinge or slide is called '{}'", absent.join("' or '"));
        return Err(element.at(trouble));
    }
    let mut rules: Vec<Option<CouplingRule>> = vec![None; reader.joints.len()];
    for ResolvedElement { element, model, targets: [first, second] } in found {
        let classes = &reader.expansion.models[model].classes;
        let attributes = classes.attributes(element, super::defaults::MAIN_CLASS, "equality")?;
        if attributes.keyword("active", &["true", "false"])? == Some("false") {
            continue;
        }
        let Some(first) = first else { return Err(element.at("'joint1' is missing")) };
        let follow =
            rule(&reader.joints, [Some(first), second], attributes.some_numbers::<5>("polycoef")?);
        let is_round = |follow: &CouplingRule| {
            follow.leader.is_some_and(|leader| followed(&rules, leader).leader == Some(first))
        };
        match follow.filter(|follow| rules[first].is_none() && !is_round(follow)) {
            Some(follow) => rules[first] = Some(follow),
            None => {
                let joint = reader.joints[first].name.clone();
                warnings.push(Warning::Uncoupled { joint });
            }
        }
    }
    Ok(rules)
}

/// The rule of a polynomial; `None` if it is not linear.
fn rule(
    joints: &[JointOfLink],
    targets: [Option<usize>; 2],
    given: Vec<f64>,
) -> Option<CouplingRule> {
    let mut factors = [0.0, 1.0, 0.0, 0.0, 0.0];
    factors.iter_mut().zip(given).for_each(|(factor, given)| *factor = given);
    let [constant, linear, ref higher @ ..] = factors;
    let reference = |joint: Option<usize>| joint.map_or(0.0, |joint| joints[joint].joint.reference);
    let offset = reference(targets[0]) + constant;
    match targets[1] {
        None => Some(CouplingRule { leader: None, multiplier: 0.0, offset }),
        Some(_) if higher.iter().any(|&factor| factor != 0.0) => None,
        leader => {
            let offset = offset - linear * reference(leader);
            Some(CouplingRule { leader, multiplier: linear, offset })
        }
    }
}
