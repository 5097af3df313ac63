//! Rounded shapes, a core with a radius: closest points, penetration, exact tests of triangles.
//!
//! A ball, capsule, segment, triangle or box is a core (point, segment, triangle, `SlackBox`) grown
//! by a radius, a `RoundedShape`. Trait `CorePair` has the closest points of two cores
//! (`ClosestOnCores`), trait `Penetration` the least translation of two that overlap; files are
//! named for the cores. `signs` and `triangle_exact` decide exactly if rounding could change a
//! verdict. `TriangleCrossing` and `Crossings` are for the surfaces of meshes, `RoundedPair` for
//! motion along a line.
//!
//! Read `cores`, `rounded_shape` and `queries` first, then `penetration`.

pub(crate) mod cores;
pub(crate) mod crossing;
pub(crate) mod crossing_batch;
pub(crate) mod passage;
pub(super) mod penetration;
pub(super) mod point;
pub(super) mod queries;
pub(super) mod rounded_shape;
pub(super) mod segment;
pub(super) mod signs;
pub(crate) mod slack_box;
pub(super) mod slack_box_pairs;
pub(crate) mod triangle_exact;
pub(super) mod triangle_triangle;

collect_tests!(crossing, crossing_batch, signs);
