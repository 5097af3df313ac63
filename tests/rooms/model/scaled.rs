//! Scaled models: by two, every answer is the same times two; by other factors, like a model built
//! of the scaled parts, and like parry3d.

use std::sync::Arc;

use boxwood::model::{Model, SelfQueryScratch};
use boxwood::scene::{Buffers, CharacterKey, Hits, Scene, Snapshot, Spawn};
use boxwood::shape::{Pose, pose};
use boxwood::tree::{Geometry, ObbTree, Push};
use boxwood::{Accuracy, Build, Detail, Error, Mesh, PairQuery, PartId, SelfQuery};

use support::convex_bodies::{Body, BodyKind};
use support::parry::Peers;
use support::posed_characters::any_part;
use support::prelude::*;

const DIAL: [Accuracy; 5] = [
    Accuracy::Depth(0),
    Accuracy::Depth(2),
    Accuracy::Depth(u8::MAX),
    Accuracy::Exact,
    Accuracy::Budget(60),
];

fn model<T: Scalar>(random: &mut Random, round: bool) -> Arc<Model<T>> {
    let mut builder = Model::builder().margin(0.125).margin_between("1", "3", 0.3);
    for part in 0..6 {
        let geometry = match part {
            4 if round => {
                let body = |kind| Body::random(random, kind, (0.7, 1.0)).shape();
                Geometry::Convex(BodyKind::ALL.map(body).to_vec())
            }
            5 => Geometry::None,
            part => {
                let kind = part + random.below(2);
                any_part(random, kind)
            }
        };
        let parent = (part > 0).then(|| (part - 1).to_string());
        builder = builder.part(part.to_string(), parent.as_deref(), geometry).user(part as u64);
        let at = times(random.direction(), 1.2);
        builder = builder.bind(turned(random, at));
    }
    builder.build(&Build::default()).expect("a model")
}

/// Two characters of two models, and the same with all lengths multiplied by `factor`.
struct Stage<T: Scalar> {
    scene: Scene<T>,
    keys: [CharacterKey; 2],
}

fn stage<T: Scalar>(models: [&Arc<Model<T>>; 2], places: &[Pose<T>; 2], factor: f64) -> Stage<T> {
    let mut scene = Scene::new();
    let keys = [0, 1].map(|i| {
        let model = match factor {
            1.0 => Arc::clone(models[i]),
            factor => models[i].scaled(factor).expect("in range"),
        };
        let mut at = [places[i]];
        pose::scale(&mut at, factor).expect("in range");
        scene.insert(&model, Spawn::at(at[0])).expect("a character")
    });
    Stage { scene, keys }
}

/// Returns all answers as numbers: names first, then lengths in units of `factor`, then directions.
fn answers<T: Scalar>(now: &Snapshot<'_, T>, keys: [CharacterKey; 2], factor: f64) -> Vec<f64> {
    let (mut told, mut hits) = (Vec::new(), Hits::new());
    let length = |x: T| x.wide() / factor;
    let point = |p: Point3<T>| [p.x, p.y, p.z].map(length);
    let way = |v: &Vector3<T>| [v.x, v.y, v.z].map(T::wide);
    let who = |node: boxwood::NodeRef| {
        let second = f64::from(node.character == keys[1]);
        [second, node.part.index() as f64, node.node.index() as f64]
    };
    let [a, b] = keys;
    let kinds = [PairQuery::between(a, b), PairQuery::within(a), PairQuery::all()];
    for (query, accuracy) in kinds.iter().flat_map(|query| DIAL.map(|dial| (query, dial))) {
        for detail in [Detail::Bodies, Detail::DeepestBoxes, Detail::Boxes] {
            let query = query.clone().accuracy(accuracy).detail(detail);
            let report = now.contacts(&query, &mut hits).expect("a query");
            told.extend([length(report.slack), report.counts.boxes.iter().sum::<u64>() as f64]);
            for hit in &hits {
                told.extend(who(hit.a).into_iter().chain(who(hit.b)));
                told.extend(point(hit.point).into_iter().chain(way(&hit.normal)));
                told.extend([hit.depth, hit.slack, hit.point_error].map(length));
            }
            let near = query.margin(0.25 * factor);
            let report = now.pairs(&near, &mut hits).expect("a query");
            told.push(length(report.slack));
            told.extend(hits.pairs().iter().flat_map(|&(a, b)| [who(a), who(b)]).flatten());
        }
        if let Ok(found) = now.distance(&query.clone().accuracy(accuracy), hits.scratch()) {
            let found = found.expect("parts");
            told.extend([length(found.distance), length(found.slack)]);
            told.extend(point(found.on_a).into_iter().chain(point(found.on_b)));
        }
    }
    let between = PairQuery::between(a, b);
    let push: Push<T> = Push::least().bounded();
    if let Some(found) = now.separation(&between, &push, hits.scratch()).expect("a query") {
        told.extend([length(found.depth), length(found.at_least)]);
        told.extend(way(&found.normal));
    }
    let along = Vector3::new(0.5, -2.0, 1.0).map(|x: f64| T::nearest(x * factor));
    if let Some(found) = now.cast(&between, along, hits.scratch()).expect("a query") {
        told.push(length(found.shift));
        told.extend(point(found.on_a));
    }
    told
}

fn twice<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    let mut lengths = 0;
    for round in 0..at_least(60, 6) {
        let models = [0, 1].map(|_| model::<T>(&mut random, round % 2 == 0));
        let at = times(random.direction(), random.between(0.3, 3.0));
        let places = [turned(&mut random, [0.1, 0.2, 0.3]), turned(&mut random, at)];
        let models = [&models[0], &models[1]];
        let one = stage(models, &places, 1.0);
        let mut buffers = Buffers::new();
        let expected = answers(&one.scene.snapshot(&mut buffers), one.keys, 1.0);
        lengths += expected.len();
        for factor in [2.0, 0.25, 1024.0] {
            let scaled = stage(models, &places, factor);
            let mut buffers = Buffers::new();
            let found = answers(&scaled.scene.snapshot(&mut buffers), scaled.keys, factor);
            assert!(found == expected, "round {round}, times {factor}");
        }
    }
    println!("{lengths} numbers");
}

#[test]
fn parts_margins_and_names_are_those_of_the_original() {
    let one = model::<f32>(&mut Random(833), true);
    let other = one.scaled(1.37).expect("in range");
    assert_ne!(one.fingerprint(), other.fingerprint());
    assert_eq!(one.scaled(1.37), Ok(other.clone()));
    for (a, b) in one.parts().iter().zip(other.parts()) {
        assert_eq!((a.name(), a.parent(), a.user()), (b.name(), b.parent(), b.user()));
        assert_eq!(a.bind().rotation, b.bind().rotation);
        let at = a.bind().translation.vector.map(|x| (f64::from(x) * 1.37) as f32);
        assert_eq!(b.bind().translation.vector, at);
        assert_eq!(a.tree().is_some(), b.tree().is_some());
        for c in one.parts() {
            assert_eq!(one.ignores(a.id(), c.id()), other.ignores(a.id(), c.id()));
            let margin = one.margin(a.id(), c.id());
            assert_eq!(other.margin(a.id(), c.id()), margin * 1.37);
        }
    }
    // A margin of the scaled model is scaled too.
    let mut scratch = SelfQueryScratch::default();
    for factor in [0.01, 1.37, 50.0] {
        let scaled = one.scaled(factor).expect("in range");
        let mut poses = one.bind_poses();
        let expected =
            one.self_pairs(&poses, Accuracy::Exact, &mut scratch).expect("poses").to_vec();
        pose::scale(&mut poses, factor).expect("in range");
        let found = scaled.self_pairs(&poses, SelfQuery::new(Accuracy::Exact), &mut scratch);
        assert_eq!(found, Ok(&expected[..]));
    }
}

#[test]
fn exact_distances_of_scaled_parts_equal_those_of_parry() {
    let mut random = Random(834);
    let mut compared = 0;
    for _ in 0..at_least(40, 4) {
        let (one, other) = (model::<f32>(&mut random, false), model::<f32>(&mut random, false));
        for factor in [1.37, 0.013, 412.0] {
            let [one, other] = [&one, &other].map(|model| model.scaled(factor).expect("in range"));
            let peers = [Peers::of(&one), Peers::of(&other)];
            let at = times(random.direction(), 5.0 * factor);
            let stage = stage([&one, &other], &[Pose::identity(), turned(&mut random, at)], 1.0);
            let mut buffers = Buffers::new();
            let now = stage.scene.snapshot(&mut buffers);
            let [a, b] = stage.keys;
            let [poses_a, poses_b] = [a, b].map(|key| stage.scene.poses(key).expect("a key"));
            let mut hits = Hits::new();
            for (i, j) in (0..5).flat_map(|i| (0..5).map(move |j| (i, j))) {
                let (x, y) = ((&peers[0], i, &poses_a[i]), (&peers[1], j, &poses_b[j]));
                let Some(expected) = Peers::distance(x, y) else { continue };
                let query = PairQuery::between(a, b).parts(&[PartId::new(i)], &[PartId::new(j)]);
                let found = now.distance(&query, hits.scratch()).expect("a query").expect("parts");
                if expected > 0.0 && found.distance > 0.0 {
                    let off = (f64::from(found.distance) - expected).abs();
                    assert!(off < 2e-6 * 8.0 * factor, "{i} {j}: {found:?} {expected}");
                    compared += 1;
                }
            }
        }
    }
    println!("{compared} distances");
    assert!(compared > 200);
}

#[test]
fn clips_and_robots_play_on_scaled_models() {
    let fighter = support::fighter::fighter();
    let giant = fighter.model.scaled(3.0).expect("in range");
    let mut joints = boxwood::motion::Joints::new();
    let clip = &fighter.clips[0];
    let small = clip.sample(0.3, &mut joints).expect("a time").to_vec();
    let large = joints.scaled(3.0).expect("a factor").to_vec();
    let mut scene = Scene::new();
    let [one, other] = [&fighter.model, &giant]
        .map(|model| scene.insert(model, Spawn::default()).expect("a character"));
    scene.set_joints(one, &Isometry3::identity(), &small).expect("poses");
    scene.set_joints(other, &Isometry3::identity(), &large).expect("poses");
    let mut buffers = Buffers::new();
    let now = scene.snapshot(&mut buffers);
    let [small, large] = [one, other].map(|key| now.character_aabb(key).expect("a key"));
    for i in 0..3 {
        assert!((large.min[i] - 3.0 * small.min[i]).abs() < 1e-4);
        assert!((large.max[i] - 3.0 * small.max[i]).abs() < 1e-4);
    }
    let not_finite = Error::NotFinite { field: "factor", index: 0 };
    assert_eq!(joints.scaled(f64::NAN).map(|_| ()), Err(not_finite));
    let mut far =
        [Isometry3::translation(1.0, 0.0, 0.0), Isometry3::translation(1e20_f32, 0.0, 0.0)];
    let before = far;
    let expected = Error::OutOfRange { field: "pose", index: 1, limit: 1e30 };
    assert_eq!(pose::scale(&mut far, 1e15), Err(expected));
    assert_eq!(far, before);
}

#[test]
fn scaled_models_out_of_range_name_the_part() {
    let corners = [[0.0; 3], [1e25, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Point3::from);
    let mesh = Mesh::new(corners.to_vec(), vec![[0, 1, 2]]).expect("a mesh");
    let model = Model::builder()
        .part("small", None, Geometry::None)
        .part("large", None, Geometry::Surface(mesh))
        .build(&Build::default())
        .expect("a model");
    let error = model.scaled(1e6).expect_err("too large");
    assert_eq!(error.to_string(), "part 'large': vertex number 1 (from 0) is larger than 1e30");
    assert_eq!(model.scaled(-1.0), Err(Error::NotPositive { field: "factor", index: 0 }));
    let bound = Model::<f32>::builder()
        .part("far", None, Geometry::None)
        .bind(Isometry3::translation(0.0, 1e29, 0.0))
        .build(&Build::default())
        .expect("a model");
    assert!(matches!(bound.scaled(100.0), Err(Error::Part { .. })));
}

#[test]
fn real_characters_are_scaled_soundly() {
    let Some(data) = support::data::data() else { return };
    for name in ["fox/Fox", "kaykit-knight/Knight"] {
        let path = data.join(format!("characters/{name}.glb"));
        let loaded = boxwood::load::gltf(&path).expect("a character");
        for factor in [2.0, 0.37] {
            let scaled = loaded.model.scaled(factor).expect("in range");
            for part in scaled.parts() {
                let Some(tree) = part.tree() else { continue };
                assert_eq!(tree.validate(), Ok(()), "{name} {}", part.name());
            }
        }
        // The cost against a build, in one run; printed, not asserted.
        for build in [Build::default(), Build::tight(), Build::fast()] {
            let geometries = loaded.model.parts().iter().filter_map(|part| part.tree());
            let (mut building, mut scaling) = (0.0, 0.0);
            for geometry in geometries.map(|tree| tree.geometry().clone()) {
                let start = std::time::Instant::now();
                let tree = ObbTree::build(geometry, &build).expect("a tree");
                building += start.elapsed().as_secs_f64();
                let start = std::time::Instant::now();
                let scaled = tree.scaled(1.37).expect("in range");
                scaling += start.elapsed().as_secs_f64();
                assert_eq!(scaled.len(), tree.len());
            }
            let share = 100.0 * scaling / building;
            println!("{name}: scaled in {share:.0} % of {building:.3} s by {:?}", build.split);
        }
    }
}

scalars! {
    everything_twice_as_large_answers_the_same_times_two => twice(831; 832);
}
