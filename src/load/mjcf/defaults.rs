//! MJCF defaults: nested classes of default attributes.

use std::collections::HashMap;

use roxmltree::Node;

use crate::load::urdf::xml::children;

/// The default class, and the outermost of all.
pub(super) const MAIN: &str = "main";

/// The default elements by class, and the class around each.
pub(super) struct Defaults<'a, 'i> {
    classes: HashMap<&'a str, (Option<&'a str>, Node<'a, 'i>)>,
}

impl<'a, 'i> Defaults<'a, 'i> {
    pub fn read(root: Node<'a, 'i>) -> Self {
        let mut classes = HashMap::new();
        let mut waiting: Vec<(Node<'a, 'i>, Option<&'a str>)> =
            children(root, "default").map(|outermost| (outermost, None)).collect();
        while let Some((node, within)) = waiting.pop() {
            let class = node.attribute("class").unwrap_or(MAIN);
            classes.insert(class, (within, node));
            waiting.extend(children(node, "default").map(|inner| (inner, Some(class))));
        }
        Defaults { classes }
    }

    /// The attribute of an element of a class: its own, or the innermost default's.
    pub fn attribute(&self, element: Node<'a, 'i>, class: &'a str, name: &str) -> Option<&'a str> {
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
}
