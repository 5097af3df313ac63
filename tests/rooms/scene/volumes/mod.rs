//! Volume queries: every node of the cuts by itself, every triangle by parry3d, and invariance of
//! the answers.

mod character_tree;
mod exact_regimes;
mod frusta;
mod half_spaces;
mod invalid_and_filters;
mod invariance;
mod many_characters;
mod query_shapes;
mod rays;
mod simd_levels;
mod single_boxes;
mod touching_shapes;
