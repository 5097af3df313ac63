//! Fighters and real characters in their clips: every query equals brute force.

use std::sync::Arc;

use boxwood::Build;
use boxwood::load::Loaded;
use boxwood::model::Model;
use boxwood::motion::{Clip, Joints};
use boxwood::scene::{Buffers, Scene, Spawn};
use boxwood::tree::Geometry;

use super::brute_force::ask_everything;
use support::brute_force::BruteForceCharacter;
use support::prelude::*;

/// Loads the fighter with open surfaces and only neighbours ignored.
fn fighter() -> (Arc<Model<f32>>, Loaded<f32>) {
    let loaded = support::fighter::fighter();
    let mut builder = Model::builder().ignore_neighbours(1);
    for part in loaded.model.parts() {
        let mesh = part.tree().and_then(|tree| tree.geometry().mesh().cloned());
        let parent = part.parent().map(|parent| loaded.model.parts()[parent.index()].name());
        let geometry = mesh.map_or(Geometry::None, Geometry::Surface);
        builder = builder.part(part.name(), parent, geometry).bind(*part.bind());
    }
    (builder.build(&Build::default()).expect("a model"), loaded)
}

/// Places two characters in clips, the second so that their boxes at rest overlap by a fraction of
/// their widths.
fn fight(
    models: [&Arc<Model<f32>>; 2],
    clips: [Option<&Clip<f32>>; 2],
    frames: usize,
    limit: usize,
) -> usize {
    let (mut scene, mut buffers, mut random) = (Scene::new(), Buffers::new(), Random(81));
    let roster = models.map(|model| {
        let key = scene.insert(model, Spawn::default()).expect("a character");
        BruteForceCharacter { key, order: 0, at_rest: false }
    });
    let [a, b] =
        [0, 1].map(|i| scene.snapshot(&mut buffers).character_aabb(roster[i].key).expect("a key"));
    let roster = [0, 1].map(|i| BruteForceCharacter { order: i as u64, ..roster[i].clone() });
    let middle = |b: boxwood::Aabb| (f64::from(b.min.x + b.max.x), f64::from(b.max.x - b.min.x));
    let (at, joints) =
        (0.5 * (middle(a).0 - middle(b).0) + 0.3 * (middle(a).1 + middle(b).1), &mut Joints::new());
    let lift = 0.5 * f64::from(a.min.y + a.max.y - b.min.y - b.max.y);
    let along = 0.5 * f64::from(a.min.z + a.max.z - b.min.z - b.max.z);
    let mut found = 0;
    for frame in 0..frames {
        for (i, place) in [[0.0; 3], [at, lift, along]].into_iter().enumerate() {
            let place = upright(place);
            match clips[i] {
                Some(clip) => {
                    let t = clip.duration() * frame as f32 / frames as f32;
                    let poses = clip.sample(t, joints).expect("a sample");
                    scene.set_joints(roster[i].key, &place, poses).expect("poses");
                }
                None => {
                    let poses = models[i].bind_poses();
                    scene.set_joints(roster[i].key, &place, &poses).expect("poses");
                }
            }
        }
        found += ask_everything(&scene, &roster, limit, &mut random);
    }
    found
}

#[test]
fn fighters_in_their_clips() {
    let (model, loaded) = fighter();
    let mut found = 0;
    for (a, b) in [("walk", "idle"), ("jab", "guard"), ("kick", "jab")] {
        let clips = [a, b].map(|name| Some(loaded.clips.get(name).expect("a clip")));
        found += fight([&model, &model], clips, 3, 100_000);
    }
    println!("{found} pairs of boxes");
    assert!(found > 1_000);
}

#[test]
fn real_characters_in_their_clips() {
    let Some(data) = support::data::data() else { return };
    let files = [
        "kaykit-knight/Knight",
        "fox/Fox",
        "cesium-man/CesiumMan",
        "robot-expressive/robot",
        "quaternius-spider/Spider",
        "quaternius-snake/Snake",
        "rigged-simple/RiggedSimple",
    ];
    let load = |name: &str| -> Loaded<f32> {
        boxwood::load::gltf(data.join(format!("characters/{name}.glb"))).expect("a character")
    };
    let loaded = files.map(load);
    for (i, name) in files.iter().enumerate().take(at_least(files.len(), 3)) {
        // With its own model and with the next.
        for other in [i, (i + 1) % files.len()] {
            let clips = [i, other].map(|k| {
                let count = loaded[k].clips.len();
                loaded[k].clips.iter().nth(count / 2)
            });
            let models = [&loaded[i].model, &loaded[other].model];
            let found = fight(models, clips, 2, 40_000);
            println!("{name} and {}: {found} pairs of boxes", files[other]);
            assert!(found > 0, "{name} never touches");
        }
    }
}
