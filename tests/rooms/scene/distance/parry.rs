//! Distances of parts against parry3d.

use boxwood::tree::{Accuracy, TreePair, TreeScratch};

use super::random_parts::subjects;
use support::parry::Peer;
use support::prelude::*;

/// Compares where the error of parry3d's iteration, about `1e-7` of the sizes, does not matter;
/// brute force decides the rest.
#[test]
fn meshes_and_boxes_are_as_far_apart_as_there() {
    let (mut random, mut compared, mut worst) = (Random(71), 0, 0.0f64);
    for round in 0..256 {
        let [a, b] = &subjects::<f64>(&mut random, round);
        let there = TreePair::new(&a.tree, &a.pose, &b.tree, &b.pose).expect("sound poses");
        let mut scratch = TreeScratch::default();
        let mine = there.distance(Accuracy::Exact, f64::INFINITY, &mut scratch);
        let mine = mine.expect("a question").expect("no cut-off").distance;
        let [p, q] = [a, b].map(|one| Peer::part(one.tree.geometry(), &one.pose));
        let other = p.distance(&q);
        let off = (mine - other).abs();
        worst = worst.max(off);
        compared += usize::from(other > 1e-3);
        assert!(off < 1e-5, "round {round}: {mine}, there {other}");
        let mut within = |margin: f64| {
            let there = there.margin(margin.max(0.0)).expect("a margin");
            there.intersects(Accuracy::Exact, &mut scratch).expect("a question")
        };
        assert!(within(other + 1e-5), "round {round}: misses what is {other} apart there");
        assert!(other < 2e-5 || !within(other - 1e-5), "round {round}: {other} apart there");
    }
    println!("{compared} of 256 apart, the worst differs by {worst:e}");
    assert!(compared > 64);
}
