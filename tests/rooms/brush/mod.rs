//! Convex brushes: themselves, their booleans, and the oracles for what moves among them.

mod boolean;
#[allow(clippy::module_inception)]
mod brush;
mod characters;
mod maps;
mod oracle;
mod other_casts;
