//! Rejection of files in the macro language xacro that were not expanded to plain URDF or SRDF.

use roxmltree::{Document, Node};

/// The elements below the root whose attributes are read.
const READ_ELEMENTS: [&str; 5] =
    ["link", "joint", "disable_collisions", "enable_collisions", "disable_default_collisions"];

/// Rejects a document with an element of xacro, or with an xacro expression in an attribute that is
/// read: without the expansion, links and joints would be missing.
pub(super) fn check_expanded(document: &Document<'_>) -> Result<(), String> {
    let root = document.root_element();
    let found = root.descendants().filter(Node::is_element).find_map(leftover);
    let of_root = expression(root);
    let read = root.children().filter(|node| READ_ELEMENTS.contains(&node.tag_name().name()));
    let mut elements = read.flat_map(|node| node.descendants());
    let Some((node, what)) = found.or(of_root).or_else(|| elements.find_map(expression)) else {
        return Ok(());
    };
    let line = document.text_pos_at(node.range().start).row;
    Err(format!("line {line}: {what} is not expanded; run `xacro FILE` and load what it prints"))
}

/// Returns the node if it is an element of xacro.
fn leftover<'a, 'i>(node: Node<'a, 'i>) -> Option<(Node<'a, 'i>, String)> {
    let space = node.tag_name().namespace()?;
    space.contains("xacro").then(|| (node, format!("<xacro:{}>", node.tag_name().name())))
}

/// The first attribute with an expression.
fn expression<'a, 'i>(node: Node<'a, 'i>) -> Option<(Node<'a, 'i>, String)> {
    let is_expression = |value: &str| value.contains("${") || value.contains("$(");
    let found = node.attributes().find(|attribute| is_expression(attribute.value()))?;
    let (element, name, value) = (node.tag_name().name(), found.name(), found.value());
    Some((node, format!("<{element}>: {name}=\"{value}\"")))
}
