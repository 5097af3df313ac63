//! Sort key that groups nodes of equal size, so that they share SIMD batches.

/// Size and index of a node packed in one integer, which sorts faster than a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Alike(u64);

impl Alike {
    pub fn new(size: usize, place: u32) -> Self {
        Alike((size as u64) << 32 | u64::from(place))
    }

    /// Returns the index of the node.
    #[inline(always)]
    pub fn place(self) -> usize {
        self.0 as u32 as usize
    }
}
