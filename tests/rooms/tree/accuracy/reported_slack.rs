//! Distance of reported nodes against their stated slack: on every part of every shared character,
//! touching or not.

use boxwood::load::Loader;
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::PathBuf;

use boxwood::Accuracy;
use boxwood::shape::Pose;
use boxwood::tree::{DecidedBy, Geometry, NodeId, NodePair, ObbTree, TreePair, TreeScratch};

use super::hard_poses::{Meeting, any_build, size};
use support::exact_parts::{ExactPair, Part};
use support::node_distance::{Nodes, PrimitiveCloud};
use support::prelude::*;

/// Counts over a character.
#[derive(Default)]
pub struct Tally {
    pub poses: usize,
    pub touching: usize,
    /// Reported pairs of nodes compared with their slack.
    pub held: usize,
    /// Pairs whose distance was measured: no simpler argument makes it zero.
    measured: usize,
    /// Poses in which one part is inside the other without touching primitives.
    pub within: usize,
    /// Pairs whose nodes are further apart than the slack, but whose parts are not.
    by_the_whole: usize,
    /// Largest measured distance as a fraction of its slack.
    pub worst: f64,
    /// Reported pairs of separate parts.
    falsely: Vec<usize>,
}

/// Placed tree with its part in the oracle.
struct PlacedTree<'a, T: Scalar> {
    tree: &'a ObbTree<T>,
    pose: &'a Pose<T>,
    cloud: PrimitiveCloud,
}

impl<'a, T: Scalar> PlacedTree<'a, T> {
    fn new(tree: &'a ObbTree<T>, part: &Part, pose: &'a Pose<T>) -> Self {
        PlacedTree { tree, pose, cloud: PrimitiveCloud::new(part, pose) }
    }

    fn is_solid(&self) -> bool {
        matches!(self.tree.geometry(), Geometry::Solid(_))
    }
}

/// Returns the reported pairs, each once.
pub fn all<T: Scalar>(
    pair: &TreePair<T>,
    accuracy: Accuracy,
    scratch: &mut TreeScratch,
) -> Vec<NodePair> {
    let mut touches: Vec<NodePair> = Vec::new();
    let before = scratch.counts.boxes.iter().sum::<u64>();
    let flow = pair.visit(accuracy, scratch, |touch| {
        touches.push(touch);
        ControlFlow::Continue(())
    });
    assert_eq!(flow, Ok(ControlFlow::Continue(())));
    let nodes: HashSet<_> = touches.iter().map(|t| (t.a, t.b)).collect();
    assert_eq!(nodes.len(), touches.len(), "{accuracy:?} says something twice");
    if let Accuracy::Budget(most) = accuracy {
        let spent = scratch.counts.boxes.iter().sum::<u64>() - before;
        assert!(spent <= u64::from(most) + 1, "{spent} of {most}");
    }
    touches
}

fn accuracies(size: f64, depth: u8) -> Vec<Accuracy> {
    let depths = (0..=depth).map(Accuracy::Depth);
    let tolerances = [0.0, 1e-4, 1e-3, 1e-2, 1e-1].map(|t| Accuracy::Within(t * size));
    let budgets = [0, 1, 10, 100, 10_000, u32::MAX].map(Accuracy::Budget);
    depths.chain(tolerances).chain(budgets).chain([Accuracy::Exact]).collect()
}

/// All accuracies in one pair of poses.
struct Round<'a, T: Scalar> {
    trees: [PlacedTree<'a, T>; 2],
    pair: TreePair<'a, T>,
    /// Swapped pair of the same two trees.
    swapped: TreePair<'a, T>,
    /// `true` for equal trees in one pose.
    equals: bool,
    /// Verdicts of the oracle: the parts share a point; primitives do; none do and one part is
    /// inside the other.
    touching: bool,
    primitives: HashSet<(u32, u32)>,
    inside: bool,
    seen: HashSet<(NodeId, NodeId)>,
}

impl<T: Scalar> Round<'_, T> {
    fn ask(&mut self, accuracy: Accuracy, scratch: &mut TreeScratch, tally: &mut Tally) {
        let any = self.pair.intersects(accuracy, scratch).expect("an accuracy");
        let touches = all(&self.pair, accuracy, scratch);
        let back = all(&self.swapped, accuracy, scratch);
        let reversed: HashSet<NodePair> =
            back.iter().map(|t| NodePair { a: t.b, b: t.a, by: t.by }).collect();
        assert_eq!(touches.len(), back.len(), "{accuracy:?}");
        // A budget splits equal trees in argument order: see
        // `degenerate_solids::a_budget_on_equal_trees`.
        if !(self.equals && matches!(accuracy, Accuracy::Budget(_))) {
            assert_eq!(reversed, touches.iter().copied().collect(), "{accuracy:?}");
        }
        assert_eq!(any, !touches.is_empty(), "{accuracy:?}");
        assert!(any || !self.touching, "{accuracy:?} misses");
        if matches!(accuracy, Accuracy::Exact | Accuracy::Within(0.0) | Accuracy::Budget(u32::MAX))
        {
            assert_eq!(any, self.touching, "{accuracy:?}");
        }
        if let Accuracy::Depth(depth) = accuracy {
            let depth = usize::from(depth);
            tally.falsely.resize(tally.falsely.len().max(depth + 1), 0);
            tally.falsely[depth] += usize::from(any && !self.touching);
        }
        for touch in touches {
            self.hold(accuracy, touch, tally);
        }
    }

    fn hold(&mut self, accuracy: Accuracy, touch: NodePair, tally: &mut Tally) {
        let slack = self.pair.slack(touch).wide();
        let back = self.swapped.slack(NodePair { a: touch.b, b: touch.a, by: touch.by });
        assert_eq!(slack, back.wide());
        if let Accuracy::Within(t) = accuracy {
            assert!(slack <= t, "{slack:e} {t:e}");
        }
        tally.held += 1;
        match touch.by {
            DecidedBy::Boxes => {
                if self.seen.insert((touch.a, touch.b)) {
                    self.measure(touch, slack, tally);
                }
            }
            DecidedBy::Primitives => {
                let [a, b] = &self.trees;
                let (i, j) = (a.tree.primitives(touch.a), b.tree.primitives(touch.b));
                let mut pairs = i.iter().flat_map(|&i| j.iter().map(move |&j| (i, j)));
                assert!(pairs.any(|pair| self.primitives.contains(&pair)), "{touch:?}");
                assert_eq!(slack, 0.0);
            }
            DecidedBy::Inside => {
                assert_eq!((touch.a, touch.b, slack), (NodeId::ROOT, NodeId::ROOT, 0.0));
                assert!(self.inside, "{touch:?}");
            }
        }
    }

    fn measure(&self, touch: NodePair, slack: f64, tally: &mut Tally) {
        let [a, b] = &self.trees;
        if self.touching && (a.is_solid() || b.is_solid()) {
            return;
        }
        tally.measured += 1;
        let limit = tally.worst * slack;
        let [of_a, of_b] = [a.tree.primitives(touch.a), b.tree.primitives(touch.b)];
        let mut distance = Nodes { a: &a.cloud, b: &b.cloud }.distance(of_a, of_b, limit);
        if distance > slack {
            // The slack is a statement about the two parts.
            let whole = [a, b].map(|placed| placed.tree.primitives(NodeId::ROOT));
            let nodes = Nodes { a: &a.cloud, b: &b.cloud };
            distance = if self.touching { 0.0 } else { nodes.distance(whole[0], whole[1], limit) };
            tally.by_the_whole += 1;
        }
        assert!(distance <= slack, "{distance:e} {slack:e} {touch:?} {:?} {:?}", a.pose, b.pose);
        tally.worst = tally.worst.max(distance / slack);
    }
}

pub fn one_place<T: Scalar>(
    (a, part_a, pose_a): (&ObbTree<T>, &Part, &Pose<T>),
    (b, part_b, pose_b): (&ObbTree<T>, &Part, &Pose<T>),
    tally: &mut Tally,
) {
    let exact_pair = ExactPair::new(part_a, pose_a, part_b, pose_b);
    let primitives: HashSet<_> = exact_pair.pairs(usize::MAX).into_iter().collect();
    let inside = primitives.is_empty() && exact_pair.inside();
    let mut round = Round {
        trees: [PlacedTree::new(a, part_a, pose_a), PlacedTree::new(b, part_b, pose_b)],
        pair: TreePair::new(a, pose_a, b, pose_b).expect("sound poses"),
        swapped: TreePair::new(b, pose_b, a, pose_a).expect("sound poses"),
        equals: a.fingerprint() == b.fingerprint() && pose_a == pose_b,
        touching: inside || !primitives.is_empty(),
        primitives,
        inside,
        seen: HashSet::new(),
    };
    tally.poses += 1;
    tally.touching += usize::from(round.touching);
    tally.within += usize::from(round.touching && round.primitives.is_empty());
    let mut scratch = TreeScratch::default();
    for accuracy in accuracies(size(a) + size(b), a.depth().max(b.depth())) {
        round.ask(accuracy, &mut scratch, tally);
    }
}

pub fn parts_in_hard_poses<T: Scalar>(trees: &[ObbTree<T>], pairs: usize, seed: u64) -> Tally {
    let parts: Vec<Part> = trees.iter().map(|tree| Part::of(tree.geometry())).collect();
    let (mut random, mut tally) = (Random(seed), Tally::default());
    for _ in 0..pairs {
        let (i, j) = (random.below(trees.len()), random.below(trees.len()));
        let ends = [(&trees[i], &parts[i]), (&trees[j], &parts[j])];
        let meeting = Meeting::new(ends, &mut random);
        for share in [0.9, 0.97, 0.999, 1.0 - 1e-7, 1.0, 1.001, 1.03, 1.1] {
            let poses = meeting.poses(share);
            let (a, b) = ((ends[0].0, ends[0].1, &poses[0]), (ends[1].0, ends[1].1, &poses[1]));
            one_place(a, b, &mut tally);
        }
    }
    tally
}

pub fn report(name: &str, tally: &Tally) {
    let Tally { poses, touching, held, measured, by_the_whole, worst, falsely, .. } = tally;
    println!(
        "{name:22} {touching:3} of {poses} touch; {held:6} reported, {measured:6} measured \
         ({by_the_whole} by the whole parts), worst {worst:.4}; falsely {falsely:?}"
    );
    assert!(*touching > poses / 8 && *touching < poses * 7 / 8);
    assert!(falsely.is_sorted_by(|less, more| less >= more), "deeper reports more: {falsely:?}");
}

fn files() -> Option<Vec<PathBuf>> {
    let folders = std::fs::read_dir(support::data::data()?.join("characters")).expect("a folder");
    let inside = folders.flat_map(|f| std::fs::read_dir(f.expect("a folder").path()).expect("one"));
    let mut files: Vec<PathBuf> = inside
        .map(|file| file.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "glb"))
        .collect();
    files.sort();
    assert_eq!(files.len(), 7);
    Some(files)
}

fn characters<T: Scalar>(solid: bool, pairs: usize) {
    let mut total = (0, 0.0f64);
    for (file, seed) in files().unwrap_or_default().into_iter().zip(701..) {
        let options = Loader::new().solid(solid);
        let loaded = options.gltf(&file).expect("a character");
        let trees: Vec<ObbTree<T>> =
            loaded.model.parts().iter().filter_map(|part| part.tree().cloned()).collect();
        let pairs = support::proof::at_least(pairs, 4);
        let tally = parts_in_hard_poses(&trees, pairs, seed);
        report(&file.file_stem().expect("a name").to_string_lossy(), &tally);
        total = (total.0 + tally.held, total.1.max(tally.worst));
    }
    println!("solid {solid}: {} reported pairs within their slack, worst {:.4}", total.0, total.1);
}

#[test]
fn solid_characters_are_within_their_slack() {
    characters::<f32>(true, 24);
}

#[test]
fn surfaces_of_characters_are_within_their_slack() {
    characters::<f32>(false, 24);
}

#[test]
fn solid_characters_in_f64_are_within_their_slack() {
    characters::<f64>(true, 12);
}

#[test]
fn hand_made_parts_are_within_their_slack() {
    let mut falsely = (0, 0);
    for kind in 0..support::proof::at_least(48, 16) as u64 {
        let mut random = Random(800 + kind);
        let build = any_build(&mut random);
        let trees: Vec<ObbTree<f32>> = [kind % 4, kind / 4 % 4]
            .map(|kind| support::random_parts::random_part(&mut random, kind as usize))
            .map(|geometry| ObbTree::build(geometry, &build).expect("a part"))
            .to_vec();
        let tally = parts_in_hard_poses(&trees, 12, kind);
        report(&format!("hand-made {} and {}", kind % 4, kind / 4 % 4), &tally);
        falsely.0 += tally.falsely[0];
        falsely.1 += tally.falsely[tally.falsely.len() - 1];
    }
    println!("falsely at the root and at the leaves: {falsely:?}");
    assert!(falsely.1 < falsely.0);
}
