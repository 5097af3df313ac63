//! Buffers that cache character poses: the answers equal those of fresh buffers, bit for bit,
//! whatever changes the scene, its copies, or other scenes with the same buffers.

use boxwood::scene::{Buffers, CharacterKey, Hits, OwnedSnapshot, Scene, Spawn};
use boxwood::shape::{Obb, Pose};
use boxwood::tree::{Build, Geometry};
use boxwood::{CollisionGroups, PairQuery, PartId};
use std::sync::Arc;

use super::brute_force::random_model;
use super::owned::told;

use support::prelude::*;

type Model<T> = Arc<boxwood::model::Model<T>>;

/// Model of unit cubes, one per part, in a row along y.
fn row<T: Scalar>(parts: usize) -> Model<T> {
    let half = Vector3::repeat(T::nearest(0.5));
    let cube = Obb::from_pose(&Isometry3::identity(), half).expect("a cube");
    let mut model = boxwood::model::Model::builder();
    for part in 0..parts {
        let at = Isometry3::translation(T::zero(), T::nearest(part as f64), T::zero());
        model = model.part(part.to_string(), None, Geometry::Boxes(vec![cube])).bind(at);
    }
    model.build(&Build::default()).expect("a model")
}

fn at<T: Scalar>(x: f64) -> Pose<T> {
    Isometry3::translation(T::nearest(x), T::zero(), T::zero())
}

/// Scenes that share buffers; some are copies of others.
struct Stage<T: Scalar> {
    scenes: Vec<Scene<T>>,
    buffers: Vec<Buffers<T>>,
    owned: OwnedSnapshot<T>,
    models: Vec<Model<T>>,
    random: Random,
}

impl<T: Scalar> Stage<T> {
    fn new(seed: u64) -> Self {
        let mut random = Random(seed);
        let mut models: Vec<_> = (0..3).map(|_| random_model(&mut random)).collect();
        // Too many parts for masks; positions too far out for single precision are set by poses.
        models.push(row(70));
        Stage {
            scenes: vec![Scene::new(), Scene::new()],
            buffers: vec![Buffers::new(), Buffers::new()],
            owned: OwnedSnapshot::new(&Scene::new()),
            models,
            random,
        }
    }

    fn pose(&mut self) -> Pose<T> {
        let far = if self.random.chance(0.03) { 3e16 } else { 0.6 };
        turned(&mut self.random, [far, 0.1, 0.0])
    }

    /// Changes a scene in one of all possible ways, usually slightly.
    fn change(&mut self, which: usize) {
        let keys: Vec<CharacterKey> = self.scenes[which].keys().collect();
        let pose = self.pose();
        let random = &mut self.random;
        if keys.len() < 3 || keys.len() < 7 && random.chance(0.15) {
            let mut spawn = Spawn::at(pose).at_rest(random.chance(0.7));
            if random.chance(0.5) {
                spawn = spawn.order(random.bits());
            }
            let model = &self.models[random.below(4)];
            // An order in use is refused.
            let _ = self.scenes[which].insert(model, spawn);
            return;
        }
        let (key, scene) = (keys[random.below(keys.len())], &mut self.scenes[which]);
        let parts = scene.model(key).expect("a key").len();
        let part = PartId::new(random.below(parts));
        let ghost = CollisionGroups { memberships: 1, filter: 2 };
        let done = match random.below(10) {
            0 => scene.set_root(key, &pose),
            1 => {
                let joints: Vec<Pose<T>> = (0..parts).map(|_| turned(random, [0.2; 3])).collect();
                scene.set_joints(key, &pose, &joints)
            }
            2 => {
                let mut poses = scene.poses(key).expect("a key").to_vec();
                poses[part.index()] = pose;
                scene.set_parts(key, &poses)
            }
            3 => scene.set_part_enabled(key, part, random.chance(0.5)),
            4 => scene.set_at_rest(key, random.chance(0.5)),
            5 => scene.set_groups(key, part, ghost),
            6 => scene.set_all_groups(key, CollisionGroups::ALL),
            7 => scene.set_user(key, random.bits()),
            // The next character takes its slot.
            8 => scene.remove(key),
            _ => {
                // A refused call changes nothing.
                let wrong = Isometry3::translation(T::nearest(f64::NAN), T::zero(), T::zero());
                assert!(scene.set_root(key, &wrong).is_err());
                Ok(())
            }
        };
        done.expect("sound");
    }

    /// Copies one scene over the other, as a new one or into its storage: a rollback.
    fn roll_back(&mut self) {
        let (from, to) = [(0, 1), (1, 0)][self.random.below(2)];
        match self.random.below(3) {
            0 => self.scenes[to] = self.scenes[from].clone(),
            1 => {
                let from = self.scenes[from].clone();
                self.scenes[to].clone_from(&from);
            }
            _ => self.buffers[to] = self.buffers[from].clone(),
        }
    }

    fn check(&mut self) {
        let scene = &self.scenes[self.random.below(2)];
        let keys: Vec<_> = scene.keys().filter(|&key| scene.model(key).is_ok()).take(2).collect();
        let mut fresh = Buffers::new();
        let expected = told(&scene.snapshot(&mut fresh), &keys);
        let buffers = &mut self.buffers[self.random.below(2)];
        for _ in 0..2 {
            assert_eq!(told(&scene.snapshot(buffers), &keys), expected);
        }
        if self.random.chance(0.3) {
            self.owned.update(scene);
            assert_eq!(told(&self.owned.snapshot(), &keys), expected);
        }
    }
}

fn any_history<T: Scalar>(seed: u64) {
    for round in 0..at_least(32, 3) {
        let mut stage = Stage::<T>::new(seed + round as u64);
        for _ in 0..24 {
            for _ in 0..1 + stage.random.below(4) {
                let which = stage.random.below(2);
                stage.change(which);
            }
            if stage.random.chance(0.2) {
                stage.roll_back();
            }
            stage.check();
        }
    }
}

/// Returns `true` if two characters touch.
fn touch(scene: &Scene<f32>, keys: [CharacterKey; 2], buffers: &mut Buffers<f32>) -> bool {
    let now = scene.snapshot(buffers);
    let query = PairQuery::between(keys[0], keys[1]);
    now.intersects(&query, Hits::new().scratch()).expect("keys")
}

fn two() -> (Scene<f32>, [CharacterKey; 2]) {
    let mut scene = Scene::new();
    let model = row(1);
    let keys = [0.0, 0.5].map(|x| scene.insert(&model, Spawn::at(at(x)).at_rest(x == 0.0)));
    (scene, keys.map(|key| key.expect("a character")))
}

/// Checks that copies of a scene with equally many but different changes are distinguished.
#[test]
fn diverged_copies_are_distinguished() {
    let ((mut scene, keys), mut buffers) = (two(), Buffers::new());
    let mut copy = scene.clone();
    assert!(touch(&scene, keys, &mut buffers) && touch(&copy, keys, &mut buffers));
    for step in 0..4 {
        scene.set_root(keys[0], &at(100.0 + step as f32 as f64)).expect("a pose");
        copy.set_root(keys[0], &at(0.1 * step as f64)).expect("a pose");
        assert!(!touch(&scene, keys, &mut buffers) && touch(&copy, keys, &mut buffers));
    }
}

#[test]
fn a_restored_state_is_placed_as_before() {
    let ((mut scene, keys), mut buffers) = (two(), Buffers::new());
    let saved = scene.clone();
    for step in 1..4 {
        assert!(touch(&scene, keys, &mut buffers));
        scene.set_root(keys[0], &at(9.0 * step as f64)).expect("a pose");
        assert!(!touch(&scene, keys, &mut buffers));
        match step {
            1 => scene.clone_from(&saved),
            2 => scene = saved.clone(),
            _ => {
                let poses = saved.poses(keys[0]).expect("a key").to_vec();
                scene.set_parts(keys[0], &poses).expect("poses");
            }
        }
        assert!(touch(&scene, keys, &mut buffers));
    }
}

#[test]
fn a_reused_slot_has_the_new_character() {
    let ((mut scene, [a, b]), mut buffers) = (two(), Buffers::new());
    assert!(touch(&scene, [a, b], &mut buffers));
    let order = 7;
    for x in [50.0, 0.2, 60.0] {
        scene.remove(a).ok();
        let last = scene.keys().find(|&key| key != b);
        last.map(|key| scene.remove(key));
        let new = scene.insert(&row(1), Spawn::at(at(x)).order(order).at_rest(true));
        assert_eq!(touch(&scene, [new.expect("room"), b], &mut buffers), x == 0.2);
    }
}

/// Checks scenes with equal slots, orders and numbers of changes.
#[test]
fn scenes_of_equal_structure_are_distinguished() {
    let ((mut scene, keys), (other, others), mut buffers) = (two(), two(), Buffers::new());
    scene.set_root(keys[0], &at(40.0)).expect("a pose");
    for _ in 0..3 {
        assert!(!touch(&scene, keys, &mut buffers) && touch(&other, others, &mut buffers));
    }
}

/// Checks each switch alone, with everything else unchanged.
#[test]
fn every_change_is_noticed() {
    let ((mut scene, keys), mut buffers) = (two(), Buffers::new());
    let all = |scene: &Scene<f32>, buffers: &mut Buffers<f32>| {
        scene.snapshot(buffers).intersects(&PairQuery::all(), Hits::new().scratch()).expect("all")
    };
    assert!(all(&scene, &mut buffers));
    scene.set_at_rest(keys[1], true).expect("a key");
    assert!(!all(&scene, &mut buffers), "two at rest");
    scene.set_at_rest(keys[1], false).expect("a key");
    assert!(all(&scene, &mut buffers));
    scene.set_part_enabled(keys[0], PartId::new(0), false).expect("a part");
    assert!(!all(&scene, &mut buffers), "switched off");
    scene.set_part_enabled(keys[0], PartId::new(0), true).expect("a part");
    scene.set_all_groups(keys[0], CollisionGroups::NONE).expect("a key");
    assert!(!all(&scene, &mut buffers), "in no group");
    scene.set_groups(keys[0], PartId::new(0), CollisionGroups::ALL).expect("a part");
    assert!(all(&scene, &mut buffers));
    scene.set_joints(keys[0], &at(0.0), &[at(3.0)]).expect("joints");
    assert!(!all(&scene, &mut buffers), "its joint moved away");
}

scalars! {
    any_history_gives_the_answers_of_fresh_buffers => any_history(4100; 4200);
}
