//! Closest pair of a whole scene, and of one character and all others, against every pair of parts.

use std::sync::Arc;

use boxwood::model::Model;
use boxwood::scene::{Buffers, CharacterKey, QueryScratch, Scene, Spawn};
use boxwood::shape::Obb;
use boxwood::tree::{Geometry, TreePair, TreeScratch};
use boxwood::{Accuracy, Build, CollisionGroups, PairQuery, PartId};

use crate::scene::brute_force::random_model;
use crate::scene::every_pair::{Line, closest, lines, told_from};
use support::brute_force::BruteForceCharacter;
use support::prelude::*;

/// Builds characters within the given distance; some at rest, some with disabled parts or groups.
fn scene<T: Scalar>(
    random: &mut Random,
    wide: f64,
    far: f64,
) -> (Scene<T>, Vec<BruteForceCharacter>) {
    let models = [random_model::<T>(random), random_model(random)];
    let (mut scene, mut roster) = (Scene::new(), Vec::new());
    for _ in 0..2 + random.below(4) {
        let near = times(random.direction(), random.between(0.2, 1.0) * wide);
        let (at, order) = (turned(random, plus([far, -far, far], near)), random.bits() >> 20);
        let (model, at_rest) = (&models[random.below(2)], random.chance(0.5));
        let spawn = Spawn::at(at).order(order).at_rest(at_rest);
        let key = scene.insert(model, spawn).expect("a character");
        let part = |random: &mut Random| PartId::new(random.below(model.len()));
        if random.chance(0.3) {
            scene.set_part_enabled(key, part(random), false).expect("a part");
        }
        if random.chance(0.3) {
            scene.set_groups(key, part(random), CollisionGroups::NONE).expect("a part");
        }
        roster.push(BruteForceCharacter { key, order, at_rest });
    }
    (scene, roster)
}

/// Queries all characters, one against all others, with filters, and with largest distances around
/// the least.
fn ask<T: Scalar>(scene: &Scene<T>, roster: &[BruteForceCharacter]) -> Option<T> {
    let (mut buffers, mut scratch) = (Buffers::new(), QueryScratch::new());
    let now = scene.snapshot(&mut buffers);
    let lines = lines(&now, roster);
    let mut put = |query: &PairQuery<'_>| now.distance(query, &mut scratch).expect("a question");
    let least = closest(&lines);
    assert_eq!(put(&PairQuery::all()), least);
    for living in roster {
        let key = living.key;
        let has = |line: &&Line<T>| [line.found.a, line.found.b].iter().any(|n| n.character == key);
        let own = closest(lines.iter().filter(has)).map(|found| told_from(key, found));
        assert_eq!(put(&PairQuery::of(key)), own);
        let others = closest(lines.iter().filter(|line| !has(line)));
        assert_eq!(put(&PairQuery::all().excluding(&[key])), others);
        assert_eq!(put(&PairQuery::of(key).excluding(&[key])), None);
    }
    let least = least?;
    let (length, back) = (least.distance.wide(), PairQuery::of(least.b.character));
    assert_eq!(put(&back.clone().max_distance(length)).map(|l| l.distance), Some(least.distance));
    for query in [PairQuery::all(), PairQuery::of(least.a.character)] {
        let found = put(&query.clone().max_distance(length));
        assert_eq!(found.map(|found| found.distance), Some(least.distance));
        for beyond in [1.0 - 1e-5, 0.5, 0.0] {
            let found = put(&query.clone().max_distance(length * beyond));
            assert_eq!(found.is_some(), length == 0.0, "{beyond} of {length}");
        }
    }
    alone(scene, &lines);
    Some(least.distance)
}

/// Checks some of the pairs by their trees, without a scene.
fn alone<T: Scalar>(scene: &Scene<T>, lines: &[Line<T>]) {
    for Line { found, .. } in lines.iter().step_by(7) {
        let [a, b] = [found.a, found.b].map(|node| {
            let part = scene.part(node.character, node.part).expect("a part");
            (part.tree().expect("geometry"), scene.pose(node.character, node.part).expect("a pose"))
        });
        let pair = TreePair::new(a.0, a.1, b.0, b.1).expect("sound poses");
        let by_trees = pair.distance(Accuracy::Exact, f64::INFINITY, &mut TreeScratch::default());
        let by_trees = by_trees.expect("a question").expect("no largest distance");
        assert_eq!(found.distance, by_trees.distance);
    }
}

fn scenes<T: Scalar>(seed: u64) {
    let (mut random, mut apart, mut asked) = (Random(seed), 0, 0);
    for round in 0..at_least(400, 60) {
        let (wide, far) = ([2.0, 6.0, 20.0][round % 3], [0.0, 10.0, 1e3][round / 3 % 3]);
        let (scene, roster) = scene::<T>(&mut random, wide, far);
        let found = ask(&scene, &roster);
        (apart, asked) = (apart + usize::from(found.is_some_and(|d| d > T::zero())), asked + 1);
    }
    println!("{apart} of {asked} scenes with all apart");
    assert!(4 * apart > asked && 10 * apart < 9 * asked);
}

/// A character of one part made of those boxes, which are along the axes.
fn blocks(boxes: &[[V; 2]]) -> Arc<Model<f64>> {
    let boxes: Vec<Obb<f64>> = boxes.iter().map(|[low, high]| upright_solid(*low, *high)).collect();
    let model = Model::builder().part("all", None, Geometry::Boxes(boxes));
    model.build(&Build::default()).expect("a model")
}

fn cube_at(x: f64) -> [V; 2] {
    [[x, 0.0, 0.0], [x + 1.0, 1.0, 1.0]]
}

fn stand(scene: &mut Scene<f64>, model: &Arc<Model<f64>>, order: u64) -> CharacterKey {
    scene.insert(model, Spawn::default().order(order)).expect("a character")
}

fn least(scene: &Scene<f64>, query: &PairQuery<'_>) -> Option<(CharacterKey, CharacterKey, f64)> {
    let mut buffers = Buffers::new();
    let found = scene.snapshot(&mut buffers).distance(query, &mut QueryScratch::new());
    found.expect("a question").map(|l| (l.a.character, l.b.character, l.distance))
}

#[test]
fn equal_distances_are_ordered_by_order_whatever_the_world_boxes() {
    let mut scene = Scene::new();
    let middle = stand(&mut scene, &blocks(&[cube_at(0.0)]), 5);
    let right = stand(&mut scene, &blocks(&[cube_at(3.0)]), 1);
    assert_eq!(least(&scene, &PairQuery::all()), Some((right, middle, 2.0)));
    // Equally far away, but a second box brings its world box near.
    let aside = [[-1.5, 50.0, 0.0], [-0.5, 51.0, 1.0]];
    let left = stand(&mut scene, &blocks(&[cube_at(-3.0), aside]), 9);
    assert_eq!(least(&scene, &PairQuery::all()), Some((right, middle, 2.0)));
    assert_eq!(least(&scene, &PairQuery::of(middle)), Some((middle, right, 2.0)));
    assert_eq!(least(&scene, &PairQuery::of(left)), Some((left, middle, 2.0)));
    let without = PairQuery::all().excluding(&[right]);
    assert_eq!(least(&scene, &without), Some((middle, left, 2.0)));
}

#[test]
fn equal_distances_with_equal_world_boxes_are_ordered_by_order() {
    let mut random = Random(703);
    for _ in 0..24 {
        let (mut scene, one) = (Scene::new(), blocks(&[[[-0.5; 3], [0.5; 3]]]));
        let mut orders = [10, 20, 30, 40];
        for i in (1..4).rev() {
            orders.swap(i, random.below(i + 1));
        }
        // Two pairs at distance one, equally far from the origin, which determines the outward
        // rounding of world boxes.
        let keys = orders.map(|order| stand(&mut scene, &one, order));
        for (key, x) in keys.into_iter().zip([-4.0, -2.0, 2.0, 4.0]) {
            scene.set_parts(key, &[upright([x, 0.0, 0.0])]).expect("a pose");
        }
        let pair = |i: usize| match orders[i] < orders[i + 1] {
            true => [(orders[i], keys[i]), (orders[i + 1], keys[i + 1])],
            false => [(orders[i + 1], keys[i + 1]), (orders[i], keys[i])],
        };
        let [a, b] = [0, 2].map(pair).into_iter().min_by_key(|p| p.map(|(o, _)| o)).expect("two");
        assert_eq!(least(&scene, &PairQuery::all()), Some((a.1, b.1, 1.0)), "{orders:?}");
    }
}

#[test]
fn scenes_of_no_or_one_character_have_no_distance() {
    let mut scene = Scene::new();
    assert_eq!(least(&scene, &PairQuery::all()), None);
    let mut builder = Model::builder();
    for (name, x) in [("a", 0.0), ("b", 4.0)] {
        let solid = upright_solid(cube_at(x)[0], cube_at(x)[1]);
        builder = builder.part(name, None, Geometry::Boxes(vec![solid]));
    }
    let two = builder.build(&Build::default()).expect("a model");
    let key = stand(&mut scene, &two, 3);
    assert_eq!(least(&scene, &PairQuery::all()), None);
    assert_eq!(least(&scene, &PairQuery::of(key)), None);
    assert_eq!(least(&scene, &PairQuery::within(key)), Some((key, key, 3.0)));
}

scalars! {
    the_closest_of_a_scene_is_the_least_over_all_pairs_of_parts => scenes(701; 702);
}
