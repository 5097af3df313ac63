//! Nodes in an order in which those of like size stand together.

/// Which node it is, ordered by its size first: one number, which sorts sooner than two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Alike(u64);

impl Alike {
    pub fn new(size: usize, place: u32) -> Self {
        Alike((size as u64) << 32 | u64::from(place))
    }

    /// Which of the nodes it is.
    #[inline(always)]
    pub fn place(self) -> usize {
        self.0 as u32 as usize
    }
}
