//! Rays against ellipsoids, k-DOPs and frusta, and against what has no width.

use boxwood::nalgebra::{Isometry3, Matrix3, Point3, Unit, Vector3};
use boxwood::pair::{Cast, RayHit};
use boxwood::shape::{Aabb, Capsule, Dop14, Dop18, Ellipsoid, Frustum, Kdop, Ray, Segment, Slabs};
use boxwood::shape::{SpaceDop8, Sphere};
use parry3d_f64::math::{Pose, Vector};
use parry3d_f64::query::{self, RayCast};
use parry3d_f64::shape::ConvexPolyhedron;

use crate::block::{V, inner, minus, norm, plus, times};
use crate::random::Random;
use crate::regime::{REGIMES, Regime, Tally};

const CASES: usize = 6_000;

fn ray(from: V, way: V) -> Ray<f64> {
    let way = Unit::new_unchecked(Vector3::from(times(way, 1.0 / norm(way))));
    Ray::new(Point3::from(from), way).expect("a ray")
}

/// A function that first falls and then rises, where it is least.
fn lowest(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    for _ in 0..200 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        (low, high) = if f(a) < f(b) { (low, b) } else { (a, high) };
    }
    0.5 * (low + high)
}

struct Egg {
    center: V,
    axes: [V; 3],
    radii: V,
}

impl Egg {
    fn random(flat: bool, random: &mut Random) -> Self {
        let size = random.decade(-4.0, 4.0);
        let mut radii: V = std::array::from_fn(|_| size * random.decade(-2.0, 0.0));
        if flat {
            radii[random.below(3)] = 0.0;
        }
        let center = times(random.direction(), size * random.decade(-1.0, 2.0));
        Egg { center, axes: random.rotation(), radii }
    }

    fn stored(&self) -> Ellipsoid<f64> {
        let axes = Matrix3::from_fn(|i, j| self.axes[j][i]);
        let found = Ellipsoid::new(Point3::from(self.center), axes, Vector3::from(self.radii));
        found.expect("an ellipsoid")
    }

    fn size(&self) -> f64 {
        self.radii.into_iter().fold(0.0, f64::max)
    }

    fn outer(&self, local: V) -> V {
        (0..3).fold(self.center, |p, i| plus(p, times(self.axes[i], local[i])))
    }

    /// One on the surface.
    fn level(&self, p: V) -> f64 {
        let from = minus(p, self.center);
        let shares = [0, 1, 2].map(|i| inner(self.axes[i], from) / self.radii[i]);
        norm(shares)
    }

    /// A point of the surface and what leads out there.
    fn surface(&self, random: &mut Random) -> (V, V) {
        let s = random.direction();
        let out = [0, 1, 2].map(|i| s[i] / self.radii[i]);
        let out = (0..3).fold([0.0; 3], |v, i| plus(v, times(self.axes[i], out[i])));
        (self.outer([0, 1, 2].map(|i| s[i] * self.radii[i])), times(out, 1.0 / norm(out)))
    }
}

/// The level along the ray says where it is entered: found by halving, without the quadratic.
#[test]
fn ellipsoids_are_met_where_their_level_is_one() {
    let (mut random, mut tally) = (Random(31), Tally::default());
    for k in 0..CASES {
        let regime = REGIMES[k % 4];
        if regime == Regime::Degenerate {
            disc(&mut random);
            tally.add(regime);
            continue;
        }
        let egg = Egg::random(false, &mut random);
        let (solid, size) = (egg.stored(), egg.size());
        let (on, out) = egg.surface(&mut random);
        let far = size * random.decade(0.6, 3.0);
        let way = random.direction();
        let (goal, way) = match regime {
            Regime::Apart => (plus(on, times(out, size * random.decade(-3.0, 1.0))), way),
            // Along the surface, a little within or without.
            Regime::Touching => {
                let along = minus(way, times(out, inner(way, out)));
                let off = random.sign()
                    * random.decade(-9.0, -3.0)
                    * egg.radii.into_iter().fold(size, f64::min);
                (plus(on, times(out, off)), times(along, 1.0 / norm(along)))
            }
            _ => {
                let inside = times(random.direction(), 0.9 * random.share());
                (egg.outer([0, 1, 2].map(|i| egg.radii[i] * inside[i])), way)
            }
        };
        let started = regime == Regime::Deep && random.chance(0.3);
        let from = if started { goal } else { minus(goal, times(way, far)) };
        let line = ray(from, way);
        let level = |t: f64| egg.level(plus(from, times(way, t)));
        let found = line.cast(&solid);
        if started {
            assert_eq!(found.map(|hit| (hit.t, hit.started_inside)), Some((0.0, true)));
            tally.add(regime);
            continue;
        }
        let least = lowest(level, 0.0, 2.0 * far + 20.0 * size);
        // The level is off by rounding of points, measured in the smallest radius.
        let band = 1e-14 * (norm(from) + far + size) / egg.radii.into_iter().fold(size, f64::min);
        match found {
            None => assert!(level(least) > 1.0 - band, "{line:?} {solid:?}"),
            Some(hit) => {
                assert!(level(least) < 1.0 + band, "{hit:?} {line:?} {solid:?}");
                let (mut before, mut inside) = (0.0, least);
                for _ in 0..100 {
                    let t = 0.5 * (before + inside);
                    (before, inside) = if level(t) > 1.0 { (t, inside) } else { (before, t) };
                }
                let steep = (level(inside - 1e-6 * size) - 1.0).max(1e-7);
                let off = 1e-6 * size * (band / steep).min(1.0) + 1e-9 * far;
                assert!(
                    (hit.t - inside).abs()
                        <= off.max(1e-3 * size * f64::from(u8::from(regime == Regime::Touching))),
                    "{hit:?} {inside} {off} {line:?} {solid:?}"
                );
                leads_out(
                    &hit,
                    way,
                    |p| egg.level(p) > 1.0 - band,
                    plus(from, times(way, hit.t)),
                    size,
                );
                assert!(!hit.started_inside);
            }
        }
        tally.add(regime);
    }
    tally.finish("ray, ellipsoid");
}

fn leads_out(hit: &RayHit<f64>, way: V, outside: impl Fn(V) -> bool, at: V, size: f64) {
    let normal: V = hit.normal.into();
    assert!((norm(normal) - 1.0).abs() < 1e-12 && inner(normal, way) <= 1e-9, "{hit:?} {way:?}");
    assert!(outside(plus(at, times(normal, 1e-6 * size))), "{hit:?} {way:?}");
}

/// Without width one way it is a disc: met where the ray goes through its plane within its rim.
fn disc(random: &mut Random) {
    let egg = Egg::random(true, random);
    let solid = egg.stored();
    let flat = (0..3).find(|&i| egg.radii[i] == 0.0).expect("a flat one");
    let [u, v] = [1, 2].map(|k| (flat + k) % 3);
    let (share, angle) = (random.between(0.0, 2.0), random.between(0.0, 6.3));
    let mut local = [0.0; 3];
    (local[u], local[v]) = (share * angle.cos() * egg.radii[u], share * angle.sin() * egg.radii[v]);
    let goal = egg.outer(local);
    let way = random.direction();
    let slope = inner(way, egg.axes[flat]);
    let far = egg.size() * random.decade(0.0, 2.0);
    if slope.abs() < 0.1 || (share - 1.0).abs() < 1e-6 {
        return;
    }
    let found = ray(minus(goal, times(way, far)), way).cast(&solid);
    assert_eq!(found.is_some(), share < 1.0, "{share} {solid:?}");
    if let Some(hit) = found {
        assert!((hit.t - far).abs() < 1e-10 * (far + norm(egg.center)));
        let normal = times(egg.axes[flat], -slope.signum());
        assert!(norm(minus(hit.normal.into(), normal)) < 1e-12, "{hit:?}");
    }
}

/// The same as a ball where all radii are one, and in any frame and unit.
#[test]
fn ellipsoids_agree_with_balls_and_with_themselves_moved() {
    let (mut random, mut met) = (Random(32), 0);
    for _ in 0..CASES {
        let egg = Egg { radii: [random.decade(-1.0, 1.0); 3], ..Egg::random(false, &mut random) };
        let ball = Sphere::new(Point3::from(egg.center), egg.radii[0]).expect("a ball");
        let goal = plus(egg.center, times(random.direction(), 1.5 * egg.radii[0] * random.share()));
        let from = minus(goal, times(random.direction(), 30.0 * random.share()));
        let line = ray(from, minus(goal, from));
        let (a, b) = (line.cast(&egg.stored()), line.cast(&ball));
        let aside = line.closest_point(ball.center()) - ball.center();
        if (aside.norm() - ball.radius()).abs() > 1e-9 * (1.0 + norm(egg.center)) {
            assert_eq!(a.is_some(), b.is_some(), "{line:?} {ball:?}");
        }
        if let (Some(a), Some(b)) = (a, b) {
            assert_eq!(a.started_inside, b.started_inside);
            assert!((a.t - b.t).abs() < 1e-5 && (a.normal - b.normal).norm() < 1e-4, "{a:?} {b:?}");
            met += 1;
        }
        let egg = Egg::random(false, &mut random);
        let (on, _) = egg.surface(&mut random);
        let goal = plus(egg.center, times(minus(on, egg.center), random.between(0.0, 1.3)));
        let from = minus(goal, times(random.direction(), 5.0 * egg.size()));
        let (line, solid) = (ray(from, minus(goal, from)), egg.stored());
        let before = line.cast(&solid);
        let turn = Isometry3::new(
            Vector3::from(times(random.direction(), egg.size())),
            Vector3::from(random.direction()),
        );
        let moved =
            (line.transformed(&turn).expect("sound"), solid.transformed(&turn).expect("sound"));
        let scaled = Egg { center: times(egg.center, 4.0), radii: times(egg.radii, 4.0), ..egg };
        let scaled = scaled.stored();
        let larger = Ray::new(line.origin() * 4.0, line.direction()).expect("a ray").cast(&scaled);
        assert_eq!(larger, before.map(|hit| RayHit { t: hit.t * 4.0, ..hit }));
        if let (Some(before), Some(after)) = (before, moved.0.cast(&moved.1)) {
            // Where it is met steeply enough to tell.
            if inner(before.normal.into(), line.direction().into_inner().into()) < -0.1 {
                assert!((before.t - after.t).abs() < 1e-8 * (egg.size() + norm(egg.center)));
            }
        }
    }
    assert!(met > CASES / 3, "{met}");
}

/// The hull of a few points as the other library has it, and the corners beside.
fn polyhedron(points: &[V]) -> Option<ConvexPolyhedron> {
    let points: Vec<Vector> = points.iter().map(|p| Vector::new(p[0], p[1], p[2])).collect();
    ConvexPolyhedron::from_convex_hull(&points)
}

/// Beside parry3d on the hull of the corners: where both meet it, in the same place; who alone meets it, grazes it.
fn beside(
    name: &str,
    mut case: impl FnMut(&mut Random) -> (Vec<V>, Box<dyn Fn(&Ray<f64>) -> Option<RayHit<f64>>>),
) {
    let (mut random, mut tally) = (Random(33), Tally::default());
    for k in 0..2_000 {
        let regime = REGIMES[k % 4];
        let (corners, cast) = case(&mut random);
        let Some(other) = polyhedron(&corners) else { continue };
        let around = Aabb::around(corners.iter().map(|&p| Point3::from(p)));
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
        let theirs = {
            let v = |p: V| Vector::new(p[0], p[1], p[2]);
            let line = query::Ray::new(v(from), v(line.direction().into_inner().into()));
            other.cast_ray_and_get_normal(&Pose::identity(), &line, f64::MAX, true)
        };
        let band = 1e-7 * (size + norm(minus(from, middle)));
        match (cast(&line), theirs) {
            (None, None) => {}
            (Some(mine), Some(theirs)) => {
                // Theirs is found step by step.
                let off = (mine.t - theirs.time_of_impact).abs();
                let near = off <= 1e-6 * (size + mine.t);
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
            // A corner's width aside one of them must say otherwise.
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
fn frusta_are_met_where_their_hulls_are() {
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

/// The corners of a k-DOP, each found by going as far as it reaches.
fn dops<const N: usize>(name: &str)
where
    Kdop<f64, 3, N>: Slabs<3, N>,
    Ray<f64>: Cast<Kdop<f64, 3, N>, Scalar = f64>,
{
    beside(name, |random| {
        let size = random.decade(-2.0, 2.0);
        let at = times(random.direction(), size * random.decade(-1.0, 1.0));
        let points: Vec<Point3<f64>> =
            (0..5).map(|_| Point3::from(plus(at, times(random.direction(), size)))).collect();
        let dop = Kdop::<f64, 3, N>::around(points);
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
fn dops_are_met_where_their_hulls_are() {
    dops::<4>("ray, 8-DOP");
    dops::<7>("ray, 14-DOP");
    dops::<9>("ray, 18-DOP");
}

#[test]
fn plain_rays() {
    let corner =
        |i: usize| Point3::from([0, 1, 2].map(|k| if i >> k & 1 == 1 { 1.0 } else { -1.0 }));
    let cube: Vec<Point3<f64>> = (0..8).map(corner).collect();
    let at = |from: V, way: V| ray(from, way);
    // An octahedron three wide around the cube: its face is met half way out.
    let eight = SpaceDop8::around(cube.iter().copied());
    let hit = at([9.0, 1.0, 1.0], [-1.0, 0.0, 0.0]).cast(&eight).expect("met");
    assert_eq!(hit.t, 8.0);
    assert!((hit.normal - Vector3::repeat(1.0 / 3f64.sqrt())).norm() < 1e-15);
    assert_eq!(at([9.0, 1.0, 1.5], [-1.0, 0.0, 0.0]).cast(&eight).map(|hit| hit.t), Some(8.5));
    assert_eq!(at([9.0, 2.0, 1.5], [-1.0, 0.0, 0.0]).cast(&eight), None);
    for way in [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0]] {
        let started = at([0.0; 3], way).cast(&Dop14::around(cube.iter().copied())).expect("met");
        assert!(
            started.started_inside
                && started.t == 0.0
                && V::from(started.normal) == times(way, -1.0)
        );
    }
    assert_eq!(at([0.0; 3], [1.0, 0.0, 0.0]).cast(&Dop18::<f64>::empty()), None);
    let eye = Isometry3::<f64>::identity();
    let frustum = Frustum::of_eye(&eye, [1.0, 1.0], [1.0, 2.0]).expect("a frustum");
    let seen = at([0.0; 3], [0.0, 0.0, -1.0]).cast(&frustum).expect("met");
    assert!((seen.t, seen.normal) == (1.0, Vector3::z()) && !seen.started_inside);
    assert_eq!(at([0.0; 3], [0.0, 0.0, 1.0]).cast(&frustum), None);
}

/// A ball, a capsule, an ellipsoid without a radius are met in single points: the normal has a length all the same.
#[test]
fn what_has_no_width_has_a_normal() {
    let line = ray([-5.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
    let (low, high) = (Point3::new(0.0, -1.0, 0.0), Point3::new(0.0, 1.0, 0.0));
    let segment = Segment::new(low, high).expect("a segment");
    let expected = RayHit { t: 5.0, normal: -Vector3::x(), started_inside: false };
    let point = Sphere::new(Point3::origin(), 0.0).expect("a point");
    assert_eq!(line.cast(&point), Some(expected));
    assert_eq!(line.cast(&segment), Some(expected));
    assert_eq!(line.cast(&Capsule::from(segment)), Some(expected));
    assert_eq!(line.cast(&Capsule::from(point)), Some(expected));
    let egg =
        |radii: V| Ellipsoid::new(Point3::origin(), Matrix3::identity(), Vector3::from(radii));
    for radii in [[0.0; 3], [0.0, 1.0, 0.0], [0.0, 1.0, 1.0], [2.0, 0.0, 0.0]] {
        let hit = line.cast(&egg(radii).expect("sound")).expect("met");
        assert_eq!((hit.t, hit.normal), (5.0 - radii[0], -Vector3::x()), "{radii:?}");
    }
    assert_eq!(line.cast(&egg([2.0, 0.0, 0.0]).expect("sound")).map(|hit| hit.t), Some(3.0));
    let aside = ray([-5.0, 1e-9, 1e-9], [1.0, 0.0, 0.0]);
    assert_eq!(aside.cast(&segment), None);
    assert_eq!(aside.cast(&egg([2.0, 0.0, 0.0]).expect("sound")), None);
    let started = ray([0.0, 0.5, 0.0], [0.0, 1.0, 0.0]).cast(&segment).expect("on it");
    assert!(started.started_inside && started.normal == -Vector3::y());
    // Along it, from beyond an end.
    let along = ray([0.0, 5.0, 0.0], [0.0, -1.0, 0.0]).cast(&segment).expect("its end");
    assert_eq!((along.t, along.normal), (4.0, Vector3::y()));
}
