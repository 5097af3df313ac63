//! Counts of cases by regime, and of touching ones.

use crate::pair_regime::{REGIMES, Regime, Tally};

#[derive(Default)]
pub struct Verdicts {
    cases: Tally,
    /// Counts by regime: all, and those that touch.
    counts: [[usize; 2]; 4],
}

impl Verdicts {
    pub fn add(&mut self, regime: Regime, touches: bool) {
        self.cases.add(regime);
        let [all, yes] = &mut self.counts[regime as usize];
        (*all, *yes) = (*all + 1, *yes + usize::from(touches));
    }

    /// Asserts that no separate case touches and all deep ones do; of the others at least a tenth
    /// touches, and a tenth does not.
    pub fn finish(&self, what: &str) {
        self.cases.finish(what);
        println!("   of these touch: {:?}", self.counts.map(|[_, yes]| yes));
        for regime in REGIMES {
            let [all, yes] = self.counts[regime as usize];
            let sound = match regime {
                Regime::Apart => yes == 0,
                Regime::Deep => yes == all,
                _ => 10 * yes >= all && 10 * (all - yes) >= all,
            };
            assert!(sound, "{what}, {regime:?}: {yes} of {all} touch");
        }
    }
}
