//! Two parts in place: the second seen from the first, rounded with a bound, and exactly.

use super::{Pose, wide_point};
use crate::num::Scalar;
use crate::num::exact::{Exact, ExactVec, add, dot, exact, scale, sub};
use crate::num::linear::{Mat3, Vec3, add as plus, length, turn};

/// The frame of the second part seen from the first, in double precision.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Relation {
    pub rotation: Mat3,
    pub offset: Vec3,
    /// No coordinate of [`Relation::seen`] is further off than this for a point within reach.
    /// Units.
    pub doubt: f64,
}

impl Relation {
    /// `reach` is that of both parts together: how far their points are from their origins.
    pub fn new(rotation: Mat3, offset: Vec3, reach: f64) -> Self {
        // See the third item of `num::tolerance`: under 80 e; this is 256 e, and covers the turn
        // too.
        let doubt = (reach + length(offset)) / (1u64 << 45) as f64;
        Relation { rotation, offset, doubt }
    }

    /// A point of the second part, seen from the first.
    pub fn seen(&self, point: Vec3) -> Vec3 {
        plus(turn(&self.rotation, point), self.offset)
    }
}

/// The same without any rounding, over the common denominator `|q_A|^2 |q_B|^2`: points of either
/// part in the frame of the first, all times that.
#[derive(Clone)]
pub(crate) struct ExactRelation {
    scale: Exact,
    /// Columns.
    rotation: [ExactVec; 3],
    offset: ExactVec,
}

impl ExactRelation {
    pub fn new<T: Scalar>(first: &Pose<T>, second: &Pose<T>) -> Self {
        let ((a, square_a), (b, square_b)) = (turned(first), turned(second));
        let back = |v: &ExactVec| [dot(&a[0], v), dot(&a[1], v), dot(&a[2], v)];
        let position = |pose: &Pose<T>| exact(wide_point(pose.translation.vector.into()));
        let between = sub(&position(second), &position(first));
        ExactRelation {
            scale: &square_a * &square_b,
            rotation: [back(&b[0]), back(&b[1]), back(&b[2])],
            offset: back(&scale(&between, &square_b)),
        }
    }

    /// The denominator; positive.
    pub fn scale(&self) -> Exact {
        self.scale.clone()
    }

    pub fn first(&self, point: Vec3) -> ExactVec {
        self.first_direction(point)
    }

    pub fn second(&self, point: Vec3) -> ExactVec {
        add(&self.second_direction(point), &self.offset)
    }

    pub fn first_direction(&self, v: Vec3) -> ExactVec {
        scale(&exact(v), &self.scale)
    }

    pub fn second_direction(&self, v: Vec3) -> ExactVec {
        let [x, y, z] = v.map(Exact::new);
        let [a, b, c] = &self.rotation;
        add(&add(&scale(a, &x), &scale(b, &y)), &scale(c, &z))
    }
}

/// `|q|^2` times the rotation matrix of `q / |q|`, by columns, and `|q|^2`.
fn turned<T: Scalar>(pose: &Pose<T>) -> ([ExactVec; 3], Exact) {
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
