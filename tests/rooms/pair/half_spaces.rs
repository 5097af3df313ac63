//! Half-spaces against every shape: the lowest corner by brute force.

use boxwood::shape::Plane;

use support::each;
use support::pair::any_shape::{Kind, outside};
use support::pair::random_pairs;
use support::pair_regime::{REGIMES, Regime, Tally};
use support::prelude::*;

#[test]
fn half_spaces_agree_with_the_lowest_corner_of_every_shape() {
    let mut random = Random(21);
    let mut tally = Tally::default();
    for k in 0..cases(6_000) {
        let regime = REGIMES[k / 6 % 4];
        let plan = match regime {
            Regime::Degenerate => random_pairs::pair(
                random_pairs::Regime::Degenerate,
                [Kind::ALL[k % 6]; 2],
                &mut random,
            )[0],
            _ => random_pairs::shape(Kind::ALL[k % 6], &mut random),
        };
        let up: V = random.direction();
        let heights = plan.hull().into_iter().map(|p| inner(up, p));
        let least = heights.fold(f64::MAX, f64::min) - plan.round();
        let off = match regime {
            Regime::Apart => [-1.0, -0.3][random.below(2)],
            Regime::Touching => [0.0, 1e-12, -1e-12][random.below(3)],
            Regime::Deep => [1.0, 0.3][random.below(2)],
            Regime::Degenerate => [0.0, 1.0, -1.0, 0.3, -0.3][random.below(5)],
        };
        let off = off * plan.size().max(1e-3);
        let plane =
            Plane::new(Unit::new_unchecked(Vector3::from(up)), least + off).expect("a plane");
        let stored = plan.build::<f64>();
        let (verdict, back, closest, reversed, touch, distance) = each!(&stored, shape => (
            plane.intersects(shape),
            shape.intersects(&plane),
            plane.closest_points(shape),
            shape.closest_points(&plane),
            plane.contact(shape),
            shape.distance(&plane),
        ));
        assert_eq!((verdict, closest), (back, reversed.reversed()));
        assert_eq!(
            (verdict, verdict, distance),
            (distance == 0.0, touch.is_some(), closest.distance)
        );
        assert!((distance + off.min(0.0)).abs() < 1e-13, "{distance} {off} {plan:?}");
        assert!(off.abs() < 1e-11 || verdict == (off > 0.0));
        assert!(outside(&plan, closest.on_b.into()) < 1e-12);
        assert!(plane.distance(closest.on_a) < 1e-12);
        if let Some(touch) = touch {
            assert!(
                (touch.depth - off.max(0.0)).abs() < 1e-13
                    && norm((touch.normal - Vector3::from(up)).into()) < 1e-14
            );
        }
        tally.add(regime);
    }
    tally.finish("half-space and every shape");
}
