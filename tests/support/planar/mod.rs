//! Shapes of the plane, and pairs of them.

pub mod any;
pub mod moving;
pub mod pairs;
