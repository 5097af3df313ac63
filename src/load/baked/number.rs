//! Exact serialization of numbers: the bits of their type.

use nalgebra::{Matrix3, Point3, Quaternion, Unit, Vector3};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::num::Scalar;

/// A number in the character's own scalar type.
#[derive(Debug, Clone, Copy)]
pub(super) struct Number<T>(pub T);

const SINGLE: usize = size_of::<f32>();

impl<T: Scalar> Serialize for Number<T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match size_of::<T>() {
            SINGLE => to.serialize_f32(self.0.wide() as f32),
            _ => to.serialize_f64(self.0.wide()),
        }
    }
}

impl<'de, T: Scalar> Deserialize<'de> for Number<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let wide = match size_of::<T>() {
            SINGLE => f64::from(f32::deserialize(from)?),
            _ => f64::deserialize(from)?,
        };
        Ok(Number(T::nearest(wide)))
    }
}

pub(super) type NumberTriple<T> = [Number<T>; 3];
pub(super) type NumberQuad<T> = [Number<T>; 4];

pub(super) fn triple<T: Scalar>(v: &Vector3<T>) -> NumberTriple<T> {
    [Number(v.x), Number(v.y), Number(v.z)]
}

pub(super) fn vector<T: Scalar>(v: &NumberTriple<T>) -> Vector3<T> {
    Vector3::new(v[0].0, v[1].0, v[2].0)
}

pub(super) fn point<T: Scalar>(v: &NumberTriple<T>) -> Point3<T> {
    vector(v).into()
}

/// The coordinates in the order x, y, z, w.
pub(super) fn quad<T: Scalar>(q: &Quaternion<T>) -> NumberQuad<T> {
    [q.i, q.j, q.k, q.w].map(Number)
}

pub(super) fn quaternion<T: Scalar>(q: &NumberQuad<T>) -> Quaternion<T> {
    Quaternion::new(q[3].0, q[0].0, q[1].0, q[2].0)
}

/// A rotation that is not normalised, to keep its bits; its user checks the length.
pub(super) fn rotation<T: Scalar>(q: &NumberQuad<T>) -> Unit<Quaternion<T>> {
    Unit::new_unchecked(quaternion(q))
}

/// The matrix by columns.
pub(super) fn triples<T: Scalar>(m: &Matrix3<T>) -> [NumberTriple<T>; 3] {
    [0, 1, 2].map(|j| triple(&m.column(j).into_owned()))
}

pub(super) fn matrix<T: Scalar>(m: &[NumberTriple<T>; 3]) -> Matrix3<T> {
    Matrix3::from_columns(&[vector(&m[0]), vector(&m[1]), vector(&m[2])])
}
