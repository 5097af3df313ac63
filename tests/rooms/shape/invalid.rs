//! Invalid shapes are refused, with fault and place; NaN and infinite points and directions never
//! panic.

use boxwood::Error;
use boxwood::num::Scalar;
use boxwood::shape::{Aabb, Capsule, Ellipsoid, Plane, Pose, Ray, Segment, Sphere, Triangle};
use nalgebra::{Matrix3, Point3, Translation3, Unit, UnitQuaternion, Vector3};

use super::plain_models::{KINDS, Kind};
use support::random::Random;

fn refused<T: Scalar>() {
    let [zero, one, far, nan] = [0.0, 1.0, 2.0 * T::MAX_COORDINATE, f64::NAN].map(T::nearest);
    let o = Point3::origin();
    let bad = Point3::new(zero, nan, zero);
    let wide = Point3::new(far, zero, zero);
    let not = |field, index| Error::NotFinite { field, index };
    assert_eq!(Sphere::new(bad, one).err(), Some(not("center", 0)));
    assert_eq!(Sphere::new(o, nan).err(), Some(not("radius", 0)));
    assert_eq!(Sphere::new(o, -one).err(), Some(Error::Negative { field: "radius", index: 0 }));
    assert!(matches!(Sphere::new(wide, one), Err(Error::OutOfRange { field: "center", .. })));
    let segment = Segment::new(o, o).expect("a point");
    assert_eq!(Segment::new(o, bad).err(), Some(not("end", 1)));
    assert_eq!(
        Capsule::new(segment, -one).err(),
        Some(Error::Negative { field: "radius", index: 0 })
    );
    assert_eq!(Triangle::new(o, o, bad).err(), Some(not("corner", 2)));
    assert!(matches!(Triangle::new(o, wide, o), Err(Error::OutOfRange { index: 1, .. })));
    let long = Unit::new_unchecked(Vector3::new(one, one, zero));
    assert!(matches!(Ray::new(o, long), Err(Error::NotUnit { field: "direction", .. })));
    assert!(matches!(Plane::new(long, zero), Err(Error::NotUnit { field: "normal", .. })));
    assert_eq!(Plane::new(Vector3::x_axis(), nan).err(), Some(not("offset", 0)));
    assert_eq!(Plane::through(bad, Vector3::x_axis()).err(), Some(not("point", 0)));
    let unit = Matrix3::identity();
    let round = Vector3::new(one, one, one);
    assert!(Ellipsoid::new(o, unit, round).is_ok());
    assert_eq!(Ellipsoid::new(bad, unit, round).err(), Some(not("center", 0)));
    let thin = Vector3::new(one, -one, one);
    assert_eq!(
        Ellipsoid::new(o, unit, thin).err(),
        Some(Error::Negative { field: "radius", index: 1 })
    );
    assert!(matches!(Ellipsoid::new(o, unit * T::nearest(2.0), round), Err(Error::NotUnit { .. })));
    let mirrored = Matrix3::from_diagonal(&Vector3::new(one, one, -one));
    assert!(matches!(Ellipsoid::new(o, mirrored, round), Err(Error::NotOrthonormal { .. })));
    let lost = Pose::from_parts(Translation3::new(zero, nan, zero), UnitQuaternion::identity());
    assert_eq!(segment.transformed(&lost).err(), Some(not("pose", 0)));
    let ray = Ray::new(o, Vector3::x_axis()).expect("a ray");
    let plane = Plane::new(Vector3::x_axis(), zero).expect("a plane");
    let ball = Sphere::new(o, one).expect("a ball");
    let ellipsoid = Ellipsoid::new(o, unit, round).expect("one");
    assert_eq!(ray.transformed(&lost).err(), Some(not("pose", 0)));
    assert_eq!(plane.transformed(&lost).err(), Some(not("pose", 0)));
    assert_eq!(ball.transformed(&lost).err(), Some(not("pose", 0)));
    assert_eq!(ellipsoid.transformed(&lost).err(), Some(not("pose", 0)));
}

#[test]
fn invalid_shapes_are_refused() {
    refused::<f32>();
    refused::<f64>();
}

#[test]
fn odd_points_and_directions_do_not_panic() {
    let mut random = Random(111);
    let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, 1e300, 1e-300];
    for _ in 0..2_000 {
        for kind in 0..KINDS.len() {
            let flat = random.chance(0.5);
            let shape = Kind::<f64>::random(kind, 1.0, [0.0; 3], flat, &mut random);
            let any: [f64; 3] = std::array::from_fn(|_| odd[random.below(6)]);
            shape.closest_point(any.into());
            shape.support(any.into());
            let nowhere = any.iter().any(|x| !x.is_finite());
            assert!(!(nowhere && shape.contains(any.into()) == Some(true)), "{shape:?} {any:?}");
        }
    }
    let empty = Aabb::<f32, 3>::empty();
    assert_eq!(empty.closest_point(Point3::origin()), None);
    assert_eq!(empty.support(Vector3::x()), None);
}
