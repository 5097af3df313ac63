//! Shapes, spatial and planar, and their poses.

use boxwood::Error;
use boxwood::f64::{Obb2, Polygon2};
use boxwood::shape::{Capsule, Ellipsoid, Obb, Plane, Pose, Ray, Segment, Sphere, Triangle};
use nalgebra::{Point2, Quaternion, Translation3};

use support::prelude::*;
use support::refuses;

fn round_and_flat_shapes<T: Scalar>() {
    let [zero, one, far] = [0.0, 1.0, 2.0 * T::MAX_COORDINATE].map(T::nearest);
    let (o, unit, round) = (Point3::origin(), Matrix3::identity(), vector([1.0; 3]));
    let segment = Segment::new(o, o).expect("a point");
    for x in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let bad = Point3::from(vector([0.0, x, 2.0]));
        let x = T::nearest(x);
        refuses! {
            Sphere::new(bad, one) => Error::NotFinite { field: "center", index: 0 },
            Sphere::new(o, x.abs()) => Error::NotFinite { field: "radius", index: 0 },
            Capsule::new(segment, x.abs()) => Error::NotFinite { field: "radius", index: 0 },
            Segment::new(o, bad) => Error::NotFinite { field: "end", index: 1 },
            Triangle::new(o, bad, o) => Error::NotFinite { field: "corner", index: 1 },
            Triangle::new(o, o, bad) => Error::NotFinite { field: "corner", index: 2 },
            Plane::new(Vector3::x_axis(), x) => Error::NotFinite { field: "offset", index: 0 },
            Plane::through(bad, Vector3::x_axis()) => Error::NotFinite { field: "point", index: 0 },
            Ellipsoid::new(bad, unit, round) => Error::NotFinite { field: "center", index: 0 },
        }
    }
    let wide = Point3::new(far, zero, zero);
    let long = Unit::new_unchecked(vector([1.0, 1.0, 0.0]));
    let mirrored = Matrix3::from_diagonal(&vector([1.0, 1.0, -1.0]));
    refuses! {
        Sphere::new(o, -one) => Error::Negative { field: "radius", index: 0 },
        Sphere::new(wide, one) => Error::OutOfRange { field: "center", .. },
        Capsule::new(segment, -one) => Error::Negative { field: "radius", index: 0 },
        Triangle::new(o, wide, o) => Error::OutOfRange { index: 1, .. },
        Ray::new(o, long) => Error::NotUnit { field: "direction", .. },
        Plane::new(long, zero) => Error::NotUnit { field: "normal", .. },
        Ellipsoid::new(o, unit, vector([1.0, -1.0, 1.0]))
            => Error::Negative { field: "radius", index: 1 },
        Ellipsoid::new(o, unit * T::nearest(2.0), round) => Error::NotUnit { .. },
        Ellipsoid::new(o, mirrored, round) => Error::NotOrthonormal { .. },
    }
    let lost = Pose::from_parts(
        Translation3::from(vector([0.0, f64::NAN, 0.0])),
        UnitQuaternion::identity(),
    );
    refuses! {
        all Error::NotFinite { field: "pose", index: 0 };
        segment.transformed(&lost),
        Ray::new(o, Vector3::x_axis()).expect("a ray").transformed(&lost),
        Plane::new(Vector3::x_axis(), zero).expect("a plane").transformed(&lost),
        Sphere::new(o, one).expect("a ball").transformed(&lost),
        Ellipsoid::new(o, unit, round).expect("an ellipsoid").transformed(&lost),
    }
}

const ORIGIN: [f64; 3] = [0.0; 3];
const UNIT: [f64; 9] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
const HALF: [f64; 3] = [1.0, 2.0, 3.0];

fn obb<T: Scalar>(center: [f64; 3], axes: [f64; 9], half: [f64; 3]) -> Result<Obb<T>, Error> {
    let axes = Matrix3::from_column_slice(&axes).map(T::nearest);
    Obb::new(Point3::from(vector(center)), axes, vector(half))
}

fn changed<const N: usize>(mut numbers: [f64; N], index: usize, to: f64) -> [f64; N] {
    numbers[index] = to;
    numbers
}

fn boxes<T: Scalar>() {
    assert!(obb::<T>(ORIGIN, UNIT, HALF).is_ok());
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for i in 0..3 {
            refuses! {
                obb::<T>(changed(ORIGIN, i, bad), UNIT, HALF)
                    => Error::NotFinite { field: "center", index: 0 },
                obb::<T>(ORIGIN, changed(UNIT, 4 * i, bad), HALF)
                    => Error::NotFinite { field: "axes", index: 0 },
                obb::<T>(ORIGIN, UNIT, changed(HALF, i, bad))
                    => Error::NotFinite { field: "half extents", index: 0 },
            }
        }
    }
    let skew = [1.0, 0.0, 0.0, 0.6, 0.8, 0.0, 0.0, 0.0, 1.0];
    refuses! {
        obb::<T>([0.0, T::MAX_COORDINATE * 2.0, 0.0], UNIT, HALF)
            => Error::OutOfRange { field: "center", .. },
        obb::<T>(ORIGIN, UNIT, [1.0, -1e-3, 1.0])
            => Error::Negative { field: "half extent", index: 1 },
        obb::<T>(ORIGIN, changed(UNIT, 4, 1.01), HALF)
            => Error::NotUnit { field: "axis", index: 1, .. },
        obb::<T>(ORIGIN, [0.0; 9], HALF) => Error::NotUnit { field: "axis", index: 0, .. },
        obb::<T>(ORIGIN, skew, HALF) => Error::NotOrthonormal { field: "axis", .. },
        obb::<T>(ORIGIN, changed(UNIT, 8, -1.0), HALF)
            => Error::NotOrthonormal { field: "axis", .. },
    }
    // Off by rounding, or slightly more: normalized.
    let rounded = changed(changed(UNIT, 0, 1.0 + 5e-4), 1, 5e-4);
    let axes = obb::<T>(ORIGIN, rounded, HALF).expect("within tolerance").axes();
    let off = (axes.transpose() * axes - Matrix3::identity()).amax().wide();
    assert!(off <= 4.0 * T::ROUNDING, "{off:e}");
}

#[test]
fn boxes_in_invalid_poses_are_refused() {
    let pose = |x: f32, w: f32| Pose {
        translation: Translation3::new(x, 0.0, 0.0),
        rotation: UnitQuaternion::new_unchecked(Quaternion::new(w, 0.0, 0.0, 0.0)),
    };
    let half = Vector3::new(1.0, 1.0, 1.0);
    let unit = Obb::from_pose(&pose(2.0, 1.0), half).expect("a pose");
    assert_eq!(unit.center(), Point3::new(2.0, 0.0, 0.0));
    for bad in [pose(f32::NAN, 1.0), pose(0.0, f32::INFINITY)] {
        refuses! {
            all Error::NotFinite { field: "pose", index: 0 };
            Obb::from_pose(&bad, half),
            unit.transformed(&bad),
        }
    }
    refuses! { unit.transformed(&pose(0.0, 1.1)) => Error::NotUnit { .. } }
}

fn polygon(corners: &[[f64; 2]]) -> Result<Polygon2, Error> {
    Polygon2::new(corners.iter().map(|&c| c.into()).collect())
}

#[test]
fn polygons_must_be_convex_and_wind_once() {
    let (bit, square) = (f64::EPSILON, [[0., 0.], [1., 0.], [1., 1.], [0., 1.]]);
    let star = [[0., 3.], [2., -3.], [-3., 1.], [3., 1.], [-2., -3.]];
    // A dent; a repeated corner; there and back; a line; a star; a square wound twice; one bit
    // inwards.
    refuses! {
        polygon(&[[0., 0.], [4., 0.], [1., 1.], [0., 4.]]) => Error::NotConvex { .. },
        polygon(&[[0., 0.], [4., 0.], [4., 0.], [0., 4.]]) => Error::NotConvex { .. },
        polygon(&[[0., 0.], [4., 0.], [2., 0.], [0., 4.]]) => Error::NotConvex { .. },
        polygon(&[[0., 0.], [1., 0.], [2., 0.]]) => Error::NotConvex { .. },
        polygon(&star) => Error::NotConvex { .. },
        polygon(&[square, square].concat()) => Error::NotConvex { .. },
        polygon(&[[0., 0.], [1., bit / 2.], [2., 0.], [1., 1.]]) => Error::NotConvex { .. },
        polygon(&[[0., 0.], [1., 0.]])
            => Error::WrongCount { field: "corners", expected: 3, found: 2 },
        polygon(&[[0., 0.], [1., f64::NAN], [0., 1.]])
            => Error::NotFinite { field: "corner", index: 1 },
    }
    assert!(polygon(&[[0., 0.], [1., 0.0 - bit / 2.], [2., 0.], [1., 1.]]).is_ok());
    assert!(polygon(&[[0., 0.], [1., 0.], [2., 0.], [1., 1.]]).is_ok());
}

#[test]
fn planar_boxes_without_a_unit_axis_and_half_extents_are_refused() {
    let planar =
        |axis: [f64; 2], half: [f64; 2]| Obb2::new(Point2::origin(), axis.into(), half.into());
    refuses! {
        planar([1.0, 0.0], [1.0, -1.0]) => Error::Negative { field: "half extent", index: 1 },
        planar([1.0, 1.0], [1.0, 1.0]) => Error::NotUnit { .. },
        planar([f64::NAN, 1.0], [1.0, 1.0]) => Error::NotFinite { .. },
        planar([1.0, 0.0], [1e80, 1.0]) => Error::OutOfRange { .. },
    }
}

scalars! {
    invalid_round_and_flat_shapes_are_refused => round_and_flat_shapes();
    boxes_with_nan_or_without_unit_axes_are_refused => boxes();
}
