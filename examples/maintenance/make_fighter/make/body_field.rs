//! All bodies of the figure as one smooth field, in the stance in which the skin is modelled.

use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion, Vector3};

use super::body_rings::padding;
use super::loft::{BodyPoint, Loft};
use crate::fighter::proportions::{self as share, centimetres, metres};
use crate::fighter::skeleton::{COUNT, LEFT, RIGHT, offsets, parents};
use crate::fighter::stance::Stance;

/// Radius of the creases where bodies meet [m].
const FILLET: f64 = 0.006;

/// Returns the joint on the other side; joints of the mid-line return themselves.
pub fn opposite(joint: usize) -> usize {
    match joint {
        5..=8 | 13..=16 => joint + 4,
        9..=12 | 17..=20 => joint - 4,
        _ => joint,
    }
}

/// Bodies at their joints.
pub struct Field {
    /// Poses joint -> model, in the stance in which the skin is modelled.
    pub poses: [Isometry3<f64>; COUNT],
    /// Parent of each joint.
    pub parents: [Option<usize>; COUNT],
    padding: [&'static Loft<'static>; COUNT],
}

impl Field {
    /// Creates the field of a figure with arms away from the body, legs apart, soles on the floor:
    /// no bodies touch that must not merge.
    pub fn new() -> Self {
        let (hips, turns) = drawn().solve();
        let (parents, offsets) = (parents(), offsets());
        let mut poses = [Isometry3::identity(); COUNT];
        for joint in 0..COUNT {
            let at = if parents[joint].is_some() { offsets[joint] } else { hips };
            let local = Isometry3::from_parts(Translation3::from(at), turns[joint]);
            poses[joint] = parents[joint].map_or(local, |parent| poses[parent] * local);
        }
        mirror(&mut poses);
        Field { poses, parents, padding: padding() }
    }

    /// Point of the model relative to the body of a joint, with lengths in metres.
    pub fn sees(&self, joint: usize, point: Point3<f64>) -> BodyPoint {
        let mut local = self.poses[joint].inverse_transform_point(&point).coords;
        if opposite(joint) < joint {
            local.x = -local.x;
        }
        let seen = self.padding[joint].sees(local / centimetres(1.0));
        BodyPoint { distance: centimetres(seen.distance), ..seen }
    }

    /// Approximate distance of a point outside the figure, negative inside [m]; symmetric about the
    /// mid-line.
    pub fn value(&self, point: Point3<f64>) -> f64 {
        let left = Point3::new(point.x.abs(), point.y, point.z);
        let distances: [f64; COUNT] = std::array::from_fn(|joint| self.sees(joint, left).distance);
        let least = distances.into_iter().fold(f64::INFINITY, f64::min);
        let sum: f64 = distances.iter().map(|d| ((least - d) / FILLET).exp()).sum();
        (least - FILLET * sum.ln()).max(-point.y)
    }

    pub fn slope(&self, point: Point3<f64>) -> Vector3<f64> {
        const STEP: f64 = 1e-4;
        Vector3::from_fn(|axis, _| {
            let step = Vector3::ith(axis, STEP);
            (self.value(point + step) - self.value(point - step)) / (2.0 * STEP)
        })
    }
}

/// Stance in which the skin is modelled.
fn drawn() -> Stance {
    let shoulder = share::FOOT_HEIGHT + share::SHANK + share::THIGH + share::TRUNK;
    let reach = 0.995 * metres(share::UPPER_ARM + share::FOREARM);
    let mut stance = Stance::NOTHING.hips(0.0, 0.875, 0.0);
    for (side, out) in [(LEFT, 1.0), (RIGHT, -1.0)] {
        let across = metres(share::HALF_SHOULDERS) + 0.7 * reach;
        stance = stance
            .wrist(side, out * across, metres(shoulder) - 0.03 - 0.68 * reach, 0.0)
            .elbow(side, 0.3, 0.0, -1.0)
            .planted(side, out * 0.19, 0.12, out * 8.0, 0.0);
    }
    stance
}

/// Makes the right side the exact mirror image of the left.
fn mirror(poses: &mut [Isometry3<f64>; COUNT]) {
    for joint in (0..COUNT).filter(|&joint| opposite(joint) > joint) {
        let (at, turn) = (poses[joint].translation, poses[joint].rotation.coords);
        let turn = nalgebra::Quaternion::new(turn.w, turn.x, -turn.y, -turn.z);
        let at = Translation3::new(-at.x, at.y, at.z);
        poses[opposite(joint)] = Isometry3::from_parts(at, UnitQuaternion::new_unchecked(turn));
    }
}
