//! Witness contacts of earlier directions, tried first: a pair that separates late along one
//! direction usually does so along the next.

use super::first_contact::FirstTouch;
use super::{DecidedBy, NodePair, TreePair};
use crate::num::Scalar;

/// Number of contacts of earlier directions to remember.
const KNOWN: usize = 4;

/// Contacts of two bodies in their poses, and the last contacts along the directions searched so
/// far.
#[derive(Default)]
pub(crate) struct KnownTouches {
    /// Index of the pair of trees, and the contact.
    touches: [Option<(u32, FirstTouch)>; KNOWN],
    next: usize,
    /// Leaves that touch in the current poses, in canonical order; `None` for an inside hit.
    now: Option<(u32, [u32; 2])>,
}

impl KnownTouches {
    /// Creates a cache from the index of a pair of trees and a hit of it.
    pub fn new<T: Scalar>(number: u32, pair: &TreePair<'_, T>, now: NodePair) -> Self {
        let NodePair { a, b, by } = now;
        let (a, b) = if pair.seats().swapped { (b, a) } else { (a, b) };
        let leaves = [a, b].map(|node| node.index() as u32);
        let now = (by != DecidedBy::Inside).then_some((number, leaves));
        KnownTouches { touches: [None; KNOWN], next: 0, now }
    }

    /// Stores a contact in place of the oldest.
    pub fn keep(&mut self, number: u32, touch: FirstTouch) {
        self.touches[self.next] = Some((number, touch));
        self.next = (self.next + 1) % KNOWN;
    }

    pub fn touches(&self) -> impl Iterator<Item = (u32, FirstTouch)> {
        self.touches.iter().flatten().copied()
    }

    /// Returns the leaves of the witnesses of a pair of trees, and their number.
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
