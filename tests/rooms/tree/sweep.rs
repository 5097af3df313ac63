//! Capsules swept through a tree: equal to the answer of every triangle alone, bit for bit.

use boxwood::num::Scalar;
use boxwood::shape::{Capsule, Mesh, Obb, Segment};
use boxwood::tree::{Build, Geometry, ObbTree};
use boxwood::{Error, pair::Sweep, shape::Triangle};
use nalgebra::{Isometry3, Point3, Vector3};

use support::plain_box::{plus, times};
use support::proof::at_least;
use support::random::Random;
use support::random_parts::point;
use support::scalars;

/// Builds a soup of triangles, or a floor with shared edges, where many are hit at the same time.
fn mesh<T: Scalar>(random: &mut Random, kind: usize) -> Mesh<T> {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    if kind == 0 {
        for i in 0..60 {
            let at = times(random.direction(), random.between(0.0, 10.0));
            vertices.extend((0..3).map(|_| point(plus(at, random.direction()))));
            triangles.push([3 * i, 3 * i + 1, 3 * i + 2]);
        }
    } else {
        let row = 9;
        for i in 0..row * row {
            let height = if kind == 1 { 0.0 } else { random.between(0.0, 1.5) };
            vertices.push(point([(i % row) as f64 - 4.0, (i / row) as f64 - 4.0, height]));
        }
        for i in (0..row * (row - 1)).filter(|i| i % row + 1 < row) {
            triangles.push([i, i + 1, i + row]);
            triangles.push([i + row + 1, i + row, i + 1]);
        }
    }
    Mesh::new(vertices, triangles).expect("a mesh")
}

fn tree_is_brute_force<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    let (mut hits, mut misses, mut ties) = (0, 0, 0);
    for round in 0..at_least(1_000, 200) {
        let kind = round % 3;
        let mesh = mesh::<T>(&mut random, kind);
        let build = [Build::default(), Build::default()][random.below(2)];
        let tree = ObbTree::build(Geometry::Surface(mesh.clone()), &build).expect("a tree");
        for _ in 0..20 {
            let start = times(random.direction(), random.between(1.0, 8.0));
            let mut core = times(random.direction(), [0.0, 1.5][random.below(2)]);
            let mut by = times(random.direction(), random.decade(-3.0, 1.5));
            if random.chance(0.4) {
                // Flat down on the floor: many triangles at the same time.
                (core[2], by) = (0.0, [0.0, 0.0, -by[2].abs() * 4.0]);
            }
            let ends = Segment::new(point(start), point(plus(start, core))).expect("ends");
            let radius = T::nearest([0.0, random.between(0.0, 1.0)][random.below(2)]);
            let body = Capsule::new(ends, radius).expect("a capsule");
            let by = point::<T>(by).coords;
            let found = tree.sweep_capsule(&body, by).expect("good input");
            assert_eq!(found, mesh.sweep_capsule(&body, by).expect("good input"));
            let all = (0..mesh.triangles().len()).filter_map(|i| {
                let [a, b, c] = mesh.corners(i);
                let hit = body.sweep(by, &Triangle::new(a, b, c).expect("corners"))?;
                Some((hit.time_of_impact.wide(), i as u32))
            });
            let mut all: Vec<(f64, u32)> = all.collect();
            all.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
            let expected = all.first().copied();
            assert_eq!(found.map(|hit| (hit.time_of_impact.wide(), hit.target)), expected);
            ties += usize::from(all.len() > 1 && all[0].0 == all[1].0);
            if found.is_some() { hits += 1 } else { misses += 1 }
        }
    }
    println!("{hits} hits, {misses} misses, {ties} ties");
    assert!(hits > 500 && misses > 500 && ties > 50, "{hits} {misses} {ties}");
}

#[test]
fn bad_questions_are_refused() {
    let mut random = Random(103);
    let mesh = mesh::<f64>(&mut random, 1);
    let tree = ObbTree::build(Geometry::Surface(mesh.clone()), &Build::default()).expect("a tree");
    let body = Capsule::from(Segment::new(Point3::origin(), point([1.0; 3])).expect("ends"));
    let bad = Vector3::new(0.0, f64::NAN, 0.0);
    let error = Err(Error::NotFinite { field: "displacement", index: 0 });
    assert_eq!(tree.sweep_capsule(&body, bad), error);
    assert_eq!(mesh.sweep_capsule(&body, bad), error);
    let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(1.0)).expect("a box");
    let boxes = ObbTree::build(Geometry::Boxes(vec![cube]), &Build::default()).expect("a tree");
    assert!(matches!(boxes.sweep_capsule(&body, Vector3::x()), Err(Error::BadQuery { .. })));
}

scalars! {
    the_tree_gives_the_answer_of_all_triangles => tree_is_brute_force(102; 101);
}
