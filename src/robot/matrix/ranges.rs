//! Boxes of joint values, and the lever bound of a pair within one.
//!
//! Let all joints be at the centre of a box, and move to other values in it one after another,
//! those nearest to the common ancestor first. When joint `j` turns by an angle `t`, the joints
//! beyond it are still at their centres, so a point of the part is as far from its axis as it is at
//! the centre of the box: `r_j`. It moves by the chord `2 r_j sin (t / 2)`, and by `|t|` if the
//! joint slides. The sum over the joints between the two parts bounds the approach of any two
//! points.
//!
//! Source: Schwarzer, Saha, Latombe, Adaptive Dynamic Collision Checking for Single and Multiple
//! Articulated Robots in Complex Environments (2005), for levers of joints.

use nalgebra::Isometry3;

use crate::motion::rotated;
use crate::num::linear::{Vec3, add, cross, length, sub};
use crate::robot::chains::ChainLink;
use crate::robot::part_ball::PartBall;

/// Range of the values of an actuator.
pub(super) type Range = [f64; 2];

/// Upper bound on the chord of an angle of at least zero, for a radius of one.
pub(super) fn chord(angle: f64) -> f64 {
    if angle >= 3.0 {
        return 2.0;
    }
    // The series of `2 sin (x / 2)` alternates: a sum that ends after a positive term is no less.
    let square = angle * angle;
    let series = angle * (1.0 - square / 24.0 * (1.0 - square / 80.0));
    (series * (1.0 + 1e-12)).min(2.0)
}

/// The joints between a part and the ancestor that it is seen from.
#[derive(Debug, Clone, Default)]
pub(super) struct PairSide {
    pub part: u32,
    /// Links with a moving joint, in any order.
    pub joints: Vec<u32>,
    pub ball: PartBall,
}

impl PairSide {
    /// Collects the joints of a part below an ancestor.
    pub fn new(links: &[ChainLink], (base, part): (Option<u32>, u32), ball: PartBall) -> Self {
        let (mut joints, mut next) = (Vec::new(), Some(part));
        while let Some(link) = next.filter(|_| next != base) {
            if links[link as usize].joint.is_some() {
                joints.push(link);
            }
            next = links[link as usize].parent;
        }
        PairSide { part, joints, ball }
    }

    /// Visits the joints with the poses at the centre of a box: the index of the actuator, by how
    /// much points of the part may move with it in the box, and the same by the angle itself
    /// instead of its chord. `half`: the largest difference of an actuator's value from the centre.
    pub fn visit_motions(
        &self,
        (links, poses): (&[ChainLink], &[Isometry3<f64>]),
        half: impl Fn(usize) -> f64,
        mut visit: impl FnMut(usize, f64, f64),
    ) {
        let pose = &poses[self.part as usize];
        let origin: Vec3 = pose.translation.vector.into();
        let center = add(origin, rotated(pose.rotation.coords.into(), self.ball.center));
        for &link in &self.joints {
            let Some(joint) = links[link as usize].joint else { continue };
            let actuator = joint.rule.actuator;
            let angle = half(actuator) * joint.rule.multiplier.abs() * (1.0 + 1e-12);
            let (bound, uncut) = match joint.turns {
                true => {
                    let frame = &poses[link as usize];
                    let axis = rotated(frame.rotation.coords.into(), joint.axis);
                    let arm = sub(center, frame.translation.vector.into());
                    let lever = length(cross(axis, arm)) + self.ball.radius;
                    (chord(angle) * lever, angle * lever)
                }
                false => (angle, angle),
            };
            visit(actuator, bound, uncut);
        }
    }
}
