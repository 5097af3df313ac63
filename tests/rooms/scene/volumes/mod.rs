//! Volume queries: every node of the cuts, every triangle by parry3d, and invariance of the
//! answers.

mod batches;
mod character_tree;
mod exact_regimes;
mod filters;
mod frusta;
mod half_spaces;
mod invariance;
mod many_characters;
mod meshes;
mod query_shapes;
mod rays;
mod single_boxes;
mod touching_shapes;
pub mod visits;
