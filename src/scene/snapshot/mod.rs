//! One moment of a scene: buffers, placed boxes, transforms.
//!
//! A `Snapshot` borrows a scene and its `Buffers`, and has every query. The buffers have a
//! `CharacterEntry` for each character, sorted by order, and the world AABBs of the parts, 16 to a
//! block. `PlacementBatch` updates those of the characters that changed since the last snapshot.
//! `PartTransforms` are computed for a character when a query first needs them. `OwnedSnapshot`
//! owns both.
//!
//! Read `snapshot` first, then `buffers`, `entry` and `placement`.

pub(super) mod buffers;
pub(super) mod entry;
pub(super) mod owned;
pub(super) mod part_transforms;
pub(super) mod placement;
pub(super) mod snapshot;
#[cfg(feature = "rayon")]
pub(super) mod threads;

collect_tests!(buffers);
