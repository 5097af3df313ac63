//! Regimes of a pair of shapes, and counts of cases by regime.

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Regime {
    /// Separate, near or far; in a sweep, it usually passes by.
    Apart,
    /// Touching up to rounding; in a sweep, with an impact.
    Touching,
    /// One is in the other.
    Deep,
    /// Degenerate: without size, thin, parallel, far from the origin, huge or tiny.
    Degenerate,
}

pub const REGIMES: [Regime; 4] =
    [Regime::Apart, Regime::Touching, Regime::Deep, Regime::Degenerate];

/// Cases by regime; printed, and none may be under a tenth.
#[derive(Default)]
pub struct Tally([usize; 4]);

impl Tally {
    pub fn add(&mut self, regime: Regime) {
        self.0[regime as usize] += 1;
    }

    pub fn finish(&self, what: &str) {
        let all: usize = self.0.iter().sum();
        let [apart, touching, deep, degenerate] = self.0;
        println!(
            "{what}: {all} cases: {apart} apart, {touching} touching, {deep} deep, {degenerate} degenerate"
        );
        assert!(self.0.iter().all(|&count| 10 * count >= all && count > 0), "{:?}", self.0);
    }
}
