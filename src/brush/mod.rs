//! Levels of convex brushes: worlds to cast in, and cylinders that walk through them.

mod boolean;
#[allow(clippy::module_inception)]
mod brush;
pub(crate) mod expanded;
pub(crate) mod polytope;
mod slide;
pub(crate) mod sweep;
mod tree;
mod walker;
mod world;

pub use brush::{Brush, BrushEdge, BrushFace};
pub use expanded::Expansion;
pub use walker::{BlockedBy, Push, Standing, WalkReport, WalkScratch, Walker};
pub use world::{BodyId, BrushFilter, BrushId, BrushWorld, BrushWorldBuilder};
