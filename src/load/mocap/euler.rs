//! Rotations about single axes of a frame, composed one after the other.

use nalgebra::{ComplexField, Quaternion, UnitQuaternion, Vector3};

/// An axis of a frame: 0, 1 or 2.
pub(super) type AxisIndex = usize;

/// The axis named by a letter, in either case.
pub(super) fn axis(letter: char) -> Option<AxisIndex> {
    "xyz".find(letter.to_ascii_lowercase())
}

/// Returns a right-handed rotation about one axis, in degrees, by nalgebra's sine and cosine, which
/// by its features are equal on all machines.
pub(super) fn axis_rotation(axis: AxisIndex, degrees: f64) -> UnitQuaternion<f64> {
    let (sine, cosine) = ComplexField::sin_cos(0.5 * degrees.to_radians());
    let mut imaginary = Vector3::zeros();
    imaginary[axis] = sine;
    UnitQuaternion::new_normalize(Quaternion::from_parts(cosine, imaginary))
}

/// Parses a finite number.
pub(super) fn number(word: &str) -> Option<f64> {
    word.parse().ok().filter(|number: &f64| number.abs() <= 1e15)
}
