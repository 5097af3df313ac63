//! Contacts of planar shapes: normal, depth and point against many directions.

use super::distance_oracle::distance;
use support::pair_regime::{REGIMES, Regime, Tally};
use support::planar::any_shape::{Any, contact, inner, minus, norm, times, wide};
use support::planar::random_pairs::pair;
use support::prelude::*;

const CASES: usize = 6_000;

/// Returns the least overlap over many unit directions, an upper bound of the true depth.
fn least_overlap<T: Scalar>(a: &Any<T>, b: &Any<T>) -> f64 {
    let (a, b) = (a.seen(), b.seen());
    let overlap = |k: i32| {
        let angle = f64::from(k) * std::f64::consts::TAU / 7200.0;
        let n = [angle.cos(), angle.sin()];
        a.support(n) + b.support(times(n, -1.0))
    };
    (0..7200).map(overlap).fold(f64::MAX, f64::min)
}

fn parts_by_normal_and_depth<T: Scalar>(seed: u64) {
    let (mut random, mut tally) = (Random(seed), Tally::default());
    let mut worst = [0.0f64; 3];
    let mut tells = 0;
    for round in 0..cases(CASES) {
        let regime = REGIMES[round % 4];
        let (a, b) = pair::<T>(&mut random, regime);
        let answer = contact(&a, &b);
        tally.add(regime);
        let Some(answer) = answer else { continue };
        let (normal, depth) = (wide(&answer.normal), answer.depth.wide());
        let (seen_a, seen_b) = (a.seen(), b.seen());
        let size = seen_a.size() + seen_b.size();
        let reach = norm(seen_a.center()) + size;
        let rounding = 4.0 * T::ROUNDING * size + 1e-14 * reach;
        assert!((norm(normal) - 1.0).abs() < 4.0 * T::ROUNDING + 1e-14, "{normal:?}");
        assert!(depth >= 0.0);
        // Remaining overlap along the normal after the second has moved out by the depth.
        let overlap = seen_a.support(normal) + seen_b.support(times(normal, -1.0));
        worst[0] = worst[0].max((overlap - depth).abs() / rounding);
        assert!((overlap - depth).abs() <= 8.0 * rounding, "{overlap:e} {depth:e}: {a:?} {b:?}");
        let least = least_overlap(&a, &b);
        worst[1] = worst[1].max((depth - least) / rounding);
        assert!(depth <= least + 8.0 * rounding, "{depth:e} {least:e}: {a:?} {b:?}");
        // Not much below the least of these directions: support changes by at most the size.
        assert!(depth >= least - 1e-3 * size, "{depth:e} {least:e}: {a:?} {b:?}");
        let clear = distance(&seen_a, &seen_b.moved(times(normal, depth * 1.01 + 1e-6 * size)));
        assert!(clear > 0.0 || size < 1e-6 * reach, "{a:?} {b:?}");
        tells += usize::from(regime == Regime::Deep);
        let point = wide(&answer.point.coords);
        for share in shared_points(&a, &b) {
            let away = norm(minus(share, point));
            worst[2] = worst[2].max(away / answer.point_error.wide().max(1e-300));
            assert!(away <= answer.point_error.wide() + rounding, "{answer:?}: {a:?} {b:?}");
        }
    }
    tally.finish("contacts");
    println!("  worst in units of rounding: {worst:.1?}");
    assert!(tells > cases(CASES) / 8);
    assert!(worst[2] > 0.5, "the point's error is never put to use: {}", worst[2]);
}

/// Returns some shared points: corners of one shape in the other.
fn shared_points<T: Scalar>(a: &Any<T>, b: &Any<T>) -> Vec<[f64; 2]> {
    let (a, b) = (a.seen(), b.seen());
    let mut found = Vec::new();
    for (of, other) in [(&a, &b), (&b, &a)] {
        let single = |&p: &[f64; 2]| support::planar::any_shape::RoundedCore {
            corners: vec![p],
            round: 0.0,
        };
        found.extend(of.corners.iter().filter(|p| distance(&single(p), other) == 0.0));
    }
    found
}

#[test]
fn the_worked_point_of_the_plane() {
    use boxwood::f64::{Aabb2, Obb2};
    use nalgebra::{Point2, Vector2};
    // Diagonals 1 : 3, so the point is a quarter of the way from the smaller one.
    let small = Obb2::new(Point2::new(1.0, 1.0), Vector2::x(), Vector2::new(1.0, 1.0));
    let large = Aabb2::new(Point2::new(1.0, 1.0), Point2::new(7.0, 7.0));
    let found = small.expect("a box").contact(&large).expect("they touch");
    assert!((found.point - Point2::new(1.75, 1.75)).norm() < 1e-15, "{found:?}");
    assert_eq!(found.depth, 1.0);
    assert!(inner(wide(&found.normal), [1.0, 1.0]) > 0.0);
}

scalars! {
    normal_and_depth_part_the_shapes => parts_by_normal_and_depth(11; 12);
}
