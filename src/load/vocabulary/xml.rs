//! The survey of an XML document.

use roxmltree::Node;

use super::ElementClass;
use super::survey::{NameList, Survey};
use super::table::Vocabulary;

/// Counts the elements and attributes of a document.
pub(in crate::load) fn survey_xml(root: Node<'_, '_>, vocabulary: &'static Vocabulary) -> Survey {
    let mut survey = Survey::new(vocabulary);
    survey.add_xml(root, 0);
    survey
}

impl Survey {
    /// Counts the contents of an included file, as those of an element of that name. The root is
    /// not an element of the including file.
    #[cfg(feature = "mjcf")]
    pub fn add_included(&mut self, root: Node<'_, '_>, parent: &str) {
        let rules = self.vocabulary().rules;
        let rule = rules.iter().position(|rule| rule.name == parent).unwrap_or_default();
        self.add_content(root, rule);
    }

    /// Counts the attributes of an element and what it contains, by a rule.
    pub fn add_xml(&mut self, root: Node<'_, '_>, rule: usize) {
        self.add_attributes(root, rule);
        self.add_content(root, rule);
    }

    fn add_attributes(&mut self, node: Node<'_, '_>, rule: usize) {
        for attribute in node.attributes() {
            let name = match attribute.namespace() {
                None => attribute.name().to_owned(),
                Some(space) => format!("{{{space}}}{}", attribute.name()),
            };
            self.count(rule, NameList::Attributes, &name, |_| [tag(node), name.clone()]);
        }
    }

    fn add_content(&mut self, root: Node<'_, '_>, rule: usize) {
        // A stack, not recursion: a file may nest its elements arbitrarily deep.
        let mut open = vec![(root, rule)];
        while let Some((node, rule)) = open.pop() {
            let first = open.len();
            for inner in node.children().filter(Node::is_element) {
                let name = qualified(inner, root);
                let written = |_: &Survey| [tag(node), format!("<{name}>")];
                let kind = self.count(rule, NameList::Children, &name, written);
                match self.class(kind) {
                    (_, Some(rule)) => {
                        self.add_attributes(inner, rule);
                        open.push((inner, rule));
                    }
                    (ElementClass::Harmless, None) => search_hidden(inner, self),
                    _ => {}
                }
            }
            // Document order: warnings name the elements in the order of the file.
            open[first..].reverse();
        }
    }
}

/// Counts geometry and joints below a harmless element.
fn search_hidden(harmless: Node<'_, '_>, survey: &mut Survey) {
    let never_harmless = survey.vocabulary().never_harmless;
    if never_harmless.is_empty() {
        return;
    }
    for inner in harmless.descendants().filter(Node::is_element) {
        let defines = |&&(name, attribute): &&(&str, &str)| {
            inner.has_tag_name(name) && (attribute.is_empty() || inner.has_attribute(attribute))
        };
        if let Some((name, _)) = never_harmless.iter().find(defines) {
            survey.count_hidden(tag(harmless), format!("<{name}>"));
        }
    }
}

fn tag(node: Node<'_, '_>) -> String {
    format!("<{}>", node.tag_name().name())
}

/// The name of an element, with its namespace if that is not the root's.
fn qualified(node: Node<'_, '_>, root: Node<'_, '_>) -> String {
    let name = node.tag_name();
    match name.namespace() {
        Some(space) if root.tag_name().namespace() != Some(space) => {
            format!("{{{space}}}{}", name.name())
        }
        _ => name.name().to_owned(),
    }
}
