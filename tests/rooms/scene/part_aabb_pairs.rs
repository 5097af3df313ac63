//! `part_aabb_pairs`: every pair whose boxes share a point is reported, and no pair whose boxes are
//! further apart than stated; sorted up to 64 parts, equal in both orders and at every SIMD level.

use std::sync::Arc;

use boxwood::model::Model;
use boxwood::num::SimdLevel;
use boxwood::scene::{Buffers, CharacterKey, Scene, Snapshot, Spawn};
use boxwood::shape::Aabb;
use boxwood::tree::Geometry;
use boxwood::{Build, PartId};

use super::simd_levels::geometry;
use support::plain_box::UPRIGHT;
use support::prelude::*;
use support::random_parts::solid;

type Pair = (PartId, PartId);

/// Arguments of a query: a scene, a snapshot of it, and two keys, which may be equal.
pub type Two<'a, T> = (&'a Scene<T>, Snapshot<'a, T>, [CharacterKey; 2]);

/// Number of pairs of parts whose boxes share a point, and of others reported.
pub type PairCounts = [usize; 2];

fn bounds<T: Scalar>(now: &Snapshot<'_, T>, key: CharacterKey, part: PartId) -> Aabb<T, 3> {
    now.part_aabb(key, part).expect("a part")
}

/// Returns `true` if the two boxes of a pair share a point; empty boxes never do.
fn shares<T: Scalar>(now: &Snapshot<'_, T>, [a, b]: [CharacterKey; 2], (p, q): Pair) -> bool {
    let (x, y) = (bounds(now, a, p), bounds(now, b, q));
    let along = |i: usize| x.min[i] <= y.max[i] && y.min[i] <= x.max[i];
    !x.is_empty() && !y.is_empty() && (0..3).all(along)
}

/// Returns the largest outward rounding of a part's box against the stored one.
fn wider<T: Scalar>(scene: &Scene<T>, key: CharacterKey, part: PartId) -> V {
    let tree = scene.model(key).expect("a key").parts()[part.index()].tree().expect("a tree");
    let p = scene.pose(key, part).expect("a part").translation.vector;
    [p.x, p.y, p.z].map(|x| 3e-5 * tree.radius_about_origin().wide() + 1e-6 * x.wide().abs())
}

/// Checks the pairs of two characters against their boxes, one by one.
pub fn check<T: Scalar>((scene, now, keys): Two<'_, T>) -> PairCounts {
    let [a, b] = keys;
    let model = scene.model(a).expect("a key");
    let counts = |&(p, q): &Pair| a != b || p < q && !model.ignores(p, q);
    let parts = keys.map(|key| scene.model(key).expect("a key").len());
    let all = (0..parts[0]).flat_map(|p| (0..parts[1]).map(move |q| (p, q)));
    let all = all.map(|(p, q)| (PartId::new(p), PartId::new(q))).filter(counts);
    let near: Vec<Pair> = all.filter(|&pair| shares(&now, keys, pair)).collect();
    let mut found: Vec<Pair> = now.part_aabb_pairs(a, b).expect("keys").collect();
    if parts.iter().any(|&parts| parts > 64) {
        found.sort_unstable();
    }
    assert!(found.windows(2).all(|two| two[0] < two[1]), "{found:?}");
    assert!(near.iter().all(|pair| found.binary_search(pair).is_ok()), "{near:?} {found:?}");
    let more = found.iter().filter(|pair| near.binary_search(pair).is_err());
    for pair @ &(p, q) in more {
        assert!(counts(pair));
        let (x, y) = (bounds(&now, a, p), bounds(&now, b, q));
        let (of_x, of_y) = (wider(scene, a, p), wider(scene, b, q));
        for i in 0..3 {
            let gaps = [x.min[i].wide() - y.max[i].wide(), y.min[i].wide() - x.max[i].wide()];
            assert!(gaps.iter().all(|&gap| gap <= of_x[i] + of_y[i]), "{pair:?} {gaps:?}");
        }
    }
    if a != b {
        let mut back: Vec<Pair> =
            now.part_aabb_pairs(b, a).expect("keys").map(|(q, p)| (p, q)).collect();
        back.sort_unstable();
        assert_eq!(back, found);
    }
    [near.len(), found.len() - near.len()]
}

/// Returns the pairs of every two of the characters, and of each with itself.
fn lists<T: Scalar>(now: &Snapshot<'_, T>, keys: &[CharacterKey]) -> Vec<Vec<Pair>> {
    let pairs = keys.iter().flat_map(|&a| keys.iter().map(move |&b| (a, b)));
    pairs.map(|(a, b)| now.part_aabb_pairs(a, b).expect("keys").collect()).collect()
}

/// Compares every SIMD level, and checks all of the answers.
fn every_level<T: Scalar>(scene: &Scene<T>, keys: &[CharacterKey]) -> PairCounts {
    let mut buffers = Buffers::with_simd_level(SimdLevel::PLAIN);
    let now = scene.snapshot(&mut buffers);
    let plain = lists(&now, keys);
    for simd in SimdLevel::all() {
        let mut buffers = Buffers::with_simd_level(simd);
        assert_eq!(lists(&scene.snapshot(&mut buffers), keys), plain, "{simd}");
    }
    let mut answer = [0; 2];
    for (i, &a) in keys.iter().enumerate() {
        for &b in &keys[i..] {
            let of = check((scene, now, [a, b]));
            answer = [answer[0] + of[0], answer[1] + of[1]];
        }
    }
    answer
}

/// Model of boxes and handfuls of boxes, flat, thin, tiny and huge ones among them, and of joints
/// that carry none.
fn model<T: Scalar>(random: &mut Random, parts: usize) -> Arc<Model<T>> {
    let mut builder = Model::builder().ignore_neighbours(random.below(3));
    for part in 0..parts {
        let size = [0.3, 0.3, 0.3, 0.3, 0.01, 1e-6, 3.0, 300.0][random.below(8)];
        let carries = parts == 1 || random.chance(0.85);
        let geometry = if carries { geometry(random, size) } else { Geometry::None };
        let parent = (part > 0).then(|| random.below(part).to_string());
        builder = builder.part(part.to_string(), parent.as_deref(), geometry);
    }
    builder.build(&Build::fast()).expect("a model")
}

/// Builds characters with the given numbers of parts around a position, some beside it; some parts
/// are disabled.
fn stage<T: Scalar>(
    random: &mut Random,
    parts: &[usize],
    far: f64,
) -> (Scene<T>, Vec<CharacterKey>) {
    let mut scene = Scene::new();
    let keys = parts.iter().map(|&parts| {
        let model = model(random, parts);
        let key = scene.insert(&model, Spawn::default()).expect("a character");
        let beside = if random.chance(0.2) { 5.0 } else { 0.0 };
        let at = plus([far, -far, 0.5 * far], times(random.direction(), beside));
        let spread = |random: &mut Random| times(random.direction(), random.between(0.0, 3.0));
        let poses = (0..parts).map(|_| {
            let at = plus(at, spread(random));
            turned(random, at)
        });
        let poses: Vec<_> = poses.collect();
        scene.set_parts(key, &poses).expect("sound poses");
        for part in (0..parts).map(PartId::new) {
            let on = !random.chance(0.1);
            scene.set_part_enabled(key, part, on).expect("a part");
        }
        key
    });
    let keys = keys.collect();
    (scene, keys)
}

fn random_parts<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    for far in [0.0, 1e3, 1e6, 1e9, 1e16] {
        let mut answer = [0; 2];
        for parts in [&[1, 15, 16, 17, 20, 20][..], &[20, 33, 48, 63, 64], &[64, 65, 3, 130]] {
            let (scene, keys) = stage::<T>(&mut random, parts, far);
            let of = every_level(&scene, &keys);
            answer = [answer[0] + of[0], answer[1] + of[1]];
        }
        println!("far {far:e}: {} are near, and {} more reported", answer[0], answer[1]);
        assert!(answer[0] > 1_000);
    }
}

/// Boxes one beside one, apart or overlapping by a thousandth of their size down to what rounding
/// rounding.
fn all_but_touching<T: Scalar>(seed: u64, far: f64) -> PairCounts {
    let mut random = Random(seed);
    let sides = UPRIGHT;
    let mut builder = Model::builder();
    for part in 0..60 {
        let cube = Geometry::Boxes(vec![solid([0.0; 3], &sides, [0.5; 3])]);
        builder = builder.part(part.to_string(), None, cube);
    }
    let (model, mut scene) = (builder.build(&Build::fast()).expect("a model"), Scene::<T>::new());
    let keys = [0.0, 1.0].map(|over| {
        let key = scene.insert(&model, Spawn::default()).expect("a character");
        let poses = (0..60).map(|part| {
            let off = random.sign() * random.decade(-8.0, -3.0);
            let axis = part % 3;
            let beside = times(sides[axis], over * (1.0 + off));
            upright(plus([far + 3.0 * part as f64, far, -far], beside))
        });
        scene.set_parts(key, &poses.collect::<Vec<_>>()).expect("sound poses");
        key
    });
    every_level(&scene, &keys)
}

#[test]
fn boxes_that_nearly_touch_may_be_reported() {
    for far in [0.0, 100.0] {
        for answer in [all_but_touching::<f32>(213, far), all_but_touching::<f64>(214, far)] {
            println!("far {far}: {} are near, and {} more reported", answer[0], answer[1]);
            assert!(answer[0] > 10 && answer[1] > 5 && answer[0] + answer[1] < 60, "{answer:?}");
        }
    }
}

scalars! {
    parts_whose_boxes_share_a_point_are_reported => random_parts(211; 212);
}
