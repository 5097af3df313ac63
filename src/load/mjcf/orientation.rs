//! Poses of elements: a position and one of five ways to write an orientation.
//!
//! Source: the MuJoCo documentation, modeling chapter, "Frame orientations".

use nalgebra::{Isometry3, Matrix3, Quaternion, Rotation3, UnitQuaternion, Vector3};

use super::attributes::{Attributes, numbers};
use super::compiler::Compiler;
use super::element::Element;
use crate::load::urdf::xml::about;
use crate::shape::Pose;

/// Shorter vectors have no direction.
const SHORTEST: f64 = 1e-12;

/// The pose of an element in its parent. An orientation of its own replaces a default's, whichever
/// way either is written.
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

/// The pose of an element without defaults: a body, a frame.
pub(super) fn own_pose(element: Element<'_>, compiler: &Compiler<'_>) -> Result<Pose<f64>, String> {
    pose(Attributes::new(element, None, &[]), compiler)
}

/// The orientation that an element has of its own.
fn orientation(
    element: Element<'_>,
    compiler: &Compiler<'_>,
) -> Result<Option<UnitQuaternion<f64>>, String> {
    const WAYS: [&str; 5] = ["quat", "axisangle", "xyaxes", "zaxis", "euler"];
    let mut written = WAYS.into_iter().filter(|way| element.attribute(way).is_some());
    let Some(way) = written.next() else { return Ok(None) };
    if let Some(second) = written.next() {
        return Err(element.at(format!("both '{way}' and '{second}' are given")));
    }
    let no_length = || element.at(format!("'{way}' has no length"));
    let unit = |v: Vector3<f64>| v.try_normalize(SHORTEST).ok_or_else(no_length);
    let turn = match way {
        "quat" => {
            let [w, x, y, z] = numbers(element, way)?.unwrap_or_default();
            UnitQuaternion::try_new(Quaternion::new(w, x, y, z), SHORTEST).ok_or_else(no_length)?
        }
        "axisangle" => {
            let [x, y, z, angle] = numbers(element, way)?.unwrap_or_default();
            about(unit(Vector3::new(x, y, z))?, angle * compiler.angle)
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

/// The least rotation that turns z to a direction; straight down, half a turn about x.
pub(super) fn from_z(direction: Vector3<f64>) -> UnitQuaternion<f64> {
    let across = Vector3::z().cross(&direction);
    let (sine, cosine) = (across.norm(), direction.z);
    // Of two equal ratios the one without cancellation.
    let (w, xyz) = match across.try_normalize(1e-10) {
        None if cosine > 0.0 => (1.0, Vector3::zeros()),
        None => (0.0, Vector3::x()),
        Some(axis) if cosine > 0.0 => (1.0 + cosine, axis * sine),
        Some(axis) => (sine, axis * (1.0 - cosine)),
    };
    UnitQuaternion::new_normalize(Quaternion::from_parts(w, xyz))
}

/// A rotation by Euler angles: small letters are rotating axes, capital letters fixed ones.
pub(super) fn euler(sequence: &str, angles: [f64; 3], unit: f64) -> UnitQuaternion<f64> {
    let mut turn = UnitQuaternion::identity();
    for (letter, angle) in sequence.chars().zip(angles) {
        let axis = match letter.to_ascii_lowercase() {
            'x' => Vector3::x(),
            'y' => Vector3::y(),
            _ => Vector3::z(),
        };
        let next = about(axis, angle * unit);
        turn = if letter.is_ascii_lowercase() { turn * next } else { next * turn };
    }
    turn
}
