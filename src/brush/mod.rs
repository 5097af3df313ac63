//! Levels of convex brushes: worlds to cast in, and cylinders that walk through them.

mod boolean;
#[allow(clippy::module_inception)]
mod brush;
mod builder;
pub(crate) mod expanded;
pub(crate) mod polytope;
mod push;
mod slide;
pub(crate) mod sweep;
mod tree;
mod walker;
mod world;

pub use brush::{Brush, BrushEdge, BrushFace};
pub use builder::BrushWorldBuilder;
pub use expanded::Expansion;
pub use push::Push;
pub use walker::{BlockedBy, Standing, WalkReport, WalkScratch, Walker};
pub use world::{BodyId, BrushFilter, BrushId, BrushWorld};
