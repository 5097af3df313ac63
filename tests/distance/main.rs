//! The proof of distances: every pair of primitives by brute force, another library, both ways round, moved and scaled.
#![allow(dead_code)] // the support files are shared, and each test uses some of them

#[path = "../support/block.rs"]
mod block;
#[path = "../support/data.rs"]
mod data;
#[path = "../support/distance.rs"]
mod distance;
#[path = "../../examples/fighter/mod.rs"]
mod fighter;
#[path = "../support/parts.rs"]
mod parts;
#[path = "../support/random.rs"]
mod random;
#[path = "../support/triangles.rs"]
mod triangles;

mod brute;
mod characters;
mod filters;
mod other_library;
mod own;
mod refused;
mod regimes;
mod single;
mod symmetry;
