//! Convex brushes: themselves, their booleans, casts, walkers and characters among them, and the
//! oracles for what moves among them.

mod boolean;
#[allow(clippy::module_inception)]
mod brush;
mod casts;
mod characters;
mod expansions;
mod levels;
mod maps;
mod moving;
mod oracle;
mod other_casts;
mod scenes;
mod state;
mod turning;
mod walker;
