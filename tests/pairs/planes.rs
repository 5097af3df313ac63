//! The solid side of a plane: the lowest corner, found by looking at all of them.

use boxwood::nalgebra::{Unit, Vector3};
use boxwood::shape::Plane;

use crate::any::{Kind, outside};
use crate::block::{V, inner, norm};
use crate::each;
use crate::random::Random;
use crate::regimes;

#[test]
fn half_spaces_against_every_shape() {
    let mut random = Random(21);
    let (mut apart, mut together, mut touching) = (0, 0, 0);
    for k in 0..6_000 {
        let plan = regimes::shape(Kind::ALL[k % 6], &mut random);
        let up: V = random.direction();
        let heights = plan.hull().into_iter().map(|p| inner(up, p));
        let least = heights.fold(f64::MAX, f64::min) - plan.round();
        let off = [0.0, 1.0, -1.0, 0.3, -0.3, 1e-12, -1e-12][random.below(7)] * plan.size();
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
        match off {
            0.0 => touching += 1,
            _ if verdict => together += 1,
            _ => apart += 1,
        }
    }
    println!("{apart} apart, {touching} touching, {together} together");
    assert!(apart > 600 && together > 600 && touching > 600);
}
