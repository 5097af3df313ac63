//! Invariance of volume queries: the moved scene, and another unit.

use std::collections::BTreeSet;

use boxwood::scene::{Buffers, Overlaps, QueryFilter, QueryShape, RayHits, Scene, Spawn};
use boxwood::shape::{Capsule, Frustum, Obb, Plane, Pose, Ray, Segment, Sphere};
use boxwood::{Accuracy, Detail};
use nalgebra::Translation3;

use support::placed_scenes::{Place, TestScene, random_stage};
use support::posed_characters::rebuilt;
use support::prelude::*;

/// Moves the scene by one pose.
fn moved(stage: &TestScene<f64>, by: &Pose<f64>) -> TestScene<f64> {
    let mut scene = stage.scene.clone();
    for &key in &stage.keys {
        let poses: Vec<_> = scene.poses(key).expect("a key").iter().map(|pose| by * pose).collect();
        scene.set_parts(key, &poses).expect("poses");
    }
    TestScene { scene, keys: stage.keys.clone() }
}

/// Scales the scene to a unit smaller by a factor; a power of two changes no digit.
fn scaled(stage: &TestScene<f64>, unit: f64) -> TestScene<f64> {
    let mut scene = Scene::new();
    let keys = stage.keys.iter().map(|&key| {
        let model = rebuilt(stage.scene.model(key).expect("a key"), unit, false);
        let key_there = scene.insert(&model, Spawn::default()).expect("a character");
        let poses = stage.scene.poses(key).expect("a key").iter();
        let larger = |pose: &Pose<f64>| {
            let at = Translation3::from(pose.translation.vector * unit);
            Pose::from_parts(at, pose.rotation)
        };
        scene.set_parts(key_there, &poses.map(larger).collect::<Vec<_>>()).expect("poses");
        key_there
    });
    let keys = keys.collect();
    TestScene { scene, keys }
}

fn ray(random: &mut Random) -> Ray<f64> {
    let from = times(random.direction(), random.between(0.0, 9.0));
    let goal = times(random.direction(), random.between(0.0, 3.0));
    let way = times(minus(goal, from), 1.0 / norm(minus(goal, from)));
    Ray::new(Point3::from(from), Unit::new_unchecked(Vector3::from(way))).expect("a ray")
}

/// Returns a query shape of a kind, moved and in another unit.
fn region(kind: usize, seed: u64, by: &Pose<f64>, unit: f64) -> QueryShape<f64> {
    let mut random = Random(seed);
    let mut near = |size: f64| -> V { times(random.direction(), size * random.share()) };
    let (a, b, half) = (near(2.0), near(2.0), near(1.0).map(f64::abs));
    let (a, b) = (Point3::from(a), Point3::from(plus(b, [0.1, 0.0, 0.0])));
    let at = |p: Point3<f64>| by * (p * unit);
    let radius = 0.3 * half[0] * unit;
    let turn = UnitQuaternion::from_scaled_axis(b.coords);
    match kind {
        0 => at(a).into(),
        1 => Sphere::new(at(a), radius).expect("a ball").into(),
        2 => {
            let segment = Segment::new(at(a), at(b)).expect("ends");
            Capsule::new(segment, radius).expect("a capsule").into()
        }
        3 => {
            let pose = Pose::from_parts((a.coords * unit).into(), turn);
            Obb::from_pose(&(by * pose), Vector3::from(half) * unit).expect("a box").into()
        }
        4 => {
            let normal = Unit::new_normalize(b - a);
            let up = Unit::new_unchecked(by.rotation * normal.into_inner());
            Plane::through(at(a), up).expect("a plane").into()
        }
        _ => {
            let pose = Pose::from_parts((a.coords * unit).into(), turn);
            let depths = [0.1 * unit, (0.2 + half[1]) * unit];
            Frustum::of_eye(&(by * pose), [0.4, 0.3], depths).expect("a frustum").into()
        }
    }
}

const DIAL: [Accuracy; 3] = [Accuracy::Depth(2), Accuracy::Depth(60), Accuracy::Exact];

fn places(stage: &TestScene<f64>, region: QueryShape<f64>, accuracy: Accuracy) -> BTreeSet<Place> {
    let (mut buffers, mut overlaps) = (Buffers::new(), Overlaps::new());
    let now = stage.scene.snapshot(&mut buffers);
    let filter = QueryFilter::all().detail(Detail::Boxes).accuracy(accuracy);
    now.overlaps(region, &filter, &mut overlaps).expect("a question");
    overlaps.iter().map(|node| stage.place(node)).collect()
}

fn ray_hits(stage: &TestScene<f64>, ray: Ray<f64>, accuracy: Accuracy) -> Vec<(Place, f64)> {
    let (mut buffers, mut ray_hits) = (Buffers::new(), RayHits::new());
    let now = stage.scene.snapshot(&mut buffers);
    let filter = QueryFilter::all().detail(Detail::Boxes).accuracy(accuracy);
    now.ray_cast_all(ray, &filter, &mut ray_hits).expect("a question");
    let mut all: Vec<_> =
        ray_hits.iter().map(|hit| (stage.place(&hit.target), hit.distance)).collect();
    all.sort_by_key(|hit| hit.0);
    all
}

#[test]
fn moving_the_scene_changes_rounding_only() {
    let mut random = Random(121);
    let (mut met, mut hits) = (0, 0);
    for round in 0..24u64 {
        let stage = random_stage::<f64>(&mut random, [0.0; 3]);
        let by = turned::<f64>(&mut random, [30.0, -7.0, 11.0]);
        let there = moved(&stage, &by);
        for (kind, accuracy) in (0..6).flat_map(|kind| DIAL.map(|a| (kind, a))) {
            let seed = 1_000 * round + kind as u64;
            let here = places(&stage, region(kind, seed, &Pose::identity(), 1.0), accuracy);
            assert_eq!(
                here,
                places(&there, region(kind, seed, &by, 1.0), accuracy),
                "{kind} {accuracy:?}"
            );
            met += here.len();
        }
        for accuracy in (0..12).flat_map(|_| DIAL) {
            let ray = ray(&mut random);
            let here = ray_hits(&stage, ray, accuracy);
            let moved = ray_hits(&there, ray.transformed(&by).expect("a ray"), accuracy);
            assert_eq!(here.len(), moved.len(), "{ray:?} {accuracy:?}");
            for ((place, t), (place_there, t_there)) in here.iter().zip(&moved) {
                assert_eq!(place, place_there);
                // Shallow faces magnify rounding.
                assert!((t - t_there).abs() < 1e-7, "{t} {t_there}");
            }
            hits += here.len();
        }
    }
    println!("{met} in regions, {hits} hit by rays");
    assert!(met > 2_000 && hits > 1_000);
}

#[test]
fn another_unit_scales_lengths_only() {
    let mut random = Random(122);
    let (mut met, mut hits) = (0, 0);
    for round in 0..12u64 {
        let stage = random_stage::<f64>(&mut random, [0.0; 3]);
        for unit in [2f64.powi(-20), 8.0, 2f64.powi(30)] {
            let there = scaled(&stage, unit);
            for (kind, accuracy) in (0..6).flat_map(|kind| DIAL.map(|a| (kind, a))) {
                let seed = 1_000 * round + kind as u64;
                let here = places(&stage, region(kind, seed, &Pose::identity(), 1.0), accuracy);
                let larger = region(kind, seed, &Pose::identity(), unit);
                assert_eq!(here, places(&there, larger, accuracy), "{kind} {accuracy:?} {unit}");
                met += here.len();
            }
            for accuracy in (0..6).flat_map(|_| DIAL) {
                let ray = ray(&mut random);
                let larger = Ray::new(ray.origin() * unit, ray.direction()).expect("a ray");
                let here = ray_hits(&stage, ray, accuracy);
                let there = ray_hits(&there, larger, accuracy);
                assert_eq!(here.len(), there.len(), "{unit} {accuracy:?}");
                for (one, other) in here.iter().zip(&there) {
                    // Axes are normalized again when a box is rebuilt.
                    let off = (one.1 * unit - other.1).abs();
                    assert!(one.0 == other.0 && off <= 1e-9 * unit, "{one:?} {other:?}");
                }
                hits += here.len();
            }
        }
    }
    println!("{met} in regions, {hits} hit by rays");
    assert!(met > 2_000 && hits > 1_000);
}
