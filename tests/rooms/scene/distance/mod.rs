//! Distances against every pair of primitives by brute force and parry3d; swapped, moved and
//! scaled.

mod characters;
mod margins;
mod parry;
mod random_parts;
mod self_distance;
mod several;
mod single_boxes;
mod symmetry;
mod two_parts;
