//! Pairs of trees without a scene, and self-collision of characters.

use std::ops::ControlFlow;

use boxwood::shape::Pose;
use boxwood::tree::{ObbTree, TreePair};
use boxwood::{Accuracy, PartId};

use crate::answers::{AsText, Number};
use crate::buffers::Tools;
use crate::digest::Row;
use crate::scene_queries::reported;
use crate::test_scenes::TestScene;

/// Placed part of a character.
struct Body<'a, T: Number> {
    of: (usize, usize),
    tree: &'a ObbTree<T>,
    pose: &'a Pose<T>,
}

/// Returns pairs of parts that may touch, some of each two near characters.
fn couples<'a, T: Number>(stage: &'a TestScene<T>, most: usize) -> Vec<[Body<'a, T>; 2]> {
    let mut buffers = boxwood::scene::Buffers::with_simd_level(boxwood::SimdLevel::PLAIN);
    let now = stage.scene.snapshot(&mut buffers);
    let body = |character: usize, part: PartId| {
        let key = stage.keys[character];
        let tree = stage.scene.model(key).expect("a key").parts()[part.index()].tree();
        let pose = stage.scene.pose(key, part).expect("a part");
        Body { of: (character, part.index()), tree: tree.expect("boxes"), pose }
    };
    let (mut found, count) = (Vec::new(), stage.keys.len());
    for a in 0..count {
        for b in a + 1..count {
            let near = now.part_aabb_pairs(stage.keys[a], stage.keys[b]).expect("keys");
            // Neither all near ones nor only the first.
            let some = near.enumerate().filter(|(at, _)| at % 3 == a % 3).take(4);
            found.extend(some.map(|(_, (p, q))| [body(a, p), body(b, q)]));
        }
    }
    let step = found.len().div_ceil(most).max(1);
    found.into_iter().step_by(step).collect()
}

fn placed<'a, T: Number>([a, b]: &[Body<'a, T>; 2]) -> TreePair<'a, T> {
    TreePair::new(a.tree, a.pose, b.tree, b.pose).expect("sound poses")
}

/// Returns touching primitives, intersection and distance of two trees, exactly.
pub fn primitives<T: Number>(stage: &TestScene<T>, tools: &mut Tools<T>) -> Row {
    let mut row = stage.row("geometry", "primitives");
    tools.renew();
    for couple in couples(stage, 60) {
        let (pair, mut touching) = (placed(&couple), Vec::new());
        let _ = pair.visit_primitives(&mut tools.trees, |a, b| {
            touching.push((a, b));
            ControlFlow::Continue(())
        });
        touching.sort_unstable();
        let any = pair.intersects(Accuracy::Exact, &mut tools.trees);
        let apart = pair.distance(Accuracy::Exact, f64::INFINITY, &mut tools.trees);
        let apart = apart.map(|apart| apart.map(|apart| apart.distance));
        let question = format!("{:?} and {:?}", couple[0].of, couple[1].of);
        row.ask(question, (any, apart, touching).said());
    }
    row
}

/// Returns touching nodes, contacts and distance of two trees, at each accuracy.
pub fn nodes<T: Number>(stage: &TestScene<T>, tools: &mut Tools<T>) -> Row {
    let mut row = stage.row("volumes", "trees");
    tools.renew();
    let mut accuracies = stage.accuracies();
    accuracies.push(("budget", Accuracy::Budget(25)));
    for couple in couples(stage, 24) {
        let pair = placed(&couple);
        for &(which, accuracy) in &accuracies {
            let mut touching = Vec::new();
            let visited = pair.visit(accuracy, &mut tools.trees, |touch| {
                touching.push((touch.a, touch.b, touch.by.said()));
                ControlFlow::Continue(())
            });
            visited.map(|_| ()).expect("sound");
            touching.sort_unstable();
            let answer = touching.iter().take(40).map(|(a, b, by)| {
                (a.index(), b.index(), by.as_str(), pair.contact(*a, *b), pair.touches(*a, *b))
            });
            let answer: Vec<_> = answer.collect();
            let apart = pair.distance(accuracy, f64::INFINITY, &mut tools.trees).map(|apart| {
                apart.map(|d| (d.a.index(), d.b.index(), d.distance, d.on_a, d.on_b, d.slack))
            });
            let all = touching.iter().map(|(a, b, _)| (a.index(), b.index()));
            let question = format!("{:?} and {:?} at {which}", couple[0].of, couple[1].of);
            row.ask(question, (answer, apart, all.collect::<Vec<_>>()).said());
        }
    }
    row
}

/// Returns self-collision, exactly: touching characters, distances of the others, and contacts.
pub fn own<T: Number>(stage: &TestScene<T>, tools: &mut Tools<T>) -> [Row; 3] {
    let kinds = ["self_pairs", "self_distances", "self_distances_where"];
    let mut rows = kinds.map(|kind| stage.row("geometry", kind));
    tools.renew();
    for (at, &key) in stage.keys.iter().enumerate() {
        let model = stage.scene.model(key).expect("a key");
        let (poses, own) = (stage.scene.poses(key).expect("a key"), &mut tools.own);
        let any = model.self_intersects(poses, Accuracy::Exact, own);
        let pairs = model.self_pairs(poses, Accuracy::Exact, own).map(indices);
        rows[0].ask(format!("character {at}"), (any, pairs).said());
        for max_distance in [f64::INFINITY, 0.1 * stage.length] {
            let found =
                model.self_distance(poses, Accuracy::Exact, max_distance, own).expect("sound");
            let question = format!("character {at}, no further than {max_distance}");
            rows[1].ask(question.as_str(), found.map(|found| found.distance).said());
            let place = found
                .map(|found| (found.a.part.index(), found.b.part.index(), found.on_a, found.on_b));
            rows[2].ask(question, place.said());
        }
    }
    rows
}

fn indices(pairs: &[(PartId, PartId)]) -> Vec<(usize, usize)> {
    pairs.iter().map(|(a, b)| (a.index(), b.index())).collect()
}

/// Returns the same self-collision at each accuracy, with nodes and slack.
pub fn rough_own<T: Number>(stage: &TestScene<T>, tools: &mut Tools<T>) -> Row {
    let mut row = stage.row("volumes", "self");
    tools.renew();
    let mut accuracies = stage.accuracies();
    accuracies.push(("budget", Accuracy::Budget(60)));
    for (which, accuracy) in accuracies {
        for (at, &key) in stage.keys.iter().enumerate() {
            let model = stage.scene.model(key).expect("a key");
            let (poses, own) = (stage.scene.poses(key).expect("a key"), &mut tools.own);
            let any = model.self_intersects(poses, accuracy, own);
            let pairs = model.self_pairs(poses, accuracy, own).map(indices);
            let report = reported(own.report());
            let apart = model.self_distance(poses, accuracy, f64::INFINITY, own).map(|found| {
                found.map(|found| {
                    let of = (found.a.part.index(), found.b.part.index());
                    let nodes = (found.a.node.index(), found.b.node.index());
                    (of, nodes, found.distance, found.on_a, found.on_b, found.slack)
                })
            });
            row.ask(format!("character {at} at {which}"), (any, pairs, report, apart).said());
        }
    }
    row
}
