//! Vocabulary of the tests, for `use support::prelude::*`: random numbers and parts, numbers of
//! cases, plain vectors.

pub use boxwood::num::Scalar;
pub use nalgebra::{Isometry3, Matrix3, Point3, Unit, UnitQuaternion, Vector3};

pub use crate::placed_scenes::insert_posed;
pub use crate::plain_box::{PlainBox, V, inner, minus, norm, outer, plus, times};
pub use crate::posed_characters::model_of;
pub use crate::proof::{at_least, cases, step};
pub use crate::random::Random;
pub use crate::random_parts::{
    default_tree, point, random_part, turned, upright, upright_solid, vector,
};
pub use crate::scalars;
