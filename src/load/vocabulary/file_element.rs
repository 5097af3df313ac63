//! The public record of an element that a file contains.

use std::fmt;

/// Class of an element, attribute or property of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ElementClass {
    /// Used by the reader, which loads it or warns of it.
    Used,
    /// Known to change neither geometry nor motion, such as a colour or a mass. Left out without a
    /// warning, with all that it contains.
    Harmless,
    /// An unknown element: left out, with a [`Warning::Unknown`](super::super::Warning::Unknown).
    Unknown,
}

/// A kind of element, attribute or property that a file contains, and its number.
///
/// [`elements`](crate::load::elements()) lists them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct FileElement {
    /// The element or object that contains it: `<link>`, `meshes[]`.
    pub parent: String,
    /// The name: `<inertial>` for an element, `type` for an attribute or a property.
    pub name: String,
    /// The reader's treatment of it.
    pub class: ElementClass,
    /// The number of occurrences in the file.
    pub count: usize,
}

impl fmt::Display for FileElement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in {}, {} x", self.name, self.parent, self.count)
    }
}
