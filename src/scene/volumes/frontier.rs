//! The frontier of a traversal: nodes of the trees over the characters, and characters, still to
//! visit.

use crate::broad_phase::ChildRef;

/// A node or a character to visit, packed for comparison: the bits of a lower bound on the distance
/// along a ray above those of the child. The distance is not negative, so its bits compare like its
/// value. Its sign bit is set if the child certainly lies inside the volume, which rays never
/// claim.
#[derive(Debug, Clone, Copy)]
pub(super) struct FrontierEntry(u64);

const SIGN: u32 = 1 << 31;

impl FrontierEntry {
    /// Returns the entry of a child that a ray enters at `near`.
    #[inline(always)]
    pub fn with_distance(near: f32, child: ChildRef) -> Self {
        // Clears the sign of negative zero.
        FrontierEntry(u64::from(near.to_bits() & !SIGN) << 32 | u64::from(child.bits()))
    }

    #[inline(always)]
    pub fn new(child: ChildRef, inside: bool) -> Self {
        FrontierEntry(u64::from(inside) << 63 | u64::from(child.bits()))
    }

    /// Returns `true` if this entry is nearer; at equal distances nodes precede characters, and
    /// characters are in order.
    #[inline(always)]
    pub fn is_before(self, other: Self) -> bool {
        self.0 < other.0
    }

    #[inline(always)]
    pub fn distance(self) -> f32 {
        f32::from_bits((self.0 >> 32) as u32)
    }

    #[inline(always)]
    pub fn is_inside(self) -> bool {
        self.0 >> 63 == 1
    }

    #[inline(always)]
    pub fn child(self) -> ChildRef {
        ChildRef::from_bits(self.0 as u32)
    }
}

/// All entries still to visit.
#[derive(Debug, Clone, Default)]
pub(super) struct Frontier {
    /// Entries in order of distance: all of them, unsorted, because a scan of so few is cheaper
    /// than sorting. In order of answers: the characters.
    entries: Vec<FrontierEntry>,
    nodes: Vec<FrontierEntry>,
    /// `true` if the characters are sorted, the first of them last.
    sorted: bool,
}

impl Frontier {
    #[inline(always)]
    pub fn clear(&mut self) {
        self.entries.clear();
        self.nodes.clear();
        self.sorted = false;
    }

    /// Adds an entry to visit in order of distance.
    #[inline(always)]
    pub fn push(&mut self, next: FrontierEntry) {
        self.entries.push(next);
    }

    /// Adds an entry to visit in the order of answers.
    #[inline(always)]
    pub fn push_in_order(&mut self, next: FrontierEntry) {
        match next.child().as_character() {
            Some(_) => self.entries.push(next),
            None => self.nodes.push(next),
        }
    }

    /// Removes and returns the nearest entry.
    #[inline(always)]
    pub fn pop_nearest(&mut self) -> Option<FrontierEntry> {
        let (mut at, mut nearest) = (0, *self.entries.first()?);
        for (i, &next) in self.entries.iter().enumerate() {
            (at, nearest) = if next.is_before(nearest) { (i, next) } else { (at, nearest) };
        }
        self.entries.swap_remove(at);
        Some(nearest)
    }

    /// Removes and returns a node while there are any; then the characters, ascending if `ordered`.
    #[inline(always)]
    pub fn pop_in_order(&mut self, ordered: bool) -> Option<FrontierEntry> {
        if let Some(node) = self.nodes.pop() {
            return Some(node);
        }
        if !self.sorted {
            self.sorted = true;
            if ordered && self.entries.len() > 1 {
                self.entries.sort_unstable_by_key(|next| std::cmp::Reverse(next.child()));
            }
        }
        self.entries.pop()
    }
}
