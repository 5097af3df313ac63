//! XML elements and attributes, with errors that name their position.

use nalgebra::{ComplexField, Isometry3, Quaternion, UnitQuaternion, Vector3};
use roxmltree::{Document, Node};

use crate::shape::Pose;

/// Largest number accepted; larger numbers are no coordinates and would overflow in products.
pub(super) const MAX_NUMBER: f64 = 1e15;

/// Parses a document; entities are not expanded, so that a small file remains small.
pub(in crate::load) fn parse(text: &str) -> Result<Document<'_>, String> {
    let at = |error: roxmltree::Error| format!("line {}: invalid XML: {error}", error.pos().row);
    Document::parse(text).map_err(at)
}

/// The child elements of that name.
pub(in crate::load) fn children<'a, 'i: 'a>(
    node: Node<'a, 'i>,
    name: &'static str,
) -> impl Iterator<Item = Node<'a, 'i>> + 'a {
    node.children().filter(move |child| child.is_element() && child.tag_name().name() == name)
}

/// The first child element of that name.
pub(in crate::load) fn child<'a, 'i: 'a>(
    node: Node<'a, 'i>,
    name: &'static str,
) -> Option<Node<'a, 'i>> {
    children(node, name).next()
}

/// The only child element of that name; an error if there are more, as all but one would be left
/// out.
pub(super) fn only_child<'a, 'i: 'a>(
    node: Node<'a, 'i>,
    name: &'static str,
) -> Result<Option<Node<'a, 'i>>, String> {
    let mut found = children(node, name);
    match (found.next(), found.next()) {
        (_, Some(second)) => {
            let parent = node.tag_name().name();
            Err(at(second, format!("<{parent}> has more than one <{name}>")))
        }
        (first, None) => Ok(first),
    }
}

/// Adds the position of an element to an error.
pub(in crate::load) fn at(node: Node<'_, '_>, trouble: impl std::fmt::Display) -> String {
    let line = node.document().text_pos_at(node.range().start).row;
    format!("line {line}: <{}>: {trouble}", node.tag_name().name())
}

pub(in crate::load) fn required<'a>(
    node: Node<'a, '_>,
    attribute: &str,
) -> Result<&'a str, String> {
    node.attribute(attribute).ok_or_else(|| at(node, format!("'{attribute}' is missing")))
}

/// Parses an attribute of one number; `None` without the attribute.
pub(super) fn number(node: Node<'_, '_>, attribute: &str) -> Result<Option<f64>, String> {
    Ok(numbers::<1>(node, attribute)?.map(|[number]| number))
}

/// Parses an attribute of `N` numbers separated by space; `None` without the attribute.
pub(super) fn numbers<const N: usize>(
    node: Node<'_, '_>,
    attribute: &str,
) -> Result<Option<[f64; N]>, String> {
    let Some(text) = node.attribute(attribute) else { return Ok(None) };
    let found: Option<Vec<f64>> = list(text);
    let found = found.and_then(|found| <[f64; N]>::try_from(found).ok());
    let wanted = if N == 1 { "a number".to_owned() } else { format!("{N} numbers") };
    let found = found.ok_or_else(|| at(node, format!("{attribute}=\"{text}\" is not {wanted}")));
    found.map(Some)
}

/// Parses numbers separated by space; `None` if a word is not a number, not finite, or larger than
/// [`MAX_NUMBER`].
pub(in crate::load) fn list(text: &str) -> Option<Vec<f64>> {
    let number = |word: &str| word.parse().ok().filter(|x: &f64| x.abs() <= MAX_NUMBER);
    text.split_ascii_whitespace().map(number).collect()
}

/// The pose of the `<origin>` below an element: metres, and a rotation about the fixed axes x, then
/// y, then z, or a quaternion.
pub(super) fn origin(node: Node<'_, '_>) -> Result<Pose<f64>, String> {
    let Some(origin) = only_child(node, "origin")? else { return Ok(Pose::identity()) };
    let xyz = Vector3::from(numbers(origin, "xyz")?.unwrap_or_default());
    let rotation = match numbers(origin, "quat_xyzw")? {
        Some([x, y, z, w]) => UnitQuaternion::try_new(Quaternion::new(w, x, y, z), 1e-6)
            .ok_or_else(|| at(origin, "the quaternion has no length"))?,
        None => {
            let [roll, pitch, yaw] = numbers(origin, "rpy")?.unwrap_or_default();
            rotation_about(Vector3::z(), yaw)
                * rotation_about(Vector3::y(), pitch)
                * rotation_about(Vector3::x(), roll)
        }
    };
    Ok(Isometry3::from_parts(xyz.into(), rotation))
}

/// Returns a rotation about an axis, in radians, by nalgebra's sine and cosine, which by its
/// features are equal on all machines.
pub(in crate::load) fn rotation_about(axis: Vector3<f64>, angle: f64) -> UnitQuaternion<f64> {
    let (sine, cosine) = ComplexField::sin_cos(0.5 * angle);
    UnitQuaternion::new_normalize(Quaternion::from_parts(cosine, axis * sine))
}
