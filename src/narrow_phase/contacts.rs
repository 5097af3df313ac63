//! Contacts of node pairs that touch, one SIMD batch at a time.

use crate::num::{Scalar, SimdLevel};
use crate::pair::Contact;
use crate::tree::{NodePair, Seats, TreePair, TreeScratch, Waiting};

/// Contacts of a query, and scratch memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct ContactScratch<T: Scalar> {
    pub all: Vec<Contact<T>>,
    waiting: Waiting,
    /// Contacts of one pair of parts, of which the deepest is reported.
    of_parts: Vec<Contact<T>>,
    waiting_of_parts: Waiting,
}

impl<T: Scalar> ContactScratch<T> {
    pub fn clear(&mut self) {
        self.all.clear();
        self.waiting.clear();
        self.waiting_of_parts.clear();
    }

    /// Adds the contact of two nodes, computed once a batch is full; returns its index.
    pub fn push(&mut self, seats: &Seats<'_, T>, touch: NodePair, tree: &mut TreeScratch) -> u32 {
        let at = (self.all.len() + self.waiting.len()) as u32;
        let level = tree.level;
        self.waiting.push(seats, touch, (tree, level), &mut self.all);
        at
    }

    /// Computes the queued contacts; returns the largest slack of all contacts, at least `slack`.
    pub fn finish(&mut self, level: SimdLevel, slack: T) -> T {
        self.waiting.flush(level, &mut self.all);
        let most = |most, contact: &Contact<T>| {
            if contact.slack > most { contact.slack } else { most }
        };
        self.all.iter().fold(slack, most)
    }

    /// Returns the node pair of two parts with the deepest contact; ties go to the first nodes in
    /// canonical order, which does not depend on the order of the parts.
    pub fn deepest(
        &mut self,
        pair: &TreePair<'_, T>,
        touches: &[NodePair],
        tree: &mut TreeScratch,
    ) -> Option<NodePair> {
        if let &[] | &[_] = touches {
            return touches.first().copied();
        }
        let (contacts, waiting, level) =
            (&mut self.of_parts, &mut self.waiting_of_parts, tree.level);
        contacts.clear();
        for &touch in touches {
            waiting.push(pair.seats(), touch, (tree, level), contacts);
        }
        waiting.flush(level, contacts);
        let deepest = touches.iter().zip(&*contacts).reduce(|best, next| {
            let order = |touch: &NodePair| pair.seats().in_order(touch.a, touch.b);
            let deeper = next.1.depth > best.1.depth
                || next.1.depth == best.1.depth && order(next.0) < order(best.0);
            if deeper { next } else { best }
        });
        deepest.map(|(touch, _)| *touch)
    }
}
