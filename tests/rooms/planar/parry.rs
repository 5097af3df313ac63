//! Every pair of planar shapes against parry2d in double precision, on the stored numbers.
//!
//! Limits of this oracle: distances and contacts of all but circles and two boxes use GJK and EPA,
//! which fail for shapes that are flat, tiny, huge or far from the origin, by up to the size of the
//! shapes; there, most must agree, and the exact tests decide. Even for other shapes parry2d counts
//! gaps within about `1e-9` as touching, and depths and times have the same error. Its boxes have
//! unit axes, which differ from the stored ones in the last bits. Verdicts are compared where the
//! shapes are farther apart, or deeper, than the band.

use nalgebra::{Complex, Isometry2, Translation2};
use parry2d_f64::math::{Pose, Vector};
use parry2d_f64::query::{self, ShapeCastOptions};
use parry2d_f64::shape::{Ball, ConvexPolygon, Cuboid, Shape};

use super::distance::asked;
use support::pair_regime::{REGIMES, Regime, Tally};
use support::planar::any_shape::{
    Any, P, contact, intersects, minus, norm, plus, sweep, times, wide,
};
use support::planar::moving_pairs::moving;
use support::planar::random_pairs::pair;
use support::prelude::*;

const CASES: usize = 16_000;

type Other = (Pose, Box<dyn Shape>);

fn vector(v: P) -> Vector {
    Vector::new(v[0], v[1])
}

/// Shape in the other library.
fn theirs<T: Scalar>(of: &Any<T>) -> Other {
    let at = |p: P| -> Pose { Isometry2::translation(p[0], p[1]).into() };
    match of {
        Any::Obb2(o) => {
            let axis = wide(&o.axis());
            let turn = Unit::new_normalize(Complex::new(axis[0], axis[1]));
            let center = Translation2::from(o.center().coords.map(T::wide));
            let half = vector(wide(&o.half_extents()));
            (Isometry2::from_parts(center, turn).into(), Box::new(Cuboid::new(half)))
        }
        Any::Polygon(p) => {
            let corners = p.corners().iter().map(|corner| vector(wide(&corner.coords))).collect();
            let same = ConvexPolygon::from_convex_polyline_unmodified(corners);
            (Pose::IDENTITY, Box::new(same.expect("a polygon")))
        }
        Any::Circle(s) => (at(wide(&s.center().coords)), Box::new(Ball::new(s.radius().wide()))),
        Any::Aabb(b) => {
            let (min, max) = (wide(&b.min.coords), wide(&b.max.coords));
            let half = vector(times(minus(max, min), 0.5));
            (at(times(plus(min, max), 0.5)), Box::new(Cuboid::new(half)))
        }
    }
}

/// Length that no other that occurs exceeds.
fn size<T: Scalar>(a: &Any<T>, b: &Any<T>) -> f64 {
    let (a, b) = (a.seen(), b.seen());
    a.size() + b.size() + norm(a.center()) + norm(b.center())
}

/// Disagreements of one query between both libraries.
#[derive(Default)]
struct Disagreements {
    worst: f64,
    odd: usize,
    disagreed: usize,
}

impl Disagreements {
    /// Counts differences of degenerate shapes; asserts that all others are within a band.
    fn add(&mut self, regime: Regime, off: f64, band: f64, case: impl Fn() -> String) {
        if regime == Regime::Degenerate {
            self.odd += 1;
            self.disagreed += usize::from(off.is_nan() || off > band);
        } else {
            self.worst = self.worst.max(off / band);
            assert!(off <= band, "{off:e} {band:e}: {}", case());
        }
    }

    fn finish(&self, what: &str, most: usize) {
        let Disagreements { worst, odd, disagreed } = self;
        println!("{what}: at most {worst:.2} bands off; of {odd} odd pairs {disagreed} differ");
        assert!(most * disagreed <= *odd, "{what}");
    }
}

fn rest_beside_parry<T: Scalar>(seed: u64, share: f64) {
    let (mut random, mut tally) = (Random(seed), Tally::default());
    let [mut verdicts, mut distances, mut depths] = [(); 3].map(|()| Disagreements::default());
    let mut answer = [0; 2];
    for round in 0..cases(CASES) {
        let regime: Regime = REGIMES[round % 4];
        let (a, b) = pair::<T>(&mut random, regime);
        let (p, q) = (theirs(&a), theirs(&b));
        let band = share * size(&a, &b);
        let case = || format!("{a:?} {b:?}");
        let away = asked(&a, &b).wide();
        let other = query::distance(&p.0, &*p.1, &q.0, &*q.1).expect("supported").distance;
        distances.add(regime, (away - other).abs(), band, case);
        let depth = contact(&a, &b).map_or(0.0, |contact| contact.depth.wide());
        let other = query::contact(&p.0, &*p.1, &q.0, &*q.1, 0.0).expect("supported");
        let other = other.map_or(0.0, |contact| -contact.dist);
        depths.add(regime, (depth - other).abs(), band, case);
        let meet = query::intersection_test(&p.0, &*p.1, &q.0, &*q.1).expect("supported");
        let differ = meet.intersecting != intersects(&a, &b);
        let clear = away.max(depth);
        verdicts.add(regime, if differ { clear } else { 0.0 }, band, case);
        answer[usize::from(meet.intersecting)] += usize::from(clear > band);
        tally.add(regime);
    }
    tally.finish("pairs beside parry2d");
    println!("{answer:?} clearly apart and touching");
    assert!(answer.iter().all(|&count| 4 * count > cases(CASES)), "{answer:?}");
    verdicts.finish("  touch or not", 20);
    distances.finish("  distance", 20);
    depths.finish("  depth", 10);
}

fn ways_beside_parry<T: Scalar>(seed: u64, share: f64) {
    let (mut random, mut tally) = (Random(seed), Tally::default());
    let (mut hits, mut misses) = (Disagreements::default(), 0);
    let options = ShapeCastOptions::with_max_time_of_impact(1.0);
    for round in 0..cases(CASES) {
        let regime: Regime = REGIMES[round % 4];
        let (a, b, by) = moving::<T>(&mut random, regime, pair);
        let (p, q) = (theirs(&a), theirs(&b));
        let [v, w] = by.map(vector);
        let other = query::cast_shapes(&p.0, v, &*p.1, &q.0, w, &*q.1, options);
        let other = other.expect("supported").map(|hit| hit.time_of_impact);
        let found = sweep(&a, &b, by).map(|hit| hit.time_of_impact.wide());
        let way = norm(minus(by[0], by[1]));
        misses += usize::from(found.is_none() && other.is_none());
        let off = match (found, other) {
            (Some(time), Some(other)) => (time - other).abs() * way,
            (None, None) => 0.0,
            _ => f64::INFINITY,
        };
        let case = || format!("{found:?} {other:?}: {a:?} {b:?} {by:?}");
        hits.add(regime, off, share * (size(&a, &b) + way), case);
        tally.add(regime);
    }
    tally.finish("ways beside parry2d");
    println!("{misses} miss");
    assert!(5 * misses > cases(CASES) && 2 * misses < cases(CASES), "{misses}");
    hits.finish("  first touch", 4);
}

scalars! {
    pairs_at_rest_agree_with_parry => rest_beside_parry(91, 1e-6; 92, 1e-8);
    pairs_on_the_way_agree_with_parry => ways_beside_parry(93, 1e-6; 94, 1e-8);
}
