//! Wireframes for debug drawing: every edge is passed to a callback as two plain arrays.
//!
//! Independent of engines and files. Lengths and frame are those of the shape drawn. The functions
//! of this module each draw one shape; read [`for_each_line`] first for a whole snapshot of a
//! scene, with the elements and colours of [`Lines`].

mod lines;
#[cfg(feature = "levels")]
mod padded_hull;
mod snapshot_lines;

use lines::edges;
pub use lines::{aabb, convex, mesh, obb, tree};
#[cfg(feature = "levels")]
pub use padded_hull::hull;
pub use snapshot_lines::{Boxes, Color, Lines, for_each_line};

collect_tests!(lines);
