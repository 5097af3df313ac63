//! The proof of rays and regions: every node of the cuts by itself, every triangle by another library, and what may not change an answer.
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
#[path = "../support/regime.rs"]
mod regime;
#[path = "../support/triangles.rs"]
mod triangles;

mod alone;
mod crowds;
mod elsewhere;
mod every_level;
mod frusta;
mod half_spaces;
mod many;
mod peer;
mod placed;
mod rays;
mod regimes;
mod regions;
mod rules;
mod stage;
