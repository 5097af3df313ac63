//! The collision shapes of bodies.

use nalgebra::{Isometry3, Quaternion, UnitQuaternion, Vector3};
use roxmltree::Node;

use super::attributes::MjcfAttributes;
use super::groups::ContactBits;
use crate::load::Warning;
use crate::load::urdf::collision::oriented;
use crate::load::urdf::round_shape::{RoundKind, RoundShape};
use crate::load::urdf::xml::{about, at};
use crate::num::Scalar;
use crate::shape::{Obb, Pose};
use crate::tree::Geometry;

/// One shape in the frame of its body.
pub(super) enum MjcfShape {
    Box(Pose<f64>, Vector3<f64>),
    Round(RoundShape),
}

/// The geometry of a body: boxes if all shapes are boxes; else the shapes as they are.
pub(super) fn geometry<T: Scalar>(shapes: Vec<MjcfShape>) -> Result<Geometry<T>, String> {
    if shapes.is_empty() {
        return Ok(Geometry::None);
    }
    let boxed = |shape: &MjcfShape| match shape {
        MjcfShape::Box(pose, half) => Some(oriented::<T>(pose, half)),
        MjcfShape::Round(_) => None,
    };
    let boxes: Option<Result<Vec<Obb<T>>, String>> = shapes.iter().map(boxed).collect();
    if let Some(boxes) = boxes {
        return boxes.map(Geometry::Boxes);
    }
    let convex = |shape: &MjcfShape| match shape {
        MjcfShape::Box(pose, half) => oriented::<T>(pose, half).map(Into::into),
        MjcfShape::Round(shape) => shape.convex(),
    };
    shapes.iter().map(convex).collect::<Result<_, _>>().map(Geometry::Convex)
}

/// Reads a `<geom>` and its contact bits; `None` if it collides with nothing.
pub(super) fn read<'a, 'i>(
    attributes: &MjcfAttributes<'a, 'i>,
    node: Node<'a, 'i>,
    class: &'a str,
    warnings: &mut Vec<Warning>,
) -> Result<Option<(MjcfShape, ContactBits)>, String> {
    let word = |name: &str| attributes.text(node, class, name);
    let bits = ContactBits::read(attributes, node, class)?;
    if bits == ContactBits::NONE {
        return Ok(None);
    }
    let kind = word("type").unwrap_or("sphere");
    let wanted = match kind {
        "sphere" => 1,
        "capsule" | "cylinder" => 2,
        "ellipsoid" | "box" => 3,
        "plane" | "hfield" => {
            let name = node.attribute("name").unwrap_or(kind).to_owned();
            warnings.push(Warning::Endless { shape: name });
            return Ok(None);
        }
        other => return Err(at(node, format!("shapes of type '{other}' are not read"))),
    };
    let (size, place) = sized(attributes, node, class, wanted)?;
    let (radius, length) = (size.x, 2.0 * size.y);
    let kind = match kind {
        "sphere" => RoundKind::Ellipsoid(Vector3::repeat(radius)),
        "capsule" => RoundKind::Capsule { radius, length },
        "cylinder" => RoundKind::Cylinder { radius, length },
        "box" => return Ok(Some((MjcfShape::Box(place, size), bits))),
        _ => RoundKind::Ellipsoid(size),
    };
    Ok(Some((MjcfShape::Round(RoundShape { kind, pose: place }), bits)))
}

/// The first numbers of its size, padded with zeros, and its pose.
fn sized<'a, 'i>(
    attributes: &MjcfAttributes<'a, 'i>,
    node: Node<'a, 'i>,
    class: &'a str,
    wanted: usize,
) -> Result<(Vector3<f64>, Pose<f64>), String> {
    let mut size = attributes.numbers(node, class, "size")?.unwrap_or_default();
    let place = match ends(attributes, node, class)? {
        None => place(attributes, node, class)?,
        Some((middle, half)) if wanted > 1 => {
            // The size of a box or an ellipsoid holds the thickness twice.
            size.truncate(1);
            let thickness = size.first().copied();
            size.extend(thickness.filter(|_| wanted == 3));
            size.push(half);
            middle
        }
        Some(_) => return Err(at(node, "a sphere has no ends")),
    };
    size.truncate(wanted);
    if size.len() < wanted || size.iter().any(|&size| size < 0.0) {
        return Err(at(node, format!("the size is not {wanted} numbers that are not negative")));
    }
    size.resize(3, 0.0);
    Ok((Vector3::from_column_slice(&size), place))
}

/// The pose of a shape given by two end points, and half its length.
fn ends<'a, 'i>(
    attributes: &MjcfAttributes<'a, 'i>,
    node: Node<'a, 'i>,
    class: &'a str,
) -> Result<Option<(Pose<f64>, f64)>, String> {
    let Some(ends) = attributes.numbers(node, class, "fromto")? else { return Ok(None) };
    let Ok([a, b, c, d, e, f]) = <[f64; 6]>::try_from(ends) else {
        return Err(at(node, "'fromto' is not six numbers"));
    };
    let (from, to) = (Vector3::new(a, b, c), Vector3::new(d, e, f));
    let along = (to - from).try_normalize(1e-12);
    let along = along.ok_or_else(|| at(node, "'fromto' has no length"))?;
    let turn = UnitQuaternion::rotation_between(&Vector3::z(), &along);
    // Straight down: half a turn about any axis across.
    let turn = turn.unwrap_or_else(|| about(Vector3::x(), std::f64::consts::PI));
    let middle = Isometry3::from_parts(((from + to) / 2.0).into(), turn);
    Ok(Some((middle, (to - from).norm() / 2.0)))
}

/// The pose of a body or a shape in its parent.
pub(super) fn place<'a, 'i>(
    attributes: &MjcfAttributes<'a, 'i>,
    node: Node<'a, 'i>,
    class: &'a str,
) -> Result<Pose<f64>, String> {
    let shift = attributes.three(node, class, "pos")?.unwrap_or_default();
    let numbers = |name: &str| attributes.numbers(node, class, name);
    if let Some(unread) = ["xyaxes", "zaxis"].into_iter().find(|name| node.has_attribute(*name)) {
        return Err(at(
            node,
            format!("'{unread}' is not read; 'quat', 'axisangle' and 'euler' are"),
        ));
    }
    let four = |name: &str, numbers: Vec<f64>| {
        <[f64; 4]>::try_from(numbers).map_err(|_| at(node, format!("'{name}' is not four numbers")))
    };
    let no_length = |name: &str| at(node, format!("'{name}' has no length"));
    let turn = if let Some(quat) = numbers("quat")? {
        let [w, x, y, z] = four("quat", quat)?;
        UnitQuaternion::try_new(Quaternion::new(w, x, y, z), 1e-6)
            .ok_or_else(|| no_length("quat"))?
    } else if let Some(turn) = numbers("axisangle")? {
        let [x, y, z, angle] = four("axisangle", turn)?;
        let axis = Vector3::new(x, y, z).try_normalize(1e-12);
        about(axis.ok_or_else(|| no_length("axisangle"))?, angle * attributes.angle)
    } else if let Some(angles) = attributes.three(node, class, "euler")? {
        euler(attributes.sequence, angles * attributes.angle)
            .map_err(|trouble| at(node, trouble))?
    } else {
        UnitQuaternion::identity()
    };
    Ok(Isometry3::from_parts(shift.into(), turn))
}

/// A rotation by Euler angles: small letters are rotating axes, capital letters fixed ones.
fn euler(sequence: &str, angles: Vector3<f64>) -> Result<UnitQuaternion<f64>, String> {
    let wrong = || format!("no axes are called '{sequence}'");
    let mut turn = UnitQuaternion::identity();
    if sequence.len() != 3 {
        return Err(wrong());
    }
    for (letter, &angle) in sequence.chars().zip(&angles) {
        let axis = "xyz".find(letter.to_ascii_lowercase()).ok_or_else(wrong)?;
        let next = about(Vector3::ith(axis, 1.0), angle);
        turn = if letter.is_ascii_lowercase() { turn * next } else { next * turn };
    }
    Ok(turn)
}
