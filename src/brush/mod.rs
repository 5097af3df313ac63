//! Levels of convex brushes: worlds to cast in, and cylinders that walk through them.

#[allow(clippy::module_inception)]
mod brush;
pub(crate) mod expanded;
pub(crate) mod polytope;
pub(crate) mod sweep;
mod tree;
mod world;

pub use brush::{Brush, BrushEdge, BrushFace};
pub use expanded::Expansion;
pub use world::{BodyId, BrushFilter, BrushId, BrushWorld, BrushWorldBuilder};
