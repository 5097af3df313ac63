//! The candidates of a pair query: from overlapping characters to overlapping parts.

use std::ops::ControlFlow;

use super::few_boxes::FewBoxes;
use super::hits::{CharacterSets, PairScratch, QueryScratch};
use crate::broad_phase::Nearness;
use crate::model::MarginRequest;
use crate::narrow_phase::{Goal, NarrowPhase};
use crate::num::Scalar;
use crate::sat::prefilter::BATCH;
use crate::scene::filter::normal_hint::PreferredNormal;
use crate::scene::filter::pair_query::PairQuery;
use crate::scene::snapshot::snapshot::{Snapshot, SnapshotTrees};

/// Number of candidates from which they are tested without collecting more.
const FLUSH_SIZE: usize = 2 * BATCH;

/// A running pair query: it feeds candidates into the narrow phase.
pub(in crate::scene) struct PairSearch<'a, 'w, T: Scalar> {
    pub(in crate::scene) snapshot: Snapshot<'a, T>,
    pub(in crate::scene) query: &'w PairQuery<'w>,
    margin: MarginRequest,
    #[cfg(feature = "rayon")]
    pub(in crate::scene) hints: &'w [PreferredNormal],
    pub narrow: NarrowPhase<'a, 'w, T, SnapshotTrees<'a, 'w, T>>,
    work: &'w mut PairScratch,
    #[cfg(feature = "rayon")]
    pub(in crate::scene) workers: &'w mut Vec<QueryScratch<T>>,
}

impl<'a, 'w, T: Scalar> PairSearch<'a, 'w, T> {
    pub fn new(
        snapshot: Snapshot<'a, T>,
        query: &'w PairQuery<'w>,
        hints: &'w [PreferredNormal],
        goal: Goal,
        scratch: &'w mut QueryScratch<T>,
    ) -> Self {
        scratch.narrow.clear(snapshot.buffers.simd);
        let accuracy = query.options.overlap_accuracy();
        let use_model_margins = !goal.has_box_contacts(accuracy);
        let margin = MarginRequest { margin: query.margin, use_model_margins };
        let trees = SnapshotTrees { now: snapshot, margin, hints };
        let narrow = NarrowPhase::new(trees, goal, accuracy, &mut scratch.narrow);
        PairSearch {
            snapshot,
            query,
            margin,
            #[cfg(feature = "rayon")]
            hints,
            narrow,
            work: &mut scratch.pairs,
            #[cfg(feature = "rayon")]
            workers: &mut scratch.workers,
        }
    }

    /// Searches all pairs of near characters. Returns `true` if several threads did it; then
    /// nothing is left to finish.
    pub fn search_all(&mut self) -> bool {
        let (buffers, margin) = (self.snapshot.buffers, self.margin.margin);
        let mut within = std::mem::take(&mut self.work.margin_pairs);
        let near = match margin > 0.0 {
            true => {
                buffers.find_near_pairs(&mut within, Nearness::from_margin(margin));
                &within
            }
            false => buffers.near_pairs(),
        };
        self.narrow.work.tree.counts.characters += near.compared;
        let by_threads = self.all_by_threads(&near.pairs);
        if !by_threads {
            let mut groups = near.pairs.chunk_by(|one, next| one.0 == next.0);
            let _ = groups.try_for_each(|group| self.search_group(group));
        }
        self.work.margin_pairs = within;
        by_threads
    }

    /// Returns `false`: there are no threads without the feature `rayon`.
    #[cfg(not(feature = "rayon"))]
    fn all_by_threads(&mut self, _: &[(u32, u32)]) -> bool {
        false
    }

    /// Searches one character against the near characters of higher index.
    pub fn search_group(&mut self, pairs: &[(u32, u32)]) -> ControlFlow<()> {
        pairs.iter().try_for_each(|&(a, b)| self.search_pair(a, b))?;
        match self.narrow.work.candidates.len() >= FLUSH_SIZE && !self.narrow.is_budgeted() {
            true => self.narrow.run(),
            false => ControlFlow::Continue(()),
        }
    }

    /// Searches one character against all others, in their order.
    pub fn search_against_all(&mut self, a: u32) -> ControlFlow<()> {
        self.search_against(a, &[a])
    }

    /// Searches one character against all others except some.
    pub fn search_against(&mut self, a: u32, but: &[u32]) -> ControlFlow<()> {
        let buffers = self.snapshot.buffers;
        let entry = &buffers.entries[a as usize];
        let mut near = std::mem::take(&mut self.work.near_indices);
        let within = Nearness::from_margin(self.margin.margin);
        let compared =
            buffers.character_list().find_near(buffers.simd, (entry.bounds_f32, within), &mut near);
        self.narrow.work.tree.counts.characters += compared;
        let is_near = |b: u32| entry.is_near(&buffers.entries[b as usize], within);
        let others = near.iter().filter(|&b| !but.contains(b) && is_near(*b));
        let flow = others.copied().try_for_each(|b| self.search_pair(a, b));
        self.work.near_indices = near;
        flow
    }

    /// Searches two characters that may be far apart or at rest.
    pub fn search_if_near(&mut self, a: u32, b: u32) -> ControlFlow<()> {
        self.narrow.work.tree.counts.characters += 1;
        let entries = &self.snapshot.buffers.entries;
        let within = Nearness::from_margin(self.margin.margin);
        match entries[a as usize].is_near(&entries[b as usize], within) {
            true => self.search_pair(a, b),
            false => ControlFlow::Continue(()),
        }
    }

    /// Returns the memory for the character sets of a query.
    pub fn character_sets(&mut self) -> &mut CharacterSets {
        &mut self.work.sets
    }

    /// Tests the candidates at once if a single touching pair suffices. A budget needs all
    /// candidates first.
    fn flush_for_any(&mut self) -> ControlFlow<()> {
        match self.narrow.goal == Goal::Any && !self.narrow.is_budgeted() {
            true => self.narrow.run(),
            false => ControlFlow::Continue(()),
        }
    }
}

impl<T: Scalar> PairSearch<'_, '_, T> {
    /// Searches two characters whose AABBs overlap.
    pub fn search_pair(&mut self, a: u32, b: u32) -> ControlFlow<()> {
        let (now, margin) = (self.snapshot, self.margin.margin);
        let filter = now.pair_filter(self.query, [a, b]);
        if filter.rejects_all() {
            return ControlFlow::Continue(());
        }
        let f32_ok = self.is_f32_ok([a, b]);
        let [one, other] = filter.characters;
        let few_boxes = match f32_ok {
            true => FewBoxes::find(&filter, self.narrow.accuracy, margin),
            false => None,
        };
        let work = &mut *self.narrow.work;
        let counts = &mut work.tree.counts;
        if let Some(few_boxes) = &few_boxes
            && few_boxes.are_separated(&filter, counts)
        {
            return ControlFlow::Continue(());
        }
        work.tree.counts.parts += now.visit_part_pairs(
            (&filter, margin),
            &mut self.work.block_overlaps,
            |first, near| match &few_boxes {
                Some(few_boxes) => few_boxes.drop_separated((&filter, first), near, counts),
                None => near.len(),
            },
            |part| f32_ok.then(|| one.posed(part)),
            |posed, parts| match posed {
                Some(posed) => {
                    let other = other.posed(parts.b.1);
                    work.candidates.push_posed((parts, margin), posed, &other);
                }
                None => work.candidates.push(parts),
            },
        );
        self.flush_for_any()
    }

    /// Searches one character against itself.
    pub fn search_self(&mut self, a: u32) -> ControlFlow<()> {
        let (now, margin) = (self.snapshot, self.margin);
        let filter = now.pair_filter(self.query, [a, a]);
        if filter.rejects_all() {
            return ControlFlow::Continue(());
        }
        let (f32_ok, [character, _]) = (self.is_f32_ok([a, a]), filter.characters);
        let work = &mut *self.narrow.work;
        let near = &mut self.work.self_overlaps;
        work.tree.counts.parts += now.visit_own_pairs((&filter, margin), near, |parts| {
            if !f32_ok {
                return work.candidates.push(parts);
            }
            let pair = (parts.a.1, parts.b.1);
            let margin = character.model.requested_margin(pair, margin);
            let (a, b) = (character.posed(pair.0), character.posed(pair.1));
            work.candidates.push_posed((parts, margin), &a, &b);
        });
        self.flush_for_any()
    }

    /// Returns `true` if the f32 prefilter can decide part pairs of both characters.
    fn is_f32_ok(&self, indices: [u32; 2]) -> bool {
        let entries = &self.snapshot.buffers.entries;
        indices.iter().all(|&index| entries[index as usize].f32_ok) && !self.narrow.is_budgeted()
    }
}
