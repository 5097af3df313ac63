//! Narrow phase, first pass: an f32 SAT on root boxes decides most candidate pairs without a
//! traversal.

use std::ops::ControlFlow;

use super::candidates::{Candidate, Kept};
use super::order;
use super::search::{Goal, Search};
use crate::num::Scalar;
use crate::sat::SatMasks;
use crate::sat::prefilter::{BATCH, PrefilterBox};
use crate::shape::Placement;
use crate::tree::{Accuracy, DecidedBy, NodeId, NodePair, ObbTree, cut_slack, part_slack};

/// A bit for each of some candidates.
#[derive(Default)]
struct PairMasks {
    /// The answer is about the roots alone.
    decided: u64,
    /// Both roots' boxes stand along the frames of their parts.
    upright: u64,
    /// Those that stand so surely touch.
    touching: u64,
}

impl<T: Scalar> Search<'_, T> {
    /// Runs the narrow phase on all candidates there are, in the order of the answers: so these need
    /// no sorting.
    pub fn narrow_phase(&mut self) -> ControlFlow<()> {
        self.work.incoming(self.snapshot.buffers.level).prefilter();
        let mut candidates = std::mem::take(&mut self.work.candidates);
        order::candidates(&mut candidates, &mut self.work.spare_candidates);
        let flow = candidates.chunks(BATCH).try_for_each(|chunk| self.prefilter(chunk));
        self.work.candidates = candidates;
        self.work.candidates.clear();
        flow
    }

    fn prefilter(&mut self, chunk: &[Kept]) -> ControlFlow<()> {
        let all = u64::MAX >> (BATCH - chunk.len());
        let PairMasks { decided, upright, touching } = self.bits(chunk);
        let mut aligned = SatMasks { apart: 0, overlap: touching };
        let close = all & !touching;
        if close != 0 {
            let boxes = |tree: &ObbTree<T>, place: &Placement| tree.placed_root(place);
            aligned = aligned.or(self.masks(chunk, close, boxes));
        }
        let mut touching = aligned.overlap & decided;
        let mut oriented = SatMasks::default();
        if touching & !upright != 0 {
            let boxes = |tree: &ObbTree<T>, place: &Placement| tree.placed_oriented_root(place);
            oriented = self.masks(chunk, touching & !upright, boxes);
            touching &= upright | oriented.overlap;
        }
        for (i, Kept { parts, .. }) in chunk.iter().enumerate() {
            let is = |bits: u64| bits >> i & 1 == 1;
            let counts = &mut self.work.tree.counts;
            if is(aligned.apart | oriented.apart | touching) {
                counts.boxes[0] += 1;
                counts.oriented += u64::from(!is(aligned.apart));
            }
            if is(touching) {
                self.roots_touch(parts);
            } else if !is(aligned.apart | oriented.apart) {
                self.parts(parts);
            }
            if self.goal == Goal::Any && !self.work.found.is_empty() {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    fn bits(&self, chunk: &[Kept]) -> PairMasks {
        let entries = &self.snapshot.buffers.entries;
        let (mut bits, about_parts) = (PairMasks::default(), self.is_about_parts());
        for (at, Kept { parts, touching }) in chunk.iter().enumerate() {
            let Candidate { a, b } = parts;
            let (one, other) = (&entries[a.0 as usize], &entries[b.0 as usize]);
            let (i, j) = (a.1.index(), b.1.index());
            let both = |a: u64, b: u64| a >> i & b >> j & 1 == 1;
            let [single, upright, hulled] = match one.quick && other.quick {
                true => [
                    both(one.single, other.single),
                    both(one.upright, other.upright),
                    both(one.hulled, other.hulled),
                ],
                false => {
                    let trees = self.trees(parts);
                    [
                        trees.iter().all(|tree| tree.len() == 1),
                        trees.iter().all(|tree| tree.is_upright()),
                        trees.iter().all(|tree| tree.has_root_hull()),
                    ]
                }
            };
            // In double precision the prefilter may say overlap of what is apart by the slack.
            let whole = *touching && about_parts && both(one.whole, other.whole);
            let decided = self.query.overlap_accuracy().is_told_by_roots([single, whole, hulled]);
            bits.decided |= u64::from(decided) << at;
            bits.upright |= u64::from(upright) << at;
            bits.touching |= u64::from(*touching) << at;
        }
        bits
    }

    /// Prefilters some of the candidates by boxes placed in double precision.
    fn masks(
        &mut self,
        chunk: &[Kept],
        of: u64,
        placed: impl Fn(&ObbTree<T>, &Placement) -> PrefilterBox,
    ) -> SatMasks {
        let (snapshot, margin, queue) = (self.snapshot, self.margin, &mut self.work.queue);
        for (at, Kept { parts, .. }) in chunk.iter().enumerate() {
            if of >> at & 1 == 1 {
                let boxes = [parts.a, parts.b].map(|(place, part)| {
                    let (_, character) = snapshot.character(place);
                    let pose = &character.poses[part.index()];
                    placed(character.model.tree(part), &Placement::new(pose))
                });
                queue.push(&boxes[0], &boxes[1], snapshot.margin(parts, margin));
            }
        }
        queue.masks::<T>(snapshot.buffers.level).spread(of)
    }

    /// Two parts whose roots touch, which decides; so without a margin.
    fn roots_touch(&mut self, candidate: &Candidate) {
        if !self.is_about_parts() {
            let touch = NodePair { a: NodeId::ROOT, b: NodeId::ROOT, by: DecidedBy::Boxes };
            if self.goal == Goal::Contacts {
                self.touch(candidate, &self.snapshot.seats(candidate), touch);
                return;
            }
            self.keep(candidate, &self.tree_pair(candidate), &[touch]);
            return;
        }
        self.found(candidate, None);
        let [a, b] = self.trees(candidate);
        if !matches!(self.query.overlap_accuracy(), Accuracy::Depth(_)) {
            self.raise(part_slack([a, b], self.query.overlap_accuracy(), 0.0));
            return;
        }
        let (first, second) = (a.coarsest(0), b.coarsest(0));
        let reach = a.reach().wide() + b.reach().wide();
        let terms = [first.bound + second.bound, first.radius + second.radius, reach];
        if (0..3).any(|i| terms[i] > self.loosest[i]) {
            let slack = cut_slack([a, b], 0, 0.0);
            if slack > self.slack {
                (self.slack, self.loosest) = (slack, terms);
            }
        }
    }

    fn trees(&self, candidate: &Candidate) -> [&ObbTree<T>; 2] {
        [candidate.a, candidate.b].map(|(place, part)| self.character(place).1.model.tree(part))
    }
}
