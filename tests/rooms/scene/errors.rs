//! Refused calls on a scene change nothing.

use boxwood::num::Scalar;
use boxwood::scene::{Buffers, CharacterKey, Hits, Scene, Spawn};
use boxwood::{Error, PairQuery, PartId};

use super::brute_force::{answer, random_model};
use support::random::Random;
use support::random_parts::{pose, upright};

fn state<T: Scalar>(scene: &Scene<T>, keys: &[CharacterKey]) -> String {
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    scene.snapshot(&mut buffers).contacts(&PairQuery::all(), &mut hits).expect("a query");
    let poses: Vec<_> = keys.iter().map(|&key| scene.poses(key).expect("a key")).collect();
    format!("{} {poses:?} {:?}", scene.len(), answer(&hits))
}

fn refused<T: Scalar>() {
    let mut random = Random(121);
    let model = random_model::<T>(&mut random);
    let (mut scene, mut other) = (Scene::<T>::new(), Scene::<T>::new());
    let spawn = |order: Option<u64>| match order {
        Some(order) => Spawn::default().order(order),
        None => Spawn::default(),
    };
    let gone = scene.insert(&model, spawn(None)).expect("a character");
    let keys = [7, 8].map(|order| scene.insert(&model, spawn(Some(order))).expect("a character"));
    let foreign = other.insert(&model, spawn(None)).expect("a character");
    scene.remove(gone).expect("a key");
    let (key, before) = (keys[0], state(&scene, &keys));
    let (unit, n) = ([0.0, 0.0, 0.0, 1.0], model.len());
    let good = vec![upright::<T>([0.5; 3]); n];

    for (bad_key, expected) in [(gone, Error::StaleKey), (foreign, Error::ForeignKey)] {
        let mut errors = vec![
            scene.remove(bad_key).expect_err("a bad key"),
            scene.set_parts(bad_key, &good).expect_err("a bad key"),
            scene.set_joints(bad_key, &good[0], &good).expect_err("a bad key"),
            scene.set_at_rest(bad_key, true).expect_err("a bad key"),
            scene.set_part_enabled(bad_key, PartId::new(0), false).expect_err("a bad key"),
            scene.pose(bad_key, PartId::new(0)).map(|_| ()).expect_err("a bad key"),
            scene.poses(bad_key).map(|_| ()).expect_err("a bad key"),
        ];
        let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
        let now = scene.snapshot(&mut buffers);
        now.contacts(&PairQuery::all(), &mut hits).expect("a query");
        for query in [
            PairQuery::of(bad_key),
            PairQuery::within(bad_key),
            PairQuery::between(key, bad_key),
            PairQuery::between(bad_key, key).parts(&[], &[]),
        ] {
            errors.push(now.contacts(&query, &mut hits).map(|_| ()).expect_err("a bad key"));
            assert!(hits.is_empty() && hits.pairs().is_empty(), "old answers");
            errors.push(now.pairs(&query, &mut hits).map(|_| ()).expect_err("a bad key"));
            errors.push(now.intersects(&query, hits.scratch()).map(|_| ()).expect_err("a bad key"));
        }
        errors.push(now.part_aabb(bad_key, PartId::new(0)).map(|_| ()).expect_err("a bad key"));
        errors.push(now.character_aabb(bad_key).map(|_| ()).expect_err("a bad key"));
        assert!(errors.iter().all(|error| *error == expected), "{errors:?}");
    }

    assert_eq!(scene.insert(&model, spawn(Some(8))), Err(Error::DuplicateOrder { order: 8 }));
    for count in [0, n - 1, n + 1] {
        let expected = Err(Error::WrongCount { field: "poses", expected: n, found: count });
        let poses = vec![upright([0.0; 3]); count];
        assert_eq!(scene.set_parts(key, &poses), expected);
        assert_eq!(scene.set_joints(key, &upright([0.0; 3]), &poses), expected);
    }
    let bad = [
        pose::<T>(unit, [f64::NAN, 0.0, 0.0]),
        pose(unit, [0.0, f64::INFINITY, 0.0]),
        pose([0.0, f64::NAN, 0.0, 1.0], [0.0; 3]),
        pose([0.0; 4], [0.0; 3]),
        pose([0.0, 0.0, 0.0, 1.1], [0.0; 3]),
        pose(unit, [0.0, 0.0, 1.1 * T::MAX_COORDINATE]),
    ];
    for bad in bad {
        let mut poses = good.clone();
        poses[n - 1] = bad;
        let named = |error: Error| match error {
            Error::NotFinite { index, .. }
            | Error::NotUnit { index, .. }
            | Error::OutOfRange { index, .. } => index,
            other => panic!("{other:?}"),
        };
        assert_eq!(named(scene.set_parts(key, &poses).expect_err("a bad pose")), n - 1);
        let joints = scene.set_joints(key, &upright([0.0; 3]), &poses);
        assert_eq!(named(joints.expect_err("a bad pose")), n - 1);
        assert!(scene.set_joints(key, &bad, &good).is_err());
        assert!(scene.insert(&model, Spawn::at(bad)).is_err());
    }
    // Each is in range, their sum is not.
    let far = pose::<T>(unit, [0.8 * T::MAX_COORDINATE, 0.0, 0.0]);
    let mut poses = good.clone();
    poses[n - 1] = far;
    let too_far =
        Error::OutOfRange { field: "place of pose", index: n - 1, limit: T::MAX_COORDINATE };
    assert_eq!(scene.set_joints(key, &far, &poses), Err(too_far));

    let beyond = PartId::new(n);
    assert!(matches!(model.part("nobody"), Err(Error::UnknownName { kind: "part", .. })));
    let past = |error: Error| {
        assert!(
            matches!(error, Error::IndexOutOfRange { field: "part", target, len, .. } if target == n && len == n)
        )
    };
    past(scene.set_part_enabled(key, beyond, false).expect_err("no part"));
    past(scene.pose(key, beyond).map(|_| ()).expect_err("no part"));
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    let now = scene.snapshot(&mut buffers);
    past(now.part_aabb(key, beyond).map(|_| ()).expect_err("no part"));
    let chosen = PairQuery::between(key, keys[1]).parts(&[], &[PartId::new(0), beyond]);
    past(now.pairs(&chosen, &mut hits).map(|_| ()).expect_err("no part"));
    for query in [PairQuery::of(key), PairQuery::within(key), PairQuery::between(key, key)] {
        let query = query.parts(&[beyond], &[PartId::new(0)]);
        past(now.pairs(&query, &mut hits).map(|_| ()).expect_err("no part"));
        past(now.distance(&query, hits.scratch()).map(|_| ()).expect_err("no part"));
    }
    assert_eq!(state(&scene, &keys), before, "something has changed");
}

#[test]
fn errors_name_the_trouble_and_change_nothing_f32() {
    refused::<f32>();
}

#[test]
fn errors_name_the_trouble_and_change_nothing_f64() {
    refused::<f64>();
}

#[test]
fn no_message_prints_an_index_as_the_value() {
    let place = std::path::PathBuf::from("a.obj");
    let file = Error::File { path: place, trouble: "line 3: no number".to_owned() };
    let [name, kind] = ["hip".to_owned(), "actuator".to_owned()];
    for (error, expected) in [
        (Error::NotFinite { field: "tolerance", index: 0 }, "tolerance is not finite"),
        (Error::Negative { field: "tolerance", index: 0 }, "tolerance is negative"),
        (Error::Negative { field: "largest distance", index: 0 }, "largest distance is negative"),
        (Error::OutOfRange { field: "place", index: 0, limit: 1e30 }, "place is larger than 1e30"),
        (Error::NotUnit { field: "normal", index: 0, length: 2.0 }, "normal has length 2, not 1"),
        (
            Error::Negative { field: "half extent", index: 1 },
            "half extent number 1 (from 0) is negative",
        ),
        (Error::NotFinite { field: "vertex", index: 0 }, "vertex number 0 (from 0) is not finite"),
        (
            Error::OutOfRange { field: "pose", index: 7, limit: 1e75 },
            "pose number 7 (from 0) is larger than 1e75",
        ),
        (
            Error::NotUnit { field: "axis", index: 2, length: 0.5 },
            "axis number 2 (from 0) has length 0.5, not 1",
        ),
        (
            Error::NotOrthonormal { field: "axis", index: 1 },
            "axis number 1 (from 0): the axes are not a right-handed set at right angles",
        ),
        (
            Error::NotConvex { index: 0 },
            "corner number 0 (from 0): the corners do not go once round a convex polygon",
        ),
        (
            Error::IndexOutOfRange { field: "triangle", index: 4, target: 9, len: 6 },
            "triangle number 4 (from 0) points at 9, but there are only 6",
        ),
        (
            Error::IndexOutOfRange { field: "part", index: 0, target: 9, len: 6 },
            "there is no part 9, only 6 of them",
        ),
        (
            Error::IndexOutOfRange { field: "skin", index: 0, target: 9, len: 6 },
            "skin points at 9, but there are only 6",
        ),
        (
            Error::Part {
                part: "arm".into(),
                source: Box::new(Error::OutOfOrder { field: "key time", index: 3 }),
            },
            "part 'arm': key time number 3 (from 0) is out of order",
        ),
        (
            Error::NotAffine { field: "matrix" },
            "matrix: the last row of the matrix is not 0, 0, 0, 1",
        ),
        (Error::Empty { field: "model" }, "model is empty"),
        (
            Error::Open { edges: vec![[0, 1]], count: 3 },
            "the mesh is not closed: 3 open edges, the first between corners [[0, 1]]",
        ),
        (Error::WrongCount { field: "poses", expected: 3, found: 2 }, "2 poses given, 3 expected"),
        (Error::UnknownName { kind: "part", name: name.clone() }, "no part is called 'hip'"),
        (Error::DuplicateName { kind: "part", name }, "two parts are called 'hip'"),
        (Error::DuplicateOrder { order: 0 }, "order 0 is taken by another character of the scene"),
        (
            Error::BeyondLimits { actuator: kind, value: 2.0, least: -1.0, most: 1.0 },
            "actuator 'actuator' can not be at 2: its limits are -1 and 1",
        ),
        (file, "a.obj: line 3: no number"),
    ] {
        assert_eq!(error.to_string(), expected);
    }
}

/// The model's pose times the joint's, for every part: bit for bit as nalgebra composes.
fn composed<T: Scalar>() {
    let mut random = Random(122);
    let model = random_model::<T>(&mut random);
    let mut scene = Scene::<T>::new();
    let key = scene.insert(&model, Spawn::default()).expect("a character");
    let mut some = || {
        let [x, y, z] = random.direction();
        let (sine, cosine) = random.between(0.0, 3.0).sin_cos();
        let place = random.direction().map(|way| way * 3.0);
        pose::<T>([x * sine, y * sine, z * sine, cosine], place)
    };
    for _ in 0..50 {
        let (at, joints) = (some(), (0..model.len()).map(|_| some()).collect::<Vec<_>>());
        scene.set_joints(key, &at, &joints).expect("good poses");
        let numbers = |pose: &boxwood::shape::Pose<T>| {
            let (q, p) = (pose.rotation.coords, pose.translation.vector);
            [q.x, q.y, q.z, q.w, p.x, p.y, p.z].map(T::bits)
        };
        for (joint, placed) in joints.iter().zip(scene.poses(key).expect("a key")) {
            assert_eq!(numbers(placed), numbers(&(at * joint)));
        }
    }
}

#[test]
fn single_elements_are_named_without_an_index() {
    let model = random_model::<f32>(&mut Random(5));
    let (mut scene, mut buffers, mut hits) = (Scene::new(), Buffers::new(), Hits::new());
    let key = scene.insert(&model, Spawn::default()).expect("a character");
    let far = boxwood::Pose::translation(1e31, 0.0, 0.0);
    let said = scene.set_joints(key, &far, &model.bind_poses()).expect_err("too far");
    assert_eq!(said.to_string(), "place is larger than 1e30");
    let query = PairQuery::all().accuracy(boxwood::Accuracy::Within(-1.0));
    let said = scene.snapshot(&mut buffers).contacts(&query, &mut hits).expect_err("negative");
    assert_eq!(said.to_string(), "tolerance is negative");
    let ball = boxwood::shape::Sphere::new([0.0_f32; 3].into(), -1.0).expect_err("negative");
    assert_eq!(ball.to_string(), "radius is negative");
    let mut poses = model.bind_poses();
    poses[1].translation.x = f32::NAN;
    let said = scene.set_parts(key, &poses).expect_err("no number").to_string();
    assert_eq!(said, "pose number 1 (from 0) is not finite");
}

#[test]
fn joints_are_composed_with_the_place_bit_for_bit() {
    composed::<f32>();
    composed::<f64>();
}
