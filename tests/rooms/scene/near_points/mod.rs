//! The parts nearest to a point, against every primitive of every part by independent arithmetic,
//! and parry3d.

pub mod bodies;
mod brute;
mod dial;
mod order;
mod parry;
mod special;
