//! The skeleton: joints, parents and offsets.
//!
//! At rest the figure stands upright, arms down, palms to the body; every joint frame is then
//! aligned with the model's: +X to its left, +Y up, +Z where it looks. Metres; the origin is on the
//! floor under the hips.

use boxwood::motion::{Joint, Skeleton, Transform};
use nalgebra::Vector3;

use super::proportions::{self as share, metres};

/// Index of the left one in a pair of joints.
pub const LEFT: usize = 0;
/// Index of the right one in a pair of joints.
pub const RIGHT: usize = 1;

pub const HIPS: usize = 0;
pub const SPINE: usize = 1;
pub const CHEST: usize = 2;
pub const NECK: usize = 3;
pub const HEAD: usize = 4;
pub const CLAVICLE: [usize; 2] = [5, 9];
pub const UPPER_ARM: [usize; 2] = [6, 10];
pub const FOREARM: [usize; 2] = [7, 11];
pub const HAND: [usize; 2] = [8, 12];
pub const THIGH: [usize; 2] = [13, 17];
pub const SHIN: [usize; 2] = [14, 18];
pub const FOOT: [usize; 2] = [15, 19];
pub const TOES: [usize; 2] = [16, 20];
pub const COUNT: usize = 21;

/// A joint: its name, its parent, and its position relative to that, as shares of the body height.
struct Bone(&'static str, Option<usize>, [f64; 3]);

const HIP_HEIGHT: f64 = share::FOOT_HEIGHT + share::SHANK + share::THIGH;

const MIDDLE: [Bone; 5] = [
    Bone("hips", None, [0.0, HIP_HEIGHT, 0.0]),
    Bone("spine", Some(HIPS), [0.0, 0.2 * share::TRUNK, 0.0]),
    Bone("chest", Some(SPINE), [0.0, 0.3 * share::TRUNK, 0.0]),
    Bone("neck", Some(CHEST), [0.0, 0.5 * share::TRUNK, 0.0]),
    Bone("head", Some(NECK), [0.0, share::NECK, 0.0]),
];

/// Left arm and left leg; x is negative on the right.
const ARM: [Bone; 4] = [
    Bone("clavicle", Some(CHEST), [share::COLLAR, 0.5 * share::TRUNK, 0.0]),
    Bone("upper_arm", None, [share::HALF_SHOULDERS - share::COLLAR, 0.0, 0.0]),
    Bone("forearm", None, [0.0, -share::UPPER_ARM, 0.0]),
    Bone("hand", None, [0.0, -share::FOREARM, 0.0]),
];
const LEG: [Bone; 4] = [
    Bone("thigh", Some(HIPS), [share::HALF_HIPS, 0.0, 0.0]),
    Bone("shin", None, [0.0, -share::THIGH, 0.0]),
    Bone("foot", None, [0.0, -share::SHANK, 0.0]),
    Bone("toes", None, [0.0, share::BALL_HEIGHT - share::FOOT_HEIGHT, share::BALL]),
];

/// Offset of each joint from its parent [m]; that of the hips from the model's origin.
pub fn offsets() -> [Vector3<f64>; COUNT] {
    let mut offsets = [Vector3::zeros(); COUNT];
    for (index, (_, _, offset)) in bones().into_iter().enumerate() {
        offsets[index] = offset;
    }
    offsets
}

pub fn parents() -> [Option<usize>; COUNT] {
    let mut parents = [None; COUNT];
    for (index, (_, parent, _)) in bones().into_iter().enumerate() {
        parents[index] = parent;
    }
    parents
}

/// The skeleton at rest.
pub fn skeleton() -> Skeleton<f32> {
    let joints = bones().into_iter().map(|(name, parent, offset)| {
        let translation = offset.map(|c| c as f32);
        Joint { name, parent, rest: Transform { translation, ..Transform::default() } }
    });
    Skeleton::new(joints.collect()).expect("parents come first")
}

fn bones() -> Vec<(String, Option<usize>, Vector3<f64>)> {
    let mut bones: Vec<_> = MIDDLE.iter().map(|b| (b.0.to_owned(), b.1, offset(b, 1.0))).collect();
    for limb in [ARM, LEG] {
        for (side, sign) in [("left", 1.0), ("right", -1.0)] {
            for bone in &limb {
                let parent = bone.1.unwrap_or(bones.len().wrapping_sub(1));
                bones.push((format!("{side}_{}", bone.0), Some(parent), offset(bone, sign)));
            }
        }
    }
    bones
}

fn offset(bone: &Bone, sign: f64) -> Vector3<f64> {
    let [x, y, z] = bone.2.map(metres);
    Vector3::new(sign * x, y, z)
}
