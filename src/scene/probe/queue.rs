//! What is in the way of a ray, the nearest first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::scene::crowd::Behind;

/// Marks characters: of equally near things nodes come first, then characters by place.
const CHARACTER: u32 = 1 << 31;

/// A node or a character, and how far along the ray it is, or less.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Next {
    /// The bits of a length that is not negative, which order as it does.
    near: u32,
    what: u32,
}

impl Next {
    pub fn new(near: f32, what: Behind) -> Self {
        let what = match what {
            Behind::Node(id) => id,
            Behind::Character(place) => place | CHARACTER,
        };
        // Zero has one sign.
        Next { near: (near + 0.0).to_bits(), what }
    }

    pub fn near(self) -> f32 {
        f32::from_bits(self.near)
    }

    pub fn what(self) -> Behind {
        match self.what & CHARACTER {
            0 => Behind::Node(self.what),
            _ => Behind::Character(self.what & !CHARACTER),
        }
    }
}

#[derive(Debug, Clone, Default)]
pub(super) struct Queue(BinaryHeap<Reverse<Next>>);

impl Queue {
    pub fn clear(&mut self) {
        self.0.clear();
    }

    pub fn push(&mut self, next: Next) {
        self.0.push(Reverse(next));
    }

    /// The nearest.
    pub fn pop(&mut self) -> Option<Next> {
        self.0.pop().map(|Reverse(next)| next)
    }
}

impl Extend<Next> for Queue {
    fn extend<I: IntoIterator<Item = Next>>(&mut self, all: I) {
        self.0.extend(all.into_iter().map(Reverse));
    }
}
