//! The second exact oracle itself: known cases, a lattice by brute force, the first oracle, and
//! parry3d.

use boxwood::f64::{Geometry, Pose};

use support::closed_meshes::{cube, shell, solid, sphere, torus};
use support::exact_parts::{ExactPair, Part, touch};
use support::exact_parts_by_hulls;
use support::parry::Peer;
use support::placed_corners::Placed;
use support::prelude::*;
use support::random_parts::mesh;
use support::triangle_distance::{Triangle, triangle_triangle};

fn at_home() -> Pose {
    upright([0.0; 3])
}

fn share_a_point(a: Triangle, b: Triangle, pose: &Pose) -> bool {
    touch((&mesh::<f64>(&[a]), pose), (&mesh(&[b]), pose))
}

/// Decides triangles on a small lattice, which are apart by far more than rounding if at all.
#[test]
fn lattice_triangles_by_brute_force() {
    let mut random = Random(301);
    let (mut touching, mut count) = (0, 0);
    for round in 0..cases(40_000) {
        let side = 2 + random.below(3);
        let corner =
            |random: &mut Random| -> V { std::array::from_fn(|_| random.below(side) as f64 - 1.0) };
        let [a, b]: [Triangle; 2] =
            std::array::from_fn(|_| std::array::from_fn(|_| corner(&mut random)));
        let expected = triangle_triangle(a, b) < 1e-9;
        let pose = match round % 2 {
            0 => at_home(),
            _ => turned(&mut random, [1e3, -7.0, 0.1]),
        };
        assert_eq!(share_a_point(a, b, &pose), expected, "{a:?} {b:?} {pose:?}");
        (touching, count) = (touching + usize::from(expected), count + 1);
    }
    println!("{touching} of {count} lattice pairs touch");
    assert!(touching > count / 4 && touching < count * 3 / 4);
}

/// Checks a triangle and a copy moved up by an ulp, edge by edge and corner by corner.
#[test]
fn one_unit_in_the_last_place_decides() {
    let flat = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
    let above = |z: f64| [[1.0, 1.0, z], [1.0, 1.5, 3.0], [0.5, 1.0, 2.0]];
    let beyond = |x: f64| [[x, 4.0 - x, 0.0], [5.0, 5.0, 0.0], [5.0, 6.0, 1.0]];
    for (other, expected) in [
        (above(0.0), true),
        (above(f64::MIN_POSITIVE), false),
        (above(-f64::MIN_POSITIVE), true),
        (beyond(1.0), true),
        (beyond(1.0).map(|[x, y, z]| [x, y.next_up(), z]), false),
        (beyond(1.0).map(|[x, y, z]| [x, y.next_down(), z]), true),
        ([[2.0, 2.0, 0.0]; 3], true),
        ([[2.0f64.next_up(), 2.0, 0.0]; 3], false),
    ] {
        assert_eq!(share_a_point(flat, other, &at_home()), expected, "{other:?}");
        assert_eq!(share_a_point(other, flat, &at_home()), expected, "{other:?}");
    }
}

/// Checks that a rotation of frame and geometry together keeps the answer: the rotations cancel in
/// exact integer arithmetic only.
#[test]
fn solids_flush_under_a_turn() {
    let mut random = Random(302);
    let block = |low: V, high: V| Geometry::Boxes(vec![upright_solid(low, high)]);
    let (a, b) = (block([0.0; 3], [1.0; 3]), block([1.0, 0.5, 0.25], [2.0; 3]));
    let off = block([1.0 + 1.0 / 4096.0, 0.5, 0.25], [2.0; 3]);
    let tip = mesh(&[[[1.0, 0.5, 0.5], [2.0, 0.0, 0.0], [2.0, 1.0, 0.0]]]);
    let within = mesh(&[[[0.5, 0.5, 0.5], [0.75, 0.5, 0.5], [0.5, 0.5, 0.75]]]);
    for _ in 0..300 {
        let pose: Pose = turned(&mut random, [3.0, 1e5, -1e-3]);
        for (other, expected) in [(&b, true), (&off, false), (&tip, true), (&within, true)] {
            assert_eq!(touch((&a, &pose), (other, &pose)), expected);
            assert_eq!(touch((other, &pose), (&a, &pose)), expected);
        }
        assert!(!touch((&off, &pose), (&within, &pose)));
    }
}

/// Compares two exact oracles on nearly touching parts.
fn two_oracles<T: Scalar>() {
    let mut random = Random(303);
    let (mut touching, mut pairs, mut count) = (0, 0, 0);
    for round in 0..160 {
        let (a, b) =
            (random_part::<T>(&mut random, round), random_part::<T>(&mut random, round / 4));
        let (part_a, part_b) = (Part::of(&a), Part::of(&b));
        let (body_a, body_b) =
            (exact_parts_by_hulls::Body::of(&a), exact_parts_by_hulls::Body::of(&b));
        let (pose_a, turn) =
            (turned::<T>(&mut random, [2.0, 1.0, 0.0]), turned(&mut random, [0.0; 3]));
        let direction = random.direction();
        for share in [0.0, 0.5, 0.9, 1.2, 1.6] {
            let mut pose_b = turn;
            pose_b.translation.vector = vector(plus([2.0, 1.0, 0.0], times(direction, share)));
            let placed = Placed::of(&pose_a, &pose_b);
            let mut expected =
                exact_parts_by_hulls::touching_primitives(&placed, &body_a, &body_b, false);
            expected.sort_unstable();
            let exact_pair = ExactPair::new(&part_a, &pose_a, &part_b, &pose_b);
            assert_eq!(exact_pair.pairs(usize::MAX), expected, "round {round} at {share}");
            assert_eq!(exact_pair.touch(), exact_parts_by_hulls::touch(&placed, &body_a, &body_b));
            (touching, count) = (touching + usize::from(exact_pair.touch()), count + 1);
            pairs += expected.len();
        }
    }
    println!("{touching} of {count} parts, {pairs} pairs of primitives touch");
    assert!(touching > 100 && touching < count && pairs > 1_000);
}

/// Compares with another library's distance, where it is far from rounding.
#[test]
fn parry_agrees_far_from_touching() {
    let mut random = Random(304);
    let mut counts = [0; 3];
    for _ in 0..cases(20_000) {
        let corner =
            |random: &mut Random| -> V { std::array::from_fn(|_| random.between(-1.0, 1.0)) };
        let [a, b]: [Triangle; 2] =
            std::array::from_fn(|_| std::array::from_fn(|_| corner(&mut random)));
        let distance = Peer::triangle(a).distance(&Peer::triangle(b));
        let touching = share_a_point(a, b, &at_home());
        match distance {
            0.0 => assert!(touching || triangle_triangle(a, b) < 1e-6, "{a:?} {b:?}"),
            d if d > 1e-6 => assert!(!touching, "{d:e} {a:?} {b:?}"),
            _ => {}
        }
        counts[if distance > 1e-6 { 0 } else { 1 + usize::from(distance > 0.0) }] += 1;
    }
    println!("apart, touching, close: {counts:?}");
    assert!(20 * counts[0] > cases(20_000) && 20 * counts[1] > cases(20_000));
}

#[test]
fn inside_of_closed_meshes() {
    let ball = |radius: f64| -> Geometry { solid(sphere(radius, 12)) };
    let (small, hollow) = (solid(cube([0.1; 3])), solid(shell(1.0, 0.5)));
    let ring: Geometry = solid(torus(1.0, 0.25, 16, 8));
    let at = |x: f64, y: f64, z: f64| upright::<f64>([x, y, z]);
    for (outer, pose, expected) in [
        (&ball(1.0), at(0.0, 0.0, 0.0), true),
        (&ball(1.0), at(0.5, 0.0, 0.0), true),
        (&ball(1.0), at(1.5, 0.0, 0.0), false),
        (&hollow, at(0.0, 0.0, 0.0), false),
        (&hollow, at(0.75, 0.0, 0.0), true),
        (&ring, at(0.0, 0.0, 0.0), false),
        (&ring, at(1.0, 0.0, 0.0), true),
    ] {
        assert_eq!(touch((outer, &at_home()), (&small, &pose)), expected, "{pose:?}");
        assert_eq!(touch((&small, &pose), (outer, &at_home())), expected, "{pose:?}");
        let skin = match outer {
            Geometry::Solid(mesh) => Geometry::Surface(mesh.clone()),
            _ => panic!("a mesh"),
        };
        assert!(!touch((&skin, &at_home()), (&small, &pose)), "{pose:?}");
    }
}

scalars! {
    two_oracles_agree => two_oracles();
}
