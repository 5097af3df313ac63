//! Crowds of people of 20 parts, each a box or a tree of 64: whole frames, broad phase, distances
//! and self-collision, beside parry3d in f32 on the same poses; 100 fighters of the examples;
//! characters of many parts; and changes of a scene without a query.
//!
//! Data: no frame repeats. Each person has a new position in their cell of a grid and new limb
//! angles in every frame. The poses are made outside the clock, so they are in the caches as an
//! animation leaves them. Both libraries get the same frames.

#[path = "../support/mod.rs"]
mod support;

mod broad_phase;
mod changes;
mod distances;
mod fighters;
mod frames;
mod many_parts;
mod self_collision;

use criterion::{criterion_group, criterion_main};
use std::time::Duration;
use support::measure::settings;

criterion_group! {
    name = benches;
    config = settings().sample_size(10);
    targets =
        broad_phase::near, distances::distances, self_collision::pairs,
        self_collision::clearances, fighters::fighters, many_parts::worms,
        changes::changes
}
criterion_group! {
    name = frames;
    config = settings()
        .sample_size(10)
        .measurement_time(Duration::from_millis(250))
        .warm_up_time(Duration::from_millis(50));
    targets = frames::crowds
}
criterion_main!(frames, benches);
