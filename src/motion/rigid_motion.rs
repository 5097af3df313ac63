//! Rigid motions in double precision: unit quaternions and translations, and their products.
//!
//! # Lengths of quaternions
//! Origins and axes of mechanisms, and stored poses, are normalised by root and division once. A
//! product `q` of length `1 + d` is normalised by one step of Newton's method for `1 / |q|` from 1:
//!
//! ```text
//! |q (3 - |q|^2) / 2| = (1 + d) (3 - (1 + d)^2) / 2 = 1 - 1.5 d^2 - 0.5 d^3
//! ```
//!
//! The unit of rounding is `u = 2^-53`. The step's own rounding is at most `4 u` (the square is off
//! by `4 u`, so its half by `2 u`; the difference and the last product by `u` each). A stored
//! rotation is therefore within `5 u` of length one if `1.5 d^2` is below `u`. It is: `d` is at
//! most the `5 u` of the ancestor, `8 u` of the product of two quaternions, and `12 u` of the
//! link's own, of which `4 u` belong to `o`, `5 u` to `o * a` and the angle between the two, `3 u`
//! to sine, cosine and the sum. So `d <= 25 u`, and `1.5 d^2` is 1e-29. Nothing accumulates along a
//! chain.

use nalgebra::{Isometry3, Quaternion, UnitQuaternion};

use crate::num::Scalar;
use crate::num::linear::{Vec3, add, cross, scale, sub};
use crate::shape::{Pose, wide_point};

/// A quaternion `[x, y, z, w]`.
pub(crate) type Quat = [f64; 4];

/// A rigid motion in double precision: a unit quaternion and a translation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RigidMotion {
    pub rotation: Quat,
    pub position: Vec3,
}

impl RigidMotion {
    pub const IDENTITY: RigidMotion =
        RigidMotion { rotation: [0.0, 0.0, 0.0, 1.0], position: [0.0; 3] };

    /// Converts a pose; its quaternion is normalised, or kept bit for bit if it is of length one up
    /// to rounding.
    pub fn normalised<T: Scalar>(pose: &Pose<T>) -> Self {
        let [x, y, z, w]: [T; 4] = pose.rotation.coords.into();
        let q: Quat = [x.wide(), y.wide(), z.wide(), w.wide()];
        let square = squared_length(q);
        let rotation = match (square - 1.0).abs() <= 4.0 * f64::EPSILON {
            true => q,
            false => q.map(|x| x / square.sqrt()),
        };
        RigidMotion { rotation, position: wide_point(pose.translation.vector.into()) }
    }

    /// Returns the product of two motions, the inner one first; its rotation is normalised by a
    /// step of Newton's method.
    #[inline(always)]
    pub fn times(&self, inner: &RigidMotion) -> RigidMotion {
        let q = product(self.rotation, inner.rotation);
        let factor = 1.5 - 0.5 * squared_length(q);
        RigidMotion {
            rotation: q.map(|x| x * factor),
            position: add(self.position, rotated(self.rotation, inner.position)),
        }
    }

    /// Rounds to the stored type.
    #[inline(always)]
    pub fn pose<T: Scalar>(&self) -> Pose<T> {
        let ([x, y, z, w], p) = (self.rotation.map(T::nearest), self.position.map(T::nearest));
        let rotation = UnitQuaternion::new_unchecked(Quaternion::new(w, x, y, z));
        Isometry3::from_parts(p.into(), rotation)
    }

    /// Returns another motion in the frame that this one moves.
    #[inline]
    pub fn relative(&self, other: &RigidMotion) -> RigidMotion {
        let back = conjugate(self.rotation);
        let q = product(back, other.rotation);
        let factor = 1.5 - 0.5 * squared_length(q);
        RigidMotion {
            rotation: q.map(|x| x * factor),
            position: rotated(back, sub(other.position, self.position)),
        }
    }
}

/// Returns the inverse of a unit quaternion.
#[inline(always)]
pub(crate) fn conjugate([x, y, z, w]: Quat) -> Quat {
    [-x, -y, -z, w]
}

#[inline(always)]
pub(crate) fn squared_length(q: Quat) -> f64 {
    (q[0] * q[0] + q[1] * q[1]) + (q[2] * q[2] + q[3] * q[3])
}

#[inline(always)]
pub(crate) fn product(a: Quat, b: Quat) -> Quat {
    let [x, y, z, w] = b;
    // Columns, so that the compiler fills lanes.
    let (by_x, by_y, by_z) = ([w, -z, y, -x], [z, w, -x, -y], [-y, x, w, -z]);
    std::array::from_fn(|i| (a[3] * b[i] + a[0] * by_x[i]) + (a[1] * by_y[i] + a[2] * by_z[i]))
}

/// Rotates a vector by a unit quaternion.
#[inline(always)]
pub(crate) fn rotated(q: Quat, v: Vec3) -> Vec3 {
    let u = [q[0], q[1], q[2]];
    let twice = scale(cross(u, v), 2.0);
    add(add(scale(twice, q[3]), cross(u, twice)), v)
}
