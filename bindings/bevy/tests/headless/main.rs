//! The plugin in apps without a window, a renderer or an asset server.

mod by_hand;
mod joints;
mod lifecycle;
mod options;
mod queries;
mod stage;
mod sweep;
