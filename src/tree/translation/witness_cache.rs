//! Witness contacts of earlier directions, tried first: a pair that separates late along one
//! direction usually does so along the next.

use super::first_contact::ShiftContact;
use crate::num::Scalar;
use crate::tree::{DecidedBy, NodePair, TreePair};

/// Number of contacts of earlier directions to remember.
const WITNESS_COUNT: usize = 4;

/// Contacts of two bodies in their poses, and the last contacts along the directions searched so
/// far.
#[derive(Default)]
pub(crate) struct WitnessCache {
    /// Index of the pair of trees, and the contact.
    witnesses: [Option<(u32, ShiftContact)>; WITNESS_COUNT],
    next: usize,
    /// Index of the pair of trees that touch in the current poses.
    touching_pair: u32,
    /// Leaves of it that touch, in canonical order; `None` for an inside hit.
    touching_leaves: Option<[u32; 2]>,
}

impl WitnessCache {
    /// Creates a cache from the index of a pair of trees and a hit of it.
    pub fn new<T: Scalar>(number: u32, pair: &TreePair<'_, T>, current: NodePair) -> Self {
        let NodePair { a, b, by } = current;
        let (a, b) = if pair.ordered_pair().swapped { (b, a) } else { (a, b) };
        let leaves = [a, b].map(|node| node.index() as u32);
        let touching_leaves = (by != DecidedBy::Inside).then_some(leaves);
        let witnesses = [None; WITNESS_COUNT];
        WitnessCache { witnesses, next: 0, touching_pair: number, touching_leaves }
    }

    /// Stores a contact in place of the oldest.
    pub fn store(&mut self, number: u32, touch: ShiftContact) {
        self.witnesses[self.next] = Some((number, touch));
        self.next = (self.next + 1) % WITNESS_COUNT;
    }

    pub fn witnesses(&self) -> impl Iterator<Item = (u32, ShiftContact)> {
        self.witnesses.iter().flatten().copied()
    }

    /// Returns the index of the pair of trees that touch in the current poses, and two nodes of it
    /// that touch: the roots for an inside hit.
    pub fn touching(&self) -> (u32, [u32; 2]) {
        (self.touching_pair, self.touching_leaves.unwrap_or_default())
    }

    /// Returns the leaves of the witnesses of a pair of trees, and their number.
    pub fn leaves(&self, number: u32) -> ([[u32; 2]; WITNESS_COUNT + 1], usize) {
        let (mut leaves, mut len) = ([[0; 2]; WITNESS_COUNT + 1], 0);
        let touches = self.witnesses().map(|(of, touch)| (of, touch.nodes));
        let current = self.touching_leaves.map(|leaves| (self.touching_pair, leaves));
        for (of, nodes) in current.into_iter().chain(touches) {
            if of == number {
                leaves[len] = nodes;
                len += 1;
            }
        }
        (leaves, len)
    }
}
