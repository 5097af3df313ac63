//! Distances of planar shapes: by brute force, swapped, in another unit; and the nearest miss of
//! the two rectangles.

use boxwood::planar::{Obb2, Shape};
use boxwood::shape::{Aabb, Sphere};
use nalgebra::{Point2, Vector2};

use super::distance_oracle::distance;
use support::pair_regime::{REGIMES, Regime, Tally};
use support::planar::any_shape::{Any, intersects, norm};
use support::planar::random_pairs::pair;
use support::prelude::*;

pub fn asked<T: Scalar>(a: &Any<T>, b: &Any<T>) -> T {
    fn one<T: Scalar>(a: &impl Shape<T>, b: &Any<T>) -> T {
        match b {
            Any::Obb2(b) => Shape::distance(a, b),
            Any::Polygon(b) => Shape::distance(a, b),
            Any::Circle(b) => Shape::distance(a, b),
            Any::Aabb(b) => Shape::distance(a, b),
        }
    }
    match a {
        Any::Obb2(a) => one(a, b),
        Any::Polygon(a) => one(a, b),
        Any::Circle(a) => one(a, b),
        Any::Aabb(a) => one(a, b),
    }
}

fn check<T: Scalar>(seed: u64) {
    let (mut random, mut tally, mut apart) = (Random(seed), Tally::default(), 0);
    for round in 0..cases(16_000) {
        let regime: Regime = REGIMES[round % 4];
        let (a, b) = pair::<T>(&mut random, regime);
        let found = asked(&a, &b);
        assert_eq!(found, asked(&b, &a), "{a:?} {b:?}");
        assert_eq!(found == T::zero(), intersects(&a, &b), "{a:?} {b:?}");
        let (seen_a, seen_b) = (a.seen(), b.seen());
        let size = seen_a.size() + seen_b.size() + norm(seen_a.center()) + norm(seen_b.center());
        let truth = distance(&seen_a, &seen_b);
        let off = found.wide() - truth;
        let band = 1e-12 * size + 2.0 * T::ROUNDING * truth;
        assert!(off.abs() <= band, "{off:e} {truth:e} {a:?} {b:?}");
        apart += usize::from(found > T::zero());
        tally.add(regime);
    }
    println!("{apart} are apart");
    assert!(7 * apart > cases(16_000));
    tally.finish("distance");
}

/// 30 x 140 at (100, 150) from 30 degrees, 40 x 110 at (100, 70) from 40 degrees, by 2 and by 1 a
/// degrees, by 2 and by 1 a tick: nearest without touching at tick 178, by 0.0269.
#[test]
fn the_nearest_miss_of_the_article() {
    let turned = |at: [f64; 2], size: [f64; 2], degrees: f64| {
        let half = Vector2::from(size) * 0.5;
        Obb2::<f64>::from_angle(Point2::from(at), degrees.to_radians(), half).expect("a box")
    };
    let gap = |tick: u32| {
        let t = f64::from(tick);
        let one = turned([100.0, 150.0], [30.0, 140.0], 30.0 + 2.0 * t);
        one.distance(&turned([100.0, 70.0], [40.0, 110.0], 40.0 + t))
    };
    let miss = (1..=180).filter(|&tick| gap(tick) > 0.0).min_by(|&a, &b| gap(a).total_cmp(&gap(b)));
    assert_eq!(miss, Some(178));
    assert!((gap(178) - 0.0269).abs() < 5e-5, "{}", gap(178));
}

#[test]
fn known_distances_in_the_plane() {
    let disc = |x: f64, r: f64| Sphere::new(Point2::new(x, 0.0), r).expect("a circle");
    let square = Aabb::new(Point2::new(-1.0, -1.0), Point2::new(1.0, 1.0));
    assert_eq!(Shape::distance(&disc(4.0, 1.0), &square), 2.0);
    assert_eq!(Shape::distance(&disc(4.0, 3.0), &square), 0.0);
    assert_eq!(Shape::distance(&disc(4.0, 1.0), &disc(-4.0, 2.0)), 5.0);
    assert_eq!(Shape::distance(&square, &Aabb::<f64, 2>::empty()), f64::INFINITY);
    let plank =
        Obb2::<f64>::new(Point2::new(5.0, 0.0), Vector2::new(0.6, 0.8), Vector2::new(1.0, 1.0));
    let plank = plank.expect("a box");
    assert!((plank.distance(&square) - (4.0 - 1.4)).abs() < 1e-12);
    assert_eq!(plank.distance(&plank), 0.0);
}

/// Checks circles whose centres are exactly 5, 13, 17, 25 apart.
fn tangent<T: Scalar>(least: f64) {
    let point = |x: f64, y: f64| Point2::new(T::nearest(x), T::nearest(y));
    for (k, [x, y, d]) in [[3.0, 4.0, 5.0], [5.0, 12.0, 13.0], [8.0, 15.0, 17.0], [7.0, 24.0, 25.0]]
        .into_iter()
        .enumerate()
    {
        let unit = 2f64.powi(20 * k as i32 - 30);
        let at = |share: f64| {
            Sphere::new(point(share * x * unit, share * y * unit), T::nearest(d * unit))
        };
        let [a, touching] = [0.0, 2.0].map(|share| at(share).expect("a circle"));
        assert!(a.intersects(&touching) && touching.intersects(&a), "{d} {unit}");
        assert_eq!(Shape::distance(&a, &touching), T::zero());
        let radius = T::nearest(d * unit * (1.0 - least));
        let smaller = Sphere::new(touching.center(), radius).expect("a circle");
        assert!(!a.intersects(&smaller) && !smaller.intersects(&a), "{d} {unit}");
        assert!(Shape::distance(&a, &smaller) > T::zero());
        let wall = |x: f64| Aabb::new(point(x, -unit), point(x + unit, unit));
        assert!(
            a.intersects(&wall(d * unit)) && !a.intersects(&wall(d * unit * (1.0 + 2.0 * least)))
        );
    }
}

/// Aligned boxes are decided exactly, and gaps whose squares underflow still count.
#[test]
fn small_gaps_separate() {
    let wall = |x: f64| Aabb::new(Point2::new(x, 0.0), Point2::new(x + 1.0, 1.0));
    let next = Aabb::new(Point2::new(1f64.next_up(), 0.5), Point2::new(2.0, 2.0));
    assert!(Shape::intersects(&wall(0.0), &wall(1.0)) && !Shape::intersects(&wall(0.0), &next));
    assert_eq!(Shape::distance(&wall(0.0), &next), f64::EPSILON);
    let speck = |x: f64| Aabb::new(Point2::new(x, x), Point2::new(x, x));
    assert_eq!(
        Shape::distance(&speck(0.0), &Aabb::new(Point2::new(1e-200, -1.0), Point2::new(1.0, 1.0))),
        1e-200
    );
    let dot = |x: f64| Sphere::new(Point2::new(x, 0.0), 1e-200).expect("a circle");
    assert!(dot(0.0).intersects(&dot(1.9e-200)) && !dot(0.0).intersects(&dot(1.0)));
    let plank = |unit: f64, x: f64| {
        let half = Vector2::new(2.0, 1.0) * unit;
        Obb2::<f64>::new(Point2::new(x * unit, 0.0), Vector2::new(0.6, 0.8), half).expect("a box")
    };
    let far = |unit: f64| plank(unit, 0.0).distance(&plank(unit, 7.0)) / unit;
    assert!((far(1e-147) - far(1.0)).abs() < 1e-9, "{} {}", far(1e-147), far(1.0));
}

scalars! {
    distances_are_those_of_corners_and_edges => check(81; 82);
    circles_touch_to_the_last_bit => tangent(f64::from(f32::EPSILON); 4e-15);
}
