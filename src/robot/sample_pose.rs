//! Poses of samples in the stored type.

use nalgebra::{Isometry3, UnitQuaternion};

use crate::num::Scalar;
use crate::shape::Pose;

/// Rounds a pose to the stored type, as [`Mechanism::poses`](crate::motion::Mechanism::poses) does.
pub(super) fn rounded_pose<T: Scalar>(pose: &Pose<f64>) -> Pose<T> {
    let rotation = UnitQuaternion::new_unchecked(pose.rotation.coords.map(T::nearest).into());
    Isometry3::from_parts(pose.translation.vector.map(T::nearest).into(), rotation)
}
