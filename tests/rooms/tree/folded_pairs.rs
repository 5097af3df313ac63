//! Bounds of two triangles that share an edge: above all samples of the box, and hardly above the
//! farthest, however sharp the fold.

use boxwood::tree::{Build, NodeId, ObbTree};

use support::node_samples::sampled;
use support::prelude::*;
use support::random_parts::mesh;

/// Returns two triangles on both sides of an edge, in a random frame: `angle` is that of the fold,
/// 0 for a flat pair.
fn folded(random: &mut Random, angle: f64) -> [[V; 3]; 2] {
    let ([x, y, z], size) = (random.rotation(), random.decade(-2.0, 2.0));
    let far = if random.chance(0.2) { random.between(0.0, 1000.0) * size } else { 0.0 };
    let at = |[a, b, c]: V| {
        let local = plus(plus(times(x, a), times(y, b)), times(z, c));
        plus(times(local, size), [far, -far, 0.5 * far])
    };
    let mut apex = |side: f64, turn: f64| {
        let (along, height) = (random.between(-0.7, 1.7), random.decade(-1.5, 0.5));
        [along, side * height * turn.cos(), height * turn.sin()]
    };
    let apexes = [apex(1.0, 0.0), apex(-1.0, angle)];
    let ends = [at([0.0; 3]), at([1.0, 0.0, 0.0])];
    [[ends[0], ends[1], at(apexes[0])], [ends[1], ends[0], at(apexes[1])]]
}

fn pairs<T: Scalar>() {
    let (mut random, mut ratios) = (Random(77), Vec::new());
    for case in 0..cases(400) {
        let turn = random.between(0.0, 2.8);
        let angle = [turn, 0.02 * turn, 1e-4 * turn][case % 3] * random.sign();
        let mut triangles = folded(&mut random, angle);
        // The shared edge begins at any corner.
        triangles[0].rotate_left(random.below(3));
        triangles[1].rotate_left(random.below(3));
        let tree = default_tree::<T>(mesh(&triangles));
        let root = tree.node(NodeId::ROOT);
        let (bound, radius) = (root.bound().wide(), PlainBox::of(root.oriented()).radius());
        let farthest = sampled(&tree, NodeId::ROOT, &mut random);
        assert!(farthest <= bound + 1e-14 * radius, "case {case}: {farthest:e} {bound:e}");
        if farthest > 1e-4 * radius {
            ratios.push(bound / farthest);
        }
    }
    ratios.sort_by(f64::total_cmp);
    let at = |share: f64| ratios[(share * (ratios.len() - 1) as f64) as usize];
    println!(
        "{} pairs: median {:.4}, 90 % {:.4}, most {:.4}",
        ratios.len(),
        at(0.5),
        at(0.9),
        at(1.0)
    );
    assert!(at(0.5) < 1.005 && at(1.0) < 1.2, "{} {}", at(0.5), at(1.0));
}

/// Checks rectangles along the axes of the part: they fill their boxes, so that nothing is left.
fn flat<T: Scalar>() {
    let mut random = Random(78);
    for _ in 0..cases(100) {
        let (w, h) = (random.between(0.1, 3.0), random.between(0.1, 3.0));
        let at = random.between(-5.0, 5.0);
        let mut corners = [[0.0, 0.0, at], [w, 0.0, at], [w, h, at], [0.0, h, at]];
        let turn = random.below(3);
        corners.iter_mut().for_each(|corner| corner.rotate_left(turn));
        let [a, b, c, d] = corners;
        let tree = ObbTree::<T>::build(mesh(&[[a, b, c], [a, c, d]]), &Build::default());
        let tree = tree.expect("a part");
        let bound = tree.node(NodeId::ROOT).bound().wide();
        let rounding = (8.0 * T::ROUNDING + 1e-12) * (w + h + at.abs());
        assert!(bound <= rounding, "{bound:e} of {w} x {h} at {at}");
    }
}

scalars! {
    bounds_of_folded_pairs_are_close => pairs();
    flat_pairs_fill_their_boxes => flat();
}
