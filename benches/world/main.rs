//! A static world and 100 people who move in it, beside parry3d in f32; and a robot in its cell.

#[path = "../support/mod.rs"]
mod support;

mod people;
mod robot;

use criterion::{criterion_group, criterion_main};
use support::measure::settings;

criterion_group! {
    name = benches;
    config = settings().sample_size(10);
    targets = people::world, robot::margins, robot::alone
}
criterion_main!(benches);
