//! Attributes of MJCF elements: an element's own, or that of its class of defaults.

use std::collections::HashMap;

use nalgebra::Vector3;
use roxmltree::Node;

use crate::load::urdf::xml::{at, child, children, list};

/// The default class, and the outermost of all.
pub(super) const MAIN: &str = "main";

/// Reads attributes by the defaults and the units of a file.
pub(super) struct MjcfAttributes<'a, 'i> {
    /// The default elements by class, and the class around each.
    classes: HashMap<&'a str, (Option<&'a str>, Node<'a, 'i>)>,
    /// The factor from the file's angles to radians.
    pub angle: f64,
    /// The axes of Euler angles.
    pub sequence: &'a str,
}

impl<'a, 'i> MjcfAttributes<'a, 'i> {
    pub fn read(root: Node<'a, 'i>) -> Self {
        let mut classes = HashMap::new();
        let mut waiting: Vec<(Node<'a, 'i>, Option<&'a str>)> =
            children(root, "default").map(|outermost| (outermost, None)).collect();
        while let Some((node, within)) = waiting.pop() {
            let class = node.attribute("class").unwrap_or(MAIN);
            classes.insert(class, (within, node));
            waiting.extend(children(node, "default").map(|inner| (inner, Some(class))));
        }
        let compiler = child(root, "compiler");
        let word = |name: &str| compiler.and_then(|compiler| compiler.attribute(name));
        MjcfAttributes {
            classes,
            angle: if word("angle") == Some("radian") { 1.0 } else { 1.0_f64.to_radians() },
            sequence: word("eulerseq").unwrap_or("xyz"),
        }
    }

    /// The attribute of an element of a class: its own, or the innermost default's.
    pub fn text(&self, element: Node<'a, 'i>, class: &'a str, name: &str) -> Option<&'a str> {
        let tag = element.tag_name().name();
        let mut class = Some(element.attribute("class").unwrap_or(class));
        let mut found = element.attribute(name);
        // No class is within itself, but of two with one name the later replaces the other: bound
        // the loop.
        for _ in 0..=self.classes.len() {
            let Some((within, node)) = class.and_then(|class| self.classes.get(class)) else {
                break;
            };
            let of_tag = || node.children().rfind(|child| child.has_tag_name(tag));
            found = found.or_else(|| of_tag()?.attribute(name));
            class = *within;
        }
        found
    }

    /// Parses the numbers of an attribute, the element's own or a default.
    pub fn numbers(
        &self,
        node: Node<'a, 'i>,
        class: &'a str,
        name: &str,
    ) -> Result<Option<Vec<f64>>, String> {
        let text = self.text(node, class, name);
        let numbers = |text: &str| {
            list(text).ok_or_else(|| at(node, format!("{name}=\"{text}\" is not numbers")))
        };
        text.map(numbers).transpose()
    }

    /// Parses an attribute of three numbers.
    pub fn three(
        &self,
        node: Node<'a, 'i>,
        class: &'a str,
        name: &str,
    ) -> Result<Option<Vector3<f64>>, String> {
        let Some(numbers) = self.numbers(node, class, name)? else { return Ok(None) };
        match <[f64; 3]>::try_from(numbers) {
            Ok(three) => Ok(Some(three.into())),
            Err(_) => Err(at(node, format!("'{name}' is not three numbers"))),
        }
    }
}
