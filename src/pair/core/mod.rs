//! Cores of rounded shapes: closest points, penetration, exact tests of triangles.

pub(crate) mod cores;
pub(crate) mod crossing;
pub(super) mod penetration;
pub(super) mod point;
pub(super) mod rounded;
pub(crate) mod rounded_passage;
pub(super) mod segment;
pub(super) mod signs;
pub(crate) mod slack_box;
pub(super) mod slack_box_pairs;
pub(crate) mod triangle_exact;
pub(super) mod triangle_triangle;
