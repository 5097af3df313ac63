//! Distances of characters and their closest points.

use crate::broad_phase::{AabbF32, BLOCK, CharacterBvhs, DistanceLimit, NearChild};
use crate::error::Error;
use crate::model::PartId;
use crate::narrow_phase::{
    BestCandidate, BoundedCandidate, Candidate, Candidates, Evaluation, best_of_all,
};
use crate::num::{Scalar, precompiled};
use crate::pair::ClosestPoints;
use crate::scene::filter::pair_filter::PairFilter;
use crate::scene::filter::pair_query::QueryScope;
use crate::scene::pairs::hits::CharacterSets;
use crate::scene::{CharacterKey, NodeRef, PairQuery, QueryScratch, Snapshot};
use crate::tree::{Accuracy, TreeScratch, check_distance, root_distance};

precompiled! {
    fn distance<'a, T>(
        now: Snapshot<'a, T>,
        query: &'a PairQuery<'a>,
        scratch: &'a mut QueryScratch<T>,
    ) -> Result<Option<ClosestPoints<T, NodeRef>>, Error> {
        now.distance_checked(query, scratch)
    }
}

impl<'a, T: Scalar> Snapshot<'a, T> {
    /// Computes the closest points of the parts that the query is about; `None` if they are further
    /// apart than its [`max_distance`](PairQuery::max_distance), up to rounding, or there are no
    /// such parts.
    ///
    /// For a query of [all](PairQuery::all) characters, or of one and [all others](PairQuery::of),
    /// this is the closest pair. Of equally distant pairs it returns the first by order of the
    /// character and part, the lesser of the two parts first. Swapped characters give the
    /// [reversed](ClosestPoints::reversed) answer, bit for bit. Touching parts have distance zero.
    ///
    /// Pairs are found by the trees over the characters, within a radius that shrinks as closer
    /// ones are found. The cost grows about in proportion to the number of characters, with or
    /// without a largest distance.
    ///
    /// Parts that are switched off or without geometry do not count; rest flags are ignored. The
    /// distance of two parts is that of [`TreePair::distance`](crate::tree::TreePair::distance), by
    /// default between primitives.
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`], [`Error::IndexOutOfRange`] for a part;
    /// [`Error::BadQuery`] for a budget; [`Error::NotFinite`] and [`Error::Negative`] for a
    /// tolerance or the largest distance.
    ///
    /// ```
    /// # boxwood::fixture_snapshot!(model, scene, red, blue at 3.0, buffers, now);
    /// // Two unit cubes, 3 apart along x.
    /// let mut scratch = boxwood::QueryScratch::new();
    /// let query = PairQuery::between(red, blue);
    /// let closest = now.distance(&query, &mut scratch)?.expect("both have geometry");
    /// assert!((closest.distance - 2.0).abs() < 1e-5);
    /// assert!((closest.on_a.x - 0.5).abs() < 1e-5 && (closest.on_b.x - 2.5).abs() < 1e-5);
    /// assert_eq!((closest.a.character, closest.b.character), (red, blue));
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn distance(
        &self,
        query: &PairQuery<'_>,
        scratch: &mut QueryScratch<T>,
    ) -> Result<Option<ClosestPoints<T, NodeRef>>, Error> {
        distance(*self, query, scratch)
    }

    pub(in crate::scene) fn distance_checked(
        &self,
        query: &PairQuery<'_>,
        scratch: &mut QueryScratch<T>,
    ) -> Result<Option<ClosestPoints<T, NodeRef>>, Error> {
        scratch.clear(self.buffers.simd);
        let (accuracy, limit) = (query.options.distance_accuracy(), query.max_distance);
        check_distance(accuracy, limit)?;
        // The distance of two parts needs no search for the closest pair.
        if let Some(parts) = query.only_parts() {
            query.check_excluded(self.scene)?;
            return self.distance_of_parts(query, parts, scratch);
        }
        query.check(self.scene)?;
        let mut sets = std::mem::take(&mut scratch.pairs.sets);
        self.find_character_sets(query, &mut sets)?;
        let QueryScratch { narrow, part_candidates, near_stack, .. } = scratch;
        let mut pairs =
            NearPartPairs { now: self, query, sets: &sets, stack: near_stack, compared: [0; 2] };
        let best = best_of_all(&mut pairs, limit, part_candidates, |one, limit| {
            let (candidate, tree) = (self.candidate(query, &sets, one.key), &mut narrow.tree);
            if !one.is_refined {
                if !self.predicate_accepts(query, &candidate) {
                    return Evaluation::Beyond;
                }
                // Single boxes take little more than their bound: there it only rejects.
                if (limit < f64::INFINITY || !self.are_single_boxes(&candidate))
                    && let Some(bound) = self.root_distance(&candidate, accuracy, tree)
                {
                    if bound > limit {
                        return Evaluation::Beyond;
                    }
                    if !self.are_single_boxes(&candidate) {
                        return Evaluation::LowerBound(bound);
                    }
                }
            }
            let found = self.tree_pair(&candidate).distance_checked(accuracy, limit, tree);
            Evaluation::new(found, |found| found.distance.wide())
        });
        let counts = &mut narrow.tree.counts;
        [counts.characters, counts.parts] = pairs.compared;
        let found = best.map(|BestCandidate { key, answer, .. }| {
            let key = self.candidate(query, &sets, key).key(answer.a, answer.b);
            let (a, b) = self.node_refs(key);
            let found = answer.with_owners(a, b);
            if self.is_swapped(query, key) { found.reversed() } else { found }
        });
        scratch.pairs.sets = sets;
        Ok(found)
    }

    /// Computes the distance of the only two parts of a query.
    fn distance_of_parts(
        &self,
        query: &PairQuery<'_>,
        [(key_a, part_a), (key_b, part_b)]: [(CharacterKey, PartId); 2],
        scratch: &mut QueryScratch<T>,
    ) -> Result<Option<ClosestPoints<T, NodeRef>>, Error> {
        let (a, of_a) = self.find_character(key_a)?;
        of_a.model.check_part(part_a)?;
        let (b, of_b) = self.find_character(key_b)?;
        of_b.model.check_part(part_b)?;
        let (accuracy, limit) = (query.options.distance_accuracy(), query.max_distance);
        let filter = PairFilter::new(*self, query.filter_rule(), [a, b], [of_a, of_b]);
        let tree = &mut scratch.narrow.tree;
        tree.counts.parts = 1;
        let is_missing = of_a.tree(part_a.index()).is_none() || of_b.tree(part_b.index()).is_none();
        let is_accepted =
            || filter.may_accept_masked(part_a, part_b) && filter.predicate_accepts(part_a, part_b);
        if is_missing || filter.excludes_character() || !is_accepted() {
            return Ok(None);
        }
        let candidate = Candidate { a: (a, part_a), b: (b, part_b) };
        if limit < f64::INFINITY
            && let Some(bound) = self.root_distance(&candidate, accuracy, tree)
            && bound > limit
        {
            return Ok(None);
        }
        let Some(found) = self.tree_pair(&candidate).distance_checked(accuracy, limit, tree) else {
            return Ok(None);
        };
        let key = candidate.key(found.a, found.b);
        let (a, b) = self.node_refs(key);
        let found = found.with_owners(a, b);
        Ok(Some(if self.is_swapped(query, key) { found.reversed() } else { found }))
    }

    /// Returns `true` if both trees are single nodes.
    fn are_single_boxes(&self, candidate: &Candidate) -> bool {
        let len = |(index, part): (u32, PartId)| self.character(index).1.model.tree(part).len();
        len(candidate.a) == 1 && len(candidate.b) == 1
    }

    /// Returns a lower bound on the distance of two parts by their root boxes, where these bound
    /// it. Cheap: most pairs that are not the closest are further apart than that.
    fn root_distance(
        &self,
        candidate: &Candidate,
        accuracy: Accuracy,
        scratch: &mut TreeScratch,
    ) -> Option<f64> {
        let parts = [candidate.a, candidate.b];
        let trees = parts.map(|(index, part)| self.character(index).1.model.tree(part));
        let [here, there] = parts.map(|(index, part)| self.placement(index, part.index()));
        let roots = [(trees[0], &here), (trees[1], &there)];
        root_distance(roots, accuracy, &mut scratch.counts)
    }

    /// Returns the pair with the query's first character first, if the query has one.
    fn candidate(
        &self,
        query: &PairQuery<'_>,
        sets: &CharacterSets,
        [a, b]: [(u32, PartId); 2],
    ) -> Candidate {
        let swapped = match query.scope {
            QueryScope::All | QueryScope::Within(_) => false,
            QueryScope::Of(_) | QueryScope::Between(..) => !sets[0].contains(&a.0),
        };
        if swapped { Candidate { a: b, b: a } } else { Candidate { a, b } }
    }
}

/// The part pairs of near characters that a query is about, before the predicate, with the
/// distances of their AABBs as lower bounds.
struct NearPartPairs<'q, 'a, T: Scalar> {
    now: &'q Snapshot<'a, T>,
    query: &'q PairQuery<'q>,
    sets: &'q CharacterSets,
    stack: &'q mut Vec<NearChild>,
    /// Numbers of AABBs compared: of characters, of parts.
    compared: [u64; 2],
}

impl<T: Scalar> Candidates for NearPartPairs<'_, '_, T> {
    type Key = [(u32, PartId); 2];

    #[inline(always)]
    fn visit(&mut self, limit: f64, mut visit: impl FnMut(BoundedCandidate<Self::Key>) -> f64) {
        let (mut limit, [first, second]) = (DistanceLimit::new(limit), self.sets);
        match self.query.scope {
            QueryScope::All => {
                for a in 0..self.now.buffers.entries.len() as u32 {
                    self.visit_near_characters(a, &mut limit, |b| a < b, &mut visit);
                }
            }
            QueryScope::Of(_) => {
                for &a in first {
                    let is_other = |b| !first.contains(&b);
                    self.visit_near_characters(a, &mut limit, is_other, &mut visit);
                }
            }
            QueryScope::Between(..) => {
                for (&a, &b) in first.iter().flat_map(|a| second.iter().map(move |b| (a, b))) {
                    self.visit_part_pairs([a, b], &mut limit, &mut visit);
                }
            }
            QueryScope::Within(_) => {
                for (at, &a) in first.iter().enumerate() {
                    for &b in &first[at..] {
                        self.visit_part_pairs([a, b], &mut limit, &mut visit);
                    }
                }
            }
        }
    }
}

impl<T: Scalar> NearPartPairs<'_, '_, T> {
    /// Visits the part pairs of a character and those near it that a condition selects, roughly the
    /// nearest character first.
    #[inline(always)]
    fn visit_near_characters(
        &mut self,
        a: u32,
        limit: &mut DistanceLimit<T>,
        selects: impl Fn(u32) -> bool,
        visit: &mut impl FnMut(BoundedCandidate<[(u32, PartId); 2]>) -> f64,
    ) {
        let (buffers, entry) = (self.now.buffers, self.now.character(a).0);
        if entry.bounds.is_empty() {
            return;
        }
        let (bvhs, mut stack): (CharacterBvhs<'_>, _) =
            (buffers.character_bvhs(), std::mem::take(self.stack));
        let one = entry.bounds_f32;
        let compared = bvhs.visit_near(buffers.simd, &mut stack, one, limit, |b, limit| {
            if selects(b) {
                self.visit_part_pairs([a, b], limit, visit);
            }
        });
        self.compared[0] += compared;
        *self.stack = stack;
    }

    /// Visits the part pairs of two characters, or of one.
    #[inline(always)]
    fn visit_part_pairs(
        &mut self,
        indices: [u32; 2],
        limit: &mut DistanceLimit<T>,
        visit: &mut impl FnMut(BoundedCandidate<[(u32, PartId); 2]>) -> f64,
    ) {
        let entries = indices.map(|index| self.now.character(index).0);
        if entries.iter().any(|entry| entry.bounds.is_empty())
            || limit.exceeded_by(&entries[0].bounds, &entries[1].bounds)
        {
            return;
        }
        let filter = self.now.pair_filter(self.query, indices);
        if filter.rejects_all() {
            return;
        }
        let (buffers, [a, b]) = (self.now.buffers, indices);
        let (boxes, simd, [range_a, range_b]) =
            (&buffers.part_aabbs, buffers.simd, entries.map(|entry| entry.range));
        let [model_a, model_b] = filter.characters.map(|character| &*character.model);
        // The boxes in single precision serve: to place the parts exactly costs more than the
        // distances of the few pairs that their tighter bounds would save.
        let [blocks_a, blocks_b] = [range_a, range_b].map(|range| boxes.range_blocks(range));
        let (mut compared, first_mask) = (0, |word| filter.first_mask(word));
        let around = entries[1].bounds_f32;
        let near_other =
            boxes.visit_near(simd, range_a, around, first_mask, limit, |slot, limit| {
                let part_a = model_a.part_at(slot);
                let one = AabbF32::from_block(&blocks_a[slot / BLOCK], slot);
                if one.is_empty() {
                    return;
                }
                let second_mask = |word| {
                    let mask = filter.second_mask(part_a, word);
                    if a == b { mask & model_a.tested_later_mask(slot, word) } else { mask }
                };
                compared +=
                    boxes.visit_near(simd, range_b, one, second_mask, limit, |other, limit| {
                        let part_b = model_b.part_at(other);
                        let two = AabbF32::from_block(&blocks_b[other / BLOCK], other);
                        if two.is_empty() || !filter.may_accept_masked(part_a, part_b) {
                            return;
                        }
                        if let Some(lower_bound) = limit.lower_bound_within_f32(one, two) {
                            let key = Candidate { a: (a, part_a), b: (b, part_b) }.unordered();
                            limit.lower_to(visit(BoundedCandidate::new(lower_bound, key)));
                        }
                    });
            });
        self.compared[1] += compared + near_other;
    }
}
