//! What is looked for in a snapshot, and what of what is found belongs to the answer.

use std::ops::ControlFlow;

use super::boxes::Entry;
use super::candidates::Candidate;
use super::hit::{Found, QueryScratch};
use super::{Character, Detail, PairQuery, Snapshot};
use crate::broad_phase::Nearness;
use crate::model::AskedMargin;
use crate::num::Scalar;
use crate::pair::Contact;
use crate::sat::prefilter::BATCH;
use crate::tree::{Accuracy, NodePair, Seats, Spending, TreePair};

/// So many candidates do not wait for more.
const ENOUGH: usize = 2 * BATCH;

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
    pub snapshot: Snapshot<'a, T>,
    pub query: &'a PairQuery<'a>,
    pub goal: Goal,
    pub work: &'a mut QueryScratch<T>,
    /// Contacts have none.
    pub margin: AskedMargin,
    /// The largest slack of what was found.
    pub slack: T,
    /// What the largest slack of roots depends on: no pair with less of all has more slack.
    pub loosest: [f64; 3],
    /// Whether the accuracy was met.
    pub met: bool,
}

impl<'a, T: Scalar> Search<'a, T> {
    pub fn new(
        snapshot: Snapshot<'a, T>,
        query: &'a PairQuery<'a>,
        goal: Goal,
        work: &'a mut QueryScratch<T>,
    ) -> Self {
        work.tree.level = snapshot.buffers.level;
        let margin = AskedMargin { least: query.margin, own: goal != Goal::Contacts };
        let (slack, loosest) = (T::zero(), [0.0; 3]);
        Search { snapshot, query, goal, work, margin, slack, loosest, met: true }
    }

    /// Every two characters that are near. Says whether several threads did it, which leave nothing
    /// to finish.
    pub fn all(&mut self) -> bool {
        let (buffers, margin) = (self.snapshot.buffers, self.margin.least);
        let mut within = std::mem::take(&mut self.work.near_all);
        let near = match margin > 0.0 {
            true => {
                within.find(&buffers.entries, buffers.level, Nearness::within(margin));
                &within
            }
            false => buffers.near(),
        };
        self.work.tree.counts.characters += near.compared;
        let by_threads = self.all_by_threads(&near.pairs);
        if !by_threads {
            let mut groups = near.pairs.chunk_by(|one, next| one.0 == next.0);
            let _ = groups.try_for_each(|group| self.group(group));
        }
        self.work.near_all = within;
        by_threads
    }

    /// Without threads there are none.
    #[cfg(not(feature = "rayon"))]
    fn all_by_threads(&mut self, _: &[(u32, u32)]) -> bool {
        false
    }

    /// One character, and all that come after it and are near.
    pub fn group(&mut self, pairs: &[(u32, u32)]) -> ControlFlow<()> {
        pairs.iter().try_for_each(|&(a, b)| self.characters(a, b))?;
        match self.work.candidates.len() >= ENOUGH && !self.is_budgeted() {
            true => self.narrow_phase(),
            false => ControlFlow::Continue(()),
        }
    }

    /// One character and each of the others, in their order.
    pub fn against_all(&mut self, a: u32) -> ControlFlow<()> {
        let buffers = self.snapshot.buffers;
        let entry = &buffers.entries[a as usize];
        let mut near = std::mem::take(&mut self.work.near_one);
        let within = Nearness::within(self.margin.least);
        let compared = buffers.everyone().near(buffers.level, (entry.around, within), &mut near);
        self.work.tree.counts.characters += compared;
        let is_near = |b: u32| entry.is_near(&buffers.entries[b as usize], within);
        let others = near.iter().filter(|&&b| b != a && is_near(b));
        let flow = others.copied().try_for_each(|b| self.characters(a, b));
        self.work.near_one = near;
        flow
    }

    /// Two characters that may be far apart or at rest.
    pub fn near(&mut self, a: u32, b: u32) -> ControlFlow<()> {
        self.work.tree.counts.characters += 1;
        let entries = &self.snapshot.buffers.entries;
        let within = Nearness::within(self.margin.least);
        match entries[a as usize].is_near(&entries[b as usize], within) {
            true => self.characters(a, b),
            false => ControlFlow::Continue(()),
        }
    }

    /// Looks into the candidates as soon as one may be enough. A budget waits for all of them.
    pub(super) fn candidates(&mut self) -> ControlFlow<()> {
        match self.goal == Goal::Any && !self.is_budgeted() {
            true => self.narrow_phase(),
            false => ControlFlow::Continue(()),
        }
    }

    /// Whether there are so many tests to spend on all candidates together.
    pub(super) fn is_budgeted(&self) -> bool {
        matches!(self.query.overlap_accuracy(), Accuracy::Budget(_))
    }

    /// Looks into what waits; spends a budget on all candidates together.
    pub fn finish(&mut self) {
        let Accuracy::Budget(tests) = self.query.overlap_accuracy() else {
            let _ = self.narrow_phase();
            self.finish_contacts();
            return;
        };
        // The same order from both sides.
        self.work.candidates.sort_unstable_by_key(|kept| kept.parts.unordered());
        let candidates = std::mem::take(&mut self.work.candidates);
        let mut tree = std::mem::take(&mut self.work.tree);
        let pair = |index: u32| self.tree_pair(&candidates[index as usize].parts);
        let first_only = self.goal == Goal::Any;
        let pairs = candidates.len() as u32;
        self.met = Spending { pairs, tests, first_only }.run(pair, &mut tree);
        let mut touches = std::mem::take(&mut self.work.touches);
        for open in tree.left_open.chunk_by(|a, b| a.0 == b.0) {
            let candidate = &candidates[open[0].0 as usize].parts;
            touches.clear();
            touches.extend(open.iter().map(|&(_, touch)| touch));
            self.work.tree.forget();
            self.keep(candidate, &self.tree_pair(candidate), &touches);
        }
        (self.work.candidates, self.work.tree, self.work.touches) = (candidates, tree, touches);
        self.finish_contacts();
    }

    /// Two parts whose world boxes overlap, or are within the margin.
    pub(super) fn parts(&mut self, candidate: &Candidate) {
        let (pair, accuracy) = (self.tree_pair(candidate), self.query.overlap_accuracy());
        if self.is_about_parts() {
            if pair.touches_at(accuracy, &mut self.work.tree) {
                self.found(candidate, None);
                let slack = pair.slack_of_all(accuracy, &mut self.work.tree);
                self.raise(slack);
            }
            return;
        }
        let mut touches = std::mem::take(&mut self.work.touches);
        if (self.goal, self.query.detail) == (Goal::Contacts, Detail::Parts) {
            pair.deepest(accuracy, &mut self.work.tree, &mut touches);
        } else {
            touches.clear();
            let _ = pair.visit_checked(accuracy, &mut self.work.tree, |touch| {
                touches.push(touch);
                ControlFlow::Continue(())
            });
        }
        self.keep(candidate, &pair, &touches);
        self.work.touches = touches;
    }

    /// Whether the answer names no boxes.
    pub(super) fn is_about_parts(&self) -> bool {
        self.goal == Goal::Any || (self.goal, self.query.detail) == (Goal::Pairs, Detail::Parts)
    }

    /// Takes what touches of two parts into the answer.
    pub(super) fn keep(
        &mut self,
        candidate: &Candidate,
        pair: &TreePair<'_, T>,
        touches: &[NodePair],
    ) {
        match (self.goal, self.query.detail) {
            _ if self.is_about_parts() => {
                self.found(candidate, None);
                self.raise(least_slack(pair, touches));
            }
            (Goal::Contacts, Detail::Parts) if touches.len() > 1 => {
                let (mut contacts, level) =
                    (std::mem::take(&mut self.work.of_parts), self.snapshot.buffers.level);
                contacts.clear();
                let (waiting, tree) = (&mut self.work.waiting[1], &mut self.work.tree);
                for &touch in touches {
                    waiting.push(pair.seats(), touch, (tree, level), &mut contacts);
                }
                waiting.flush(level, &mut contacts);
                if let Some(touch) = deepest(pair, touches.iter().zip(&contacts)) {
                    self.touch(candidate, pair.seats(), *touch);
                }
                self.work.of_parts = contacts;
            }
            (Goal::Contacts, _) => {
                touches.iter().for_each(|&touch| self.touch(candidate, pair.seats(), touch));
            }
            _ => {
                // What holds for all spares computing it for each.
                let mut of_all = None;
                touches.iter().for_each(|&touch| {
                    let tree = &mut self.work.tree;
                    let slack = match self.query.overlap_accuracy() {
                        Accuracy::Budget(_) => pair.slack(touch),
                        accuracy => {
                            *of_all.get_or_insert_with(|| pair.slack_of_all(accuracy, tree))
                        }
                    };
                    self.raise(slack);
                    self.found(candidate, Some(touch));
                });
            }
        }
    }

    /// Two nodes whose contact belongs to the answer, as soon as there are enough of them.
    pub(super) fn touch(&mut self, candidate: &Candidate, seats: &Seats<'_, T>, touch: NodePair) {
        let QueryScratch { contacts, waiting: [waiting, _], found, tree, .. } = &mut *self.work;
        let at = (contacts.len() + waiting.len()) as u32;
        found.push(Found { key: candidate.key(touch.a, touch.b), contact: at });
        waiting.push(seats, touch, (tree, self.snapshot.buffers.level), contacts);
    }

    /// The contacts that still wait, and the slack of all.
    fn finish_contacts(&mut self) {
        let QueryScratch { contacts, waiting: [waiting, _], .. } = &mut *self.work;
        waiting.flush(self.snapshot.buffers.level, contacts);
        for contact in contacts {
            if contact.slack > self.slack {
                self.slack = contact.slack;
            }
        }
    }

    /// Without a touch: the parts as a whole.
    pub(super) fn found(&mut self, candidate: &Candidate, touch: Option<NodePair>) {
        let (a, b) = touch.map_or_else(Default::default, |touch| (touch.a, touch.b));
        self.work.found.push(Found { key: candidate.key(a, b), contact: 0 });
    }

    pub(super) fn raise(&mut self, slack: T) {
        if slack > self.slack {
            self.slack = slack;
        }
    }

    pub(super) fn character(&self, place: u32) -> (&'a Entry<T>, &'a Character<T>) {
        self.snapshot.character(place)
    }

    pub(super) fn tree_pair(&self, candidate: &Candidate) -> TreePair<'a, T> {
        self.snapshot.tree_pair(candidate).with_margin(self.snapshot.margin(candidate, self.margin))
    }
}

/// The deepest contact of two parts; of equal ones that of the nodes that come first in the
/// order of the arithmetic, which is the same from both sides.
fn deepest<'t, T: Scalar>(
    pair: &TreePair<'_, T>,
    all: impl Iterator<Item = (&'t NodePair, &'t Contact<T>)>,
) -> Option<&'t NodePair> {
    let deepest = all.reduce(|best, next| {
        let order = |touch: &NodePair| pair.seats().in_order(touch.a, touch.b);
        let deeper = next.1.depth > best.1.depth
            || next.1.depth == best.1.depth && order(next.0) < order(best.0);
        if deeper { next } else { best }
    });
    deepest.map(|(touch, _)| touch)
}

/// Parts are as close as the closest of what touches.
fn least_slack<T: Scalar>(pair: &TreePair<'_, T>, touches: &[NodePair]) -> T {
    let slacks = touches.iter().map(|&touch| pair.slack(touch));
    slacks.reduce(|a, b| if b < a { b } else { a }).unwrap_or_default()
}
