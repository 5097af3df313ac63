//! What the benches share: data made in code, the same for both libraries; the other libraries; and
//! rounds under a clock.
#![allow(dead_code)] // each bench uses some of it

pub mod boxes;
pub mod crowd;
pub mod flat;
pub mod frames;
pub mod measure;
pub mod peer;
pub mod places;
pub mod rings;
pub mod solids;
pub mod ways;

// Shared with the tests and the examples.
#[path = "../../tests/support/block.rs"]
pub mod block;
#[path = "../../examples/fighter/mod.rs"]
pub mod fighter;
#[path = "../../tests/support/naive.rs"]
pub mod naive;
#[path = "../../tests/support/people.rs"]
pub mod people;
#[path = "../../tests/support/random.rs"]
pub mod random;
