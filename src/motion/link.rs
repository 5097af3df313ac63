//! Links of mechanisms, and the joints that move them.

use nalgebra::Vector3;

use crate::error::Error;
use crate::num::{check_coordinates, tolerance};
use crate::shape::{Pose, check_poses};

/// Motion of a link relative to its parent. Axes are unit vectors in the link's own frame: lengths
/// within [`tolerance::UNIT`] of one are accepted, and normalised.
///
/// ```
/// use boxwood::motion::{JointKind, Mimic};
/// use boxwood::nalgebra::Vector3;
///
/// let hinge = JointKind::Revolute { axis: Vector3::z(), mimic: Mimic::direct(0) }; // radians
/// let slide = JointKind::Prismatic { axis: Vector3::z(), mimic: Mimic::direct(1) }; // a length
/// assert_ne!(hinge, slide);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum JointKind {
    /// A link that does not move.
    Fixed,
    /// Rotation about the axis; the rule gives the angle in radians, by the right-hand rule.
    Revolute {
        /// The axis of rotation, through the origin of the link.
        axis: Vector3<f64>,
        /// The rule that gives the angle.
        mimic: Mimic,
    },
    /// Translation along the axis; the rule gives the length. Units.
    Prismatic {
        /// The direction of positive values.
        axis: Vector3<f64>,
        /// The rule that gives the displacement.
        mimic: Mimic,
    },
}

/// Linear rule that computes a joint's value from an actuator's: `multiplier * value + offset`.
/// Several joints may follow one actuator.
///
/// ```
/// use boxwood::motion::Mimic;
///
/// let left = Mimic::direct(0); // the value itself
/// let right = Mimic { multiplier: -1.0, ..left }; // the other finger of a gripper
/// assert_eq!((right.actuator, right.offset), (0, 0.0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mimic {
    /// The index of the [`Actuator`](crate::motion::Actuator).
    pub actuator: usize,
    /// The factor of the actuator's value.
    pub multiplier: f64,
    /// The offset added to the product: radians or lengths.
    pub offset: f64,
}

impl Mimic {
    /// Creates the rule by which the joint's value is the actuator's.
    pub fn direct(actuator: usize) -> Self {
        Mimic { actuator, multiplier: 1.0, offset: 0.0 }
    }
}

/// One rigid body of a [`Mechanism`](crate::motion::Mechanism).
#[derive(Debug, Clone, PartialEq)]
pub struct Link {
    /// The name, unique in its mechanism.
    pub name: String,
    /// The index of the parent, smaller than the link's own; `None` for a root.
    pub parent: Option<usize>,
    /// The pose of the link in its parent (of a root: in the model) with its joint at zero. Its
    /// rotation is `q / |q|`.
    pub origin: Pose<f64>,
    /// The joint that moves the link from its origin.
    pub joint: JointKind,
}

impl Link {
    /// Checks the parent, the origin, the axis and the rule of a link.
    pub(super) fn check(&self, index: usize, actuators: usize) -> Result<(), Error> {
        if self.parent.is_some_and(|parent| parent >= index) {
            return Err(Error::OutOfOrder { field: "link", index });
        }
        check_poses(&[self.origin], "origin of link")?;
        let (JointKind::Revolute { axis, mimic } | JointKind::Prismatic { axis, mimic }) =
            &self.joint
        else {
            return Ok(());
        };
        check_coordinates(axis.as_slice(), "axis of link", index)?;
        let length = axis.norm();
        if (length - 1.0).abs() > tolerance::UNIT {
            return Err(Error::NotUnit { field: "axis of link", index, length });
        }
        check_coordinates(&[mimic.multiplier, mimic.offset], "mimic of link", index)?;
        if mimic.actuator >= actuators {
            let (target, len) = (mimic.actuator, actuators);
            return Err(Error::IndexOutOfRange { field: "mimic of link", index, target, len });
        }
        Ok(())
    }
}
