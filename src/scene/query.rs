//! Queries about pairs: which characters, which parts, in what detail, how accurately.

use super::excluded::Excluded;
use super::filter::{Chosen, PairPredicate};
use super::part_set::PartSet;
use super::{CharacterKey, NodeRef, Scene};
use crate::error::Error;
use crate::model::PartId;
use crate::num::Scalar;
use crate::tree::Accuracy;

/// What one line of the answer is about: for a ray or a region one of each, for pairs two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Detail {
    /// Parts. Of two, the pair of boxes that overlaps deepest (which need not be as deep as the parts: see
    /// [`Hit`](super::Hit)); of one that a ray hits, the box that it meets first; of one in a region,
    /// none: its root stands for it.
    #[default]
    Parts,
    /// Boxes of the cut.
    Boxes,
}

/// A query about pairs of parts, put to a [`Snapshot`](super::Snapshot): which characters, which of their
/// parts, in what detail, how accurately, and for distances up to what length.
///
/// ```
/// # use boxwood::{Accuracy, CharacterKey, Detail, PairQuery, PartId};
/// # fn query(red: CharacterKey, blue: CharacterKey, sword: PartId, waist: PartId) -> PairQuery<'static> {
/// PairQuery::between(red, blue)
///     .parts(&[sword], &[waist])
///     .detail(Detail::Boxes)
///     .accuracy(Accuracy::Depth(4))
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct PairQuery<'f> {
    pub(super) who: Who,
    pub(super) parts: Option<[PartSet; 2]>,
    memberships: Option<[u64; 2]>,
    predicate: Option<PairPredicate<'f>>,
    pub(super) excluded: Excluded,
    pub(super) detail: Detail,
    accuracy: Option<Accuracy>,
    pub(super) max_distance: f64,
}

/// Which pairs of characters a query is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Who {
    All,
    Between(CharacterKey, CharacterKey),
    Of(CharacterKey),
    Within(CharacterKey),
}

impl<'f> PairQuery<'f> {
    fn new(who: Who) -> Self {
        PairQuery {
            who,
            parts: None,
            memberships: None,
            predicate: None,
            excluded: Excluded::default(),
            detail: Detail::default(),
            accuracy: None,
            max_distance: f64::INFINITY,
        }
    }

    /// Every two characters of the scene; the one of lower order comes first in answers.
    pub fn all() -> Self {
        PairQuery::new(Who::All)
    }

    /// Two characters; `a` comes first in answers. A character and itself is as [`PairQuery::within`].
    pub fn between(a: CharacterKey, b: CharacterKey) -> Self {
        PairQuery::new(if a == b { Who::Within(a) } else { Who::Between(a, b) })
    }

    /// One character against all others; it comes first in answers.
    pub fn of(character: CharacterKey) -> Self {
        PairQuery::new(Who::Of(character))
    }

    /// One character against itself, except for the pairs its model ignores; the part of lower number comes
    /// first in answers.
    pub fn within(character: CharacterKey) -> Self {
        PairQuery::new(Who::Within(character))
    }

    /// Only these parts of the first character against those of the second; where neither comes first by
    /// the query, as for [`PairQuery::all`] and [`PairQuery::within`], either way round. Of characters
    /// that are not named by the query, the parts they have.
    pub fn parts(mut self, of_a: &[PartId], of_b: &[PartId]) -> Self {
        self.parts = Some([PartSet::new(of_a), PartSet::new(of_b)]);
        self
    }

    /// Only parts of the first character with a membership in `of_a` against parts of the second with one
    /// in `of_b`, a bit each; for [`PairQuery::all`] and [`PairQuery::within`] either way round. The
    /// parts' own [groups](crate::CollisionGroups) have to interact as well.
    pub fn memberships(mut self, of_a: u64, of_b: u64) -> Self {
        self.memberships = Some([of_a, of_b]);
        self
    }

    /// As if these characters, beside those left out before, were not there.
    pub fn excluding(mut self, characters: &[CharacterKey]) -> Self {
        self.excluded.add(characters);
        self
    }

    /// Only pairs of parts for which the predicate returns `true`, beside all else the query asks for.
    ///
    /// It is called once the world AABBs of two parts overlap (for distances, in the order of their
    /// distance), never box by box, in no order to rely on and from any thread; so let it depend on nothing
    /// but the two. The character of lower order comes first (within one, the part of lower number),
    /// however the query was put: so a query from the other side still gives the reversed answer. What it
    /// leaves out costs a budget nothing. The nodes are roots. Of two predicates the last one counts.
    ///
    /// ```
    /// # use boxwood::{Error, Hits, NodeRef, PairQuery, Scene, Snapshot};
    /// # fn query(scene: &Scene, now: &Snapshot, hits: &mut Hits) -> Result<(), Error> {
    /// let team = |node: NodeRef| scene.user(node.character).unwrap_or_default() >> 32;
    /// let foes = |a, b| team(a) != team(b);
    /// now.pairs(&PairQuery::all().predicate(&foes), hits)?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn predicate<'g>(
        self,
        predicate: &'g (dyn Fn(NodeRef, NodeRef) -> bool + Sync),
    ) -> PairQuery<'g>
    where
        'f: 'g,
    {
        PairQuery { predicate: Some(PairPredicate(predicate)), ..self }
    }

    /// Parts (the default) or boxes.
    pub fn detail(mut self, detail: Detail) -> Self {
        self.detail = detail;
        self
    }

    /// How fine the boxes are that have to touch. By default the leaves; for distances [`Accuracy::Exact`].
    pub fn accuracy(mut self, accuracy: Accuracy) -> Self {
        self.accuracy = Some(accuracy);
        self
    }

    /// For [`Snapshot::distance`](super::Snapshot::distance): no answer for parts further apart than this.
    /// World units; infinite by default. The smaller, the sooner the answer is found.
    pub fn max_distance(mut self, max_distance: f64) -> Self {
        self.max_distance = max_distance;
        self
    }

    pub(super) fn chosen(&self) -> Chosen<'_> {
        let either_way = matches!(self.who, Who::All | Who::Within(_));
        let (parts, memberships) = (self.parts.as_ref(), self.memberships);
        Chosen { parts, memberships, predicate: self.predicate, either_way }
    }

    /// How fine the boxes are that have to touch.
    #[inline]
    pub(super) fn overlap_accuracy(&self) -> Accuracy {
        self.accuracy.unwrap_or_default()
    }

    /// Between what a distance is.
    pub(super) fn distance_accuracy(&self) -> Accuracy {
        self.accuracy.unwrap_or(Accuracy::Exact)
    }

    /// Refuses keys that are not of the scene, and parts that a named character does not have.
    pub(super) fn check<T: Scalar>(&self, scene: &Scene<T>) -> Result<(), Error> {
        self.excluded.check(scene)?;
        let named = match self.who {
            Who::All => [None, None],
            Who::Of(a) => [Some(a), None],
            Who::Between(a, b) => [Some(a), Some(b)],
            Who::Within(a) => [Some(a), Some(a)],
        };
        for (key, set) in named.into_iter().zip(self.parts.iter().flatten()) {
            if let Some(key) = key {
                set.check(scene.model(key)?)?;
            }
        }
        Ok(())
    }
}
