//! Invalid planar shapes and poses are refused, with the reason.

use boxwood::Error;
use boxwood::f64::{Aabb2, Obb2, Polygon2};
use boxwood::pair::Sweep;
use boxwood::shape::Sphere;
use nalgebra::{Point2, Vector2};

fn polygon(corners: &[[f64; 2]]) -> Result<Polygon2, Error> {
    Polygon2::new(corners.iter().map(|&c| c.into()).collect())
}

#[test]
fn corners_must_go_once_round_something_convex() {
    let refused = |corners: &[[f64; 2]]| {
        let found = polygon(corners);
        assert!(matches!(found, Err(Error::NotConvex { .. })), "{found:?}");
    };
    // A dent; a corner twice; there and back; a line; a star; a square twice round.
    refused(&[[0., 0.], [4., 0.], [1., 1.], [0., 4.]]);
    refused(&[[0., 0.], [4., 0.], [4., 0.], [0., 4.]]);
    refused(&[[0., 0.], [4., 0.], [2., 0.], [0., 4.]]);
    refused(&[[0., 0.], [1., 0.], [2., 0.]]);
    refused(&[[0., 3.], [2., -3.], [-3., 1.], [3., 1.], [-2., -3.]]);
    let square = [[0., 0.], [1., 0.], [1., 1.], [0., 1.]];
    refused(&[square, square].concat());
    // One bit out of line, in and out.
    let bit = f64::EPSILON;
    refused(&[[0., 0.], [1., bit / 2.], [2., 0.], [1., 1.]]);
    assert!(polygon(&[[0., 0.], [1., 0.0 - bit / 2.], [2., 0.], [1., 1.]]).is_ok());
    assert!(polygon(&[[0., 0.], [1., 0.], [2., 0.], [1., 1.]]).is_ok());
    let few = polygon(&[[0., 0.], [1., 0.]]);
    assert_eq!(few, Err(Error::WrongCount { field: "corners", expected: 3, found: 2 }));
    let nan = polygon(&[[0., 0.], [1., f64::NAN], [0., 1.]]);
    assert_eq!(nan, Err(Error::NotFinite { field: "corner", index: 1 }));
}

#[test]
fn clockwise_corners_are_turned() {
    let corners = [[0., 0.], [0., 1.], [2., 1.], [2., 0.]];
    let made = polygon(&corners).expect("a rectangle");
    let turned: Vec<[f64; 2]> = made.corners().iter().map(|c| [c.x, c.y]).collect();
    assert_eq!(turned, [[2., 0.], [2., 1.], [0., 1.], [0., 0.]]);
    assert_eq!((made.area(), made.center()), (2.0, Point2::new(1.0, 0.5)));
    assert_eq!(made.aabb(), Aabb2::new(Point2::origin(), Point2::new(2.0, 1.0)));
    assert!(made.contains(Point2::new(0.0, 0.3)) && !made.contains(Point2::new(-1e-300, 0.3)));
}

#[test]
fn boxes_need_a_unit_axis_and_half_extents() {
    let made =
        |axis: [f64; 2], half: [f64; 2]| Obb2::new(Point2::origin(), axis.into(), half.into());
    assert_eq!(
        made([1.0, 0.0], [1.0, -1.0]),
        Err(Error::Negative { field: "half extent", index: 1 })
    );
    assert!(matches!(made([1.0, 1.0], [1.0, 1.0]), Err(Error::NotUnit { .. })));
    assert!(matches!(made([f64::NAN, 1.0], [1.0, 1.0]), Err(Error::NotFinite { .. })));
    assert!(matches!(made([1.0, 0.0], [1e80, 1.0]), Err(Error::OutOfRange { .. })));
    let solid = made([0.6, 0.8], [2.0, 1.0]).expect("a box");
    assert_eq!((solid.area(), solid.diagonal()), (8.0, 20f64.sqrt()));
    assert!(solid.corners().iter().all(|&corner| solid.aabb().contains(corner)));
    assert!(solid.contains(Point2::new(1.19, 1.59)) && !solid.contains(Point2::new(1.21, 1.61)));
}

#[test]
fn empty_boxes_and_infinite_displacements_meet_nothing() {
    let disc = Sphere::new(Point2::origin(), 1.0).expect("a circle");
    let empty = Aabb2::empty();
    let endless = Aabb2::new(Point2::new(-1.0, -1.0), Point2::new(1.0, f64::INFINITY));
    let nan = Aabb2::new(Point2::new(-1.0, f64::NAN), Point2::new(1.0, 1.0));
    for none in [empty, endless, nan] {
        assert!(!disc.intersects(&none) && disc.contact(&none).is_none());
        assert_eq!(disc.sweep(Vector2::new(1.0, 0.0), &none), None);
        assert_eq!(none.sweep(Vector2::new(1.0, 0.0), &disc), None);
    }
    assert!(disc.intersects(&disc));
    for by in [f64::NAN, f64::INFINITY, 1e80] {
        assert_eq!(disc.sweep(Vector2::new(by, 0.0), &disc), None);
    }
}
