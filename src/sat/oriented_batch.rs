//! Oriented boxes of two parts in single precision, as a batch of pairs for kernels: each lane
//! loads its pair by index.

use super::eight_boxes::RelativeFrame;
use crate::num::simd::Floats;
use crate::num::vectors::{FloatRecord, gather_indices, vector_at};
use crate::shape::WideObb;

/// Number of pairs tested together.
pub(crate) const QUEUE_LEN: usize = 16;

/// Indices of the axes and of the half extents in a record; the centre is first, relative to the
/// centre of the root.
const AXES_INDEX: usize = 3;
const HALF_EXTENTS_INDEX: usize = 12;

/// Packs an oriented box in single precision, its centre relative to the centre of the root.
pub(crate) fn record_of_box(solid: &WideObb) -> FloatRecord {
    let [x, y, z] = solid.axes;
    let numbers = [solid.center, x, y, z, solid.half_extents];
    let mut record = [0.0; 16];
    for (entry, number) in record.iter_mut().zip(numbers.as_flattened()) {
        *entry = *number as f32;
    }
    record
}

/// Pairs of oriented boxes of two parts.
#[derive(Clone, Copy)]
pub(crate) struct OrientedBatch<'a> {
    pub frame: &'a RelativeFrame,
    /// Boxes of either part.
    pub records: [&'a [FloatRecord]; 2],
    /// Indices of each pair in `records`. All entries must be valid; the first `len` pairs count.
    pub pairs: &'a [[u32; QUEUE_LEN]; 2],
    pub len: usize,
}

impl OrientedBatch<'_> {
    /// Loads the boxes of the first (0) or the second part (1) of the pairs from index `at` on, one
    /// a lane, in the frame of their part. Not both at once: an array of both is kept in memory.
    #[inline(always)]
    pub(super) fn load<L: Floats>(&self, token: L::Token, side: usize, at: usize) -> WideObb<L> {
        let numbers = &self.pairs[side][at..];
        let columns = gather_indices::<L>(token, self.records[side], numbers);
        WideObb {
            center: vector_at(&columns, 0),
            axes: [
                vector_at(&columns, AXES_INDEX),
                vector_at(&columns, AXES_INDEX + 3),
                vector_at(&columns, AXES_INDEX + 6),
            ],
            half_extents: vector_at(&columns, HALF_EXTENTS_INDEX),
        }
    }
}
