//! State of characters beside a plain list of what was set: whatever was inserted, removed, copied
//! and rolled back before, and at the edges of what is accepted.

use std::collections::BTreeMap;
use std::sync::Arc;

use boxwood::model::{CollisionGroups, Model, PartId};
use boxwood::scene::{CharacterKey, Scene, Spawn};
use boxwood::tree::{Build, Geometry};
use nalgebra::Quaternion;

use support::prelude::*;

scalars! {
    state_is_what_was_set_last => last_state(4_101; 4_102);
    products_at_the_edges_are_those_of_the_root_and_the_joints => edges(4_103; 4_104);
    warm_changes_allocate_nothing => allocations(4_105; 4_106);
}

/// Draws a pose whose quaternion is of that length.
fn pose_of_length<T: Scalar>(random: &mut Random, length: f64, reach: f64) -> Isometry3<T> {
    let turn = UnitQuaternion::from_scaled_axis(random.vector(3.0)).into_inner() * length;
    let coords = turn.coords.map(T::nearest);
    let place = random.vector(reach).map(T::nearest);
    Isometry3::from_parts(place.into(), UnitQuaternion::new_unchecked(Quaternion::from(coords)))
}

fn pose<T: Scalar>(random: &mut Random) -> Isometry3<T> {
    pose_of_length(random, 1.0, 3.0)
}

fn poses<T: Scalar>(random: &mut Random, len: usize) -> Vec<Isometry3<T>> {
    (0..len).map(|_| pose(random)).collect()
}

/// Builds a model without geometry; some parts have groups.
fn model<T: Scalar>(random: &mut Random, len: usize) -> Arc<Model<T>> {
    let parts = (0..len).fold(Model::builder(), |all, index| {
        let all = all.part(index.to_string(), None, Geometry::None).bind(pose(random));
        match random.below(4) {
            0 => all.groups(CollisionGroups { memberships: random.bits(), filter: random.bits() }),
            _ => all,
        }
    });
    parts.build(&Build::fast()).expect("a model")
}

/// State of one character as it was set last.
#[derive(Clone)]
struct Known<T: Scalar> {
    key: CharacterKey,
    model: Arc<Model<T>>,
    root: Isometry3<T>,
    joints: Vec<Isometry3<T>>,
    poses: Vec<Isometry3<T>>,
    groups: Vec<CollisionGroups>,
    user: u64,
}

impl<T: Scalar> Known<T> {
    fn place(&mut self, root: Isometry3<T>, joints: Vec<Isometry3<T>>) {
        self.poses = joints.iter().map(|joint| root * joint).collect();
        (self.root, self.joints) = (root, joints);
    }
}

type AllKnown<T> = BTreeMap<u64, Known<T>>;

fn check<T: Scalar>(scene: &Scene<T>, all: &AllKnown<T>) {
    assert_eq!(scene.len(), all.len());
    for (&order, known) in all {
        let key = scene.key_of_order(order).expect("a character");
        assert_eq!(key, known.key);
        assert_eq!(scene.order(key), Ok(order));
        assert_eq!(scene.poses(key).expect("a key"), known.poses);
        assert_eq!(scene.root(key).expect("a key"), known.root);
        assert_eq!(scene.groups(key).expect("a key"), known.groups);
        assert_eq!(scene.user(key), Ok(known.user));
        assert!(Arc::ptr_eq(scene.model(key).expect("a key"), &known.model));
    }
}

fn last_state<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    let models: Vec<_> = [1, 2, 5, 5, 20].map(|len| model::<T>(&mut random, len)).into();
    let (mut scene, mut all) = (Scene::new(), AllKnown::new());
    let mut saved = (scene.clone(), all.clone());
    let mut counts = [0; 12];
    for step in 0..cases(20_000) {
        let action = random.below(12);
        counts[action] += 1;
        let order = all.keys().copied().nth(random.below(all.len().max(1)));
        if action < 3 && all.len() < 30 || order.is_none() {
            let model = &models[random.below(models.len())];
            let (root, user) = (pose(&mut random), random.bits());
            // Orders that differ in high bits alone, and random ones.
            let order = random.chance(0.5).then(|| random.bits() << (8 * random.below(8)));
            let spawn = Spawn::at(root).user(user);
            let spawn = order.map_or(spawn, |order| spawn.order(order));
            let taken = order.is_some_and(|order| all.contains_key(&order));
            let found = scene.insert(model, spawn);
            assert_eq!(found.is_err(), taken);
            let Ok(key) = found else { continue };
            let order = scene.order(key).expect("a key");
            let parts = model.parts().iter();
            let mut known = Known {
                key,
                model: Arc::clone(model),
                root,
                joints: Vec::new(),
                poses: Vec::new(),
                groups: parts.map(|part| part.groups()).collect(),
                user,
            };
            known.place(root, model.bind_poses());
            assert!(all.insert(order, known).is_none());
            continue;
        }
        let Some(order) = order else { continue };
        let known = all.get_mut(&order).expect("an order");
        let (key, len) = (known.key, known.model.len());
        match action {
            3 | 4 => {
                scene.remove(key).expect("a key");
                assert!(scene.poses(key).is_err() && scene.remove(key).is_err());
                all.remove(&order);
            }
            5 | 6 => {
                let (root, joints) = (pose(&mut random), poses(&mut random, len));
                scene.set_joints(key, &root, &joints).expect("sound poses");
                known.place(root, joints);
            }
            7 => {
                let root = pose(&mut random);
                scene.set_root(key, &root).expect("a sound pose");
                let joints = known.joints.clone();
                known.place(root, joints);
            }
            8 => {
                known.poses = poses(&mut random, len);
                scene.set_parts(key, &known.poses).expect("sound poses");
                (known.root, known.joints) = (Isometry3::identity(), known.poses.clone());
            }
            9 => {
                let joints = poses(&mut random, len);
                scene.move_joints(key, &joints).expect("sound poses");
                let root = known.root;
                known.place(root, joints);
            }
            10 => {
                let part = random.below(len);
                let groups = CollisionGroups { memberships: random.bits(), filter: 7 };
                scene.set_groups(key, PartId::new(part), groups).expect("a part");
                known.groups[part] = groups;
                let part = PartId::new(random.below(len));
                scene.set_part_enabled(key, part, random.chance(0.5)).expect("a part");
            }
            _ if step % 3 == 0 => saved = (scene.clone(), all.clone()),
            _ if step % 3 == 1 => {
                scene.clone_from(&saved.0);
                all = saved.1.clone();
            }
            _ => {
                saved.0.clone_from(&scene);
                saved.1 = all.clone();
            }
        }
        if step % 16 == 0 {
            check(&scene, &all);
            check(&saved.0, &saved.1);
        }
    }
    check(&scene, &all);
    assert!(counts.iter().all(|&count| count > 0), "{counts:?}");
}

/// Tries lengths and coordinates on both sides of what is composed in place, and of what is refused:
/// products are those of nalgebra, and a refusal changes nothing.
fn edges<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    let most = T::MAX_COORDINATE;
    let (mut accepted, mut refused, mut refused_products) = (0, 0, 0);
    let model = model::<T>(&mut random, 3);
    let mut scene = Scene::new();
    let key = scene.insert(&model, Spawn::default()).expect("a character");
    let other = scene.insert(&model, Spawn::default()).expect("a character");
    let edge = |random: &mut Random| {
        let length = 1.0 + random.sign() * [0.0, 1.2e-4, 1.3e-4, 9e-4, 1.1e-3][random.below(5)];
        let share = [1e-9, 0.12, 0.13, 0.6, 1.1, f64::NAN][random.below(100).min(5)];
        let share = if random.chance(0.3) { share } else { 1e-20 };
        let mut pose = pose_of_length::<T>(random, length, 1.0);
        let axis = random.below(3);
        pose.translation.vector[axis] = T::nearest(share * most * random.sign());
        pose
    };
    for _ in 0..cases(20_000) {
        let root = edge(&mut random);
        let joints: Vec<_> = (0..3).map(|_| edge(&mut random)).collect();
        let before = (scene.poses(key).expect("a key").to_vec(), scene.root(key));
        let products: Vec<_> = joints.iter().map(|joint| root * joint).collect();
        // Poses are accepted if each is accepted by itself.
        let mut is_accepted = |poses: &[Isometry3<T>]| scene.set_parts(other, poses).is_ok();
        let are_sound = [is_accepted(&[root; 3]), is_accepted(&joints), is_accepted(&products)];
        match scene.set_joints(key, &root, &joints) {
            Ok(()) => {
                assert_eq!(are_sound, [true; 3]);
                assert_eq!(scene.poses(key).expect("a key"), products);
                assert_eq!(scene.root(key), Ok(root));
                // Equal joints, moved as a whole.
                scene.set_root(key, &root).expect("the same root");
                assert_eq!(scene.poses(key).expect("a key"), products);
                accepted += 1;
            }
            Err(_) => {
                assert_ne!(are_sound, [true; 3]);
                assert_eq!((scene.poses(key).expect("a key").to_vec(), scene.root(key)), before);
                refused += 1;
                refused_products += usize::from(are_sound == [true, true, false]);
            }
        }
    }
    assert!(accepted > 10 && refused > 10 && refused_products > 0, "{accepted} {refused}");
}

/// Tries a warm scene: spawns in place of removed characters, moves, groups, and rollbacks.
fn allocations<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    let models: Vec<_> = [20, 7, 20].map(|len| model::<T>(&mut random, len)).into();
    let mut scene = Scene::new();
    let spawn = |scene: &mut Scene<T>| -> Vec<CharacterKey> {
        let all = models.iter().cycle().take(12);
        all.map(|model| scene.insert(model, Spawn::default()).expect("a character")).collect()
    };
    let joints: Vec<Vec<_>> = models.iter().map(|model| poses(&mut random, model.len())).collect();
    let root = pose(&mut random);
    let move_all = |scene: &mut Scene<T>, keys: &[CharacterKey]| {
        for (&key, joints) in keys.iter().zip(joints.iter().cycle()) {
            scene.set_joints(key, &root, joints).expect("sound poses");
            scene.set_root(key, &root).expect("a sound pose");
            scene.set_parts(key, joints).expect("sound poses");
            scene.set_root(key, &root).expect("a sound pose");
        }
    };
    let mut keys = spawn(&mut scene);
    move_all(&mut scene, &keys);
    keys.iter().for_each(|&key| scene.remove(key).expect("a key"));
    let mut again = Vec::with_capacity(12);
    let found = allocation_counter::measure(|| {
        for _ in 0..100 {
            again.clear();
            for model in models.iter().cycle().take(12) {
                again.push(scene.insert(model, Spawn::default()).expect("a character"));
            }
            move_all(&mut scene, &again);
            again.iter().for_each(|&key| scene.remove(key).expect("a key"));
        }
    });
    // The table of orders makes room for numbers that are never used twice.
    assert!(found.count_total <= 2, "{found:?}");
    // Groups set and rolled back in every tick.
    keys = spawn(&mut scene);
    let saved = scene.clone();
    let tick = |scene: &mut Scene<T>| {
        move_all(scene, &keys);
        for &key in &keys {
            scene.set_groups(key, PartId::new(2), CollisionGroups::NONE).expect("a part");
            scene.set_part_enabled(key, PartId::new(3), false).expect("a part");
        }
        scene.clone_from(&saved);
    };
    tick(&mut scene);
    assert_eq!(allocation_counter::measure(|| tick(&mut scene)).count_total, 0);
}
