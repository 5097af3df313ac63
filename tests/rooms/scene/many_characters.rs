//! Queries for one best answer among many characters and a level of many parts, against the best of
//! the same queries about two characters, or about one, bit for bit.

use std::sync::Arc;

use boxwood::model::Model;
use boxwood::scene::{Buffers, CharacterKey, ClosestParts, NodeRef, QueryScratch, Scene, Spawn};
use boxwood::shape::Sphere;
use boxwood::tree::Geometry;
use boxwood::{Build, CollisionGroups, PairQuery, PartId, QueryFilter};

use crate::scene::brute_force::random_model;

use support::prelude::*;

/// Group of the level alone.
const LEVEL: u64 = 2;

/// Builds a level of so many boxes around a place, each a part.
fn level<T: Scalar>(random: &mut Random, parts: usize, wide: f64, far: V) -> Arc<Model<T>> {
    let mut builder = Model::builder();
    for part in 0..parts {
        let low = plus(far, times(random.direction(), random.between(0.0, wide)));
        let high = plus(low, [0, 1, 2].map(|_| random.between(0.05, 0.5)));
        let solid = upright_solid(low, high);
        builder = builder.part(part.to_string(), None, Geometry::Boxes(vec![solid]));
    }
    builder.build(&Build::fast()).expect("a level")
}

/// Builds characters about a place, one of them a level; the others have parts switched off, groups
/// and rest flags at random.
fn crowd<T: Scalar>(
    random: &mut Random,
    (count, parts): (usize, usize),
    wide: f64,
    far: V,
) -> (Scene<T>, Vec<CharacterKey>) {
    let models = [random_model::<T>(random), random_model(random), random_model(random)];
    let (mut scene, mut keys) = (Scene::new(), Vec::new());
    let level =
        scene.insert(&level(random, parts, wide, far), Spawn::default().order(0).at_rest(true));
    keys.push(level.expect("a level"));
    let groups = CollisionGroups { memberships: LEVEL, filter: u64::MAX };
    scene.set_all_groups(keys[0], groups).expect("a key");
    for _ in 0..count {
        let near = times(random.direction(), random.between(0.0, 1.0).cbrt() * wide);
        let (at, model) = (turned(random, plus(far, near)), &models[random.below(3)]);
        let order = random.bits() >> 20;
        let spawn = Spawn::at(at).order(order).user(order).at_rest(random.chance(0.3));
        let key = scene.insert(model, spawn).expect("a character");
        let part = |random: &mut Random| PartId::new(random.below(model.len()));
        if random.chance(0.2) {
            scene.set_part_enabled(key, part(random), false).expect("a part");
        }
        if random.chance(0.2) {
            scene.set_groups(key, part(random), CollisionGroups::NONE).expect("a part");
        }
        keys.push(key);
    }
    (scene, keys)
}

/// Returns the rank of two nodes in the order of answers, the lesser first.
fn rank<T: Scalar>(scene: &Scene<T>, a: NodeRef, b: NodeRef) -> [(u64, PartId); 2] {
    let part = |node: NodeRef| (scene.user(node.character).expect("a key"), node.part);
    let (a, b) = (part(a), part(b));
    if b < a { [b, a] } else { [a, b] }
}

fn crowds<T: Scalar>(seed: u64) {
    let (mut random, mut scratch) = (Random(seed), QueryScratch::new());
    let mut found = [0; 5];
    for round in 0..at_least(60, 6) {
        let far = [[0.0; 3], [40.0, -10.0, 7.0], [1e3, 0.0, -1e3]][round % 3];
        let (wide, parts) = ([3.0, 15.0, 60.0][round / 3 % 3], [1, 70, 700][round % 3]);
        let (scene, keys) = crowd::<T>(&mut random, (60, parts), wide, far);
        let mut buffers = Buffers::new();
        let now = scene.snapshot(&mut buffers);
        let limit = [f64::INFINITY, 1.0][round % 2];
        // Without the level the crowd is sparse, and the least distance is of few.
        let queries: [fn(PairQuery<'_>) -> PairQuery<'_>; 3] = [
            |all| all,
            |all| all.memberships(!LEVEL, !LEVEL),
            |all| all.predicate(&|a, b| (a.part.index() + b.part.index()) % 2 == 1),
        ];
        for query in queries {
            let mut best = None;
            let (mut best_of, one) = (None, keys[1 + random.below(60)]);
            for (i, &a) in keys.iter().enumerate() {
                for &b in &keys[i + 1..] {
                    let between = query(PairQuery::between(a, b)).max_distance(limit);
                    let Some(least) = now.distance(&between, &mut scratch).expect("a query") else {
                        continue;
                    };
                    let key = (least.distance.wide(), rank(&scene, least.a, least.b));
                    if best.as_ref().is_none_or(|(other, _)| key < *other) {
                        best = Some((key, least));
                    }
                    let is_of = a == one || b == one;
                    if is_of && best_of.as_ref().is_none_or(|(other, _)| key < *other) {
                        best_of = Some((key, least));
                    }
                }
            }
            let all = query(PairQuery::all()).max_distance(limit);
            let least = now.distance(&all, &mut scratch).expect("a query");
            let is_ordered = |a: NodeRef, b: NodeRef| {
                scene.user(a.character).expect("a key") < scene.user(b.character).expect("a key")
            };
            let expected = best.map(|(_, least)| match is_ordered(least.a, least.b) {
                true => least,
                false => least.reversed(),
            });
            assert_eq!(least, expected);
            found[0] += usize::from(least.is_some());
            let of = query(PairQuery::of(one)).max_distance(limit);
            let expected = best_of.map(|(_, least)| match least.a.character == one {
                true => least,
                false => least.reversed(),
            });
            assert_eq!(now.distance(&of, &mut scratch).expect("a query"), expected);
            // Casts, back and forth through the crowd.
            for _ in 0..4 {
                let way = vector::<T>(times(random.direction(), random.between(0.0, 2.0 * wide)));
                let cast = now.cast(&query(PairQuery::of(one)), way, &mut scratch);
                let mut best = None;
                for &other in keys.iter().filter(|&&key| key != one) {
                    let between = query(PairQuery::between(one, other));
                    let Some(touch) = now.cast(&between, way, &mut scratch).expect("a query")
                    else {
                        continue;
                    };
                    let key = (touch.shift.wide(), rank(&scene, touch.a, touch.b));
                    if best.as_ref().is_none_or(|(other, _)| key < *other) {
                        best = Some((key, touch));
                    }
                }
                let cast = cast.expect("a query");
                found[1] += usize::from(cast.is_some());
                assert_eq!(cast.map(|touch| touch.shift.wide()), best.map(|(key, _)| key.0));
            }
        }
        of_points(&now, &keys, (&mut random, wide, far), &mut found);
    }
    println!("{found:?} distances, casts, closest parts, shape casts, closest characters");
    assert!(found.iter().all(|&count| count > 10), "{found:?}");
}

/// Closest parts and casts of balls, with all characters and with each.
fn of_points<T: Scalar>(
    now: &boxwood::scene::Snapshot<'_, T>,
    keys: &[CharacterKey],
    (random, wide, far): (&mut Random, f64, V),
    found: &mut [usize; 5],
) {
    let (mut closest, mut scratch) = (ClosestParts::new(), QueryScratch::new());
    let scene = now.scene();
    let order = |node: NodeRef| (scene.user(node.character).expect("a key"), node.part);
    let only_bodies = CollisionGroups { memberships: u64::MAX, filter: !LEVEL };
    for groups in [CollisionGroups::ALL, only_bodies] {
        for _ in 0..8 {
            let at = plus(far, times(random.direction(), random.between(0.0, 1.5 * wide)));
            let limit = [f64::INFINITY, random.between(0.1, wide)][random.below(2)];
            let filter = QueryFilter::all().groups(groups);
            let near = now.closest_part(point(at), limit, &filter, &mut closest).expect("a query");
            found[2] += usize::from(near.is_some());
            let mut each = Vec::new();
            for &key in keys {
                let filter = QueryFilter::of(key).groups(groups);
                now.closest_parts(point(at), limit, &filter, &mut closest).expect("a query");
                each.extend_from_slice(&closest);
            }
            each.sort_by(|x, y| {
                let key =
                    |one: &boxwood::scene::ClosestPart<T>| (one.distance.wide(), order(one.a));
                key(x).partial_cmp(&key(y)).expect("no NaN")
            });
            assert_eq!(near, each.first().copied());
            now.closest_parts(point(at), limit, &filter, &mut closest).expect("a query");
            assert_eq!(closest[..], each[..]);
            let mut of_each = Vec::new();
            for &key in keys {
                let filter = QueryFilter::of(key).groups(groups);
                let one = now.closest_part(point(at), limit, &filter, &mut closest);
                of_each.extend(one.expect("a query"));
            }
            of_each.sort_by(|x, y| {
                let key =
                    |one: &boxwood::scene::ClosestPart<T>| (one.distance.wide(), order(one.a));
                key(x).partial_cmp(&key(y)).expect("no NaN")
            });
            let report = now.closest_characters(point(at), limit, &filter, &mut closest);
            assert_eq!(closest[..], of_each[..]);
            let report = report.expect("a query");
            assert!(report.met && closest.iter().all(|one| one.slack <= report.slack));
            found[4] += closest.len();
            if let Some(first) = closest.first().copied() {
                let only = QueryFilter::of(first.a.character).groups(groups);
                now.closest_characters(point(at), limit, &only, &mut closest).expect("a query");
                assert_eq!(closest[..], [first]);
            }
            let ball = Sphere::new(point::<T>(at), T::nearest(0.1)).expect("a ball");
            let way = vector::<T>(times(random.direction(), 2.0 * wide));
            let hit = now.shape_cast(ball, way, &filter, &mut scratch).expect("a query");
            let hits = keys.iter().filter_map(|&key| {
                let filter = QueryFilter::of(key).groups(groups);
                now.shape_cast(ball, way, &filter, &mut scratch).expect("a query")
            });
            let key =
                |hit: &boxwood::scene::ShapeHit<T>| (hit.time_of_impact.wide(), order(hit.target));
            let first = hits.min_by(|x, y| key(x).partial_cmp(&key(y)).expect("no NaN"));
            found[3] += usize::from(hit.is_some());
            assert_eq!(hit.map(|hit| hit.time_of_impact), first.map(|hit| hit.time_of_impact));
        }
    }
}

/// Counts tests of the characters near a point: few of a large crowd are compared, and few parts
/// of those found.
#[test]
fn the_nearest_of_few_characters_take_few_tests() {
    let cube = upright_solid([-0.2; 3], [0.2; 3]);
    let mut builder = Model::builder();
    for part in 0..60 {
        let along = nalgebra::Isometry3::translation(0.0, part as f32, 0.0);
        builder = builder.part(part.to_string(), None, Geometry::Boxes(vec![cube])).bind(along);
    }
    let (model, mut scene) = (builder.build(&Build::fast()).expect("a model"), Scene::new());
    let mut keys = Vec::new();
    for index in 0..2_000 {
        let [x, z] = [index % 50, index / 50].map(|i| 3.0 * i as f32);
        let at = nalgebra::Isometry3::translation(x, 0.0, z);
        keys.push(scene.insert(&model, Spawn::at(at)).expect("a character"));
    }
    let (mut buffers, mut closest) = (Buffers::new(), ClosestParts::new());
    let now = scene.snapshot(&mut buffers);
    let at = nalgebra::Point3::new(75.4, 10.3, 60.0);
    let report = now.closest_characters(at, 3.5, &QueryFilter::all(), &mut closest);
    let counts = report.expect("a query").counts;
    assert_eq!(closest.len(), 5, "one of each pillar: {:?}", closest.to_vec());
    assert!(closest.iter().all(|one| one.a.part == PartId::new(10)));
    assert!(counts.characters < 2_000 / 4, "{} of 2,000 characters", counts.characters);
    let primitives = counts.primitives;
    now.closest_parts(at, 3.5, &QueryFilter::all(), &mut closest).expect("a query");
    let all = now.closest_parts(at, 3.5, &QueryFilter::all(), &mut closest).expect("a query");
    assert!(closest.len() > 20);
    println!("{primitives} primitives, {} for all parts", all.counts.primitives);
    assert!(3 * primitives < all.counts.primitives, "{primitives} of {}", all.counts.primitives);
}

scalars! {
    the_best_of_a_crowd_is_the_best_of_its_pairs => crowds(8801; 8802);
}
