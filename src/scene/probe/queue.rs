//! What is in the way of a ray, the nearest first.

use crate::broad_phase::Behind;

/// A node or a character, and how far along the ray it is, or less: the bits of that length, which
/// is not negative and so orders as they do, above those of what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Next(u64);

const SIGN: u32 = 1 << 31;

impl Next {
    #[inline]
    pub fn new(near: f32, what: Behind) -> Self {
        // Zero has one sign.
        Next(u64::from(near.to_bits() & !SIGN) << 32 | u64::from(what.bits()))
    }

    #[inline]
    pub fn near(self) -> f32 {
        f32::from_bits((self.0 >> 32) as u32)
    }

    #[inline]
    pub fn what(self) -> Behind {
        Behind::from_bits(self.0 as u32)
    }
}

/// In no order: there are so few that to look through them costs less than to sort them.
#[derive(Debug, Clone, Default)]
pub(super) struct Queue(Vec<Next>);

impl Queue {
    pub fn clear(&mut self) {
        self.0.clear();
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    #[inline]
    pub fn push(&mut self, next: Next) {
        self.0.push(next);
    }

    /// The nearest.
    #[inline]
    pub fn pop(&mut self) -> Option<Next> {
        let (mut at, mut nearest) = (0, *self.0.first()?);
        for (i, &next) in self.0.iter().enumerate() {
            (at, nearest) = if next < nearest { (i, next) } else { (at, nearest) };
        }
        self.0.swap_remove(at);
        Some(nearest)
    }
}
