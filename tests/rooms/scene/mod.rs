//! Scenes: whole queries against brute force, and invariance of the answers.

mod accuracy;
mod allocations;
mod broad_phase;
mod brute_force;
mod deepest_contact;
mod distance;
mod errors;
mod exact_answers;
mod exact_regimes;
mod few_and_many_parts;
mod filters;
mod history_independence;
mod parry;
mod part_aabb_pairs;
mod random_crowds;
mod real_characters;
mod self_collision;
mod self_collision_exact;
mod self_collision_levels;
mod self_collision_robot;
mod simd_levels;
mod volumes;
mod world_boxes;
