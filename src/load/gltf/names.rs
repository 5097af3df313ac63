//! Names that can be asked for: none missing, none twice.

use std::collections::HashSet;

/// Hands out names; a name given before gets a number after it.
#[derive(Default)]
pub(super) struct Names(HashSet<String>);

impl Names {
    /// `name` itself, or with ` (2)`, ` (3)`... where it was taken.
    pub fn unique(&mut self, name: String) -> String {
        let mut candidate = name.clone();
        let mut count = 1;
        while !self.0.insert(candidate.clone()) {
            count += 1;
            candidate = format!("{name} ({count})");
        }
        candidate
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn taken_names_get_a_number() {
        let mut names = Names::default();
        let found = ["a", "b", "a", "a (2)", "a"].map(|name| names.unique(name.to_owned()));
        assert_eq!(found, ["a", "b", "a (2)", "a (2) (2)", "a (3)"]);
    }
}
