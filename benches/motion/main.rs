//! Motion between two poses: a sword against a knight, 1,000 people against each other, boxes that
//! turn, a history of 1,000 people, and events of 1,000 pairs that touch.
//!
//! Data: every tick is another one. Knights play clips at another distance and angle each time the
//! clips are over; people have new positions and limb angles in every frame, near those of the frame
//! before; boxes are drawn at random; of the pairs that touch others begin and end in each tick.
//! Peers: parry3d's nonlinear shape cast for single boxes, whose misses are counted; none for
//! characters, so the swept query stands beside the snapshot's pairs.

#[path = "../support/mod.rs"]
mod support;

mod boxes;
mod crowd;
mod events;
mod knights;

use criterion::{criterion_group, criterion_main};
use support::measure::settings;

criterion_group! {
    name = benches;
    config = settings().sample_size(10);
    targets = knights::swords, crowd::people, events::events, boxes::turning
}
criterion_main!(benches);
