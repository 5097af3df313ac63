//! Contents of a tree: wide nodes, hulls, geometry and its components.

pub(super) mod components;
pub(super) mod enclosure;
pub(super) mod geometry;
pub(super) mod hulls;
pub(super) mod placed_root;
pub(super) mod root_box;
pub(super) mod validate;
pub(super) mod wide_bvh;
