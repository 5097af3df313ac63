//! The targets: ranks of fighters, their parts in groups.

use boxwood::motion::{Clip, Joints};
use boxwood::nalgebra::Isometry3;
use boxwood::{CharacterKey, CollisionGroups, Error, PartId, Scene, Spawn};
use shared::person::Person;

const RANKS: usize = 5;
const FILES: usize = 8;
/// Least distance between two targets [m].
pub const SPACING: f32 = 1.1;
/// Clips of the fighter that is a target where no file is given.
const CLIPS: [&str; 4] = ["guard", "idle", "jab", "kick"];
/// Memberships of parts, a bit each.
pub const HEAD: u64 = 1;
pub const TRUNK: u64 = 2;
pub const LIMBS: u64 = 4;

/// Words in the names of parts of the head and of the trunk; all other parts are limbs.
const HEADS: [&str; 5] = ["head", "neck", "face", "jaw", "helmet"];
const TRUNKS: [&str; 7] = ["hip", "pelvis", "spine", "chest", "torso", "body", "abdomen"];

/// Returns the distance between two targets of a kind [m].
pub fn spacing(target: &Person) -> f32 {
    SPACING.max(1.1 * target.sizes.x.max(target.sizes.z))
}

/// Returns ranks of targets that face the gunner, each at another time of a clip.
pub fn crowd(target: &Person, is_fighter: bool) -> Result<(Scene, Vec<CharacterKey>), Error> {
    let (loaded, mut scene, mut joints) = (&target.loaded, Scene::new(), Joints::new());
    let clips: Vec<&Clip<f32>> = match is_fighter {
        true => CLIPS.iter().map(|name| loaded.clips.get(name)).collect::<Result<_, _>>()?,
        false => loaded.clips.iter().take(CLIPS.len()).collect(),
    };
    let (mut keys, spacing) = (Vec::new(), spacing(target));
    for place in 0..RANKS * FILES {
        let key = scene.insert(&loaded.model, Spawn::default())?;
        let clip = clips[place % clips.len()];
        let poses = clip.sample(clip.duration() * (place % 7) as f32 / 7.0, &mut joints)?;
        let (file, rank) = ((place % FILES) as f32, (place / FILES) as f32);
        let x = (file - 0.5 * (FILES - 1) as f32 + 0.3 * (rank % 2.0)) * spacing;
        // However long they are, nobody reaches the gunner.
        let near = -4.0 - 0.5 * (spacing - SPACING);
        let at = Isometry3::translation(x, 0.0, near - rank * spacing) * target.place;
        scene.set_joints(key, &at, poses)?;
        for (part, one) in loaded.model.parts().iter().enumerate() {
            let groups = CollisionGroups { memberships: group(one.name()), ..CollisionGroups::ALL };
            scene.set_groups(key, PartId::new(part), groups)?;
        }
        keys.push(key);
    }
    Ok((scene, keys))
}

/// Returns the group of a part, by its name.
fn group(part: &str) -> u64 {
    let name = part.to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    if has(&HEADS) {
        HEAD
    } else if has(&TRUNKS) {
        TRUNK
    } else {
        LIMBS
    }
}
