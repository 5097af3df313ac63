//! Rays against ellipsoids: the hit is where the quadratic form along the ray is one.

use boxwood::pair::RayHit;
use boxwood::shape::{Ellipsoid, Ray, Sphere};

use super::ray_solids::ray;
use support::pair_regime::{REGIMES, Regime, Tally};
use support::prelude::*;

const CASES: usize = 6_000;

/// Returns the minimum of a unimodal function.
fn lowest(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    for _ in 0..200 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        (low, high) = if f(a) < f(b) { (low, b) } else { (a, high) };
    }
    0.5 * (low + high)
}

struct EllipsoidModel {
    center: V,
    axes: [V; 3],
    radii: V,
}

impl EllipsoidModel {
    fn random(flat: bool, random: &mut Random) -> Self {
        let size = random.decade(-4.0, 4.0);
        let mut radii: V = std::array::from_fn(|_| size * random.decade(-2.0, 0.0));
        if flat {
            radii[random.below(3)] = 0.0;
        }
        let center = times(random.direction(), size * random.decade(-1.0, 2.0));
        EllipsoidModel { center, axes: random.rotation(), radii }
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

    /// Returns the quadratic form at a point; one on the surface.
    fn level(&self, p: V) -> f64 {
        let from = minus(p, self.center);
        let shares = [0, 1, 2].map(|i| inner(self.axes[i], from) / self.radii[i]);
        norm(shares)
    }

    /// Returns a point of the surface and an outward direction there.
    fn surface(&self, random: &mut Random) -> (V, V) {
        let s = random.direction();
        let out = [0, 1, 2].map(|i| s[i] / self.radii[i]);
        let out = (0..3).fold([0.0; 3], |v, i| plus(v, times(self.axes[i], out[i])));
        (self.outer([0, 1, 2].map(|i| s[i] * self.radii[i])), times(out, 1.0 / norm(out)))
    }
}

/// Computes the entry by bisection of the quadratic form along the ray, without solving the
/// quadratic.
#[test]
fn rays_hit_ellipsoids_where_the_quadratic_form_is_one() {
    let (mut random, mut tally) = (Random(31), Tally::default());
    for k in 0..cases(CASES) {
        let regime = REGIMES[k % 4];
        if regime == Regime::Degenerate {
            disc(&mut random);
            tally.add(regime);
            continue;
        }
        let egg = EllipsoidModel::random(false, &mut random);
        let (solid, size) = (egg.stored(), egg.size());
        let (on, out) = egg.surface(&mut random);
        let far = size * random.decade(0.6, 3.0);
        let way = random.direction();
        let (goal, way) = match regime {
            Regime::Apart => (plus(on, times(out, size * random.decade(-3.0, 1.0))), way),
            // Along the surface, slightly inside or outside.
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
            assert_eq!(found.map(|hit| (hit.distance, hit.started_inside)), Some((0.0, true)));
            tally.add(regime);
            continue;
        }
        let least = lowest(level, 0.0, 2.0 * far + 20.0 * size);
        // The quadratic form has the rounding of points, relative to the smallest radius.
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
                    (hit.distance - inside).abs()
                        <= off.max(1e-3 * size * f64::from(u8::from(regime == Regime::Touching))),
                    "{hit:?} {inside} {off} {line:?} {solid:?}"
                );
                leads_out(
                    &hit,
                    way,
                    |p| egg.level(p) > 1.0 - band,
                    plus(from, times(way, hit.distance)),
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

/// Checks a disc, an ellipsoid without width along one axis: hit where the ray crosses its plane
/// inside its rim.
fn disc(random: &mut Random) {
    let egg = EllipsoidModel::random(true, random);
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
        assert!((hit.distance - far).abs() < 1e-10 * (far + norm(egg.center)));
        let normal = times(egg.axes[flat], -slope.signum());
        assert!(norm(minus(hit.normal.into(), normal)) < 1e-12, "{hit:?}");
    }
}

/// Checks against a ball if all radii are one, and in any frame and unit.
#[test]
fn ellipsoids_agree_with_balls_and_with_moved_ellipsoids() {
    let (mut random, mut met) = (Random(32), 0);
    for _ in 0..cases(CASES) {
        let egg = EllipsoidModel {
            radii: [random.decade(-1.0, 1.0); 3],
            ..EllipsoidModel::random(false, &mut random)
        };
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
            assert!(
                (a.distance - b.distance).abs() < 1e-5 && (a.normal - b.normal).norm() < 1e-4,
                "{a:?} {b:?}"
            );
            met += 1;
        }
        let egg = EllipsoidModel::random(false, &mut random);
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
        let scaled =
            EllipsoidModel { center: times(egg.center, 4.0), radii: times(egg.radii, 4.0), ..egg };
        let scaled = scaled.stored();
        let larger = Ray::new(line.origin() * 4.0, line.direction()).expect("a ray").cast(&scaled);
        assert_eq!(
            larger,
            before.map(|mut hit| {
                (hit.distance, hit.point) = (hit.distance * 4.0, hit.point * 4.0);
                hit
            })
        );
        if let (Some(before), Some(after)) = (before, moved.0.cast(&moved.1)) {
            // Only a steep hit decides.
            if inner(before.normal.into(), line.direction().into_inner().into()) < -0.1 {
                assert!(
                    (before.distance - after.distance).abs()
                        < 1e-8 * (egg.size() + norm(egg.center))
                );
            }
        }
    }
    assert!(met > cases(CASES) / 3, "{met}");
}
