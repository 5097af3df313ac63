//! Every pair of shapes: overlap, closest points, contacts and rays against proofs, exact answers and another library.

#[allow(dead_code)]
#[path = "../support/block.rs"]
mod block;
#[allow(dead_code)]
#[path = "../support/random.rs"]
mod random;

mod any;
mod contact;
mod direction;
mod lattice;
mod other_library;
mod planes;
mod proof;
mod rays;
mod refused;
mod regimes;
mod symmetry;
mod table;
