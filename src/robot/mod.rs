//! Robots in motion: edges between configurations, proved free of collisions or shown to collide,
//! and the pairs of links that touch in no configuration at all.
//!
//! A configuration is a list of values, one for each actuator of a
//! [`Mechanism`](crate::motion::Mechanism). An [`EdgeChecker`] answers for the whole straight way
//! between two configurations, not for samples of it. A [`MatrixBuilder`] answers for all
//! configurations within the limits of the joints.
//!
//! `chains.rs` has how links move along an edge, `edges` and `matrix` the two searches.

mod chains;
mod edges;
mod matrix;
mod part_ball;

pub use edges::checker::EdgeChecker;
pub use edges::edge::{Edge, EdgePart, PathEdge};
pub use edges::scratch::EdgeScratch;
pub use matrix::builder::MatrixBuilder;
pub use matrix::result::{CollisionMatrix, MatrixPair, PairVerdict};
