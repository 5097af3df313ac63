//! The plugin in apps without a window, a renderer or an asset server.

#[cfg(feature = "asset")]
mod asset;
mod by_hand;
mod events;
mod fixed;
mod joints;
mod lifecycle;
mod options;
mod queries;
#[cfg(feature = "reflect")]
mod reflect;
mod schedule;
mod stage;
mod sweep;
#[cfg(feature = "levels")]
mod walk;
