//! Axis-aligned boxes: every operation, the worked examples of their sources, in space and in the
//! plane.

use boxwood::pair::contact;
use boxwood::shape::{Aabb, Obb};
use nalgebra::{Matrix2, Point, Point2, Vector2};

use support::each;
use support::pair::any_shape::Kind;
use support::pair::random_pairs;
use support::prelude::*;

fn solid<T: Scalar, const D: usize>(min: [f64; D], max: [f64; D]) -> Aabb<T, D> {
    Aabb::new(Point::from(min.map(T::nearest)), Point::from(max.map(T::nearest)))
}

#[test]
fn empty_is_neutral_and_stays_empty() {
    let empty = Aabb::<f32, 3>::empty();
    let cube = solid::<f32, 3>([-1.0; 3], [1.0; 3]);
    assert!(empty.is_empty() && !cube.is_empty());
    assert_eq!(Aabb::default(), empty);
    assert_eq!((empty.merged(&cube), cube.merged(&empty)), (cube, cube));
    assert!(!empty.intersects(&cube) && !cube.intersects(&empty) && !empty.intersects(&empty));
    assert_eq!((empty.intersection(&cube), empty.contact(&cube)), (None, None));
    assert_eq!((empty.volume(), empty.diagonal(), empty.center()), (0.0, 0.0, None));
    assert_eq!((empty.sizes(), empty.half_extents()), (Vector3::zeros(), Vector3::zeros()));
    assert!(!empty.contains(Point3::origin()));
    // Zero times infinity must not make it non-empty.
    for linear in [Matrix3::zeros(), Matrix3::identity(), -Matrix3::identity()] {
        assert_eq!(empty.transformed(&linear, &Vector3::new(1.0, 2.0, 3.0)), empty);
    }
    assert!(empty.grown(1e9).is_empty());
}

#[test]
fn adding_points_grows_no_more_than_needed() {
    let mut bounds = Aabb::<f64, 3>::empty();
    bounds.add(Point3::new(5.0, -2.0, 7.0));
    // The first point alone: the origin is not included.
    assert_eq!(bounds, solid([5.0, -2.0, 7.0], [5.0, -2.0, 7.0]));
    assert!(!bounds.is_empty() && bounds.volume() == 0.0);
    bounds.add(Point3::new(6.0, -3.0, 7.0));
    assert_eq!(bounds, solid([5.0, -3.0, 7.0], [6.0, -2.0, 7.0]));
    let both = [Point3::new(5.0, -2.0, 7.0), Point3::new(6.0, -3.0, 7.0)];
    assert_eq!(Aabb::from_points(both), bounds);
}

#[test]
fn sizes_volume_and_closed_containment() {
    let cube = solid::<f64, 3>([3.0; 3], [6.0; 3]);
    assert_eq!(cube.sizes(), Vector3::repeat(3.0));
    assert_eq!(cube.half_extents(), Vector3::repeat(1.5));
    assert_eq!((cube.volume(), cube.center()), (27.0, Some(Point3::new(4.5, 4.5, 4.5))));
    assert!((cube.diagonal() - 27f64.sqrt()).abs() < 1e-15);
    assert_eq!(cube.grown(0.5), solid([2.5; 3], [6.5; 3]));
    assert_eq!(cube.corners().len(), 8);
    for corner in cube.corners() {
        assert!(cube.contains(corner));
        assert!(corner.iter().all(|&x| x == 3.0 || x == 6.0));
    }
    for i in 0..3 {
        let mut outside = Point3::new(4.0, 4.0, 4.0);
        outside[i] = 6.0f64.next_up();
        assert!(!cube.contains(outside));
        outside[i] = 3.0f64.next_down();
        assert!(!cube.contains(outside));
    }
}

#[test]
fn nan_overlaps_nothing() {
    let cube = solid::<f64, 3>([-1.0; 3], [1.0; 3]);
    let broken = solid::<f64, 3>([f64::NAN, -1.0, -1.0], [1.0; 3]);
    assert!(!cube.intersects(&broken) && !broken.intersects(&cube));
    assert_eq!(cube.intersection(&broken), None);
    assert_eq!((cube.contact(&broken), broken.contact(&cube)), (None, None));
}

#[test]
fn the_example_of_the_source_touches_in_a_face() {
    let a = solid::<f32, 3>([4.0, 0.0, 1.0], [8.0, 4.0, 5.0]);
    let b = solid::<f32, 3>([0.0, 3.0, 0.0], [4.0, 7.0, 4.0]);
    let region = a.intersection(&b).expect("they touch");
    assert_eq!(region, solid([4.0, 3.0, 1.0], [4.0, 4.0, 4.0]));
    assert_eq!((region.volume(), region.is_empty()), (0.0, false));
    let found = a.contact(&b).expect("they touch");
    assert_eq!(found.point, Point3::new(4.0, 3.5, 2.5));
    assert_eq!((found.depth, found.normal), (0.0, Vector3::new(-1.0, 0.0, 0.0)));
    assert_eq!(found.slack, 0.0);
    assert_eq!(contact::region_center(&a, &b), Some(Point3::new(4.0, 3.5, 2.5)));
    assert!((a.diagonal() - 4.0 * 3f32.sqrt()).abs() < 1e-6);
}

#[test]
fn the_contact_point_is_nearer_the_smaller_box() {
    let (a, b) = (solid::<f64, 3>([0.0; 3], [2.0; 3]), solid::<f64, 3>([1.0; 3], [7.0; 3]));
    let found = a.contact(&b).expect("they overlap");
    assert!((found.point - Point3::new(1.75, 1.75, 1.75)).norm() < 1e-15, "{found:?}");
    assert_eq!((found.depth, a.intersection(&b)), (1.0, Some(solid([1.0; 3], [2.0; 3]))));
    assert_eq!(b.contact(&a), Some(found.reversed()));
    let obb = |s: &Aabb<f64, 3>| {
        Obb::new(s.center().expect("full"), Matrix3::identity(), s.half_extents()).expect("a box")
    };
    let turned = obb(&a).contact(&obb(&b)).expect("they overlap");
    assert!((turned.point - found.point).norm() < 1e-15);
    assert!((contact::diagonal_ratio(&obb(&a), &obb(&b)) - found.point).norm() < 1e-15);
}

#[test]
fn points_have_a_contact_at_their_middle() {
    let point = solid::<f64, 3>([1.0, 2.0, 3.0], [1.0, 2.0, 3.0]);
    let found = point.contact(&point).expect("a point touches itself");
    assert_eq!((found.point, found.depth), (Point3::new(1.0, 2.0, 3.0), 0.0));
    assert!((found.normal.norm() - 1.0).abs() < 1e-15);
}

#[test]
fn boxes_in_the_plane_agree() {
    let (a, b) = (solid::<f32, 2>([0.0, 0.0], [4.0, 2.0]), solid::<f32, 2>([3.0, 1.0], [7.0, 3.0]));
    assert_eq!(a.intersection(&b), Some(solid([3.0, 1.0], [4.0, 2.0])));
    assert_eq!((a.volume(), a.sizes()), (8.0, Vector2::new(4.0, 2.0)));
    let found = a.contact(&b).expect("they overlap");
    assert_eq!((found.point, found.depth), (Point2::new(3.5, 1.5), 1.0));
    assert_eq!(b.contact(&a), Some(found.reversed()));
    let touching = solid::<f32, 2>([4.0, 2.0], [5.0, 5.0]);
    assert_eq!(a.contact(&touching).map(|c| c.depth), Some(0.0));
    let apart = solid::<f32, 2>([4.0, 2.0f64.next_up() + 1e-6], [5.0, 5.0]);
    assert_eq!((a.intersects(&apart), a.contact(&apart)), (false, None));
    let mirrored = a.transformed(&Matrix2::new(-1.0, 0.0, 0.0, 2.0), &Vector2::new(0.0, 1.0));
    assert_eq!(mirrored, solid([-4.0, 1.0], [0.0, 5.0]));
}

/// Checks section 2 of the source: a cube scaled by half, turned a quarter about y, moved by one
/// along x.
#[test]
fn the_sources_affine_examples() {
    let cube = solid::<f64, 3>([-1.0; 3], [1.0; 3]);
    let turned = Matrix3::new(0.0, 0.0, 0.5, 0.0, 0.5, 0.0, -0.5, 0.0, 0.0);
    let moved = cube.transformed(&turned, &Vector3::new(1.0, 0.0, 0.0));
    assert_eq!((moved.min.x, moved.max.x), (0.5, 1.5));
    let other = cube.transformed(&(Matrix3::identity() * 0.5), &Vector3::new(-0.5, 0.0, 0.0));
    assert_eq!((other.min.x, other.max.x), (-1.0, 0.0));
}

/// Checks any affine map, with mirror and non-uniform scale, against the images of the corners.
#[test]
fn affine_maps_bound_their_corners_tightly() {
    let mut random = Random(3);
    for _ in 0..cases(2_000) {
        let mut vector = || Vector3::from_fn(|_, _| random.between(-3.0, 3.0));
        let bounds = Aabb::from_points([Point3::from(vector()), Point3::from(vector())]);
        let linear = Matrix3::from_columns(&[vector(), vector(), vector()]);
        let translation = vector();
        let image = bounds.transformed(&linear, &translation);
        let corners = bounds.corners().map(|c| Point3::from(linear * c.coords + translation));
        let expected = Aabb::from_points(corners);
        assert!(
            (image.min - expected.min).amax() < 1e-14 && (image.max - expected.max).amax() < 1e-14
        );
    }
    let half_space = solid::<f64, 3>([f64::NEG_INFINITY, -1.0, -1.0], [f64::INFINITY, 1.0, 1.0]);
    let flat = half_space
        .transformed(&Matrix3::from_diagonal(&Vector3::new(0.0, 1.0, -2.0)), &Vector3::zeros());
    assert_eq!(flat, solid([0.0, -1.0, -2.0], [0.0, 1.0, 2.0]));
}

/// Checks that normal and depth separate the boxes, that the overlap lies within the error, and
/// that swapping reverses.
#[test]
fn contacts_separate_aligned_boxes() {
    let mut random = Random(4);
    let mut found = 0;
    for _ in 0..cases(50_000) {
        let mut any = || {
            let low: [f64; 3] = std::array::from_fn(|_| random.below(9) as f64 / 4.0);
            solid::<f32, 3>(low, low.map(|x| x + random.below(9) as f64 / 4.0))
        };
        let (a, b) = (any(), any());
        assert_eq!(a.contact(&b).is_some(), a.intersects(&b));
        let Some(contact) = a.contact(&b) else { continue };
        if a != b {
            assert_eq!(b.contact(&a), Some(contact.reversed()), "{a:?} {b:?}");
        }
        let push = contact.normal * contact.depth;
        let moved = |sign: f32| Aabb::new(b.min + push * sign, b.max + push * sign);
        // Quarters are not rounded: separated by exactly the depth, they still touch; a hair
        // further, they do not.
        assert!(
            a.intersects(&moved(1.0)) && !a.intersects(&moved(1.0 + 1e-3)) || contact.depth == 0.0
        );
        assert_eq!(a.intersection(&moved(1.0)).map(|r| r.volume()), Some(0.0));
        let region = a.intersection(&b).expect("they touch");
        let away = |p: Point3<f32>| (p - contact.point).norm();
        assert!(region.corners().into_iter().all(|p| away(p) <= contact.point_error));
        found += 1;
    }
    assert!(6 * found > cases(50_000), "{found}");
}

#[test]
fn empty_boxes_intersect_nothing_and_unbounded_boxes_everything() {
    let nan = Aabb::new(Point3::new(0.0, f64::NAN, 0.0), Point3::new(1.0, 1.0, 1.0));
    let inside_out = Aabb::new(Point3::new(1.0, 1.0, 1.0), Point3::new(0.0, 2.0, 2.0));
    let all = Aabb::new(Point3::from([f64::NEG_INFINITY; 3]), Point3::from([f64::INFINITY; 3]));
    let half =
        Aabb::new(Point3::new(f64::NEG_INFINITY, -1.0, 10.0), Point3::from([f64::INFINITY; 3]));
    let mut random = Random(1);
    for kind in Kind::ALL {
        let plan = random_pairs::shape(kind, &mut random);
        let stored = plan.build::<f64>();
        for none in [Aabb::empty(), nan, inside_out] {
            let (met, distance) =
                each!(&stored, shape => (none.intersects(shape), shape.distance(&none)));
            assert!(!met && distance == f64::INFINITY, "{none:?} {distance}");
        }
        let (met, distance) =
            each!(&stored, shape => (all.intersects(shape), shape.distance(&all)));
        assert!(met && distance == 0.0, "{kind:?}");
        let top = plan.hull().iter().map(|p| p[2]).fold(f64::MIN, f64::max) + plan.round();
        let distance = each!(&stored, shape => half.distance(shape));
        assert!((distance - (10.0 - top)).abs() < 1e-12, "{kind:?} {distance}");
    }
}
