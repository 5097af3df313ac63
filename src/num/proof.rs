//! Number of cases of a proof: a prefix by default, all of them on demand.
//!
//! The environment variable `BOXWOOD_PROOF` is the factor: `1` for all cases, `10` for ten times as
//! many. Without it three in a hundred are tried, and at least 100, so that `cargo test` takes
//! minutes. Seeds do not depend on it: fewer cases are the first of the many.
//!
//! The unit tests use this file, and so do the other tests, which compile it a second time: the
//! crate exports none of it.

use std::sync::OnceLock;

/// Factor without the variable.
const DEFAULT_FACTOR: f64 = 0.03;

/// Number of cases below which a fraction of them shows little.
const MIN_CASES: usize = 100;

/// Returns the factor of the number of cases.
///
/// # Panics
/// If the variable is not a positive number: a proof of no cases must not look like a pass.
pub fn factor() -> f64 {
    static FACTOR: OnceLock<f64> = OnceLock::new();
    *FACTOR.get_or_init(|| {
        let Ok(text) = std::env::var("BOXWOOD_PROOF") else { return DEFAULT_FACTOR };
        let factor = text.parse::<f64>().ok().filter(|&x| x > 0.0 && x <= 1000.0);
        factor.unwrap_or_else(|| panic!("BOXWOOD_PROOF is '{text}', not a factor in 0..=1000"))
    })
}

/// Returns how many of `full` cases to try.
pub fn cases(full: usize) -> usize {
    at_least(full, MIN_CASES)
}

/// Returns `full` times the factor, but no fewer than the lesser of `least` and `full`.
pub fn at_least(full: usize, least: usize) -> usize {
    ((full as f64 * factor()) as usize).max(least.min(full))
}
