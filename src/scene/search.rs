//! From two characters to the parts and boxes of theirs that touch.

use std::ops::ControlFlow;

use super::boxes::Entry;
use super::hit::{Found, Work};
use super::{Character, Detail, Query, Snapshot};
use crate::model::PartId;
use crate::num::Scalar;
use crate::pair::Contact;
use crate::tree::{NodeId, TreePair};

/// What is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Goal {
    /// One pair, any.
    Any,
    /// All pairs.
    Pairs,
    /// All pairs and where they touch.
    Contacts,
}

/// A search under way.
pub(super) struct Search<'a, T: Scalar> {
    snapshot: Snapshot<'a, T>,
    query: &'a Query,
    goal: Goal,
    pub work: &'a mut Work<T>,
    /// The largest slack of what was found.
    pub slack: T,
}

/// Two parts whose world boxes overlap: by character's place, part.
#[derive(Clone, Copy)]
struct Candidate {
    a: (u32, PartId),
    b: (u32, PartId),
}

impl<'a, T: Scalar> Search<'a, T> {
    pub fn new(
        snapshot: Snapshot<'a, T>,
        query: &'a Query,
        goal: Goal,
        work: &'a mut Work<T>,
    ) -> Self {
        Search { snapshot, query, goal, work, slack: T::zero() }
    }

    /// Two characters that may be far apart or at rest.
    pub fn near(&mut self, a: u32, b: u32) -> ControlFlow<()> {
        self.work.tree.counts.characters += 1;
        let entries = &self.snapshot.buffers.entries;
        match entries[a as usize].near(&entries[b as usize]) {
            true => self.characters(a, b),
            false => ControlFlow::Continue(()),
        }
    }

    /// Two characters whose boxes overlap.
    pub fn characters(&mut self, a: u32, b: u32) -> ControlFlow<()> {
        let ((entry_a, character_a), (entry_b, character_b)) =
            (self.character(a), self.character(b));
        let buffers = self.snapshot.buffers;
        let parts_a = buffers.part_boxes(entry_a, character_a);
        let parts_b = buffers.part_boxes(entry_b, character_b);
        let chosen = self.query.parts.as_ref();
        let Work { tree, stack, candidates, .. } = &mut *self.work;
        candidates.clear();
        parts_a.overlaps(&parts_b, stack, &mut tree.counts, |part_a, part_b| {
            if chosen.is_none_or(|[of_a, of_b]| of_a.contains(part_a) && of_b.contains(part_b)) {
                candidates.push((part_a, part_b));
            }
        });
        self.candidates(a, b)
    }

    /// One character against itself.
    pub fn within(&mut self, a: u32) -> ControlFlow<()> {
        let (entry, character) = self.character(a);
        let bounds = |part| self.snapshot.buffers.placed(entry, part).bounds;
        let Work { tree, candidates, .. } = &mut *self.work;
        candidates.clear();
        let parts = character.model.len();
        for first in (0..parts).map(PartId::new) {
            for second in (first.index() + 1..parts).map(PartId::new) {
                if !character.model.ignores(first, second) {
                    tree.counts.parts += 1;
                    if bounds(first).intersects(&bounds(second)) {
                        candidates.push((first, second));
                    }
                }
            }
        }
        self.candidates(a, a)
    }

    fn candidates(&mut self, a: u32, b: u32) -> ControlFlow<()> {
        for index in 0..self.work.candidates.len() {
            let (part_a, part_b) = self.work.candidates[index];
            self.parts(Candidate { a: (a, part_a), b: (b, part_b) })?;
        }
        ControlFlow::Continue(())
    }

    /// Two parts whose world boxes overlap.
    fn parts(&mut self, candidate: Candidate) -> ControlFlow<()> {
        let Some(pair) = self.tree_pair(candidate) else { return ControlFlow::Continue(()) };
        match (self.goal, self.query.detail) {
            (Goal::Any, _) | (Goal::Pairs, Detail::Parts) => self.first_pair(candidate, &pair),
            (Goal::Pairs, Detail::Boxes) => self.all_pairs(candidate, &pair),
            (Goal::Contacts, Detail::Parts) => self.deepest(candidate, &pair),
            (Goal::Contacts, Detail::Boxes) => self.all_contacts(candidate, &pair),
        }
        match self.goal == Goal::Any && !self.work.found.is_empty() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    fn first_pair(&mut self, candidate: Candidate, pair: &TreePair<'_, T>) {
        let depth = self.query.accuracy.depth();
        let touching =
            pair.visit_touching(depth, &mut self.work.tree, |_, _| ControlFlow::Break(()));
        if touching.is_break() {
            self.raise(pair.cut_slack(depth));
            self.found(candidate, NodeId::ROOT, NodeId::ROOT, None);
        }
    }

    fn all_pairs(&mut self, candidate: Candidate, pair: &TreePair<'_, T>) {
        let depth = self.query.accuracy.depth();
        let before = self.work.found.len();
        let Work { tree, found, .. } = &mut *self.work;
        let _ = pair.visit_touching(depth, tree, |a, b| {
            found.push(Found { key: candidate.key(a, b), contact: None });
            ControlFlow::Continue(())
        });
        if self.work.found.len() > before {
            self.raise(pair.cut_slack(depth));
        }
    }

    fn all_contacts(&mut self, candidate: Candidate, pair: &TreePair<'_, T>) {
        let depth = self.query.accuracy.depth();
        let Work { tree, found, .. } = &mut *self.work;
        let mut slack = self.slack;
        let _ = pair.visit_touching(depth, tree, |a, b| {
            let contact = pair.contact(a, b);
            slack = if contact.slack > slack { contact.slack } else { slack };
            found.push(Found { key: candidate.key(a, b), contact: Some(contact) });
            ControlFlow::Continue(())
        });
        self.slack = slack;
    }

    /// The deepest contact of two parts; of equal ones that of the nodes that come first in the
    /// order of the arithmetic, which is the same from both sides.
    fn deepest(&mut self, candidate: Candidate, pair: &TreePair<'_, T>) {
        let mut best: Option<(NodeId, NodeId, Contact<T>)> = None;
        let depth = self.query.accuracy.depth();
        let _ = pair.visit_touching(depth, &mut self.work.tree, |a, b| {
            let contact = pair.contact(a, b);
            let deeper = best.is_none_or(|(best_a, best_b, deepest)| {
                contact.depth > deepest.depth
                    || contact.depth == deepest.depth
                        && pair.in_order(a, b) < pair.in_order(best_a, best_b)
            });
            if deeper {
                best = Some((a, b, contact));
            }
            ControlFlow::Continue(())
        });
        if let Some((a, b, contact)) = best {
            self.raise(contact.slack);
            self.found(candidate, a, b, Some(contact));
        }
    }

    fn found(&mut self, candidate: Candidate, a: NodeId, b: NodeId, contact: Option<Contact<T>>) {
        self.work.found.push(Found { key: candidate.key(a, b), contact });
    }

    fn raise(&mut self, slack: T) {
        if slack > self.slack {
            self.slack = slack;
        }
    }

    fn character(&self, place: u32) -> (&'a Entry<T>, &'a Character<T>) {
        let entry = &self.snapshot.buffers.entries[place as usize];
        (entry, &self.snapshot.scene.characters[entry.slot])
    }

    fn tree_pair(&self, candidate: Candidate) -> Option<TreePair<'a, T>> {
        let seat = |(place, part): (u32, PartId)| {
            let (entry, character) = self.character(place);
            let placement = &self.snapshot.buffers.placed(entry, part).placement;
            character.model.seat(part, &character.poses[part.index()], placement, entry.order)
        };
        Some(TreePair::between(seat(candidate.a)?, seat(candidate.b)?))
    }
}

impl Candidate {
    fn key(&self, node_a: NodeId, node_b: NodeId) -> [u32; 6] {
        let side = |(place, part): (u32, PartId), node: NodeId| {
            [place, part.index() as u32, node.index() as u32]
        };
        let ([a, b, c], [d, e, f]) = (side(self.a, node_a), side(self.b, node_b));
        [a, b, c, d, e, f]
    }
}
