//! Motion along a line: separation, casts of characters and of shapes.

pub(super) mod cast;
mod path;
pub(super) mod separation;
pub(super) mod separation_scratch;
pub(super) mod shape_cast;
