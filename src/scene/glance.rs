//! Candidates many at a time: what a glance at the roots of their trees tells needs no look into them.

use std::ops::ControlFlow;

use super::search::{Candidate, Goal, Search};
use crate::model::Placed;
use crate::num::Scalar;
use crate::pair::glance::{BATCH, Quick, Seen};
use crate::tree::{Accuracy, By, NodeId, ObbTree, Touch, cut_slack};

/// The two trees of a candidate, and where they are.
type Two<'a, T> = [(&'a ObbTree<T>, &'a Placed<T>); 2];

impl<'a, T: Scalar> Search<'a, T> {
    /// Looks into all candidates there are.
    pub fn look(&mut self) -> ControlFlow<()> {
        let candidates = std::mem::take(&mut self.work.candidates);
        let flow = candidates.chunks(BATCH).try_for_each(|chunk| self.glance(chunk));
        self.work.candidates = candidates;
        self.work.candidates.clear();
        flow
    }

    fn glance(&mut self, chunk: &[Candidate]) -> ControlFlow<()> {
        let mut pairs: [Option<Two<'a, T>>; BATCH] = [None; BATCH];
        let (mut decided, mut turned) = (0, 0);
        for (i, candidate) in chunk.iter().enumerate() {
            let two @ [(a, _), (b, _)] = self.two(candidate);
            decided |= u64::from(self.roots_decide(a, b)) << i;
            turned |= u64::from(!(a.is_upright() && b.is_upright())) << i;
            pairs[i] = Some(two);
        }
        let along = self.seen(u64::MAX, &pairs, |tree, placed| tree.glance(&placed.placement));
        let mut touching = along.touching & decided;
        let mut oriented = Seen::default();
        if touching & turned != 0 {
            let boxes =
                |tree: &ObbTree<T>, placed: &Placed<T>| tree.glance_oriented(&placed.placement);
            oriented = self.seen(touching & turned, &pairs, boxes);
            touching &= !turned | oriented.touching;
        }
        for (i, candidate) in chunk.iter().enumerate() {
            let is = |bits: u64| bits >> i & 1 == 1;
            let counts = &mut self.work.tree.counts;
            if is(along.apart | oriented.apart | touching) {
                counts.boxes[0] += 1;
                counts.oriented += u64::from(!is(along.apart));
            }
            if is(touching) {
                self.roots_touch(candidate);
            } else if !is(along.apart | oriented.apart) {
                self.parts(candidate);
            }
            if self.goal == Goal::Any && !self.work.found.is_empty() {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    /// What a glance tells of some of the pairs.
    fn seen(
        &mut self,
        of: u64,
        pairs: &[Option<Two<'a, T>>; BATCH],
        quick: impl Fn(&ObbTree<T>, &Placed<T>) -> Quick,
    ) -> Seen {
        let glances = &mut self.work.glances;
        glances.clear();
        let mut places = [0; BATCH];
        let some = pairs.iter().enumerate().filter(|&(i, _)| of >> i & 1 == 1);
        for (i, [a, b]) in some.filter_map(|(i, pair)| Some((i, pair.as_ref()?))) {
            places[glances.len()] = i;
            glances.push(&quick(a.0, a.1), &quick(b.0, b.1));
        }
        let seen = glances.look::<T>(self.snapshot.buffers.level);
        let spread = |bits: u64| {
            let set = places[..glances.len()].iter().enumerate();
            set.fold(0, |sum, (from, to)| sum | (bits >> from & 1) << to)
        };
        Seen { apart: spread(seen.apart), touching: spread(seen.touching) }
    }

    /// Whether the answer is about the roots alone.
    fn roots_decide(&self, a: &ObbTree<T>, b: &ObbTree<T>) -> bool {
        match self.query.accuracy {
            Accuracy::Depth(0) => true,
            Accuracy::Depth(_) => a.len() == 1 && b.len() == 1,
            _ => false,
        }
    }

    /// Two parts whose roots touch, which decides.
    fn roots_touch(&mut self, candidate: &Candidate) {
        if !self.is_about_parts() {
            let touch = Touch { a: NodeId::ROOT, b: NodeId::ROOT, by: By::Boxes };
            self.keep(candidate, &self.tree_pair(candidate), &[touch]);
            return;
        }
        self.found(candidate, None);
        let [(a, _), (b, _)] = self.two(candidate);
        let (first, second) = (a.coarsest(0), b.coarsest(0));
        let reach = a.reach().wide() + b.reach().wide();
        let terms = [first.bound + second.bound, first.radius + second.radius, reach];
        if (0..3).any(|i| terms[i] > self.loosest[i]) {
            let slack = cut_slack(a, b, 0);
            if slack > self.slack {
                (self.slack, self.loosest) = (slack, terms);
            }
        }
    }

    fn two(&self, candidate: &Candidate) -> Two<'a, T> {
        [candidate.a, candidate.b].map(|(place, part)| {
            let (entry, character) = self.character(place);
            (character.model.tree(part), self.snapshot.buffers.placed(entry, part))
        })
    }
}
