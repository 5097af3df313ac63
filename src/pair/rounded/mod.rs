//! Rounded shapes, a core with a radius: closest points, penetration, exact tests of triangles.

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
