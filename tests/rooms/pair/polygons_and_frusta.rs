//! Polygons and frusta against every other kind and each other: placed at a known distance,
//! contacts that separate them, and closest points with proofs.

use boxwood::pair::ConvexShape;
use boxwood::shape::{Aabb, ConvexHull, Frustum, Obb, Plane, Polygon3, Segment};

use support::both_ways::{asked, touching};
use support::convex_bodies::{Body, BodyKind};
use support::polytopes::{Polytope, prove_as_set, prove_by, prove_contact};
use support::prelude::*;
use support::random::apply;

/// Draws the outline of an ellipse, sometimes thin.
fn outline(random: &mut Random) -> Vec<V> {
    let (axes, count) = (random.rotation(), 3 + random.below(6));
    let center = times(random.direction(), random.between(0.0, 2.0));
    let radii = [random.decade(-1.0, 0.5), random.decade(-2.0, 0.5)];
    let corner = |k: usize| {
        let turn = std::f64::consts::TAU * (k as f64 + 0.3) / count as f64;
        apply(&axes, [radii[0] * turn.cos(), radii[1] * turn.sin(), 0.0])
    };
    (0..count).map(|k| plus(center, corner(k))).collect()
}

fn polygon<T: Scalar>(corners: &[V]) -> Polygon3<T> {
    let corners = corners.iter().map(|p| Point3::from(p.map(T::nearest)));
    Polygon3::new(corners.collect()).expect("a polygon")
}

fn frustum(random: &mut Random) -> Frustum<f64> {
    let eye = Isometry3::new(
        Vector3::from(times(random.direction(), 2.0)),
        Vector3::from(times(random.direction(), random.between(0.0, 3.0))),
    );
    let near = random.decade(-1.0, 0.0);
    let tangents = [random.decade(-1.0, 0.3), random.decade(-1.0, 0.3)];
    Frustum::of_eye(&eye, tangents, [near, near + random.decade(-0.5, 0.5)]).expect("a frustum")
}

fn corners(of: &Frustum<f64>) -> Vec<V> {
    of.corners().map(Into::into).to_vec()
}

/// Calls a function with the shape in its own type.
macro_rules! with_shape {
    ([$($kind:ident),*], $body:expr, $shape:ident => $ask:expr) => {
        match $body.shape() {
            $(ConvexShape::$kind($shape) => $ask,)*
            _ => unreachable!("another kind"),
        }
    };
}

/// Calls a function with any shape but a triangle.
macro_rules! with_thick {
    ($body:expr, $shape:ident => $ask:expr) => {
        with_shape!([Sphere, Capsule, Cylinder, Ellipsoid, Box, Hull], $body, $shape => $ask)
    };
}

/// Draws a gap, from inside each other to far apart.
fn gap(random: &mut Random, round: usize) -> f64 {
    match round % 5 {
        0 => 0.0,
        1 => random.decade(-10.0, -4.0),
        2 => random.decade(-4.0, 1.0),
        3 => -random.decade(-15.0, -4.0),
        _ => -random.decade(-4.0, 0.0),
    }
}

#[test]
fn polygons_have_the_distance_they_were_placed_at() {
    for kind in BodyKind::ALL {
        let mut random = Random(3 + kind as u64);
        for round in 0..cases(1_500) {
            let plain = Polytope::flat(outline(&mut random));
            let wall = polygon::<f64>(&plain.corners);
            let body = Body::random(&mut random, kind, (1.0, 2.0));
            let gap = gap(&mut random, round);
            let body = plain.beside(&body, gap, &mut random);
            let found = match body.shape() {
                ConvexShape::Triangle(shape) => asked(&shape, &wall),
                _ => with_thick!(body, shape => {
                    let (found, contact) = (asked(&shape, &wall), touching(&shape, &wall));
                    prove_contact(contact, found.0, (&body, &plain), (gap, 1e-9 * plain.size()));
                    found
                }),
            };
            prove_as_set(found, &body, &plain, gap);
            // Single precision: the same up to its rounding.
            let coarse = polygon::<f32>(&plain.corners);
            let (_, coarse) = match body.shape() {
                ConvexShape::Triangle(shape) => asked(&shape, &coarse),
                _ => with_thick!(body, shape => asked(&shape, &coarse)),
            };
            let off = (f64::from(coarse.distance) - found.1.distance).abs();
            assert!(off < 1e-5 * (body.size() + plain.size()), "{off:e}");
        }
    }
}

#[test]
fn frusta_have_the_distance_they_were_placed_at() {
    for kind in BodyKind::ALL {
        let mut random = Random(13 + kind as u64);
        for round in 0..cases(1_000) {
            let seen = frustum(&mut random);
            let plain = Polytope::solid(corners(&seen));
            let body = Body::random(&mut random, kind, (1.0, 2.0));
            let gap = match (gap(&mut random, round), kind) {
                // The frustum's own test of round shapes may decide either way.
                (0.0, BodyKind::Sphere | BodyKind::Capsule) => -1e-13,
                (gap, _) => gap,
            };
            let body = plain.beside(&body, gap, &mut random);
            let (found, contact) = match body.shape() {
                ConvexShape::Triangle(shape) => (asked(&shape, &seen), touching(&shape, &seen)),
                _ => with_thick!(body, shape => (asked(&shape, &seen), touching(&shape, &seen))),
            };
            prove_as_set(found, &body, &plain, gap);
            prove_contact(contact, found.0, (&body, &plain), (gap, 1e-9 * plain.size()));
        }
    }
}

/// Checks that a segment is a hull of two corners, with closest points but no contacts.
#[test]
fn segments_and_aligned_boxes_at_frusta_equal_hulls_and_oriented_boxes() {
    let mut random = Random(53);
    let (mut together, mut apart) = (0, 0);
    for _ in 0..cases(2_000) {
        let seen = frustum(&mut random);
        let size = corners(&seen).iter().fold(0.0f64, |size, &p| size.max(inner(p, p).sqrt()));
        let at = plus(
            corners(&seen)[random.below(8)],
            times(random.direction(), random.decade(-2.0, 0.0)),
        );
        let end = plus(at, times(random.direction(), random.decade(-2.0, 0.5)));
        let [from, to] = [at, end].map(Point3::from);
        let line = Segment::new(from, to).expect("a segment");
        let (touch, closest) = asked(&line, &seen);
        let hull = ConvexHull::new(&[from, to]).expect("a hull");
        let off = closest.distance - asked(&hull, &seen).1.distance;
        assert!(off.abs() < 1e-11 * size, "{off:e}");
        together += usize::from(touch);
        apart += usize::from(!touch);
        let aligned = Aabb::from_points([from, to]);
        let center = boxwood::nalgebra::center(&from, &to);
        let half = (to - from).abs() * 0.5;
        let turned = Obb::new(center, Matrix3::identity(), half).expect("a box");
        let [(one, near), (other, nearest)] = [asked(&aligned, &seen), asked(&turned, &seen)];
        assert!((near.distance - nearest.distance).abs() < 1e-11 * size, "{near:?} {nearest:?}");
        let depths = [touching(&aligned, &seen), touching(&turned, &seen)];
        assert_eq!(depths.map(|contact| contact.is_some()), [one, other]);
        if let [Some(a), Some(b)] = depths {
            assert!((a.depth - b.depth).abs() < 1e-6 * size, "{a:?} {b:?}");
        }
        // An empty box contains nothing, and a side moved to infinity only comes nearer.
        assert_eq!(asked(&Aabb::empty(), &seen).1.distance, f64::INFINITY);
        assert!(touching(&Aabb::empty(), &seen).is_none());
        let below = Aabb::new(Point3::from([f64::NEG_INFINITY; 3]), aligned.max);
        let (held, long) = asked(&below, &seen);
        assert!(long.distance <= near.distance + 1e-9 * size && (held || !one));
        assert_eq!(touching(&below, &seen).is_some(), held);
    }
    assert!(together > 15 && apart > 15, "{together} {apart}");
}

#[test]
fn closest_points_of_polygons_and_frusta_are_proved() {
    let mut random = Random(21);
    let (mut together, mut apart) = (0, 0);
    for _ in 0..cases(3_000) {
        let [a, b] = [0; 2].map(|_| Polytope::flat(outline(&mut random)));
        let [c, d] = [0; 2].map(|_| frustum(&mut random));
        let [p, q] = [&c, &d].map(|f| Polytope::solid(corners(f)));
        let [x, y] = [&a, &b].map(|flat| polygon::<f64>(&flat.corners));
        let found = [(asked(&x, &y), &a, &b), (asked(&x, &c), &a, &p), (asked(&c, &d), &p, &q)];
        let contacts = [touching(&x, &c), touching(&c, &d)].map(|contact| contact.is_some());
        assert_eq!(contacts, [found[1].0.0, found[2].0.0]);
        for ((touch, closest), one, other) in found {
            together += usize::from(touch);
            apart += usize::from(!touch);
            let excess: [&dyn Fn(V) -> f64; 2] = [&|p| one.excess(p), &|p| other.excess(p)];
            let reach: [&dyn Fn(V) -> f64; 2] = [&|n| one.reach(n), &|n| other.reach(n)];
            prove_by(&closest, excess, reach, one.size() + other.size());
        }
    }
    assert!(together > 30 && apart > 30, "{together} {apart}");
}

#[test]
fn aligned_boxes_equal_oriented_ones_and_planes_touch_the_lowest_corner() {
    let mut random = Random(31);
    for _ in 0..cases(1_500) {
        let plain = Polytope::flat(outline(&mut random));
        let (wall, seen) = (polygon::<f64>(&plain.corners), frustum(&mut random));
        let center = times(random.direction(), random.between(0.0, 2.0));
        let half: V = [0; 3].map(|_| random.decade(-2.0, 0.5));
        let [low, high] = [-1.0, 1.0].map(|s| Point3::from(plus(center, times(half, s))));
        let aligned = Aabb::new(low, high);
        let oriented = Obb::new(Point3::from(center), Matrix3::identity(), half.into());
        let ((touch, closest), (_, turned)) =
            (asked(&wall, &aligned), asked(&wall, &oriented.expect("a box")));
        assert!((closest.distance - turned.distance).abs() < 1e-12, "{closest:?} {turned:?}");
        // Distant parts of a box change nothing, and an empty box contains nothing.
        let below = Aabb::new(Point3::from([f64::NEG_INFINITY; 3]), high);
        let (_, held) = asked(&wall, &below);
        assert!(held.distance <= closest.distance + 1e-9 && (!touch || held.distance == 0.0));
        assert_eq!(asked(&wall, &Aabb::empty()).1.distance, f64::INFINITY);
        // Planes.
        let n = random.direction();
        let offset = inner(center, n) + random.between(-1.0, 1.0);
        let plane = Plane::new(Unit::new_normalize(Vector3::from(n)), offset).expect("a plane");
        let least = |corners: &[V]| {
            corners.iter().map(|p| inner(*p, n) - offset).fold(f64::INFINITY, f64::min)
        };
        let lowest = [least(&plain.corners), least(&corners(&seen))];
        let found = [asked(&plane, &wall), asked(&plane, &seen)];
        let contacts = [touching(&plane, &wall), touching(&plane, &seen)];
        for ((low, (touch, closest)), contact) in lowest.into_iter().zip(found).zip(contacts) {
            assert!((closest.distance - low.max(0.0)).abs() < 1e-13, "{closest:?} {low}");
            assert_eq!(contact.is_some(), touch);
            assert!(contact.is_none_or(|contact| (contact.depth + low).abs() < 1e-13));
        }
    }
}

/// Checks that lengths times a power of two change no verdict and no digit, and that flat frusta
/// are polygons.
#[test]
fn powers_of_two_change_no_digit_and_flat_frusta_are_polygons() {
    let mut random = Random(37);
    for _ in 0..cases(500) {
        let outline = outline(&mut random);
        let points: Vec<V> = (0..7).map(|_| times(random.direction(), 2.0)).collect();
        let seen = frustum(&mut random);
        let asked_at = |by: f64| {
            let scaled = |p: &V| Point3::from(times(*p, by));
            let hull = ConvexHull::new(&points.iter().map(scaled).collect::<Vec<_>>());
            let hull = hull.expect("a hull");
            let wall = Polygon3::new(outline.iter().map(scaled).collect()).expect("a polygon");
            let view = Frustum::new(seen.corners().map(|p| p * by)).expect("a frustum");
            [asked(&hull, &wall), asked(&hull, &view)]
        };
        let still = asked_at(1.0);
        for power in [-100, 100] {
            let by = 2f64.powi(power);
            for ((touch, closest), (same, scaled)) in still.iter().zip(asked_at(by)) {
                assert_eq!(*touch, same);
                let least = closest.distance == f64::MIN_POSITIVE;
                assert!(least || scaled.distance == closest.distance * by, "{scaled:?}");
            }
        }
        let [a, b, c, d, ..] = seen.corners();
        let flat = Frustum::new([a, b, c, d, a, b, c, d]).expect("corners");
        let wall = Polygon3::new(vec![a, b, d, c]).expect("a rectangle");
        let hull: Vec<_> = points.iter().map(|p| Point3::from(*p)).collect();
        let hull = ConvexHull::new(&hull).expect("a hull");
        let off = asked(&hull, &flat).1.distance - asked(&hull, &wall).1.distance;
        assert!(off.abs() < 1e-12, "{off:e}");
    }
}
