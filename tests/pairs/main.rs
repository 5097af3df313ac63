//! Every pair of shapes: overlap, closest points, contacts and rays against proofs, exact answers and another library.

#[allow(dead_code)]
#[path = "../support/block.rs"]
mod block;
#[allow(dead_code)]
#[path = "../support/random.rs"]
mod random;
#[allow(dead_code)]
#[path = "../support/regime.rs"]
mod regime;

mod any;
mod box_contact;
mod box_distance;
mod contact;
mod direction;
mod frusta;
mod lattice;
mod other_library;
mod planes;
mod proof;
mod ray_eggs;
mod ray_solids;
mod rays;
mod refused;
mod regimes;
mod symmetry;
mod table;
