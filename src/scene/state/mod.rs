//! The state of a scene: characters, poses, groups, attachments, copies.

pub(super) mod attach;
pub(super) mod attachments;
pub(super) mod character;
pub(super) mod characters;
pub(super) mod clone;
pub(super) mod groups;
pub(super) mod ignore;
#[cfg(feature = "serde")]
pub(super) mod key_bits;
pub(super) mod orders;
pub(super) mod pose_pool;
pub(super) mod poses;
pub(super) mod root;
pub(super) mod scene;
pub(super) mod stamps;
