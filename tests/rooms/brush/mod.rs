//! Convex brushes: themselves, their booleans, casts and walkers among them, and the oracles.

mod boolean;
#[allow(clippy::module_inception)]
mod brush;
mod casts;
mod levels;
mod moving;
mod oracle;
mod scenes;
mod state;
mod walker;
