//! Cylinders, ellipsoids and convex hulls against planes and aligned boxes, including empty and
//! infinite ones.

use boxwood::pair::{
    ClosestPoints, ClosestPointsQuery, Contact, ContactQuery, ConvexShape, IntersectsQuery,
};
use boxwood::shape::{Aabb, ConvexHull, Cylinder, Ellipsoid, Obb, Plane};

use support::convex_bodies::{Body, BodyKind};
use support::prelude::*;

const KINDS: [BodyKind; 3] = [BodyKind::Cylinder, BodyKind::Ellipsoid, BodyKind::Hull];

/// Calls a function with the shape in its own type.
macro_rules! with_shape {
    ($body:expr, $shape:ident => $ask:expr) => {
        match $body.shape::<f64>() {
            ConvexShape::Cylinder($shape) => $ask,
            ConvexShape::Ellipsoid($shape) => $ask,
            ConvexShape::Hull($shape) => $ask,
            _ => unreachable!("another kind"),
        }
    };
}

#[test]
fn planes_touch_the_lowest_point_of_convex_shapes() {
    let mut touching = 0;
    for kind in KINDS {
        let mut random = Random(3 + kind as u64);
        for _ in 0..at_least(1_000, 200) {
            let body = Body::random(&mut random, kind, (1.0, 2.0));
            let n = random.direction();
            let normal = Unit::new_normalize(Vector3::from(n));
            let offset = inner(body.center, n) + random.between(-2.0, 2.0);
            let plane = Plane::new(normal, offset).expect("a plane");
            let least = -body.reach(times(n, -1.0)) - offset;
            with_shape!(body, shape => {
                let heights = plane.heights(&shape);
                assert!((heights.least - least).abs() < 1e-14, "{heights:?} {least}");
                assert!((heights.greatest - (body.reach(n) - offset)).abs() < 1e-14);
                assert_eq!(plane.intersects(&shape), heights.least <= 0.0);
                let contact = shape.contact(&plane);
                assert_eq!(contact, plane.contact(&shape).map(|contact| contact.reversed()));
                assert_eq!(contact.is_some(), shape.intersects(&plane));
                let closest = shape.closest_points(&plane);
                assert_eq!(closest.distance == 0.0, contact.is_some());
                match contact {
                    Some(contact) => {
                        touching += 1;
                        assert!((contact.depth + least).abs() < 1e-14);
                        assert!((contact.normal + *normal).norm() < 1e-14);
                        let deepest: V = contact.on_a().coords.into();
                        assert!(body.excess(deepest) < 1e-14);
                        assert!((inner(deepest, n) - offset - least).abs() < 1e-14);
                    }
                    None => assert!((closest.distance - least).abs() < 1e-14),
                }
            });
        }
    }
    assert!(touching > 200, "{touching}");
}

/// Asserts the same answers for an aligned box and the equal oriented one.
fn alike<K>(shape: &K, aligned: &Aabb<f64, 3>, oriented: &Obb<f64>) -> bool
where
    K: IntersectsQuery<Aabb<f64, 3>> + ClosestPointsQuery<Aabb<f64, 3>, Scalar = f64>,
    K: IntersectsQuery<Obb<f64>> + ClosestPointsQuery<Obb<f64>, Scalar = f64>,
    Aabb<f64, 3>: ClosestPointsQuery<K, Scalar = f64> + IntersectsQuery<K>,
    K: ContactQuery<Aabb<f64, 3>, Answer = Contact<f64>>,
    K: ContactQuery<Obb<f64>, Answer = Contact<f64>>,
    Aabb<f64, 3>: ContactQuery<K, Answer = Contact<f64>>,
{
    let one: ClosestPoints<f64> = ClosestPointsQuery::closest_points(shape, aligned);
    let other: ClosestPoints<f64> = ClosestPointsQuery::closest_points(shape, oriented);
    assert!((one.distance - other.distance).abs() < 1e-12, "{one:?} {other:?}");
    assert_eq!(aligned.closest_points(shape), one.reversed());
    let touch = IntersectsQuery::intersects(shape, aligned);
    assert_eq!(touch, IntersectsQuery::intersects(aligned, shape));
    assert_eq!(touch, one.distance == 0.0);
    let contact: Option<Contact<f64>> = ContactQuery::contact(shape, aligned);
    assert_eq!(contact.is_some(), touch);
    assert_eq!(ContactQuery::contact(aligned, shape), contact.map(|contact| contact.reversed()));
    let turned: Option<Contact<f64>> = ContactQuery::contact(shape, oriented);
    if let (Some(a), Some(b)) = (contact, turned) {
        assert!((a.depth - b.depth).abs() < 1e-9, "{a:?} {b:?}");
    }
    assert_eq!(aligned.closest_point(one.on_b).map(|p| (p - one.on_b).norm() < 1e-12), Some(true));
    touch
}

#[test]
fn aligned_boxes_equal_oriented_boxes_without_rotation() {
    let (mut touching, mut apart) = (0, 0);
    for kind in KINDS {
        let mut random = Random(13 + kind as u64);
        for _ in 0..at_least(1_000, 200) {
            let body = Body::random(&mut random, kind, (1.0, 1.0));
            let center: V = times(random.direction(), random.between(0.0, 2.0));
            let half: V = [0; 3].map(|_| random.decade(-2.0, 1.0));
            let [low, high] =
                [-1.0, 1.0].map(|sign| Point3::from([0, 1, 2].map(|i| center[i] + sign * half[i])));
            let aligned = Aabb::new(low, high);
            let oriented = Obb::new(Point3::from(center), Matrix3::identity(), half.into());
            let oriented = oriented.expect("a box");
            let touch = with_shape!(body, shape => alike(&shape, &aligned, &oriented));
            touching += usize::from(touch);
            apart += usize::from(!touch);
        }
    }
    assert!(touching > 100 && apart > 100, "{touching} {apart}");
}

#[test]
fn empty_boxes_touch_nothing_and_infinite_sides_are_ignored() {
    let (inf, up) = (f64::INFINITY, Vector3::<f64>::z_axis());
    let empty = Aabb::<f64, 3>::empty();
    let below = Aabb::new(Point3::new(-inf, -inf, -inf), Point3::new(inf, inf, 0.0));
    let drum = |z: f64| Cylinder::new(Point3::new(0.3, -2.0, z), up, 1.0, 0.5).expect("one");
    let radii = Vector3::new(0.5, 2.0, 1.0);
    let egg = |z: f64| {
        Ellipsoid::new(Point3::new(0.3, -2.0, z), Matrix3::identity(), radii).expect("one")
    };
    let hull = |z: f64| {
        let corner = |x: f64, y: f64, up: f64| Point3::new(x, y, z + up);
        let corners = [corner(0.0, 0.0, -1.0), corner(1.0, 0.0, 1.0), corner(0.0, 1.0, 1.0)];
        ConvexHull::new(&corners).expect("one")
    };
    assert!(!drum(0.0).intersects(&empty) && !egg(0.0).intersects(&empty));
    assert!(drum(0.0).contact(&empty).is_none());
    assert!(!hull(0.0).intersects(&empty) && drum(0.0).distance(&empty) == inf);
    for z in [1.0 + 1e-9, 2.0, 1e3] {
        for distance in
            [drum(z).distance(&below), below.distance(&egg(z)), hull(z).distance(&below)]
        {
            assert!((distance - (z - 1.0)).abs() < 1e-12 * z, "{distance} {z}");
        }
    }
    for z in [1.0, 0.5, -5.0, -1e3] {
        assert!(drum(z).intersects(&below) && below.intersects(&egg(z)));
        assert!(hull(z).intersects(&below) && hull(z).distance(&below) == 0.0);
        let contacts = [drum(z).contact(&below), egg(z).contact(&below), hull(z).contact(&below)];
        for contact in contacts.map(|contact| contact.expect("they touch")) {
            assert!((contact.depth - (1.0 - z)).abs() < 1e-11 * (1.0 + z.abs()), "{contact:?}");
            assert!((contact.normal + *up).norm() < 1e-5 || z == 1.0, "{contact:?}");
        }
    }
}
