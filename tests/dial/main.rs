//! The proof of the dial: every accuracy against an exact answer that shares nothing with the crate.

#![allow(dead_code)] // the support files are shared, and each test uses some of them

#[path = "../support/axes.rs"]
mod axes;
#[path = "../support/block.rs"]
mod block;
#[path = "../support/closed.rs"]
mod closed;
#[path = "../support/data.rs"]
mod data;
#[path = "../support/distance.rs"]
mod distance;
#[path = "../support/duo.rs"]
mod duo;
#[path = "../support/exact.rs"]
mod exact;
#[path = "../support/fcl.rs"]
mod fcl;
#[path = "../../examples/fighter/mod.rs"]
mod fighter;
#[path = "../support/gap.rs"]
mod gap;
#[path = "../support/hull.rs"]
mod hull;
#[path = "../support/moved.rs"]
mod moved;
#[path = "../support/parts.rs"]
mod parts;
#[path = "../support/random.rs"]
mod random;
#[path = "../support/rational.rs"]
mod rational;
#[path = "../support/triangles.rs"]
mod triangles;
#[path = "../support/truth.rs"]
mod truth;
#[path = "../support/twin.rs"]
mod twin;
#[path = "../support/winding.rs"]
mod winding;

mod everyone;
mod frames;
mod hard_poses;
mod mixed;
mod oracle;
mod oracles;
mod places;
mod primitives;
mod recorded;
mod shapes;
mod sizes;
mod slacks;
mod solids;
mod triangle_pairs;
mod voxels;
