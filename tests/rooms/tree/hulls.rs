//! Convex hulls of nodes: they contain the primitives; separated hulls are truly separate, by
//! parry3d's GJK over all corners; undetected separations are counted; no shared point is lost.

use boxwood::tree::{Build, Geometry, NodeId, ObbTree, TreePair, TreeScratch};
use boxwood::{Accuracy, SimdLevel, load};

use super::accuracy::hard_poses::{Meeting, any_build, size};
use support::exact_parts::Part;
use support::hull_distance::{are_apart, to_point};
use support::prelude::*;
use support::tree_nodes::{ancestors, corners};

/// Returns the fighter's parts, and those of real characters if present.
fn real_parts() -> Vec<Geometry<f32>> {
    let mut models = vec![support::fighter::fighter().model];
    if let Some(data) = support::data::data() {
        for name in ["fox/Fox", "kaykit-knight/Knight", "cesium-man/CesiumMan"] {
            let file = data.join(format!("characters/{name}.glb"));
            models.push(load::gltf(file).expect("a character").model);
        }
    }
    let trees = models.iter().flat_map(|model| model.parts().iter().filter_map(|p| p.tree()));
    trees.map(|tree| tree.geometry().clone()).collect()
}

/// Asserts that every corner of every primitive of a node is within the pad of the hull, by
/// parry3d's arithmetic.
pub(super) fn holds_its_primitives<T: Scalar>(tree: &ObbTree<T>) -> usize {
    let here = Isometry3::identity();
    let nodes = (0..tree.len().min(255)).map(NodeId::new);
    let hulls = nodes.filter_map(|node| Some((node, tree.hull(node)?)));
    let mut count = 0;
    for (node, hull) in hulls {
        assert!(hull.corners.len() <= 256 && tree.primitives(node).len() > 1);
        let kept: Vec<_> =
            hull.corners.iter().map(|p| [p.x.wide(), p.y.wide(), p.z.wide()]).collect();
        // parry3d resolves about 1e-8 at best, whatever the size.
        let size =
            kept.iter().fold(f64::MIN_POSITIVE, |most, &p| norm(minus(p, kept[0])).max(most));
        let seen = |p: V| times(minus(p, kept[0]), 1.0 / size);
        let near: Vec<V> = kept.iter().map(|&p| seen(p)).collect();
        for corner in corners(tree, node, &here) {
            let distance = size * to_point(&near, seen(corner));
            assert!(distance <= hull.pad.wide() * (1.0 + 1e-6), "{node}: {distance}, {}", hull.pad);
        }
        count += 1;
    }
    count
}

#[test]
fn hulls_contain_their_primitives() {
    let mut random = Random(41);
    let mut count = 0;
    for geometry in real_parts() {
        let build = Build::fast().hull_levels(4);
        count += holds_its_primitives(&ObbTree::build(geometry, &build).expect("a tree"));
    }
    for kind in 0..cases(200) {
        let geometry = random_part::<f64>(&mut random, kind);
        let tree = ObbTree::build(geometry, &any_build(&mut random)).expect("a tree");
        count += holds_its_primitives(&tree);
    }
    assert!(count > 500, "{count}");
}

#[test]
fn vertices_beyond_the_corners_are_within_the_pad() {
    // A ball of thousands of vertices: 256 corners, and a pad of less than 3 % of the radius.
    let (rings, around) = (60_u32, 120_u32);
    let at = |ring: u32, k: u32| {
        let polar = std::f64::consts::PI * f64::from(ring + 1) / f64::from(rings + 1);
        let angle = std::f64::consts::TAU * f64::from(k % around) / f64::from(around);
        Point3::new(polar.sin() * angle.cos(), polar.sin() * angle.sin(), polar.cos())
    };
    let points = (0..rings).flat_map(|r| (0..around).map(move |k| at(r, k))).collect();
    let triangles = (0..rings - 1).flat_map(|r| {
        (0..around).flat_map(move |k| {
            let id = |r, k| r * around + k % around;
            [[id(r, k), id(r + 1, k), id(r, k + 1)], [id(r, k + 1), id(r + 1, k), id(r + 1, k + 1)]]
        })
    });
    let mesh = boxwood::f64::Mesh::new(points, triangles.collect()).expect("a mesh");
    let tree = ObbTree::build(Geometry::Surface(mesh), &Build::fast().hull_levels(2)).expect("one");
    let hull = tree.hull(NodeId::ROOT).expect("a hull");
    assert_eq!(hull.corners.len(), 256);
    assert!(hull.pad > 0.001 && hull.pad < 0.03, "{}", hull.pad);
    assert_eq!(holds_its_primitives(&tree), 3);
}

/// Pairs of nodes by the verdicts of the crate and of parry3d on their hulls.
#[derive(Debug, Default)]
struct Tally {
    told: usize,
    /// Separate hulls with overlapping boxes that were not separated.
    missed: usize,
    touching: usize,
}

/// Compares node pairs of the depths with hulls: separated only where parry3d finds the hulls of
/// all corners separate, of the nodes or of ancestors.
fn told_is_apart<T: Scalar>(trees: [&ObbTree<T>; 3], poses: [Isometry3<T>; 2], tally: &mut Tally) {
    let [a, b, bare] = trees;
    let pair = TreePair::new(a, &poses[0], b, &poses[1]).expect("sound poses");
    let boxes = TreePair::new(bare, &poses[0], b, &poses[1]).expect("sound poses");
    let above = [ancestors(a), ancestors(b)];
    for depth in 0..4 {
        for i in a.cut(depth) {
            for j in b.cut(depth) {
                if !boxes.touches(i, j) {
                    assert!(!pair.touches(i, j), "hulls never make two touch");
                    continue;
                }
                let (x, y) = (&above[0][i.index()], &above[1][j.index()]);
                let at = |list: &[NodeId], k: usize| list[k.min(list.len() - 1)];
                let mut levels = (0..x.len().max(y.len())).map(|k| (at(x, k), at(y, k)));
                let apart = levels.any(|(i, j)| {
                    a.hull(i).is_some()
                        && b.hull(j).is_some()
                        && are_apart(&corners(a, i, &poses[0]), &corners(b, j, &poses[1]))
                });
                match (pair.touches(i, j), apart) {
                    (false, true) => tally.told += 1,
                    (true, true) => tally.missed += 1,
                    (true, false) => tally.touching += 1,
                    (false, false) => panic!("{i} and {j} are told apart and are not"),
                }
            }
        }
    }
}

fn both<T: Scalar>(geometries: &[Geometry<T>], rounds: usize, random: &mut Random) -> Tally {
    let mut tally = Tally::default();
    let build = Build::fast().hull_levels(4);
    for _ in 0..rounds {
        let [p, q] = [0, 1].map(|_| &geometries[random.below(geometries.len())]);
        let [a, b] = [p, q].map(|g| ObbTree::build(g.clone(), &build).expect("a tree"));
        let bare = ObbTree::build(p.clone(), &build.hull_levels(0)).expect("a tree");
        let parts = [p, q].map(Part::of);
        let meeting = Meeting::new([(&a, &parts[0]), (&b, &parts[1])], random);
        for share in [0.9, 1.0 + 1e-6, 1.01, 1.1] {
            told_is_apart([&a, &b, &bare], meeting.poses(share), &mut tally);
        }
    }
    tally
}

#[test]
fn separated_hulls_are_separate() {
    let mut random = Random(42);
    let tally = both(&real_parts(), cases(60), &mut random);
    println!("real parts: {tally:?}");
    // The step limit and the pads leave few of them.
    assert!(tally.told > 500 && 10 * tally.missed < tally.told, "{tally:?}");
    let parts: Vec<_> = (0..30).map(|kind| random_part::<f64>(&mut random, kind)).collect();
    let tally = both(&parts, cases(60), &mut random);
    println!("random parts: {tally:?}");
    assert!(tally.told > 100 && 10 * tally.missed < tally.told, "{tally:?}");
}

/// Checks parts far from the origin, huge and tiny: parts that share a point are reported at every
/// depth, and parts a tenth apart are separated by the roots.
#[test]
fn hulls_decide_equally_at_all_sizes_and_positions() {
    let mut random = Random(43);
    for round in 0..cases(300) {
        let (size, far) = (random.decade(-18.0, 18.0), random.decade(-3.0, 6.0));
        let ball = |random: &mut Random| {
            let point = |random: &mut Random| {
                let direction = random.direction();
                Point3::from(direction.map(|x| size * x)) + Vector3::repeat(size * far)
            };
            let points: Vec<Point3<f64>> = (0..60).map(|_| point(random)).collect();
            let triangles = (0..58).map(|i| [i, i + 1, i + 2]).collect();
            Geometry::Surface(boxwood::f64::Mesh::new(points, triangles).expect("a mesh"))
        };
        let [a, b] = [0, 1].map(|_| {
            ObbTree::build(ball(&mut random), &Build::fast().hull_levels(4)).expect("a tree")
        });
        let turn =
            Isometry3::rotation(Vector3::from(random.direction()) * random.between(0.0, 3.0));
        let center = Point3::from(Vector3::repeat(size * far));
        let place = |distance: f64, random: &mut Random| {
            let to = center.coords + Vector3::from(random.direction()) * (size * distance);
            Isometry3::from_parts((to - turn * center.coords).into(), turn.rotation)
        };
        let mut scratch = TreeScratch::default();
        for (distance, deep) in [(0.0, false), (1.0, false), (2.3, true)] {
            let pose = place(distance, &mut random);
            let pair = TreePair::new(&a, &Isometry3::identity(), &b, &pose).expect("sound poses");
            let [exact, coarse] = [Accuracy::Exact, Accuracy::Depth(0)]
                .map(|accuracy| pair.intersects(accuracy, &mut scratch).expect("an accuracy"));
            assert!(coarse || !exact, "round {round}");
            assert!(!deep || !coarse, "round {round}: {distance} of {size:e}, {far:e} away");
        }
    }
}

/// Checks which nodes have hulls: not a cube, whose hull is its box, nor a triangle, nor many
/// boxes; but two flat boxes do.
#[test]
fn hulls_are_omitted_where_they_do_not_pay() {
    let solid = |x: f32| {
        boxwood::Obb::new(Point3::new(x, 0.0, 0.0), Matrix3::identity(), Vector3::repeat(0.4))
            .expect("a box")
    };
    let hull = |boxes: usize| {
        let boxes = (0..boxes).map(|i| solid(i as f32 * i as f32 * 0.5)).collect();
        default_tree(Geometry::Boxes(boxes)).hull(NodeId::ROOT)
    };
    assert!(hull(1).is_none() && hull(5).is_none() && hull(9).is_none());
    let slanted = |boxes: usize| {
        let boxes = (0..boxes).map(|i| {
            let at = Point3::new(i as f32, (i * i) as f32 * 0.3, 0.0);
            boxwood::Obb::new(at, Matrix3::identity(), Vector3::repeat(0.4)).expect("a box")
        });
        default_tree(Geometry::Boxes(boxes.collect()))
    };
    assert!(slanted(5).hull(NodeId::ROOT).is_some() && slanted(9).hull(NodeId::ROOT).is_none());
    let tree = slanted(5);
    assert!(tree.hull(tree.cut(9)[0]).is_none(), "a leaf of one box");
    let bare = ObbTree::build(tree.geometry().clone(), &Build::default().hull_levels(0));
    assert!(bare.expect("a tree").hull(NodeId::ROOT).is_none());
}

/// Checks equal answers and counts at every SIMD level.
#[test]
fn every_simd_level_gives_the_same_hull_answers() {
    let mut random = Random(44);
    let parts = real_parts();
    for _ in 0..cases(60) {
        let [a, b] = [0, 1].map(|_| {
            let geometry = parts[random.below(parts.len())].clone();
            ObbTree::build(geometry, &Build::fast().hull_levels(4)).expect("a tree")
        });
        let bodies = [&a, &b].map(|tree| Part::of(tree.geometry()));
        let meeting = Meeting::new([(&a, &bodies[0]), (&b, &bodies[1])], &mut random);
        let poses = meeting.poses(random.between(0.9, 1.1));
        let pair = TreePair::new(&a, &poses[0], &b, &poses[1]).expect("sound poses");
        let said = SimdLevel::all().into_iter().map(|simd| {
            let mut scratch = TreeScratch::with_simd_level(simd);
            let depths = [0, 2, 6].map(Accuracy::Depth);
            let tolerances = [0.02, 0.1].map(|share| Accuracy::Within(share * size(&a)));
            let all = depths.into_iter().chain(tolerances);
            let answers: Vec<bool> = all
                .map(|accuracy| pair.intersects(accuracy, &mut scratch).expect("an accuracy"))
                .collect();
            (answers, scratch.counts)
        });
        let said: Vec<_> = said.collect();
        assert!(said.windows(2).all(|two| two[0] == two[1]), "{said:?}");
    }
}
