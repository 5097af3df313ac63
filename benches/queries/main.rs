//! Rays, points and regions put to a crowd and to one character of it, beside parry3d in f32 on the
//! same data: people of 20 boxes; and what filters cost.
//!
//! What is asked is timed with all that both keep between questions made before the clock starts:
//! ours the snapshot, with its tree over the characters, theirs the world boxes of all parts, for
//! one character as they are or under a tree each, for the crowd under one tree. What has to be
//! made anew when people have moved is timed by itself.
//!
//! Data: other questions in every round, 128,000 or more of a kind before the first comes again,
//! where the crowd and what is kept stand still, as they do within a frame of a game; where one
//! asks about everyone, and where things are made anew, everyone has moved in every round. Both
//! libraries are asked the same questions in the same order; ours are stored one by one, theirs as
//! poses of one shape.

#[path = "../support/mod.rs"]
mod support;

mod all_characters;
mod any_hit;
mod filters;
mod half_spaces;
mod single_character;

use criterion::{criterion_group, criterion_main};
use support::measure::settings;

criterion_group! {
    name = benches;
    config = settings().sample_size(10);
    targets =
        all_characters::queries, half_spaces::half_spaces, single_character::one, any_hit::among_a_crowd, any_hit::of_one,
        filters::filters
}
criterion_main!(benches);
