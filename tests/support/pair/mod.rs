//! Shapes of every kind, and pairs of them.

pub mod any;
pub mod regimes;
