//! Unique names for unnamed and repeated nodes.

use std::collections::HashMap;

/// Makes names unique; a repeated name gets a number after it.
#[derive(Default)]
pub(super) struct UniqueNames {
    /// All names so far, with the last number tried after each.
    given: HashMap<String, usize>,
}

impl UniqueNames {
    /// Returns `name`, or with ` (2)`, ` (3)`... if it occurred before.
    pub fn unique(&mut self, name: String) -> String {
        let Some(&tried) = self.given.get(&name) else {
            self.given.insert(name.clone(), 1);
            return name;
        };
        let numbered = |count: usize| (count, format!("{name} ({count})"));
        let mut candidates = (tried + 1..).map(numbered);
        let free = candidates.find(|(_, candidate)| !self.given.contains_key(candidate));
        let (count, free) = free.unwrap_or_default();
        self.given.insert(name, count);
        self.given.insert(free.clone(), 1);
        free
    }
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;

    pub fn taken_names_get_a_number() {
        let mut names = UniqueNames::default();
        let found = ["a", "b", "a", "a (2)", "a"].map(|name| names.unique(name.to_owned()));
        assert_eq!(found, ["a", "b", "a (2)", "a (2) (2)", "a (3)"]);
    }
}
