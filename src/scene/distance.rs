//! Distances of characters and their closest points.

use super::entry::Entry;
use super::filter::Sieve;
use super::hits::CharacterSets;
use super::query::Who;
use super::{NodeRef, PairQuery, QueryScratch, Snapshot};
use crate::broad_phase::{AabbF32, AabbRange, BLOCK, MASK_BITS, prefix_mask};
use crate::error::Error;
use crate::model::{Gaps, Most, PartId, Placed, Ranked, nearest};
use crate::narrow_phase::Candidate;
use crate::num::{Scalar, precompiled, set_bits};
use crate::pair::ClosestPoints;
use crate::tree::{Accuracy, TreeScratch, check_distance, root_distance_exceeds};

precompiled! {
    fn distance<'a, T>(
        now: Snapshot<'a, T>,
        query: &'a PairQuery<'a>,
        scratch: &'a mut QueryScratch<T>,
    ) -> Result<Option<ClosestPoints<T, NodeRef>>, Error> {
        now.between(query, scratch)
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
    /// # boxwood::fixture_snapshot!(scene, red, blue at 3.0, buffers, now);
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

    pub(super) fn between(
        &self,
        query: &PairQuery<'_>,
        scratch: &mut QueryScratch<T>,
    ) -> Result<Option<ClosestPoints<T, NodeRef>>, Error> {
        scratch.clear(self.buffers.level);
        let (accuracy, most) = (query.distance_accuracy(), query.max_distance);
        check_distance(accuracy, most)?;
        query.check(self.scene)?;
        let mut sets = std::mem::take(&mut scratch.pairs.sets);
        self.find_sets(query, &mut sets)?;
        let pairs = CharacterPairs { now: self, query, sets: &sets };
        let (mut ranked, mut compared) = (std::mem::take(&mut scratch.ranked), 0);
        let room = (&mut ranked, &mut compared);
        let found = nearest(&pairs, most, room, |&pair, most| {
            let (candidate, tree) = (pairs.candidate(pair), &mut scratch.narrow.tree);
            if !pairs.keeps(&candidate)
                || most < f64::INFINITY && self.are_beyond(&candidate, (accuracy, most), tree)
            {
                return None;
            }
            self.tree_pair(&candidate).distance_checked(accuracy, most, tree)
        });
        scratch.narrow.tree.counts.parts = compared;
        scratch.ranked = ranked;
        let found = found.map(|(pair, found)| {
            let key = pairs.candidate(pair).key(found.a, found.b);
            let (a, b) = self.node_refs(key);
            let found = found.between(a, b);
            if self.swaps(query, key) { found.reversed() } else { found }
        });
        scratch.pairs.sets = sets;
        Ok(found)
    }

    /// Returns `true` if the root boxes of two parts prove that the parts are further apart than a
    /// distance. Cheap: rejects most pairs that are not the closest.
    fn are_beyond(
        &self,
        candidate: &Candidate,
        (accuracy, most): (Accuracy, f64),
        scratch: &mut TreeScratch,
    ) -> bool {
        let of = |(place, part): (u32, PartId)| {
            let tree = self.character(place).1.model.tree(part);
            (tree, &self.parts(place)[part.index()].placement)
        };
        root_distance_exceeds([of(candidate.a), of(candidate.b)], (accuracy, most), &mut scratch.counts)
    }
}

/// The part pairs of all pairs of characters that a query is about.
struct CharacterPairs<'q, 'a, T: Scalar> {
    now: &'q Snapshot<'a, T>,
    query: &'q PairQuery<'q>,
    sets: &'q CharacterSets,
}

impl<'q, 'a, T: Scalar> CharacterPairs<'q, 'a, T> {
    fn sieve(&self, places: [u32; 2]) -> Sieve<'q, T>
    where
        'a: 'q,
    {
        let characters = places.map(|place| self.now.character(place).1);
        Sieve::new(*self.now, self.query.chosen(), places, characters)
    }

    /// Returns the pair with the query's first character first, if the query has one.
    fn candidate(&self, [a, b]: [(u32, PartId); 2]) -> Candidate {
        let swapped = match self.query.who {
            Who::All | Who::Within(_) => false,
            Who::Of(_) | Who::Between(..) => !self.sets[0].contains(&a.0),
        };
        if swapped { Candidate { a: b, b: a } } else { Candidate { a, b } }
    }

    /// Returns `true` if the query has no predicate, or it accepts the two parts.
    #[inline]
    fn keeps(&self, Candidate { a, b }: &Candidate) -> bool {
        !self.query.has_predicate() || self.sieve([a.0, b.0]).keeps(a.1, b.1)
    }

    /// Passes the part pairs of two characters to `visit`, whose result replaces `limit`.
    #[inline(always)]
    fn each_of_two(
        &self,
        places: [u32; 2],
        most: &mut f64,
        tell: &mut impl FnMut(Ranked<[(u32, PartId); 2]>) -> f64,
    ) -> u64 {
        let [a, b] = places.map(|place| &self.now.buffers.entries[place as usize].bounds);
        if Most::new(*most).are_beyond(a, b) {
            return 0;
        }
        let sieve = self.sieve(places);
        if sieve.is_shut(&self.query.excluded) {
            return 0;
        }
        Facing::new(self.now, &sieve, places).each(*most, |one| {
            *most = tell(one);
            *most
        })
    }
}

impl<T: Scalar> Gaps for CharacterPairs<'_, '_, T> {
    type Pair = [(u32, PartId); 2];

    #[inline(always)]
    fn each(&self, mut most: f64, mut tell: impl FnMut(Ranked<Self::Pair>) -> f64) -> u64 {
        let characters = 0..self.now.buffers.entries.len() as u32;
        let two = |places| self.each_of_two(places, &mut most, &mut tell);
        let [first, second] = self.sets;
        match self.query.who {
            Who::All => {
                let behind = |a: u32| (a + 1..characters.end).map(move |b| [a, b]);
                characters.clone().flat_map(behind).map(two).sum()
            }
            Who::Of(_) => first
                .iter()
                .flat_map(|&a| characters.clone().map(move |b| [a, b]))
                .filter(|[_, b]| !first.contains(b))
                .map(two)
                .sum(),
            Who::Between(..) => {
                first.iter().flat_map(|&a| second.iter().map(move |&b| [a, b])).map(two).sum()
            }
            Who::Within(_) => {
                let from = |at: usize| first[at..].iter().map(move |&b| [first[at], b]);
                (0..first.len()).flat_map(from).map(two).sum()
            }
        }
    }
}

/// The part pairs of two characters, or of one, that the query is about, before the predicate.
struct Facing<'k, 'a, T: Scalar> {
    now: &'k Snapshot<'a, T>,
    sieve: &'k Sieve<'a, T>,
    places: [u32; 2],
    entries: [&'a Entry<T>; 2],
    /// The parts of both characters.
    parts: [&'a [Placed<T>]; 2],
}

impl<'k, 'a, T: Scalar> Facing<'k, 'a, T> {
    fn new(now: &'k Snapshot<'a, T>, sieve: &'k Sieve<'a, T>, places: [u32; 2]) -> Self {
        let entries = places.map(|place| now.character(place).0);
        Facing { now, sieve, places, entries, parts: places.map(|place| now.parts(place)) }
    }

    /// Like [`BoundedPairs::each`], for the two characters.
    #[inline(always)]
    fn each(&self, most: f64, mut tell: impl FnMut(Ranked<[(u32, PartId); 2]>) -> f64) -> u64 {
        let (mut most, mut compared) = (Most::new(most), 0);
        let (of_a, around) = (self.entries[0].parts, self.entries[1].bounds_f32);
        for (first, piece) in of_a.chunks() {
            let asked = self.sieve.firsts(first / MASK_BITS);
            for place in set_bits(self.near(&most, around, piece, asked, &mut compared)) {
                compared += self.each_of(first + place, &mut most, &mut tell);
            }
        }
        compared
    }

    /// Like [`BoundedPairs::each`], for one part of the first character and all parts of the
    /// second; within one character, all parts behind it.
    #[inline(always)]
    fn each_of(
        &self,
        at: usize,
        most: &mut Most<T>,
        tell: &mut impl FnMut(Ranked<[(u32, PartId); 2]>) -> f64,
    ) -> u64 {
        let ([a, b], mut compared) = (self.places, 0);
        let [of_a, of_b] = self.entries.map(|entry| entry.parts);
        let [model, other_model] = self.sieve.characters.map(|character| &*character.model);
        let one = model.part_at(at);
        let x = &self.parts[0][one.index()].bounds;
        let around = AabbF32::from_block(&self.now.buffers.rows.range_blocks(of_a)[at / BLOCK], at);
        for (first, piece) in of_b.chunks() {
            let word = first / MASK_BITS;
            let mut asked = self.sieve.seconds(one, word);
            if a == b {
                asked &= model.tested_behind(at, word);
            }
            for place in set_bits(self.near(most, around, piece, asked, &mut compared)) {
                let other = other_model.part_at(first + place);
                let y = &self.parts[1][other.index()].bounds;
                if x.is_empty() || y.is_empty() || !self.sieve.may_let(one, other) {
                    continue;
                }
                if let Some(least) = most.holds(x, y) {
                    let pair = Candidate { a: (a, one), b: (b, other) }.unordered();
                    *most = Most::new(tell(Ranked { least, pair }));
                }
            }
        }
        compared
    }

    /// Returns the bits of `mask`, over up to 64 boxes, whose boxes may be within the limit of
    /// another. A single box is not compared.
    #[inline(always)]
    fn near(
        &self,
        most: &Most<T>,
        one: AabbF32,
        range: AabbRange,
        asked: u64,
        compared: &mut u64,
    ) -> u64 {
        let asked = asked & prefix_mask(range.len);
        if asked & asked.wrapping_sub(1) == 0 {
            *compared += u64::from(asked != 0);
            return asked;
        }
        *compared += range.len as u64;
        let buffers = self.now.buffers;
        asked & most.near(buffers.level, one, (buffers.rows.range_blocks(range), range.len))
    }
}
