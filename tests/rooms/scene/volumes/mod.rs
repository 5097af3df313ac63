//! The proof of rays and regions: every node of the cuts by itself, every triangle by another
//! library, and what may not change an answer.

mod character_tree;
mod exact_regimes;
mod frusta;
mod half_spaces;
mod invalid_and_filters;
mod invariance;
mod many_characters;
mod parry;
mod query_shapes;
mod rays;
mod simd_levels;
mod single_boxes;
mod test_scenes;
mod touching_shapes;
