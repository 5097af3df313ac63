//! The proof of the trees: what a descent finds against every pair of nodes tested, against arithmetic that shares nothing
//! with the crate, and against the triangles themselves.

#![allow(dead_code)] // the support files are shared, and each test uses some of them

#[path = "../support/block.rs"]
mod block;
#[path = "../support/data.rs"]
mod data;
#[path = "../support/distance.rs"]
mod distance;
#[path = "../support/exact.rs"]
mod exact;
#[path = "../../examples/fighter/mod.rs"]
mod fighter;
#[path = "../support/hull.rs"]
mod hull;
#[path = "../support/moved.rs"]
mod moved;
#[path = "../support/parts.rs"]
mod parts;
#[path = "../support/random.rs"]
mod random;
#[path = "../support/triangles.rs"]
mod triangles;
#[path = "../support/truth.rs"]
mod truth;
#[path = "../support/twin.rs"]
mod twin;

mod bounds;
mod builds;
mod check;
mod excess;
mod hard;
mod invalid;
mod real;
mod swap;
mod twins;
mod valid;
