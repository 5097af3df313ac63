//! The proof of distances: every pair of primitives by brute force, another library, both ways round, moved and scaled.

mod brute;
mod characters;
mod filters;
mod own;
mod parry;
mod refused;
mod regimes;
mod several;
mod single;
mod symmetry;
