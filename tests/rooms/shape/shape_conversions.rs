//! Conversions of one shape into another with the same points.

use boxwood::Error;
use boxwood::num::Scalar;
use boxwood::shape::{Aabb, Capsule, Obb, Segment, Sphere};
use nalgebra::{Point3, Vector3};

use support::random::Random;

fn any<T: Scalar>(size: f64, random: &mut Random) -> Point3<T> {
    Point3::from(Vector3::from_fn(|_, _| T::nearest(random.between(-size, size))))
}

fn same<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    for _ in 0..5_000 {
        let far: Vector3<T> = any(random.decade(-2.0, 6.0), &mut random).coords;
        let [a, b, c, d] = [0; 4].map(|_| any::<T>(1.0, &mut random) + far);
        let stored = Aabb::from_points([a, b]);
        let solid = Obb::try_from(stored).expect("a box");
        assert!(stored.corners().iter().all(|&corner| solid.contains(corner)), "{stored:?}");
        let room = (solid.half_extents() - stored.half_extents()).amax().wide();
        let reach = a.coords.amax().wide().max(b.coords.amax().wide());
        assert!(room <= 4.0 * T::ROUNDING * reach, "{room:e} {stored:?} {solid:?}");
        let (line, ball) = (Segment::new(a, b).expect("ends"), Sphere::new(c, (d - a).norm()));
        let (ball, other) =
            (ball.expect("a ball"), Sphere::new(d, T::nearest(0.1)).expect("a ball"));
        assert_eq!(Capsule::from(line).closest_points(&other), line.closest_points(&other));
        let (capsule, answer) = (Capsule::from(ball).distance(&stored), ball.distance(&stored));
        assert!(
            (capsule - answer).wide().abs() <= 1e-12 * (1.0 + reach) + T::ROUNDING * answer.wide()
        );
        assert_eq!(Capsule::from(ball).aabb(), ball.aabb());
    }
}

#[test]
fn conversions_contain_the_same_points() {
    same::<f32>(1);
    same::<f64>(2);
}

#[test]
fn empty_and_unbounded_boxes_are_no_obb() {
    let all =
        Aabb::<f32, 3>::new(Point3::from([f32::NEG_INFINITY; 3]), Point3::from([f32::INFINITY; 3]));
    assert!(matches!(Obb::try_from(Aabb::<f64, 3>::empty()), Err(Error::Empty { .. })));
    assert!(matches!(Obb::try_from(all), Err(Error::NotFinite { .. })));
}
