//! The fighter: three of them in a scuffle, in poses of the file's clips at the times of their
//! keys; and the clips themselves.

use boxwood::load::{Loaded, Loader, SkinAssignment};
use boxwood::scene::Spawn;

use crate::answers::Number;
use crate::random::{NO_TURN, pose, unit};
use crate::test_scenes::{TIGHT, TestScene};

const FILE: &[u8] = include_bytes!("../../examples/fighter/fighter.glb");

pub fn loaded<T: Number>() -> Loaded<T> {
    let options = Loader::new()
        .solid(true)
        .cover_stretched(true)
        .assign(SkinAssignment::Dominating)
        .keep_skin(false)
        .build(TIGHT);
    options.gltf_bytes(FILE).expect("the fighter is a good file")
}

/// Clip, index of the key, and pose of each fighter: at most a metre apart, rotated about Y.
const FIGHTERS: [(&str, usize, [f64; 2], f64); 4] = [
    ("guard", 7, [0.0, 0.0], 0.1),
    ("kick", 17, [0.1, 0.75], 20.0),
    ("jab", 9, [0.45, 0.3], -1.3),
    ("walk", 12, [-0.6, 0.4], 0.8),
];

pub fn fighters<T: Number>() -> TestScene<T> {
    let Loaded { model, clips, .. } = loaded::<T>();
    let mut stage = TestScene::new("fighter", 0.1);
    let mut joints = boxwood::motion::Joints::new();
    for (clip, key, [x, z], turn) in FIGHTERS {
        let clip = clips.get(clip).expect("a clip of the file");
        // At the time of a key no sine is computed: sines are only multiplied by one and by zero.
        let time = clip.tracks()[0].times()[key];
        assert!(clip.tracks().iter().all(|track| track.times()[key] == time));
        let at = pose(unit([0.0, turn, 0.0, 1.0]), [x, 0.0, z]);
        let spawn = Spawn::at(pose(NO_TURN, [0.0; 3]));
        let one = stage.scene.insert(&model, spawn).expect("room");
        let joints = clip.sample(time, &mut joints).expect("a time");
        stage.scene.set_joints(one, &at, joints).expect("poses");
        stage.keys.push(one);
        let poses = stage.scene.poses(one).expect("a key").to_vec();
        stage.add_spots(&poses);
    }
    stage
}

/// Returns poses between keys, which need sine and cosine: the same bits everywhere only with the
/// feature.
#[cfg(feature = "enhanced-determinism")]
pub fn clips<T: Number>() -> Vec<crate::digest::Row> {
    use crate::answers::AsText;
    use crate::digest::Row;

    let loaded = loaded::<T>();
    let mut joints = boxwood::motion::Joints::new();
    let row = |clip: &boxwood::motion::Clip<T>| {
        let mut row = Row::new(format!("geometry {} clips {}", T::NAME, clip.name()));
        for step in 0..24 {
            let share = T::nearest((f64::from(step) - 2.0) / 19.0);
            let time = clip.duration() * share;
            let poses = match step % 2 {
                0 => clip.sample(time, &mut joints),
                _ => clip.sample_looped(time, &mut joints),
            };
            let poses = poses.expect("a time").iter();
            let said: Vec<_> =
                poses.map(|pose| (pose.translation.vector, pose.rotation.coords)).collect();
            row.ask(format!("at {time:?}"), said.said());
        }
        row
    };
    loaded.clips.iter().map(row).collect()
}
