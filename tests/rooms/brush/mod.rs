//! Convex brushes: their geometry, booleans, casts, walkers and characters among them, and the
//! oracles of moving cylinders.

mod all_hits;
mod boolean;
#[allow(clippy::module_inception)]
mod brush;
mod casts;
mod characters;
mod crowd;
mod expansions;
mod feet;
mod levels;
mod long_walks;
mod maps;
mod moving;
mod oracle;
mod other_casts;
mod passages;
mod pushers;
mod roofs;
mod rules;
mod scenes;
mod segments;
mod state;
mod turning;
mod walker;
