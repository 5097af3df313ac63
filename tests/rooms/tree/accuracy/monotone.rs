//! Monotone accuracies: deeper reports no more pairs and no larger slack, nor does a smaller
//! tolerance: on every character and robot, on random parts, and on solids inside each other. A
//! tolerance is compared with the test's own traversal, one pair of nodes at a time.

use std::collections::HashMap;
use std::ops::ControlFlow;

use boxwood::load::Loader;
use boxwood::shape::Pose;
use boxwood::tree::{DecidedBy, NodeId, NodePair, ObbTree, TreePair, TreeScratch};
use boxwood::{Accuracy, SimdLevel};

use super::hard_poses::{any_build, size};
use super::nested_solids::shapes;
use support::prelude::*;
use support::random_parts::put;
use support::tree_nodes::ancestors;

type Set<T> = HashMap<(NodeId, NodeId), (DecidedBy, T)>;

/// Two placed trees, with the ancestors of every node from the root down.
struct Two<'a, T: Scalar> {
    trees: [&'a ObbTree<T>; 2],
    above: [Vec<Vec<NodeId>>; 2],
    pair: TreePair<'a, T>,
    scratches: Vec<TreeScratch>,
}

#[derive(Default)]
struct Tally {
    places: usize,
    reported: usize,
    /// Pairs that one depth reports and the next does not.
    dropped: usize,
    /// Pairs whose slack is that of an ancestor.
    inherited: usize,
    accepted: usize,
}

impl<'a, T: Scalar> Two<'a, T> {
    fn new(a: (&'a ObbTree<T>, &Pose<T>), b: (&'a ObbTree<T>, &Pose<T>)) -> Self {
        let mut scratches: Vec<TreeScratch> =
            SimdLevel::all().into_iter().map(TreeScratch::with_simd_level).collect();
        scratches.push(TreeScratch::one_at_a_time());
        let pair = TreePair::new(a.0, a.1, b.0, b.1).expect("sound poses");
        let (trees, above) = ([a.0, b.0], [ancestors(a.0), ancestors(b.0)]);
        Two { trees, above, pair, scratches }
    }

    /// Reported pairs, equal at every SIMD level and by one pair at a time.
    fn reported(&mut self, accuracy: Accuracy) -> Set<T> {
        let mut sets = Vec::new();
        for scratch in &mut self.scratches {
            let mut set = Set::new();
            let flow = self.pair.visit(accuracy, scratch, |touch| {
                set.insert((touch.a, touch.b), (touch.by, self.pair.slack(touch)));
                ControlFlow::Continue(())
            });
            assert_eq!(flow, Ok(ControlFlow::Continue(())));
            let any = self.pair.intersects(accuracy, scratch).expect("an accuracy");
            assert_eq!(any, !set.is_empty(), "{accuracy:?}");
            sets.push(set);
        }
        let first = sets.pop().expect("a set");
        for set in sets {
            let only = |a: &Set<T>, b: &Set<T>| {
                let mut only: Vec<_> =
                    a.iter().filter(|(k, v)| b.get(k) != Some(v)).map(|(k, v)| (*k, *v)).collect();
                only.sort_by_key(|x| x.0);
                only.truncate(3);
                only
            };
            assert_eq!(only(&set, &first), only(&first, &set), "{accuracy:?}");
        }
        first
    }

    /// Returns the pairs of ancestors of two nodes at equal depths, from the roots down.
    fn down_to(&self, (a, b): (NodeId, NodeId)) -> impl Iterator<Item = (NodeId, NodeId)> + '_ {
        let [x, y] = [&self.above[0][a.index()], &self.above[1][b.index()]];
        let at = |list: &[NodeId], depth: usize| list[depth.min(list.len() - 1)];
        (0..x.len().max(y.len())).map(move |depth| (at(x, depth), at(y, depth)))
    }

    /// Asserts that every pair of the finer set, or one of its ancestors, is in the coarser one,
    /// and has no larger slack.
    fn held(&self, finer: &Set<T>, coarser: &Set<T>, tally: &mut Tally) {
        assert!(finer.is_empty() || !coarser.is_empty(), "parts that the coarser does not report");
        for (&nodes, (by, slack)) in finer {
            // A part inside a solid: reported as the roots, at any accuracy.
            if *by == DecidedBy::Inside {
                continue;
            }
            let held = self.down_to(nodes).find_map(|pair| coarser.get(&pair));
            let (_, coarse) = held.unwrap_or_else(|| panic!("{nodes:?} is new"));
            let first = self.down_to(nodes).next().expect("the roots");
            let is_inside = coarser.get(&first).is_some_and(|(by, _)| *by == DecidedBy::Inside);
            assert!(!is_inside, "{nodes:?} touch, and nothing of them one step up");
            assert!(slack <= coarse, "{nodes:?}: {slack:?} after {coarse:?}");
        }
        tally.reported += finer.len();
    }

    /// Computes the pairs of a tolerance by its definition: both trees descended together from the
    /// roots.
    fn within(&self, tolerance: f64) -> Set<T> {
        let (mut found, mut stack) = (Set::new(), vec![(NodeId::ROOT, NodeId::ROOT)]);
        while let Some((a, b)) = stack.pop() {
            if !self.pair.touches(a, b) {
                continue;
            }
            let slack = self.pair.slack(NodePair { a, b, by: DecidedBy::Boxes });
            let [x, y] = [self.trees[0].node(a).children(), self.trees[1].node(b).children()];
            let one = |own, children: Option<[NodeId; 2]>| children.map_or(vec![own], Vec::from);
            if slack.wide() <= tolerance {
                found.insert((a, b), (DecidedBy::Boxes, slack));
            } else if x.is_none() && y.is_none() {
                let [p, q] = [self.trees[0].primitives(a), self.trees[1].primitives(b)];
                let mut pairs = p.iter().flat_map(|&i| q.iter().map(move |&j| (i, j)));
                if pairs.any(|(i, j)| self.pair.primitives_touch(i, j)) {
                    let by = DecidedBy::Primitives;
                    found.insert((a, b), (by, self.pair.slack(NodePair { a, b, by })));
                }
            } else {
                let children = one(b, y);
                stack.extend(one(a, x).iter().flat_map(|&i| children.iter().map(move |&j| (i, j))));
            }
        }
        found
    }

    /// Checks all accuracies; returns what the exact answer reports.
    fn check(&mut self, size: f64, tally: &mut Tally) -> Set<T> {
        tally.places += 1;
        let deepest = self.trees[0].depth().max(self.trees[1].depth());
        let mut coarser = self.reported(Accuracy::Depth(0));
        for depth in 1..=deepest {
            let finer = self.reported(Accuracy::Depth(depth));
            self.held(&finer, &coarser, tally);
            tally.dropped += coarser.len().saturating_sub(finer.len());
            for &(a, b) in finer.keys() {
                let bound = |tree: &ObbTree<T>, node| tree.node(node).bound().wide();
                let own = bound(self.trees[0], a) + bound(self.trees[1], b);
                tally.inherited += usize::from(finer[&(a, b)].1.wide() < own);
            }
            coarser = finer;
        }
        let exact = self.reported(Accuracy::Exact);
        self.held(&exact, &coarser, tally);
        let mut coarser = self.reported(Accuracy::Within(10.0 * size));
        for share in [1.0, 0.3, 0.1, 0.05, 0.02, 0.01, 3e-3, 1e-3, 1e-5, 0.0] {
            let finer = self.reported(Accuracy::Within(share * size));
            self.held(&finer, &coarser, tally);
            let expected = self.within(share * size);
            if finer.values().all(|(by, _)| *by != DecidedBy::Inside) {
                assert_eq!(finer, expected, "within {share} of {size}");
            } else {
                assert!(expected.is_empty());
            }
            tally.accepted += finer.values().filter(|(by, _)| *by == DecidedBy::Boxes).count();
            coarser = finer;
        }
        self.held(&exact, &coarser, tally);
        exact
    }
}

/// Tests at 0.5 to 1.1 of the distance at which the roots separate, and far from the origin.
fn hard<T: Scalar>(a: &ObbTree<T>, b: &ObbTree<T>, random: &mut Random, tally: &mut Tally) {
    let both = size(a) + size(b);
    let at = times(random.direction(), both * random.between(0.0, 3.0));
    let (pose, turn) = (turned::<T>(random, at), turned::<T>(random, [0.0; 3]));
    let middle = |tree: &ObbTree<T>, pose: &Pose<T>| -> V {
        let center = tree.node(NodeId::ROOT).oriented().center();
        put(pose, [center.x, center.y, center.z].map(T::wide))
    };
    let (from, own, way) = (middle(a, &pose), middle(b, &turn), random.direction());
    let place = |distance: f64| {
        let mut pose = turn;
        let shift = plus(plus(from, times(own, -1.0)), times(way, distance));
        pose.translation.vector += vector::<T>(shift);
        pose
    };
    let (mut near, mut far) = (0.0, 1.2 * both);
    let mut scratch = TreeScratch::default();
    for _ in 0..20 {
        let half = 0.5 * (near + far);
        let other = place(half);
        let pair = TreePair::new(a, &pose, b, &other).expect("sound poses");
        let touches = pair.intersects(Accuracy::Depth(0), &mut scratch);
        if touches.expect("a depth") { near = half } else { far = half }
    }
    for share in [0.5, 0.8, 0.9, 0.97, 0.999] {
        Two::new((a, &pose), (b, &place(far * share))).check(both, tally);
    }
}

fn of<T: Scalar>(name: &str, trees: &[ObbTree<T>], pairs: usize, random: &mut Random) -> Tally {
    let mut tally = Tally::default();
    for _ in 0..pairs {
        let (a, b) = (random.below(trees.len()), random.below(trees.len()));
        hard(&trees[a], &trees[b], random, &mut tally);
    }
    let Tally { places, reported, dropped, inherited, accepted } = tally;
    println!(
        "{name:22} {places:4} places, {reported:7} reported, {dropped:7} fewer a step down, \
         {inherited:5} slacks of ancestors, {accepted:6} accepted by a tolerance"
    );
    tally
}

#[test]
fn deeper_never_reports_more_of_real_parts() {
    let Some(data) = support::data::data() else { return };
    let mut random = Random(811);
    let mut files = Vec::new();
    for folder in ["characters", "robots"] {
        let inside = |path: &std::path::Path| -> Vec<_> {
            let entries = std::fs::read_dir(path).expect("a folder");
            entries.map(|entry| entry.expect("an entry").path()).filter(|p| p.is_dir()).collect()
        };
        let mut folders = inside(&data.join(folder));
        folders.extend(folders.clone().iter().flat_map(|path| inside(path)));
        files.extend(folders.iter().flat_map(|path| {
            let entries = std::fs::read_dir(path).expect("a folder");
            entries.map(|entry| entry.expect("an entry").path())
        }));
    }
    files.sort();
    let (mut inherited, mut models) = (0, 0);
    let enough = at_least(files.len(), 4);
    for file in files {
        if models == enough {
            break;
        }
        let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let model = match ending {
            "glb" => Loader::new().gltf(&file).expect("a character").model,
            "urdf" => Loader::new().urdf(&file).expect("a robot").model,
            _ => continue,
        };
        let trees: Vec<ObbTree<f32>> =
            model.parts().iter().filter_map(|part| part.tree().cloned()).collect();
        let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
        inherited += of(&name, &trees, at_least(20, 1), &mut random).inherited;
        models += 1;
    }
    println!("{models} models, {inherited} slacks of ancestors");
    assert!(models >= at_least(8, 4));
}

fn random_parts<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    let (mut dropped, mut accepted) = (0, 0);
    for round in 0..at_least(120, 6) {
        let build = any_build(&mut random);
        let kinds = [round % 4, round / 4 % 4];
        let trees = kinds.map(|kind| {
            let part = support::random_parts::random_part(&mut random, kind);
            ObbTree::<T>::build(part, &build).expect("a part")
        });
        let tally = of(&format!("random {kinds:?}"), &trees, 2, &mut random);
        (dropped, accepted) = (dropped + tally.dropped, accepted + tally.accepted);
    }
    assert!(dropped > 0 && accepted > 0);
}

#[test]
fn deeper_never_reports_more_of_solids_within_solids() {
    let mut random = Random(814);
    let trees: Vec<ObbTree<f32>> = shapes(&mut random)
        .into_iter()
        .map(|geometry| ObbTree::build(geometry, &any_build(&mut random)).expect("a part"))
        .collect();
    let (mut tally, mut inside) = (Tally::default(), 0);
    for _ in 0..at_least(1_000, 50) {
        let (a, b) = (&trees[random.below(trees.len())], &trees[random.below(trees.len())]);
        let offset = times(random.direction(), random.between(0.0, 0.5));
        let (pose, other) = (turned(&mut random, [0.0; 3]), turned(&mut random, offset));
        let exact = Two::new((a, &pose), (b, &other)).check(size(a) + size(b), &mut tally);
        inside += usize::from(exact.values().any(|(by, _)| *by == DecidedBy::Inside));
    }
    println!("{} places, {inside} of them one inside the other", tally.places);
    assert!(inside > 3);
}

scalars! {
    deeper_never_reports_more_of_random_parts => random_parts(812; 813);
}
