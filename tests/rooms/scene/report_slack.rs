//! One slack for a query: the same number for pairs, contacts and self-collision, never greater at
//! a greater depth, a bound on the distance of the parts and on the slack of every hit.

use std::sync::Arc;

use boxwood::model::{Model, SelfQuery, SelfQueryScratch};
use boxwood::num::tolerance;
use boxwood::scene::{Buffers, CharacterKey, Hits, Scene};
use boxwood::shape::Pose;
use boxwood::tree::{Geometry, NodeId, ObbTree, TreePair, TreeScratch};
use boxwood::{Accuracy, Build, Detail, PairQuery};

use support::closed_meshes;
use support::convex_bodies::{Body, BodyKind};
use support::prelude::*;
use support::random_parts::mesh;
use support::triangle_distance::Triangle;

/// Accuracies of a sequence that never states a greater slack than before.
fn sequences(size: f64) -> [Vec<Accuracy>; 3] {
    let depths = (0..=6).chain([u8::MAX]).map(Accuracy::Depth).chain([Accuracy::Exact]);
    let shares = [10.0, 0.3, 0.1, 0.03, 1e-2, 1e-3, 1e-6, 0.0];
    let budgets = (0..30).chain([50, 100, 1_000, u32::MAX]);
    [
        depths.collect(),
        shares.iter().map(|share| Accuracy::Within(share * size)).collect(),
        budgets.map(Accuracy::Budget).collect(),
    ]
}

/// Two parts, as parts of one model, of one character, and of two characters.
struct Placed<T: Scalar> {
    model: Arc<Model<T>>,
    poses: [Pose<T>; 2],
    together: (Scene<T>, CharacterKey),
    apart: (Scene<T>, [CharacterKey; 2]),
}

/// Answer of every kind of pair query.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Stated {
    is_reported: bool,
    slack: f64,
    /// Slack of the deepest hit.
    of_deepest: f64,
    met: bool,
}

impl<T: Scalar> Placed<T> {
    fn new(parts: [Geometry<T>; 2], build: &Build, poses: [Pose<T>; 2]) -> Self {
        let mut apart = Scene::new();
        let keys = [0, 1].map(|part| {
            let model = Model::builder().part("one", None, parts[part].clone()).build(build);
            insert_posed(&mut apart, &model.expect("a model"), &poses[part..=part])
        });
        let [a, b] = parts;
        let model = Model::builder().part("a", None, a).part("b", None, b).build(build);
        let model = model.expect("a model");
        let mut together = Scene::new();
        let key = insert_posed(&mut together, &model, &poses);
        Placed { model, poses, together: (together, key), apart: (apart, keys) }
    }

    fn tree(&self, part: usize) -> &ObbTree<T> {
        self.model.parts()[part].tree().expect("geometry")
    }

    fn pair(&self) -> TreePair<'_, T> {
        let [a, b] = &self.poses;
        TreePair::new(self.tree(0), a, self.tree(1), b).expect("sound poses")
    }

    /// Runs all kinds of queries; asserts that they state one slack, and none of a hit is greater.
    fn state(&self, accuracy: Accuracy) -> Stated {
        let mut scratch = SelfQueryScratch::default();
        let pairs = self.model.self_pairs(&self.poses, accuracy, &mut scratch).expect("poses");
        let is_reported = !pairs.is_empty();
        let report = *scratch.report();
        let mut stated =
            Stated { is_reported, slack: report.slack.wide(), of_deepest: 0.0, met: report.met };
        let any = self.model.self_intersects(&self.poses, accuracy, &mut scratch).expect("poses");
        assert_eq!(any, is_reported);
        if !matches!(accuracy, Accuracy::Budget(_)) {
            assert_eq!(scratch.report().slack, report.slack, "{accuracy:?}");
        }
        let queries = [
            (&self.together.0, PairQuery::within(self.together.1)),
            (&self.apart.0, PairQuery::between(self.apart.1[0], self.apart.1[1])),
            (&self.apart.0, PairQuery::between(self.apart.1[1], self.apart.1[0])),
            (&self.apart.0, PairQuery::all()),
        ];
        let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
        for (scene, query) in queries {
            let now = scene.snapshot(&mut buffers);
            for detail in [Detail::Bodies, Detail::DeepestBoxes, Detail::Boxes] {
                let query = query.clone().accuracy(accuracy).detail(detail);
                let of_pairs = now.pairs(&query, &mut hits).expect("a query");
                assert_eq!(!hits.pairs().is_empty(), is_reported);
                let of_contacts = now.contacts(&query, &mut hits).expect("a query");
                assert_eq!(!hits.is_empty(), is_reported);
                for other in [of_pairs, of_contacts] {
                    let expected = (report.slack, report.met);
                    assert_eq!((other.slack, other.met), expected, "{accuracy:?} {detail:?}");
                }
                for hit in &hits {
                    assert!(hit.slack <= report.slack, "{accuracy:?} {detail:?}: {hit:?}");
                    if detail == Detail::DeepestBoxes {
                        stated.of_deepest = hit.slack.wide();
                    }
                }
            }
        }
        stated
    }

    /// Asserts that models and scenes state one falling slack for parts within a margin, given how
    /// far they are apart at least.
    fn falls_within(&self, margin: f64, (sequence, distance): (&[Accuracy], f64)) {
        let (mut scratch, mut before) = (SelfQueryScratch::default(), f64::INFINITY);
        let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
        let now = self.together.0.snapshot(&mut buffers);
        for &accuracy in sequence {
            let query = SelfQuery::new(accuracy).margin(margin);
            let pairs = self.model.self_pairs(&self.poses, query, &mut scratch).expect("poses");
            let (is_reported, slack) = (!pairs.is_empty(), scratch.report().slack);
            for detail in [Detail::Bodies, Detail::DeepestBoxes, Detail::Boxes] {
                let query = PairQuery::within(self.together.1).accuracy(accuracy);
                let query = query.margin(margin).detail(detail);
                let report = now.pairs(&query, &mut hits).expect("a query");
                let found = (report.slack, !hits.pairs().is_empty());
                assert_eq!(found, (slack, is_reported), "{accuracy:?} within {margin}");
            }
            if !is_reported {
                break;
            }
            let slack = slack.wide();
            assert!(slack <= before, "{accuracy:?} within {margin}: {slack} after {before}");
            assert!(distance <= margin + slack, "{accuracy:?} within {margin}: {slack}");
            before = slack;
        }
    }

    /// Computes the slack of two parts without hulls at a depth by its definition; with `only`, of
    /// that depth alone.
    fn expected(&self, depth: u8, only: bool) -> f64 {
        let trees = [0, 1].map(|part| self.tree(part));
        let reaches = trees.map(|tree| tree.radius_about_origin().wide());
        let size_pad = T::REACH_SHARE * (reaches[0] + reaches[1]);
        let deepest = trees[0].depth().max(trees[1].depth()).min(depth);
        let at = |depth: u8| {
            let (mut bounds, mut size) = (0.0, 0.0);
            for tree in trees {
                let cut = tree.cut(depth);
                let most = |of: &dyn Fn(NodeId) -> f64| {
                    cut.iter().map(|&node| of(node)).fold(0.0, f64::max)
                };
                bounds += most(&|node| tree.node(node).bound().wide());
                size += most(&|node| {
                    let half = tree.node(node).oriented().half_extents();
                    half.iter().map(|x| x.wide() * x.wide()).sum::<f64>().sqrt()
                });
            }
            bounds + tolerance::gap(T::LEAF_SLACK * (size + size_pad), size, None)
        };
        (if only { deepest..=deepest } else { 0..=deepest }).map(at).fold(f64::INFINITY, f64::min)
    }
}

/// Two surfaces of few triangles, the offset of the second, and the slacks at depths 0 to 3: of the
/// report, of the deepest hit.
struct Known {
    parts: [&'static [Triangle]; 2],
    offset: V,
    of_report: [f64; 4],
    of_deepest: [f64; 4],
}

const KNOWN: [Known; 4] = [
    // The slack of the deepest hit rises, and so do the bounds of the second part.
    Known {
        parts: [
            &[
                [[4.0, 3.0, 0.0], [2.0, 3.0, -2.0], [-3.0, -3.0, 3.0]],
                [[0.0, 1.0, 1.0], [-1.0, -2.0, 1.0], [1.0, 2.0, 2.0]],
            ],
            &[
                [[-3.0, 0.0, -3.0], [2.0, 4.0, -4.0], [-2.0, -1.0, -2.0]],
                [[4.0, -4.0, 1.0], [2.0, 4.0, 1.0], [3.0, 4.0, 4.0]],
                [[-4.0, -1.0, -3.0], [4.0, 3.0, -3.0], [0.0, 4.0, -1.0]],
            ],
        ],
        offset: [0.5, 1.0, 0.5],
        of_report: [7.777391, 5.399825, 5.399825, 5.399825],
        of_deepest: [7.777388, 5.332545, 5.399812, 5.399812],
    },
    Known {
        parts: [
            &[
                [[4.0, 3.0, -3.0], [3.0, 4.0, -2.0], [2.0, 1.0, 3.0]],
                [[4.0, 1.0, 2.0], [4.0, -1.0, 3.0], [-4.0, 3.0, 0.0]],
            ],
            &[
                [[1.0, -3.0, -1.0], [-4.0, -2.0, 3.0], [-2.0, -4.0, -3.0]],
                [[2.0, 3.0, -4.0], [2.0, 0.0, 2.0], [0.0, -1.0, -3.0]],
                [[-1.0, -2.0, 0.0], [3.0, 3.0, -4.0], [4.0, 1.0, 2.0]],
            ],
        ],
        offset: [-1.0, 2.0, -1.0],
        of_report: [9.410575, 4.825308, 4.825308, 4.825308],
        of_deepest: [9.410571, 3.932799, 4.361616, 4.361616],
    },
    // Leaves at depth 1.
    Known {
        parts: [
            &[
                [[3.0, 0.0, 1.0], [-4.0, 3.0, 4.0], [-3.0, 0.0, -1.0]],
                [[-4.0, 2.0, 4.0], [0.0, -2.0, 4.0], [-4.0, -3.0, -4.0]],
            ],
            &[
                [[4.0, 1.0, -3.0], [1.0, 0.0, 3.0], [-1.0, 2.0, -1.0]],
                [[0.0, -3.0, -3.0], [-2.0, 0.0, 0.0], [4.0, -2.0, 4.0]],
            ],
        ],
        offset: [-1.0, 1.5, -1.5],
        of_report: [9.249732, 7.763144, 7.763144, 7.763144],
        of_deepest: [9.249729, 6.661617, 6.661617, 6.661617],
    },
    // Equal triangles, one against three.
    Known {
        parts: [
            &[[[3.0, 0.0, 1.0], [-4.0, 3.0, 4.0], [-3.0, 0.0, -1.0]]],
            &[
                [[-4.0, 2.0, 4.0], [0.0, -2.0, 4.0], [-4.0, -3.0, -4.0]],
                [[4.0, 1.0, -3.0], [1.0, 0.0, 3.0], [-1.0, 2.0, -1.0]],
                [[0.0, -3.0, -3.0], [-2.0, 0.0, 0.0], [4.0, -2.0, 4.0]],
            ],
        ],
        offset: [-1.0, 1.5, -1.5],
        of_report: [7.848606, 7.422672, 7.422672, 7.422672],
        of_deepest: [7.848592, 7.335326, 7.422659, 7.422659],
    },
];

impl Known {
    /// Asserts the known slacks of the parts, moved in their frames and scaled, in both orders.
    fn check(&self, by: V, scale: f64) {
        let parts = self.parts.map(|triangles| {
            let moved = |corners: &Triangle| corners.map(|p| times(plus(p, by), scale));
            mesh::<f64>(&triangles.iter().map(moved).collect::<Vec<_>>())
        });
        let [x, y, z] = times(self.offset, scale);
        let poses = [Isometry3::identity(), Isometry3::translation(x, y, z)];
        let [a, b] = parts.clone();
        let swapped = Placed::new([b, a], &Build::default(), [poses[1], poses[0]]);
        for placed in [Placed::new(parts, &Build::default(), poses), swapped] {
            for depth in 0..4 {
                let stated = placed.state(Accuracy::Depth(depth));
                assert!(stated.is_reported, "depth {depth}");
                let expected = [self.of_report, self.of_deepest].map(|of| of[usize::from(depth)]);
                for (slack, expected) in [stated.slack, stated.of_deepest].iter().zip(expected) {
                    let off = slack / scale - expected;
                    assert!(off.abs() < 1e-4, "depth {depth}: {slack}, not {expected} x {scale}");
                }
            }
        }
    }
}

#[test]
fn known_cases_state_one_falling_slack_while_that_of_the_deepest_hit_rises() {
    for known in &KNOWN {
        known.check([0.0; 3], 1.0);
        known.check([0.0; 3], 4.0);
        known.check([64.0, 0.0, -8.0], 1.0);
        assert!(known.of_report.is_sorted_by(|a, b| a >= b));
    }
    let rises = |known: &&Known| known.of_deepest[2] > known.of_deepest[1];
    assert_eq!(KNOWN.iter().filter(rises).count(), 3);
}

/// Draws a part: of few triangles, a surface, a solid, boxes, round shapes, or a mixture of shapes.
fn any_part<T: Scalar>(random: &mut Random, kind: usize) -> Geometry<T> {
    let body = |random: &mut Random, kinds: &[BodyKind]| {
        let kind = kinds[random.below(kinds.len())];
        Body::random(random, kind, (1.0, 1.0)).shape()
    };
    match kind {
        0 | 1 => {
            let whole = |random: &mut Random| random.between(-4.5, 4.5).round();
            let corners = |random: &mut Random| -> Triangle {
                std::array::from_fn(|_| std::array::from_fn(|_| whole(random)))
            };
            let count = 2 + random.below(5);
            mesh(&(0..count).map(|_| corners(random)).collect::<Vec<_>>())
        }
        2 => {
            let of_surfaces = random.below(3);
            random_part(random, of_surfaces)
        }
        3 => closed_meshes::solid(closed_meshes::sphere(1.0, 6)),
        4 => random_part(random, 3),
        5 => {
            let round = [
                BodyKind::Sphere,
                BodyKind::Capsule,
                BodyKind::Cylinder,
                BodyKind::Ellipsoid,
                BodyKind::Hull,
            ];
            let count = 1 + random.below(6);
            Geometry::Convex((0..count).map(|_| body(random, &round)).collect())
        }
        _ => {
            let count = 1 + random.below(6);
            Geometry::Convex((0..count).map(|_| body(random, &BodyKind::ALL)).collect())
        }
    }
}

#[derive(Default)]
struct Tally {
    reported: usize,
    apart: usize,
    /// Pairs whose slack would rise if it were that of one depth alone.
    one_depth_rises: usize,
    /// Pairs whose slack would rise if it were that of the deepest hit.
    of_deepest_rises: usize,
    /// Reports whose slack is that of the hulls of the roots.
    by_hulls: usize,
}

fn one_slack<T: Scalar>(seed: u64) {
    let (mut random, mut tally) = (Random(seed), Tally::default());
    let mut scratch = TreeScratch::default();
    let rounds = at_least(1_400, 70);
    for round in 0..rounds {
        let kinds = [round % 7, round / 7 % 7];
        let parts = kinds.map(|kind| any_part(&mut random, kind));
        let levels = if round % 3 == 0 { 0 } else { 4 };
        let build = Build::default().hull_levels(levels);
        let from = times(random.direction(), [0.0, 1.0, 100.0][random.below(3)]);
        let (pose, mut other) = (turned(&mut random, from), turned(&mut random, from));
        let size = kinds.iter().map(|kind| if *kind < 2 { 4.0 } else { 1.0 }).sum::<f64>();
        let way = times(random.direction(), 0.7 * size * random.share());
        other.translation.vector += vector::<T>(way);
        let placed = Placed::new(parts, &build, [pose, other]);
        let closest = placed.pair().distance(Accuracy::Exact, f64::INFINITY, &mut scratch);
        let closest = closest.expect("a distance").expect("in reach");
        let distance = closest.distance.wide() - closest.slack.wide();
        let exact = placed.state(Accuracy::Exact).slack;
        for (kind, sequence) in sequences(size).iter().enumerate() {
            let (mut before, mut hits_before) = (f64::INFINITY, f64::INFINITY);
            let (mut one_before, mut rises) = (f64::INFINITY, [false; 2]);
            for &accuracy in sequence {
                let now = placed.state(accuracy);
                if !now.is_reported {
                    assert_eq!(now.slack, 0.0);
                    break;
                }
                let place = format!("round {round} of kinds {kinds:?}: {accuracy:?}");
                assert!(now.slack <= before, "{place}: {} after {before}", now.slack);
                assert!(distance <= now.slack, "{place}: {distance} apart, {}", now.slack);
                if let Accuracy::Depth(depth) = accuracy {
                    let (expected, only) =
                        (placed.expected(depth, false), placed.expected(depth, true));
                    let error = 1e-11 * (size + 100.0) + 4.0 * T::ROUNDING * expected;
                    assert!(now.slack <= expected + error, "{place}: {} {expected}", now.slack);
                    assert!(levels > 0 || now.slack >= expected, "{place}: {}", now.slack);
                    tally.by_hulls += usize::from(now.slack < expected - error);
                    rises[0] |= only > one_before + error;
                    one_before = only;
                    rises[1] |= now.of_deepest > hits_before;
                    hits_before = now.of_deepest;
                }
                if let Accuracy::Within(tolerance) = accuracy {
                    assert!(now.slack <= tolerance.max(exact), "{place}: {}", now.slack);
                }
                if let Accuracy::Budget(_) = accuracy
                    && now.met
                {
                    assert_eq!(now.slack, exact, "{place}");
                }
                before = now.slack;
                tally.reported += 1;
                tally.apart += usize::from(distance > 0.0);
            }
            if kind == 0 {
                placed.falls_within(0.3 * size * random.share(), (sequence, distance));
                tally.one_depth_rises += usize::from(rises[0]);
                tally.of_deepest_rises += usize::from(rises[1]);
            }
        }
    }
    let Tally { reported, apart, one_depth_rises, of_deepest_rises, by_hulls } = tally;
    println!(
        "{reported} reports, {apart} of parts that are apart, {by_hulls} by hulls; of one depth \
         {one_depth_rises} would rise, of the deepest hit {of_deepest_rises}"
    );
    assert!(reported > 22 * rounds && apart > 3 * rounds && by_hulls > rounds / 4);
    assert!(one_depth_rises > rounds / 35 && of_deepest_rises > rounds / 35);
}

/// Checks queries of many pairs of parts: they state the greatest slack of their pairs.
fn greatest<T: Scalar>(seed: u64) {
    let (mut random, mut checked) = (Random(seed), 0);
    for _ in 0..at_least(60, 6) {
        let builder = (0..6).fold(Model::builder(), |builder, part: usize| {
            builder.part(part.to_string(), None, any_part(&mut random, 1 + part))
        });
        let model = builder.build(&Build::default()).expect("a model");
        let poses: Vec<Pose<T>> = (0..6)
            .map(|_| {
                let at = times(random.direction(), 2.5 * random.share());
                turned(&mut random, at)
            })
            .collect();
        let mut scene = Scene::new();
        let key = insert_posed(&mut scene, &model, &poses);
        let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
        let now = scene.snapshot(&mut buffers);
        let mut scratch = SelfQueryScratch::default();
        for sequence in sequences(4.0) {
            let mut before = f64::INFINITY;
            for accuracy in sequence {
                let query = PairQuery::within(key).accuracy(accuracy);
                let report = now.pairs(&query, &mut hits).expect("a query");
                let found = hits.pairs().to_vec();
                let _ = model.self_pairs(&poses, accuracy, &mut scratch).expect("poses");
                assert_eq!(scratch.report().slack, report.slack, "{accuracy:?}");
                let boxes = query.clone().detail(Detail::Boxes);
                let of_contacts = now.contacts(&boxes, &mut hits).expect("a query");
                assert_eq!(of_contacts.slack, report.slack, "{accuracy:?}");
                assert!(report.slack.wide() <= before, "{accuracy:?}: {} {before}", report.slack);
                before = report.slack.wide();
                if matches!(accuracy, Accuracy::Budget(_)) {
                    continue;
                }
                let of_parts = found.iter().map(|(a, b)| {
                    let (of_a, of_b) = ([a.part], [b.part]);
                    let query = query.clone().parts(&of_a, &of_b);
                    now.pairs(&query, &mut hits).expect("a query").slack.wide()
                });
                let greatest = of_parts.fold(0.0, f64::max);
                assert_eq!(report.slack.wide(), greatest, "{accuracy:?}");
                checked += found.len();
            }
        }
    }
    println!("{checked} pairs of parts");
    assert!(checked > 300);
}

scalars! {
    every_query_states_the_same_falling_slack => one_slack(2601; 2602);
    many_pairs_state_their_greatest => greatest(2603; 2604);
}
