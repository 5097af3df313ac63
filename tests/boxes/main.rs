//! The proof of the box level: every claim about two boxes against exact and independent answers.

#[path = "../support/block.rs"]
mod block;
#[path = "../support/distance.rs"]
mod distance;
#[path = "../support/exact.rs"]
mod exact;
#[path = "../support/naive.rs"]
mod naive;
#[path = "../support/parry.rs"]
mod parry;
#[path = "../support/random.rs"]
mod random;
#[path = "../support/twin.rs"]
mod twin;

mod aabb;
mod baselines;
mod batch;
mod census;
mod contact;
mod invalid;
mod invariance;
mod lattice;
mod near_parallel;
mod other_library;
mod regimes;
mod verdict;
