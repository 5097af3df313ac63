//! Levels of convex brushes.

#[allow(clippy::module_inception)]
mod brush;
mod polytope;

pub use brush::{Brush, BrushEdge, BrushFace};
