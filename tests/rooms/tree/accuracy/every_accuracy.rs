//! Every accuracy on hard poses of real parts: no miss, and no reported pair beyond its slack.

use boxwood::load::Loader;
use std::collections::HashMap;
use std::ops::ControlFlow;

use boxwood::Accuracy;
use boxwood::shape::Pose;
use boxwood::tree::{DecidedBy, NodeId, NodePair, ObbTree, TreePair, TreeScratch};

use support::exact_parts_by_hulls::{Body, touch};
use support::placed_corners::{Place, Placed};
use support::prelude::*;
use support::random_parts::triangles;
use support::triangle_distance::{Triangle, sets};

/// Tree with its part in the exact oracle.
pub struct KnownTree<T: Scalar> {
    pub tree: ObbTree<T>,
    body: Body,
}

impl<T: Scalar> KnownTree<T> {
    pub fn new(tree: ObbTree<T>) -> Self {
        KnownTree { body: Body::of(tree.geometry()), tree }
    }

    fn size(&self) -> f64 {
        let half = self.tree.node(NodeId::ROOT).oriented().half_extents();
        half.iter().map(|h| h.wide() * h.wide()).sum::<f64>().sqrt()
    }
}

/// Counts.
#[derive(Debug, Default)]
pub struct Census {
    pub poses: usize,
    pub touching: usize,
    /// Pairs of nodes whose distance was compared with their slack, and the largest fraction of it
    /// in use.
    pub slack_pairs: usize,
    pub apart: usize,
    pub most: f64,
    /// Reported pairs of separate parts, by depth.
    pub falsely: Vec<usize>,
    pub tolerances_falsely: usize,
}

pub fn accuracies(size: f64) -> Vec<Accuracy> {
    let depths = (0..=32).map(Accuracy::Depth);
    let tolerances =
        [0.0, 1e-6, 1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0].map(|t| Accuracy::Within(t * size));
    let budgets = [0, 1, 2, 10, 100, 1_000, 10_000, u32::MAX].map(Accuracy::Budget);
    depths.chain(tolerances).chain(budgets).collect()
}

/// Poses two parts at random, at 0.9 to 1.1 of the distance where they begin to touch.
pub fn hard_poses<T: Scalar>(
    (a, b): (&KnownTree<T>, &KnownTree<T>),
    shares: &[f64],
    random: &mut Random,
    census: &mut Census,
) {
    let at = times(random.direction(), random.between(0.0, 3.0) * (a.size() + b.size()));
    let pose_a = turned::<T>(random, at);
    let (turn, direction) = (turned::<T>(random, [0.0; 3]), random.direction());
    let center = |known: &KnownTree<T>, pose: &Pose<T>| -> V {
        let c = known.tree.node(NodeId::ROOT).oriented().center();
        Place::of(pose).moved([c.x, c.y, c.z].map(T::wide))
    };
    let (from, own) = (center(a, &pose_a), center(b, &turn));
    let place = |distance: f64| -> Pose<T> {
        let mut pose = turn;
        let shift = plus(minus(from, own), times(direction, distance));
        pose.translation.vector += vector::<T>(shift);
        pose
    };
    let (mut near, mut far) = (0.0, 1.1 * (a.size() + b.size()));
    for _ in 0..12 {
        let middle = 0.5 * (near + far);
        let placed = Placed::of(&pose_a, &place(middle));
        match touch(&placed, &a.body, &b.body) {
            true => near = middle,
            false => far = middle,
        }
    }
    for share in shares {
        one_pose((a, &pose_a), (b, &place(far * share)), census);
    }
}

fn one_pose<T: Scalar>(
    a: (&KnownTree<T>, &Pose<T>),
    b: (&KnownTree<T>, &Pose<T>),
    census: &mut Census,
) {
    let expected = touch(&Placed::of(a.1, b.1), &a.0.body, &b.0.body);
    let pair = TreePair::new(&a.0.tree, a.1, &b.0.tree, b.1).expect("sound poses");
    let mut scratch = TreeScratch::default();
    census.poses += 1;
    census.touching += usize::from(expected);
    let exactly = pair.intersects(Accuracy::Exact, &mut scratch).expect("an accuracy");
    assert_eq!(exactly, expected);
    let mut distances = HashMap::new();
    for accuracy in accuracies(a.0.size() + b.0.size()) {
        let any = pair.intersects(accuracy, &mut scratch).expect("an accuracy");
        assert!(any || !expected, "{accuracy:?} misses");
        let mut touches: Vec<NodePair> = Vec::new();
        let flow = pair.visit(accuracy, &mut scratch, |t| {
            touches.push(t);
            ControlFlow::Continue(())
        });
        assert_eq!(flow, Ok(ControlFlow::Continue(())));
        assert_eq!(any, !touches.is_empty(), "{accuracy:?}");
        match accuracy {
            Accuracy::Depth(depth) => {
                census.falsely[usize::from(depth)] += usize::from(any && !expected)
            }
            Accuracy::Within(t) if t > 0.0 => {
                census.tolerances_falsely += usize::from(any && !expected)
            }
            Accuracy::Within(_) | Accuracy::Budget(u32::MAX) => {
                assert_eq!(any, expected, "{accuracy:?}")
            }
            _ => {}
        }
        for touch in touches {
            let slack = pair.slack(touch).wide();
            if let Accuracy::Within(t) = accuracy {
                assert!(slack <= t, "{slack} {t}");
            }
            match touch.by {
                DecidedBy::Boxes if expected => {}
                DecidedBy::Boxes => {
                    // The parts are separate, so their nodes are: by the slack at most.
                    let nodes = (touch.a, touch.b);
                    let distance =
                        *distances.entry(nodes).or_insert_with(|| apart(a, b, nodes, slack));
                    assert!(distance <= slack, "{accuracy:?}: {distance:e} > {slack:e}");
                    census.most = census.most.max(distance / slack);
                    census.apart += 1;
                }
                DecidedBy::Primitives | DecidedBy::Inside => {
                    assert_eq!(slack, 0.0);
                    assert!(expected, "{accuracy:?} {touch:?}");
                }
            }
            census.slack_pairs += 1;
        }
    }
}

/// Returns an upper bound on the distance of the geometry of two nodes, or of the parts where that
/// exceeds the slack, which is a statement about the parts. Exact where a cheap bound does not
/// suffice.
fn apart<T: Scalar>(
    a: (&KnownTree<T>, &Pose<T>),
    b: (&KnownTree<T>, &Pose<T>),
    (i, j): (NodeId, NodeId),
    slack: f64,
) -> f64 {
    let moved = |(known, pose): (&KnownTree<T>, &Pose<T>), node| -> Vec<Triangle> {
        let place = Place::of(pose);
        triangles(&known.tree, node).into_iter().map(|t| t.map(|p| place.moved(p))).collect()
    };
    let (p, q) = (moved(a, i), moved(b, j));
    let corners =
        p.iter().flatten().flat_map(|x| q.iter().flatten().map(move |y| norm(minus(*x, *y))));
    let mut least = f64::MAX;
    for distance in corners {
        least = least.min(distance);
        if least <= slack {
            return least;
        }
    }
    let exact = sets(&p, &q);
    if exact <= slack {
        return exact;
    }
    sets(&moved(a, NodeId::ROOT), &moved(b, NodeId::ROOT))
}

#[test]
fn nothing_is_missed_on_the_fighter() {
    let model = support::fighter::fighter().model;
    let parts: Vec<KnownTree<f32>> =
        model.parts().iter().filter_map(|p| p.tree().cloned()).map(KnownTree::new).collect();
    run("fighter", &parts, at_least(60, 3));
}

#[test]
fn nothing_is_missed_on_real_characters() {
    let Some(data) = support::data::data() else { return };
    let mut files: Vec<_> = std::fs::read_dir(data.join("characters"))
        .expect("a folder")
        .flat_map(|folder| std::fs::read_dir(folder.expect("a folder").path()).expect("a folder"))
        .map(|file| file.expect("a file").path())
        .filter(|file| file.extension().is_some_and(|ending| ending == "glb"))
        .collect();
    files.sort();
    assert_eq!(files.len(), 7);
    let mut all = 0;
    for file in files.into_iter().step_by(step(1, 3)) {
        let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
        for solid in [true, false] {
            let options = Loader::new().solid(solid);
            let loaded = options.gltf(&file).expect("a character");
            let trees = loaded.model.parts().iter().filter_map(|part| part.tree());
            // The oracle is slow, so the largest heads are paired with the smaller parts of the
            // same character.
            let small = trees.filter(|tree| tree.geometry().len() < 1_300).cloned();
            let parts: Vec<KnownTree<f32>> = small.map(KnownTree::new).collect();
            all += run(&format!("{name}, solid {solid}"), &parts, at_least(14, 2));
        }
    }
    println!("{all} reported pairs of nodes within their slack");
}

fn run(name: &str, parts: &[KnownTree<f32>], pairs: usize) -> usize {
    let (mut random, mut census) =
        (Random(301), Census { falsely: vec![0; 33], ..Census::default() });
    for _ in 0..pairs {
        let (a, b) = (random.below(parts.len()), random.below(parts.len()));
        hard_poses(
            (&parts[a], &parts[b]),
            &[0.9, 0.99, 1.0, 1.001, 1.01, 1.1],
            &mut random,
            &mut census,
        );
    }
    let Census { poses, touching, slack_pairs, apart, most, falsely, .. } = census;
    println!(
        "{name}: {touching} of {poses} poses touch; {slack_pairs} reported pairs ({apart} measured), at most {most:.3} of their slack"
    );
    println!("   falsely reported by depth: {:?}", &falsely[..14]);
    assert!(touching > poses / 8 && touching < poses * 7 / 8);
    assert!(falsely.is_sorted_by(|less, more| less >= more) && falsely[0] > 0);
    slack_pairs
}
