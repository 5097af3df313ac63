//! Contacts of node pairs that touch, one SIMD batch at a time.

use super::candidates::Candidate;
use crate::num::{Scalar, SimdLevel};
use crate::pair::Contact;
use crate::tree::{ContactBatch, NodePair, OrderedPair, TreePair, TreeScratch};

/// Contacts of a query, and scratch memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct ContactScratch<T: Scalar> {
    pub all: Vec<Contact<T>>,
    /// Number of contacts of bodies, the first of `all`; the others are of boxes.
    pub measured_len: u32,
    /// Indices of the contacts of parts that are single boxes, before they are
    /// [finished](super::NarrowPhase::finish).
    pub single_boxes: Vec<(u32, Candidate)>,
    batch: ContactBatch,
    /// Contacts of one pair of parts, of which the deepest is reported.
    part_contacts: Vec<Contact<T>>,
    part_batch: ContactBatch,
}

impl<T: Scalar> ContactScratch<T> {
    pub fn clear(&mut self) {
        self.all.clear();
        self.measured_len = 0;
        self.single_boxes.clear();
        self.batch.clear();
        self.part_batch.clear();
    }

    /// Adds the contact of two nodes, computed once a batch is full; returns its index.
    pub fn push(
        &mut self,
        ordered: &OrderedPair<'_, T>,
        touch: NodePair,
        tree: &mut TreeScratch,
    ) -> u32 {
        let index = (self.all.len() + self.batch.len()) as u32;
        let simd = tree.simd;
        self.batch.push(ordered, touch, (tree, simd), &mut self.all);
        index
    }

    /// Adds the contact of two bodies; returns its index.
    pub fn push_measured(&mut self, contact: Contact<T>, simd: SimdLevel) -> u32 {
        self.batch.flush(simd, &mut self.all);
        self.all.push(contact);
        self.measured_len = self.all.len() as u32;
        self.measured_len - 1
    }

    /// Computes the queued contacts.
    pub fn finish(&mut self, simd: SimdLevel) {
        self.batch.flush(simd, &mut self.all);
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
        let (contacts, batch, simd) = (&mut self.part_contacts, &mut self.part_batch, tree.simd);
        contacts.clear();
        for &touch in touches {
            batch.push(pair.ordered_pair(), touch, (tree, simd), contacts);
        }
        batch.flush(simd, contacts);
        let deepest = touches.iter().zip(&*contacts).reduce(|best, next| {
            let order = |touch: &NodePair| pair.ordered_pair().canonical_ids(touch.a, touch.b);
            let deeper = next.1.depth > best.1.depth
                || next.1.depth == best.1.depth && order(next.0) < order(best.0);
            if deeper { next } else { best }
        });
        deepest.map(|(touch, _)| *touch)
    }
}
