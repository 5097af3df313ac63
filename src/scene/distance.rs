//! How far apart characters are, and where they are closest.

use nalgebra::Point3;

use super::apiece::Between;
use super::candidates::Candidate;
use super::filter::{Chosen, Sieve};
use super::part_set::PartSet;
use super::{CharacterKey, Hits, Site, Snapshot};
use crate::error::Error;
use crate::model::rows::{BLOCK, Block, Single};
use crate::model::{Gaps, Most, PartId, Placed, Ranked, nearest};
use crate::num::Scalar;
use crate::shape::Aabb;
use crate::tree::{Accuracy, Distance, Scratch, check_distance, roots_beyond};

/// A question to a [`Snapshot`]: how far apart two characters are, or parts of them.
///
/// ```
/// # use boxwood::{Accuracy, Apart, CharacterKey, PartId};
/// # fn ask(red: CharacterKey, blue: CharacterKey, sword: PartId, waist: PartId) -> Apart {
/// Apart::between(red, blue).parts(&[sword], &[waist]).cutoff(0.5).accuracy(Accuracy::Within(0.01))
/// # }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Apart {
    who: [CharacterKey; 2],
    parts: Option<[PartSet; 2]>,
    members: Option<[u64; 2]>,
    cutoff: f64,
    accuracy: Accuracy,
}

impl Apart {
    /// Two characters; `a` comes first in the answer. A character and itself is as [`Apart::within`].
    pub fn between(a: CharacterKey, b: CharacterKey) -> Self {
        Apart {
            who: [a, b],
            parts: None,
            members: None,
            cutoff: f64::INFINITY,
            accuracy: Accuracy::Exact,
        }
    }

    /// Two parts of one character, any but the pairs that its model ignores; the part of lower number comes first in the answer.
    pub fn within(character: CharacterKey) -> Self {
        Apart::between(character, character)
    }

    /// Only these parts of the first against those of the second; of one character, a part of the first list against one of the
    /// second.
    pub fn parts(mut self, of_a: &[PartId], of_b: &[PartId]) -> Self {
        self.parts = Some([PartSet::new(of_a), PartSet::new(of_b)]);
        self
    }

    /// Only parts of the first that are members of a group in `of_a` against parts of the second that are members of one in
    /// `of_b`, a bit each; of one character either way round. The parts' own [groups](crate::Groups) have to meet as well.
    pub fn members(mut self, of_a: u64, of_b: u64) -> Self {
        self.members = Some([of_a, of_b]);
        self
    }

    /// No answer for what is further apart than this. World units; infinite without this. The smaller, the sooner it is found.
    pub fn cutoff(mut self, cutoff: f64) -> Self {
        self.cutoff = cutoff;
        self
    }

    /// Between primitives (as it is without this), or the boxes of a cut; a budget is refused.
    pub fn accuracy(mut self, accuracy: Accuracy) -> Self {
        self.accuracy = accuracy;
        self
    }

    fn chosen(&self) -> Chosen<'_> {
        let either_way = self.who[0] == self.who[1];
        Chosen { parts: self.parts.as_ref(), members: self.members, either_way }
    }
}

/// How far apart two characters are, and where they are closest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clearance<T: Scalar> {
    /// The first: whose, which part, which node.
    pub a: Site,
    /// The second.
    pub b: Site,
    /// See [`Distance::distance`]. World units.
    pub distance: T,
    /// On the first, or on the box of its node; a common point where the distance is zero. World, rounded.
    pub on_a: Point3<T>,
    /// On the second.
    pub on_b: Point3<T>,
    /// The geometry is no further apart than `distance + slack`; see [`Distance::slack`]. World units.
    pub slack: T,
}

impl<T: Scalar> Clearance<T> {
    /// The same told from the other side.
    pub fn reversed(&self) -> Self {
        Clearance { a: self.b, b: self.a, on_a: self.on_b, on_b: self.on_a, ..*self }
    }

    fn new((a, b): (Site, Site), apart: &Distance<T>) -> Self {
        let Distance { distance, on_a, on_b, slack, .. } = *apart;
        Clearance { a, b, distance, on_a, on_b, slack }
    }
}

/// Two parts, by character's place and part, the lesser first.
pub(super) type RankedParts = Ranked<[(u32, PartId); 2]>;

impl<'a, T: Scalar> Snapshot<'a, T> {
    /// Where those that the question is about are closest; `None` if they are further apart than its cut-off, up to rounding, or there is
    /// nothing of one. Of pairs of parts equally far apart the one whose world boxes are nearer, then the first by order of the character and
    /// part; swapped characters give the [reversed](Clearance::reversed) answer, bit for bit.
    ///
    /// Parts switched off and without geometry do not count; being at rest does not matter. The parts' groups have to meet, and
    /// [`Snapshot::keeping`] has to keep the two, which it is asked of pairs in the order of their world boxes' distance until the
    /// answer is found. `hits` is only written on, and holds no answers afterwards. Each two parts as [`TreePair::distance`](crate::tree::TreePair::distance) has it.
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`], [`Error::IndexOutOfRange`] for a part; [`Error::BadQuery`] for a budget;
    /// [`Error::NotFinite`] and [`Error::Negative`] for a tolerance or the cut-off.
    pub fn distance(
        &self,
        apart: &Apart,
        hits: &mut Hits<T>,
    ) -> Result<Option<Clearance<T>>, Error> {
        T::apiece(Between(apart), (*self, hits))
    }

    pub(super) fn between(
        &self,
        apart: &Apart,
        hits: &mut Hits<T>,
    ) -> Result<Option<Clearance<T>>, Error> {
        hits.clear();
        check_distance(apart.accuracy, apart.cutoff)?;
        let [a, b] = apart.who;
        let places = [self.entry(a)?.0, self.entry(b)?.0];
        for (key, set) in apart.who.iter().zip(apart.parts.iter().flatten()) {
            set.check(self.scene.model(*key)?)?;
        }
        let (mut ranked, mut compared) = (std::mem::take(&mut hits.work.ranked), 0);
        let characters = places.map(|place| self.character(place).1);
        let sieve = Sieve::new(*self, apart.chosen(), places, characters);
        let pairs = Facing::new(self, &sieve, places);
        let room = (&mut ranked, &mut compared);
        let found = nearest(&pairs, apart.cutoff, room, |&pair, cutoff| {
            let (candidate, scratch) = (self.candidate(pair, places[0]), &mut hits.work.tree);
            if !sieve.keeps(candidate.a.1, candidate.b.1)
                || cutoff < f64::INFINITY
                    && self.are_beyond(&candidate, (apart.accuracy, cutoff), scratch)
            {
                return None;
            }
            self.tree_pair(&candidate).distance_checked(apart.accuracy, cutoff, scratch)
        });
        hits.work.tree.counts.parts = compared;
        hits.work.ranked = ranked;
        Ok(found.map(|(pair, found)| {
            let key = self.candidate(pair, places[0]).key(found.a, found.b);
            Clearance::new(self.sites(key), &found)
        }))
    }

    /// Whether the boxes around two parts show that these are further apart than that: so most that are not the closest are left.
    fn are_beyond(
        &self,
        candidate: &Candidate,
        (accuracy, most): (Accuracy, f64),
        scratch: &mut Scratch,
    ) -> bool {
        let of = |(place, part): (u32, PartId)| {
            let tree = self.character(place).1.model.tree(part);
            (tree, &self.parts(place)[part.index()].placement)
        };
        roots_beyond([of(candidate.a), of(candidate.b)], (accuracy, most), &mut scratch.counts)
    }

    /// The pair whose first is of the character that comes first in the question.
    fn candidate(&self, [a, b]: [(u32, PartId); 2], first: u32) -> Candidate {
        if a.0 == first { Candidate { a, b } } else { Candidate { a: b, b: a } }
    }
}

/// Parts of two characters, or of one, that the question is about, but for what a predicate says of them.
struct Facing<'k, 'a, T: Scalar> {
    now: &'k Snapshot<'a, T>,
    sieve: &'k Sieve<'a, T>,
    places: [u32; 2],
    /// The parts of both.
    parts: [&'a [Placed<T>]; 2],
    /// The boxes of those side by side, if there are not too many.
    blocks: Option<[&'a [Block]; 2]>,
}

impl<T: Scalar> Gaps for Facing<'_, '_, T> {
    type Pair = [(u32, PartId); 2];

    #[inline(always)]
    fn each(&self, most: f64, mut tell: impl FnMut(Ranked<Self::Pair>) -> f64) -> u64 {
        let (mut most, mut compared) = (Most::new(most), 0);
        let [whole_a, whole_b] = self.places.map(|place| &self.now.buffers.entries[place as usize]);
        if most.are_beyond(&whole_a.bounds, &whole_b.bounds) {
            return 0;
        }
        for word in 0..self.parts[0].len().div_ceil(WORD) {
            let whole = || (whole_b.around, &whole_b.bounds);
            let asked = self.sieve.firsts(word);
            let mut left = self.near(&most, whole, (0, word), asked, &mut compared);
            while left != 0 {
                let one = PartId::new(word * WORD + left.trailing_zeros() as usize);
                left &= left - 1;
                compared += self.each_of(one, &mut most, &mut tell);
            }
        }
        compared
    }
}

/// Parts for which there is a bit each in a word.
const WORD: usize = 64;

impl<'k, 'a, T: Scalar> Facing<'k, 'a, T> {
    fn new(now: &'k Snapshot<'a, T>, sieve: &'k Sieve<'a, T>, places: [u32; 2]) -> Self {
        let [a, b] = places.map(|place| now.character(place).0.rows);
        let rows = &now.buffers.rows;
        let blocks = (a.len > 0 && b.len > 0).then(|| [rows.range(a), rows.range(b)]);
        Facing { now, sieve, places, parts: places.map(|place| now.parts(place)), blocks }
    }

    /// As [`Gaps::each`], of one part of the first with any of the second; of one character with those behind it.
    #[inline(always)]
    fn each_of(
        &self,
        one: PartId,
        most: &mut Most<T>,
        tell: &mut impl FnMut(Ranked<[(u32, PartId); 2]>) -> f64,
    ) -> u64 {
        let ([a, b], i, mut compared) = (self.places, one.index(), 0);
        let (x, of_b) = (&self.parts[0][i].bounds, self.parts[1]);
        let around =
            || (self.blocks.map_or(Single::NOTHING, |[of, _]| Single::of(&of[i / BLOCK], i)), x);
        for word in 0..of_b.len().div_ceil(WORD) {
            let mut asked = self.sieve.seconds(one, word);
            if a == b {
                let behind = (i + 1).saturating_sub(word * WORD);
                asked &= u64::MAX.checked_shl(behind as u32).unwrap_or(0);
            }
            let mut left = self.near(most, around, (1, word), asked, &mut compared);
            while left != 0 {
                let at = word * WORD + left.trailing_zeros() as usize;
                left &= left - 1;
                let (y, other) = (&of_b[at].bounds, PartId::new(at));
                if x.is_empty() || y.is_empty() || !self.lets([one, other]) {
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

    /// Of a word of parts of the first (0) or the second, those that were asked for whose boxes may be as near as that to another, where that can be
    /// told of many at once.
    #[inline(always)]
    fn near<'b>(
        &self,
        most: &Most<T>,
        one: impl Fn() -> (Single, &'b Aabb<T, 3>),
        (which, word): (usize, usize),
        asked: u64,
        compared: &mut u64,
    ) -> u64
    where
        T: 'b,
    {
        let parts = self.parts[which];
        let parts = &parts[word * WORD..parts.len().min((word + 1) * WORD)];
        let asked = asked & u64::MAX >> (WORD - parts.len());
        if asked & asked.wrapping_sub(1) == 0 {
            *compared += u64::from(asked != 0);
            return asked;
        }
        *compared += parts.len() as u64;
        let ((single, bounds), level) = (one(), self.now.buffers.level);
        asked
            & match self.blocks {
                Some(blocks) => most.near_in(level, single, (blocks[which], parts.len())),
                None => most.near(bounds, parts),
            }
    }

    /// Whether the question is about the two, but for the predicate.
    #[inline(always)]
    fn lets(&self, [one, other]: [PartId; 2]) -> bool {
        let within = self.places[0] == self.places[1];
        self.sieve.may_let(one, other)
            && !(within && self.sieve.characters[0].model.ignores(one, other))
    }
}
