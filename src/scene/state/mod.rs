//! The state of a scene: characters, poses, groups, attachments, copies.
//!
//! `Scene` owns `Characters`, a slot map of `Character` with poses, enabled parts and groups, the
//! `Orders` in which answers are sorted, `Attachments` and ignored pairs. Every change gives the
//! character a new number from `Stamps`, by which the buffers of snapshots notice it. `PosePool`
//! keeps the memory of removed characters.
//!
//! Read `scene` and `character` first; `poses`, `root`, `groups`, `attach` and `ignore` have the
//! methods by subject.

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

collect_tests!(stamps);
