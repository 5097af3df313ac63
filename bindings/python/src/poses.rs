//! Poses as seven numbers, directions as three.

use boxwood::Error;
use boxwood::f64::Pose;
use boxwood::nalgebra::{Isometry3, Point3, Quaternion, Unit, UnitQuaternion, Vector3};

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

/// Returns the unit vector along three numbers; an error with the reason for zero.
pub fn direction(v: &[f64], reason: &'static str) -> Result<Unit<Vector3<f64>>, Error> {
    if let Some(index) = v.iter().position(|x| !x.is_finite()) {
        return Err(Error::NotFinite { field: "coordinate of direction", index });
    }
    let most = v.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    if most == 0.0 {
        return Err(Error::BadQuery { reason });
    }
    // Scaled first: the square of a tiny or a huge length would underflow or overflow.
    Ok(Unit::new_normalize(Vector3::new(v[0], v[1], v[2]) / most))
}
