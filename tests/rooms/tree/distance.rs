//! Distances by wide trees against those by one pair of nodes at a time, and by every SIMD level.

use boxwood::NodeId;
use boxwood::num::{Scalar, SimdLevel};
use boxwood::pair::ClosestPoints;
use boxwood::tree::{Accuracy, ObbTree, TreePair, TreeScratch};
use nalgebra::Vector3;

use super::accuracy::hard_poses::any_build;
use support::proof::at_least;
use support::random::Random;
use support::random_parts::{random_part, turned};
use support::scalars;

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
        SimdLevel::all().into_iter().map(|level| ask(TreeScratch::with_simd_level(level)));
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

        // At leaves the geometry is at most the slack further apart than the boxes.
        for depth in [u8::MAX, a.depth().max(b.depth()), 2] {
            let (leaves, alone) = answers(&pair, Accuracy::Depth(depth), f64::INFINITY);
            for found in [leaves.expect("no limit"), alone.expect("no limit")] {
                let [low, slack] = [found.distance, found.slack].map(T::wide);
                assert!(low <= distance + most && distance <= low + slack + most, "{round}");
            }
        }
    }
    println!("{apart} apart, {touching} touching, {far} with a limit");
    assert!(apart > rounds / 3 && touching > rounds / 20 && far > rounds / 4);
}

scalars! { wide_trees_and_single_pairs_of_nodes_find_one_distance => twins(351); }

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
        let (wide, alone) = answers(&pair, Accuracy::Exact, f64::INFINITY);
        let (wide, alone) = (wide.expect("no limit"), alone.expect("no limit"));
        let most = wide.slack + alone.slack;
        assert!((wide.distance - alone.distance).abs() <= most, "{scale}: {wide:?} {alone:?}");
        assert!(wide.distance > 0.1 * scale, "{scale}: {wide:?}");
    }
}
