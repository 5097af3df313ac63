//! Equally near parts, and parts within the largest distance: cubes on a lattice, where lengths are
//! exact.

use std::sync::{Arc, Mutex};

use boxwood::model::Model;
use boxwood::scene::{Buffers, ClosestPart, ClosestParts, NodeRef, QueryFilter, Scene, Spawn};
use boxwood::tree::Geometry;
use boxwood::{Accuracy, Build, PartId};

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

/// Distance of a point from the unit cube at a corner, squared; exact for small multiples of 1/2.
fn squared_distance(point: V, corner: V) -> f64 {
    let outside = |i: usize| (corner[i] - point[i]).max(point[i] - corner[i] - 1.0).max(0.0);
    (0..3).map(|i| outside(i) * outside(i)).sum()
}

/// Crowds of cubes on a lattice, many of which are equally near or share a face with the point:
/// the nearest part of all, and of each character, is the first of those of least distance.
fn lattice<T: Scalar>(seed: u64) {
    let (mut random, mut closest, mut tied) = (Random(seed), ClosestParts::new(), 0);
    for round in 0..at_least(600, 50) {
        let far = [[0.0; 3], [1024.0, -4096.0, 512.0]][round % 2];
        let corner = |random: &mut Random| [(); 3].map(|()| random.below(7) as f64 - 3.0);
        let (mut scene, mut cubes) = (Scene::<T>::new(), Vec::new());
        for order in 0..1 + random.below(20) as u64 {
            let corners: Vec<V> =
                (0..[1, 3, 20, 70][random.below(4)]).map(|_| corner(&mut random)).collect();
            let mut builder = Model::builder();
            for (part, &low) in corners.iter().enumerate() {
                let solid = upright_solid(low, plus(low, [1.0; 3]));
                builder = builder.part(part.to_string(), None, Geometry::Boxes(vec![solid]));
            }
            let model = builder.build(&Build::fast()).expect("a model");
            let at = plus(far, times(corner(&mut random), 2.0));
            let spawn = Spawn::at(upright(at)).order(order).user(order);
            let key = scene.insert(&model, spawn.at_rest(random.chance(0.3))).expect("room");
            let off = random.below(model.len());
            scene.set_part_enabled(key, PartId::new(off), false).expect("a part");
            let parts = corners.iter().enumerate().filter(|&(part, _)| part != off);
            cubes.extend(parts.map(|(part, &low)| (order, part, plus(at, low))));
        }
        let mut buffers = Buffers::new();
        let now = scene.snapshot(&mut buffers);
        for _ in 0..10 {
            let at = plus(far, [(); 3].map(|()| random.below(40) as f64 / 2.0 - 10.0));
            let odd = random.chance(0.5);
            let keeps = |part: usize| !odd || part % 2 == 1;
            let predicate = |node: NodeRef| keeps(node.part.index());
            let filter = QueryFilter::all().predicate(&predicate);
            let kept = cubes.iter().filter(|(_, part, _)| keeps(*part));
            let all: Vec<_> = kept
                .map(|&(order, part, corner)| (squared_distance(at, corner), order, part))
                .collect();
            let first = |one: &(f64, u64, usize), other: &(f64, u64, usize)| {
                one.partial_cmp(other).expect("no NaN")
            };
            let best = all.iter().copied().min_by(first);
            tied += all.iter().filter(|one| best.is_some_and(|best| one.0 == best.0)).count();
            let told = |one: &ClosestPart<T>| {
                (scene.user(one.a.character).expect("a key"), one.a.part.index())
            };
            for most in [f64::INFINITY, best.map_or(1.0, |best| best.0.sqrt())] {
                let one = now.closest_part(point(at), most, &filter, &mut closest);
                let one = one.expect("a query");
                assert_eq!(one.as_ref().map(told), best.map(|(_, order, part)| (order, part)));
                let exact = best.map(|(squared, ..)| T::at_least(squared.sqrt()));
                let is_near = |a: T, b: T| (a.wide() - b.wide()).abs() <= 1e-5 * (1.0 + a.wide());
                assert!(one.zip(exact).is_none_or(|(one, exact)| is_near(one.distance, exact)));
                now.closest_parts(point(at), most, &filter, &mut closest).expect("a query");
                assert_eq!(closest.first(), one.as_ref());
                let parts = closest.to_vec();
                now.closest_characters(point(at), most, &filter, &mut closest).expect("a query");
                let mut orders = Vec::new();
                let is_first = |one: &&ClosestPart<T>| {
                    let order = told(one).0;
                    let is_new = !orders.contains(&order);
                    orders.push(order);
                    is_new
                };
                let firsts: Vec<_> = parts.iter().filter(is_first).copied().collect();
                assert_eq!(closest[..], firsts[..]);
            }
        }
    }
    assert!(tied > 500, "{tied}");
}

#[test]
fn a_predicate_is_called_at_most_once_a_part() {
    let (mut random, called) = (Random(796), Mutex::new(Vec::new()));
    let corners: Vec<V> = (0..150).map(|_| times(random.direction(), 9.0)).collect();
    let mut builder = Model::builder();
    for (part, &low) in corners.iter().enumerate() {
        let solid = upright_solid::<f32>(low, plus(low, [1.0; 3]));
        builder = builder.part(part.to_string(), None, Geometry::Boxes(vec![solid]));
    }
    let (model, mut scene) = (builder.build(&Build::fast()).expect("a model"), Scene::new());
    for _ in 0..5 {
        scene.insert(&model, Spawn::default()).expect("room");
    }
    let (mut buffers, mut closest) = (Buffers::new(), ClosestParts::new());
    let now = scene.snapshot(&mut buffers);
    let predicate = |node: NodeRef| {
        called.lock().expect("no panic").push((node.character, node.part));
        node.part.index().is_multiple_of(3)
    };
    let filter = QueryFilter::all().predicate(&predicate);
    for _ in 0..100 {
        let at = point(times(random.direction(), random.between(0.0, 15.0)));
        for most in [1.0, f64::INFINITY] {
            let _ = now.closest_part(at, most, &filter, &mut closest).expect("a query");
            let mut called = std::mem::take(&mut *called.lock().expect("no panic"));
            let all = called.len();
            called.sort_unstable();
            called.dedup();
            assert_eq!(called.len(), all);
        }
    }
}

scalars! {
    the_first_of_equally_near_cubes_is_the_nearest => lattice(797; 798);
}
