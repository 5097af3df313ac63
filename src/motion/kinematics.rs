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
//!
//! # Lengths of quaternions
//! Origins and axes are normalised by root and division once, when the mechanism is made. A product
//! `q` of length `1 + d` is normalised by one step of Newton's method for `1 / |q|` from 1:
//!
//! ```text
//! |q (3 - |q|^2) / 2| = (1 + d) (3 - (1 + d)^2) / 2 = 1 - 1.5 d^2 - 0.5 d^3
//! ```
//!
//! The unit of rounding is `u = 2^-53`. The step's own rounding is at most `4 u` (the square is off
//! by `4 u`, so its half by `2 u`; the difference and the last product by `u` each). A stored
//! rotation is therefore within `5 u` of length one if `1.5 d^2` is below `u`. It is: `d` is at
//! most the `5 u` of the ancestor, `8 u` of the product of two quaternions, and `12 u` of the
//! link's own, of which `4 u` belong to `o`, `5 u` to `o * a` and the angle between the two, `3 u`
//! to sine, cosine and the sum. So `d <= 25 u`, and `1.5 d^2` is 1e-29. Nothing accumulates along a
//! chain.

use nalgebra::{ComplexField, Isometry3, Quaternion, UnitQuaternion};

use super::link::{JointKind, Link, Mimic};
use crate::num::Scalar;
use crate::num::linear::{Vec3, add, cross, length, scale};
use crate::shape::Pose;

/// A quaternion `[x, y, z, w]`.
type Quat = [f64; 4];

/// A rigid motion in double precision: a unit quaternion and a translation.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Motion {
    rotation: Quat,
    position: Vec3,
}

/// The links of a mechanism in the order in which they are posed.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Kinematics {
    steps: Vec<LinkStep>,
    /// Number of motions kept at a time.
    slots: usize,
}

/// One link, prepared.
#[derive(Debug, Clone, PartialEq)]
struct LinkStep {
    link: usize,
    /// Slot of the motion of the nearest ancestor that moves; `None` if all are fixed.
    ancestor: Option<usize>,
    /// Slot for the motion of this link, if it moves.
    slot: usize,
    /// Pose in the ancestor, or in the model, with the joint at zero.
    origin: Motion,
    joint: LinkStepJoint,
}

#[derive(Debug, Clone, PartialEq)]
enum LinkStepJoint {
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
        // Of each link: the nearest moving ancestor or itself, and its pose in that.
        let mut frames: Vec<(Option<usize>, Motion)> = Vec::with_capacity(links.len());
        let mut steps = Vec::with_capacity(links.len());
        for (index, link) in links.iter().enumerate() {
            let own = Motion::normalised(&link.origin);
            let (ancestor, origin) = match link.parent.map(|parent| frames[parent]) {
                Some((ancestor, frame)) if frame == Motion::IDENTITY => (ancestor, own),
                Some((ancestor, frame)) => (ancestor, frame.times(&own)),
                None => (None, own),
            };
            let joint = LinkStepJoint::new(&link.joint, &origin);
            frames.push(match joint {
                LinkStepJoint::Fixed => (ancestor, origin),
                _ => (Some(index), Motion::IDENTITY),
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
        let mut kept = [Motion::IDENTITY; SLOTS];
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
    fn local_motion<T: Scalar>(&self, values: &[T]) -> Motion {
        let value = |rule: &Mimic| rule.multiplier * values[rule.actuator].wide() + rule.offset;
        match &self.joint {
            LinkStepJoint::Fixed => self.origin,
            LinkStepJoint::Revolute(turned, rule) => {
                // By nalgebra, whose features make sine and cosine equal on all machines.
                let (sine, cosine) = ComplexField::sin_cos(0.5 * value(rule));
                let q = self.origin.rotation;
                let rotation = std::array::from_fn(|i| q[i] * cosine + turned[i] * sine);
                Motion { rotation, position: self.origin.position }
            }
            LinkStepJoint::Prismatic(axis, rule) => {
                let position = add(self.origin.position, scale(*axis, value(rule)));
                Motion { rotation: self.origin.rotation, position }
            }
        }
    }
}

impl LinkStepJoint {
    fn new(joint: &JointKind, origin: &Motion) -> Self {
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

impl Motion {
    const IDENTITY: Motion = Motion { rotation: [0.0, 0.0, 0.0, 1.0], position: [0.0; 3] };

    /// Converts a pose; its quaternion is normalised, or kept bit for bit if it is of length one up
    /// to rounding.
    fn normalised(pose: &Pose<f64>) -> Self {
        let q: Quat = pose.rotation.coords.into();
        let square = squared_length(q);
        let rotation = match (square - 1.0).abs() <= 4.0 * f64::EPSILON {
            true => q,
            false => q.map(|x| x / square.sqrt()),
        };
        Motion { rotation, position: pose.translation.vector.into() }
    }

    /// Returns the product of two motions, the inner one first; its rotation is normalised by a
    /// step of Newton's method.
    #[inline(always)]
    fn times(&self, inner: &Motion) -> Motion {
        let q = product(self.rotation, inner.rotation);
        let factor = 1.5 - 0.5 * squared_length(q);
        Motion {
            rotation: q.map(|x| x * factor),
            position: add(self.position, rotated(self.rotation, inner.position)),
        }
    }

    /// Rounds to the stored type.
    #[inline(always)]
    fn pose<T: Scalar>(&self) -> Pose<T> {
        let ([x, y, z, w], p) = (self.rotation.map(T::nearest), self.position.map(T::nearest));
        let rotation = UnitQuaternion::new_unchecked(Quaternion::new(w, x, y, z));
        Isometry3::from_parts(p.into(), rotation)
    }
}

/// Normalises an axis, or keeps it bit for bit if it is of length one up to rounding.
fn unit_axis(axis: Vec3) -> Vec3 {
    let length = length(axis);
    let is_unit = (length - 1.0).abs() <= 2.0 * f64::EPSILON;
    if is_unit { axis } else { axis.map(|x| x / length) }
}

#[inline(always)]
fn squared_length(q: Quat) -> f64 {
    (q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3])
}

#[inline(always)]
fn product(a: Quat, b: Quat) -> Quat {
    let [x, y, z, w] = b;
    // Columns, so that the compiler fills lanes.
    let (by_x, by_y, by_z) = ([w, -z, y, -x], [z, w, -x, -y], [-y, x, w, -z]);
    std::array::from_fn(|i| (a[3] * b[i] + a[0] * by_x[i]) + (a[1] * by_y[i] + a[2] * by_z[i]))
}

/// Rotates a vector by a unit quaternion.
#[inline(always)]
fn rotated(q: Quat, v: Vec3) -> Vec3 {
    let u = [q[0], q[1], q[2]];
    let twice = scale(cross(u, v), 2.0);
    add(add(scale(twice, q[3]), cross(u, twice)), v)
}
