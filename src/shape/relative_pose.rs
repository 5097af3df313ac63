//! Relative poses of two parts: rounded with a bound on the error, and exact.

use super::{Pose, wide_point};
use crate::num::Scalar;
use crate::num::exact::{Exact, ExactVec, add, dot, exact, scale, sub};
use crate::num::linear::{Mat3, Vec3, add as plus, length, rotate};

/// The pose of the second part in the frame of the first, in double precision.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RelativePose {
    pub rotation: Mat3,
    pub offset: Vec3,
    /// Error bound of each coordinate of [`RelativePose::to_first`], for points of the parts.
    /// Units.
    pub error: f64,
}

impl RelativePose {
    /// `radius` is the sum of both parts' radii about their origins.
    pub fn new(rotation: Mat3, offset: Vec3, radius: f64) -> Self {
        // The third item of `num::tolerance` is under 80 e; 256 e covers the rotation too.
        let error = (radius + length(offset)) / (1u64 << 45) as f64;
        RelativePose { rotation, offset, error }
    }

    /// Transforms a point of the second part to the frame of the first.
    pub fn to_first(&self, point: Vec3) -> Vec3 {
        plus(rotate(&self.rotation, point), self.offset)
    }
}

/// Exact relative pose, over the common denominator `|q_A|^2 |q_B|^2`: points of either part in the
/// frame of the first, times the denominator.
#[derive(Clone)]
pub(crate) struct ExactRelativePose {
    denominator: Exact,
    /// Columns.
    rotation: [ExactVec; 3],
    offset: ExactVec,
}

impl ExactRelativePose {
    pub fn new<T: Scalar>(first: &Pose<T>, second: &Pose<T>) -> Self {
        let ((a, square_a), (b, square_b)) = (scaled_rotation(first), scaled_rotation(second));
        let back = |v: &ExactVec| [dot(&a[0], v), dot(&a[1], v), dot(&a[2], v)];
        let position = |pose: &Pose<T>| exact(wide_point(pose.translation.vector.into()));
        let between = sub(&position(second), &position(first));
        ExactRelativePose {
            denominator: &square_a * &square_b,
            rotation: [back(&b[0]), back(&b[1]), back(&b[2])],
            offset: back(&scale(&between, &square_b)),
        }
    }

    /// The denominator; positive.
    pub fn denominator(&self) -> Exact {
        self.denominator.clone()
    }

    pub fn first_point(&self, point: Vec3) -> ExactVec {
        self.first_direction(point)
    }

    pub fn second_point(&self, point: Vec3) -> ExactVec {
        add(&self.second_direction(point), &self.offset)
    }

    pub fn first_direction(&self, v: Vec3) -> ExactVec {
        scale(&exact(v), &self.denominator)
    }

    pub fn second_direction(&self, v: Vec3) -> ExactVec {
        let [x, y, z] = v.map(Exact::new);
        let [a, b, c] = &self.rotation;
        add(&add(&scale(a, &x), &scale(b, &y)), &scale(c, &z))
    }
}

/// Columns of the rotation matrix of `q / |q|`, times `|q|^2`, and `|q|^2`.
fn scaled_rotation<T: Scalar>(pose: &Pose<T>) -> ([ExactVec; 3], Exact) {
    let q = pose.rotation.coords;
    let [x, y, z, w] = [q.x, q.y, q.z, q.w].map(|c| Exact::new(c.wide()));
    let (xx, yy, zz, ww) = (&x * &x, &y * &y, &z * &z, &w * &w);
    let (xy, xz, yz) = (&x * &y, &x * &z, &y * &z);
    let (wx, wy, wz) = (&w * &x, &w * &y, &w * &z);
    let twice = |a: Exact| &a + &a;
    let columns = [
        [&(&ww + &xx) - &(&yy + &zz), twice(&xy + &wz), twice(&xz - &wy)],
        [twice(&xy - &wz), &(&ww + &yy) - &(&xx + &zz), twice(&yz + &wx)],
        [twice(&xz + &wy), twice(&yz - &wx), &(&ww + &zz) - &(&xx + &yy)],
    ];
    (columns, &(&xx + &yy) + &(&zz + &ww))
}
