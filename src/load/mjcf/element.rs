//! Elements of an MJCF model, with the elements of included files in place of the includes.
//!
//! Owned, in one list. A model may consist of several files, and a tree of pointers would be
//! dropped by recursion: the deep nesting of a hostile file would overflow the stack.

use std::fmt;
use std::path::{Path, PathBuf};

/// All elements of a model.
pub(super) struct ElementTree {
    elements: Vec<ElementNode>,
    files: Vec<ElementFile>,
}

struct ElementNode {
    tag: String,
    attributes: Vec<(String, String)>,
    children: Vec<usize>,
    parent: Option<usize>,
    /// The index of its file.
    file: usize,
    line: usize,
}

/// A file that elements come from.
pub(super) struct ElementFile {
    /// The name that errors state before the line; `None` for the file that the caller named.
    pub name: Option<String>,
    /// The folder of the file; `None` for bytes in memory without one.
    pub folder: Option<PathBuf>,
}

/// An element of a tree.
#[derive(Clone, Copy)]
pub(super) struct Element<'t> {
    tree: &'t ElementTree,
    index: usize,
}

impl ElementTree {
    pub fn new() -> Self {
        ElementTree { elements: Vec::new(), files: Vec::new() }
    }

    /// Adds a file; returns its index.
    pub fn add_file(&mut self, file: ElementFile) -> usize {
        self.files.push(file);
        self.files.len() - 1
    }

    /// Adds an element below `parent`, after its other children; returns its index.
    pub fn add(
        &mut self,
        parent: Option<usize>,
        node: roxmltree::Node<'_, '_>,
        (file, line): (usize, usize),
    ) -> usize {
        let attribute =
            |own: roxmltree::Attribute<'_, '_>| (own.name().to_owned(), own.value().to_owned());
        let index = self.elements.len();
        self.elements.push(ElementNode {
            tag: node.tag_name().name().to_owned(),
            attributes: node.attributes().map(attribute).collect(),
            children: Vec::new(),
            parent,
            file,
            line,
        });
        if let Some(parent) = parent {
            self.elements[parent].children.push(index);
        }
        index
    }

    /// The element of that index.
    pub fn element(&self, index: usize) -> Element<'_> {
        Element { tree: self, index }
    }

    /// The first element, which encloses the others; `None` for an empty tree.
    pub fn root(&self) -> Option<Element<'_>> {
        (!self.elements.is_empty()).then_some(self.element(0))
    }
}

impl<'t> Element<'t> {
    fn node(self) -> &'t ElementNode {
        &self.tree.elements[self.index]
    }

    pub fn tag(self) -> &'t str {
        &self.node().tag
    }

    /// The value of an attribute; `None` if there is none.
    pub fn attribute(self, name: &str) -> Option<&'t str> {
        let found = self.node().attributes.iter().find(|(own, _)| own == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The value of a required attribute.
    pub fn required(self, name: &str) -> Result<&'t str, String> {
        self.attribute(name).ok_or_else(|| self.at(format!("'{name}' is missing")))
    }

    pub fn parent(self) -> Option<Element<'t>> {
        self.node().parent.map(|parent| self.tree.element(parent))
    }

    pub fn children(self) -> impl DoubleEndedIterator<Item = Element<'t>> + ExactSizeIterator {
        self.node().children.iter().map(move |&child| self.tree.element(child))
    }

    /// The children of that name.
    pub fn children_called(self, tag: &'static str) -> impl Iterator<Item = Element<'t>> {
        self.children().filter(move |child| child.tag() == tag)
    }

    /// The children named `tag` of all children named `list`: files may have several lists.
    pub fn listed(
        self,
        list: &'static str,
        tag: &'static str,
    ) -> impl Iterator<Item = Element<'t>> {
        self.children_called(list).flat_map(move |list| list.children_called(tag))
    }

    /// The folder of the file that contains the element.
    pub fn folder(self) -> Option<&'t Path> {
        self.tree.files[self.node().file].folder.as_deref()
    }

    /// The folder of the model's main file.
    pub fn main_folder(self) -> Option<&'t Path> {
        self.tree.files.first()?.folder.as_deref()
    }

    /// Adds the position of the element to an error.
    pub fn at(self, trouble: impl fmt::Display) -> String {
        let ElementNode { tag, line, file, .. } = self.node();
        match &self.tree.files[*file].name {
            None => format!("line {line}: <{tag}>: {trouble}"),
            Some(name) => format!("'{name}', line {line}: <{tag}>: {trouble}"),
        }
    }
}
