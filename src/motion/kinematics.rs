//! Forward kinematics in double precision: links prepared once, then posed row by row.
//!
//! A link moves in the nearest ancestor that moves: fixed links between are folded into its origin.
//! Sine and cosine `c, s` of half the angle turn a revolute link by
//!
//! ```text
//! o * (c + a s) = o c + (o * a) s
//! ```
//!
//! with the unit quaternion `o` of the origin and the unit axis `a`; `o` and `o * a` are prepared.

use nalgebra::ComplexField;

use super::link::{JointKind, Link, Mimic};
use super::rigid_motion::{Quat, RigidMotion, product, rotated};
use crate::num::Scalar;
use crate::num::linear::{Vec3, add, length, scale};
use crate::shape::Pose;

/// The links of a mechanism in the order in which they are posed.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Kinematics {
    pub(super) steps: Vec<LinkStep>,
    /// Number of motions kept at a time.
    pub(super) slots: usize,
}

/// One link, prepared.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LinkStep {
    pub(super) link: usize,
    /// Slot of the motion of the nearest ancestor that moves; `None` if all are fixed.
    pub(super) ancestor: Option<usize>,
    /// Slot for the motion of this link, if it moves.
    pub(super) slot: usize,
    /// Pose in the ancestor, or in the model, with the joint at zero.
    pub(super) origin: RigidMotion,
    pub(super) joint: LinkStepJoint,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum LinkStepJoint {
    Fixed,
    /// The product of the origin's quaternion and the axis, and the rule of the angle.
    Revolute(Quat, Mimic),
    /// The axis in the frame of the ancestor, and the rule of the displacement.
    Prismatic(Vec3, Mimic),
}

/// Slots of most mechanisms: an arm, a hand, a body with four limbs.
const FEW_SLOTS: usize = 4;

/// Slots of any mechanism: see [`Kinematics::new`].
const MAX_SLOTS: usize = usize::BITS as usize + 1;

impl Kinematics {
    /// Prepares links, parents first.
    ///
    /// Links are posed in depth-first order, and among the children of a link the one with most
    /// moving links below it last. It takes over the slot of its parent, which no later link needs;
    /// the others take the next slot. Each next slot thus halves the number of links at least, and
    /// `n` links need no more than `log2(n) + 1` slots.
    pub fn new(links: &[Link]) -> Self {
        // Nearest moving ancestor of each link, or the link itself, and its pose in that.
        let mut frames: Vec<(Option<usize>, RigidMotion)> = Vec::with_capacity(links.len());
        let mut steps = Vec::with_capacity(links.len());
        for (index, link) in links.iter().enumerate() {
            let own = RigidMotion::normalised(&link.origin);
            let (ancestor, origin) = match link.parent.map(|parent| frames[parent]) {
                Some((ancestor, frame)) if frame == RigidMotion::IDENTITY => (ancestor, own),
                Some((ancestor, frame)) => (ancestor, frame.times(&own)),
                None => (None, own),
            };
            let joint = LinkStepJoint::new(&link.joint, &origin);
            frames.push(match joint {
                LinkStepJoint::Fixed => (ancestor, origin),
                _ => (Some(index), RigidMotion::IDENTITY),
            });
            steps.push(LinkStep { link: index, ancestor, slot: 0, origin, joint });
        }
        Kinematics::in_order(steps)
    }

    /// Sorts steps, whose ancestors are indices of links, and gives them slots.
    fn in_order(mut steps: Vec<LinkStep>) -> Self {
        let count = steps.len();
        // Number of moving links of each subtree, itself included.
        let mut sizes = vec![0_usize; count];
        for step in steps.iter().rev().filter(|step| step.joint != LinkStepJoint::Fixed) {
            sizes[step.link] += 1;
            if let Some(ancestor) = step.ancestor {
                sizes[ancestor] += sizes[step.link];
            }
        }
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); count];
        let mut stack = Vec::new();
        for step in &steps {
            match step.ancestor {
                Some(ancestor) => children[ancestor].push(step.link),
                None => stack.push((step.link, 0)),
            }
        }
        stack.reverse();
        let (mut order, mut slots) = (Vec::with_capacity(count), 0);
        while let Some((link, slot)) = stack.pop() {
            slots = slots.max(slot + 1);
            order.push(link);
            steps[link].slot = slot;
            // Fixed links have size zero and are posed at once. The stack is popped from its end.
            children[link].sort_by_key(|&child| sizes[child]);
            let last = children[link].len().wrapping_sub(1);
            let below = children[link].iter().enumerate();
            stack.extend(below.map(|(i, &child)| (child, slot + usize::from(i != last))).rev());
        }
        let slot_of: Vec<usize> = steps.iter().map(|step| step.slot).collect();
        let step = |&link: &usize| {
            let ancestor = steps[link].ancestor.map(|ancestor| slot_of[ancestor]);
            LinkStep { ancestor, ..steps[link].clone() }
        };
        Kinematics { steps: order.iter().map(step).collect(), slots }
    }

    /// Writes the pose of every link; `values` has one number for each actuator.
    pub fn pose<T: Scalar>(&self, values: &[T], poses: &mut Vec<Pose<T>>) {
        poses.resize(self.steps.len(), Pose::identity());
        match self.slots <= FEW_SLOTS {
            true => self.pose_links::<T, FEW_SLOTS>(values, poses),
            false => self.pose_links::<T, MAX_SLOTS>(values, poses),
        }
    }

    #[inline(always)]
    fn pose_links<T: Scalar, const SLOTS: usize>(&self, values: &[T], poses: &mut [Pose<T>]) {
        let mut kept = [RigidMotion::IDENTITY; SLOTS];
        for step in &self.steps {
            let local = step.local_motion(values);
            let motion = match step.ancestor {
                Some(slot) => kept[slot].times(&local),
                None => local,
            };
            poses[step.link] = motion.pose();
            if step.joint != LinkStepJoint::Fixed {
                kept[step.slot] = motion;
            }
        }
    }
}

impl LinkStep {
    /// Returns the motion of the link in its ancestor.
    #[inline(always)]
    fn local_motion<T: Scalar>(&self, values: &[T]) -> RigidMotion {
        let value = |rule: &Mimic| rule.multiplier * values[rule.actuator].wide() + rule.offset;
        match &self.joint {
            LinkStepJoint::Fixed => self.origin,
            LinkStepJoint::Revolute(turned, rule) => {
                // Calls nalgebra, whose features make sine and cosine equal on all machines.
                let (sine, cosine) = ComplexField::sin_cos(0.5 * value(rule));
                let q = self.origin.rotation;
                let rotation = std::array::from_fn(|i| q[i] * cosine + turned[i] * sine);
                RigidMotion { rotation, position: self.origin.position }
            }
            LinkStepJoint::Prismatic(axis, rule) => {
                let position = add(self.origin.position, scale(*axis, value(rule)));
                RigidMotion { rotation: self.origin.rotation, position }
            }
        }
    }
}

impl LinkStepJoint {
    fn new(joint: &JointKind, origin: &RigidMotion) -> Self {
        match joint {
            JointKind::Fixed => LinkStepJoint::Fixed,
            JointKind::Revolute { axis, mimic } => {
                let [x, y, z] = unit_axis((*axis).into());
                LinkStepJoint::Revolute(product(origin.rotation, [x, y, z, 0.0]), *mimic)
            }
            JointKind::Prismatic { axis, mimic } => LinkStepJoint::Prismatic(
                rotated(origin.rotation, unit_axis((*axis).into())),
                *mimic,
            ),
        }
    }
}

/// Normalises an axis, or keeps it bit for bit if it is of length one up to rounding.
pub(crate) fn unit_axis(axis: Vec3) -> Vec3 {
    let length = length(axis);
    let is_unit = (length - 1.0).abs() <= 2.0 * f64::EPSILON;
    if is_unit { axis } else { axis.map(|x| x / length) }
}
