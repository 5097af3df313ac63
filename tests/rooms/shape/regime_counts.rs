//! Counts of cases by regime.

use std::collections::BTreeMap;

/// Counts by the name of the regime.
#[derive(Default)]
pub struct Census(BTreeMap<String, usize>);

impl Census {
    pub fn add(&mut self, regime: impl std::fmt::Debug) {
        *self.0.entry(format!("{regime:?}")).or_default() += 1;
    }

    /// Prints the counts; fails if the number of regimes differs, or one has under a tenth of all
    /// cases.
    pub fn check(&self, family: &str, regimes: usize) {
        println!("{family}: {:?}", self.0);
        let all: usize = self.0.values().sum();
        assert_eq!(self.0.len(), regimes, "{family}: {:?}", self.0);
        for (regime, &count) in &self.0 {
            assert!(10 * count >= all, "{family}: only {count} of {all} are {regime}");
        }
    }
}
