//! Contents of a tree: wide nodes, hulls, geometry and its components.
//!
//! `Geometry` has the primitives, `WideBvh` the binary tree collapsed into `WideNode`s of up to
//! eight children, `NodeHulls` the convex hulls near the root (`PaddedHull` is the public view of
//! one). `RootBox` is for prefilters. `Enclosure` tests exactly whether a point is inside a closed
//! mesh, `component_points` has a point of each piece for that test. `check_tree` proves that boxes
//! contain their primitives and nest.
//!
//! Read `geometry` and `wide_bvh` first.

pub(super) mod components;
pub(super) mod enclosure;
pub(super) mod geometry;
pub(super) mod hulls;
pub(super) mod placed_root;
pub(super) mod root_box;
pub(super) mod validate;
pub(super) mod wide_bvh;
