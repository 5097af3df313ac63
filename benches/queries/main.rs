//! Rays, points and query shapes at a crowd and at one character of it, beside parry3d in f32 on
//! the same data: people of 20 boxes; and the cost of filters.
//!
//! The clock starts after all that both libraries share between queries is built: in boxwood the
//! snapshot, with its tree over the characters; in parry3d the world boxes of all parts, for one
//! character as a list or under a tree, for the crowd under one tree. The rebuild after people have
//! moved has rows of its own.
//!
//! Data: new queries in every round, 128,000 or more of a kind before the first repeats, while the
//! crowd is at rest, as within a frame of a game. All people move in every round where one
//! character is tested against all, where trees are rebuilt, and in the rows of new frames. Both
//! libraries get the same queries in the same order; boxwood's are stored one by one, parry3d's as
//! poses of one shape.

#[path = "../support/mod.rs"]
mod support;

mod all_characters;
mod any_hit;
mod filters;
mod half_spaces;
mod nearest;
mod new_frames;
mod single_character;

use criterion::{criterion_group, criterion_main};
use support::measure::settings;

criterion_group! {
    name = benches;
    config = settings().sample_size(10);
    targets =
        all_characters::queries, half_spaces::half_spaces, single_character::one,
        any_hit::among_a_crowd, any_hit::of_one, nearest::nearest,
        new_frames::new_frames, filters::filters
}
criterion_main!(benches);
