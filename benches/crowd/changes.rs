//! Changes of a scene without a query: people inserted, moved by their joints and as a whole,
//! removed, and rolled back. Times are those of one person.
//!
//! Poses repeat after 64 people; the storage of the scene is far larger than they are.

use boxwood::nalgebra::Isometry3;
use boxwood::scene::{CharacterKey, Spawn};
use boxwood::{Pose, Scene};
use criterion::Criterion;

use crate::support::crowd::{Body, Frames, model};
use crate::support::measure::{Round, Way, bench_group, clock, trying, way};

/// Different poses of people.
const POSES: usize = 64;

/// The scene that a round begins with.
type Start = (Scene, Vec<CharacterKey>);

pub fn changes(criterion: &mut Criterion) {
    for people in if trying() { vec![64] } else { vec![1_000, 100_000] } {
        let model = model(Body::Box, &[]);
        let joints = Frames::new(POSES, 2.0).next();
        let joints: Vec<&[Pose]> = joints.chunks_exact(model.len()).collect();
        let root = |index: usize| Isometry3::translation((index % POSES) as f32, 0.0, 0.5);
        let insert = |scene: &mut Scene| -> Vec<CharacterKey> {
            let all = (0..people).map(|index| scene.insert(&model, Spawn::at(root(index))));
            all.map(|key| key.expect("a new order")).collect()
        };
        let set_joints = |scene: &mut Scene, keys: &[CharacterKey], step: usize| {
            for (index, &key) in keys.iter().enumerate() {
                let joints = joints[(index + step) % POSES];
                scene.set_joints(key, &root(index + step), joints).expect("sound poses");
            }
        };
        let remove = |scene: &mut Scene, keys: &[CharacterKey]| {
            keys.iter().for_each(|&key| scene.remove(key).expect("a key"));
        };
        let inserted = || -> Start {
            let mut scene = Scene::new();
            let keys = insert(&mut scene);
            (scene, keys)
        };
        let row =
            |criterion: &mut Criterion, name: &str, round: &dyn Fn(&mut Start, usize) -> Round| {
                let (mut start, mut step) = (inserted(), 0);
                let ways: Vec<Way<'_>> = vec![way("boxwood", move || {
                    step += 1;
                    round(&mut start, step)
                })];
                bench_group(criterion, &format!("{people} people: {name}"), people, ways);
            };
        row(criterion, "insert, in a new scene", &|_, _| {
            let mut scene = Scene::new();
            clock(|| insert(&mut scene).len())
        });
        row(criterion, "insert, after as many were removed", &|(scene, keys), _| {
            remove(scene, keys);
            clock(|| {
                *keys = insert(scene);
                keys.len()
            })
        });
        row(criterion, "remove", &|(scene, keys), step| {
            set_joints(scene, keys, step);
            let round = clock(|| {
                remove(scene, keys);
                scene.len()
            });
            *keys = insert(scene);
            round
        });
        row(criterion, "set_joints", &|(scene, keys), step| {
            clock(|| {
                set_joints(scene, keys, step);
                keys.len()
            })
        });
        row(criterion, "set_root", &|(scene, keys), step| {
            clock(|| {
                for (index, &key) in keys.iter().enumerate() {
                    scene.set_root(key, &root(index + step)).expect("a sound pose");
                }
                keys.len()
            })
        });
        row(criterion, "rollback of one in ten", &|(scene, keys), step| {
            let before = scene.clone();
            let some: Vec<CharacterKey> = keys.iter().copied().step_by(10).collect();
            set_joints(scene, &some, step);
            clock(|| {
                scene.clone_from(&before);
                scene.len()
            })
        });
    }
}
