//! Shapes of every kind, and pairs of them.

pub mod any_shape;
pub mod random_pairs;
