//! Rays against cylinders, convex hulls and convex primitives: against closed forms of other
//! shapes, parry3d, and planes of faces.

use boxwood::pair::{ConvexShape, RayHit};
use boxwood::shape::Ray;

use support::convex_bodies::{Body, BodyKind};
use support::parry::Peer;
use support::prelude::*;

/// Draws a ray from outside, mostly at the body.
fn ray(random: &mut Random, body: &Body) -> Ray<f64> {
    let far = times(random.direction(), body.size() * random.between(0.0, 5.0));
    let from = plus(body.center, far);
    let (at, _) = body.surface(random);
    let aside = times(random.direction(), body.size() * random.decade(-6.0, 0.3));
    let along = minus(plus(at, aside), from);
    let direction = Unit::new_normalize(Vector3::from(along));
    Ray::new(Point3::from(from), direction).expect("a ray")
}

/// Proves a hit: its point is on the surface, and nothing before it is inside.
fn prove(body: &Body, ray: &Ray<f64>, hit: Option<&RayHit<f64>>, size: f64) {
    let at = |t: f64| -> V { ray.at(t).coords.into() };
    let (from, end) = (at(0.0), hit.map_or(12.0 * body.size(), |hit| hit.distance));
    let Some(hit) = hit else {
        for step in 0..=200 {
            let t = end * f64::from(step) / 200.0;
            assert!(body.excess(at(t)) > -1e-9 * size, "missed at {t} {body:?} {ray:?}");
        }
        return;
    };
    if hit.started_inside {
        assert!(hit.distance == 0.0 && body.excess(from) <= 1e-12 * size, "{hit:?}");
        return;
    }
    let point: V = hit.point.coords.into();
    assert!(body.excess(point).abs() <= 1e-7 * size, "{:e} {body:?}", body.excess(point));
    for step in 0..100 {
        let t = end * f64::from(step) / 100.0;
        assert!(body.excess(at(t)) > -1e-9 * size, "late at {t} of {end}");
    }
    let normal: V = hit.normal.into();
    assert!((norm(normal) - 1.0).abs() < 1e-12);
    assert!(inner(normal, ray.direction().into_inner().into()) < 0.0);
    // No point of the body is above the plane at the hit.
    assert!(body.reach(normal) - inner(normal, point) <= 1e-6 * size, "{body:?} {hit:?}");
}

#[test]
fn ray_hits_are_proved_by_surfaces_and_planes() {
    let (mut met, mut missed) = (0, 0);
    for kind in BodyKind::ALL {
        let mut random = Random(71 + kind as u64);
        for round in 0..at_least(400, 200) {
            let thin = [0.3, 1.0, 2.0][round % 3];
            let body = Body::random(&mut random, kind, (random_size(round), thin));
            let (shape, ray) = (body.shape::<f64>(), ray(&mut random, &body));
            let hit = ray.cast(&shape);
            if kind != BodyKind::Triangle {
                prove(&body, &ray, hit.as_ref(), 8.0 * body.size());
            }
            let other = match &shape {
                ConvexShape::Sphere(shape) => ray.cast(shape),
                ConvexShape::Capsule(shape) => ray.cast(shape),
                ConvexShape::Ellipsoid(shape) => ray.cast(shape),
                ConvexShape::Box(shape) => ray.cast(shape),
                ConvexShape::Triangle(shape) => ray.cast(shape),
                ConvexShape::Cylinder(shape) => ray.cast(shape),
                ConvexShape::Hull(shape) => ray.cast(shape),
                _ => unreachable!("a kind without rays"),
            };
            if let (Some(one), Some(other)) = (&hit, &other) {
                let along = |hit: &RayHit<f64>| hit.normal.dot(&ray.direction()).abs();
                // A grazing hit depends on the rounding of the surface.
                let room = 1e-9 * body.size() / along(one).max(along(other)).max(1e-4);
                let off = (one.distance - other.distance).abs();
                assert!(off <= room, "{off:e} {body:?} {one:?} {other:?}");
            }
            met += usize::from(hit.is_some());
            missed += usize::from(hit.is_none());
        }
    }
    assert!(met > missed && missed > 300, "{met} {missed}");
}

fn random_size(round: usize) -> f64 {
    [1.0, 1e-3, 1e4][round / 3 % 3]
}

#[test]
fn rays_at_cylinders_and_hulls_agree_with_parry() {
    let (mut same, mut other) = (0, 0);
    for kind in [BodyKind::Cylinder, BodyKind::Hull] {
        let mut random = Random(171 + kind as u64);
        for _ in 0..cases(500) {
            let body = Body::random(&mut random, kind, (1.0, 0.5));
            let ray = ray(&mut random, &body);
            let hit = match body.shape::<f64>() {
                ConvexShape::Cylinder(shape) => ray.cast(&shape),
                ConvexShape::Hull(shape) => ray.cast(&shape),
                _ => None,
            };
            let Some(peer) = Peer::body(&body) else { continue };
            let theirs = peer.cast(ray.origin().coords.into(), ray.direction().into_inner().into());
            match (hit, theirs) {
                (Some(hit), Some((theirs, _))) if (hit.distance - theirs).abs() < 1e-4 => same += 1,
                (None, None) => same += 1,
                _ => other += 1,
            }
        }
    }
    // Grazing rays, and cases where parry3d's search gives up.
    assert!(other * 50 < same, "{same} {other}");
}

#[test]
fn rays_hit_a_cylinder_on_its_lid_its_wall_and_from_inside() {
    let up = Vector3::<f64>::z_axis();
    let drum = boxwood::f64::Cylinder::new(Point3::origin(), up, 1.0, 0.5).expect("a cylinder");
    let toward = |from: [f64; 3], to: [f64; 3]| {
        Ray::through(Point3::from(from), Point3::from(to)).expect("points").expect("two of them")
    };
    let hit = toward([0.25, 0.0, 5.0], [0.25, 0.0, 0.0]).cast(&drum).expect("the lid");
    assert!((hit.distance - 4.0).abs() < 1e-12 && (hit.normal - *up).norm() < 1e-9);
    let hit = toward([-3.0, 0.0, 0.5], [0.0, 0.0, 0.5]).cast(&drum).expect("the wall");
    assert!((hit.distance - 2.5).abs() < 1e-12, "{hit:?}");
    assert!((hit.normal + Vector3::x()).norm() < 1e-6, "{hit:?}");
    let hit = toward([0.1, 0.1, 0.1], [9.0, 0.0, 0.0]).cast(&drum).expect("from inside");
    assert!(hit.started_inside && hit.distance == 0.0);
    assert!(toward([-3.0, 0.6, 0.5], [0.0, 0.6, 0.5]).cast(&drum).is_none());
    assert!(toward([3.0, 0.0, 0.5], [9.0, 0.0, 0.5]).cast(&drum).is_none());
    let turned = drum.transformed(&Isometry3::rotation(Vector3::x() * 1.0)).expect("a pose");
    assert!(toward([0.0, 0.0, 9.0], [0.0, 0.0, 0.0]).cast(&turned).is_some());
}
