//! The proof of the shapes: what they answer for themselves, and against a plane, beside parry3d, brute force and whole
//! numbers.

#[allow(dead_code)]
#[path = "../support/block.rs"]
mod block;
#[allow(dead_code)]
#[path = "../support/exact.rs"]
mod exact;
#[allow(dead_code)]
#[path = "../support/random.rs"]
mod random;
#[allow(dead_code)]
#[path = "../support/regime.rs"]
mod regime;

mod balls;
mod census;
mod conversions;
mod cuts;
mod dop_solids;
mod dops;
mod fits;
mod invalid;
mod kinds;
mod lattice;
mod other_library;
mod planes;
mod points;
mod regimes;
mod scale;
mod sweeps;
