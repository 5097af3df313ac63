//! Default classes: the values of attributes that elements leave out.
//!
//! Source: the MuJoCo documentation, modeling chapter, "Default settings": a class begins as a copy
//! of the class around it; a later section amends the outermost one, and copies made before are
//! unchanged.

use std::collections::HashMap;

use super::attributes::{Attributes, DefaultLayer};
use super::element::Element;

/// The outermost class.
pub(super) const MAIN_CLASS: &str = "main";

/// The elements whose defaults are used.
const TAGS: [&str; 4] = ["geom", "joint", "mesh", "equality"];
/// Largest number of default elements above each other.
const MAX_LAYERS: usize = 256;

/// The default classes of a model.
pub(super) struct DefaultClasses<'t> {
    /// The topmost layer of each tag in each class.
    tops: HashMap<&'t str, TopLayers>,
    layers: Vec<DefaultLayer<'t>>,
}

/// The index of a layer for each of [`TAGS`].
type TopLayers = [Option<usize>; TAGS.len()];

impl<'t> DefaultClasses<'t> {
    pub fn read(root: Element<'t>) -> Result<Self, String> {
        let mut classes = DefaultClasses {
            tops: HashMap::from([(MAIN_CLASS, TopLayers::default())]),
            layers: Vec::new(),
        };
        for section in root.children_called("default") {
            if let Some(class) = section.attribute("class").filter(|&class| class != MAIN_CLASS) {
                return Err(section.at(format!(
                    "the outermost default class is '{MAIN_CLASS}': put '{class}' into a <default> of \
                     it"
                )));
            }
            let mut waiting = vec![(section, MAIN_CLASS)];
            while let Some((node, class)) = waiting.pop() {
                classes.amend(node, class)?;
                // The first one is on top of the stack.
                for inner in node.children().rev().filter(|inner| inner.tag() == "default") {
                    let name = inner.required("class")?;
                    if classes.tops.insert(name, classes.tops[class]).is_some() {
                        return Err(inner.at(format!("two default classes are called '{name}'")));
                    }
                    waiting.push((inner, name));
                }
            }
        }
        Ok(classes)
    }

    /// Adds the default elements of a class above its previous ones.
    fn amend(&mut self, node: Element<'t>, class: &'t str) -> Result<(), String> {
        let mut tops = self.tops[class];
        for element in node.children() {
            let Some(tag) = TAGS.iter().position(|&tag| tag == element.tag()) else { continue };
            let below = tops[tag];
            let height = below.map_or(0, |below| self.layers[below].height + 1);
            if height > MAX_LAYERS {
                return Err(element.at(format!("defaults are nested more than {MAX_LAYERS} deep")));
            }
            tops[tag] = Some(self.layers.len());
            self.layers.push(DefaultLayer { element, below, height });
        }
        self.tops.insert(class, tops);
        Ok(())
    }

    /// Returns the class that an attribute names, or `otherwise` if there is no attribute.
    pub fn class(
        &self,
        element: Element<'t>,
        attribute: &str,
        otherwise: &'t str,
    ) -> Result<&'t str, String> {
        let class = element.attribute(attribute).unwrap_or(otherwise);
        match self.tops.contains_key(class) {
            true => Ok(class),
            false => Err(element.at(format!("no default class is called '{class}'"))),
        }
    }

    /// Returns the attributes of an element with the defaults of a tag: those of the class that it
    /// names, or of `class`.
    pub fn attributes(
        &self,
        element: Element<'t>,
        class: &'t str,
        tag: &'static str,
    ) -> Result<Attributes<'_, 't>, String> {
        let class = self.class(element, "class", class)?;
        let tag = TAGS.iter().position(|&own| own == tag);
        let top = tag.and_then(|tag| self.tops[class][tag]);
        Ok(Attributes::new(element, top, &self.layers))
    }
}
