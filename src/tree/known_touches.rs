//! What is known to touch of two bodies before they are shifted along a further direction: there too
//! it most often parts late.

use super::first_contact::FirstTouch;
use super::{DecidedBy, NodePair, TreePair};
use crate::num::Scalar;

/// Touches of other directions that are tried against the next ones.
const KNOWN: usize = 4;

/// What touches as two bodies stand, or last along directions that were asked about.
#[derive(Default)]
pub(crate) struct KnownTouches {
    /// Of which pair of trees, and what of it.
    touches: [Option<(u32, FirstTouch)>; KNOWN],
    next: usize,
    /// Leaves, in the order of the arithmetic; `None` of what lies inside.
    now: Option<(u32, [u32; 2])>,
}

impl KnownTouches {
    /// Given a pair of trees, by its number too, and what of it touches.
    pub fn new<T: Scalar>(number: u32, pair: &TreePair<'_, T>, now: NodePair) -> Self {
        let NodePair { a, b, by } = now;
        let (a, b) = if pair.seats().swapped { (b, a) } else { (a, b) };
        let leaves = [a, b].map(|node| node.index() as u32);
        let now = (by != DecidedBy::Inside).then_some((number, leaves));
        KnownTouches { touches: [None; KNOWN], next: 0, now }
    }

    /// Keeps a touch in place of the oldest.
    pub fn keep(&mut self, number: u32, touch: FirstTouch) {
        self.touches[self.next] = Some((number, touch));
        self.next = (self.next + 1) % KNOWN;
    }

    pub fn touches(&self) -> impl Iterator<Item = (u32, FirstTouch)> {
        self.touches.iter().flatten().copied()
    }

    /// The leaves that are known to touch of a pair of trees, and how many there are.
    pub fn leaves(&self, number: u32) -> ([[u32; 2]; KNOWN + 1], usize) {
        let (mut leaves, mut len) = ([[0; 2]; KNOWN + 1], 0);
        let touches = self.touches().map(|(of, touch)| (of, touch.nodes));
        for (of, nodes) in self.now.into_iter().chain(touches) {
            if of == number {
                leaves[len] = nodes;
                len += 1;
            }
        }
        (leaves, len)
    }
}
