//! Queries of two shapes do not allocate.

use boxwood::pair::{ClosestPointsQuery, ContactQuery, ConvexShape, IntersectsQuery};
use boxwood::shape::{Aabb, Dop14, Dop18, Frustum, Polygon3, Segment, SpaceDop8};

use support::convex_bodies::{Body, BodyKind};
use support::prelude::*;

/// Runs all queries of two shapes that have contacts; returns the number of touching pairs.
fn all<A, B>(a: &A, b: &B) -> usize
where
    A: IntersectsQuery<B> + ClosestPointsQuery<B, Scalar = f64> + ContactQuery<B>,
{
    let near = ClosestPointsQuery::distance(a, b) + a.closest_points(b).distance;
    assert!(!near.is_nan());
    usize::from(a.intersects(b) && a.contact(b).is_some())
}

/// Like [`all`], for two shapes without contacts.
fn apart<A, B>(a: &A, b: &B) -> usize
where
    A: IntersectsQuery<B> + ClosestPointsQuery<B, Scalar = f64>,
{
    usize::from(a.intersects(b) || a.closest_points(b).distance > 0.0)
}

macro_rules! every {
    ([$($other:expr),*], $ask:ident, $shape:expr) => { 0 $(+ $ask($shape, $other))* };
}

#[test]
fn queries_of_two_shapes_allocate_nothing() {
    let mut random = Random(71);
    let mut touching = 0;
    for round in 0..40 {
        let mut points = |count: usize| -> Vec<Point3<f64>> {
            let center = times(random.direction(), random.between(0.0, 1.0));
            let point = |random: &mut Random| plus(center, times(random.direction(), 0.7));
            (0..count).map(|_| Point3::from(point(&mut random))).collect()
        };
        let (eight, fourteen) = (SpaceDop8::from_points(points(5)), Dop14::from_points(points(5)));
        let (eighteen, aligned) = (Dop18::from_points(points(5)), Aabb::from_points(points(3)));
        let wall = Polygon3::new(points(3)).expect("a polygon");
        let line = Segment::new(points(1)[0], points(1)[0]).expect("a segment");
        let at = |p: Point3<f64>| Isometry3::new(p.coords, Vector3::new(0.3, 0.2, 0.1));
        let seen = Frustum::of_eye(&at(points(1)[0]), [0.5, 0.7], [0.1, 2.0]).expect("a frustum");
        let kind = BodyKind::ALL[round % BodyKind::ALL.len()];
        let body = Body::random(&mut random, kind, (1.0, 2.0));
        let away: V = times(body.center, -1.0);
        let shape = body.moved(away).shape::<f64>();
        let counted = allocation_counter::measure(|| {
            touching += every!([&eighteen, &eight, &wall, &seen, &aligned], all, &fourteen);
            touching += every!([&eight, &wall, &seen, &aligned], all, &eighteen);
            touching += every!([&wall, &seen, &aligned], all, &eight);
            touching += every!([&seen, &aligned], all, &wall) + all(&seen, &aligned);
            touching += every!([&fourteen, &eighteen, &eight, &wall, &seen], apart, &line);
            macro_rules! with {
                ($own:expr) => {
                    every!([&fourteen, &eighteen, &eight, &seen, &aligned], all, $own)
                };
            }
            touching += match &shape {
                ConvexShape::Sphere(own) => with!(own) + all(own, &wall),
                ConvexShape::Capsule(own) => with!(own) + all(own, &wall),
                ConvexShape::Cylinder(own) => with!(own) + all(own, &wall),
                ConvexShape::Ellipsoid(own) => with!(own) + all(own, &wall),
                ConvexShape::Box(own) => {
                    all(own, &fourteen) + all(own, &eight) + all(own, &seen) + all(own, &wall)
                }
                ConvexShape::Hull(own) => with!(own) + all(own, &wall),
                ConvexShape::Triangle(own) => {
                    all(own, &fourteen) + all(own, &eight) + all(own, &seen) + apart(own, &wall)
                }
                _ => unreachable!("another kind"),
            };
        });
        assert_eq!(counted.count_total, 0, "round {round}");
    }
    assert!(touching > 200, "{touching}");
}
