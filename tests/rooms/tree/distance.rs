//! Distances by wide trees against those by one pair of nodes at a time, and by every SIMD level.

use boxwood::NodeId;
use boxwood::num::SimdLevel;
use boxwood::pair::ClosestPoints;
use boxwood::tree::{Accuracy, ObbTree, TreePair, TreeScratch};

use super::accuracy::hard_poses::any_build;
use support::box_distance;
use support::prelude::*;
use support::random_parts::{aligned, place};

type Found<T> = Option<ClosestPoints<T, NodeId>>;

/// Returns the answers of all SIMD levels, which have to agree to the bit, and that of a traversal
/// of one pair at a time.
fn answers<T: Scalar>(
    pair: &TreePair<'_, T>,
    accuracy: Accuracy,
    limit: f64,
) -> (Found<T>, Found<T>) {
    let ask = |mut scratch: TreeScratch| {
        (pair.distance(accuracy, limit, &mut scratch).expect("a question"), scratch.counts)
    };
    let mut levels =
        SimdLevel::all().into_iter().map(|simd| ask(TreeScratch::with_simd_level(simd)));
    let wide = levels.next().expect("at least plain code");
    for other in levels {
        assert_eq!(format!("{other:?}"), format!("{wide:?}"), "levels differ");
    }
    (wide.0, ask(TreeScratch::one_at_a_time()).0)
}

/// Two parts, far apart, near, crossing, one thin, one tiny beside the other, far from the origin.
fn twins<T: Scalar>(seed: u64) {
    let (mut random, mut apart, mut touching, mut far) = (Random(seed), 0, 0, 0);
    let rounds = at_least(1_500, 200);
    for round in 0..rounds {
        let [a, b] = [0, 1].map(|side| {
            let part = random_part::<T>(&mut random, round / 2 + side * round);
            ObbTree::build(part, &any_build(&mut random)).expect("a part")
        });
        let [away, out] = [[0.5, 3.0, 12.0][round % 3], [0.0, 0.0, 300.0][round % 3]];
        let mut at = || [random.between(-away, away) + out, random.between(-away, away), 0.0];
        let (here, there) = (at(), at());
        let (here, there) = (turned::<T>(&mut random, here), turned::<T>(&mut random, there));
        let pair = TreePair::new(&a, &here, &b, &there).expect("sound poses");
        let (exact, alone) = answers(&pair, Accuracy::Exact, f64::INFINITY);
        let (exact, alone) = (exact.expect("no limit"), alone.expect("no limit"));
        let [distance, other] = [&exact, &alone].map(|found| found.distance.wide());
        let most = exact.slack.wide() + alone.slack.wide();
        assert!((distance - other).abs() <= most, "round {round}: {exact:?} {alone:?}");
        assert_eq!(distance == 0.0, other == 0.0, "round {round}");
        // The points are rounded too, by shares of their coordinates.
        let [on_a, on_b] = [exact.on_a, exact.on_b].map(|p| p.coords.map(T::wide));
        let rounding = 4.0 * T::ROUNDING * (on_a.norm() + on_b.norm());
        let between = (on_b - on_a).norm();
        assert!((between - distance).abs() <= most + rounding, "round {round}: {exact:?}");
        touching += usize::from(distance == 0.0);
        apart += usize::from(distance > 0.0);

        // A limit on either side of the distance, by more than its slack.
        let beyond = 2.0 * most + 1e-9;
        let (none, some) = (distance - beyond, distance + beyond);
        if none >= 0.0 {
            assert_eq!(answers(&pair, Accuracy::Exact, none), (None, None), "round {round}");
            far += 1;
        }
        let (within, _) = answers(&pair, Accuracy::Exact, some);
        let within = within.expect("within the limit").distance.wide();
        assert!((within - distance).abs() <= most, "round {round}");

        // At a cut the geometry is at most the slack further apart than the boxes.
        let depths = [u8::MAX, a.depth().max(b.depth()), 2, 1].map(Accuracy::Depth);
        let tolerances = [0.3, 0.02, 0.0].map(Accuracy::Within);
        for accuracy in depths.into_iter().chain(tolerances) {
            let (leaves, alone) = answers(&pair, accuracy, f64::INFINITY);
            for found in [leaves.expect("no limit"), alone.expect("no limit")] {
                let [low, slack] = [found.distance, found.slack].map(T::wide);
                assert!(low <= distance + most && distance <= low + slack + most, "{round}");
                if let Accuracy::Within(tolerance) = accuracy {
                    assert!(slack <= tolerance + most + 1e-5 * (1.0 + low), "{round}: {slack}");
                }
            }
        }
    }
    println!("{apart} apart, {touching} touching, {far} with a limit");
    assert!(apart > rounds / 3 && touching > rounds / 20 && far > rounds / 4);
}

scalars! { wide_trees_and_single_pairs_of_nodes_find_one_distance => twins(351); }

/// Nodes of the cut of one tree at a tolerance: the first with at most half of it as bound.
fn nodes_within<T: Scalar>(tree: &ObbTree<T>, tolerance: f64) -> Vec<NodeId> {
    let (mut cut, mut pending) = (Vec::new(), vec![NodeId::ROOT]);
    while let Some(id) = pending.pop() {
        let node = tree.node(id);
        match node.children() {
            Some(children) if node.bound().wide() > 0.5 * tolerance => pending.extend(children),
            _ => cut.push(id),
        }
    }
    cut
}

/// Checks distances at cuts: they are those of the boxes of two nodes of the cuts, and boxes that
/// are closer are left out only where the part-aligned ones are not.
fn cuts<T: Scalar>(seed: u64) {
    let (mut random, mut checked, mut closest) = (Random(seed), [0; 2], [0; 2]);
    for round in 0..at_least(600, 80) {
        let [a, b] = [0, 1].map(|side| {
            let part = random_part::<T>(&mut random, round / 2 + side * round);
            ObbTree::build(part, &any_build(&mut random)).expect("a part")
        });
        let mut at = || [random.between(-2.0, 2.0), random.between(-2.0, 2.0), 0.0];
        let (here, there) = (at(), at());
        let (here, there) = (turned::<T>(&mut random, here), turned::<T>(&mut random, there));
        let pair = TreePair::new(&a, &here, &b, &there).expect("sound poses");
        for accuracy in [0, 1, 2, 3, 4]
            .map(Accuracy::Depth)
            .into_iter()
            .chain([1.0, 0.5, 0.2].map(Accuracy::Within))
        {
            let (found, alone) = answers(&pair, accuracy, f64::INFINITY);
            let (cut_a, cut_b, tolerance) = match accuracy {
                Accuracy::Within(t) => (nodes_within(&a, t), nodes_within(&b, t), t),
                Accuracy::Depth(depth) => (a.cut(depth), b.cut(depth), f64::INFINITY),
                _ => unreachable!(),
            };
            for found in [found.expect("no limit"), alone.expect("no limit")] {
                let stated = found.distance.wide();
                if stated == 0.0 {
                    continue;
                }
                let within = usize::from(tolerance.is_finite());
                let error = 1e-5 * (1.0 + stated);
                for (x, y) in cut_a.iter().flat_map(|&x| cut_b.iter().map(move |&y| (x, y))) {
                    let nodes = [(a.node(x), &here), (b.node(y), &there)];
                    // Leaves that are too coarse for the tolerance are decided by primitives.
                    if nodes.iter().map(|(node, _)| node.bound().wide()).sum::<f64>()
                        > 0.9 * tolerance
                    {
                        continue;
                    }
                    let [p, q] =
                        nodes.map(|(node, pose)| place(&PlainBox::of(node.oriented()), pose));
                    let oriented = box_distance::distance(&p, &q);
                    if (x, y) == (found.a, found.b) {
                        let off = (oriented - stated).abs();
                        assert!(off <= error, "round {round}, {accuracy:?}: {oriented} {found:?}");
                        closest[within] += 1;
                    } else if oriented < stated - error {
                        let [p, q] = nodes.map(|(node, pose)| place(&aligned(node), pose));
                        let aligned = box_distance::distance(&p, &q);
                        assert!(
                            aligned >= stated - error,
                            "round {round}, {accuracy:?}: {found:?}"
                        );
                    }
                    checked[within] += 1;
                }
                if !tolerance.is_finite() {
                    assert!(cut_a.contains(&found.a) && cut_b.contains(&found.b), "{accuracy:?}");
                }
            }
        }
    }
    println!("{checked:?} pairs of nodes, {closest:?} of them the closest");
    assert!(checked[0] > 1_000 && checked[1] > 50 && closest[0] > 200 && closest[1] > 4);
}

scalars! { distances_at_a_cut_are_those_of_its_closest_boxes => cuts(357); }

/// Counts of tests: a tolerance that no box is within costs the tests of an exact query, and a
/// greater one no more.
#[test]
fn no_tolerance_costs_more_tests_than_exactness() {
    let mut random = Random(359);
    let mut tests = [[0; 3]; 4];
    for round in 0..at_least(300, 60) {
        let [a, b] = [0, 1].map(|_| {
            let part = random_part::<f64>(&mut random, 0);
            ObbTree::build(part, &boxwood::Build::default()).expect("a part")
        });
        let mut at = || [random.between(-3.0, 3.0), random.between(-3.0, 3.0), 0.0];
        let (here, there) = (at(), at());
        let (here, there) = (turned(&mut random, here), turned(&mut random, there));
        let pair = TreePair::new(&a, &here, &b, &there).expect("sound poses");
        let accuracies = [0.0, 1e-3, 0.1].map(Accuracy::Within);
        for (accuracy, tests) in [Accuracy::Exact].into_iter().chain(accuracies).zip(&mut tests) {
            let mut scratch = TreeScratch::default();
            let found = pair.distance(accuracy, f64::INFINITY, &mut scratch).expect("a question");
            if found.is_none_or(|found| found.distance <= 0.2) {
                continue; // a second search decides whether they touch
            }
            let counts = scratch.counts;
            let own = [counts.boxes.iter().sum(), counts.oriented, counts.primitives];
            *tests = [0, 1, 2].map(|kind| tests[kind] + own[kind]);
        }
        assert!(round < 10 || tests[0][2] > 0);
    }
    println!("boxes, oriented boxes, primitives: {tests:?}");
    let [exact, within @ ..] = tests;
    for tests in within {
        for kind in 0..3 {
            assert!(20 * tests[kind] <= 21 * exact[kind], "{tests:?} {exact:?}");
        }
    }
}

/// Sizes at the limits of single precision, where boxes of wide nodes decide nothing.
#[test]
fn huge_and_tiny_parts_have_the_distance_of_single_pairs_of_nodes() {
    let mut random = Random(353);
    for (round, scale) in [1e-25, 1e-18, 1e-12, 1e12, 1e17, 1e19, 1e25].into_iter().enumerate() {
        let part = |random: &mut Random| {
            let tree = ObbTree::build(random_part::<f64>(random, round), &any_build(random));
            tree.expect("a part").scaled(scale).expect("a size")
        };
        let (a, b) = (part(&mut random), part(&mut random));
        let (here, mut there) = (turned(&mut random, [0.0; 3]), turned(&mut random, [0.0; 3]));
        there.translation.vector = Vector3::new(4.0 * scale, scale, 0.0);
        let pair = TreePair::new(&a, &here, &b, &there).expect("sound poses");
        for accuracy in [Accuracy::Exact, Accuracy::Depth(2), Accuracy::Within(0.1 * scale)] {
            let (wide, alone) = answers(&pair, accuracy, f64::INFINITY);
            let (wide, alone) = (wide.expect("no limit"), alone.expect("no limit"));
            let most = wide.slack + alone.slack;
            assert!((wide.distance - alone.distance).abs() <= most, "{scale}: {wide:?} {alone:?}");
            assert!(wide.distance > 0.1 * scale, "{scale}: {wide:?}");
        }
    }
}
