//! Pairs of triangles and boxes, most of them nearly touching, against the exact answer.

use boxwood::shape::{Mesh, Obb, Pose};
use boxwood::tree::{Build, Geometry, ObbTree, TreePair};

use support::exact_hulls::touch;
use support::placed_corners::{Corner, Placed};
use support::prelude::*;

/// Counts of pairs and of touching ones.
#[derive(Debug, Default)]
struct Tally {
    pairs: usize,
    touching: usize,
}

fn points<T: Scalar>(corners: [V; 3]) -> [V; 3] {
    corners.map(|p| p.map(|x| T::nearest(x).wide()))
}

fn one<T: Scalar>(corners: [V; 3]) -> ObbTree<T> {
    let vertices = corners.map(|p| p.map(T::nearest).into()).to_vec();
    let mesh = Mesh::new(vertices, vec![[0, 1, 2]]).expect("a mesh");
    ObbTree::build(Geometry::Surface(mesh), &Build::fast()).expect("a tree")
}

fn compare<T: Scalar>(a: [V; 3], b: [V; 3], poses: [&Pose<T>; 2], tally: &mut Tally) {
    let (tree_a, tree_b) = (one::<T>(a), one::<T>(b));
    let pair = TreePair::new(&tree_a, poses[0], &tree_b, poses[1]).expect("sound poses");
    let found = pair.primitives_touch(0, 0);
    let swapped = TreePair::new(&tree_b, poses[1], &tree_a, poses[0]).expect("sound poses");
    assert_eq!(found, swapped.primitives_touch(0, 0));
    let placed = Placed::of(poses[0], poses[1]);
    let corners = |t: [V; 3]| points::<T>(t).map(Corner::Point);
    let expected = touch(&placed, &corners(a), &corners(b));
    assert_eq!(found, expected, "{a:?} {b:?} {poses:?}");
    tally.pairs += 1;
    tally.touching += usize::from(found);
}

/// Draws a triangle: even, thin, or collapsed to a segment or a point.
fn shaped(random: &mut Random, size: f64) -> [V; 3] {
    let at: V = std::array::from_fn(|_| size * random.between(-1.0, 1.0));
    let (u, v) = (random.direction(), random.direction());
    let (long, wide) = match random.below(5) {
        0 | 1 => (1.0, 1.0),
        2 => (1.0, random.decade(-16.0, -2.0)),
        3 => (1.0, 0.0),
        _ => (0.0, 0.0),
    };
    [at, plus(at, times(u, long * size)), plus(at, times(v, wide * size))]
}

/// Moves the second triangle along a direction to the edge of touching the first.
fn brought_close<T: Scalar>(random: &mut Random, tally: &mut Tally) {
    let size = [1.0, 1e-6, 1e6][random.below(3)];
    let (a, b) = (shaped(random, size), shaped(random, size));
    let far = if random.chance(0.3) { 1e3 * size } else { 0.0 };
    let at: V = times(random.direction(), far);
    let (pose_a, turn) = (turned::<T>(random, at), turned::<T>(random, at));
    // Shift b so that a point of it falls on a point of a, then a hair beyond.
    let share = |random: &mut Random| -> [f64; 3] {
        let (x, y) = (random.share(), random.share());
        match random.below(4) {
            0 => [1.0, 0.0, 0.0],
            1 => [x, 1.0 - x, 0.0],
            _ => [x * y, x * (1.0 - y), 1.0 - x],
        }
    };
    let on = |t: [V; 3], s: [f64; 3], pose: &Pose<T>| {
        let local = (0..3).fold([0.0; 3], |p, i| plus(p, times(t[i], s[i])));
        support::placed_corners::Place::of(pose).moved(local)
    };
    let (p, q) = (on(a, share(random), &pose_a), on(b, share(random), &turn));
    let hair = times(random.direction(), size * random.decade(-18.0, -3.0) * random.sign());
    let shift = plus(minus(p, q), if random.chance(0.2) { [0.0; 3] } else { hair });
    let mut pose_b = turn;
    pose_b.translation.vector += nalgebra::Vector3::from(shift.map(T::nearest));
    compare(a, b, [&pose_a, &pose_b], tally);
}

/// Checks small integer coordinates with one pose on both sides, where coincidences are common.
fn on_a_lattice<T: Scalar>(random: &mut Random, tally: &mut Tally) {
    let count = 2 + random.below(3);
    let corner = |random: &mut Random| -> V { std::array::from_fn(|_| random.below(count) as f64) };
    let [a, b]: [[V; 3]; 2] = std::array::from_fn(|_| std::array::from_fn(|_| corner(random)));
    let pose = match random.below(3) {
        0 => upright([0.0; 3]),
        1 => upright([3.0, -1.0, 7.0]),
        _ => turned::<T>(random, [0.25, 1.0, -0.5]),
    };
    let scale = [1.0, 0.5, 1024.0][random.below(3)];
    let scaled = |t: [V; 3]| t.map(|p| times(p, scale));
    compare(scaled(a), scaled(b), [&pose, &pose], tally);
}

/// Tests triangles in one plane at random: apart, overlapping, one inside the other.
fn in_one_plane<T: Scalar>(random: &mut Random, tally: &mut Tally) {
    // Integer multiples of two integer vectors stay exactly in their plane.
    let whole =
        |random: &mut Random| -> V { std::array::from_fn(|_| random.below(7) as f64 - 3.0) };
    let (u, v, at) = (whole(random), whole(random), whole(random));
    let point = |random: &mut Random| -> V {
        let (s, t) = (random.below(9) as f64, random.below(9) as f64);
        plus(at, plus(times(u, s), times(v, t)))
    };
    let [a, mut b]: [[V; 3]; 2] = std::array::from_fn(|_| std::array::from_fn(|_| point(random)));
    if random.chance(0.3) {
        // A hair off the plane.
        let normal = outer(u, v);
        b = b.map(|p| plus(p, times(normal, [1e-12, -1e-7, 1e-15][random.below(3)])));
    }
    let pose = if random.chance(0.5) { upright(at) } else { turned::<T>(random, at) };
    compare(a, b, [&pose, &pose], tally);
}

fn triangles<T: Scalar>() {
    let mut random = Random(201);
    type Regime<T> = fn(&mut Random, &mut Tally) -> T;
    let regimes: [(&str, Regime<()>); 3] = [
        ("brought close", brought_close::<T>),
        ("on a lattice", on_a_lattice::<T>),
        ("in one plane", in_one_plane::<T>),
    ];
    for (name, regime) in regimes {
        let mut tally = Tally::default();
        (0..support::proof::cases(15_000)).for_each(|_| regime(&mut random, &mut tally));
        println!("{name}: {tally:?}");
        assert!(tally.touching > tally.pairs / 10 && tally.touching < tally.pairs * 9 / 10);
    }
}

/// Boxes and triangles whose corners coincide, lie on faces, or miss by a hair.
fn boxes<T: Scalar>() {
    let mut random = Random(202);
    let (mut touching, mut pairs) = (0, 0);
    for round in 0..400 {
        let half = |random: &mut Random| -> V { std::array::from_fn(|_| random.below(3) as f64) };
        let solid = |random: &mut Random, turn: bool| -> Obb<T> {
            let frame = if turn { random.rotation() } else { random.quarter() };
            let at: V = std::array::from_fn(|_| random.below(5) as f64 - 2.0);
            support::random_parts::solid(at, &frame, half(random))
        };
        let turn = random.chance(0.3);
        let a = solid(&mut random, turn);
        let pose =
            if round % 2 == 0 { upright([1.0; 3]) } else { turned::<T>(&mut random, [1.0; 3]) };
        let mut other = pose;
        let hair = [0.0, 1e-15, -1e-15, 1e-7, -1e-7][random.below(5)];
        other.translation.vector.x += T::nearest(hair);
        let second: Geometry<T> = if round % 4 == 0 {
            Geometry::Boxes(vec![solid(&mut random, turn)])
        } else {
            let corner =
                |random: &mut Random| std::array::from_fn(|_| random.below(7) as f64 - 3.0);
            support::random_parts::mesh(&[std::array::from_fn(|_| corner(&mut random))])
        };
        let first = Geometry::Boxes(vec![a]);
        let bodies = [&first, &second].map(support::exact_parts_by_hulls::Body::of);
        let placed = Placed::of(&pose, &other);
        let expected = !support::exact_parts_by_hulls::touching_primitives(
            &placed, &bodies[0], &bodies[1], true,
        )
        .is_empty();
        let [x, y] = [first, second].map(|g| ObbTree::build(g, &Build::fast()).expect("a tree"));
        let pair = TreePair::new(&x, &pose, &y, &other).expect("sound poses");
        assert_eq!(pair.primitives_touch(0, 0), expected, "round {round}");
        let swapped = TreePair::new(&y, &other, &x, &pose).expect("sound poses");
        assert_eq!(swapped.primitives_touch(0, 0), expected, "round {round}");
        (touching, pairs) = (touching + usize::from(expected), pairs + 1);
    }
    println!("{touching} of {pairs} touch");
    assert!(touching > pairs / 5 && touching < pairs * 4 / 5);
}

scalars! {
    triangles_are_right => triangles();
    boxes_are_right => boxes();
}
