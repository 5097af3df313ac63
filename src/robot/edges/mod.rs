//! Edges: straight ways between two configurations of a robot.
//!
//! `checker.rs` has the queries, `obstacles.rs` the parts of a world, `samples.rs` the poses and
//! velocities at a fraction of the edge, `pairs.rs` the bounds of two parts over the whole edge,
//! and `search.rs` the intervals that are proved free, or searched for a collision.

pub(super) mod checker;
pub(super) mod edge;
mod obstacles;
mod pairs;
mod samples;
pub(super) mod scratch;
mod search;
mod states;
