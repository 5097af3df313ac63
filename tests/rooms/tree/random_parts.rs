//! Pairs of random parts, near and at touching distance.

use boxwood::tree::{Build, ObbTree};

use support::node_pairs::{Census, same_by_projection, same_without_a_tree, touching_distance};
use support::prelude::*;

fn builds() -> [Build; 3] {
    [Build::default(), Build::fast(), Build::default().max_depth(3).leaf_primitives(2)]
}

fn tries<T: Scalar>(
    seed: u64,
    count: usize,
    mut each: impl FnMut([&ObbTree<T>; 2], [&boxwood::shape::Pose<T>; 2]),
) {
    let mut random = Random(seed);
    for round in 0..count {
        let build = &builds()[round % 3];
        let a = ObbTree::<T>::build(random_part(&mut random, round), build).expect("a part");
        let b = ObbTree::<T>::build(random_part(&mut random, round / 4), build).expect("a part");
        let pose_a = turned(&mut random, [0.3, -0.2, 0.5]);
        let (turn, direction) = (turned::<T>(&mut random, [0.0; 3]), random.direction());
        let at = |distance: f64| {
            let mut pose = turn;
            let offset = support::plain_box::plus([0.3, -0.2, 0.5], times(direction, distance));
            pose.translation.vector = support::random_parts::vector(offset);
            pose
        };
        let touching = touching_distance((&a, &pose_a), (&b, at));
        for share in [0.0, 0.3, 0.6, 0.9, 0.97, 1.0 - 1e-6, 1.0, 1.0 + 1e-6, 1.03, 1.1] {
            each([&a, &b], [&pose_a, &at(touching * share)]);
        }
    }
}

fn without_a_tree<T: Scalar>() {
    let (mut pairs, mut touching) = (0, 0);
    tries::<T>(7, 160, |[a, b], [pose_a, pose_b]| {
        touching += same_without_a_tree((a, pose_a), (b, pose_b));
        pairs += 1;
    });
    println!("{pairs} pairs of trees, {touching} pairs of leaves touching");
    assert!(touching > 3 * pairs);
}

fn by_projection<T: Scalar>() {
    let mut census = Census::default();
    tries::<T>(8, 24, |[a, b], [pose_a, pose_b]| {
        for depth in 0..=a.depth().max(b.depth()) {
            same_by_projection((a, pose_a), (b, pose_b), depth, &mut census);
        }
    });
    println!("{census:?}");
    assert!(census.touching > 1_000 && census.apart > 1_000);
    assert!(census.banded * 50 < census.touching + census.apart, "{census:?}");
}

scalars! {
    traversal_finds_the_pairs_of_brute_force => without_a_tree();
    verdicts_agree_with_projected_corners => by_projection();
}
