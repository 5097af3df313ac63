//! Elements of a mesh file that are left out, counted by kind.

use crate::load::Warning;

/// Largest number of kinds that are named; the others are one kind.
const MAX_KINDS: usize = 16;

/// Largest number of characters of a name.
const MAX_NAME_LENGTH: usize = 60;

/// Elements that a reader leaves out, in the order in which their kinds first occur.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::load) struct SkippedElements(Vec<(String, usize)>);

impl SkippedElements {
    /// Counts an element of that kind.
    pub fn add(&mut self, kind: &str) {
        let name: String = kind.chars().take(MAX_NAME_LENGTH).collect();
        let known = self.0.iter_mut().find(|(known, _)| *known == name);
        if let Some((_, count)) = known {
            *count += 1;
        } else if self.0.len() < MAX_KINDS {
            self.0.push((name, 1));
        } else if let Some((last, count)) = self.0.last_mut() {
            "other elements".clone_into(last);
            *count += 1;
        }
    }

    /// Returns one warning for each kind.
    pub fn warnings(self, file: &str) -> impl Iterator<Item = Warning> {
        let file = file.to_owned();
        self.0.into_iter().map(move |(element, count)| Warning::Skipped {
            file: file.clone(),
            element,
            count,
        })
    }
}
