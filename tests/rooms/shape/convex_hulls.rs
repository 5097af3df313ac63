//! Convex hulls of thousands of corners: closed and convex in exact arithmetic.

use std::collections::HashMap;

use boxwood::Error;
use boxwood::f64::ConvexHull;

use support::prelude::*;

/// Draws points near a sphere, on a lattice: some lie in the plane of others.
fn lattice_points(count: usize) -> Vec<Point3<f64>> {
    let mut random = Random(7);
    let mut point = || Point3::from(random.direction().map(|x| (2000.0 * x).round()));
    (0..count).map(|_| point()).collect()
}

/// Computes six times the volume of a tetrahedron, exactly; positive if the last corner is above
/// the others.
fn volume(corners: [Point3<f64>; 4]) -> i64 {
    let [a, b, c, p] = corners.map(|corner| [corner.x, corner.y, corner.z].map(|x| x as i64));
    let [x, y, z] = [b, c, p].map(|to| [0, 1, 2].map(|i| to[i] - a[i]));
    let cross = |i: usize, j: usize| x[i] * y[j] - x[j] * y[i];
    cross(1, 2) * z[0] + cross(2, 0) * z[1] + cross(0, 1) * z[2]
}

#[test]
fn hulls_of_many_corners_are_closed_and_convex() {
    let points = lattice_points(6000);
    let hull = ConvexHull::new(&points).expect("a hull");
    let (corners, triangles) = (hull.corners(), hull.triangles());
    assert!(corners.len() > 4096, "{}", corners.len());
    assert_eq!(triangles.len(), 2 * corners.len() - 4);
    // Each edge has a face on either side, and neither is behind the other's plane.
    let mut opposite = HashMap::new();
    for &[a, b, c] in triangles {
        for [a, b, c] in [[a, b, c], [b, c, a], [c, a, b]] {
            assert!(opposite.insert((a, b), c).is_none(), "edge {a} {b} has two faces");
        }
    }
    let at = |index: u32| corners[index as usize];
    for (&(a, b), &c) in &opposite {
        let beyond = opposite[&(b, a)];
        assert!(volume([a, b, c, beyond].map(at)) <= 0, "edge {a} {b} is not convex");
    }
    // Corners are given points in the same order; the omitted points are inside.
    let mut given = points.iter();
    assert!(corners.iter().all(|corner| given.any(|point| point == corner)));
    assert!(points.iter().step_by(50).all(|&point| hull.contains(point)));
    assert!(points.iter().step_by(50).all(|&point| !hull.contains(point * 1.01)));
}

/// Checks support points against all corners, also across faces and edges, where corners tie.
#[test]
fn support_points_are_the_first_of_the_farthest_corners() {
    let mut random = Random(8);
    for count in [8, 31, 40, 200, 3000] {
        let hull = ConvexHull::new(&lattice_points(count)).expect("a hull");
        let corner = |index: u32| hull.corners()[index as usize];
        let across = hull.triangles().iter().map(|&[a, b, c]| {
            let [a, b, c] = [a, b, c].map(corner);
            (b - a).cross(&(c - a))
        });
        let axes = [Vector3::x(), -Vector3::y(), Vector3::zeros(), 1e-150 * Vector3::z()];
        let mut random_ways = (0..500).map(|_| Vector3::from(random.direction()));
        for way in across.take(500).chain(axes).chain(&mut random_ways) {
            let along = |p: &Point3<f64>| p.x * way.x + p.y * way.y + p.z * way.z;
            let farther =
                |a: Point3<f64>, b: &Point3<f64>| if along(b) > along(&a) { *b } else { a };
            let expected = hull.corners().iter().fold(hull.corners()[0], farther);
            assert_eq!(hull.support(way), expected, "{count} points, {way:?}");
        }
    }
}

#[test]
fn the_limit_applies_to_the_given_points() {
    let most = ConvexHull::MAX_POINTS;
    let cube = |index: usize| Point3::from([0, 1, 2].map(|axis| (index >> axis & 1) as f64));
    let points: Vec<_> = (0..=most).map(cube).collect();
    let hull = ConvexHull::new(&points[..most]).expect("a cube");
    assert_eq!((hull.corners().len(), hull.volume()), (8, 1.0));
    let refused = Error::WrongCount { field: "points of a hull", expected: most, found: most + 1 };
    assert_eq!(ConvexHull::new(&points), Err(refused));
}
