//! A sample of an edge: the configuration at a fraction, the poses of all links, their velocities,
//! and the balls around the parts.
//!
//! The velocity of a link is its twist: the angular velocity, and the velocity of the point of the
//! link that is at the origin of the world. A joint of rate `w` about an axis `u` through `p` adds
//! `(w u, p x w u)` to the twist of the parent, a slide `(0, w u)`. Twists of two links seen in one
//! frame subtract, so the motion of a part relative to an ancestor is a difference.

use super::scratch::EdgeScratch;
use super::states::{LinkTwist, PartSample, fraction};
use crate::motion::{Mechanism, rotated};
use crate::num::Scalar;
use crate::num::linear::{Vec3, add, cross, scale};
use crate::robot::chains::{ChainLink, MovingJoint};
use crate::robot::part_ball::PartBall;
use crate::shape::rounded_pose;

/// The fixed data of samples.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sampling<'a, T: Scalar> {
    pub mechanism: &'a Mechanism,
    pub links: &'a [ChainLink],
    /// Ball of each part; `None` without geometry.
    pub balls: &'a [Option<PartBall>],
    pub ends: [&'a [T]; 2],
}

impl<T: Scalar> Sampling<'_, T> {
    /// Writes the configuration at a step.
    pub fn write_values(&self, step: u32, values: &mut Vec<T>) {
        let share = fraction(step);
        let [from, to] = self.ends;
        values.clear();
        values.extend(from.iter().zip(to).map(|(&from, &to)| {
            let (first, last) = (from.wide(), to.wide());
            // The mix of swapped ends at the mirrored step has the same bits.
            let mix = (1.0 - share) * first + share * last;
            T::nearest(mix.clamp(first.min(last), first.max(last)))
        }));
    }

    /// Poses the links at a step.
    pub fn pose(&self, step: u32, work: &mut EdgeScratch<T>) {
        work.samples += 1;
        self.write_values(step, &mut work.values);
        work.wide_values.clear();
        work.wide_values.extend(work.values.iter().map(|value| value.wide()));
        self.mechanism.poses_unchecked(&work.wide_values, &mut work.wide_poses);
        work.poses.clear();
        work.poses.extend(work.wide_poses.iter().map(rounded_pose::<T>));
    }

    /// Computes velocities and balls of the current sample.
    pub fn compute_motions(&self, work: &mut EdgeScratch<T>) {
        work.twists.clear();
        work.parts.clear();
        for (at, link) in self.links.iter().enumerate() {
            let pose = &work.wide_poses[at];
            let q = pose.rotation.coords.into();
            let origin: Vec3 = pose.translation.vector.into();
            let above = link.parent.map_or_else(LinkTwist::default, |at| work.twists[at as usize]);
            let twist = match link.joint {
                None => above,
                Some(MovingJoint { axis, turns, .. }) => {
                    // A joint leaves its own axis in place.
                    let along = scale(rotated(q, axis), work.links[at].rate);
                    match turns {
                        true => LinkTwist {
                            angular: add(above.angular, along),
                            linear: add(above.linear, cross(origin, along)),
                        },
                        false => LinkTwist { linear: add(above.linear, along), ..above },
                    }
                }
            };
            work.twists.push(twist);
            work.parts.push(match &self.balls[at] {
                None => PartSample { origin, ..PartSample::default() },
                Some(ball) => {
                    let center = add(origin, rotated(q, ball.center));
                    PartSample { origin, center, velocity: twist.velocity(center) }
                }
            });
        }
    }
}
