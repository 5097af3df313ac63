//! The parts nearest to a point, against every primitive of every part by arithmetic of the test's
//! own, and parry3d.

mod bodies;
mod brute;
mod dial;
mod filters;
mod order;
mod parry;
mod refused;
mod special;
