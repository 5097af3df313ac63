//! Yes or no, which visits pairs of nodes in another order than a query of all pairs: exactly and
//! within a tolerance compared with that query and with the distance by brute force, on parts whose
//! trees are deep and uneven, thin, tiny and huge, and on parts that just touch.

use std::ops::ControlFlow;

use boxwood::shape::Pose;
use boxwood::tree::{ObbTree, TreePair, TreeScratch};
use boxwood::{Accuracy, NodeId, SimdLevel};

use super::hard_poses::{any_build, size};

use support::degenerate_parts::{KINDS, awkward, whole_pose};
use support::placed_corners::Place;
use support::prelude::*;
use support::random_parts::{mesh, triangles};
use support::triangle_distance::{Triangle, sets};

/// Draws a mesh that shrinks along a spiral, so that its tree is deep on one side; or a row of
/// slivers; or one of the random parts.
fn part<T: Scalar>(random: &mut Random, kind: usize, scale: f64) -> Vec<Triangle> {
    let corner = |random: &mut Random, near: V, extent: V| -> V {
        std::array::from_fn(|i| near[i] + extent[i] * random.between(-1.0, 1.0))
    };
    let sized = |triangle: Triangle| triangle.map(|p| times(p, scale));
    let made = |random: &mut Random, at: usize| -> Triangle {
        let (near, extent) = match kind {
            0 => {
                let share = 0.85_f64.powi(at as i32);
                let angle = 0.7 * at as f64;
                ([share * angle.cos(), share * angle.sin(), 0.3 * share], [0.2 * share; 3])
            }
            _ => ([at as f64 / 30.0 - 1.0, 0.0, 0.0], [0.2, 1e-2, 1e-5]),
        };
        std::array::from_fn(|_| corner(random, near, extent))
    };
    match kind {
        0 | 1 => (0..64).map(|at| sized(made(random, at))).collect(),
        _ => {
            let tree = default_tree(random_part::<T>(random, kind % 3));
            triangles(&tree, NodeId::ROOT).into_iter().map(sized).collect()
        }
    }
}

#[derive(Debug, Default)]
struct Tally {
    places: usize,
    exact: usize,
    /// Answers that a tolerance changed.
    accepted: usize,
    /// Tolerances that no pair of nodes met.
    refused: usize,
}

/// Checks the answers at some tolerances and margins, at every SIMD level.
fn check<T: Scalar>(
    (a, pose_a): (&ObbTree<T>, &Pose<T>),
    (b, pose_b): (&ObbTree<T>, &Pose<T>),
    random: &mut Random,
    tally: &mut Tally,
) {
    let placed = |tree: &ObbTree<T>, pose: &Pose<T>| -> Vec<Triangle> {
        let place = Place::of(pose);
        let all = triangles(tree, NodeId::ROOT).into_iter();
        all.map(|corners| corners.map(|p| place.moved(p))).collect()
    };
    let distance = sets(&placed(a, pose_a), &placed(b, pose_b));
    let both = size(a) + size(b);
    let at = pose_a.translation.vector - pose_b.translation.vector;
    let error = 1e-9 * (both + at.norm().wide());
    let pair = TreePair::new(a, pose_a, b, pose_b).expect("sound poses");
    let mut scratches: Vec<TreeScratch> =
        SimdLevel::all().into_iter().map(TreeScratch::with_simd_level).collect();
    scratches.push(TreeScratch::one_at_a_time());
    let tolerances = [0.0, 1e-5, 1e-4, 1e-3, 0.01, 0.03, 0.1, 1.0, 10.0].map(|t| t * both);
    let about = [0.5, 0.999, 1.001, 2.0].map(|share| share * distance);
    tally.places += 1;
    for margin in [0.0, random.decade(-4.0, -0.5) * both] {
        let pair = pair.margin(margin).expect("a margin");
        let exact = pair.intersects(Accuracy::Exact, &mut scratches[0]).expect("an accuracy");
        assert!(!exact || distance <= margin + error, "beyond {margin:e}: {distance:e}");
        assert!(exact || distance >= margin - error, "within {margin:e}: {distance:e}");
        tally.exact += usize::from(exact);
        for tolerance in tolerances.into_iter().chain(about) {
            let accuracy = Accuracy::Within(tolerance);
            let mut answers = scratches.iter_mut().map(|scratch| {
                let any = pair.intersects(accuracy, scratch).expect("a tolerance");
                let flow = pair.visit(accuracy, scratch, |_| ControlFlow::Break(()));
                assert_eq!(any, flow.expect("a tolerance").is_break(), "{tolerance:e} {margin:e}");
                any
            });
            let any = answers.next().expect("a level");
            assert!(answers.all(|other| other == any), "{tolerance:e} {margin:e}");
            assert!(any || !exact, "within {tolerance:e}, beyond {margin:e}: {distance:e}");
            if distance > margin + tolerance + error {
                assert!(!any, "within {tolerance:e}, beyond {margin:e}: {distance:e}");
            }
            tally.accepted += usize::from(any && !exact);
            tally.refused += usize::from(!any && tolerance > 0.0);
        }
    }
}

fn uneven_parts<T: Scalar>(seed: u64) {
    let (mut random, mut tally) = (Random(seed), Tally::default());
    for round in 0..at_least(240, 24) {
        let scale = [1.0, 1e-6, 1e6][round / 5 % 3];
        let trees = [round % 5, round / 5 % 5].map(|kind| {
            let geometry = mesh::<T>(&part::<T>(&mut random, kind, scale));
            ObbTree::build(geometry, &any_build(&mut random)).expect("a part")
        });
        let both = size(&trees[0]) + size(&trees[1]);
        for _ in 0..3 {
            let offset = times(random.direction(), both * random.between(0.0, 0.9));
            let poses = [turned(&mut random, [0.0; 3]), turned(&mut random, offset)];
            check((&trees[0], &poses[0]), (&trees[1], &poses[1]), &mut random, &mut tally);
        }
    }
    println!("{tally:?}");
    assert!(tally.exact > tally.places / 10 && tally.exact < 2 * tally.places);
    assert!(tally.accepted > tally.places / 2 && tally.refused > tally.places);
}

fn parts_that_just_touch<T: Scalar>(seed: u64) {
    let (mut random, mut tally) = (Random(seed), Tally::default());
    let kinds = KINDS - 4;
    for round in 0..at_least(400, 40) {
        let scale = [1.0, 1e-6, 1e6][round % 3];
        let trees = [round, round / kinds].map(|kind| {
            let part = awkward::<T>(&mut random, 4 + kind % kinds, scale);
            ObbTree::build(part, &any_build(&mut random)).expect("a part")
        });
        let poses = [0; 2].map(|_| whole_pose(&mut random, 1, scale));
        check((&trees[0], &poses[0]), (&trees[1], &poses[1]), &mut random, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.exact > tally.places / 10 && tally.refused > tally.places);
}

scalars! {
    a_tolerance_answers_as_all_pairs_do_of_uneven_parts => uneven_parts(861; 862);
    a_tolerance_answers_as_all_pairs_do_of_parts_that_just_touch => parts_that_just_touch(863; 864);
}
