//! Every pair of shapes: overlap, closest points, contacts and rays against proofs, exact answers and another library.

mod box_contact;
mod box_distance;
mod boxes;
mod contact;
mod direction;
mod frusta;
mod lattice;
mod parry;
mod planes;
mod proof;
mod ray_eggs;
mod ray_solids;
mod rays;
mod refused;
mod sweep;
mod symmetry;
mod table;
