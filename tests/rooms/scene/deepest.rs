//! Deepest contact of two parts, and deepest hit of a query.
//!
//! The one contact of two parts is the deepest of all contacts of their boxes, at every accuracy.
//! Pruning bounds are hardest where depths are nearly equal, edges nearly parallel, boxes tiny,
//! huge, far out, or very different in size. Depths of cubes on a lattice are exact.

use std::sync::Arc;

use boxwood::model::Model;
use boxwood::scene::{Buffers, CharacterKey, Hit, Hits, Scene, Snapshot, Spawn};
use boxwood::shape::Mesh;
use boxwood::tree::{Build, Geometry};
use boxwood::{Accuracy, Detail, PairQuery};

use super::brute_force::{contact, crowd};
use support::brute_force::bits;
use support::plain_box::UPRIGHT;
use support::prelude::*;
use support::random::compose;
use support::random_parts::solid;

/// Builds boxes in a grid, equal except for their rotations, which may be tiny.
fn grid<T: Scalar>(random: &mut Random, size: f64) -> Geometry<T> {
    let shape = [0.7, 0.5, 0.3];
    let common = if random.chance(0.3) { UPRIGHT } else { random.rotation() };
    let askew = [0.0, 1e-7, 1e-4, 1e-3, 0.3][random.below(5)];
    let cells = (0..64).map(|cell| {
        let place = [cell % 4, cell / 4 % 4, cell / 16].map(|i| f64::from(i) - 1.5);
        let at = plus(times(place, size), times(random.direction(), 1e-3 * size));
        solid(at, &compose(&common, &random.turn(askew)), times(shape, size))
    });
    Geometry::Boxes(cells.collect())
}

/// Compares the one contact of each pair of parts with those of all boxes; returns the number of
/// other boxes.
fn is_deepest<T: Scalar>(now: &Snapshot<'_, T>, accuracy: Accuracy) -> usize {
    let query = PairQuery::all().accuracy(accuracy);
    let (mut one, mut all) = (Hits::new(), Hits::new());
    now.contacts(&query.clone().detail(Detail::DeepestBoxes), &mut one).expect("a good query");
    now.contacts(&query.detail(Detail::Boxes), &mut all).expect("a good query");
    let parts = |hit: &Hit<T>| (hit.a.character, hit.a.part, hit.b.character, hit.b.part);
    for hit in &one {
        let of_parts = || all.iter().filter(|other| parts(other) == parts(hit));
        let deepest = of_parts().map(|other| other.depth.wide()).fold(-1.0, f64::max);
        assert_eq!(hit.depth.wide(), deepest, "{accuracy:?}");
        let same = of_parts().find(|other| (other.a, other.b) == (hit.a, hit.b)).expect("a box");
        assert_eq!(bits(&contact(same)), bits(&contact(hit)));
    }
    assert!(all.iter().all(|hit| one.iter().any(|other| parts(other) == parts(hit))));
    all.len() - one.len()
}

fn the_deepest_is_found<T: Scalar>(seed: u64, scenes: usize) {
    let mut random = Random(seed);
    let (mut beside, mut buffers) = ([0; 2], Buffers::new());
    for kind in 0..scenes {
        let boxes = kind % 2 == 0;
        let size = if boxes { random.decade(-8.0, 8.0) } else { 1.0 };
        // Far out, contacts are computed coarsely, and in single precision both boxes have one
        // position.
        let far = times(random.direction(), [0.0, 0.0, 1e4, 1e10, 1e13][random.below(5)] * size);
        let other = size * if random.chance(0.3) { random.decade(-2.0, 2.0) } else { 1.0 };
        let mut scene = Scene::<T>::new();
        for size in [size, other] {
            let part =
                if boxes { grid(&mut random, size) } else { random_part(&mut random, kind % 5) };
            let model = Model::<T>::builder().part("part", None, part).build(&Build::fast());
            let key =
                scene.insert(&model.expect("a model"), Spawn::default()).expect("a character");
            let at = times(random.direction(), random.between(0.0, 1.5) * size.min(other));
            let at = plus(far, at);
            let pose = if random.chance(0.3) { upright(at) } else { turned(&mut random, at) };
            scene.set_parts(key, &[pose]).expect("a pose");
        }
        let now = scene.snapshot(&mut buffers);
        let depth = Accuracy::Depth(random.below(9) as u8);
        let within = Accuracy::Within(random.decade(-3.0, 0.0) * size);
        for accuracy in [Accuracy::default(), Accuracy::Exact, depth, within] {
            beside[usize::from(boxes)] += is_deepest(&now, accuracy);
        }
    }
    println!("{} pairs of triangles, {} of boxes beside the deepest", beside[0], beside[1]);
    assert!(beside[0] > 5 * scenes && beside[1] > 50 * scenes);
}

/// Cube from 0 to 1 as a closed mesh, every face in `n x n` squares of two triangles.
pub fn cube(n: usize) -> Mesh<f32> {
    let (mut corners, mut triangles) = (Vec::<[usize; 3]>::new(), Vec::new());
    let mut number = |corner: [usize; 3]| {
        let known = corners.iter().position(|at| *at == corner);
        known.unwrap_or_else(|| {
            corners.push(corner);
            corners.len() - 1
        }) as u32
    };
    for (axis, side) in (0..3).flat_map(|axis| [(axis, 0), (axis, n)]) {
        for (i, j) in (0..n * n).map(|k| (k / n, k % n)) {
            let at = |i: usize, j: usize| {
                let mut corner = [side; 3];
                (corner[(axis + 1) % 3], corner[(axis + 2) % 3]) = (i, j);
                corner
            };
            let [a, b, c, d] =
                [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)].map(&mut number);
            let outward = if side > 0 { [[a, b, c], [a, c, d]] } else { [[a, c, b], [a, d, c]] };
            triangles.extend(outward);
        }
    }
    let place = |corner: [usize; 3]| Point3::from(corner.map(|x| x as f32 / n as f32));
    Mesh::new(corners.into_iter().map(place).collect(), triangles).expect("a cube")
}

/// Checks the example in the documentation of [`Hit`], two cubes 0.3 deep in each other, and that
/// the documented translation separates them.
#[test]
fn depth_between_leaves_is_that_of_triangles_and_between_roots_parts_the_bodies() {
    for (cut, at_leaves) in [(1, 0.433), (2, 0.260), (4, 0.144), (5, 0.1), (8, 0.072)] {
        let geometry = Geometry::Solid(cube(cut));
        let model = Model::builder().part("cube", None, geometry).build(&Build::default());
        let model = Arc::new(model.expect("a model"));
        let mut scene = Scene::<f32>::new();
        let a = scene.insert(&model, Spawn::default()).expect("a character");
        let b = insert_posed(&mut scene, &model, &[upright([0.7, 0.1, 0.05])]);
        let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
        let between = PairQuery::between(a, b).detail(Detail::DeepestBoxes);
        let ask = |accuracy| between.clone().accuracy(accuracy);
        let now = scene.snapshot(&mut buffers);
        for accuracy in [Accuracy::Exact, Accuracy::Depth(32)] {
            now.contacts(&ask(accuracy), &mut hits).expect("a query");
            assert!((hits[0].depth - at_leaves).abs() < 1e-3, "{cut}: {:?}", hits[0]);
        }
        now.contacts(&ask(Accuracy::Depth(0)), &mut hits).expect("a query");
        let Hit { depth, normal, .. } = hits[0];
        assert!((depth - 0.3).abs() < 1e-6 && normal.x == 1.0, "{:?}", hits[0]);
        for (share, touch) in [(0.999, true), (1.001, false)] {
            let x = f64::from(depth) * share;
            scene.set_parts(b, &[upright([0.7 + x, 0.1, 0.05])]).expect("good");
            let now = scene.snapshot(&mut buffers);
            assert_eq!(now.intersects(&ask(Accuracy::Exact), hits.scratch()), Ok(touch), "{cut}");
        }
    }
}

/// Builds cubes in a row at the given positions; returns their keys in that order.
fn row(places: &[f64]) -> (Scene<f32>, Vec<CharacterKey>) {
    let solid = Geometry::Boxes(vec![upright_solid([0.0; 3], [1.0; 3])]);
    let cube = Model::builder().part("cube", None, solid).build(&Build::default());
    let (mut scene, cube) = (Scene::new(), cube.expect("a model"));
    let stand =
        |x: &f64| scene.insert(&cube, Spawn::at(upright([*x, 0.0, 0.0]))).expect("a character");
    let keys = places.iter().map(stand).collect();
    (scene, keys)
}

#[test]
fn the_deepest_hit_is_found_and_the_first_of_equally_deep_hits() {
    // Overlaps of one quarter, one half, one half, one quarter.
    let (scene, keys) = row(&[0.0, 0.75, 1.25, 1.75, 2.5]);
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    let now = scene.snapshot(&mut buffers);
    now.contacts(&PairQuery::all(), &mut hits).expect("a query");
    let depths: Vec<f32> = hits.iter().map(|hit| hit.depth).collect();
    assert!(depths.len() >= 4 && depths.iter().all(|depth| [0.0, 0.25, 0.5].contains(depth)));
    let deepest = hits.deepest().expect("hits");
    assert_eq!(deepest.depth, 0.5);
    assert_eq!((deepest.a.character, deepest.b.character), (keys[1], keys[2]));
}

#[test]
fn without_hits_there_is_no_deepest_one() {
    let mut hits = Hits::<f32>::new();
    assert_eq!(hits.deepest(), None);
    let (scene, keys) = row(&[0.0, 0.5, 9.0]);
    let mut buffers = Buffers::new();
    let now = scene.snapshot(&mut buffers);
    now.contacts(&PairQuery::all(), &mut hits).expect("a query");
    assert!(hits.deepest().is_some());
    now.contacts(&PairQuery::of(keys[2]), &mut hits).expect("a query");
    assert_eq!(hits.deepest(), None);
    // Touching pairs have no depth.
    now.contacts(&PairQuery::all(), &mut hits).expect("a query");
    now.pairs(&PairQuery::all(), &mut hits).expect("a query");
    assert!(!hits.pairs().is_empty() && hits.deepest().is_none());
}

#[test]
fn the_deepest_hit_is_the_first_of_the_greatest_depth_of_any_answer() {
    let (mut random, mut several) = (Random(731), 0);
    for _ in 0..30 {
        let (scene, _) = crowd::<f64>(&mut random, 4, 0.0);
        let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
        let query = PairQuery::all().detail(Detail::Boxes);
        scene.snapshot(&mut buffers).contacts(&query, &mut hits).expect("a query");
        let most = hits.iter().map(|hit| hit.depth).fold(f64::MIN, f64::max);
        assert_eq!(hits.deepest(), hits.iter().find(|hit| hit.depth == most));
        several += usize::from(hits.len() > 1);
    }
    assert!(several > 10, "{several}");
}

scalars! {
    the_deepest_is_found => the_deepest_is_found(7, at_least(300, 100); 8, at_least(300, 100));
}
