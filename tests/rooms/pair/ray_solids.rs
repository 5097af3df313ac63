//! Rays against k-DOPs, frusta and shapes without width.

use boxwood::pair::{RayCastQuery, RayHit};
use boxwood::shape::{Aabb, Capsule, Dop14, Dop18, Ellipsoid, Frustum, Kdop, Ray, Segment, Slabs};
use boxwood::shape::{SpaceDop8, Sphere};

use support::pair_regime::{REGIMES, Regime, Tally};
use support::parry::Peer;
use support::prelude::*;

pub fn ray(from: V, way: V) -> Ray<f64> {
    let way = Unit::new_unchecked(Vector3::from(times(way, 1.0 / norm(way))));
    Ray::new(Point3::from(from), way).expect("a ray")
}

/// Compares with parry3d on the hull of the corners: where both hit, the same point; where one alone
/// hits, a grazing ray.
fn beside(
    name: &str,
    mut case: impl FnMut(&mut Random) -> (Vec<V>, Box<dyn Fn(&Ray<f64>) -> Option<RayHit<f64>>>),
) {
    let (mut random, mut tally) = (Random(33), Tally::default());
    for k in 0..cases(2_000) {
        let regime = REGIMES[k % 4];
        let (corners, cast) = case(&mut random);
        let Some(other) = Peer::hull(&corners) else { continue };
        let around = Aabb::from_points(corners.iter().map(|&p| Point3::from(p)));
        let (middle, size): (V, f64) =
            (around.center().expect("corners").into(), around.diagonal());
        let weights: Vec<f64> = corners.iter().map(|_| random.decade(-2.0, 0.0)).collect();
        let all: f64 = weights.iter().sum();
        let inside =
            corners.iter().zip(&weights).fold([0.0; 3], |p, (c, w)| plus(p, times(*c, w / all)));
        let corner = corners[random.below(corners.len())];
        let way = random.direction();
        let (from, way) = match regime {
            Regime::Apart => {
                let aside =
                    plus(middle, times(random.direction(), size * random.between(0.2, 2.0)));
                (minus(aside, times(way, 3.0 * size)), way)
            }
            // At a corner, or a little past it.
            Regime::Touching => {
                let off = times(random.direction(), size * random.decade(-6.0, -2.0));
                (minus(plus(corner, off), times(way, size * random.decade(0.0, 2.0))), way)
            }
            Regime::Deep if random.chance(0.3) => (inside, way),
            Regime::Deep => (minus(inside, times(way, size * random.decade(0.3, 1.0))), way),
            // Along an axis, or from far away.
            Regime::Degenerate => {
                let axis = [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]][random.below(3)];
                (minus(inside, times(axis, size * random.decade(0.0, 4.0))), axis)
            }
        };
        let line = ray(from, way);
        let theirs = other.cast(from, line.direction().into_inner().into());
        let band = 1e-7 * (size + norm(minus(from, middle)));
        match (cast(&line), theirs) {
            (None, None) => {}
            (Some(mine), Some(theirs)) => {
                // parry3d's time is found by iteration.
                let off = (mine.distance - theirs.0).abs();
                let near = off <= 1e-6 * (size + mine.distance);
                let steep = inner(mine.normal.into(), way) < -1e-3;
                assert!(
                    near || !steep && off <= 1e-2 * size,
                    "{name} {mine:?} {theirs:?} {line:?}"
                );
                assert!(
                    (mine.normal.norm() - 1.0).abs() < 1e-12
                        && inner(mine.normal.into(), way) <= 1e-12
                );
            }
            // Moved by the width of a corner, one of them must give the other verdict.
            (mine, theirs) => {
                let changed = (0..40).any(|_| {
                    let aside = times(random.direction(), band);
                    cast(&ray(plus(from, aside), way)).is_some() != mine.is_some()
                });
                assert!(changed, "{name} {mine:?} {theirs:?} {line:?} {corners:?}");
            }
        }
        tally.add(regime);
    }
    tally.finish(name);
}

#[test]
fn rays_hit_frusta_where_they_hit_their_hulls() {
    beside("ray, frustum", |random| {
        let eye = Isometry3::new(
            Vector3::from(times(random.direction(), 5.0)),
            Vector3::from(random.direction()),
        );
        let near = if random.chance(0.2) { 0.0 } else { random.decade(-1.0, 0.0) };
        let tangents = [random.decade(-1.0, 0.3), random.decade(-1.0, 0.3)];
        let frustum = Frustum::of_eye(&eye, tangents, [near, near + random.decade(-0.5, 1.0)]);
        let frustum = frustum.expect("a frustum");
        (frustum.corners().map(Into::into).to_vec(), Box::new(move |ray| ray.cast(&frustum)))
    });
}

/// Finds each corner of a k-DOP as an extreme point.
fn dops<const N: usize>(name: &str)
where
    Kdop<f64, 3, N>: Slabs<3, N>,
    Ray<f64>: RayCastQuery<Kdop<f64, 3, N>, Scalar = f64>,
{
    beside(name, |random| {
        let size = random.decade(-2.0, 2.0);
        let at = times(random.direction(), size * random.decade(-1.0, 1.0));
        let points: Vec<Point3<f64>> =
            (0..5).map(|_| Point3::from(plus(at, times(random.direction(), size)))).collect();
        let dop = Kdop::<f64, 3, N>::from_points(points);
        let mut corners: Vec<V> = Vec::new();
        for _ in 0..400 {
            let corner: V = dop.support(Vector3::from(random.direction())).expect("filled").into();
            if corners.iter().all(|&c| norm(minus(c, corner)) > 1e-6 * size) {
                corners.push(corner);
            }
        }
        (corners, Box::new(move |ray| ray.cast(&dop)))
    });
}

#[test]
fn rays_hit_dops_where_they_hit_their_hulls() {
    dops::<4>("ray, 8-DOP");
    dops::<7>("ray, 14-DOP");
    dops::<9>("ray, 18-DOP");
}

#[test]
fn known_rays_at_dops() {
    let corner =
        |i: usize| Point3::from([0, 1, 2].map(|k| if i >> k & 1 == 1 { 1.0 } else { -1.0 }));
    let cube: Vec<Point3<f64>> = (0..8).map(corner).collect();
    let at = |from: V, way: V| ray(from, way);
    // An octahedron three wide around the cube: its face is hit half way out.
    let eight = SpaceDop8::from_points(cube.iter().copied());
    let hit = at([9.0, 1.0, 1.0], [-1.0, 0.0, 0.0]).cast(&eight).expect("met");
    assert_eq!(hit.distance, 8.0);
    assert!((hit.normal - Vector3::repeat(1.0 / 3f64.sqrt())).norm() < 1e-15);
    assert_eq!(
        at([9.0, 1.0, 1.5], [-1.0, 0.0, 0.0]).cast(&eight).map(|hit| hit.distance),
        Some(8.5)
    );
    assert_eq!(at([9.0, 2.0, 1.5], [-1.0, 0.0, 0.0]).cast(&eight), None);
    for way in [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0]] {
        let started =
            at([0.0; 3], way).cast(&Dop14::from_points(cube.iter().copied())).expect("met");
        assert!(
            started.started_inside
                && started.distance == 0.0
                && V::from(started.normal) == times(way, -1.0)
        );
    }
    assert_eq!(at([0.0; 3], [1.0, 0.0, 0.0]).cast(&Dop18::<f64>::empty()), None);
    let eye = Isometry3::<f64>::identity();
    let frustum = Frustum::of_eye(&eye, [1.0, 1.0], [1.0, 2.0]).expect("a frustum");
    let seen = at([0.0; 3], [0.0, 0.0, -1.0]).cast(&frustum).expect("met");
    assert!((seen.distance, seen.normal) == (1.0, Vector3::z()) && !seen.started_inside);
    assert_eq!(at([0.0; 3], [0.0, 0.0, 1.0]).cast(&frustum), None);
}

/// Checks a ball, a capsule and an ellipsoid without a radius, hit in single points: the normal
/// still has unit length.
#[test]
fn shapes_without_width_have_a_normal() {
    let line = ray([-5.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
    let (low, high) = (Point3::new(0.0, -1.0, 0.0), Point3::new(0.0, 1.0, 0.0));
    let segment = Segment::new(low, high).expect("a segment");
    let point = Sphere::new(Point3::origin(), 0.0).expect("a point");
    let expected: RayHit<f64> = line.cast(&point).expect("a hit");
    assert_eq!((expected.distance, expected.point), (5.0, Point3::origin()));
    assert_eq!((expected.normal, expected.slack), (-Vector3::x(), 0.0));
    assert!(!expected.started_inside);
    assert_eq!(line.cast(&segment), Some(expected));
    assert_eq!(line.cast(&Capsule::from(segment)), Some(expected));
    assert_eq!(line.cast(&Capsule::from(point)), Some(expected));
    let egg =
        |radii: V| Ellipsoid::new(Point3::origin(), Matrix3::identity(), Vector3::from(radii));
    for radii in [[0.0; 3], [0.0, 1.0, 0.0], [0.0, 1.0, 1.0], [2.0, 0.0, 0.0]] {
        let hit = line.cast(&egg(radii).expect("sound")).expect("met");
        assert_eq!((hit.distance, hit.normal), (5.0 - radii[0], -Vector3::x()), "{radii:?}");
    }
    assert_eq!(line.cast(&egg([2.0, 0.0, 0.0]).expect("sound")).map(|hit| hit.distance), Some(3.0));
    let aside = ray([-5.0, 1e-9, 1e-9], [1.0, 0.0, 0.0]);
    assert_eq!(aside.cast(&segment), None);
    assert_eq!(aside.cast(&egg([2.0, 0.0, 0.0]).expect("sound")), None);
    let started = ray([0.0, 0.5, 0.0], [0.0, 1.0, 0.0]).cast(&segment).expect("on it");
    assert!(started.started_inside && started.normal == -Vector3::y());
    // Along it, from beyond an end.
    let along = ray([0.0, 5.0, 0.0], [0.0, -1.0, 0.0]).cast(&segment).expect("its end");
    assert_eq!((along.distance, along.normal), (4.0, Vector3::y()));
}
