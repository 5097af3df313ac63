//! Margins of two trees, against the distance over all primitives and parry3d: one pair of nodes at
//! a time, swapped, at every SIMD level, at greater depths and wider margins.

use std::ops::ControlFlow;

use boxwood::shape::{Mesh, Pose};
use boxwood::tree::{Accuracy, Geometry, NodePair, ObbTree, TreePair, TreeScratch};
use boxwood::{Error, NodeId, SimdLevel};
use num_bigint::BigInt;

use super::random_parts::{Subject, single_boxes, stated, subjects};
use support::closed_meshes::{self, cube, sphere};
use support::part_distance;
use support::prelude::*;
use support::proof;

/// Accuracies from coarse to fine, where that is an order.
const DIAL: [Accuracy; 11] = [
    Accuracy::Depth(0),
    Accuracy::Depth(1),
    Accuracy::Depth(2),
    Accuracy::Depth(4),
    Accuracy::Depth(40),
    Accuracy::Within(0.3),
    Accuracy::Within(0.02),
    Accuracy::Within(0.0),
    Accuracy::Exact,
    Accuracy::Budget(20),
    Accuracy::Budget(u32::MAX),
];

type Found = Vec<NodePair>;

fn visited<T: Scalar>(
    pair: &TreePair<'_, T>,
    accuracy: Accuracy,
    scratch: &mut TreeScratch,
) -> Found {
    let mut found = Vec::new();
    let _ = pair
        .visit(accuracy, scratch, |nodes| {
            found.push(nodes);
            ControlFlow::Continue(())
        })
        .expect("a question");
    found.sort_unstable_by_key(|nodes| (nodes.a, nodes.b));
    found
}

fn reversed(found: &Found) -> Found {
    let mut found: Found =
        found.iter().map(|nodes| NodePair { a: nodes.b, b: nodes.a, by: nodes.by }).collect();
    found.sort_unstable_by_key(|nodes| (nodes.a, nodes.b));
    found
}

/// Queries of two subjects whose distance is known.
struct Case<'a, T: Scalar> {
    pair: &'a [Subject<T>; 2],
    truth: f64,
    /// Error of that distance.
    own: f64,
    /// Error of the exact answer.
    rounding: f64,
}

#[derive(Default, Debug)]
struct Verdicts {
    within: usize,
    beyond: usize,
    excess: usize,
}

impl<T: Scalar> Case<'_, T> {
    fn trees(&self) -> TreePair<'_, T> {
        let [a, b] = self.pair;
        TreePair::new(&a.tree, &a.pose, &b.tree, &b.pose).expect("sound poses")
    }

    fn margins(&self, random: &mut Random) -> Vec<f64> {
        let (truth, hair) = (self.truth, 4.0 * (self.own + self.rounding));
        let near = [truth - hair, truth, truth + hair, truth * (1.0 - 1e-4), truth * (1.0 + 1e-4)];
        let far = [0.0, 1e-200, 1e-9, 0.01, 0.5 * truth, 2.0 * truth, 10.0, 1e4, 1e40, 1e200];
        let any = [truth * random.between(0.5, 1.5), random.decade(-4.0, 1.0)];
        let all = near.into_iter().chain(far).chain(any);
        let mut all: Vec<f64> = all.map(|margin| margin.max(0.0)).collect();
        all.sort_unstable_by(f64::total_cmp);
        all
    }

    fn check(&self, random: &mut Random, verdicts: &mut Verdicts) {
        let plain = self.trees();
        let mut known = [false; DIAL.len()];
        for margin in self.margins(random) {
            let trees = plain.margin(margin).expect("a margin");
            let mut coarser = (false, Accuracy::Depth(0));
            for (known, accuracy) in known.iter_mut().zip(DIAL) {
                let found = self.answer(&trees, (margin, accuracy), verdicts);
                // A budget's cut depends on the pairs that remain undecided.
                assert!(found || !*known, "{accuracy:?}: {margin} finds less than a lesser margin");
                *known = found && !matches!(accuracy, Accuracy::Budget(20));
                if let (Accuracy::Depth(_), Accuracy::Depth(to)) = (coarser.1, accuracy)
                    && to > 0
                {
                    assert!(coarser.0 || !found, "{margin}: deeper than {coarser:?} finds more");
                }
                coarser = (found, accuracy);
            }
        }
        let mut scratch = TreeScratch::default();
        for accuracy in DIAL {
            let none = plain.margin(0.0).expect("a margin");
            let same = visited(&none, accuracy, &mut scratch);
            assert_eq!(same, visited(&plain, accuracy, &mut scratch));
        }
    }

    /// Returns `true` if something is found, by every kind of query.
    fn answer(
        &self,
        trees: &TreePair<'_, T>,
        (margin, accuracy): (f64, Accuracy),
        verdicts: &mut Verdicts,
    ) -> bool {
        let mut scratch = TreeScratch::default();
        let found = visited(trees, accuracy, &mut scratch);
        let any = trees.intersects(accuracy, &mut scratch).expect("a question");
        assert_eq!(any, !found.is_empty(), "{accuracy:?} {margin}");
        let [a, b] = self.pair;
        let back = TreePair::new(&b.tree, &b.pose, &a.tree, &a.pose).expect("sound poses");
        let back = back.margin(margin).expect("a margin");
        assert_eq!(reversed(&found), visited(&back, accuracy, &mut scratch), "{accuracy:?}");
        if !matches!(accuracy, Accuracy::Budget(_)) {
            let alone = visited(trees, accuracy, &mut TreeScratch::one_at_a_time());
            assert_eq!(found, alone, "{accuracy:?} {margin} of {}", self.truth);
        }
        for simd in SimdLevel::all() {
            let mut scratch = TreeScratch::with_simd_level(simd);
            assert_eq!(found, visited(trees, accuracy, &mut scratch), "{simd:?}");
        }
        if self.truth <= margin - self.own {
            assert!(any, "{accuracy:?} misses {} within {margin}", self.truth);
            verdicts.within += 1;
        }
        // The pairs of a visit whose nodes are not leaves share the slack of the parts.
        let slack = found.iter().map(|&nodes| trees.slack(nodes).wide()).fold(f64::MAX, f64::min);
        if any {
            let most = margin + slack + self.own;
            assert!(self.truth <= most, "{accuracy:?}: {} beyond {margin} + {slack}", self.truth);
            verdicts.excess += usize::from(self.truth > margin);
        }
        let boxes = if T::ROUNDING > 1e-10 { 2f64.powi(-18) } else { 2f64.powi(-38) };
        // Beyond the range of `f32` no bound is asserted.
        let rounding = if margin > 1e20 { f64::MAX } else { self.rounding + boxes * margin };
        match accuracy {
            Accuracy::Within(t) if any => assert!(slack <= t + rounding, "{slack}"),
            Accuracy::Exact | Accuracy::Budget(u32::MAX) if any => {
                assert!(slack <= rounding, "{slack}, {rounding} at {margin}");
            }
            _ => {}
        }
        verdicts.beyond += usize::from(!any);
        any
    }
}

fn every_regime<T: Scalar>(
    rounds: usize,
    subjects: impl Fn(&mut Random, usize) -> [Subject<T>; 2],
) -> Verdicts {
    let (mut random, mut verdicts) = (Random(52), Verdicts::default());
    for round in 0..support::proof::at_least(rounds, rounds / 8) {
        let pair = subjects(&mut random, round);
        let truth = part_distance::distance(&pair[0].placed, &pair[1].placed);
        let far = norm(pair[0].placed.corner()) + norm(pair[1].placed.corner());
        let own = 1e-13 * (1.0 + far);
        let rounding = 4.0 * (stated(&pair) + T::ROUNDING * truth);
        let case = Case { pair: &pair, truth, own, rounding };
        case.check(&mut random, &mut verdicts);
    }
    println!("{verdicts:?}");
    assert!(verdicts.within > 1_000 && verdicts.beyond > 1_000);
    verdicts
}

fn random_parts<T: Scalar>() {
    assert!(every_regime(512, subjects::<T>).excess > 100);
}

fn boxes<T: Scalar>() {
    every_regime(512, single_boxes::<T>);
}

fn nested<T: Scalar>() {
    let outer = default_tree::<T>(closed_meshes::solid(sphere(2.0, 12)));
    let shell = default_tree::<T>(closed_meshes::surface(sphere(2.0, 12)));
    let inner = default_tree::<T>(closed_meshes::solid(cube([0.1; 3])));
    let mut random = Random(7);
    let (mut scratch, at) = (TreeScratch::default(), [3.0, -1.0, 2.0]);
    for margin in [0.0, 1e-6, 0.3, 1.0] {
        let poses: [Pose<T>; 2] = [turned(&mut random, at), turned(&mut random, at)];
        for accuracy in DIAL {
            let ask = |held: &ObbTree<T>, scratch: &mut TreeScratch| {
                let trees = TreePair::new(held, &poses[0], &inner, &poses[1]).expect("poses");
                let trees = trees.margin(margin).expect("a margin");
                let back = TreePair::new(&inner, &poses[1], held, &poses[0]).expect("poses");
                let found = visited(&trees, accuracy, scratch);
                let back = visited(&back.margin(margin).expect("a margin"), accuracy, scratch);
                assert_eq!(reversed(&found), back);
                found
            };
            // The two surfaces are more than 1.7 units apart.
            assert!(!ask(&outer, &mut scratch).is_empty(), "{accuracy:?} misses an inside");
            let surfaces = ask(&shell, &mut scratch);
            assert!(accuracy != Accuracy::Exact || surfaces.is_empty(), "a surface has none");
        }
    }
    // Equal answers outside of the solid.
    let poses: [Pose<T>; 2] = [upright(at), upright([at[0] + 5.1, at[1], at[2]])];
    let trees = TreePair::new(&outer, &poses[0], &inner, &poses[1]).expect("poses");
    let mut ask = |margin| {
        let trees: TreePair<'_, T> = trees.margin(margin).expect("a margin");
        trees.intersects(Accuracy::Exact, &mut scratch).expect("a question")
    };
    assert_eq!([ask(2.9), ask(3.01)], [false, true]);
}

/// A margin is that of the geometry, wherever boxes are on whole coordinates and so exactly there.
#[test]
fn boxes_exactly_that_far_apart_are_within() {
    let unit = default_tree::<f32>(closed_meshes::solid(cube([0.5; 3])));
    let mut scratch = TreeScratch::default();
    for (offset, gap) in [([3.0, 0.0, 0.0], 2.0), ([4.0, 5.0, 0.0], 5.0), ([2.0, 3.0, 3.0], 3.0)] {
        let poses = [upright([0.0; 3]), upright(offset)];
        let trees = TreePair::new(&unit, &poses[0], &unit, &poses[1]).expect("poses");
        for accuracy in DIAL {
            let mut ask = |margin: f64| {
                let trees = trees.margin(margin).expect("a margin");
                trees.intersects(accuracy, &mut scratch).expect("a question")
            };
            assert!(ask(gap), "{accuracy:?} {offset:?}");
            // Cubes fill their boxes, so their distance decides, not the 15 axes.
            let budget = accuracy == Accuracy::Budget(20);
            assert!(budget || matches!(accuracy, Accuracy::Within(0.3)) || !ask(0.9999 * gap));
        }
    }
}

/// Returns the least number not below `height / sqrt(squares)`, both whole numbers.
fn rounded_up(height: f64, squares: f64) -> f64 {
    let is_less = |x: f64| {
        let (mantissa, exponent) = (x.to_bits() << 12 >> 12 | 1 << 52, (x.to_bits() >> 52) as i32);
        let left = BigInt::from(mantissa).pow(2) * squares as u64;
        left < BigInt::from(height as u64).pow(2) << (2 * (1075 - exponent)) as u32
    };
    let mut root = (height / squares.sqrt()).next_down().next_down();
    while is_less(root) {
        root = root.next_up();
    }
    root
}

/// Checks that a margin equal to the distance, rounded up to the next number, finds two triangles
/// at every accuracy: a corner with integer coordinates above the inside of a triangle with integer
/// coordinates.
#[test]
fn triangles_no_further_apart_than_the_margin_to_the_bit() {
    let (mut random, mut scratch) = (Random(977), TreeScratch::default());
    let mut cases = 0;
    while cases < proof::cases(20_000) {
        let mut whole = |most: usize| random.below(2 * most + 1) as f64 - most as f64;
        let corners = [0; 3].map(|_| [0; 3].map(|_| whole(50)));
        let [one, two] = [1, 2].map(|i| minus(corners[i], corners[0]));
        let (normal, over) = (outer(one, two), [0; 3].map(|_| whole(50)));
        let height = inner(normal, minus(over, corners[0]));
        let is_inside = (0..3).all(|i| {
            let (edge, from) = (minus(corners[(i + 1) % 3], corners[i]), minus(over, corners[i]));
            inner(outer(edge, from), normal) > 0.0
        });
        if height == 0.0 || !is_inside {
            continue;
        }
        // The other corners of the second triangle are further up than its first.
        let up = normal.map(|x| x * height.signum());
        let other = [over, plus(plus(over, up), one), plus(plus(over, times(up, 2.0)), two)];
        let away = [0; 3].map(|_| whole(1000));
        let trees = [corners, other.map(|p| minus(p, away))].map(|corners| {
            let mesh = Mesh::new(corners.map(Point3::from).to_vec(), vec![[0, 1, 2]]);
            default_tree::<f64>(Geometry::Surface(mesh.expect("a mesh")))
        });
        let poses = [upright([0.0; 3]), upright(away)];
        let margin = rounded_up(height.abs(), inner(normal, normal));
        for [i, j] in [[0, 1], [1, 0]] {
            let pair = TreePair::new(&trees[i], &poses[i], &trees[j], &poses[j]).expect("poses");
            for accuracy in DIAL {
                let mut ask = |margin: f64| {
                    let pair = pair.margin(margin).expect("a margin");
                    pair.intersects(accuracy, &mut scratch).expect("a question")
                };
                assert!(ask(margin), "{accuracy:?} {corners:?} {other:?}");
                assert!(accuracy != Accuracy::Exact || !ask(0.999 * margin));
            }
        }
        cases += 1;
    }
}

#[test]
fn invalid_margins_are_refused() {
    let unit = default_tree::<f64>(closed_meshes::solid(cube([0.5; 3])));
    let poses = [upright([0.0; 3]), upright([3.0, 0.0, 0.0])];
    let trees = TreePair::new(&unit, &poses[0], &unit, &poses[1]).expect("poses");
    for margin in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let error = trees.margin(margin).expect_err("refused");
        assert_eq!(error, Error::NotFinite { field: "margin", index: 0 });
    }
    let error = trees.margin(-1e-9).expect_err("refused");
    assert_eq!(error.to_string(), "margin is negative");
    assert!(trees.margin(-0.0).is_ok());
    let wide = trees.margin(f64::MAX).expect("a margin");
    let mut scratch = TreeScratch::default();
    assert!(wide.intersects(Accuracy::Exact, &mut scratch).expect("a question"));
    assert!(wide.touches(NodeId::ROOT, NodeId::ROOT));
    // Distances do not depend on the margin.
    let far = |trees: &TreePair<'_, f64>, scratch: &mut TreeScratch| {
        let found = trees.distance(Accuracy::Exact, f64::INFINITY, scratch).expect("a question");
        found.expect("no cut-off").distance
    };
    assert_eq!(far(&wide, &mut scratch), far(&trees, &mut scratch));
    let mut pairs = 0;
    let _ = wide.visit_primitives(&mut scratch, |_, _| {
        pairs += 1;
        ControlFlow::Continue(())
    });
    assert_eq!(pairs, 12 * 12);
}

scalars! {
    random_parts_within_margins => random_parts();
    single_boxes_within_margins => boxes();
    insides_are_at_no_distance => nested();
}
