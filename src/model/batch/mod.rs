//! Collision verdicts of many configurations of a robot.
//!
//! A lane is a configuration. `filter.rs` poses 16 rows side by side in single precision and drops
//! the pairs of parts that are certainly apart: bounding balls first, then capsules, with each
//! other and with the boxes of obstacles. A point of a part inside an obstacle shows that a row
//! collides. What is left is posed and decided like a single query, the likeliest pairs first, so
//! verdicts are those of single queries, bit for bit.
//!
//! `volumes.rs` fits balls and capsules; `obstacles.rs` has the static models around the robot;
//! `collision_batch.rs` is the query, `batch_pair.rs` its answers.

mod batch_pair;
mod collision_batch;
mod filter;
mod obstacles;
mod volumes;

pub use batch_pair::{BatchCounts, BatchPair, BatchPart};
pub use collision_batch::{CollisionBatch, CollisionBatchScratch};

collect_tests!(volumes);
