//! Planar shapes, and pairs of them.

pub mod any_shape;
pub mod moving_pairs;
pub mod random_pairs;
