//! The proof of what moves in space: first touches against whole fractions, convex search and parry3d.

#[allow(dead_code)]
#[path = "../support/block.rs"]
mod block;
#[allow(dead_code)]
#[path = "../support/distance.rs"]
mod distance;
#[allow(dead_code)]
#[path = "../support/random.rs"]
mod random;
#[path = "../support/regime.rs"]
mod regime;
#[allow(dead_code)]
#[path = "../support/twin.rs"]
mod twin;

mod aligned;
mod invariance;
mod moving;
mod other_library;
mod planes;
mod solids;
