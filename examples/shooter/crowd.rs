//! The targets: ranks of fighters, their parts in groups.

use boxwood::motion::Joints;
use boxwood::nalgebra::Isometry3;
use boxwood::{CharacterKey, CollisionGroups, Error, PartId, Scene, Spawn};

use crate::fighter::{self, skeleton as joint};

const RANKS: usize = 5;
const FILES: usize = 8;
/// Distance between two fighters [m].
const SPACING: f32 = 1.1;
/// Memberships of parts, a bit each.
pub const HEAD: u64 = 1;
pub const TRUNK: u64 = 2;
pub const LIMBS: u64 = 4;

/// Returns ranks of fighters that face the gunner, each at another time of a clip.
pub fn crowd() -> Result<(Scene, Vec<CharacterKey>), Error> {
    let (loaded, mut scene, mut joints) = (fighter::fighter(), Scene::new(), Joints::new());
    let mut keys = Vec::new();
    for place in 0..RANKS * FILES {
        let key = scene.insert(&loaded.model, Spawn::default())?;
        let clip = ["guard", "idle", "jab", "kick"][place % 4];
        let clip = loaded.clips.get(clip)?;
        let poses = clip.sample(clip.duration() * (place % 7) as f32 / 7.0, &mut joints)?;
        let (file, rank) = ((place % FILES) as f32, (place / FILES) as f32);
        let x = (file - 0.5 * (FILES - 1) as f32 + 0.3 * (rank % 2.0)) * SPACING;
        let at = Isometry3::translation(x, 0.0, -4.0 - rank * SPACING);
        scene.set_joints(key, &at, poses)?;
        for part in 0..joint::COUNT {
            let groups = CollisionGroups { memberships: group(part), ..CollisionGroups::ALL };
            scene.set_groups(key, PartId::new(part), groups)?;
        }
        keys.push(key);
    }
    Ok((scene, keys))
}

fn group(part: usize) -> u64 {
    match part {
        joint::HEAD | joint::NECK => HEAD,
        joint::HIPS | joint::SPINE | joint::CHEST => TRUNK,
        _ => LIMBS,
    }
}
