//! The accuracy measurements on cases whose answers are known.

use boxwood::accuracy::{Case, Target, hard_cases, measure, tune, volume_ratio};
use boxwood::f64::{Geometry, Mesh, Obb, ObbTree, Pose};
use boxwood::tree::TreePair;
use boxwood::{Accuracy, NodeId};
use support::plain_box::sampled_overlap;
use support::prelude::*;

/// Builds a closed box of triangles.
fn chest(half: [f64; 3]) -> ObbTree {
    let corner = |i: usize| {
        let sign = |k: usize| if i >> k & 1 == 1 { half[k] } else { -half[k] };
        Point3::new(sign(0), sign(1), sign(2))
    };
    let quads =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    let mesh = Mesh::new((0..8).map(corner).collect(), triangles).expect("a mesh");
    default_tree(Geometry::Solid(mesh))
}

fn place(x: f64, y: f64, z: f64) -> Pose {
    Pose::translation(x, y, z)
}

#[test]
fn the_reference_of_two_boxes_is_their_contact() {
    let (a, b) = (chest([1.0, 1.0, 1.0]), chest([1.0, 0.5, 0.5]));
    let case =
        Case::new([&a, &b], [place(5.0, 0.0, 0.0), place(6.5, 0.2, -0.1)]).expect("good poses");
    assert!(case.touching);
    let truth = case.truth.as_ref().expect("a volume");
    // x from 5.5 to 6, y from -0.3 to 0.7, z from -0.6 to 0.4.
    assert!((truth.centroid() - Point3::new(5.75, 0.2, -0.1)).norm() < 0.01, "{truth:?}");
    let way = |x, y, z| case.way_out(Vector3::new(x, y, z)).expect("solids");
    assert!((way(1.0, 0.0, 0.0) - 0.5).abs() < 0.01);
    assert!((way(0.0, 1.0, 0.0) - 1.3).abs() < 0.01);
    assert!((way(0.0, 0.0, -1.0) - 1.4).abs() < 0.01);
    assert!((way(-1.0, 0.0, 0.0) - 3.5).abs() < 0.01);
    let apart =
        Case::new([&a, &b], [place(0.0, 0.0, 0.0), place(2.001, 0.0, 0.0)]).expect("good poses");
    assert!(!apart.touching && apart.truth.is_none());
}

#[test]
fn nested_parts_are_measured_too() {
    let (a, b) = (chest([1.0; 3]), chest([0.25; 3]));
    let case =
        Case::new([&a, &b], [place(0.0, 0.0, 0.0), place(0.25, 0.0, 0.0)]).expect("good poses");
    let truth = case.truth.as_ref().expect("a volume");
    assert!((truth.centroid() - Point3::new(0.25, 0.0, 0.0)).norm() < 0.01);
    let way = case.way_out(Vector3::x()).expect("solids");
    assert!((way - 1.0).abs() < 1e-3, "{way}");
}

#[test]
fn boxes_fill_box_shaped_geometry() {
    let solid = chest([1.0, 2.0, 0.5]);
    assert!((volume_ratio(&solid, 0) - 1.0).abs() < 1e-9);
    let block = Obb::new(Point3::origin(), Matrix3::identity(), Vector3::new(1.0, 2.0, 0.5));
    let blocks = Geometry::Boxes(vec![block.expect("a box")]);
    let blocks = default_tree(blocks);
    assert!((volume_ratio(&blocks, 3) - 1.0).abs() < 1e-9);
}

#[test]
fn counts_of_samples_add_up() {
    let model = support::fighter::fighter().model;
    let trees: Vec<_> = model.parts().iter().filter_map(|part| part.tree()).collect();
    let mut cases = Vec::new();
    for k in 0..6 {
        cases.extend(hard_cases([trees[k], trees[2 * k + 3]], 10, 7 + k as u64).expect("cases"));
    }
    let sizes = |tree: &boxwood::ObbTree| tree.node(NodeId::ROOT).oriented().diagonal();
    let touching = cases.iter().filter(|case| case.touching).count();
    assert!((20..=40).contains(&touching), "{touching} of 60: not where it is hard");
    let mut before = f64::INFINITY;
    for depth in [0, 4, 16] {
        let sample = measure(&cases, Accuracy::Depth(depth)).expect("a depth");
        assert_eq!((sample.misses, sample.cases, sample.touching), (0, 60, touching));
        assert_eq!(sample.reported, sample.touching + sample.false_positives);
        assert_eq!(sample.slack.count, sample.reported);
        assert!(
            sample.slack.mean <= before
                && sample.point_error.worst <= f64::from(sizes(trees[0]) * 4.0)
        );
        before = sample.slack.mean;
    }
    let exact = measure(&cases, Accuracy::Exact).expect("exact");
    assert_eq!((exact.misses, exact.false_positives, exact.slack.worst), (0, 0, 0.0));
    assert!(measure(&cases, Accuracy::Within(f64::NAN)).is_err());
    // Equal seeds give equal cases.
    let again = hard_cases([trees[0], trees[3]], 10, 7).expect("cases");
    assert!(again.iter().zip(&cases).all(|(x, y)| x.poses == y.poses));
}

#[test]
fn the_tuner_satisfies_feasible_targets_and_reports_the_others() {
    let model = support::fighter::fighter().model;
    let of: Vec<usize> = (0..model.len()).filter(|&i| model.parts()[i].tree().is_some()).collect();
    let trees: Vec<_> = of.iter().filter_map(|&i| model.parts()[i].tree()).collect();
    let cases: Vec<_> = (0..3)
        .flat_map(|k| {
            hard_cases([trees[k], trees[k + 4]], 4, 1)
                .expect("cases")
                .into_iter()
                .map(move |case| ([k, k + 4], case))
        })
        .collect();
    let cases: Vec<_> = cases.iter().map(|(pair, case)| (*pair, case)).collect();
    let loose = tune(&trees, &cases, Target::Slack(0.15)).expect("good cases");
    assert!(loose.met && loose.steps.last().expect("steps").slack <= 0.15);
    for (tree, part) in trees.iter().zip(&loose.parts) {
        let largest =
            tree.cut(part.depth).into_iter().map(|n| tree.node(n).bound()).fold(0.0, f32::max);
        assert_eq!(part.bound, f64::from(largest));
        assert!(part.bound <= 0.075);
    }
    for step in &loose.steps {
        assert!(step.reported <= step.slack + 1e-3, "{step:?}");
    }
    assert!(!tune(&trees, &cases, Target::Slack(0.0)).expect("good cases").met);
    let cheap = tune(&trees, &cases, Target::Tests(400)).expect("good cases");
    assert!(cheap.met && cheap.steps.iter().all(|step| step.tests <= 400));
    // The proposal is usable, and its cost is as stated.
    let mut depths = vec![0; model.len()];
    of.iter().zip(&cheap.parts).for_each(|(&i, part)| depths[i] = part.depth);
    let tuned = model.cut_off(&depths).expect("a depth for every part");
    assert!(model.cut_off(&depths[1..]).is_err());
    let mut scratch = boxwood::tree::TreeScratch::one_at_a_time();
    for ([a, b], case) in &cases {
        let tree = |k: usize| tuned.parts()[of[k]].tree().expect("a tree");
        assert_eq!(tree(*a).validate(), Ok(()));
        let pair =
            TreePair::new(tree(*a), &case.poses[0], tree(*b), &case.poses[1]).expect("poses");
        let all = |_| std::ops::ControlFlow::Continue(());
        assert!(pair.visit(Accuracy::default(), &mut scratch, all).is_ok());
        assert!(
            !case.touching
                || pair.intersects(Accuracy::default(), &mut Default::default()) == Ok(true)
        );
    }
    assert_eq!(scratch.counts.tests(), cheap.steps.last().expect("steps").tests);
}

/// Returns two chests rotated at random, some in the order that the crate swaps internally, with
/// the exact answer.
fn turned_pairs<'a>(trees: [&'a ObbTree; 2]) -> Vec<Case<'a, f64>> {
    let [a, b] = trees;
    let mut cases = hard_cases([a, b], 12, 3).expect("cases");
    cases.extend(hard_cases([b, a], 12, 4).expect("cases"));
    cases.retain(|case| case.touching);
    assert!(cases.len() >= 10);
    cases
}

#[test]
fn parts_separate_when_moved_by_the_depth_and_not_before() {
    let (a, b) = (chest([1.0, 0.7, 0.4]), chest([0.3, 0.5, 0.9]));
    let mut scratch = boxwood::tree::TreeScratch::one_at_a_time();
    for case in turned_pairs([&a, &b]) {
        for direction in [Vector3::x(), -Vector3::y(), Vector3::new(0.6, 0.0, 0.8)] {
            let way = case.way_out(direction).expect("solids");
            let mut touch = |way: f64| {
                let moved = Pose::from(direction * way) * case.poses[1];
                let pair = TreePair::new(case.trees[0], &case.poses[0], case.trees[1], &moved);
                pair.expect("a pose").intersects(Accuracy::Exact, &mut scratch).expect("exact")
            };
            assert!(touch(way - 1e-3) && !touch(way + 1e-9), "{way} along {direction:?}");
        }
    }
}

/// Returns the same part as hand-made box and as closed mesh.
fn block(half: [f64; 3]) -> (Obb, ObbTree) {
    let block = Obb::new(Point3::origin(), Matrix3::identity(), Vector3::from(half));
    (block.expect("a box"), chest(half))
}

#[test]
fn the_centre_of_the_overlap_agrees_with_sampled_points() {
    let ((box_a, a), (box_b, b)) = (block([1.0, 0.7, 0.4]), block([0.3, 0.5, 0.9]));
    for case in turned_pairs([&a, &b]) {
        let boxes = match std::ptr::eq(case.trees[0], &a) {
            true => [box_a, box_b],
            false => [box_b, box_a],
        };
        let placed = [0, 1].map(|i| boxes[i].transformed(&case.poses[i]).expect("a pose"));
        // A lattice over the first box, as fine as the second requires.
        let lines = support::proof::at_least(120, 40);
        let (sum, count) = sampled_overlap(placed.each_ref().map(PlainBox::of), lines);
        let found = case.truth.as_ref().expect("a volume").centroid();
        if count > 200 {
            let expected = Vector3::from(times(sum, 1.0 / f64::from(count)));
            assert!(
                (found.coords - expected).norm() < 0.01,
                "{found} is not {expected} of {count}"
            );
        }
    }
}

#[test]
fn the_curve_of_intersection_is_the_same_in_either_order() {
    let surface = |half: [f64; 3]| {
        let Geometry::Solid(mesh) = chest(half).geometry().clone() else { unreachable!() };
        default_tree(Geometry::Surface(mesh))
    };
    // A post through the middle of a slab: two squares around it, at the heights of the slab's
    // faces.
    let (slab, post) = (surface([1.0, 1.0, 0.1]), surface([0.2, 0.2, 1.0]));
    let (down, up) = (place(0.0, 0.0, -3.0), place(0.1, -0.3, -2.8));
    for (trees, poses) in [([&slab, &post], [down, up]), ([&post, &slab], [up, down])] {
        let case = Case::new(trees, poses).expect("good poses");
        let truth = case.truth.as_ref().expect("a curve");
        assert!((truth.centroid() - Point3::new(0.1, -0.3, -3.0)).norm() < 1e-9, "{truth:?}");
        assert_eq!(case.way_out(Vector3::x()), None);
    }
}
