//! The proof of scenes: whole queries against brute force, and what may change an answer and what may not.

mod accuracy;
mod allocations;
mod broad;
mod check;
mod deepest;
mod distance;
mod errors;
mod exactly;
mod filters;
mod history;
mod levels;
mod mixed;
mod own_levels;
mod own_regimes;
mod own_robot;
mod parry;
mod part_aabb_pairs;
mod queries;
mod real;
mod regimes;
mod volumes;
mod within;
mod world_boxes;
