//! Poses as seven numbers.

use boxwood::f64::Pose;
use boxwood::nalgebra::{Isometry3, Point3, Quaternion, UnitQuaternion};

/// Seven numbers of a pose: position x, y, z, then the rotation as a quaternion x, y, z, w.
pub const POSE: usize = 7;

/// Converts seven numbers to a pose, without a check.
pub fn pose(numbers: &[f64]) -> Pose {
    let [x, y, z, i, j, k, w] = std::array::from_fn(|at| numbers[at]);
    let rotation = UnitQuaternion::new_unchecked(Quaternion::new(w, i, j, k));
    Isometry3::from_parts(Point3::new(x, y, z).coords.into(), rotation)
}

/// Converts a pose to seven numbers.
pub fn numbers(pose: &Pose) -> [f64; POSE] {
    let (at, turned) = (&pose.translation.vector, &pose.rotation.coords);
    [at.x, at.y, at.z, turned.x, turned.y, turned.z, turned.w]
}
