//! Distances of characters and their closest points.

use crate::broad_phase::{AabbF32, AabbRange, BLOCK, MASK_BITS, prefix_mask};
use crate::error::Error;
use crate::model::{BoundedPairs, DistanceLimit, PairCandidate, PartId, PlacedPart, closest_pair};
use crate::narrow_phase::Candidate;
use crate::num::{Scalar, precompiled, set_bits};
use crate::pair::ClosestPoints;
use crate::scene::filter::pair_filter::PairFilter;
use crate::scene::filter::pair_query::QueryScope;
use crate::scene::pairs::hits::CharacterSets;
use crate::scene::snapshot::entry::CharacterEntry;
use crate::scene::{NodeRef, PairQuery, QueryScratch, Snapshot};
use crate::tree::{Accuracy, TreeScratch, check_distance, root_distance_exceeds};

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
    /// this is the closest pair. Of equally distant pairs it returns the one whose world AABBs are
    /// nearer, then the first by order of the character and part. Swapped characters give the
    /// [reversed](ClosestPoints::reversed) answer, bit for bit. Touching parts have distance zero.
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
        let (accuracy, limit) = (query.distance_accuracy(), query.max_distance);
        check_distance(accuracy, limit)?;
        query.check(self.scene)?;
        let mut sets = std::mem::take(&mut scratch.pairs.sets);
        self.find_character_sets(query, &mut sets)?;
        let pairs = CharacterPairBounds { now: self, query, sets: &sets };
        let (mut ranked, mut compared) = (std::mem::take(&mut scratch.part_candidates), 0);
        let memory = (&mut ranked, &mut compared);
        let found = closest_pair(&pairs, limit, memory, |&pair, most| {
            let (candidate, tree) = (pairs.candidate(pair), &mut scratch.narrow.tree);
            if !pairs.predicate_accepts(&candidate)
                || most < f64::INFINITY && self.roots_exceed(&candidate, (accuracy, most), tree)
            {
                return None;
            }
            self.tree_pair(&candidate).distance_checked(accuracy, most, tree)
        });
        scratch.narrow.tree.counts.parts = compared;
        scratch.part_candidates = ranked;
        let found = found.map(|(pair, found)| {
            let key = pairs.candidate(pair).key(found.a, found.b);
            let (a, b) = self.node_refs(key);
            let found = found.with_owners(a, b);
            if self.is_swapped(query, key) { found.reversed() } else { found }
        });
        scratch.pairs.sets = sets;
        Ok(found)
    }

    /// Returns `true` if the root boxes of two parts prove that the parts are further apart than a
    /// distance. Cheap: rejects most pairs that are not the closest.
    fn roots_exceed(
        &self,
        candidate: &Candidate,
        (accuracy, most): (Accuracy, f64),
        scratch: &mut TreeScratch,
    ) -> bool {
        let root_of = |(index, part): (u32, PartId)| {
            let tree = self.character(index).1.model.tree(part);
            (tree, &self.parts(index)[part.index()].placement)
        };
        root_distance_exceeds(
            [root_of(candidate.a), root_of(candidate.b)],
            (accuracy, most),
            &mut scratch.counts,
        )
    }
}

/// The part pairs of all pairs of characters that a query is about.
struct CharacterPairBounds<'q, 'a, T: Scalar> {
    now: &'q Snapshot<'a, T>,
    query: &'q PairQuery<'q>,
    sets: &'q CharacterSets,
}

impl<'q, 'a, T: Scalar> CharacterPairBounds<'q, 'a, T> {
    fn filter(&self, indices: [u32; 2]) -> PairFilter<'q, T>
    where
        'a: 'q,
    {
        let characters = indices.map(|index| self.now.character(index).1);
        PairFilter::new(*self.now, self.query.filter_rule(), indices, characters)
    }

    /// Returns the pair with the query's first character first, if the query has one.
    fn candidate(&self, [a, b]: [(u32, PartId); 2]) -> Candidate {
        let swapped = match self.query.scope {
            QueryScope::All | QueryScope::Within(_) => false,
            QueryScope::Of(_) | QueryScope::Between(..) => !self.sets[0].contains(&a.0),
        };
        if swapped { Candidate { a: b, b: a } } else { Candidate { a, b } }
    }

    /// Returns `true` if the query has no predicate, or it accepts the two parts.
    #[inline]
    fn predicate_accepts(&self, Candidate { a, b }: &Candidate) -> bool {
        !self.query.has_predicate() || self.filter([a.0, b.0]).predicate_accepts(a.1, b.1)
    }

    /// Passes the part pairs of two characters to `visit`, whose result replaces `limit`.
    #[inline(always)]
    fn visit_part_pairs(
        &self,
        indices: [u32; 2],
        limit: &mut f64,
        visit: &mut impl FnMut(PairCandidate<[(u32, PartId); 2]>) -> f64,
    ) -> u64 {
        let [a, b] = indices.map(|index| &self.now.buffers.entries[index as usize].bounds);
        if DistanceLimit::new(*limit).exceeded_by(a, b) {
            return 0;
        }
        let filter = self.filter(indices);
        if filter.rejects_all(&self.query.excluded) {
            return 0;
        }
        PartPairBounds::new(self.now, &filter, indices).visit(*limit, |one| {
            *limit = visit(one);
            *limit
        })
    }
}

impl<T: Scalar> BoundedPairs for CharacterPairBounds<'_, '_, T> {
    type Pair = [(u32, PartId); 2];

    #[inline(always)]
    fn visit_pairs(
        &self,
        mut most: f64,
        mut tell: impl FnMut(PairCandidate<Self::Pair>) -> f64,
    ) -> u64 {
        let characters = 0..self.now.buffers.entries.len() as u32;
        let two = |places| self.visit_part_pairs(places, &mut most, &mut tell);
        let [first, second] = self.sets;
        match self.query.scope {
            QueryScope::All => {
                let behind = |a: u32| (a + 1..characters.end).map(move |b| [a, b]);
                characters.clone().flat_map(behind).map(two).sum()
            }
            QueryScope::Of(_) => first
                .iter()
                .flat_map(|&a| characters.clone().map(move |b| [a, b]))
                .filter(|[_, b]| !first.contains(b))
                .map(two)
                .sum(),
            QueryScope::Between(..) => {
                first.iter().flat_map(|&a| second.iter().map(move |&b| [a, b])).map(two).sum()
            }
            QueryScope::Within(_) => {
                let from = |at: usize| first[at..].iter().map(move |&b| [first[at], b]);
                (0..first.len()).flat_map(from).map(two).sum()
            }
        }
    }
}

/// The part pairs of two characters, or of one, that the query is about, before the predicate.
struct PartPairBounds<'k, 'a, T: Scalar> {
    now: &'k Snapshot<'a, T>,
    filter: &'k PairFilter<'a, T>,
    indices: [u32; 2],
    entries: [&'a CharacterEntry<T>; 2],
    /// The parts of both characters.
    parts: [&'a [PlacedPart<T>]; 2],
}

impl<'k, 'a, T: Scalar> PartPairBounds<'k, 'a, T> {
    fn new(now: &'k Snapshot<'a, T>, filter: &'k PairFilter<'a, T>, indices: [u32; 2]) -> Self {
        let entries = indices.map(|place| now.character(place).0);
        PartPairBounds {
            now,
            filter,
            indices,
            entries,
            parts: indices.map(|place| now.parts(place)),
        }
    }

    /// Like [`BoundedPairs::each`], for the two characters.
    #[inline(always)]
    fn visit(
        &self,
        most: f64,
        mut tell: impl FnMut(PairCandidate<[(u32, PartId); 2]>) -> f64,
    ) -> u64 {
        let (mut most, mut compared) = (DistanceLimit::new(most), 0);
        let (of_a, around) = (self.entries[0].range, self.entries[1].bounds_f32);
        for (first, piece) in of_a.chunks() {
            let asked = self.filter.first_mask(first / MASK_BITS);
            for lane in set_bits(self.near_mask(&most, around, piece, asked, &mut compared)) {
                compared += self.visit_pairs_of(first + lane, &mut most, &mut tell);
            }
        }
        compared
    }

    /// Like [`BoundedPairs::each`], for one part of the first character and all parts of the
    /// second; within one character, all parts behind it.
    #[inline(always)]
    fn visit_pairs_of(
        &self,
        first_index: usize,
        limit: &mut DistanceLimit<T>,
        visit: &mut impl FnMut(PairCandidate<[(u32, PartId); 2]>) -> f64,
    ) -> u64 {
        let ([a, b], mut compared) = (self.indices, 0);
        let [of_a, of_b] = self.entries.map(|entry| entry.range);
        let [model, other_model] = self.filter.characters.map(|character| &*character.model);
        let one = model.part_at(first_index);
        let x = &self.parts[0][one.index()].bounds;
        let around = AabbF32::from_block(
            &self.now.buffers.part_aabbs.range_blocks(of_a)[first_index / BLOCK],
            first_index,
        );
        for (first, piece) in of_b.chunks() {
            let word = first / MASK_BITS;
            let mut mask = self.filter.second_mask(one, word);
            if a == b {
                mask &= model.tested_later_mask(first_index, word);
            }
            for lane in set_bits(self.near_mask(limit, around, piece, mask, &mut compared)) {
                let other = other_model.part_at(first + lane);
                let y = &self.parts[1][other.index()].bounds;
                if x.is_empty() || y.is_empty() || !self.filter.may_accept(one, other) {
                    continue;
                }
                if let Some(lower_bound) = limit.lower_bound_within(x, y) {
                    let pair = Candidate { a: (a, one), b: (b, other) }.unordered();
                    *limit = DistanceLimit::new(visit(PairCandidate { lower_bound, pair }));
                }
            }
        }
        compared
    }

    /// Returns the bits of `mask`, over up to 64 boxes, whose boxes may be within the limit of
    /// another. A single box is not compared.
    #[inline(always)]
    fn near_mask(
        &self,
        limit: &DistanceLimit<T>,
        one: AabbF32,
        range: AabbRange,
        asked: u64,
        compared: &mut u64,
    ) -> u64 {
        let mask = asked & prefix_mask(range.len);
        if mask & mask.wrapping_sub(1) == 0 {
            *compared += u64::from(mask != 0);
            return mask;
        }
        *compared += range.len as u64;
        let buffers = self.now.buffers;
        mask & limit.within_mask(
            buffers.simd,
            one,
            (buffers.part_aabbs.range_blocks(range), range.len),
        )
    }
}
