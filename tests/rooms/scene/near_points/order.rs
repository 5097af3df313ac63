//! Equally near parts, and parts within the largest distance: cubes on a lattice, where lengths are
//! exact.

use std::sync::Arc;

use boxwood::model::Model;
use boxwood::scene::{Buffers, ClosestParts, QueryFilter, Scene, Spawn};
use boxwood::tree::Geometry;
use boxwood::{Accuracy, Build};

use support::prelude::*;

/// Model with one part for each list of axis-aligned boxes.
fn model(parts: &[&[[V; 2]]]) -> Arc<Model<f32>> {
    let mut builder = Model::builder();
    for (i, boxes) in parts.iter().enumerate() {
        let boxes = boxes.iter().map(|[low, high]| upright_solid(*low, *high)).collect();
        builder = builder.part(i.to_string(), None, Geometry::Boxes(boxes));
    }
    builder.build(&Build::default()).expect("a model")
}

fn cube_at(x: f64) -> [V; 2] {
    [[x, 0.0, 0.0], [x + 1.0, 1.0, 1.0]]
}

/// Returns the number of the character, the part and the distance of each answer.
fn told(scene: &Scene<f32>, point: Point3<f32>, most: f64) -> Vec<(u64, usize, f32)> {
    let (mut buffers, mut closest) = (Buffers::new(), ClosestParts::new());
    let now = scene.snapshot(&mut buffers);
    now.closest_parts(point, most, &QueryFilter::all(), &mut closest).expect("a question");
    let user = |key| scene.user(key).expect("a key");
    closest.iter().map(|one| (user(one.a.character), one.a.part.index(), one.distance)).collect()
}

fn nearest(scene: &Scene<f32>, point: Point3<f32>) -> (u64, usize, f32) {
    let (mut buffers, mut closest) = (Buffers::new(), ClosestParts::new());
    let now = scene.snapshot(&mut buffers);
    let one = now.closest_part(point, f64::INFINITY, &QueryFilter::all(), &mut closest);
    let one = one.expect("a question").expect("a part");
    (scene.user(one.a.character).expect("a key"), one.a.part.index(), one.distance)
}

#[test]
fn equally_near_parts_are_sorted_by_character_and_part() {
    let mut random = Random(794);
    let two = model(&[&[cube_at(2.0)], &[cube_at(-3.0)], &[cube_at(5.0)]]);
    for _ in 0..20 {
        let (mut scene, mut orders) = (Scene::new(), [10, 20, 30]);
        for i in (1..3).rev() {
            orders.swap(i, random.below(i + 1));
        }
        for order in orders {
            let spawn = Spawn::default().order(order).user(order);
            scene.insert(&two, spawn).expect("a character");
        }
        let at = Point3::new(0.0, 0.5, 0.5);
        let near = [10, 20, 30].into_iter().flat_map(|order| [(order, 0, 2.0), (order, 1, 2.0)]);
        let far = [10, 20, 30].map(|order| (order, 2, 5.0));
        assert_eq!(told(&scene, at, f64::INFINITY), near.clone().chain(far).collect::<Vec<_>>());
        assert_eq!(told(&scene, at, 2.0), near.collect::<Vec<_>>());
        assert_eq!(nearest(&scene, at), (10, 0, 2.0));
    }
}

#[test]
fn the_nearest_of_equally_near_parts_is_the_first_whatever_the_world_boxes() {
    let aside = [[-1.0, 50.0, 0.0], [-0.5, 51.0, 1.0]];
    let model = model(&[&[cube_at(2.0)], &[cube_at(-3.0), aside], &[cube_at(2.0)]]);
    let mut scene = Scene::new();
    scene.insert(&model, Spawn::default()).expect("a character");
    let at = Point3::new(0.0, 0.5, 0.5);
    assert_eq!(told(&scene, at, 2.0), [(0, 0, 2.0), (0, 1, 2.0), (0, 2, 2.0)]);
    assert_eq!(nearest(&scene, at), (0, 0, 2.0));
}

#[test]
fn a_largest_distance_is_inclusive() {
    let model = model(&[&[cube_at(2.0)], &[cube_at(-1.0)], &[cube_at(4.0)]]);
    let mut scene = Scene::new();
    scene.insert(&model, Spawn::at(upright([0.0; 3]))).expect("a character");
    let at = Point3::new(-0.5, 0.5, 0.5);
    let all = [(0, 1, 0.0), (0, 0, 2.5), (0, 2, 4.5)];
    for (most, count) in [
        (0.0, 1),
        (-0.0, 1),
        (f64::MIN_POSITIVE, 1),
        (2.5_f64.next_down(), 1),
        (2.5, 2),
        (4.5_f64.next_down(), 2),
        (4.5, 3),
        (f64::MAX, 3),
        (f64::INFINITY, 3),
    ] {
        assert_eq!(told(&scene, at, most), all[..count], "{most}");
    }
    // Zero on a face, an edge and a corner.
    for on in [[2.0, 0.5, 0.5], [2.0, 1.0, 0.5], [2.0, 1.0, 1.0]] {
        assert_eq!(told(&scene, Point3::from(on), 0.0), [(0, 0, 0.0)]);
        assert_eq!(nearest(&scene, Point3::from(on)), (0, 0, 0.0));
    }
}

#[test]
fn answers_do_not_depend_on_earlier_queries() {
    let model = model(&[&[cube_at(2.0)], &[cube_at(-3.0)], &[cube_at(5.0)]]);
    let (mut scene, mut used, mut random) = (Scene::new(), ClosestParts::new(), Random(795));
    scene.insert(&model, Spawn::default()).expect("a character");
    for _ in 0..200 {
        let mut buffers = Buffers::new();
        let now = scene.snapshot(&mut buffers);
        let at = Point3::from(random.direction().map(|x| 4.0 * x as f32));
        let most = [0.0, 1.0, 3.0, f64::INFINITY][random.below(4)];
        let accuracy = [Accuracy::Exact, Accuracy::Depth(0)][random.below(2)];
        let filter = QueryFilter::all().accuracy(accuracy);
        let mut fresh = ClosestParts::new();
        if random.chance(0.5) {
            let one = now.closest_parts(at, most, &filter, &mut used).expect("asked");
            assert_eq!(one, now.closest_parts(at, most, &filter, &mut fresh).expect("asked"));
        } else {
            let one = now.closest_part(at, most, &filter, &mut used).expect("asked");
            assert_eq!(one, now.closest_part(at, most, &filter, &mut fresh).expect("asked"));
        }
        assert_eq!(&used[..], &fresh[..]);
        used = if random.chance(0.2) { used.clone() } else { used };
    }
}
