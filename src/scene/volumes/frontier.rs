//! What a traversal has still to visit: nodes of the trees over the characters, and characters.

use crate::broad_phase::Behind;

/// A node or a character: the bits of how far along a ray it is, or less - that length is not
/// negative and so orders as its bits do - above those of what it is. In place of the sign: whether
/// it surely lies in the volume as a whole, which is not said of rays.
#[derive(Debug, Clone, Copy)]
pub(super) struct Next(u64);

const SIGN: u32 = 1 << 31;

impl Next {
    /// What a ray meets there.
    #[inline(always)]
    pub fn along(near: f32, what: Behind) -> Self {
        // Zero has one sign.
        Next(u64::from(near.to_bits() & !SIGN) << 32 | u64::from(what.bits()))
    }

    #[inline(always)]
    pub fn new(what: Behind, inside: bool) -> Self {
        Next(u64::from(inside) << 63 | u64::from(what.bits()))
    }

    /// Whether it is nearer; of equally near ones nodes come first, then characters by order.
    #[inline(always)]
    pub fn is_before(self, other: Self) -> bool {
        self.0 < other.0
    }

    #[inline(always)]
    pub fn near(self) -> f32 {
        f32::from_bits((self.0 >> 32) as u32)
    }

    #[inline(always)]
    pub fn is_inside(self) -> bool {
        self.0 >> 63 == 1
    }

    #[inline(always)]
    pub fn what(self) -> Behind {
        Behind::from_bits(self.0 as u32)
    }
}

/// All that is still to be visited.
#[derive(Debug, Clone, Default)]
pub(super) struct Frontier {
    /// Where the nearest comes first: everything, in no order, since there is so little that to
    /// look through it costs less than to sort it. Otherwise the characters.
    waiting: Vec<Next>,
    nodes: Vec<Next>,
    /// Whether the characters are sorted, the first of them last.
    sorted: bool,
}

impl Frontier {
    #[inline(always)]
    pub fn clear(&mut self) {
        self.waiting.clear();
        self.nodes.clear();
        self.sorted = false;
    }

    /// Something to be visited in order of distance.
    #[inline(always)]
    pub fn push(&mut self, next: Next) {
        self.waiting.push(next);
    }

    /// Something to be visited in the order of answers.
    #[inline(always)]
    pub fn push_in_order(&mut self, next: Next) {
        match next.what().as_character() {
            Some(_) => self.waiting.push(next),
            None => self.nodes.push(next),
        }
    }

    /// The nearest.
    #[inline(always)]
    pub fn pop_nearest(&mut self) -> Option<Next> {
        let (mut at, mut nearest) = (0, *self.waiting.first()?);
        for (i, &next) in self.waiting.iter().enumerate() {
            (at, nearest) = if next.is_before(nearest) { (i, next) } else { (at, nearest) };
        }
        self.waiting.swap_remove(at);
        Some(nearest)
    }

    /// A node, as long as there are any; after them the characters, ascending unless the order
    /// does not matter.
    #[inline(always)]
    pub fn pop_in_order(&mut self, ordered: bool) -> Option<Next> {
        if let Some(node) = self.nodes.pop() {
            return Some(node);
        }
        if !self.sorted {
            self.sorted = true;
            if ordered && self.waiting.len() > 1 {
                self.waiting.sort_unstable_by_key(|next| std::cmp::Reverse(next.what()));
            }
        }
        self.waiting.pop()
    }
}
