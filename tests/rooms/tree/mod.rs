//! The proof of the trees: what a descent finds against every pair of nodes tested, against arithmetic that shares nothing
//! with the crate, and against the triangles themselves.

mod accuracy;
mod bounds;
mod builds;
mod check;
mod excess;
mod hard;
mod invalid;
mod real;
mod swap;
mod twins;
mod valid;
