//! The exact oracle itself, on cases with known answers.

use boxwood::f64::{Geometry, Mesh, Obb, Pose};

use support::exact_hulls::touch;
use support::exact_parts_by_hulls::Body;
use support::placed_corners::{Corner, Placed};
use support::prelude::*;
use support::random_parts::mesh;

fn triangle(corners: [V; 3]) -> [Corner; 3] {
    corners.map(Corner::Point)
}

fn still() -> Placed {
    Placed::of::<f64>(&upright([0.0; 3]), &upright([0.0; 3]))
}

const FLAT: [V; 3] = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];

#[test]
fn triangles_with_plain_answers() {
    let cases: [([V; 3], bool); 12] = [
        ([[1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [2.0, 1.0, 1.0]], true),
        ([[3.0, 3.0, -1.0], [3.0, 3.0, 1.0], [4.0, 3.0, 1.0]], false),
        ([[4.0, 0.0, 0.0], [5.0, 0.0, 1.0], [5.0, 1.0, 0.0]], true),
        ([[2.0, 2.0, 0.0], [3.0, 3.0, 0.0], [3.0, 2.0, 5.0]], true),
        ([[2.0, 2.0, 1e-300], [3.0, 3.0, 1.0], [3.0, 2.0, 5.0]], false),
        ([[1.0, 1.0, 0.0], [1.5, 1.0, 0.0], [1.0, 1.5, 0.0]], true),
        ([[-9.0, -9.0, 0.0], [30.0, -9.0, 0.0], [-9.0, 30.0, 0.0]], true),
        ([[5.0, 5.0, 0.0], [6.0, 5.0, 0.0], [5.0, 6.0, 0.0]], false),
        ([[1.0, 1.0, 0.0]; 3], true),
        ([[1.0, 1.0, 1e-9]; 3], false),
        ([[1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 0.5]], true),
        ([[5.0, -1.0, 0.0], [5.0, 1.0, 0.0], [5.0, 0.5, 0.0]], false),
    ];
    for (other, expected) in cases {
        assert_eq!(touch(&still(), &triangle(FLAT), &triangle(other)), expected, "{other:?}");
        assert_eq!(touch(&still(), &triangle(other), &triangle(FLAT)), expected, "{other:?}");
    }
}

#[test]
fn the_same_rotation_on_both_sides_changes_nothing() {
    let mut random = Random(5);
    let (mut yes, mut count) = (0, 0);
    for _ in 0..cases(3_000) {
        let corner = |random: &mut Random| -> V { std::array::from_fn(|_| random.below(3) as f64) };
        let [a, b]: [[V; 3]; 2] =
            std::array::from_fn(|_| std::array::from_fn(|_| corner(&mut random)));
        let turned: Pose = support::random_parts::turned(&mut random, [0.1, -7.0, 3.0]);
        let placed = Placed::of(&turned, &turned);
        let expected = touch(&still(), &triangle(a), &triangle(b));
        assert_eq!(touch(&placed, &triangle(a), &triangle(b)), expected, "{a:?} {b:?}");
        (yes, count) = (yes + usize::from(expected), count + 1);
    }
    assert!(yes > count / 4 && yes < count * 3 / 4, "{yes} of {count}");
}

fn cube(half: f64, at: f64) -> Vec<[V; 3]> {
    let corner = |i: usize| -> V {
        std::array::from_fn(|k| at + if i >> k & 1 == 1 { half } else { -half })
    };
    let quads =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let halves = quads.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]);
    halves.map(|t| t.map(corner)).collect()
}

fn solid(triangles: &[[V; 3]]) -> Body {
    let Geometry::Surface(soup) = mesh::<f64>(triangles) else { panic!("a mesh") };
    let soup: Mesh = soup;
    Body::of(&Geometry::Solid(soup))
}

#[test]
fn points_inside_and_outside() {
    let hollow: Vec<[V; 3]> = cube(1.0, 0.0)
        .into_iter()
        .chain(cube(0.5, 0.0).into_iter().map(|[a, b, c]| [a, c, b]))
        .collect();
    let double: Vec<[V; 3]> = cube(1.0, 0.0).into_iter().chain(cube(1.0, 0.25)).collect();
    let winding = |body: &Body, p: V| support::exact_parts_by_hulls::winding(&still(), body, p);
    assert_eq!(winding(&solid(&cube(1.0, 0.0)), [0.0; 3]), 1);
    assert_eq!(winding(&solid(&cube(1.0, 0.0)), [0.0, 0.0, 1.0 + 1e-15]), 0);
    assert_eq!(winding(&solid(&cube(1.0, 0.0)), [0.0, 0.0, 1.0 - 1e-15]), 1);
    assert_eq!(winding(&solid(&hollow), [0.0; 3]), 0);
    assert_eq!(winding(&solid(&hollow), [0.75, 0.0, 0.0]), 1);
    assert_eq!(winding(&solid(&double), [0.5, 0.5, 0.5]), 2);
    assert_eq!(winding(&solid(&double), [1.1, 1.1, 1.1]), 1);
}

#[test]
fn boxes_and_triangles() {
    let half = Vector3::new(1.0, 1.0, 1.0);
    let block = Obb::new(Point3::origin(), Matrix3::identity(), half).expect("a box");
    let boxes = Body::of(&Geometry::Boxes(vec![block]));
    let tiny =
        Body::of(&mesh::<f64>(&[[[0.125, 0.0, 0.0], [0.25, 0.0, 0.0], [0.125, 0.125, 0.0]]]));
    for (x, expected) in
        [(0.0, true), (0.875, true), (0.875 + 1e-15, false), (-1.25, true), (-1.25 - 1e-15, false)]
    {
        let placed = Placed::of::<f64>(&upright([0.0; 3]), &upright([x, 0.0, 0.0]));
        assert_eq!(support::exact_parts_by_hulls::touch(&placed, &boxes, &tiny), expected, "{x}");
    }
    for (x, expected) in [(2.0, true), (2.0 + 1e-15, false), (0.0, true)] {
        let placed = Placed::of::<f64>(&upright([0.0; 3]), &upright([x, 0.5, 0.0]));
        assert_eq!(support::exact_parts_by_hulls::touch(&placed, &boxes, &boxes), expected, "{x}");
    }
}
