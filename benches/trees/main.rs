//! Two trees: rings of triangles that nearly touch, two chests, and two fighters at close quarters,
//! by accuracy.
//!
//! Data: new relative poses in every round, so that no traversal repeats until 64 others have run:
//! the rings at 128 poses, 8 a round; the chests at 512, one a round; the fighters in 256 frames,
//! one a round. Nodes of the trees may stay in caches, as they do where many characters share one
//! model.

#[path = "../support/mod.rs"]
mod support;

mod chests;
mod rings;
mod two_fighters;

use criterion::{criterion_group, criterion_main};
use support::measure::settings;

criterion_group! {
    name = benches;
    config = settings();
    targets = rings::rings, chests::chests, two_fighters::by_accuracy,
        two_fighters::separations, two_fighters::casts
}
criterion_main!(benches);
