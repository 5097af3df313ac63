//! The proof of the box level: every claim about two boxes against exact and independent answers.

mod aabb;
mod baselines;
mod batch;
mod census;
mod contact;
mod invalid;
mod invariance;
mod lattice;
mod near_parallel;
mod parry;
mod regimes;
mod verdict;
