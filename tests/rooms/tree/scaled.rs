//! Scaled trees: scaled by a power of two they equal trees built of the scaled geometry, bit for
//! bit; by other factors they are sound, with bounds above all samples, and give the answers of
//! rebuilt trees.

use boxwood::pair::ConvexShape;
use boxwood::shape::Pose;
use boxwood::tree::{Accuracy, Build, Geometry, NodeId, ObbTree, Split, TreePair, TreeScratch};
use boxwood::{Error, Mesh, Obb};

use super::hull_bounds::check;
use super::hulls::holds_its_primitives;
use support::closed_meshes::{both, cube, shell, shifted, solid, sphere, torus};
use support::convex_bodies::{Body, BodyKind};
use support::degenerate_parts::{KINDS, awkward};
use support::node_samples::sampled;
use support::prelude::*;

const BUILDS: [Build; 4] =
    [Build::new(), Build::tight(), Build::fast(), Build::new().split(Split::BottomUp)];

/// Returns parts of every kind: soups, plates, boxes, degenerate ones, closed ones, and mixtures of
/// bodies.
fn parts<T: Scalar>(random: &mut Random) -> Vec<Geometry<T>> {
    let mut parts: Vec<Geometry<T>> = (0..4).map(|kind| random_part(random, kind)).collect();
    parts.extend((0..KINDS).map(|kind| awkward(random, kind, 1.0)));
    let faces = [sphere(0.7, 6), torus(1.0, 0.2, 9, 5), shell(1.0, 0.6), cube([0.3, 2.0, 0.1])];
    parts.extend(faces.iter().cloned().map(solid));
    parts.push(solid(both(faces[0].clone(), shifted(faces[1].clone(), [5.0, 0.1, -3.0]))));
    let body = |random: &mut Random, kind| Body::random(random, kind, (1.0, 2.0)).shape();
    parts.extend(BodyKind::ALL.map(|kind| Geometry::Convex(vec![body(random, kind)])));
    parts.push(Geometry::Convex(BodyKind::ALL.map(|kind| body(random, kind)).to_vec()));
    parts
}

fn powers_of_two<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    for round in 0..at_least(12, 2) {
        for (index, geometry) in parts::<T>(&mut random).into_iter().enumerate() {
            let build = BUILDS[(round + index) % 4];
            let tree = ObbTree::build(geometry.clone(), &build).expect("a tree");
            for factor in [2.0, 0.5, 2f64.powi(20), 2f64.powi(-17)] {
                let scaled = tree.scaled(factor).expect("in range");
                let context = format!("part {index}, times {factor}, {build:?}");
                let anew = geometry.scaled(factor).expect("in range");
                assert_eq!(scaled.geometry(), &anew, "{context}");
                let anew = ObbTree::build(anew, &build).expect("a tree");
                assert!(scaled == anew, "{context}: not what a build makes");
                assert!(scaled.scaled(1.0 / factor) == Ok(tree.clone()), "{context}: and back");
                let alike = scaled.geometry() == tree.geometry(); // all of it at the origin
                assert_eq!(scaled.fingerprint() == tree.fingerprint(), alike, "{context}");
                for node in 0..tree.len() {
                    let [old, new] = [&tree, &scaled].map(|tree| tree.node(NodeId::new(node)));
                    assert_eq!(new.bound().wide(), factor * old.bound().wide(), "{context}");
                }
            }
            let cut = tree.scaled(2.0).map(|scaled| scaled.cut_off(2));
            assert!(tree.cut_off(2).scaled(2.0) == cut, "part {index} cut off");
            assert!(tree.scaled(1.0) == Ok(tree), "part {index} as it is");
        }
    }
}

/// Factors that round everything, some of them far from one.
fn factor(random: &mut Random, round: usize) -> f64 {
    match round % 3 {
        0 => 1.37,
        1 => random.decade(-1.0, 1.0),
        _ => random.decade(-9.0, 9.0),
    }
}

fn other_factors<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    let mut closest = 0.0f64;
    for round in 0..at_least(30, 3) {
        for (index, geometry) in parts::<T>(&mut random).into_iter().enumerate() {
            let build = BUILDS[(round + index) % 4];
            let factor = factor(&mut random, round);
            let context = format!("part {index}, times {factor}, {build:?}");
            let tree = ObbTree::build(geometry, &build).expect("a tree");
            let scaled = tree.scaled(factor).expect("in range");
            assert_eq!(scaled.validate(), Ok(()), "{context}");
            assert_eq!((scaled.len(), scaled.depth()), (tree.len(), tree.depth()), "{context}");
            for node in (0..tree.len()).map(NodeId::new) {
                assert_eq!(scaled.primitives(node), tree.primitives(node), "{context}");
                let (old, new) = (tree.node(node), scaled.node(node));
                assert_eq!(old.children(), new.children(), "{context}");
                // Proved again, and not much looser than before.
                let (old, new) = (factor * old.bound().wide(), new.bound().wide());
                let size = scaled.radius_about_origin().wide();
                assert!(new <= old + 4e3 * T::ROUNDING * size, "{context} {node}: {old} {new}");
                closest = closest.max((new - old) / (T::ROUNDING * size));
            }
        }
    }
    println!("bounds grow by at most {closest:.1} roundings of the reach");
}

/// A point is no nearer to a body: how far it is beyond planes that the body reaches.
fn at_least_outside(body: &Body, p: V, random: &mut Random) -> f64 {
    let beyond = |n: V| inner(n, p) - body.reach(n);
    let out = minus(p, body.center);
    let own = [times(out, 1.0 / norm(out).max(1e-300))].into_iter().chain(body.axes);
    let ways = own.chain((0..50).map(|_| random.direction()));
    ways.map(|n| beyond(n).max(beyond(times(n, -1.0)))).fold(0.0, f64::max)
}

/// Asserts that no sample of a box of a part of one body is further from it than the bound.
fn body_within(body: &Body, shape: &ConvexShape<f64>, factor: f64, random: &mut Random) {
    let part = Geometry::Convex(vec![shape.clone()]);
    let tree = default_tree(part);
    let scaled = tree.scaled(factor).expect("in range");
    let (block, bound) =
        (PlainBox::of(scaled.node(NodeId::ROOT).oriented()), scaled.node(NodeId::ROOT).bound());
    for sample in 0..200 {
        let share: V = std::array::from_fn(|i| match sample {
            0..8 => [-1.0, 1.0][sample >> i & 1],
            _ => random.between(-1.0, 1.0),
        });
        let p = (0..3)
            .fold(block.center, |p, k| plus(p, times(block.axes[k], share[k] * block.half[k])));
        let excess = factor * at_least_outside(body, times(p, 1.0 / factor), random);
        assert!(excess <= bound * (1.0 + 1e-9) + 1e-12 * factor, "{body:?}: {excess} > {bound}");
    }
}

#[test]
fn no_sample_of_a_box_is_further_away_than_its_bound() {
    let mut random = Random(75);
    for round in 0..at_least(40, 4) {
        let factor = factor(&mut random, round);
        for kind in BodyKind::ALL {
            let body = Body::random(&mut random, kind, (1.0, 2.0));
            body_within(&body, &body.shape(), factor, &mut random);
        }
    }
    for (round, geometry) in parts::<f32>(&mut random).into_iter().enumerate() {
        if matches!(geometry, Geometry::Convex(_)) {
            continue;
        }
        let tree = default_tree(geometry);
        let scaled = tree.scaled(factor(&mut random, round)).expect("in range");
        for node in [0, 1, 2, 5, 9].into_iter().filter(|&node| node < scaled.len()) {
            let node = NodeId::new(node);
            let bound = scaled.node(node).bound();
            if bound == 0.0 {
                continue; // the box is the primitive, up to angles that are not exactly right
            }
            let farthest = sampled(&scaled, node, &mut random);
            assert!(farthest <= f64::from(bound), "part {round}, {node}: {farthest} > {bound}");
        }
    }
}

#[test]
fn scaled_hulls_contain_their_primitives_and_are_within_their_bounds() {
    let mut random = Random(78);
    let (mut held, mut near) = (0, 0);
    for round in 0..at_least(20, 2) {
        for geometry in parts::<f32>(&mut random) {
            let tree = default_tree(geometry);
            let scaled = tree.scaled(factor(&mut random, round)).expect("in range");
            held += holds_its_primitives(&scaled);
            near += check(&scaled, 5, &mut random).len();
        }
    }
    println!("{held} hulls hold what they should, {near} are near");
    assert!(held > 100 && near > 20);
}

/// Compares answers of two placed trees between a scaled tree and a rebuilt one.
fn answers_alike<T: Scalar>(trees: [&ObbTree<T>; 2], anew: [&ObbTree<T>; 2], poses: &[Pose<T>; 2]) {
    let mut scratch = TreeScratch::default();
    let pair = |[a, b]: [&ObbTree<T>; 2], scratch: &mut TreeScratch| {
        let pair = TreePair::new(a, &poses[0], b, &poses[1]).expect("poses");
        let touch = pair.intersects(Accuracy::Exact, scratch).expect("an answer");
        let near = pair.distance(Accuracy::Exact, f64::INFINITY, scratch).expect("an answer");
        (touch, near.expect("no limit").distance.wide())
    };
    let (one, other) = (pair(trees, &mut scratch), pair(anew, &mut scratch));
    assert_eq!(one.0, other.0);
    let size: f64 = trees.iter().map(|tree| tree.radius_about_origin().wide()).sum();
    let [x, y, z] = poses[1].translation.vector.map(T::wide).into();
    let at: f64 = x.abs() + y.abs() + z.abs() + size;
    assert!((one.1 - other.1).abs() <= 16.0 * T::ROUNDING * at, "{one:?} {other:?}");
}

#[test]
fn exact_answers_equal_those_of_rebuilt_trees() {
    let mut random = Random(76);
    for round in 0..at_least(20, 2) {
        let factor = factor(&mut random, 3 * round);
        let flat = parts::<f32>(&mut random);
        let trees: Vec<[ObbTree<f32>; 2]> = flat
            .into_iter()
            .map(|part| {
                let tree = default_tree(part);
                let scaled = tree.scaled(factor).expect("in range");
                let anew = ObbTree::build(scaled.geometry().clone(), &Build::tight());
                [scaled, anew.expect("a tree")]
            })
            .collect();
        for [scaled, anew] in &trees {
            let [other, other_anew] = &trees[random.below(trees.len())];
            let at = times(random.direction(), factor * random.between(0.0, 3.0));
            let poses = [turned(&mut random, [0.0; 3]), turned(&mut random, at)];
            answers_alike([scaled, other], [anew, other_anew], &poses);
        }
    }
}

#[test]
fn invalid_factors_and_lengths_out_of_range_are_refused() {
    let cube = Obb::from_pose(&Pose::identity(), Vector3::repeat(0.5f32)).expect("a cube");
    let tree = default_tree(Geometry::Boxes(vec![cube]));
    let not_positive = Error::NotPositive { field: "factor", index: 0 };
    for factor in [0.0, -0.0, -1.0, f64::MIN] {
        assert_eq!(tree.scaled(factor), Err(not_positive.clone()));
        assert_eq!(cube.scaled(factor), Err(not_positive.clone()));
    }
    for factor in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(tree.scaled(factor), Err(Error::NotFinite { field: "factor", index: 0 }));
    }
    assert_eq!(not_positive.to_string(), "factor is not above zero");
    let corners = [[0.0; 3], [1e20, 0.0, 0.0], [0.0, 1.0, 0.0]].map(Point3::from);
    let mesh = Mesh::new(corners.to_vec(), vec![[0, 1, 2]]).expect("a mesh");
    let expected = Error::OutOfRange { field: "vertex", index: 1, limit: 1e30 };
    assert_eq!(mesh.scaled(1e12), Err(expected));
}

#[test]
fn geometry_that_underflows_is_still_contained() {
    // Lengths below the least number of single precision.
    for factor in [1e-38, 1e-44, 1e-60] {
        for (index, geometry) in parts::<f32>(&mut Random(77)).into_iter().enumerate() {
            let tree = default_tree(geometry);
            let scaled = tree.scaled(factor).expect("small");
            assert_eq!(scaled.validate(), Ok(()), "part {index}, times {factor}");
        }
    }
}

scalars! {
    by_a_power_of_two_they_are_those_built_of_the_scaled_part => powers_of_two(71; 72);
    by_any_factor_they_are_sound_and_the_same_but_for_rounding => other_factors(73; 74);
}
