//! Moving a character by its root: bit for bit as with its joints set again.

use boxwood::Error;
use boxwood::model::Model;
use boxwood::scene::{CharacterKey, Scene, Spawn};
use boxwood::shape::Pose;
use nalgebra::Quaternion;

use super::brute_force::random_model;

use support::prelude::*;

fn bits<T: Scalar>(poses: &[Pose<T>]) -> Vec<[u64; 7]> {
    let of = |pose: &Pose<T>| {
        let (q, p) = (pose.rotation.coords, pose.translation.vector);
        [q.x, q.y, q.z, q.w, p.x, p.y, p.z].map(T::bits)
    };
    poses.iter().map(of).collect()
}

fn places<T: Scalar>(scene: &Scene<T>, key: CharacterKey) -> Vec<[u64; 7]> {
    bits(scene.poses(key).expect("a key"))
}

fn random_pose<T: Scalar>(random: &mut Random, far: f64) -> Pose<T> {
    let at = plus([far; 3], times(random.direction(), random.between(0.0, 3.0)));
    turned(random, at)
}

fn joints<T: Scalar>(random: &mut Random, model: &Model<T>) -> Vec<Pose<T>> {
    (0..model.len()).map(|_| random_pose(random, 0.0)).collect()
}

/// Checks two characters side by side: one moved by its root, one by setting its joints again.
fn alike<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    for round in 0..at_least(2_000, 100) {
        let far = [0.0, 10.0, 1e4][round % 3];
        let (model, at) = (random_model::<T>(&mut random), random_pose(&mut random, far));
        let mut scene = Scene::new();
        let [moved, given] = [0, 1].map(|_| scene.insert(&model, Spawn::at(at)).expect("one"));
        assert_eq!(scene.root(moved), Ok(at));
        let mut own = model.bind_poses();
        for _ in 0..6 {
            let root = match random.below(4) {
                0 => {
                    let root = random_pose(&mut random, far);
                    own = joints(&mut random, &model);
                    scene.set_joints(moved, &root, &own).expect("poses");
                    root
                }
                1 => {
                    own = joints(&mut random, &model);
                    scene.set_parts(moved, &own).expect("poses");
                    assert_eq!(places(&scene, moved), bits(&own));
                    Pose::identity()
                }
                _ => {
                    let root = random_pose(&mut random, far);
                    scene.set_root(moved, &root).expect("a pose");
                    scene.set_joints(given, &root, &own).expect("poses");
                    assert_eq!(places(&scene, moved), places(&scene, given));
                    assert_eq!(scene.root(given), Ok(root));
                    root
                }
            };
            assert_eq!(scene.root(moved), Ok(root));
        }
    }
}

/// Matrices of the joints, composed by plain products.
#[test]
fn part_poses_equal_products_of_matrices() {
    let mut random = Random(743);
    for _ in 0..50 {
        let model = random_model::<f64>(&mut random);
        let mut scene = Scene::new();
        let key = scene.insert(&model, Spawn::at(random_pose(&mut random, 1.0))).expect("one");
        let root: Pose<f64> = random_pose(&mut random, 2.0);
        scene.set_root(key, &root).expect("a pose");
        for (pose, part) in scene.poses(key).expect("a key").iter().zip(model.parts()) {
            let plain = root.to_homogeneous() * part.bind().to_homogeneous();
            assert!((pose.to_homogeneous() - plain).abs().max() < 1e-12);
        }
    }
}

fn bad<T: Scalar>() -> [Pose<T>; 3] {
    let long = Quaternion::new(T::nearest(1.5), T::zero(), T::zero(), T::zero());
    [
        upright([f64::NAN, 0.0, 0.0]),
        upright([0.0, 1.5 * T::MAX_COORDINATE, 0.0]),
        Isometry3::from_parts(
            upright::<T>([0.0; 3]).translation,
            UnitQuaternion::new_unchecked(long),
        ),
    ]
}

/// Checks that joints far out make a valid root invalid, which changes nothing.
fn a_bad_root_changes_nothing<T: Scalar>() {
    let (far, mut random) = (0.75 * T::MAX_COORDINATE, Random(744));
    let model = random_model::<T>(&mut random);
    let (mut scene, mut other) = (Scene::new(), Scene::new());
    let key = scene.insert(&model, Spawn::default()).expect("one");
    let gone = scene.insert(&model, Spawn::default()).expect("one");
    let foreign = other.insert(&model, Spawn::default()).expect("one");
    scene.remove(gone).expect("there");
    let wide: Vec<Pose<T>> = (0..model.len()).map(|_| upright([far, 0.0, 0.0])).collect();
    let root = upright([1.0, 2.0, 3.0]);
    scene.set_joints(key, &root, &wide).expect("poses");
    let before = places(&scene, key);
    for pose in bad::<T>().into_iter().chain([upright([far, 0.0, 0.0])]) {
        assert!(scene.set_root(key, &pose).is_err(), "{pose:?}");
        assert_eq!((places(&scene, key), scene.root(key)), (before.clone(), Ok(root)));
    }
    let here = upright([0.0; 3]);
    assert_eq!(scene.set_root(gone, &here), Err(Error::StaleKey));
    assert_eq!(scene.set_root(foreign, &here), Err(Error::ForeignKey));
    assert_eq!(scene.root(gone), Err(Error::StaleKey));
    assert_eq!(scene.root(foreign), Err(Error::ForeignKey));
    // The joints are unchanged.
    scene.set_root(key, &here).expect("a pose");
    assert_eq!(places(&scene, key), bits(&wide));
}

#[test]
fn refused_joints_and_parts_leave_root_and_joints() {
    let mut random = Random(745);
    let model = random_model::<f64>(&mut random);
    let mut scene = Scene::new();
    let root = random_pose(&mut random, 1.0);
    let key = scene.insert(&model, Spawn::at(root)).expect("one");
    let before = places(&scene, key);
    let [nan, ..] = bad();
    let mut wrong = joints(&mut random, &model);
    *wrong.last_mut().expect("a part") = nan;
    assert!(scene.set_joints(key, &upright([0.0; 3]), &wrong).is_err());
    assert!(scene.set_joints(key, &nan, &model.bind_poses()).is_err());
    assert!(scene.set_joints(key, &root, &wrong[1..]).is_err());
    assert!(scene.set_parts(key, &wrong).is_err());
    assert_eq!((places(&scene, key), scene.root(key)), (before.clone(), Ok(root)));
    scene.set_root(key, &root).expect("a pose");
    assert_eq!(places(&scene, key), before);
}

#[test]
fn a_clone_has_its_own_root_and_joints() {
    let mut random = Random(746);
    for _ in 0..20 {
        let model = random_model::<f32>(&mut random);
        let mut scene = Scene::new();
        let key = scene.insert(&model, Spawn::default()).expect("one");
        let (root, own) = (random_pose(&mut random, 0.0), joints(&mut random, &model));
        scene.set_joints(key, &root, &own).expect("poses");
        let saved = scene.clone();
        let (other, elsewhere) = (joints(&mut random, &model), random_pose(&mut random, 5.0));
        scene.set_joints(key, &elsewhere, &other).expect("poses");
        assert_eq!(saved.root(key), Ok(root));
        // After a rewind the root moves the joints of that moment.
        scene = saved.clone();
        assert_eq!(places(&scene, key), places(&saved, key));
        scene.set_root(key, &elsewhere).expect("a pose");
        let mut plain = saved.clone();
        plain.set_joints(key, &elsewhere, &own).expect("poses");
        assert_eq!(places(&scene, key), places(&plain, key));
        assert_eq!(saved.root(key), Ok(root));
    }
}

/// Compares every part's pose with nalgebra's product of the character's and the joint's poses.
fn composed<T: Scalar>() {
    let mut random = Random(122);
    let model = random_model::<T>(&mut random);
    let mut scene = Scene::<T>::new();
    let key = scene.insert(&model, Spawn::default()).expect("a character");
    for _ in 0..50 {
        let (at, joints) = (random_pose(&mut random, 0.0), joints::<T>(&mut random, &model));
        scene.set_joints(key, &at, &joints).expect("good poses");
        let products: Vec<Pose<T>> = joints.iter().map(|joint| at * joint).collect();
        assert_eq!(places(&scene, key), bits(&products));
    }
}

scalars! {
    a_moved_root_is_the_same_joints_at_another_place => alike(741; 742);
    a_bad_root_is_refused_and_changes_nothing => a_bad_root_changes_nothing();
    joints_are_composed_with_the_place_bit_for_bit => composed();
}
