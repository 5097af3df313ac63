//! Bounds of convex hulls: no sampled point of a hull is further from the part or its inside,
//! whatever the surface; and the slack that follows for two parts.

use boxwood::tree::{Build, Geometry, NodeId, ObbTree};
use boxwood::{Loader, load};

use support::closed_meshes::{
    both, cube, shell, shifted, solid, sphere, surface, torus, turned_over,
};
use support::node_samples::{Inside, nearest, targets};
use support::prelude::*;

/// Returns the greatest distance among many points of a node's hull, each moved away from the part
/// while that gains.
fn sampled<T: Scalar>(tree: &ObbTree<T>, corners: &[V], random: &mut Random) -> f64 {
    let targets = targets(tree, NodeId::ROOT);
    let inside = Inside::new(tree);
    let (mut farthest, mut guess) = (0.0f64, 0);
    let mut try_point = |p: V, farthest: &mut f64| {
        let distance = nearest(&targets, p, *farthest, &mut guess);
        let farther = distance > *farthest && !inside.contains(p, distance);
        if farther {
            *farthest = distance;
        }
        farther
    };
    let mut best = corners[0];
    for _ in 0..1_000 {
        let some: Vec<V> =
            (0..=random.below(4)).map(|_| corners[random.below(corners.len())]).collect();
        let shares: Vec<f64> = some.iter().map(|_| -random.between(1e-9, 1.0).ln()).collect();
        let all: f64 = shares.iter().sum();
        let p = some.iter().zip(&shares).fold([0.0; 3], |p, (&c, s)| plus(p, times(c, s / all)));
        if try_point(p, &mut farthest) {
            best = p;
        }
    }
    for round in 0..1_000 {
        let share = random.between(0.0, 1.0) * 0.5_f64.powi(round / 50);
        let corner = corners[random.below(corners.len())];
        let p = plus(best, times(minus(corner, best), share));
        if try_point(p, &mut farthest) {
            best = p;
        }
    }
    farthest
}

/// Compares the bound with the farthest sample and with the bound of the box, for every so many
/// hulls.
pub(super) fn check<T: Scalar>(
    tree: &ObbTree<T>,
    every: usize,
    random: &mut Random,
) -> Vec<[f64; 2]> {
    let mut ratios = Vec::new();
    for node in (0..tree.len().min(255)).step_by(every).map(NodeId::new) {
        let Some(hull) = tree.hull(node) else { continue };
        let corners: Vec<V> = hull.corners.iter().map(|p| [p.x, p.y, p.z].map(T::wide)).collect();
        let farthest = sampled(tree, &corners, random);
        let (bound, of_box) = (hull.bound.wide(), tree.node(node).bound().wide());
        let block = PlainBox::of(tree.node(node).oriented());
        let (radius, far) = (block.radius(), block.center.iter().map(|x| x.abs()).sum::<f64>());
        let skew = match tree.geometry() {
            Geometry::Boxes(_) => 8.0 * T::ROUNDING * radius,
            _ => 0.0,
        };
        assert!(farthest <= bound + skew + 1e-14 * radius, "{node:?}: {farthest:e} {bound:e}");
        // Scaling a tree rounds by fractions of the whole part.
        let rounding =
            1e-6 * radius + 16.0 * T::ROUNDING * (far + tree.radius_about_origin().wide());
        assert!(bound <= of_box + rounding, "{node:?}: {bound:e}, of the box {of_box:e}");
        ratios.push([bound / farthest.max(1e-3 * radius), bound / of_box]);
    }
    ratios
}

fn medians(mut ratios: Vec<[f64; 2]>, name: &str) -> [f64; 2] {
    let medians = [0, 1].map(|kind| {
        ratios.sort_by(|a, b| a[kind].total_cmp(&b[kind]));
        ratios[ratios.len() / 2][kind]
    });
    println!(
        "{name}: {} hulls, bound over sample {:.2}, over the box {:.2}",
        ratios.len(),
        medians[0],
        medians[1]
    );
    medians
}

/// Checks hollow, bent, nested, overlapping and inside-out solids: components that cancel each
/// other's inside.
#[test]
fn bounds_are_valid_for_every_kind_of_solid() {
    let mut random = Random(81);
    let ball = || sphere(1.0, 10);
    let by = |x: f64| [x, 0.3 * x, -0.2 * x];
    let bowl = || {
        // Half a closed shell: a cube removes the other half.
        both(shell(1.0, 0.8), turned_over(shifted(cube([1.1; 3]), [0.0, 0.0, 1.1])))
    };
    let shapes = [
        ball(),
        turned_over(ball()),
        torus(1.0, 0.2, 24, 8),
        shell(1.0, 0.6),
        both(ball(), shifted(ball(), by(1.1))),
        both(ball(), shifted(turned_over(ball()), by(1.1))),
        both(shell(1.0, 0.7), shifted(torus(1.0, 0.1, 16, 6), by(0.9))),
        both(
            both(ball(), shifted(cube([0.4, 1.5, 0.2]), by(1.0))),
            shifted(cube([0.9, 0.1, 0.8]), by(2.5)),
        ),
        bowl(),
    ];
    for (kind, shape) in shapes.into_iter().enumerate() {
        let build = Build::default().hull_levels(4);
        let tree = ObbTree::build(solid::<f64>(shape.clone()), &build).expect("a closed mesh");
        let [over, _] = medians(check(&tree, step(1, 9), &mut random), &format!("solid {kind}"));
        // A ball's hull is the ball.
        assert!(kind > 1 || over < 1.5, "{over}");
        let tree = ObbTree::build(solid::<f32>(shape.clone()), &build).expect("a closed mesh");
        check(&tree, step(5, 19), &mut random);
        let tree = ObbTree::build(surface::<f64>(shape), &build).expect("a surface");
        check(&tree, step(5, 19), &mut random);
    }
}

#[test]
fn bounds_are_valid_for_few_boxes_and_random_parts() {
    let mut random = Random(82);
    let mut ratios = Vec::new();
    for _ in 0..cases(100) {
        let boxes = (0..2 + random.below(6)).map(|_| {
            let low: V = std::array::from_fn(|_| random.between(-1.0, 1.0));
            upright_solid::<f32>(low, low.map(|x| x + random.between(0.05, 1.0)))
        });
        let geometry = Geometry::Boxes(boxes.collect());
        let tree = default_tree(geometry);
        ratios.extend(check(&tree, 1, &mut random));
    }
    medians(ratios, "few boxes");
    for kind in 0..cases(60) {
        let geometry = random_part::<f64>(&mut random, kind);
        let tree = default_tree(geometry);
        check(&tree, 3, &mut random);
    }
}

/// Checks a robot's links, which are nearly convex: the bounds of hulls are within a hundredth,
/// those of boxes a fifth.
#[test]
fn bounds_are_valid_and_tight_on_real_parts() {
    let mut random = Random(83);
    let of_all = |parts: &[boxwood::model::Part<f32>], every: usize, random: &mut Random| {
        let trees = parts.iter().filter_map(|part| part.tree());
        trees.flat_map(|tree| check(tree, every, random)).collect::<Vec<_>>()
    };
    let fighter = support::fighter::fighter().model;
    let [_, of_box] = medians(of_all(fighter.parts(), step(3, 61), &mut random), "fighter");
    assert!(of_box < 0.8, "{of_box}");
    let Some(data) = support::data::data() else { return };
    let names = ["fox/Fox", "kaykit-knight/Knight", "cesium-man/CesiumMan"];
    for name in names.into_iter().take(at_least(3, 1)) {
        let file = data.join(format!("characters/{name}.glb"));
        let model = load::gltf(file).expect("a character").model;
        medians(of_all(model.parts(), step(4, 83), &mut random), name);
    }
    let file = data.join("robots/panda/urdf/panda.urdf");
    let model = Loader::new().urdf(file).expect("a robot").model;
    let [_, of_box] = medians(of_all(model.parts(), step(4, 83), &mut random), "panda");
    assert!(of_box <= 0.01, "{of_box}");
}
