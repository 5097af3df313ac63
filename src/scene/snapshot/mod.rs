//! One moment of a scene: buffers, placed boxes, transforms.

pub(super) mod buffers;
pub(super) mod entry;
pub(super) mod owned;
pub(super) mod part_transforms;
pub(super) mod placement;
pub(super) mod snapshot;
#[cfg(feature = "rayon")]
pub(super) mod threads;

collect_tests!(buffers);
