//! Invariance of distances: arguments swapped, both parts moved, and in another unit.

use boxwood::pair::ClosestPoints;
use boxwood::shape::Pose;
use boxwood::tree::{Accuracy, Build, NodeId, ObbTree, TreePair, TreeScratch};
use nalgebra::Translation3;

use super::random_parts::{Subject, subjects};
use support::posed_characters::sized;
use support::prelude::*;

const DIAL: [Accuracy; 4] =
    [Accuracy::Depth(1), Accuracy::Depth(3), Accuracy::Within(0.1), Accuracy::Exact];

fn bits<T: Scalar>(found: &ClosestPoints<T, NodeId>) -> Vec<u64> {
    let ids = [found.a, found.b].map(|node| node.index() as u64);
    let points = found.on_a.iter().chain(found.on_b.iter()).copied();
    let numbers = points.chain([found.distance, found.slack]).map(T::bits);
    ids.into_iter().chain(numbers).collect()
}

fn ask<T: Scalar>(
    (a, pose_a): (&ObbTree<T>, &Pose<T>),
    (b, pose_b): (&ObbTree<T>, &Pose<T>),
    accuracy: Accuracy,
) -> ClosestPoints<T, NodeId> {
    let pair = TreePair::new(a, pose_a, b, pose_b).expect("sound poses");
    let found = pair.distance(accuracy, f64::INFINITY, &mut TreeScratch::default());
    found.expect("a question").expect("no cut-off")
}

fn swapped<T: Scalar>() {
    let mut random = Random(61);
    for round in 0..192 {
        let [a, b] = subjects::<T>(&mut random, round);
        // Some pairs are a tree with itself, some of those in one pose.
        let other = if round % 3 == 0 { &a } else { &b };
        let pose = if round % 6 == 0 { &a.pose } else { &b.pose };
        for accuracy in DIAL {
            let there = ask((&a.tree, &a.pose), (&other.tree, pose), accuracy);
            let back = ask((&other.tree, pose), (&a.tree, &a.pose), accuracy);
            assert_eq!(bits(&there), bits(&back.reversed()), "round {round} {accuracy:?}");
            assert!(round % 6 > 0 || there.distance == T::zero());
        }
    }
}

#[test]
fn one_geometry_in_trees_of_two_shapes_in_one_place() {
    let mut random = Random(62);
    for round in 0..16 {
        let part = random_part::<f64>(&mut random, round);
        let a = default_tree(part.clone());
        let b = ObbTree::build(part, &Build::fast()).expect("a part");
        let pose = turned(&mut random, [0.5, 0.0, 0.2]);
        for accuracy in DIAL {
            let there = ask((&a, &pose), (&b, &pose), accuracy);
            assert_eq!(there.distance, 0.0);
            assert_eq!(bits(&there), bits(&ask((&b, &pose), (&a, &pose), accuracy).reversed()));
        }
    }
}

#[test]
fn moving_both_changes_the_distance_by_rounding_alone() {
    let mut random = Random(63);
    for round in 0..128 {
        let [a, b] = subjects::<f64>(&mut random, round);
        let by = turned::<f64>(&mut random, [3.0, -20.0, 7.0]);
        for accuracy in DIAL {
            let here = ask((&a.tree, &a.pose), (&b.tree, &b.pose), accuracy);
            let there = ask((&a.tree, &(by * a.pose)), (&b.tree, &(by * b.pose)), accuracy);
            // Products of quaternions are rounded, which moves the far end of an arm of 1e4.
            let far = a.pose.translation.vector.norm() + 30.0;
            let off = (here.distance - there.distance).abs();
            assert!(off < 1e-12 * far, "round {round} {accuracy:?}: {off}");
        }
    }
}

/// Checks that a unit smaller by a power of two scales lengths by exactly that power.
#[test]
fn another_unit_changes_no_digit() {
    let mut random = Random(64);
    for round in 0..96 {
        let [a, b] = subjects::<f64>(&mut random, 16 * (round / 2) + round % 3);
        for power in [-30, -3, 20] {
            let unit = 2f64.powi(power);
            let [small_a, small_b] = [&a, &b].map(|subject| scaled(subject, unit));
            let here = ask((&a.tree, &a.pose), (&b.tree, &b.pose), Accuracy::Exact);
            let there = ask(
                (&small_a.tree, &small_a.pose),
                (&small_b.tree, &small_b.pose),
                Accuracy::Exact,
            );
            assert_eq!(here.distance * unit, there.distance, "round {round}, unit {unit}");
        }
    }
}

fn scaled(subject: &Subject<f64>, unit: f64) -> Subject<f64> {
    let geometry = sized(subject.tree.geometry(), unit);
    let at = Translation3::from(subject.pose.translation.vector * unit);
    Subject::new(geometry, Pose::from_parts(at, subject.pose.rotation), 1)
}

scalars! {
    swapping_the_parts_reverses_the_answer_bit_for_bit => swapped();
}
