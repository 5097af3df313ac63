//! Counts of everything in a file, by class.

use super::table::{RuleMatch, Vocabulary};
use super::{ElementClass, FileElement};
use crate::load::Warning;

/// The contents of a file, counted by its vocabulary.
#[derive(Debug)]
pub(in crate::load) struct Survey {
    vocabulary: &'static Vocabulary,
    /// The kinds in the order of first occurrence.
    found: Vec<CountedKind>,
    /// The indices in `found` of the children and of the attributes of each rule.
    known: [Vec<Vec<usize>>; 2],
}

/// A kind of element or attribute that was found.
#[derive(Debug)]
struct CountedKind {
    /// The element that contains it, and its own name, as written in messages.
    parent: String,
    name: String,
    /// The name in the file.
    key: String,
    class: ElementClass,
    rule: Option<usize>,
    count: usize,
}

/// The two lists of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NameList {
    Children,
    #[cfg_attr(not(feature = "urdf"), allow(dead_code))]
    Attributes,
}

impl Survey {
    pub fn new(vocabulary: &'static Vocabulary) -> Self {
        let known = [(); 2].map(|()| vec![Vec::new(); vocabulary.rules.len()]);
        Survey { vocabulary, found: Vec::new(), known }
    }

    #[cfg(feature = "urdf")]
    pub(super) fn vocabulary(&self) -> &'static Vocabulary {
        self.vocabulary
    }

    /// Counts a name in a list of a rule and returns the index of its kind. `written` is called for
    /// a new kind; it returns the element that contains it and its own name, as written in
    /// messages.
    pub(super) fn count(
        &mut self,
        rule: usize,
        list: NameList,
        key: &str,
        written: impl FnOnce(&Survey) -> [String; 2],
    ) -> usize {
        // Rules have few names: comparing them is faster than hashing one.
        let names = &self.known[list as usize][rule];
        if let Some(&index) = names.iter().find(|&&index| self.found[index].key == key) {
            self.found[index].count += 1;
            return index;
        }
        let row = &self.vocabulary.rules[rule];
        let words = match list {
            NameList::Children => row.children,
            NameList::Attributes => row.attributes,
        };
        let RuleMatch { class, rule: inside } = self.vocabulary.find(words, key);
        let [parent, name] = written(self);
        let index = self.found.len();
        self.known[list as usize][rule].push(index);
        self.found.push(CountedKind {
            parent,
            name,
            key: key.to_owned(),
            class,
            rule: inside,
            count: 1,
        });
        index
    }

    /// The class of a kind, and the rule for its contents.
    #[cfg(feature = "urdf")]
    pub(super) fn class(&self, kind: usize) -> (ElementClass, Option<usize>) {
        (self.found[kind].class, self.found[kind].rule)
    }

    /// The rule for the contents of a kind.
    #[cfg(feature = "gltf")]
    pub(super) fn rule(&self, kind: usize) -> Option<usize> {
        self.found[kind].rule
    }

    /// The name of a kind in the file.
    #[cfg(feature = "gltf")]
    pub(super) fn key(&self, kind: usize) -> &str {
        &self.found[kind].key
    }

    /// Counts an element with geometry or joints inside a harmless one.
    #[cfg(feature = "urdf")]
    pub(super) fn count_hidden(&mut self, parent: String, name: String) {
        let same = |found: &&mut CountedKind| {
            found.class == ElementClass::Unknown && found.parent == parent && found.name == name
        };
        match self.found.iter_mut().find(same) {
            Some(found) => found.count += 1,
            None => {
                let class = ElementClass::Unknown;
                let key = name.clone();
                self.found.push(CountedKind { parent, name, key, class, rule: None, count: 1 });
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

    /// Returns all kinds in the order of first occurrence.
    pub fn into_elements(self) -> Vec<FileElement> {
        let element = |found: CountedKind| {
            let CountedKind { parent, name, class, count, .. } = found;
            FileElement { parent, name, class, count }
        };
        self.found.into_iter().map(element).collect()
    }
}
