//! Slack of reported pairs: distance of their geometry, and of boxes from their geometry.

use boxwood::shape::Pose;
use boxwood::tree::{Build, NodeId, ObbTree, TreePair, TreeScratch};

use support::node_pairs::{descend, touching_distance};
use support::prelude::*;
use support::random_parts::{mesh, place, put, solids, triangles};
use support::triangle_distance::{Triangle, point_triangle, sets};
use support::{box_distance, f64_sat};

/// Computes the distance of the geometry of two nodes [world].
fn apart<T: Scalar>(
    (a, i, pose_a): (&ObbTree<T>, NodeId, &Pose<T>),
    (b, j, pose_b): (&ObbTree<T>, NodeId, &Pose<T>),
) -> f64 {
    let moved = |tree: &ObbTree<T>, node, pose: &Pose<T>| -> Vec<Triangle> {
        triangles(tree, node).into_iter().map(|t| t.map(|p| put(pose, p))).collect()
    };
    let (p, q) = (moved(a, i, pose_a), moved(b, j, pose_b));
    if !p.is_empty() && !q.is_empty() {
        return sets(&p, &q);
    }
    let boxes = |tree: &ObbTree<T>, node, pose: &Pose<T>| -> Vec<PlainBox> {
        solids(tree, node).iter().map(|block| place(block, pose)).collect()
    };
    let (p, q) = (boxes(a, i, pose_a), boxes(b, j, pose_b));
    let mut least = f64::MAX;
    for (x, y) in p.iter().flat_map(|x| q.iter().map(move |y| (x, y))) {
        let gap = f64_sat::separation(x, y);
        least = least.min(if gap <= 0.0 { 0.0 } else { box_distance::distance(x, y) });
    }
    least
}

fn within_slack<T: Scalar>() {
    let mut random = Random(31);
    let (mut checked, mut apart_at_all, mut most) = (0, 0, 0.0f64);
    let mut scratch = TreeScratch::default();
    for round in 0..72 {
        // Meshes with meshes, boxes with boxes.
        let kind = if round % 4 == 3 { [3, 3] } else { [round % 3, round / 4 % 3] };
        let part = |kind, random: &mut Random| default_tree::<T>(random_part(random, kind));
        let (a, b) = (part(kind[0], &mut random), part(kind[1], &mut random));
        let (pose_a, turn) = (turned(&mut random, [2.0, 0.0, 1.0]), turned(&mut random, [0.0; 3]));
        let direction = random.direction();
        let at = |distance: f64| {
            let mut pose = turn;
            pose.translation.vector = vector(plus([2.0, 0.0, 1.0], times(direction, distance)));
            pose
        };
        let touching = touching_distance((&a, &pose_a), (&b, at));
        for share in [0.6, 0.95, 1.0, 1.05, 1.3] {
            let pose_b = at(touching * share);
            let pair = TreePair::new(&a, &pose_a, &b, &pose_b).expect("sound poses");
            for depth in 0..=a.depth().max(b.depth()) {
                for (i, j) in descend(&pair, depth, &mut scratch).into_iter().take(60) {
                    let slack = pair.contact(i, j).slack.wide();
                    let mut distance = apart((&a, i, &pose_a), (&b, j, &pose_b));
                    if distance > slack {
                        // The slack is a statement about the two parts.
                        let root = NodeId::ROOT;
                        distance = apart((&a, root, &pose_a), (&b, root, &pose_b));
                    }
                    assert!(distance <= slack, "{distance:e} {slack:e} {i:?} {j:?} round {round}");
                    checked += 1;
                    apart_at_all += usize::from(distance > 0.0);
                    most = most.max(distance / slack);
                }
            }
        }
    }
    println!("{checked} node pairs, {apart_at_all} apart, at most {most:.3} of their slack");
    assert!(checked > 5_000 && apart_at_all > 500 && most > 0.1);
}

/// Computes the distance of a point from the geometry of a node.
fn to_geometry<T: Scalar>(tree: &ObbTree<T>, node: NodeId, p: V) -> f64 {
    let of_triangle = triangles(tree, node).into_iter().map(|t| point_triangle(p, t));
    let of_box = solids(tree, node).into_iter().map(|block| block.distance(p));
    of_triangle.chain(of_box).fold(f64::MAX, f64::min)
}

fn bounded<T: Scalar>() {
    let mut random = Random(32);
    let (mut nodes, mut closest, mut sum) = (0, 0.0f64, 0.0);
    for round in 0..24 {
        let build = if round % 2 == 0 { Build::default() } else { Build::fast() };
        let tree = ObbTree::<T>::build(random_part(&mut random, round), &build).expect("a part");
        for node in (0..tree.len()).map(NodeId::new) {
            let (bound, block) =
                (tree.node(node).bound().wide(), PlainBox::of(tree.node(node).oriented()));
            assert!(bound >= 0.0 && bound <= 2.0 * block.radius() * (1.0 + 1e-6) + 1e-12);
            let mut farthest = 0.0f64;
            for sample in 0..200 {
                let p = if sample < 8 {
                    block.corner(sample, [0.0; 3])
                } else {
                    let share: V = std::array::from_fn(|_| random.between(-1.0, 1.0));
                    (0..3).fold(block.center, |p, k| {
                        plus(p, times(block.axes[k], share[k] * block.half[k]))
                    })
                };
                farthest = farthest.max(to_geometry(&tree, node, p));
            }
            // The oracle assumes right angles; a stored box of boxes may be skew.
            let doubt =
                1e-15 + 8.0 * T::ROUNDING * block.radius() * f64::from(u8::from(round % 4 == 3));
            assert!(farthest <= bound + doubt, "{farthest:e} {bound:e} {node:?} round {round}");
            if bound > 1e-5 {
                nodes += 1;
                sum += farthest / bound;
                closest = closest.max(farthest / bound);
            }
        }
    }
    let mean = sum / f64::from(nodes);
    println!(
        "{nodes} nodes: farthest sample over bound {mean:.3} on average, at most {closest:.4}"
    );
    assert!(closest > 0.99 && mean > 0.2, "the bound is never reached");
}

/// Checks triangles that cross or share a point, by independent arithmetic: their pair of parts is
/// found at every depth.
fn never_misses<T: Scalar>() {
    let mut random = Random(33);
    let (mut crossing, mut scratch) = (0, TreeScratch::default());
    for _ in 0..1_500 {
        let one = |random: &mut Random| -> Vec<Triangle> {
            let near: V = std::array::from_fn(|_| random.between(-0.7, 0.7));
            let corner = |random: &mut Random| -> V {
                std::array::from_fn(|i| near[i] + random.between(-0.4, 0.4))
            };
            (0..6).map(|_| std::array::from_fn(|_| corner(random))).collect()
        };
        let (a, b) = (one(&mut random), one(&mut random));
        let part = |triangles: &[Triangle]| default_tree::<T>(mesh(triangles));
        let (a, b) = (part(&a), part(&b));
        let (pose_a, pose_b) = (turned(&mut random, [0.1; 3]), turned(&mut random, [0.0; 3]));
        let root = NodeId::ROOT;
        if apart((&a, root, &pose_a), (&b, root, &pose_b)) > 0.0 {
            continue;
        }
        crossing += 1;
        let pair = TreePair::new(&a, &pose_a, &b, &pose_b).expect("sound poses");
        for depth in 0..=a.depth().max(b.depth()) {
            assert!(!descend(&pair, depth, &mut scratch).is_empty(), "missed at depth {depth}");
        }
    }
    println!("{crossing} crossing parts");
    assert!(crossing > 200);
}

scalars! {
    geometry_of_reported_nodes_is_within_the_slack => within_slack();
    no_point_of_a_box_is_further_from_the_geometry_than_the_bound => bounded();
    crossing_triangles_are_never_missed => never_misses();
}
