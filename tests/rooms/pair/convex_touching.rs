//! Convex bodies that touch exactly, and balls on the inside of needles: never missed.

use boxwood::pair::ConvexShape;
use boxwood::shape::{ConvexHull, Cylinder, Sphere, Triangle};

use support::prelude::*;

/// Checks bodies on either side of a plane that have exactly one point in common: rounding alone
/// would separate many of them.
#[test]
fn bodies_that_share_a_corner_touch() {
    let mut random = Random(15);
    for round in 0..cases(4_000) {
        let n = random.direction();
        // Points on the side of a sign, some nearly in the plane.
        let hull = |random: &mut Random, common: V, sign: f64| {
            let corners = (0..5).map(|_| {
                let aside = times(random.direction(), random.decade(-4.0, 1.0));
                let up = sign * random.decade(-9.0, 0.0) - inner(aside, n);
                plus(common, plus(aside, times(n, up)))
            });
            let all: Vec<_> = corners.chain([common]).map(Point3::from).collect();
            ConvexShape::<f64>::from(ConvexHull::new(&all).expect("a hull"))
        };
        let common = times(random.direction(), random.decade(-2.0, 2.0));
        let (a, b) = (hull(&mut random, common, 1.0), hull(&mut random, common, -1.0));
        assert!(a.intersects(&b) && b.intersects(&a), "{round} {a:?} {b:?}");
        // On the lid of a cylinder whose height is a whole number of quarters.
        let (radius, half) = (random.decade(-3.0, 1.0), 0.25 * (1 + random.below(40)) as f64);
        let drum = Cylinder::new(Point3::origin(), Vector3::z_axis(), half, radius);
        let drum = ConvexShape::from(drum.expect("a cylinder"));
        let [x, y] = [0, 1].map(|_| 0.5 * radius * random.between(-1.0, 1.0));
        let above = (0..5).map(|_| {
            let aside = times(random.direction(), random.decade(-4.0, 1.0));
            Point3::new(x + aside[0], y + aside[1], half + aside[2].abs())
        });
        let all: Vec<_> = above.chain([Point3::new(x, y, half)]).collect();
        let hull = ConvexShape::from(ConvexHull::new(&all).expect("a hull"));
        assert!(drum.intersects(&hull), "{round} {drum:?} {hull:?}");
    }
}

/// Checks balls on needles, whose inside is nearer than their edges by more than rounding.
#[test]
fn balls_touch_the_inside_of_needles() {
    let mut random = Random(5);
    for _ in 0..cases(4_000) {
        let (axes, width) = (random.rotation(), random.decade(-5.0, -2.0));
        let at = |x: f64, y: f64| plus(times(axes[0], x), times(axes[1], y));
        let corners = [at(0.0, 0.0), at(1.0, width), at(1.0, -width)];
        let x = random.between(0.2, 0.9);
        let p = at(x, x * width * random.between(-0.5, 0.5));
        let radius = random.decade(-6.0, 1.0);
        let [a, b, c] = corners.map(Point3::from);
        let needle = Triangle::new(a, b, c).expect("a triangle");
        for (gap, is_touching) in [(-1e-13, true), (1e-11, false)] {
            let height = radius + gap * (1.0 + radius);
            let center = plus(p, times(axes[2], height));
            let ball = Sphere::new(Point3::from(center), radius).expect("a ball");
            assert_eq!(needle.intersects(&ball), is_touching, "{gap:e} {needle:?} {ball:?}");
            let [x, y] = [ConvexShape::from(needle), ConvexShape::from(ball)];
            assert_eq!(x.intersects(&y), is_touching, "{gap:e} {needle:?} {ball:?}");
            let there = Sphere::new(Point3::from(center), 0.0).expect("a point");
            let off = needle.distance(&there) - height.abs();
            assert!(off.abs() < 1e-14 * (1.0 + radius), "{off:e}");
        }
    }
}
