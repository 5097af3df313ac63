//! Messages of warnings.

use std::fmt;

use super::Warning;

/// Largest number of names in a message.
const MAX_NAMES: usize = 3;

/// Returns the count and the first few names, for a message.
fn listed_names<'a>(kind: &str, names: impl ExactSizeIterator<Item = &'a str>) -> String {
    let (count, plural) = (names.len(), if names.len() == 1 { "" } else { "s" });
    let named: Vec<String> = names.take(MAX_NAMES).map(|name| format!("'{name}'")).collect();
    let more = match count.saturating_sub(MAX_NAMES) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    match count {
        1 => format!("{kind} {}:", named.concat()),
        _ => format!("{count} {kind}{plural} ({}{more}):", named.join(", ")),
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_subject(f)?;
        f.write_str(" ")?;
        self.write_trouble(f)
    }
}

impl Warning {
    /// Writes the subject of the warning.
    fn write_subject(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::Shear { joint }
            | Warning::FixedJoint { joint }
            | Warning::Uncoupled { joint }
            | Warning::NoLimits { joint } => {
                write!(f, "joint '{joint}':")
            }
            Warning::NonUniformScale { joints, .. } => {
                f.write_str(&listed_names("joint", joints.iter().map(String::as_str)))
            }
            Warning::AnimatedScale { joints, .. } => {
                f.write_str(&listed_names("joint", joints.iter().map(|(joint, _)| joint.as_str())))
            }
            Warning::Stretched { parts, .. } => {
                f.write_str(&listed_names("part", parts.iter().map(|(part, _)| part.as_str())))
            }
            Warning::OutsideSkin { parts, .. } => {
                f.write_str(&listed_names("part", parts.iter().map(String::as_str)))
            }
            Warning::WeightSum { mesh, .. }
            | Warning::NoWeight { mesh, .. }
            | Warning::NoSkinning { mesh }
            | Warning::NotTriangles { mesh }
            | Warning::MorphTargets { mesh }
            | Warning::Capped { mesh, .. } => write!(f, "mesh '{mesh}':"),
            Warning::StrayTrack { clip, .. } | Warning::RepeatedTrack { clip, .. } => {
                write!(f, "clip '{clip}':")
            }
            Warning::NoCollision { link } | Warning::StrayLink { link } => {
                write!(f, "link '{link}':")
            }
            Warning::StrayPair { a, b }
            | Warning::RigidPair { a, b }
            | Warning::WidePair { a, b } => {
                write!(f, "pair '{a}', '{b}':")
            }
            Warning::ExtraRows { rows } => write!(f, "{rows} more rows of motion than declared"),
            Warning::Endless { shape } => write!(f, "shape '{shape}':"),
            Warning::Unread { element, name } => write!(f, "<{element}> '{name}':"),
            Warning::Skipped { file, .. } => write!(f, "'{file}':"),
            Warning::MixedGroups { body } | Warning::MocapBody { body } => {
                write!(f, "body '{body}':")
            }
            Warning::Unknown { file, parent, name, .. } => write!(f, "{file}: {name} in {parent}"),
            Warning::ContactsDisabled { flag } => write!(f, "<flag {flag}=\"disable\">:"),
        }
    }

    /// Writes the problem, and how the loader resolves it.
    fn write_trouble(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::Shear { .. } => {
                f.write_str("the matrix shears; geometry that rotates below it stays rigid")
            }
            Warning::NonUniformScale { .. }
            | Warning::AnimatedScale { .. }
            | Warning::Stretched { .. } => self.write_scale(f),
            Warning::OutsideSkin { parts, percent } => {
                let part = parts.first().map_or("", String::as_str);
                write!(
                    f,
                    "outside the skin at rest, most of all '{part}' (by {percent} % of the size)"
                )
            }
            Warning::WeightSum { vertices, .. } => {
                write!(f, "the weights of {vertices} vertices do not sum to 1")
            }
            Warning::NoWeight { vertices, .. } => write!(f, "{vertices} vertices have no weight"),
            Warning::NoSkinning { .. } => {
                f.write_str("it has a skin but no weights; it moves with its node")
            }
            Warning::NotTriangles { .. } => f.write_str("points and lines are left out"),
            Warning::MorphTargets { .. } => f.write_str("its morph targets are not applied"),
            Warning::StrayTrack { node, .. } => {
                write!(f, "node {node} is not in the scene; its track is left out")
            }
            Warning::RepeatedTrack { joint, .. } => {
                write!(f, "two tracks for one property of joint '{joint}'")
            }
            Warning::Capped { edges, .. } => {
                write!(f, "not closed ({edges} open edges); the holes are capped")
            }
            Warning::ExtraRows { .. } => f.write_str("are left out"),
            Warning::Skipped { element, count, .. } => {
                write!(f, "{element} are left out, {count} in total")
            }
            Warning::Unknown { count: 1, .. } => f.write_str("is unknown and is left out"),
            Warning::Unknown { count, .. } => {
                write!(f, "is unknown and is left out, {count} times")
            }
            Warning::NoCollision { .. }
            | Warning::FixedJoint { .. }
            | Warning::StrayPair { .. }
            | Warning::StrayLink { .. }
            | Warning::RigidPair { .. }
            | Warning::Endless { .. }
            | Warning::Unread { .. }
            | Warning::MixedGroups { .. }
            | Warning::MocapBody { .. }
            | Warning::Uncoupled { .. }
            | Warning::NoLimits { .. }
            | Warning::ContactsDisabled { .. }
            | Warning::WidePair { .. } => f.write_str(self.robot_trouble()),
        }
    }

    /// Returns the problem of a robot, and how the loader resolves it.
    fn robot_trouble(&self) -> &'static str {
        match self {
            Warning::NoCollision { .. } => "it has a <visual>, but no <collision>",
            Warning::FixedJoint { .. } => "its type is not supported; it is fixed at zero",
            Warning::StrayPair { .. } => "the robot does not have both",
            Warning::StrayLink { .. } => "the robot has no such link",
            Warning::RigidPair { .. } => {
                "enabled, but the two never move against each other; it is not tested"
            }
            Warning::Endless { .. } => {
                "it is unbounded and is left out; planes can be included up to a length"
            }
            Warning::Unread { .. } => "it is not supported and is left out",
            Warning::MixedGroups { .. } => {
                "its shapes differ in contype or conaffinity; it is tested wherever one of them \
                 would be"
            }
            Warning::WidePair { .. } => {
                "a <pair> names geoms of two bodies that have more; all of them are tested"
            }
            Warning::MocapBody { .. } => "a mocap body; it is fixed at its pose in the file",
            Warning::Uncoupled { .. } => {
                "its equality constraint is not supported: it is not a linear rule of another \
                 joint"
            }
            Warning::NoLimits { .. } => {
                "it has no <limit>, which its type requires; every value is allowed"
            }
            Warning::ContactsDisabled { .. } => {
                "MuJoCo's simulation makes no contacts with it; pairs are tested nevertheless"
            }
            _ => "",
        }
    }

    /// Writes the problem of a scale, and its worst occurrence.
    fn write_scale(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let worst = |names: &[(String, String)]| names.first().cloned().unwrap_or_default();
        match self {
            Warning::NonUniformScale { joints, percent } => {
                let joint = joints.first().map_or("", String::as_str);
                write!(
                    f,
                    "the scale is not uniform, most of all at '{joint}' (one factor is {percent} % \
                     of another); geometry that rotates below it stays rigid"
                )
            }
            Warning::AnimatedScale { joints, percent } => {
                let (joint, clip) = worst(joints);
                write!(
                    f,
                    "scaled by clips, most of all '{joint}' (by {percent} %; first in clip \
                     '{clip}')"
                )
            }
            Warning::Stretched { parts, percent } => {
                let (part, clip) = worst(parts);
                write!(
                    f,
                    "reshaped by clips, which no rigid part can follow, most of all '{part}' \
                     (by {percent} % of its size; first in clip '{clip}')"
                )
            }
            _ => Ok(()),
        }
    }
}
