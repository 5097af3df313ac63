//! Swapped trees give the reversed answer.

use boxwood::tree::{Build, ObbTree, TreePair, TreeScratch};

use support::brute_force::bits;
use support::node_pairs::{Pairs, descend, same_without_a_tree};
use support::prelude::*;

fn reversed(pairs: &Pairs) -> Pairs {
    let mut pairs: Pairs = pairs.iter().map(|&(a, b)| (b, a)).collect();
    pairs.sort_unstable();
    pairs
}

fn swapped<T: Scalar>() {
    let (mut random, mut scratch, mut compared) = (Random(41), TreeScratch::default(), 0);
    for round in 0..60 {
        let a = ObbTree::<T>::build(random_part(&mut random, round), &Build::default());
        let other = ObbTree::<T>::build(random_part(&mut random, round / 4), &Build::default());
        let a = a.expect("a part");
        // Some pairs are a tree with itself, some of those in one pose.
        let b = if round % 3 == 0 { a.clone() } else { other.expect("a part") };
        let pose_a = turned::<T>(&mut random, [0.5, 0.0, 0.2]);
        let mut pose_b = turned::<T>(&mut random, [0.7, 0.3, 0.0]);
        if round % 2 == 0 {
            pose_b = pose_a;
        }
        let there = TreePair::new(&a, &pose_a, &b, &pose_b).expect("sound poses");
        let back = TreePair::new(&b, &pose_b, &a, &pose_a).expect("sound poses");
        for depth in 0..=a.depth().max(b.depth()) {
            let found = descend(&there, depth, &mut scratch);
            assert_eq!(reversed(&found), descend(&back, depth, &mut scratch));
            // Equal nodes in one pose: no order is defined.
            let same = round % 6 == 0;
            let answer = found.iter().filter(|(i, j)| !same || i != j);
            for &(i, j) in answer.step_by(7) {
                let (one, two) = (there.contact(i, j), back.contact(j, i));
                assert_eq!(bits(&one.reversed()), bits(&two), "round {round} {i:?} {j:?}");
                compared += 1;
            }
        }
    }
    println!("{compared} contacts asked both ways");
    assert!(compared > 1_000);
}

/// Checks one geometry in trees of two shapes in one pose: an order decided by the nodes alone
/// would fail.
fn same_geometry_other_tree<T: Scalar>() {
    let mut random = Random(42);
    for round in 0..8 {
        let part = random_part::<T>(&mut random, round);
        let a = default_tree(part.clone());
        let b = ObbTree::build(part, &Build::fast()).expect("a part");
        let pose = turned(&mut random, [0.5, 0.0, 0.2]);
        let (there, back) = (
            TreePair::new(&a, &pose, &b, &pose).expect("sound poses"),
            TreePair::new(&b, &pose, &a, &pose).expect("sound poses"),
        );
        same_without_a_tree((&a, &pose), (&b, &pose));
        let mut scratch = TreeScratch::default();
        for depth in 0..=a.depth() {
            let found = descend(&there, depth, &mut scratch);
            assert_eq!(reversed(&found), descend(&back, depth, &mut scratch));
            for &(i, j) in found.iter().step_by(5) {
                assert_eq!(bits(&there.contact(i, j).reversed()), bits(&back.contact(j, i)));
            }
        }
    }
}

scalars! {
    swapping_the_trees_reverses_the_answer_bit_for_bit => swapped();
    two_trees_of_one_geometry_in_one_place => same_geometry_other_tree();
}
