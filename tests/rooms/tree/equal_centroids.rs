//! Primitives with equal centroids, or that no cut divides evenly: no leaf has more of them than
//! requested, no tree is too deep, and queries do not test all pairs.

use boxwood::pair::ConvexShape;
use boxwood::shape::{Obb, Pose, Sphere};
use boxwood::tree::{
    Accuracy, Bound, Build, Geometry, LEVELS, NodeId, ObbTree, Split, TreePair, TreeScratch,
};

use support::prelude::*;
use support::random_parts::{mesh, solid};
use support::triangle_distance::Triangle;

const SPLITS: [Split; 5] =
    [Split::Median, Split::AreaMedian, Split::Mean, Split::Sah, Split::BottomUp];

/// Returns triangle `i` of those nested around the origin in the plane `z = 0`, as in
/// `equal_centroids.obj`: with integer coordinates all centroids are zero.
fn nested(i: usize) -> Triangle {
    let r = (i + 1) as f64;
    [[-r, -r, 0.0], [r, -r, 0.0], [0.0, 2.0 * r, 0.0]]
}

/// Returns the greatest depth of a tree that is halved evenly.
fn even_depth(count: usize, leaf: usize) -> u8 {
    count.div_ceil(leaf).next_power_of_two().ilog2() as u8
}

/// Asserts that leaves are no larger than requested, within the depth limit of a tree.
fn full_leaves<T: Scalar>(name: &str, part: &Geometry<T>, build: Build) -> ObbTree<T> {
    let tree = ObbTree::build(part.clone(), &build).expect(name);
    let mut most = 0;
    for node in (0..tree.len()).map(NodeId::new) {
        if tree.node(node).children().is_none() {
            most = most.max(tree.primitives(node).len());
        }
    }
    assert!(most <= build.leaf_primitives, "{name} {build:?}: a leaf of {most}");
    assert!(usize::from(tree.depth()) < LEVELS, "{name} {build:?}: depth {}", tree.depth());
    tree
}

/// Returns parts in which all or many primitives have equal centroids.
fn parts<T: Scalar>(count: usize) -> Vec<(&'static str, Geometry<T>)> {
    let mut random = Random(5311);
    let one: Triangle = [[0.1, 0.2, 0.3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let all: Vec<Triangle> = (0..count).map(nested).collect();
    let half: Vec<Triangle> = (0..count)
        .map(|i| {
            let aside = if i % 2 == 0 { 0.0 } else { random.between(-9.0, 9.0) };
            nested(i).map(|p| plus(p, [aside, 0.5 * aside, aside * aside]))
        })
        .collect();
    // Triangles rotated around one point: centroids differ by rounding only.
    let rounded: Vec<Triangle> = (0..count)
        .map(|i| {
            let columns = random.rotation();
            nested(i % 7).map(|p| plus(support::random::apply(&columns, p), [100.0, -3.0, 0.7]))
        })
        .collect();
    let boxes = (0..count).map(|i| {
        let half = times([1.0, 2.0, 0.5], (i + 1) as f64);
        solid([1.0, -2.0, 0.25], &random.rotation(), half)
    });
    let boxes: Vec<Obb<T>> = boxes.collect();
    let ball = |i: usize| Sphere::new(Point3::origin(), T::nearest(0.5 + i as f64));
    let balls = (0..count).map(|i| ConvexShape::from(ball(i).expect("a ball")));
    let points: Vec<Triangle> = vec![[[0.25; 3]; 3]; count];
    vec![
        ("nested triangles", mesh(&all)),
        ("one triangle often", mesh(&vec![one; count])),
        ("one point often", mesh(&points)),
        ("half of them apart", mesh(&half)),
        ("equal but for rounding", mesh(&rounded)),
        ("nested boxes", Geometry::Boxes(boxes.clone())),
        ("one box often", Geometry::Boxes(vec![boxes[0]; count])),
        ("nested balls", Geometry::Convex(balls.collect())),
    ]
}

fn leaves_are_full<T: Scalar>() {
    for count in [2, 3, 7, 90] {
        for (name, part) in parts::<T>(count) {
            for split in SPLITS {
                for leaf in [1, 4] {
                    let build =
                        Build::new().split(split).leaf_primitives(leaf).bound(Bound::Corners);
                    let tree = full_leaves(name, &part, build);
                    let even = name.contains("often") || name == "nested triangles";
                    if even && split != Split::BottomUp {
                        assert_eq!(tree.depth(), even_depth(count, leaf), "{name} {build:?}");
                    }
                    assert!(tree.depth() <= 24, "{name} {build:?}: {}", tree.depth());
                }
            }
        }
    }
    for (name, part) in parts::<T>(40) {
        for build in [Build::new(), Build::tight(), Build::fast(), Build::new().max_depth(3)] {
            let tree = ObbTree::build(part.clone(), &build).expect(name);
            assert_eq!(tree.validate(), Ok(()), "{name} {build:?}");
            let again = ObbTree::build(part.clone(), &build).expect(name);
            assert!(
                tree == again && tree.fingerprint() == again.fingerprint(),
                "{name}: other bits"
            );
            assert!(tree.depth() <= build.max_depth);
        }
    }
}

/// Primitives at positions that halve from one to the next: every cut but the median leaves one
/// separates one from all others, and the tree would be as deep as their number.
#[test]
fn positions_that_halve_do_not_exceed_the_depth_limit() {
    let row = |count: i32| -> Vec<Triangle> {
        let at = |i: i32| 2f64.powi(-i);
        let one = |i: i32| [[at(i), 0.0, 0.0], [at(i), at(i), 0.0], [at(i), 0.0, at(i)]];
        (0..count).map(one).collect()
    };
    for count in [33, 34, 65, 500] {
        for split in SPLITS {
            for leaf in [1, 3] {
                let build = Build::new().split(split).leaf_primitives(leaf).bound(Bound::Corners);
                full_leaves("a halving row", &mesh::<f64>(&row(count)), build);
            }
        }
    }
}

#[test]
fn a_hundred_thousand_equal_triangles_make_an_even_tree() {
    let count = 100_000;
    let one: Triangle = [[0.1, 0.2, 0.3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let build = Build::fast();
    let tree = full_leaves("one triangle often", &mesh::<f32>(&vec![one; count]), build);
    assert_eq!(tree.depth(), even_depth(count, build.leaf_primitives));
    let leaves = tree.len().div_ceil(2);
    assert!(leaves * build.leaf_primitives < count + count / 8, "{leaves} leaves");
}

/// Computes the distance of the first part from itself, rotated by a quarter turn about x and moved
/// up.
fn distance_of_nested(part: &Geometry<f64>, build: &Build, up: f64) -> (f64, u64, u64) {
    let tree = ObbTree::build(part.clone(), build).expect("triangles");
    let quarter = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f64::consts::FRAC_PI_2);
    let above = Pose::from_parts(vector::<f64>([0.0, 0.0, up]).into(), quarter);
    let pair = TreePair::new(&tree, &Pose::identity(), &tree, &above).expect("sound poses");
    let mut scratch = TreeScratch::default();
    let found = pair.distance(Accuracy::Exact, f64::INFINITY, &mut scratch).expect("an answer");
    let counts = scratch.counts;
    (found.expect("no cut-off").distance, counts.primitives, counts.tests())
}

/// Checks corners as far down as the largest triangle, whose lower side they touch.
#[test]
fn the_distance_of_nested_triangles_takes_no_quadratic_number_of_tests() {
    let in_order = |count: usize| (0..count).map(nested).collect::<Vec<_>>();
    let shuffled = |count: usize| {
        let (mut random, mut all) = (Random(5312), in_order(count));
        for i in (1..count).rev() {
            all.swap(i, random.below(i + 1));
        }
        all
    };
    let builds = [Build::new(), Build::tight(), Build::fast(), Build::new().split(Split::BottomUp)];
    for (count, triangles) in
        [200, 2_000].into_iter().flat_map(|n| [(n, in_order(n)), (n, shuffled(n))])
    {
        for build in &builds {
            let part = mesh(&triangles);
            let (distance, primitives, tests) =
                distance_of_nested(&part, build, count as f64 + 0.5);
            assert!((distance - 0.5).abs() < 1e-9, "{distance}");
            println!(
                "{count} {:?} {}: {primitives} primitives, {tests} tests",
                build.split, build.leaf_primitives
            );
            // Some pairs for each triangle of one of the two; all pairs would be count^2.
            let most = 20 * count as u64;
            assert!(primitives <= most && tests <= most, "{count} {build:?}: {primitives} {tests}");
        }
    }
}

#[test]
fn the_distance_of_the_shared_file_is_half_a_thousandth() {
    let Some(data) = support::data::data() else { return };
    let path = data.join("bugs/equal_centroids.obj");
    let loader = boxwood::f64::Loader::new().solid(false);
    let loaded = loader.obj(path).expect("triangles");
    let tree = loaded.model.parts()[0].tree().expect("geometry");
    let (distance, primitives, tests) = distance_of_nested(tree.geometry(), &Build::new(), 1.0005);
    assert!((distance - 0.0005).abs() < 1e-9, "{distance}");
    assert!(primitives <= 4_000 && tests <= 4_000, "{primitives} {tests}");
}

scalars! {
    leaves_are_no_larger_than_asked => leaves_are_full();
}
