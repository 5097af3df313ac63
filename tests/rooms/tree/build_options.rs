//! Build options: every one gives a sound tree; cost and gain of each.

use std::cell::OnceCell;

use boxwood::Accuracy;
use boxwood::shape::Pose;
use boxwood::tree::{
    Bound, Build, Counts, Fit, Geometry, NodeId, ObbTree, Split, TreePair, TreeScratch,
};

use super::accuracy::hard_poses::Meeting;
use super::invariants::{holds_everything, odd_parts};
use support::exact_parts::Part;
use support::node_pairs::{same_without_a_tree, touching_distance};
use support::prelude::*;

const SPLITS: [Split; 5] =
    [Split::Median, Split::AreaMedian, Split::Mean, Split::Sah, Split::BottomUp];
const FITS: [Fit; 4] = [Fit::Aligned, Fit::Spread, Fit::Best, Fit::Refined];

/// Returns all splits and fits, with varying limits and bounds.
fn builds() -> Vec<Build> {
    let limits = [(32, 1), (32, 4), (3, 1), (2, 3), (0, 1)];
    let both = SPLITS.into_iter().flat_map(|split| FITS.into_iter().map(move |fit| (split, fit)));
    both.zip(limits.into_iter().cycle())
        .enumerate()
        .map(|(i, ((split, fit), (max_depth, leaf_primitives)))| {
            Build::default()
                .max_depth(max_depth)
                .leaf_primitives(leaf_primitives)
                .split(split)
                .fit(fit)
                .bound(if i % 3 == 0 { Bound::Corners } else { Bound::Certified })
        })
        .collect()
}

fn sound<T: Scalar>() {
    let mut random = Random(81);
    let mut parts = odd_parts::<T>();
    parts.extend((0..4).map(|kind| ("random", random_part(&mut random, kind))));
    for (name, part) in &parts {
        let mut known = Vec::new();
        for build in builds() {
            for build in [build, build.max_depth(32).leaf_primitives(1)] {
                let tree = ObbTree::build(part.clone(), &build).expect(name);
                assert_eq!(tree.validate(), Ok(()), "{name} {build:?}");
                holds_everything(&tree, &build);
                let again = ObbTree::build(part.clone(), &build).expect(name);
                assert_eq!(format!("{tree:?}"), format!("{again:?}"), "{name}: not the same bits");
                let own = (tree.fingerprint(), boxes(&tree));
                for (fingerprint, boxes) in &known {
                    let (same, alike) = (own.0 == *fingerprint, own.1 == *boxes);
                    assert_eq!(same, alike, "{name} {build:?}: equal only for equal trees");
                }
                known.push(own);
            }
        }
    }
}

/// Returns oriented boxes, bounds and children of all nodes as text.
fn boxes<T: Scalar>(tree: &ObbTree<T>) -> String {
    format!(
        "{:?}",
        (0..tree.len())
            .map(|i| tree.node(NodeId::new(i)).clone())
            .map(|n| (*n.oriented(), n.bound(), n.children()))
            .collect::<Vec<_>>()
    )
}

#[test]
fn all_builds_of_the_fighter_are_sound_and_answer_like_their_leaves() {
    let meshes: Vec<_> =
        support::fighter::meshes().into_iter().map(|mesh| (mesh, OnceCell::new())).collect();
    let (mut random, mut touching) = (Random(82), 0);
    for (round, build) in builds().into_iter().enumerate() {
        for (mesh, plain) in meshes.iter().skip(round % 3).step_by(step(3, 30)) {
            let tree = |build: &Build| ObbTree::build(Geometry::Surface(mesh.clone()), build);
            let plain = plain.get_or_init(|| tree(&Build::default()).expect("a part"));
            let tree = tree(&build).expect("a part");
            assert_eq!(tree.validate(), Ok(()), "{build:?}");
            let (pose, at) = apart(&mut random);
            let share = touching_distance((&tree, &pose), (plain, &at)) * 0.98;
            touching += same_without_a_tree((&tree, &pose), (plain, &at(share)));
        }
    }
    println!("{touching} leaf pairs touching");
    assert!(touching > at_least(100, 50));
}

/// Returns a pose, and a function from a distance to a second pose.
fn apart<T: Scalar>(random: &mut Random) -> (Pose<T>, impl Fn(f64) -> Pose<T> + use<T>) {
    let (pose, turn) = (turned::<T>(random, [0.2, 1.0, -0.3]), turned::<T>(random, [0.0; 3]));
    let direction = random.direction();
    let at = move |distance: f64| {
        let mut pose = turn;
        pose.translation.vector = vector(plus([0.2, 1.0, -0.3], times(direction, distance)));
        pose
    };
    (pose, at)
}

/// Gains of build options, summed over parts.
#[derive(Default)]
struct Gains {
    /// Half the surface of all oriented boxes.
    surface: f64,
    bounds: f64,
    /// Numbers of nodes of the cuts at bounds of 10, 3, 1 % of the half diagonal of the root.
    cuts: [usize; 3],
}

impl Gains {
    fn of(parts: &[Geometry<f32>], build: &Build) -> Self {
        let mut gains = Gains::default();
        for part in parts {
            let tree = ObbTree::build(part.clone(), build).expect("a part");
            for node in (0..tree.len()).map(|i| tree.node(NodeId::new(i))) {
                let h = PlainBox::of(node.oriented()).half;
                gains.surface += 4.0 * (h[0] * h[1] + h[1] * h[2] + h[2] * h[0]);
                gains.bounds += f64::from(node.bound());
            }
            for (cut, share) in gains.cuts.iter_mut().zip([0.1, 0.03, 0.01]) {
                *cut += coarse_enough(&tree, share);
            }
        }
        gains
    }
}

/// Counts the nodes that are the first on their path whose bound is at most the given fraction of
/// the root's size, or leaves.
fn coarse_enough(tree: &ObbTree<f32>, share: f64) -> usize {
    let most = share * PlainBox::of(tree.node(NodeId::ROOT).oriented()).radius();
    let (mut stack, mut count) = (vec![NodeId::ROOT], 0);
    while let Some(node) = stack.pop() {
        match tree.node(node).children() {
            Some(children) if f64::from(tree.node(node).bound()) > most => stack.extend(children),
            _ => count += 1,
        }
    }
    count
}

#[test]
fn tighter_fits_and_bounds_reduce_tests() {
    let Some(data) = support::data::data() else { return };
    for name in ["kaykit-knight/Knight", "cesium-man/CesiumMan"] {
        let loaded =
            boxwood::load::gltf(data.join(format!("characters/{name}.glb"))).expect("a character");
        let trees = loaded.model.parts().iter().filter_map(|part| part.tree());
        let parts: Vec<_> = trees.map(|tree| tree.geometry().clone()).collect();
        let by = |fit| Gains::of(&parts, &Build::default().fit(fit));
        let (aligned, best, refined) = (by(Fit::Aligned), by(Fit::Best), by(Fit::Refined));
        let corners = Gains::of(&parts, &Build::default().bound(Bound::Corners));
        assert!(std::iter::zip(best.cuts, corners.cuts).all(|(close, crude)| close <= crude));
        assert!(refined.surface <= best.surface && best.surface <= aligned.surface);
        assert!(refined.bounds <= aligned.bounds);
    }
}

/// Checks triangles whose sizes grow along a row, the worst case for merging neighbours: the tree
/// is not deep.
#[test]
fn a_graded_row_makes_no_deep_tree() {
    let mut at = 0.0;
    let row: Vec<support::triangle_distance::Triangle> = (0..4_000)
        .map(|i| {
            let size = 1.0 + 1e-3 * f64::from(i);
            at += size;
            [[at, 0.0, 0.0], [at + size, 0.0, 0.0], [at, size, 0.0]]
        })
        .collect();
    for split in [Split::BottomUp, Split::Sah] {
        let build = Build::default().split(split).bound(Bound::Corners);
        let mesh = support::random_parts::mesh(&row);
        let tree = ObbTree::<f64>::build(mesh, &build).expect("a part");
        assert_eq!(tree.validate(), Ok(()));
        assert!(tree.depth() < 24, "{split:?}: {}", tree.depth());
    }
}

/// Returns the tests of boxes and hulls for the exact answer and for depth 6, over parts of a
/// character in hard poses, and the reported pairs there.
fn effort(parts: &[Geometry<f32>], build: &Build) -> [u64; 3] {
    let trees: Vec<_> =
        parts.iter().map(|part| ObbTree::build(part.clone(), build).expect("a part")).collect();
    let (mut random, mut sums, mut scratch) = (Random(91), [0; 3], TreeScratch::one_at_a_time());
    for _ in 0..cases(60) {
        let [i, j] = [0, 1].map(|_| random.below(parts.len()));
        let bodies = [i, j].map(|at| Part::of(&parts[at]));
        let ends = [(&trees[i], &bodies[0]), (&trees[j], &bodies[1])];
        let meeting = Meeting::new(ends, &mut random);
        for share in [0.95, 1.02, 1.1] {
            let [p, q] = meeting.poses(share);
            let pair = TreePair::new(&trees[i], &p, &trees[j], &q).expect("sound poses");
            for (place, accuracy) in [Accuracy::Exact, Accuracy::Depth(6)].into_iter().enumerate() {
                scratch.counts = Counts::default();
                let touch = pair.intersects(accuracy, &mut scratch).expect("an accuracy");
                sums[place] += scratch.counts.tests() + scratch.counts.hulls;
                sums[2] += u64::from(touch && place == 1);
            }
        }
    }
    sums
}

/// Compares `Build::tight` with the default, where it pays.
#[test]
fn tight_takes_fewer_tests() {
    let mut models = vec![("fighter", support::fighter::fighter().model)];
    if let Some(data) = support::data::data() {
        for name in ["fox/Fox", "kaykit-knight/Knight"] {
            let file = data.join(format!("characters/{name}.glb"));
            models.push((name, boxwood::load::gltf(file).expect("a character").model));
        }
    }
    models.truncate(at_least(models.len(), 2));
    for (name, model) in models {
        let trees = model.parts().iter().filter_map(|part| part.tree());
        let parts: Vec<_> = trees.map(|tree| tree.geometry().clone()).collect();
        for levels in [0, 4] {
            let [default, tight] = [Build::default(), Build::tight()]
                .map(|build| effort(&parts, &build.bound(Bound::Corners).hull_levels(levels)));
            println!("{name}, hulls of {levels} levels: {default:?}, tight {tight:?}");
            // With hulls few pairs reach the test of their boxes.
            let (share, of) = if levels == 0 { (3, 4) } else { (1, 1) };
            assert!(of * tight[0] < share * default[0], "{name}: {default:?}, tight {tight:?}");
            assert!(tight[2] <= default[2] + default[2] / 10, "{name}: {default:?}, {tight:?}");
        }
    }
}

scalars! {
    all_builds_are_sound => sound();
}
