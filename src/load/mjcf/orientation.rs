//! Poses of elements: a position, and an orientation in one of five notations.
//!
//! Source: the MuJoCo documentation, modeling chapter, "Frame orientations".

use nalgebra::{Isometry3, Matrix3, Quaternion, Rotation3, UnitQuaternion, Vector3};

use super::attributes::{Attributes, numbers};
use super::compiler::Compiler;
use super::element::Element;
use crate::load::urdf::xml::rotation_about;
use crate::shape::Pose;

/// Length below which a vector has no direction.
const MIN_LENGTH: f64 = 1e-12;

/// Returns the pose of an element in its parent. An element's own orientation replaces a default's,
/// in whichever notation either is written.
pub(super) fn pose(
    attributes: Attributes<'_, '_>,
    compiler: &Compiler<'_>,
) -> Result<Pose<f64>, String> {
    let position = attributes.three("pos")?.unwrap_or_default();
    let mut turn = None;
    for element in attributes.elements() {
        turn = orientation(element, compiler)?;
        if turn.is_some() {
            break;
        }
    }
    Ok(Isometry3::from_parts(position.into(), turn.unwrap_or_default()))
}

/// Returns the pose of an element without defaults: a body, a frame.
pub(super) fn own_pose(element: Element<'_>, compiler: &Compiler<'_>) -> Result<Pose<f64>, String> {
    pose(Attributes::new(element, None, &[]), compiler)
}

/// Returns the element's own orientation.
fn orientation(
    element: Element<'_>,
    compiler: &Compiler<'_>,
) -> Result<Option<UnitQuaternion<f64>>, String> {
    const NOTATIONS: [&str; 5] = ["quat", "axisangle", "xyaxes", "zaxis", "euler"];
    let mut written = NOTATIONS.into_iter().filter(|way| element.attribute(way).is_some());
    let Some(way) = written.next() else { return Ok(None) };
    if let Some(second) = written.next() {
        return Err(element.at(format!("both '{way}' and '{second}' are given")));
    }
    let no_length = || element.at(format!("'{way}' has no length"));
    let unit = |v: Vector3<f64>| v.try_normalize(MIN_LENGTH).ok_or_else(no_length);
    let turn = match way {
        "quat" => {
            let [w, x, y, z] = numbers(element, way)?.unwrap_or_default();
            UnitQuaternion::try_new(Quaternion::new(w, x, y, z), MIN_LENGTH)
                .ok_or_else(no_length)?
        }
        "axisangle" => {
            let [x, y, z, angle] = numbers(element, way)?.unwrap_or_default();
            rotation_about(unit(Vector3::new(x, y, z))?, angle * compiler.angle)
        }
        "xyaxes" => {
            let [a, b, c, d, e, f] = numbers(element, way)?.unwrap_or_default();
            let (x, y) = (unit(Vector3::new(a, b, c))?, Vector3::new(d, e, f));
            let y = unit(y - x * x.dot(&y))?;
            let axes = Matrix3::from_columns(&[x, y, x.cross(&y)]);
            UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes))
        }
        "zaxis" => from_z(unit(Vector3::from(numbers(element, way)?.unwrap_or_default()))?),
        _ => euler(compiler.sequence, numbers(element, way)?.unwrap_or_default(), compiler.angle),
    };
    Ok(Some(turn))
}

/// Returns the smallest rotation from z to a direction; half a turn about x for straight down.
pub(super) fn from_z(direction: Vector3<f64>) -> UnitQuaternion<f64> {
    let across = Vector3::z().cross(&direction);
    let (sine, cosine) = (across.norm(), direction.z);
    // The one of two equal ratios that has no cancellation.
    let (w, xyz) = match across.try_normalize(1e-10) {
        None if cosine > 0.0 => (1.0, Vector3::zeros()),
        None => (0.0, Vector3::x()),
        Some(axis) if cosine > 0.0 => (1.0 + cosine, axis * sine),
        Some(axis) => (sine, axis * (1.0 - cosine)),
    };
    UnitQuaternion::new_normalize(Quaternion::from_parts(w, xyz))
}

/// Returns a rotation by Euler angles: small letters are rotating axes, capital letters fixed ones.
pub(super) fn euler(sequence: &str, angles: [f64; 3], unit: f64) -> UnitQuaternion<f64> {
    let mut turn = UnitQuaternion::identity();
    for (letter, angle) in sequence.chars().zip(angles) {
        let axis = match letter.to_ascii_lowercase() {
            'x' => Vector3::x(),
            'y' => Vector3::y(),
            _ => Vector3::z(),
        };
        let next = rotation_about(axis, angle * unit);
        turn = if letter.is_ascii_lowercase() { turn * next } else { next * turn };
    }
    turn
}
