//! The proof of the shapes: what they answer for themselves, and against a plane, beside parry3d, brute force and whole
//! numbers.

mod balls;
mod census;
mod conversions;
mod convert;
mod cuts;
mod dop_solids;
mod dops;
mod fits;
mod invalid;
mod kinds;
mod lattice;
mod parry;
mod planes;
mod points;
mod regimes;
mod scale;
mod sweeps;
