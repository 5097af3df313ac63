//! Joints of MJCF bodies.

use nalgebra::Vector3;

use super::attributes::Attributes;
use super::compiler::Compiler;
use crate::motion::{JointKind, Mimic};
use crate::shape::Pose;

/// A joint, in the frame of its body.
pub(super) struct MjcfJoint {
    pub kind: MjcfJointKind,
    pub anchor: Vector3<f64>,
    axis: Vector3<f64>,
    /// The value in the pose of the file: radians or lengths.
    pub reference: f64,
    pub limits: Option<[f64; 2]>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MjcfJointKind {
    Hinge,
    Slide,
    Ball,
    Free,
}

impl MjcfJoint {
    /// Reads a `<joint>`; `frame` is the frame around its body.
    pub fn read(
        attributes: Attributes<'_, '_>,
        compiler: &Compiler<'_>,
        frame: &Pose<f64>,
    ) -> Result<Self, String> {
        let kind = attributes.keyword("type", &["free", "ball", "slide", "hinge"])?;
        let kind = match kind {
            Some("free") => return Ok(MjcfJoint::free()),
            Some("ball") => MjcfJointKind::Ball,
            Some("slide") => MjcfJointKind::Slide,
            _ => MjcfJointKind::Hinge,
        };
        let unit = if kind == MjcfJointKind::Slide { 1.0 } else { compiler.angle };
        let element = attributes.element;
        let axis = attributes.three("axis")?.unwrap_or(Vector3::z());
        let axis = axis.try_normalize(1e-12).ok_or_else(|| element.at("the axis has no length"))?;
        let anchor = attributes.three("pos")?.unwrap_or_default();
        let reference = attributes.numbers("ref")?.map_or(0.0, |[reference]| reference * unit);
        Ok(MjcfJoint {
            kind,
            anchor: frame * nalgebra::Point3::from(anchor) - nalgebra::Point3::origin(),
            axis: frame * axis,
            reference,
            limits: limits(attributes, compiler)?.map(|limits| limits.map(|limit| limit * unit)),
        })
    }

    /// Returns a joint with all six degrees of freedom.
    pub fn free() -> Self {
        MjcfJoint {
            kind: MjcfJointKind::Free,
            anchor: Vector3::zeros(),
            axis: Vector3::z(),
            reference: 0.0,
            limits: None,
        }
    }

    /// The motion by a rule for the joint's value; `None` for a kind without a single value.
    pub fn motion(&self, rule: Mimic) -> Option<JointKind> {
        let mimic = Mimic { offset: rule.offset - self.reference, ..rule };
        match self.kind {
            MjcfJointKind::Hinge => Some(JointKind::Revolute { axis: self.axis, mimic }),
            MjcfJointKind::Slide => Some(JointKind::Prismatic { axis: self.axis, mimic }),
            MjcfJointKind::Ball | MjcfJointKind::Free => None,
        }
    }
}

/// Reads the limits; `None` for an unlimited joint. Without `limited`, any range but `0 0` limits.
fn limits(
    attributes: Attributes<'_, '_>,
    compiler: &Compiler<'_>,
) -> Result<Option<[f64; 2]>, String> {
    let element = attributes.element;
    let range = attributes.numbers::<2>("range")?;
    let has_range = range.is_some_and(|range| range != [0.0, 0.0]);
    let limited = match attributes.keyword("limited", &["true", "false", "auto"])? {
        Some("true") => true,
        Some("false") => false,
        _ if has_range && !compiler.auto_limits => {
            return Err(
                element.at("it has a range, but 'limited' is not set and autolimits is off")
            );
        }
        _ => has_range,
    };
    match range.unwrap_or_default() {
        _ if !limited => Ok(None),
        [least, most] if least > most => {
            Err(element.at(format!("the range is reversed: {least} to {most}")))
        }
        [least, most] if least == most => {
            Err(element.at(format!("the range from {least} to {most} is empty")))
        }
        range => Ok(Some(range)),
    }
}
