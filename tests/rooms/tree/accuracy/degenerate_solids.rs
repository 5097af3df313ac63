//! Closed shapes of every kind, their surfaces, soups and boxes, across and inside each other, at
//! every accuracy.

use std::collections::HashSet;

use boxwood::Accuracy;
use boxwood::shape::Pose;
use boxwood::tree::{Geometry, ObbTree, TreePair, TreeScratch};

use super::hard_poses::any_build;
use super::reported_slack::{Tally, all, one_place};
use support::closed_meshes::{
    Faces, both, cube, shell, shifted, solid, sphere, surface, torus, turned_over,
};
use support::exact_parts::Part;
use support::prelude::*;

type Shape<T> = (&'static str, ObbTree<T>, Part);

/// Returns closed meshes, each degenerate in some way.
fn closed() -> Vec<(&'static str, Faces)> {
    let thick = shifted(cube([0.5; 3]), [1.0, 0.0, 0.0]);
    vec![
        ("cube", cube([1.0; 3])),
        ("small cube", cube([0.125; 3])),
        ("plate", cube([2.0, 1.0, 0.03125])),
        ("ball", sphere(1.0, 6)),
        ("torus", torus(1.0, 0.375, 10, 6)),
        ("shell", shell(2.0, 1.0)),
        ("ball in a shell", both(shell(2.0, 1.0), sphere(0.5, 4))),
        ("ball in a cube", both(cube([2.0; 3]), sphere(0.5, 4))),
        ("two apart", both(cube([0.5; 3]), shifted(sphere(0.5, 4), [2.0, 0.0, 0.0]))),
        ("overlapping", both(cube([1.0; 3]), thick.clone())),
        ("cancelling in part", both(cube([1.0; 3]), turned_over(thick))),
        ("inside out", turned_over(cube([1.0; 3]))),
        ("twice", both(cube([1.0; 3]), cube([1.0; 3]))),
        ("nothing but skin", both(cube([1.0; 3]), turned_over(cube([1.0; 3])))),
        ("flat", cube([1.0, 1.0, 0.0])),
        ("a segment", cube([1.0, 0.0, 0.0])),
    ]
}

fn shapes<T: Scalar>(random: &mut Random) -> Vec<Shape<T>> {
    let mut all: Vec<(&str, Geometry<T>)> = Vec::new();
    for (name, faces) in closed() {
        all.push((name, solid(faces.clone())));
        if random.chance(0.5) {
            all.push((name, surface(faces)));
        }
    }
    let block = |low: f64, high: f64| upright_solid::<T>([low; 3], [high; 3]);
    all.push(("a box", Geometry::Boxes(vec![block(-1.0, 1.0)])));
    all.push((
        "boxes",
        Geometry::Boxes(vec![block(-1.0, 0.0), block(0.0, 0.5), block(2.0, 2.125)]),
    ));
    all.extend((0..4).map(|kind| ("random", random_part(random, kind))));
    let tree = |(name, geometry): (&'static str, Geometry<T>)| {
        let build = any_build(random);
        let part = Part::of(&geometry);
        let tree = ObbTree::build(geometry, &build).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(tree.validate(), Ok(()), "{name}");
        (name, tree, part)
    };
    all.into_iter().map(tree).collect()
}

/// Returns poses: flush, nested, or random.
fn places<T: Scalar>(random: &mut Random, index: usize) -> [Pose<T>; 2] {
    let step: V = std::array::from_fn(|_| 0.5 * (random.below(11) as f64 - 5.0));
    let at: V = [3.0, -1.0, 0.5];
    match index % 3 {
        // On a lattice, axis-aligned: shared corners and planes.
        0 => [upright(at), upright(plus(at, step))],
        1 => {
            // Equally rotated; the step is rounded.
            let pose = turned::<T>(random, at);
            let mut other = pose;
            other.translation.vector += pose.rotation * vector::<T>(step);
            [pose, other]
        }
        _ => {
            let away = times(random.direction(), random.between(0.0, 3.0));
            [turned(random, at), turned(random, plus(at, away))]
        }
    }
}

fn every_two<T: Scalar>(seed: u64) {
    let (mut random, mut tally) = (Random(seed), Tally::default());
    let shapes = shapes::<T>(&mut random);
    let firsts = support::proof::at_least(shapes.len(), 6);
    for (i, (_, a, part_a)) in shapes.iter().enumerate().take(firsts) {
        for (j, (_, b, part_b)) in shapes.iter().enumerate() {
            let [p, q] = places::<T>(&mut random, i + j);
            one_place((a, part_a, &p), (b, part_b, &q), &mut tally);
        }
    }
    let Tally { poses, touching, within, held, worst, .. } = tally;
    println!(
        "{} shapes: {touching} of {poses} places touch, {within} one inside the other; \
         {held} reported pairs, worst {worst:.4}",
        shapes.len()
    );
    assert!(touching > poses / 4 && touching < poses * 3 / 4 && within > firsts.min(16) / 4);
}

/// Tests a tree with itself in one pose, and with another tree of the same part.
fn upon_themselves<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    let shapes = shapes::<T>(&mut random);
    let mut tally = Tally::default();
    for (_, tree, part) in &shapes {
        let pose = turned::<T>(&mut random, [1.0, 2.0, 3.0]);
        let other = ObbTree::build(tree.geometry().clone(), &any_build(&mut random));
        let other = other.expect("a part");
        one_place((tree, part, &pose), (tree, part, &pose), &mut tally);
        one_place((tree, part, &pose), (&other, part, &pose), &mut tally);
    }
    println!("{} of {} touch themselves, {} reported", tally.touching, tally.poses, tally.held);
    assert_eq!(tally.touching, tally.poses);
}

#[test]
fn equal_shapes_in_one_pose() {
    upon_themselves::<f32>(903);
    if support::proof::factor() >= 1.0 {
        upon_themselves::<f64>(904);
    }
}

/// Checks equal trees in one pose, which are one query in either order: its answer equals its
/// reverse.
#[test]
fn a_budget_on_equal_trees() {
    let tree = default_tree(surface::<f32>(cube([1.0; 3])));
    let pose = upright([0.0; 3]);
    let pair = TreePair::new(&tree, &pose, &tree, &pose).expect("sound poses");
    let mut scratch = TreeScratch::default();
    for most in 0..200 {
        let touches = all(&pair, Accuracy::Budget(most), &mut scratch);
        let here: HashSet<_> = touches.iter().map(|t| (t.a, t.b, t.by)).collect();
        let mirrored: HashSet<_> = touches.iter().map(|t| (t.b, t.a, t.by)).collect();
        assert_eq!(here, mirrored, "a budget of {most}");
    }
}

scalars! {
    every_two_shapes => every_two(901; 902);
}
