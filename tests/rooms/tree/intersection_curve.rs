//! The curve in which two surfaces intersect: against known curves, against clipping of all pairs
//! of triangles by half-spaces, and its invariances.

use std::f64::consts::PI;

use boxwood::num::SimdLevel;
use boxwood::shape::Pose;
use boxwood::tree::{Build, Geometry, IntersectionCurve, NodeId, ObbTree, TreePair, TreeScratch};

use support::closed_meshes::{Faces, cube, solid, sphere, surface, torus};
use support::prelude::*;
use support::random_parts::{pose, put, triangles};
use support::triangle_distance::Triangle;

type Curve<T> = Option<IntersectionCurve<T>>;

fn tree<T: Scalar>(geometry: Geometry<T>) -> ObbTree<T> {
    ObbTree::build(geometry, &Build::fast()).expect("a tree")
}

fn curve<T: Scalar>(a: (&ObbTree<T>, &Pose<T>), b: (&ObbTree<T>, &Pose<T>)) -> Curve<T> {
    let pair = TreePair::new(a.0, a.1, b.0, b.1).expect("sound poses");
    pair.intersection_curve(&mut TreeScratch::default())
}

fn wide<T: Scalar>(curve: &IntersectionCurve<T>) -> (f64, V, V) {
    let IntersectionCurve { length, centroid, vector_area: area, .. } = *curve;
    let v = |x: T, y: T, z: T| [x.wide(), y.wide(), z.wide()];
    let center = v(centroid.x, centroid.y, centroid.z);
    (length.wide(), center, v(area.x, area.y, area.z))
}

fn bits<T: Scalar>(curve: &Curve<T>) -> Option<Vec<u64>> {
    let curve = curve.as_ref()?;
    let numbers = curve.centroid.iter().chain(curve.vector_area.iter()).copied();
    // Adding zero gives zero one sign.
    Some(numbers.chain([curve.length]).map(|x| (x + T::zero()).bits()).collect())
}

#[track_caller]
fn close<T: Scalar>(curve: &Curve<T>, (length, centroid, area): (f64, V, V), off: f64) {
    let found = wide(curve.as_ref().expect("they cross"));
    let far =
        [(found.0 - length).abs(), norm(minus(found.1, centroid)), norm(minus(found.2, area))];
    assert!(far.iter().all(|&far| far <= off), "{found:?} for {:?}", (length, centroid, area));
}

/// Builds a cube of size 1 whose faces are cut into `n` by `n` squares of two triangles.
fn cut_cube(n: u32) -> Faces {
    let (mut corners, mut triangles) = (vec![], vec![]);
    for face in 0..6 {
        let (axis, high) = (face / 2, face % 2 == 1);
        let first = corners.len() as u32;
        for at in 0..(n + 1) * (n + 1) {
            let mut p = [if high { 0.5 } else { -0.5 }; 3];
            p[(axis + 1) % 3] = f64::from(at % (n + 1)) / f64::from(n) - 0.5;
            p[(axis + 2) % 3] = f64::from(at / (n + 1)) / f64::from(n) - 0.5;
            corners.push(p);
        }
        for at in 0..n * n {
            let a = first + at % n + at / n * (n + 1);
            let (b, c, d) = (a + 1, a + n + 2, a + n + 1);
            let halves = [[a, b, c], [a, c, d]];
            triangles.extend(halves.map(|[a, b, c]| if high { [a, b, c] } else { [a, c, b] }));
        }
    }
    (corners, triangles)
}

/// Checks two cubes of size 1, the second moved: the curve runs around the box they share, along
/// the six edges where a face of one crosses a face of the other.
fn cubes<T: Scalar>(off: f64) {
    for n in [1, 8, 32] {
        let cube = tree(surface::<T>(cut_cube(n)));
        assert_eq!(cube.primitives(NodeId::ROOT).len() as u32, 12 * n * n);
        let by = [0.7, 0.2, 0.1];
        let known = (4.0, times(by, 0.5), [0.8 * 0.9, 0.3 * 0.9, 0.3 * 0.8]);
        close(&curve((&cube, &upright([0.0; 3])), (&cube, &upright(by))), known, off);

        // The pair, moved as a whole.
        let mut random = Random(7);
        let place = turned::<T>(&mut random, [0.6, -2.0, 1.3]);
        let moved = place * upright::<T>(by);
        let area = minus(put(&place, known.2), put(&place, [0.0; 3]));
        let known = (known.0, put(&place, known.1), area);
        close(&curve((&cube, &place), (&cube, &moved)), known, 8.0 * off);
    }
}

#[test]
fn edges_in_the_other_ones_faces_count_half() {
    let cube = tree(solid::<f64>(cube([0.5; 3])));
    let at = |by: V| curve((&cube, &upright([0.0; 3])), (&cube, &upright(by)));
    // Side faces in one plane: two squares along edges that lie in faces, and four edges along
    // edges, of length 0.3, for two pairs of triangles each.
    close(&at([0.7, 0.0, 0.0]), (4.6, [0.35, 0.0, 0.0], [1.0, 0.0, 0.0]), 1e-12);
    // Face on face: once around the shared region, by edges of either.
    close(&at([1.0, 0.2, 0.1]), (1.7, [0.5, 0.1, 0.05], [0.36, 0.0, 0.0]), 1e-12);
    assert_eq!(at([1.5, 0.2, 0.1]), None);
    assert_eq!(at([1.0, 1.0, 1.0]), None); // corner on corner
}

#[test]
fn no_crossing_triangles_give_no_curve() {
    let (here, off) = (upright::<f64>([0.0; 3]), upright([0.1, 0.0, 0.05]));
    let [large, small] = [1.0, 0.25].map(|half| tree(solid::<f64>(cube([half; 3]))));
    assert_eq!(curve((&large, &here), (&small, &off)), None); // one inside the other
    let boxes =
        tree(Geometry::Boxes(vec![support::random_parts::upright_solid([-1.0; 3], [0.0; 3])]));
    assert_eq!(curve((&large, &here), (&boxes, &off)), None);
    assert_eq!(curve((&boxes, &off), (&boxes, &here)), None);
    let sheet = |corners: [V; 3]| tree(surface::<f64>((corners.to_vec(), vec![[0, 1, 2]])));
    let floor = sheet([[-4.0, -4.0, 0.0], [4.0, -4.0, 0.0], [0.0, 8.0, 0.0]]);
    assert_eq!(curve((&floor, &here), (&floor, &upright([1.0, 0.5, 0.0]))), None); // in one plane
    let tip = sheet([[0.0, 0.0, 0.0], [1.0, 0.0, 2.0], [0.0, 1.0, 2.0]]);
    assert_eq!(curve((&floor, &here), (&tip, &here)), None); // a corner touches
    let line = sheet([[0.0, 0.0, -1.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]);
    let point = sheet([[0.0; 3]; 3]);
    for flat in [&line, &point] {
        assert_eq!(curve((&floor, &here), (flat, &here)), None);
        assert_eq!(curve((flat, &here), (flat, &here)), None);
    }
}

/// Checks balls of triangles: the curve is a circle, up to the depth of facets below the balls.
fn balls<T: Scalar>(rings: usize) {
    let (mut random, radii) = (Random(11), [1.0, 0.8]);
    let [a, b] = radii.map(|radius| tree(solid::<T>(sphere(radius, rings))));
    let under = 1.0 - (0.5 * PI / rings as f64).cos().powi(2);
    for _ in 0..6 {
        let apart = random.between(0.7, 1.5);
        let (at, way) = (times(random.direction(), 2.0), random.direction());
        let poses =
            [turned::<T>(&mut random, at), turned(&mut random, plus(at, times(way, apart)))];
        let along = 0.5 * (apart + (1.0 - 0.64) / apart);
        let radius = (1.0 - along * along).sqrt();
        let curve = curve((&a, &poses[0]), (&b, &poses[1]));
        let (length, centroid, area) = wide(curve.as_ref().expect("they cross"));
        // The circle shrinks faster if the balls cross at a small angle.
        let most = 4.0 * under / radius;
        assert!((length / (2.0 * PI * radius) - 1.0).abs() < most, "{length} of {radius}");
        assert!(norm(minus(centroid, plus(at, times(way, along)))) < most, "{centroid:?}");
        let round = times(way, PI * radius * radius);
        assert!(norm(minus(area, round)) < 2.0 * most * norm(round), "{area:?} of {round:?}");
    }
}

#[test]
fn the_curve_of_two_balls_is_a_circle() {
    for rings in [8, 16, 48] {
        balls::<f32>(rings);
        balls::<f64>(rings);
    }
}

/// Shares of the line from `p` to `q` where `height` is not below zero.
fn clip(p: V, q: V, [from, to]: [f64; 2], height: impl Fn(V) -> f64) -> [f64; 2] {
    let (start, end) = (height(p), height(q));
    let root = start / (start - end);
    match end > start {
        true => [from.max(root), to],
        false => [from, to.min(root)],
    }
}

/// Computes the segment of two triangles in general position: a long piece of the line of their
/// planes, clipped by the six planes through their edges, with unit normals and a solved point.
fn segment(a: &Triangle, b: &Triangle) -> Option<[V; 2]> {
    let unit = |t: &Triangle| {
        let n = outer(minus(t[1], t[0]), minus(t[2], t[0]));
        times(n, 1.0 / norm(n))
    };
    let (m, n) = (unit(a), unit(b));
    let way = outer(m, n);
    let square = inner(way, way);
    let (c, d) = (inner(m, a[0]), inner(n, b[0]));
    let on = times(plus(times(outer(n, way), c), times(outer(way, m), d)), 1.0 / square);
    let middle = plus(on, times(way, inner(way, minus(a[0], on)) / square));
    let far = times(way, 100.0 / square.sqrt());
    let (p, q) = (minus(middle, far), plus(middle, far));
    let mut kept = [0.0, 1.0];
    for (triangle, normal) in [(a, m), (b, n)] {
        for k in 0..3 {
            let (from, to) = (triangle[k], triangle[(k + 1) % 3]);
            let inward = outer(normal, minus(to, from));
            kept = clip(p, q, kept, |x| inner(inward, minus(x, from)));
        }
    }
    let at = |share: f64| plus(p, times(minus(q, p), share));
    (kept[0] < kept[1]).then(|| kept.map(at))
}

/// Computes the curve from all pairs of triangles, without a tree [world].
fn by_hand<T: Scalar>(trees: [&ObbTree<T>; 2], poses: [&Pose<T>; 2]) -> (f64, V, V) {
    let world = |i: usize| -> Vec<Triangle> {
        let all = triangles(trees[i], NodeId::ROOT);
        all.iter().map(|t| t.map(|p| put(poses[i], p))).collect()
    };
    let (a, b) = (world(0), world(1));
    let pairs = a.iter().flat_map(|one| b.iter().map(move |other| (one, other)));
    let segments: Vec<[V; 2]> = pairs.filter_map(|(one, other)| segment(one, other)).collect();
    let length = |[p, q]: &[V; 2]| norm(minus(*q, *p));
    let total: f64 = segments.iter().map(length).sum();
    let sum = |all: &mut dyn Iterator<Item = V>| all.fold([0.0; 3], plus);
    let moments = &mut segments.iter().map(|s| times(plus(s[0], s[1]), 0.5 * length(s)));
    let center = times(sum(moments), 1.0 / total);
    let fans = &mut segments.iter().map(|&[p, q]| outer(minus(p, center), minus(q, center)));
    (total, center, times(sum(fans), 0.5))
}

/// Builds a part of triangles: lumps, soups, plates, rings.
fn part<T: Scalar>(random: &mut Random, kind: usize) -> Geometry<T> {
    match kind % 4 {
        3 => solid(torus(0.7, 0.25, 12, 8)),
        kind => random_part(random, kind),
    }
}

fn all_pairs<T: Scalar>(off: f64) {
    let (mut random, mut crossed) = (Random(23), 0);
    for round in 0..120 {
        let [a, b] = [round, round / 4].map(|kind| tree(part::<T>(&mut random, kind)));
        let at = times(random.direction(), random.between(0.0, 1.2));
        let poses = [turned::<T>(&mut random, [0.3, 0.0, -0.4]), turned(&mut random, at)];
        let found = curve((&a, &poses[0]), (&b, &poses[1]));
        let known = by_hand([&a, &b], [&poses[0], &poses[1]]);
        if known.0 > 0.0 {
            close(&found, known, off);
            crossed += 1;
        } else {
            assert_eq!(found, None);
        }
    }
    println!("{crossed} pairs cross");
    assert!(crossed > 60);
}

#[test]
fn the_vector_area_is_what_the_common_volume_loses() {
    // Two cubes, one standing on a corner of the other: by differences of a volume in closed form.
    let volume = |s: V| (1.0 - s[0]) * (1.0 - s[1]) * (1.0 - s[2]);
    let cube = tree(solid::<f64>(cube([0.5; 3])));
    let (by, step) = ([0.4, 0.55, 0.3], 1e-5);
    let found = curve((&cube, &upright([0.0; 3])), (&cube, &upright(by))).expect("they cross");
    for axis in 0..3 {
        let (mut less, mut more) = (by, by);
        (less[axis], more[axis]) = (by[axis] - step, by[axis] + step);
        let lost = (volume(less) - volume(more)) / (2.0 * step);
        assert!((found.vector_area[axis] - lost).abs() < 1e-9, "{found:?}: {lost}");
    }
}

/// Checks that swapped trees, every SIMD level and one pair at a time give one curve, bit for bit.
fn one_curve<T: Scalar>() {
    let (mut random, mut crossed) = (Random(31), 0);
    let mut scratches: Vec<_> =
        SimdLevel::all().into_iter().map(TreeScratch::with_simd_level).collect();
    scratches.push(TreeScratch::one_at_a_time());
    for round in 0..80 {
        let a = tree(part::<T>(&mut random, round));
        let other = tree(part::<T>(&mut random, round / 4));
        let b = if round % 5 == 0 { a.clone() } else { other };
        let at = times(random.direction(), random.between(0.0, 0.9));
        let poses = [turned::<T>(&mut random, [0.5, 0.0, 0.2]), turned(&mut random, at)];
        // Some in one pose.
        let poses = if round % 3 == 0 { [poses[0]; 2] } else { poses };
        let there = TreePair::new(&a, &poses[0], &b, &poses[1]).expect("sound poses");
        let back = TreePair::new(&b, &poses[1], &a, &poses[0]).expect("sound poses");
        let known = there.intersection_curve(&mut TreeScratch::default());
        crossed += usize::from(known.is_some());
        let reversed = known.map(|curve| curve.reversed());
        for scratch in &mut scratches {
            assert_eq!(bits(&there.intersection_curve(scratch)), bits(&known), "{round}");
            assert_eq!(bits(&back.intersection_curve(scratch)), bits(&reversed), "{round}");
        }
    }
    println!("{crossed} curves");
    assert!(crossed > 50);
}

#[test]
fn tiny_huge_and_far_out_parts_keep_their_curve() {
    for size in [1e-60, 1e-12, 1e9, 1e70] {
        let (corners, triangles) = cube([0.5 * size; 3]);
        let cube = tree(solid::<f64>((corners, triangles)));
        let by = [0.7 * size, 0.2 * size, 0.1 * size];
        let found = curve((&cube, &upright([0.0; 3])), (&cube, &upright(by))).expect("they cross");
        assert!((found.length / size - 4.0).abs() < 1e-12, "{found:?}");
        let center = found.centroid.coords / size;
        assert!((center - vector::<f64>([0.35, 0.1, 0.05])).norm() < 1e-12, "{found:?}");
    }
    let cube = tree(solid::<f32>(cube([0.5; 3])));
    let places = [[1e5, -1e5, 0.0], [1e5 + 0.75, -1e5 + 0.25, 0.125]];
    let [a, b] = places.map(|at| pose::<f32>([0.0, 0.0, 0.0, 1.0], at));
    let known = (2.0 * (0.25 + 0.75 + 0.875), times(plus(places[0], places[1]), 0.5), [0.0; 3]);
    let (length, centroid, _) = wide(&curve((&cube, &a), (&cube, &b)).expect("they cross"));
    assert!((length - known.0).abs() < 1e-5 && norm(minus(centroid, known.1)) < 0.01);
}

scalars! {
    cubes_cut_finer_and_finer_have_one_curve => cubes(1e-6; 1e-13);
    the_curve_is_that_of_all_pairs_of_triangles => all_pairs(4e-6; 1e-9);
    swaps_and_instruction_sets_change_no_bit => one_curve();
}
