//! Sort key that groups nodes of equal size, so that they share SIMD batches.

/// Size and index of a node packed in one integer, which sorts faster than a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::tree) struct NodeSizeKey(u64);

impl NodeSizeKey {
    pub fn new(size: usize, index: u32) -> Self {
        NodeSizeKey((size as u64) << 32 | u64::from(index))
    }

    /// Returns the index of the node.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as u32 as usize
    }
}
