//! The count of everything in a file, by class.

use std::collections::HashMap;

use super::table::Vocabulary;
use super::{ElementClass, FileElement};
use crate::load::Warning;

/// The contents of a file, counted by its vocabulary.
#[derive(Debug)]
pub(in crate::load) struct Survey {
    vocabulary: &'static Vocabulary,
    /// The kinds in the order of first occurrence.
    found: Vec<Found>,
    /// The index in `found` by rule and name, for elements and for attributes.
    known: [HashMap<usize, HashMap<String, usize>>; 2],
}

/// A kind of element or attribute that was found.
#[derive(Debug)]
struct Found {
    parent: String,
    name: String,
    class: ElementClass,
    rule: Option<usize>,
    count: usize,
}

/// The two lists of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum List {
    Children,
    Attributes,
}

impl Survey {
    pub fn new(vocabulary: &'static Vocabulary) -> Self {
        Survey { vocabulary, found: Vec::new(), known: Default::default() }
    }

    #[cfg(feature = "urdf")]
    pub(super) fn vocabulary(&self) -> &'static Vocabulary {
        self.vocabulary
    }

    /// Counts a name in a list of a rule. Returns its class, and the rule for what is inside.
    pub(super) fn count(
        &mut self,
        rule: usize,
        list: List,
        name: &str,
        written: impl FnOnce() -> [String; 2],
    ) -> (ElementClass, Option<usize>) {
        let names = self.known[usize::from(list == List::Attributes)].entry(rule).or_default();
        let index = match names.get(name) {
            Some(&index) => index,
            None => {
                let row = &self.vocabulary.rules[rule];
                let words = match list {
                    List::Children => row.children,
                    List::Attributes => row.attributes,
                };
                let found = self.vocabulary.find(words, name);
                let [parent, shown] = written();
                names.insert(name.to_owned(), self.found.len());
                self.found.push(Found {
                    parent,
                    name: shown,
                    class: found.class,
                    rule: found.rule,
                    count: 0,
                });
                self.found.len() - 1
            }
        };
        let found = &mut self.found[index];
        found.count += 1;
        (found.class, found.rule)
    }

    /// Counts an element that holds geometry or joints inside a harmless one.
    #[cfg(feature = "urdf")]
    pub(super) fn count_hidden(&mut self, parent: String, name: String) {
        let same = |found: &&mut Found| {
            found.class == ElementClass::Unknown && found.parent == parent && found.name == name
        };
        match self.found.iter_mut().find(same) {
            Some(found) => found.count += 1,
            None => {
                let class = ElementClass::Unknown;
                self.found.push(Found { parent, name, class, rule: None, count: 1 });
            }
        }
    }

    /// Returns one warning for each kind of unknown element; `file` is the name of a file that the
    /// loaded one refers to.
    pub fn warnings(&self, file: Option<&str>) -> impl Iterator<Item = Warning> {
        let format = self.vocabulary.format;
        let file = file.map_or_else(|| format.to_owned(), |file| format!("{format} '{file}'"));
        let unknown = self.found.iter().filter(|found| found.class == ElementClass::Unknown);
        unknown.map(move |found| Warning::Unknown {
            file: file.clone(),
            parent: found.parent.clone(),
            name: found.name.clone(),
            count: found.count,
        })
    }

    /// Everything that was found, in the order of first occurrence.
    pub fn into_elements(self) -> Vec<FileElement> {
        let element = |found: Found| {
            let Found { parent, name, class, count, .. } = found;
            FileElement { parent, name, class, count }
        };
        self.found.into_iter().map(element).collect()
    }
}
