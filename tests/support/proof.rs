//! Number of cases of a proof, as the unit tests of the crate scale it.

#[path = "../../src/num/proof.rs"]
mod scaling;

pub use scaling::{at_least, cases, factor};

/// Returns the step of a proof over existing items, such as the nodes of a file: `full` for all
/// cases, up to `widest` for fewer.
pub fn step(full: usize, widest: usize) -> usize {
    ((full as f64 / factor().min(1.0)) as usize).clamp(full, widest)
}
