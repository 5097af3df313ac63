//! Parts of few boxes far apart, whose leaves are tested one by one: every two parts alone, in every
//! order, with margins, in both precisions; and the number of tests.

use std::collections::BTreeSet;
use std::sync::Arc;

use boxwood::model::{Model, SelfQueryScratch};
use boxwood::scene::{Buffers, Hits, Scene, Spawn};
use boxwood::shape::{Pose, Sphere};
use boxwood::tree::{Accuracy, Build, Geometry, TreePair, TreeScratch};
use boxwood::{PairQuery, SelfQuery};

use support::closed_meshes::{self, cube};
use support::prelude::*;
use support::random_parts::solid;

const DIAL: [Accuracy; 8] = [
    Accuracy::Depth(0),
    Accuracy::Depth(1),
    Accuracy::Depth(3),
    Accuracy::Depth(15),
    Accuracy::Depth(16),
    Accuracy::Depth(u8::MAX),
    Accuracy::Within(0.1),
    Accuracy::Exact,
];

/// Draws boxes, balls or a few triangles far apart.
fn scattered<T: Scalar>(random: &mut Random, kind: usize, count: usize) -> Geometry<T> {
    let mut at = || times(random.direction(), random.between(0.0, 4.0));
    let places: Vec<_> = (0..count).map(|_| at()).collect();
    let size = |random: &mut Random| random.decade(-2.0, 0.0);
    match kind % 3 {
        0 => Geometry::Boxes(
            places
                .iter()
                .map(|&at| solid(at, &random.rotation(), [(); 3].map(|()| size(random))))
                .collect(),
        ),
        1 => Geometry::Convex(
            places
                .iter()
                .map(|&at| {
                    let radius = T::nearest(size(random));
                    Sphere::new(Point3::from(vector(at)), radius).expect("a ball").into()
                })
                .collect(),
        ),
        _ => Geometry::Boxes(
            places.iter().map(|&at| solid(at, &support::plain_box::UPRIGHT, [0.3; 3])).collect(),
        ),
    }
}

/// Builds parts of one to 18 scattered primitives, and others.
fn model<T: Scalar>(random: &mut Random, parts: usize) -> Arc<Model<T>> {
    let mut builder = Model::builder();
    for i in 0..parts {
        let geometry = match i % 4 {
            0 => random_part(random, i / 4),
            1 => closed_meshes::solid(cube([0.3, 0.2, 0.1])),
            _ => {
                let (kind, count) = (random.below(3), 1 + random.below(18));
                scattered(random, kind, count)
            }
        };
        builder = builder.part(i.to_string(), None, geometry);
    }
    builder.build(&Build::default()).expect("a model")
}

fn poses<T: Scalar>(random: &mut Random, count: usize) -> Vec<Pose<T>> {
    let mut pose = |_| {
        let at = times(random.direction(), 5.0 * random.share());
        turned(random, at)
    };
    (0..count).map(&mut pose).collect()
}

/// Compares pairs of two characters and of one with the test of two trees.
fn as_two_trees<T: Scalar>(seed: u64) {
    let (mut random, mut found) = (Random(seed), 0);
    for round in 0..support::proof::at_least(48, 8) {
        // More parts than a word of the broad phase has, on either side.
        let parts = [[5, 9], [9, 5], [3, 70], [70, 3]][round / 2 % 4];
        let models = parts.map(|parts| model::<T>(&mut random, parts));
        let places = models.each_ref().map(|model| poses::<T>(&mut random, model.len()));
        let mut scene = Scene::new();
        let keys = [0, 1].map(|i| insert_posed(&mut scene, &models[i], &places[i]));
        let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
        let (mut scratch, mut own) = (TreeScratch::default(), SelfQueryScratch::default());
        let now = scene.snapshot(&mut buffers);
        let margin = [0.0, 0.0, 0.05, 0.7][round % 4];
        for accuracy in DIAL {
            let mut touch = |[a, b]: [usize; 2], [i, j]: [usize; 2]| {
                let tree = |of: usize, part: usize| models[of].parts()[part].tree().expect("one");
                let (x, y) = ((tree(a, i), &places[a][i]), (tree(b, j), &places[b][j]));
                let pair = TreePair::new(x.0, x.1, y.0, y.1).expect("poses");
                let pair = pair.margin(margin).expect("a margin");
                pair.intersects(accuracy, &mut scratch).expect("a question")
            };
            let mut asked = |query: PairQuery<'_>| -> BTreeSet<[usize; 2]> {
                let query = query.accuracy(accuracy).margin(margin);
                now.pairs(&query, &mut hits).expect("a question");
                hits.pairs().iter().map(|(a, b)| [a, b].map(|node| node.part.index())).collect()
            };
            let between = asked(PairQuery::between(keys[0], keys[1]));
            let back = asked(PairQuery::between(keys[1], keys[0]));
            assert_eq!(between, back.iter().map(|&[j, i]| [i, j]).collect());
            let within = asked(PairQuery::within(keys[1]));
            let is_exact = accuracy == Accuracy::Exact;
            for i in 0..models[0].len() {
                for j in 0..models[1].len() {
                    // World boxes may separate parts that tree boxes do not separate.
                    let touches = touch([0, 1], [i, j]);
                    let is_same = between.contains(&[i, j]) == touches;
                    assert!(is_same || touches && !is_exact, "{round} {accuracy:?} {i} {j}");
                    found += usize::from(touches);
                }
            }
            for i in 0..models[1].len() {
                for j in i + 1..models[1].len() {
                    let touches = touch([1, 1], [i, j]);
                    let is_same = within.contains(&[i, j]) == touches;
                    assert!(is_same || touches && !is_exact, "{round} {accuracy:?} {i} {j}");
                }
            }
            let query = SelfQuery::new(accuracy).margin(margin);
            let any = models[1].self_intersects(&places[1], query, &mut own).expect("poses");
            assert_eq!(any, !within.is_empty());
        }
    }
    assert!(found > 100, "{found}");
}
scalars! {
    few_boxes_as_two_trees => as_two_trees(81);
}

/// Cubes at the corners of a room, in one part; a smaller cube in the middle touches none of them,
/// and no tree is descended, in any orientation.
#[test]
fn boxes_far_apart_in_one_part_are_dropped_without_a_descent() {
    let (corners, mut random) = (cube([3.0; 3]).0, Random(82));
    let at = |corner: &[f64; 3]| solid::<f32>(*corner, &random.rotation(), [0.4; 3]);
    let room = Geometry::Boxes(corners.iter().map(at).collect());
    let room = model_of(vec![room]);
    let body = closed_meshes::solid::<f32>(cube([0.5; 3]));
    let body = model_of(vec![body]);
    let mut scene = Scene::new();
    let [room, body] = [&room, &body].map(|of| scene.insert(of, Spawn::default()).expect("room"));
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    for round in 0..50 {
        for key in [room, body] {
            scene.set_parts(key, &[turned(&mut random, [0.1, 0.0, 0.2])]).expect("a pose");
        }
        let now = scene.snapshot(&mut buffers);
        for accuracy in [Accuracy::Exact, Accuracy::default()] {
            for margin in [0.0, 0.5] {
                let query = PairQuery::between(room, body).accuracy(accuracy).margin(margin);
                let counts = now.pairs(&query, &mut hits).expect("a question").counts;
                assert!(hits.pairs().is_empty());
                let others = (counts.oriented, counts.hulls, counts.primitives, counts.points);
                // Each box of the room is compared with the whole body.
                let tested = (counts.parts, counts.boxes.iter().sum::<u64>(), others);
                assert_eq!(tested, (8, 0, (0, 0, 0, 0)), "{round}");
            }
        }
    }
}

/// Drops all parts of a character in the middle of such a room together, whichever character is
/// named first.
#[test]
fn all_parts_of_a_character_are_dropped_together() {
    let (corners, mut random) = (cube([3.0; 3]).0, Random(83));
    let at = |corner: &[f64; 3]| solid::<f32>(*corner, &random.rotation(), [0.4; 3]);
    let room = model_of(vec![Geometry::Boxes(corners.iter().map(at).collect())]);
    let small = || closed_meshes::solid::<f32>(cube([0.1; 3]));
    let body = model_of((0..20).map(|_| small()).collect());
    let mut scene = Scene::new();
    let [room, body] = [&room, &body].map(|of| scene.insert(of, Spawn::default()).expect("room"));
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    for round in 0..50 {
        scene.set_parts(room, &[turned(&mut random, [0.1, 0.0, 0.2])]).expect("a pose");
        let mut pose = |_| {
            let at = times(random.direction(), 0.4 * random.share());
            turned(&mut random, plus([0.1, 0.0, 0.2], at))
        };
        let poses: Vec<Pose<f32>> = (0..20).map(&mut pose).collect();
        scene.set_parts(body, &poses).expect("poses");
        let now = scene.snapshot(&mut buffers);
        for accuracy in [Accuracy::Exact, Accuracy::default()] {
            for (margin, [a, b]) in [(0.0, [room, body]), (0.3, [body, room])] {
                let query = PairQuery::between(a, b).accuracy(accuracy).margin(margin);
                let counts = now.pairs(&query, &mut hits).expect("a question").counts;
                assert!(hits.pairs().is_empty());
                assert_eq!((counts.parts, counts.tests()), (8, 0), "{round}");
            }
        }
    }
}
