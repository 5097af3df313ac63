//! The proof of what moves in space: first touches against whole fractions, convex search and parry3d.

mod aligned;
mod invariance;
mod parry;
mod planes;
mod solids;
