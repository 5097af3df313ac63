//! The proof of scenes: whole queries against brute force, and what may change an answer and what may not.
#![allow(dead_code)] // the support files are shared, and each test uses some of them

#[path = "../support/block.rs"]
mod block;
#[path = "../support/brute.rs"]
mod brute;
#[path = "../support/data.rs"]
mod data;
#[path = "../support/distance.rs"]
mod distance;
#[path = "../../examples/fighter/mod.rs"]
mod fighter;
#[path = "../support/parry.rs"]
mod parry;
#[path = "../support/parts.rs"]
mod parts;
#[path = "../../examples/speed/people.rs"]
mod people;
#[path = "../support/random.rs"]
mod random;
#[path = "../support/triangles.rs"]
mod triangles;
#[path = "../support/twin.rs"]
mod twin;

mod broad;
mod check;
mod deepest;
mod dial;
mod errors;
mod filters;
mod history;
mod levels;
mod mixed;
mod near_parts;
mod other_library;
mod own_levels;
mod queries;
mod real;
mod within;
mod world_boxes;
