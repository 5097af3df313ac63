//! Queries do not allocate once their buffers are warm.

use boxwood::model::Scratch;
use boxwood::{
    Accuracy, Apart, Beam, Buffers, Build, Detail, Geometry, Hits, Inside, Mesh, Model, Pose,
    Query, Ray, Scene, Spawn, Sphere, Struck, Targets,
};
use nalgebra::{Isometry3, Point3, Vector3};
use std::sync::Arc;

/// A ball of `2 n n` triangles about the origin.
fn ball(n: u32, radius: f32) -> Geometry {
    let point = |i: u32, j: u32| {
        let (a, b) = (
            i as f32 / n as f32 * std::f32::consts::TAU,
            j as f32 / n as f32 * std::f32::consts::PI,
        );
        Point3::new(b.sin() * a.cos(), b.cos(), b.sin() * a.sin()) * radius
    };
    let vertices = (0..=n).flat_map(|i| (0..=n).map(move |j| point(i, j))).collect();
    let at = |i: u32, j: u32| i * (n + 1) + j;
    let quad = |i, j| {
        [[at(i, j), at(i + 1, j), at(i, j + 1)], [at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]]
    };
    let triangles = (0..n).flat_map(|i| (0..n).flat_map(move |j| quad(i, j))).collect();
    Geometry::Solid(Mesh::new(vertices, triangles).unwrap().capped())
}

fn chain() -> Arc<Model> {
    Model::builder()
        .part("a", None, ball(8, 0.5))
        .part("b", Some("a"), ball(8, 0.4))
        .bind(Isometry3::translation(0.0, 0.7, 0.0))
        .part("c", Some("b"), ball(8, 0.4))
        .bind(Isometry3::translation(0.0, 0.8, 0.2))
        .build(&Build::tight())
        .unwrap()
}

fn pose(frame: usize, character: usize) -> Pose {
    let t = frame as f32 * 0.1;
    let place = Vector3::new(character as f32 * 0.6, 0.05 * t.sin(), 0.05 * t.cos());
    Isometry3::new(place, Vector3::new(0.3 * t, 0.2, 0.1 * character as f32))
}

const DIAL: [Accuracy; 4] =
    [Accuracy::Depth(4), Accuracy::Within(0.01), Accuracy::Exact, Accuracy::Budget(500)];

#[test]
fn frames_do_not_allocate_after_the_first_round() {
    let model = chain();
    let joints = model.bind_poses();
    let mut scene = Scene::new();
    let keys: Vec<_> = (0..4).map(|_| scene.insert(&model, Spawn::default()).unwrap()).collect();
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    let mut found = 0;
    let mut round = |scene: &mut Scene| {
        for frame in 0..60 {
            for (character, &key) in keys.iter().enumerate() {
                scene.set_joints(key, &pose(frame, character), &joints).unwrap();
            }
            let now = scene.snapshot(&mut buffers);
            let details = [Detail::Parts, Detail::Boxes];
            for (detail, accuracy) in details.iter().flat_map(|d| DIAL.map(|a| (*d, a))) {
                let all = Query::all().detail(detail).accuracy(accuracy);
                now.contacts(&all, &mut hits).unwrap();
                found += hits.len();
                now.pairs(&all, &mut hits).unwrap();
                now.intersects(&Query::between(keys[1], keys[0]), &mut hits).unwrap();
                now.contacts(&Query::within(keys[2]).detail(detail), &mut hits).unwrap();
                now.contacts(&Query::of(keys[3]), &mut hits).unwrap();
            }
            for accuracy in &DIAL[..3] {
                let apart = Apart::between(keys[0], keys[3]).accuracy(*accuracy);
                now.distance(&apart, &mut hits).unwrap().unwrap();
                now.distance(&Apart::within(keys[1]).accuracy(*accuracy), &mut hits).unwrap();
            }
        }
    };
    let first = allocation_counter::measure(|| round(&mut scene));
    let second = allocation_counter::measure(|| round(&mut scene));
    assert!(found > 1000, "only {found} hits: the test shows nothing");
    assert!(first.count_total > 0, "the counter counts nothing");
    assert_eq!(second.count_total, 0);
}

#[test]
fn self_collision_does_not_allocate_after_the_first_time() {
    let model = chain();
    let poses = model.bind_poses();
    let mut scratch = Scratch::default();
    let mut ask = || {
        for accuracy in DIAL {
            assert!(model.self_intersects(&poses, accuracy, &mut scratch).unwrap());
            assert_eq!(model.self_pairs(&poses, accuracy, &mut scratch).unwrap().len(), 1);
            if !matches!(accuracy, Accuracy::Budget(_)) {
                let found = model.self_distance(&poses, accuracy, 1.0, &mut scratch);
                assert_eq!(found.unwrap().unwrap().apart.distance, 0.0);
            }
        }
    };
    assert!(allocation_counter::measure(&mut ask).count_total > 0);
    assert_eq!(allocation_counter::measure(&mut ask).count_total, 0);
}

#[test]
fn rays_and_regions_of_new_snapshots_do_not_allocate_after_the_first_round() {
    let model = chain();
    let joints = model.bind_poses();
    let mut scene = Scene::new();
    let keys: Vec<_> = (0..60).map(|_| scene.insert(&model, Spawn::default()).unwrap()).collect();
    let (mut buffers, mut struck, mut inside) = (Buffers::new(), Struck::new(), Inside::new());
    let ray = Ray::through(Point3::new(-1.0, 0.2, 0.1), Point3::new(40.0, 0.3, 0.2));
    let beam = Beam::from(ray.unwrap().unwrap());
    let ball = Sphere::new(Point3::new(9.0, 0.0, 0.0), 5.0).unwrap();
    let mut round = |scene: &mut Scene| {
        for frame in 0..20 {
            for (character, &key) in keys.iter().enumerate() {
                scene.set_joints(key, &pose(frame, character), &joints).unwrap();
            }
            let now = scene.snapshot(&mut buffers);
            assert!(now.ray_closest(beam, &Targets::all(), &mut struck).unwrap().is_some());
            now.ray_all(beam, &Targets::all(), &mut struck).unwrap();
            assert!(struck.len() > 20);
            now.region_all(ball, &Targets::all(), &mut inside).unwrap();
            assert!(inside.len() > 20);
        }
    };
    assert!(allocation_counter::measure(|| round(&mut scene)).count_total > 0);
    assert_eq!(allocation_counter::measure(|| round(&mut scene)).count_total, 0);
}
