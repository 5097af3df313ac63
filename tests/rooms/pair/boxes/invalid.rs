//! Invalid boxes are refused; the error names the fault and its place.

use boxwood::Error;
use boxwood::num::Scalar;
use boxwood::shape::{Obb, Pose};
use nalgebra::{Matrix3, Point3, Quaternion, Translation3, UnitQuaternion, Vector3};

fn build<T: Scalar>(center: [f64; 3], axes: [f64; 9], half: [f64; 3]) -> Result<Obb<T>, Error> {
    let vector = |v: [f64; 3]| Vector3::from(v).map(T::nearest);
    let matrix = Matrix3::from_column_slice(&axes).map(T::nearest);
    Obb::new(Point3::from(vector(center)), matrix, vector(half))
}

const ORIGIN: [f64; 3] = [0.0; 3];
const UNIT: [f64; 9] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
const HALF: [f64; 3] = [1.0, 2.0, 3.0];

fn refused<T: Scalar>() {
    assert!(build::<T>(ORIGIN, UNIT, HALF).is_ok());
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for i in 0..3 {
            let (mut center, mut half, mut axes) = (ORIGIN, HALF, UNIT);
            (center[i], half[i], axes[4 * i]) = (bad, bad, bad);
            let center = build::<T>(center, UNIT, HALF);
            assert_eq!(center, Err(Error::NotFinite { field: "center", index: 0 }));
            let half = build::<T>(ORIGIN, UNIT, half);
            assert_eq!(half, Err(Error::NotFinite { field: "half extents", index: 0 }));
            let axes = build::<T>(ORIGIN, axes, HALF);
            assert_eq!(axes, Err(Error::NotFinite { field: "axes", index: 0 }));
        }
    }
    let far = build::<T>([0.0, T::MAX_COORDINATE * 2.0, 0.0], UNIT, HALF);
    assert!(matches!(far, Err(Error::OutOfRange { field: "center", .. })), "{far:?}");
    let negative = build::<T>(ORIGIN, UNIT, [1.0, -1e-3, 1.0]);
    assert_eq!(negative, Err(Error::Negative { field: "half extent", index: 1 }));
}

fn axes_refused<T: Scalar>() {
    let mut long = UNIT;
    long[4] = 1.01;
    let long = build::<T>(ORIGIN, long, HALF);
    assert!(matches!(long, Err(Error::NotUnit { field: "axis", index: 1, .. })), "{long:?}");
    let zero = build::<T>(ORIGIN, [0.0; 9], HALF);
    assert!(matches!(zero, Err(Error::NotUnit { field: "axis", index: 0, .. })), "{zero:?}");
    let skew = build::<T>(ORIGIN, [1.0, 0.0, 0.0, 0.6, 0.8, 0.0, 0.0, 0.0, 1.0], HALF);
    assert!(matches!(skew, Err(Error::NotOrthonormal { field: "axis", .. })), "{skew:?}");
    let mut left = UNIT;
    left[8] = -1.0;
    let left = build::<T>(ORIGIN, left, HALF);
    assert!(matches!(left, Err(Error::NotOrthonormal { field: "axis", .. })), "{left:?}");
    // Off by rounding, or a little more: straightened.
    let mut rounded = UNIT;
    (rounded[0], rounded[1]) = (1.0 + 5e-4, 5e-4);
    let axes = build::<T>(ORIGIN, rounded, HALF).expect("within tolerance").axes();
    let off = (axes.transpose() * axes - Matrix3::identity()).amax().wide();
    assert!(off <= 4.0 * T::ROUNDING, "{off:e}");
}

#[test]
fn nan_and_infinity_are_refused() {
    refused::<f32>();
    refused::<f64>();
}

#[test]
fn axes_of_length_zero_are_refused() {
    axes_refused::<f32>();
    axes_refused::<f64>();
}

#[test]
fn invalid_poses_are_refused() {
    let pose = |x: f32, w: f32| Pose {
        translation: Translation3::new(x, 0.0, 0.0),
        rotation: UnitQuaternion::new_unchecked(Quaternion::new(w, 0.0, 0.0, 0.0)),
    };
    let half = Vector3::new(1.0, 1.0, 1.0);
    let unit = Obb::from_pose(&pose(2.0, 1.0), half).expect("a pose");
    assert_eq!(unit.center(), Point3::new(2.0, 0.0, 0.0));
    for (bad, name) in [(pose(f32::NAN, 1.0), "nan"), (pose(0.0, f32::INFINITY), "infinite")] {
        let refused = Err(Error::NotFinite { field: "pose", index: 0 });
        assert_eq!(Obb::from_pose(&bad, half), refused, "{name}");
        assert_eq!(unit.transformed(&bad), refused, "{name}");
    }
    let long = unit.transformed(&pose(0.0, 1.1));
    assert!(matches!(long, Err(Error::NotUnit { .. })), "{long:?}");
}
