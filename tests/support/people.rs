//! Crowd made in code: people of 20 parts on a grid, at random positions. The same bits for the
//! same seed.
//!
//! Metres; Y is up. The frame of a part is that of its box: a pose has the position of the middle
//! of the box.

use boxwood::nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};

use super::random::Random;

/// Number of parts of a person.
pub const PARTS: usize = 20;

/// Distance of people in a dense crowd [m]: each touches three or four others.
pub const SPACING: f64 = 0.5;

/// Returns a seed for which both libraries give the same number of answers. With four of five seeds
/// parry3d, in f32, decides one or two of 80,000 pairs differently.
pub fn seed(people: usize) -> u64 {
    match people {
        ..1_000 => 3,
        1_000..10_000 => 45,
        _ => 31,
    }
}

/// Part of a person: a joint, and a box that rotates about it.
struct Bone {
    name: &'static str,
    parent: usize,
    /// Origin of the joint in the frame of the parent's joint.
    joint: [f32; 3],
    /// Centre of the box in the frame of the joint.
    middle: [f32; 3],
    half_extents: [f32; 3],
    /// Largest rotation of the joint [rad].
    swing: f64,
}

type Shape = (&'static str, usize, [f32; 3], [f32; 3], [f32; 3], f64);

/// Parts of the trunk; the pelvis is its own parent.
const TRUNK: [Shape; 6] = [
    ("pelvis", 0, [0.0, 0.95, 0.0], [0.0, 0.0, 0.0], [0.16, 0.09, 0.10], 0.1),
    ("waist", 0, [0.0, 0.09, 0.0], [0.0, 0.06, 0.0], [0.14, 0.06, 0.09], 0.1),
    ("belly", 1, [0.0, 0.12, 0.0], [0.0, 0.07, 0.0], [0.15, 0.07, 0.10], 0.1),
    ("chest", 2, [0.0, 0.14, 0.0], [0.0, 0.12, 0.0], [0.18, 0.12, 0.12], 0.1),
    ("neck", 3, [0.0, 0.24, 0.0], [0.0, 0.04, 0.0], [0.05, 0.04, 0.05], 0.2),
    ("head", 4, [0.0, 0.08, 0.0], [0.0, 0.12, 0.0], [0.08, 0.12, 0.10], 0.3),
];

/// Parts of the left side; the parents are those of the left side.
const LIMBS: [Shape; 7] = [
    ("clavicle", 3, [0.05, 0.20, 0.0], [0.08, 0.0, 0.0], [0.08, 0.04, 0.05], 0.1),
    ("upper arm", 6, [0.17, 0.0, 0.0], [0.0, -0.14, 0.0], [0.05, 0.14, 0.05], 0.9),
    ("forearm", 7, [0.0, -0.28, 0.0], [0.0, -0.13, 0.0], [0.04, 0.13, 0.04], 0.9),
    ("hand", 8, [0.0, -0.26, 0.0], [0.0, -0.09, 0.0], [0.04, 0.09, 0.02], 0.4),
    ("thigh", 0, [0.09, -0.08, 0.0], [0.0, -0.21, 0.0], [0.07, 0.21, 0.08], 0.5),
    ("shin", 10, [0.0, -0.42, 0.0], [0.0, -0.20, 0.0], [0.05, 0.20, 0.05], 0.5),
    ("foot", 11, [0.0, -0.40, 0.0], [0.0, -0.03, 0.06], [0.05, 0.03, 0.12], 0.2),
];

/// Returns the parts in order: trunk, left, right.
fn bones() -> impl Iterator<Item = Bone> {
    let bone = |(name, parent, joint, middle, half_extents, swing): Shape| Bone {
        name,
        parent,
        joint,
        middle,
        half_extents,
        swing,
    };
    let right = LIMBS.into_iter().map(bone).map(|left| Bone {
        parent: if left.parent < TRUNK.len() { left.parent } else { left.parent + LIMBS.len() },
        joint: [-left.joint[0], left.joint[1], left.joint[2]],
        middle: [-left.middle[0], left.middle[1], left.middle[2]],
        ..left
    });
    TRUNK.into_iter().chain(LIMBS).map(bone).chain(right)
}

/// Returns the names of the parts, without sides, and half the sizes of their boxes.
pub fn parts() -> Vec<(&'static str, Vector3<f32>)> {
    bones().map(|bone| (bone.name, Vector3::from(bone.half_extents))).collect()
}

/// Returns part-to-world poses of every part of every person; [`PARTS`] of each, in order.
///
/// The people are on a square grid, `spacing` apart, each up to a third of that off its grid point
/// along both sides.
pub fn crowd(people: usize, spacing: f64, seed: u64) -> Vec<Isometry3<f32>> {
    let (bones, mut random) = (bones().collect::<Vec<_>>(), Random(seed));
    let side = (people as f64).sqrt().ceil() as usize;
    let mut poses = Vec::with_capacity(people * PARTS);
    for person in 0..people {
        let mut along = |cell: usize| (cell as f64 + random.between(-0.33, 0.33)) * spacing;
        let place = Vector3::new(along(person % side), 0.0, along(person / side));
        let facing = Vector3::y() * random.between(0.0, std::f64::consts::TAU);
        stand(&Isometry3::new(place, facing).cast(), &bones, &mut random, &mut poses);
    }
    poses
}

/// Returns the poses of the parts of one person, with every joint rotated at random.
fn stand(
    at: &Isometry3<f32>,
    bones: &[Bone],
    random: &mut Random,
    poses: &mut Vec<Isometry3<f32>>,
) {
    let mut joints: Vec<Isometry3<f32>> = Vec::with_capacity(bones.len());
    for bone in bones {
        let parent = joints.get(bone.parent).copied().unwrap_or(*at);
        let turn = Vector3::from(random.direction()) * random.between(0.0, bone.swing);
        let turn = UnitQuaternion::from_scaled_axis(turn).cast();
        let joint = parent * Isometry3::from_parts(Translation3::from(bone.joint), turn);
        poses.push(joint * Translation3::from(bone.middle));
        joints.push(joint);
    }
}

/// Number of boxes of a part with several boxes.
pub const LEAVES: usize = 64;

/// Returns a part as [`LEAVES`] boxes: small ones, rotated at random, in the cells of a grid in the
/// part's box, which they about fill.
pub fn leaves(half_extents: Vector3<f32>, seed: u64) -> Vec<(Isometry3<f32>, Vector3<f32>)> {
    let mut random = Random(seed);
    // Sixteen cells along the longest side, two by two across it.
    let longest = half_extents.imax();
    let cells = Vector3::from_fn(|axis, _| if axis == longest { 16 } else { 2 });
    let cell = half_extents.zip_map(&cells, |half, cells| half / cells as f32);
    (0..LEAVES)
        .map(|index| {
            let (x, y) = (index % cells.x, index / cells.x);
            let at = Vector3::new(x, y % cells.y, y / cells.y);
            let at = at.map(|i| (2 * i + 1) as f32).component_mul(&cell) - half_extents;
            let turn = Vector3::from(random.direction()) * random.between(0.0, 0.5);
            let turn = UnitQuaternion::from_scaled_axis(turn).cast();
            let half = cell * random.between(0.6, 1.0) as f32;
            (Isometry3::from_parts(Translation3::from(at), turn), half)
        })
        .collect()
}
