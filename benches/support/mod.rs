//! Code shared by the benches: generated data, the same for both libraries; the peers; and timed
//! rounds.
#![allow(dead_code)] // each bench uses some of it

pub mod asked;
pub mod boxes;
pub mod crowd;
pub mod flights;
pub mod frames;
pub mod measure;
pub mod moving_boxes;
pub mod peer;
pub mod planar_pairs;
pub mod query_places;
pub mod rings;
pub mod robots;
pub mod shape_pairs;

// Shared with the tests and the examples.
#[path = "../../examples/fighter/mod.rs"]
pub mod fighter;
#[path = "../../tests/support/naive_box_tests.rs"]
pub mod naive_box_tests;
#[path = "../../tests/support/people.rs"]
pub mod people;
#[path = "../../tests/support/plain_box.rs"]
pub mod plain_box;
#[path = "../../tests/support/random.rs"]
pub mod random;
