//! Flat convex polygons in space: accepted and refused corners, and the nearest point.

use boxwood::Error;
use boxwood::shape::{Polygon3, Triangle};

use support::prelude::*;
use support::random::apply;
use support::triangle_distance::point_triangle;

fn polygon(corners: &[V]) -> Result<Polygon3<f64>, Error> {
    Polygon3::new(corners.iter().map(|&c| Point3::from(c)).collect())
}

fn flat(corners: &[[f64; 2]]) -> Result<Polygon3<f64>, Error> {
    let corners: Vec<V> = corners.iter().map(|&[x, y]| [x, y, 0.5]).collect();
    polygon(&corners)
}

#[test]
fn corners_of_no_flat_convex_polygon_are_refused() {
    let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    assert!((flat(&square).expect("a square").area() - 1.0).abs() < 1e-15);
    let count = |found| Err(Error::WrongCount { field: "corners", expected: 3, found });
    assert_eq!(flat(&square[..2]), count(2));
    assert_eq!(flat(&[]), count(0));
    // A dent, a star, twice around, two corners in one place, a line, a point.
    let not_convex = |corners: &[[f64; 2]]| matches!(flat(corners), Err(Error::NotConvex { .. }));
    assert!(not_convex(&[[0.0, 0.0], [2.0, 0.0], [1.0, 0.5], [0.0, 2.0]]));
    let star: Vec<[f64; 2]> = (0..5)
        .map(|i| (i * 2) as f64 * std::f64::consts::TAU / 5.0)
        .map(|angle| [angle.cos(), angle.sin()])
        .collect();
    assert!(not_convex(&star));
    assert!(not_convex(&[square, square].concat()));
    assert!(not_convex(&[square[0], square[0], square[1], square[2]]));
    assert!(not_convex(&[[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]));
    assert!(not_convex(&[[1.0, 1.0]; 3]));
    // A corner in the middle of an edge is allowed.
    assert!(flat(&[[0.0, 0.0], [0.5, 0.0], [1.0, 0.0], [1.0, 1.0]]).is_ok());
    // A fold is not flat; a slight unevenness is.
    let folded =
        |height| polygon(&[[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, height], [0.0, 1.0, 0.0]]);
    assert!(matches!(folded(0.3), Err(Error::NotFlat { .. })));
    let uneven = folded(1e-5).expect("nearly flat").unevenness();
    assert!((1e-6..=1e-5).contains(&uneven), "{uneven:e}");
    let bad = polygon(&[[0.0; 3], [f64::NAN, 0.0, 0.0], [1.0, 1.0, 0.0]]);
    assert_eq!(bad, Err(Error::NotFinite { field: "corner", index: 1 }));
}

#[test]
fn rounded_corners_far_out_are_flat() {
    let mut random = Random(105);
    for _ in 0..cases(2_000) {
        let (axes, at) = (random.rotation(), times(random.direction(), random.decade(0.0, 4.0)));
        let corners = [[0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [4.0, 2.0, 0.0], [2.0, 3.0, 0.0]];
        let stored = corners.map(|c| plus(apply(&axes, c), at).map(|x| x as f32));
        let polygon = Polygon3::<f32>::new(stored.map(Point3::from).to_vec()).expect("flat");
        assert!(f64::from(polygon.unevenness()) <= 1e-6 * norm(at).max(1.0), "{polygon:?}");
    }
}

#[test]
fn the_nearest_point_of_a_polygon_is_that_of_its_triangles() {
    let mut random = Random(106);
    for _ in 0..cases(5_000) {
        let corners: [V; 3] = std::array::from_fn(|_| times(random.direction(), 2.0));
        let Ok(polygon) = polygon(&corners) else { continue };
        let p = times(random.direction(), 4.0);
        let found: V = polygon.closest_point(Point3::from(p)).coords.into();
        let least = point_triangle(p, corners);
        assert!(
            (norm(minus(found, p)) - least).abs() < 1e-12 && point_triangle(found, corners) < 1e-12
        );
        let [a, b, c] = corners.map(Point3::from);
        let normal = Triangle::new(a, b, c).expect("corners").normal().expect("an area");
        assert!((normal.into_inner() - polygon.normal().into_inner()).norm() < 1e-6);
    }
}
