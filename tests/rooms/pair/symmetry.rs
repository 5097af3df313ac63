//! Symmetry of all pairs: swapped, moved and scaled, the answers are the same.

use support::pair::any_shape::{Any, Kind};
use support::pair::random_pairs::{self, Regime};
use support::prelude::*;
use support::random::{apply, compose};

const PAIRS: usize = 60;

fn every_pair(mut each: impl FnMut(Regime, [Kind; 2], &mut Random)) {
    for regime in Regime::ALL {
        for first in Kind::ALL {
            for second in Kind::ALL {
                let mut random = Random(99 + regime as u64 * 64 + first as u64 * 8 + second as u64);
                (0..PAIRS).for_each(|_| each(regime, [first, second], &mut random));
            }
        }
    }
}

#[test]
fn swapping_reverses_every_bit() {
    let mut together = 0;
    every_pair(|regime, kinds, random| {
        let [a, b]: [Any<f32>; 2] =
            random_pairs::pair(regime, kinds, random).map(|plan| plan.build());
        assert_eq!(a.intersects(&b), b.intersects(&a));
        assert_eq!(a.closest(&b), b.closest(&a).reversed(), "{a:?} {b:?}");
        together += usize::from(a.intersects(&b));
    });
    println!("{together} of {} together", 216 * PAIRS);
    assert!(together > 216 * PAIRS / 10);
}

#[test]
fn powers_of_two_scale_every_bit() {
    every_pair(|regime, kinds, random| {
        let plans = random_pairs::pair(regime, kinds, random);
        let [a, b]: [Any<f64>; 2] = plans.map(|plan| plan.build());
        let answer = a.closest(&b);
        for power in [-40, 40] {
            let by = 2f64.powi(power);
            let [c, d]: [Any<f64>; 2] = plans.map(|plan| plan.scaled(by).build());
            let scaled = c.closest(&d);
            assert_eq!(c.intersects(&d), a.intersects(&b), "{a:?} {b:?}");
            let least = answer.distance == f64::MIN_POSITIVE;
            assert!(least || scaled.distance == answer.distance * by, "{scaled:?} {answer:?}");
            assert_eq!(scaled.on_a, (answer.on_a.coords * by).into());
            assert_eq!(scaled.on_b, (answer.on_b.coords * by).into());
        }
    });
}

#[test]
fn moving_both_shapes_changes_rounding_only() {
    let (mut worst, mut compared) = (0.0f64, 0);
    every_pair(|regime, kinds, random| {
        if kinds.contains(&Kind::Aabb) {
            return;
        }
        let plans = random_pairs::pair(regime, kinds, random);
        let (turn, step): (_, V) =
            (random.rotation(), [random.share(), 2.0, -3.0 * random.share()]);
        let moved = plans.map(|plan| {
            let points = plan.points.map(|p| support::plain_box::plus(apply(&turn, p), step));
            support::pair::any_shape::Plan { points, axes: compose(&turn, &plan.axes), ..plan }
        });
        let [a, b]: [Any<f64>; 2] = plans.map(|plan| plan.build());
        let [c, d]: [Any<f64>; 2] = moved.map(|plan| plan.build());
        let scale =
            plans[0].size() + plans[1].size() + norm(minus(plans[0].points[0], plans[1].points[0]));
        let off =
            (a.distance(&b) - c.distance(&d)).abs() / (scale + 1e-3 * random_pairs::reach(&plans));
        (worst, compared) = (worst.max(off), compared + 1);
    });
    println!("{compared} pairs, distances differ by at most {worst:.1e} of the size");
    assert!(worst < 1e-11 && compared > 5_000);
}

/// Checks that a ball without radius is a point, a capsule without radius a segment, a capsule of
/// one point a ball, and a box along the coordinate axes an aligned one.
#[test]
fn kinds_that_are_the_same_shape_agree() {
    let mut random = Random(12);
    let (mut apart, mut together) = (0, 0);
    for k in 0..cases(6_000) {
        let regime = Regime::ALL[k % 6];
        let other = Kind::ALL[random.below(6)];
        let first = [Kind::Capsule, Kind::Sphere, Kind::Aabb][k % 3];
        let [mut one, b] = random_pairs::pair(regime, [first, other], &mut random);
        let mut two = one;
        match first {
            Kind::Capsule => (one.radius, two.radius, two.kind) = (0.0, 0.0, Kind::Segment),
            Kind::Sphere => (two.points[1], two.kind) = (two.points[0], Kind::Capsule),
            _ => two.kind = Kind::Obb,
        }
        let [one, two, b]: [Any<f64>; 3] = [one, two, b].map(|plan| plan.build());
        let (x, y) = (one.distance(&b), two.distance(&b));
        let band = 1e-11 * (1.0 + 1e-3 * norm(b.plan().points[0]));
        assert!((x - y).abs() < band, "{x:e} {y:e} {one:?} {two:?} {b:?}");
        if x == 0.0 { together += 1 } else { apart += 1 }
    }
    println!("{apart} apart, {together} together");
    assert!(12 * apart > cases(6_000) && 12 * together > cases(6_000));
}
