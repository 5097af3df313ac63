//! Contacts of bodies: each pair of parts that is reported is measured exactly.

use super::candidates::Candidate;
use super::pipeline::{NarrowPhase, NarrowPhaseScratch};
use super::placed_trees::PlacedTrees;
use crate::num::Scalar;
use crate::pair::Contact;
use crate::tree::{Accuracy, DecidedBy, NodeId, NodePair, ReportedBodies};

impl<'a, T: Scalar, P: PlacedTrees<'a, T>> NarrowPhase<'a, '_, T, P> {
    /// Measures two parts that are reported at that accuracy; returns the index of the contact.
    ///
    /// Two single boxes are queued: the axis of least overlap of boxes is that of their separation.
    pub(super) fn measure(&mut self, candidate: &Candidate, accuracy: Accuracy) -> u32 {
        if [candidate.a, candidate.b].iter().all(|&part| self.placed.tree(part).is_single_box()) {
            let ordered = self.placed.ordered_pair(&lower_first(candidate));
            let NarrowPhaseScratch { tree, contacts, .. } = &mut *self.work;
            let touch = NodePair { a: NodeId::ROOT, b: NodeId::ROOT, by: DecidedBy::Boxes };
            let index = contacts.push(&ordered, touch, tree);
            contacts.measured_len = index + 1;
            contacts.single_boxes.push((index, *candidate));
            return index;
        }
        let contact = self.body_contact(candidate, accuracy);
        let NarrowPhaseScratch { tree, contacts, .. } = &mut *self.work;
        contacts.push_measured(contact, tree.simd)
    }

    /// Measures two parts that are reported at that accuracy. The lesser part is measured as the
    /// first, so that swapped arguments give the reversed bits also where two equal trees have one
    /// pose.
    fn body_contact(&mut self, candidate: &Candidate, accuracy: Accuracy) -> Contact<T> {
        let lower = lower_first(candidate);
        let pair = self.placed.tree_pair(&lower);
        let slack = pair.report_slack(accuracy, &mut self.work.tree);
        let touch = accuracy == Accuracy::Exact && self.placed.margin(&lower) == 0.0;
        let preferred = self.placed.preferred_normal(&lower);
        let reported = ReportedBodies { touch, slack, preferred };
        let contact = pair.body_contact(&reported, &mut self.work.tree);
        if lower.a == candidate.a { contact } else { contact.reversed() }
    }

    /// Finishes the queued contacts of single boxes. Those whose overlap rounding could have caused
    /// are tested exactly, and measured again if they are disjoint.
    pub(super) fn finish_single_boxes(&mut self) {
        let mut queued = std::mem::take(&mut self.work.contacts.single_boxes);
        for (index, candidate) in queued.drain(..) {
            let boxes = self.work.contacts.all[index as usize];
            let is_reversed = lower_first(&candidate).a != candidate.a;
            let touching = Contact { slack: T::zero(), ..boxes };
            let touching = if is_reversed { touching.reversed() } else { touching };
            let exactly = (boxes.depth <= boxes.slack).then(|| {
                self.work.tree.clear_pair_cache();
                self.body_contact(&candidate, self.accuracy)
            });
            let disjoint = exactly.filter(|bodies| bodies.depth < T::zero());
            self.work.contacts.all[index as usize] = disjoint.unwrap_or(touching);
        }
        self.work.contacts.single_boxes = queued;
    }
}

fn lower_first(candidate: &Candidate) -> Candidate {
    let [a, b] = candidate.unordered();
    Candidate { a, b }
}
