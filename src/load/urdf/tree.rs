//! Kinematic tree of a URDF robot: parents first, mimic joints resolved.

use std::collections::HashMap;

use nalgebra::Vector3;
use roxmltree::Node;

use super::xml::{MAX_NUMBER, at, children, number, numbers, only_child, origin, required};
use crate::load::Warning;
use crate::motion::{Actuator, JointKind, Link, Mechanism, Mimic};
use crate::shape::Pose;

/// Largest number of links: the table of ignored pairs is quadratic.
const MAX_LINKS: usize = 10_000;
/// Largest length of a chain of joints that mimic each other.
const MAX_MIMIC_CHAIN: usize = 64;

/// The robot's mechanism, and the element of each link in the file.
pub(super) struct UrdfTree<'a, 'i> {
    pub mechanism: Mechanism,
    pub elements: Vec<Node<'a, 'i>>,
    /// A flag of each link: `true` for the root, and if a fixed joint joins the link to its parent.
    pub rigid: Vec<bool>,
}

pub(super) fn read<'a, 'i>(
    robot: Node<'a, 'i>,
    warnings: &mut Vec<Warning>,
) -> Result<UrdfTree<'a, 'i>, String> {
    let elements: Vec<_> = children(robot, "link").collect();
    if elements.is_empty() {
        return Err(at(robot, "there are no links"));
    }
    if let Some(&first) = elements.get(MAX_LINKS) {
        let trouble = format!("{} links, more than the limit of {MAX_LINKS}", elements.len());
        return Err(at(first, trouble));
    }
    let mut links = HashMap::new();
    for (index, &link) in elements.iter().enumerate() {
        let name = required(link, "name")?;
        if links.insert(name, index).is_some() {
            return Err(at(link, format!("two links are called '{name}'")));
        }
    }
    let joints = children(robot, "joint").map(|element| {
        let joint = UrdfJoint::read(element, &links);
        joint.map_err(|e| format!("joint '{}': {e}", element.attribute("name").unwrap_or_default()))
    });
    let joints: Vec<UrdfJoint<'_, '_>> = joints.collect::<Result<_, _>>()?;
    for joint in joints.iter().filter(|joint| joint.kind == UrdfJointKind::Unsupported) {
        warnings.push(Warning::FixedJoint { joint: joint.name.to_owned() });
    }
    for joint in joints.iter().filter(|joint| joint.lacks_limit) {
        warnings.push(Warning::NoLimits { joint: joint.name.to_owned() });
    }
    let order = order(&elements, &joints)?;
    let (mimics, actuators) = mimics(&order, &joints)?;
    let elements: Vec<_> = order.iter().map(|place| elements[place.link]).collect();
    let is_fixed = |joint: usize| joints[joint].kind == UrdfJointKind::Fixed;
    let rigid = order.iter().map(|place| place.joint.is_none_or(is_fixed)).collect();
    let link = |(place, element): (&OrderedLink, &Node<'a, 'i>)| Link {
        name: element.attribute("name").unwrap_or_default().to_owned(),
        parent: place.parent,
        origin: place.joint.map_or(Pose::identity(), |joint| joints[joint].origin),
        joint: place.joint.map_or(JointKind::Fixed, |joint| joints[joint].joint(&mimics[joint])),
    };
    let links = order.iter().zip(&elements).map(link).collect();
    let mechanism = Mechanism::new(links, actuators).map_err(|error| error.to_string())?;
    Ok(UrdfTree { mechanism, elements, rigid })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum UrdfJointKind {
    Fixed,
    Revolute,
    Prismatic,
    /// A known joint type with more than one degree of freedom.
    Unsupported,
}

struct UrdfJoint<'a, 'i> {
    element: Node<'a, 'i>,
    name: &'a str,
    kind: UrdfJointKind,
    /// Indices of links, in the order of the file.
    parent: usize,
    child: usize,
    origin: Pose<f64>,
    axis: Vector3<f64>,
    limits: Option<[f64; 2]>,
    /// `true` if URDF requires limits for the joint's own value and the file has none.
    lacks_limit: bool,
    mimic: Option<MimicElement<'a>>,
}

struct MimicElement<'a> {
    joint: &'a str,
    multiplier: f64,
    offset: f64,
}

impl<'a, 'i> UrdfJoint<'a, 'i> {
    fn read(element: Node<'a, 'i>, links: &HashMap<&str, usize>) -> Result<Self, String> {
        let end = |name: &'static str| {
            let end = only_child(element, name)?;
            let end = end.ok_or_else(|| at(element, format!("<{name}> is missing")))?;
            let link = required(end, "link")?;
            let found = links.get(link).copied();
            found.ok_or_else(|| at(end, format!("no link is called '{link}'")))
        };
        let kind = required(element, "type")?;
        let continuous = kind == "continuous";
        let kind = match kind {
            "fixed" => UrdfJointKind::Fixed,
            "revolute" | "continuous" => UrdfJointKind::Revolute,
            "prismatic" => UrdfJointKind::Prismatic,
            "floating" | "planar" | "spherical" => UrdfJointKind::Unsupported,
            other => return Err(at(element, format!("unknown joint type '{other}'"))),
        };
        let moves = matches!(kind, UrdfJointKind::Revolute | UrdfJointKind::Prismatic);
        let is_limited = moves && !continuous;
        let mimic = if moves { mimic(element)? } else { None };
        // A mimic joint's value is computed from another's: its own limits are not used.
        let needs_limit = is_limited && mimic.is_none();
        Ok(UrdfJoint {
            element,
            name: required(element, "name")?,
            kind,
            parent: end("parent")?,
            child: end("child")?,
            origin: origin(element)?,
            axis: if moves { axis(element)? } else { Vector3::x() },
            limits: if is_limited { limits(element)? } else { None },
            lacks_limit: needs_limit && only_child(element, "limit")?.is_none(),
            mimic,
        })
    }

    fn joint(&self, mimic: &Option<Mimic>) -> JointKind {
        match (*mimic, self.kind) {
            (Some(mimic), UrdfJointKind::Revolute) => {
                JointKind::Revolute { axis: self.axis, mimic }
            }
            (Some(mimic), UrdfJointKind::Prismatic) => {
                JointKind::Prismatic { axis: self.axis, mimic }
            }
            _ => JointKind::Fixed,
        }
    }
}

fn axis(element: Node<'_, '_>) -> Result<Vector3<f64>, String> {
    let Some(axis) = only_child(element, "axis")? else { return Ok(Vector3::x()) };
    let direction = Vector3::from(numbers(axis, "xyz")?.unwrap_or([1.0, 0.0, 0.0]));
    direction.try_normalize(1e-9).ok_or_else(|| at(axis, "the axis has no length"))
}

/// Reads the limits; `None` without the element, which [`Warning::NoLimits`] reports, and if both
/// ends are [unlimited](end): some files omit the limits of unlimited joints, or state huge ones.
fn limits(element: Node<'_, '_>) -> Result<Option<[f64; 2]>, String> {
    let Some(limit) = only_child(element, "limit")? else { return Ok(None) };
    let [least, most] = [end(limit, "lower")?, end(limit, "upper")?];
    if least > most {
        return Err(at(limit, format!("the lower limit {least} is above the upper limit {most}")));
    }
    Ok((least > -MAX_NUMBER || most < MAX_NUMBER).then_some([least, most]))
}

/// Reads one end of the limits; 0 without the attribute, as URDF specifies. An end of
/// [`MAX_NUMBER`] or more, or infinite, is no limit and becomes that number.
fn end(limit: Node<'_, '_>, attribute: &str) -> Result<f64, String> {
    let Some(text) = limit.attribute(attribute) else { return Ok(0.0) };
    let number = text.trim().parse().ok().filter(|end: &f64| !end.is_nan());
    let number =
        number.ok_or_else(|| at(limit, format!("{attribute}=\"{text}\" is not a number")))?;
    Ok(number.clamp(-MAX_NUMBER, MAX_NUMBER))
}

fn mimic<'a>(element: Node<'a, '_>) -> Result<Option<MimicElement<'a>>, String> {
    let Some(mimic) = only_child(element, "mimic")? else { return Ok(None) };
    let multiplier = number(mimic, "multiplier")?.unwrap_or(1.0);
    let offset = number(mimic, "offset")?.unwrap_or(0.0);
    Ok(Some(MimicElement { joint: required(mimic, "joint")?, multiplier, offset }))
}

/// A link in the tree's order; the indices of link and joint are those of the file.
struct OrderedLink {
    link: usize,
    parent: Option<usize>,
    joint: Option<usize>,
}

/// Orders the links depth first from the only root, joints in the order of the file.
fn order(
    elements: &[Node<'_, '_>],
    joints: &[UrdfJoint<'_, '_>],
) -> Result<Vec<OrderedLink>, String> {
    let name = |link: usize| elements[link].attribute("name").unwrap_or_default();
    let mut above = vec![None; elements.len()];
    let mut below = vec![Vec::new(); elements.len()];
    for (index, joint) in joints.iter().enumerate() {
        if above[joint.child].replace(index).is_some() {
            let trouble = format!("link '{}' is the child of two joints", name(joint.child));
            return Err(at(joint.element, trouble));
        }
        below[joint.parent].push(index);
    }
    let mut roots = (0..elements.len()).filter(|&link| above[link].is_none());
    let root = match (roots.next(), roots.next()) {
        (None, _) => {
            // Every link has a joint, as there are links.
            let trouble = "every link is the child of a joint: the joints form a cycle";
            return Err(joints.first().map_or(trouble.to_owned(), |j| at(j.element, trouble)));
        }
        (Some(a), Some(b)) => {
            let trouble = format!("both link '{}' and link '{}' have no parent", name(a), name(b));
            return Err(at(elements[b], trouble));
        }
        (Some(root), None) => root,
    };
    let mut order: Vec<OrderedLink> = Vec::with_capacity(elements.len());
    let mut waiting = vec![OrderedLink { link: root, parent: None, joint: None }];
    while let Some(place) = waiting.pop() {
        let (link, parent) = (place.link, Some(order.len()));
        order.push(place);
        let children = below[link].iter().rev();
        waiting.extend(children.map(|&j| OrderedLink {
            link: joints[j].child,
            parent,
            joint: Some(j),
        }));
    }
    if order.len() < elements.len() {
        let mut reached = vec![false; elements.len()];
        order.iter().for_each(|place| reached[place.link] = true);
        let lost = reached.iter().position(|reached| !reached).unwrap_or_default();
        return Err(at(elements[lost], format!("link '{}' is its own ancestor", name(lost))));
    }
    Ok(order)
}

/// The mimic rule of each joint, and the actuators: one for every movable joint that mimics no
/// other.
fn mimics(
    order: &[OrderedLink],
    joints: &[UrdfJoint<'_, '_>],
) -> Result<(Vec<Option<Mimic>>, Vec<Actuator>), String> {
    let mut numbers = HashMap::new();
    for (index, joint) in joints.iter().enumerate() {
        if numbers.insert(joint.name, index).is_some() {
            return Err(at(joint.element, format!("two joints are called '{}'", joint.name)));
        }
    }
    let (mut actuators, mut actuator_of) = (Vec::new(), vec![None; joints.len()]);
    for joint in order.iter().filter_map(|place| place.joint) {
        let UrdfJoint { name, kind, limits, mimic, .. } = &joints[joint];
        if matches!(kind, UrdfJointKind::Revolute | UrdfJointKind::Prismatic) && mimic.is_none() {
            actuator_of[joint] = Some(actuators.len());
            actuators.push(Actuator { name: (*name).to_owned(), limits: *limits });
        }
    }
    let mut mimics = vec![None; joints.len()];
    for start in (0..joints.len())
        .filter(|&j| matches!(joints[j].kind, UrdfJointKind::Revolute | UrdfJointKind::Prismatic))
    {
        let UrdfJoint { element, name, .. } = joints[start];
        let trouble = |what: &str| at(element, format!("joint '{name}': {what}"));
        let (mut joint, mut multiplier, mut offset) = (start, 1.0, 0.0);
        for _ in 0..MAX_MIMIC_CHAIN {
            let Some(mimic) = &joints[joint].mimic else { break };
            (multiplier, offset) =
                (multiplier * mimic.multiplier, offset + multiplier * mimic.offset);
            let found = numbers.get(mimic.joint);
            joint =
                *found.ok_or_else(|| trouble(&format!("no joint is called '{}'", mimic.joint)))?;
        }
        let actuator = actuator_of[joint];
        let actuator = actuator
            .ok_or_else(|| trouble("the joint that it mimics is fixed, or mimics it in turn"))?;
        mimics[start] = Some(Mimic { actuator, multiplier, offset });
    }
    Ok((mimics, actuators))
}
