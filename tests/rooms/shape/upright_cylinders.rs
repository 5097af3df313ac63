//! Upright cylinders: support distances by the farthest of many rim points, and the cylinder around
//! a ball.

use boxwood::f64::{Sphere, UprightCylinder};
use boxwood::shape::UpAxis;

use support::prelude::*;

const AXES: [(UpAxis, usize); 3] = [(UpAxis::X, 0), (UpAxis::Y, 1), (UpAxis::Z, 2)];

#[test]
fn support_distances_are_those_of_the_farthest_rim_point() {
    let mut random = Random(811);
    for _ in 0..cases(2_000) {
        let (radius, half) = (random.between(0.1, 2.0), random.between(0.1, 2.0));
        let cylinder = UprightCylinder::new(radius, half).expect("a cylinder");
        let normal = Vector3::from(random.direction());
        for (up, axis) in AXES {
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            // The rim nearest to the normal by angle, by two neighbours of 4,096.
            let rim = (0..4_096).map(|k| std::f64::consts::TAU * f64::from(k) / 4_096.0);
            let farthest = rim
                .map(|angle| radius * (angle.cos() * normal[u] + angle.sin() * normal[v]))
                .fold(0.0, f64::max)
                + half * normal[axis].abs();
            let stated = cylinder.support_distance(Unit::new_normalize(normal), up);
            assert!(farthest <= stated + 1e-12, "{up:?} {normal:?}: {farthest} {stated}");
            assert!(stated - farthest < 1e-6 * radius, "{up:?} {normal:?}: {farthest} {stated}");
            // At most that of the box around the cylinder.
            let of_box = radius * (normal[u].abs() + normal[v].abs()) + half * normal[axis].abs();
            assert!(stated <= of_box + 1e-12);
        }
    }
}

/// Checks that the cylinder around a ball is as high and as wide as the ball, and that no smaller
/// one contains it.
#[test]
fn the_cylinder_around_a_ball_touches_it_all_around() {
    let mut random = Random(812);
    for _ in 0..cases(500) {
        let radius = random.between(0.01, 9.0);
        let ball = Sphere::new(Point3::from(random.direction()), radius).expect("a ball");
        let cylinder = UprightCylinder::around_ball(&ball);
        assert_eq!((cylinder.radius(), cylinder.half_height()), (radius, radius));
        for (up, axis) in AXES {
            let normal = Unit::new_normalize(Vector3::from(random.direction()));
            assert!(cylinder.support_distance(normal, up) >= radius * (1.0 - 1e-15));
            let along = Unit::new_unchecked(Vector3::ith(axis, 1.0));
            let across = Unit::new_unchecked(Vector3::ith((axis + 1) % 3, 1.0));
            assert_eq!(cylinder.support_distance(along, up), radius);
            assert_eq!(cylinder.support_distance(across, up), radius);
        }
    }
}
