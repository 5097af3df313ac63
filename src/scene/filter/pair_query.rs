//! Pair queries: which characters and parts, detail, accuracy.

use super::answer_options::{AnswerOptions, Detail};
use super::normal_hint::NormalHint;
use super::pair_filter::{FilterRule, PairFilter, PairPredicate, are_members};
use super::part_set::PartSet;
use crate::error::Error;
use crate::model::{CollisionGroups, PartId};
use crate::narrow_phase::Candidate;
use crate::num::Scalar;
use crate::scene::{CharacterKey, NodeRef, Scene, Snapshot};
use crate::tree::{Accuracy, check_margin};

/// A query about pairs of parts, for the methods of [`Snapshot`](crate::scene::Snapshot): the
/// characters, the parts, the detail, the accuracy, and for distances the largest length.
///
/// ```
/// # use boxwood::{Accuracy, CharacterKey, Detail, PairQuery, PartId};
/// # type Key = CharacterKey;
/// # fn query(red: Key, blue: Key, sword: PartId, waist: PartId) -> PairQuery<'static> {
/// PairQuery::between(red, blue)
///     .parts(&[sword], &[waist])
///     .detail(Detail::Boxes)
///     .accuracy(Accuracy::Depth(4))
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct PairQuery<'f> {
    pub(in crate::scene) scope: QueryScope,
    pub(in crate::scene) parts: Option<[PartSet; 2]>,
    memberships: Option<[u64; 2]>,
    pub(in crate::scene) attacker_first: bool,
    predicate: Option<PairPredicate<'f>>,
    /// `true` if the named characters include those attached to them.
    pub(in crate::scene) includes_held: bool,
    pub(in crate::scene) options: AnswerOptions,
    pub(in crate::scene) hints: &'f [NormalHint],
    pub(in crate::scene) margin: f64,
    pub(in crate::scene) max_distance: f64,
}

/// The pairs of characters that a query is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::scene) enum QueryScope {
    All,
    Between(CharacterKey, CharacterKey),
    Of(CharacterKey),
    Within(CharacterKey),
}

impl<'f> PairQuery<'f> {
    fn new(scope: QueryScope) -> Self {
        PairQuery {
            scope,
            parts: None,
            memberships: None,
            attacker_first: false,
            predicate: None,
            includes_held: false,
            options: AnswerOptions::default(),
            hints: &[],
            margin: 0.0,
            max_distance: f64::INFINITY,
        }
    }

    /// Selects all pairs of characters of the scene; the one of lower order is first in answers.
    pub fn all() -> Self {
        PairQuery::new(QueryScope::All)
    }

    /// Selects two characters; `a` is first in answers. A character and itself is
    /// [`PairQuery::within`].
    pub fn between(a: CharacterKey, b: CharacterKey) -> Self {
        PairQuery::new(if a == b { QueryScope::Within(a) } else { QueryScope::Between(a, b) })
    }

    /// Selects one character against all others; it is first in answers.
    pub fn of(character: CharacterKey) -> Self {
        PairQuery::new(QueryScope::Of(character))
    }

    /// Selects one character against itself, except for the pairs its model ignores; the part of
    /// lower number is first in answers.
    ///
    /// ```
    /// # use boxwood::nalgebra::{Isometry3, Vector3};
    /// # use boxwood::{Buffers, Build, Geometry, Model, Obb, PairQuery, Scene, Spawn};
    /// # let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
    /// # let block = || Geometry::Boxes(vec![cube]);
    /// let model = Model::builder()
    ///     .part("hips", None, block())
    ///     .part("left_thigh", Some("hips"), block())
    ///     .part("right_thigh", Some("hips"), block())
    ///     .ignore_neighbours(1) // hips and thighs always overlap
    ///     .build(&Build::default())?;
    /// let mut scene = Scene::new();
    /// let key = scene.insert(&model, Spawn::default())?;
    /// let mut buffers = Buffers::new();
    /// let now = scene.snapshot(&mut buffers);
    /// // Thigh and thigh.
    /// let mut scratch = boxwood::QueryScratch::new();
    /// assert!(now.intersects(&PairQuery::within(key), &mut scratch)?);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn within(character: CharacterKey) -> Self {
        PairQuery::new(QueryScope::Within(character))
    }

    /// Restricts the query to these parts of the first character against those of the second; for
    /// [`PairQuery::all`] and [`PairQuery::within`], where neither is first, in either order.
    /// Characters that the query does not name may lack some of the parts.
    pub fn parts(mut self, of_a: &[PartId], of_b: &[PartId]) -> Self {
        self.parts = Some([PartSet::new(of_a), PartSet::new(of_b)]);
        self
    }

    /// Restricts the query to parts of the first character with a membership in `of_a` against
    /// parts of the second with one in `of_b`, a bit each; for [`PairQuery::all`] and
    /// [`PairQuery::within`] in either order. The parts' own [groups](crate::CollisionGroups) have
    /// to interact as well.
    ///
    /// ```
    /// # boxwood::fixture_snapshot!(model, scene, red, blue at 0.9, buffers, now);
    /// // Every part is in all 64 groups unless something else is said of it.
    /// let mut scratch = boxwood::QueryScratch::new();
    /// assert!(now.intersects(&PairQuery::all().memberships(1, 2), &mut scratch)?);
    /// assert!(!now.intersects(&PairQuery::all().memberships(1, 0), &mut scratch)?);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn memberships(mut self, of_a: u64, of_b: u64) -> Self {
        self.memberships = Some([of_a, of_b]);
        self
    }

    /// Names the attacker first: in answers `a` is the part with a membership in the `of_a` of
    /// [`PairQuery::memberships`], even if the other character is first by the query. If both parts
    /// may attack each other, the order stays. The sorting of answers does not change.
    ///
    /// ```
    /// # use boxwood::PairQuery;
    /// const SWORD: u64 = 1;
    /// const BODY: u64 = 2;
    /// let strikes = PairQuery::all().memberships(SWORD, BODY).attacker_first();
    /// ```
    pub fn attacker_first(mut self) -> Self {
        self.attacker_first = true;
        self
    }

    /// Excludes these characters, in addition to those excluded before.
    pub fn excluding(mut self, characters: &[CharacterKey]) -> Self {
        self.options.excluded.add(characters);
        self
    }

    /// Restricts the query to pairs of parts for which the predicate returns `true`, in addition to
    /// all other conditions.
    ///
    /// The predicate is called once per pair of parts, when their world AABBs overlap (for
    /// distances, in the order of their distance), in no order to rely on and from any thread; so
    /// it must depend on nothing but the two parts. The character of lower order is its first
    /// argument (within one character, the part of lower number), whatever the order of the query:
    /// so a query from the other side still gives the reversed answer. Rejected pairs cost a budget
    /// nothing. The nodes are roots. The last predicate replaces earlier ones.
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

    /// Sets the detail: bodies (the default), their deepest boxes, or all boxes.
    pub fn detail(mut self, detail: Detail) -> Self {
        self.options.detail = detail;
        self
    }

    /// Sets how fine the boxes are that have to touch. The default is the leaves; for distances
    /// [`Accuracy::Exact`].
    pub fn accuracy(mut self, accuracy: Accuracy) -> Self {
        self.options.accuracy = Some(accuracy);
        self
    }

    /// Sets directions to prefer for the normals of [`Detail::Bodies`], so that these stay steady
    /// from tick to tick. The hints may stand in any order; of several about the same parts the
    /// first counts. Those about characters that were removed, and about parts that do not touch,
    /// have no effect.
    ///
    /// The answer is a function of the snapshot, the query and these hints; buffers remember
    /// nothing. Swapped arguments with [reversed](NormalHint::reversed) hints give the reversed
    /// answer, bit for bit. See [`NormalHint`] for an example.
    pub fn hints<'g>(self, hints: &'g [NormalHint]) -> PairQuery<'g>
    where
        'f: 'g,
    {
        PairQuery { hints, ..self }
    }

    /// Sets a margin: parts no further apart than this count as touching, for
    /// [`Snapshot::intersects`](crate::scene::Snapshot::intersects),
    /// [`Snapshot::pairs`](crate::scene::Snapshot::pairs) and the
    /// [`Snapshot::contacts`](crate::scene::Snapshot::contacts) of bodies [world units]; 0 by
    /// default.
    ///
    /// No such pair is missed, at any accuracy. The [slack](crate::scene::Report::slack) then
    /// bounds how much further apart than the margin a reported pair can be; with
    /// [`Accuracy::Exact`] it is rounding only. Parts inside a solid have distance zero. Within one
    /// character, the larger of this and the [model's own margin](crate::Model::margin) of two
    /// parts applies. Contacts of boxes, and contacts within a
    /// [budget](Accuracy::Budget), refuse a margin and ignore those of models: boxes that are
    /// disjoint have no depth.
    ///
    /// ```
    /// # boxwood::fixture_snapshot!(model, scene, red, blue at 3.0, buffers, now);
    /// // Two unit cubes, 3 apart along x: a gap of 2.
    /// let mut scratch = boxwood::QueryScratch::new();
    /// let near = PairQuery::between(red, blue);
    /// assert!(now.intersects(&near.clone().margin(2.0), &mut scratch)?); // no further than that
    /// assert!(!now.intersects(&near.clone().margin(1.9), &mut scratch)?);
    /// assert!(now.intersects(&near.margin(f64::NAN), &mut scratch).is_err());
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn margin(mut self, margin: impl Into<f64>) -> Self {
        self.margin = margin.into();
        self
    }

    /// Returns an error for a margin that is negative or not finite, and for any margin with
    /// contacts of boxes.
    pub(in crate::scene) fn check_margin(&self, of_boxes: bool) -> Result<(), Error> {
        check_margin(self.margin, 0)?;
        match of_boxes && self.margin > 0.0 {
            true => Err(Error::BadQuery {
                reason: "contacts of boxes, and those within a budget, do not support a margin",
            }),
            false => Ok(()),
        }
    }

    /// Sets the largest distance for [`Snapshot::distance`](crate::scene::Snapshot::distance):
    /// parts further apart give no answer [world units]; infinite by default. A smaller value is
    /// faster.
    ///
    /// ```
    /// # boxwood::fixture_snapshot!(model, scene, red, blue at 3.0, buffers, now);
    /// // Two unit cubes, 3 apart along x: a gap of 2.
    /// let mut scratch = boxwood::QueryScratch::new();
    /// let near = PairQuery::between(red, blue).max_distance(1.5);
    /// assert_eq!(now.distance(&near, &mut scratch)?, None);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn max_distance(mut self, max_distance: impl Into<f64>) -> Self {
        self.max_distance = max_distance.into();
        self
    }

    pub(in crate::scene) fn filter_rule(&self) -> FilterRule<'_> {
        let is_unordered = matches!(self.scope, QueryScope::All | QueryScope::Within(_));
        FilterRule {
            parts: self.parts.as_ref(),
            memberships: self.memberships,
            predicate: self.predicate,
            excluded: &self.options.excluded,
            is_unordered,
        }
    }

    /// Returns the two characters of the query, or its only one.
    ///
    /// # Errors
    /// [`Error::BadQuery`] for a query about all characters, or about one and itself.
    pub(in crate::scene) fn two_sides(
        &self,
    ) -> Result<(CharacterKey, Option<CharacterKey>), Error> {
        match self.scope {
            QueryScope::Between(a, b) => Ok((a, Some(b))),
            QueryScope::Of(a) => Ok((a, None)),
            QueryScope::All | QueryScope::Within(_) => {
                Err(Error::BadQuery { reason: "needs two characters, or one and all others" })
            }
        }
    }

    /// Returns the only part of each of two characters, if the query is about no others. It then
    /// has no errors but those of [`check_excluded`](Self::check_excluded) and of these parts.
    #[inline]
    pub(in crate::scene) fn only_parts(&self) -> Option<[(CharacterKey, PartId); 2]> {
        match (self.scope, &self.parts) {
            (QueryScope::Between(a, b), Some([of_a, of_b])) if !self.includes_held => {
                Some([(a, of_a.only_part()?), (b, of_b.only_part()?)])
            }
            _ => None,
        }
    }

    /// Returns `true` if the part of the query's first character may be one of its parts.
    pub(in crate::scene) fn may_be_first(&self, part: PartId) -> bool {
        self.parts.as_ref().is_none_or(|[of_a, _]| of_a.contains(part))
    }

    pub(in crate::scene) fn has_predicate(&self) -> bool {
        self.predicate.is_some()
    }

    /// Returns `true` if an answer about parts of these groups names the second first.
    pub(in crate::scene) fn is_swapped(&self, [a, b]: [CollisionGroups; 2]) -> bool {
        let attacks = |a, b| self.memberships.is_some_and(|of| are_members(of, [a, b]));
        self.attacker_first && !attacks(a, b) && attacks(b, a)
    }

    /// Returns the first and the second character that the query names; of a query about one
    /// character and itself this character twice.
    fn named_characters(&self) -> [Option<CharacterKey>; 2] {
        match self.scope {
            QueryScope::All => [None, None],
            QueryScope::Of(a) => [Some(a), None],
            QueryScope::Between(a, b) => [Some(a), Some(b)],
            QueryScope::Within(a) => [Some(a), Some(a)],
        }
    }

    /// Returns an error for named characters that are not of the scene, and the errors of
    /// [`check`](Self::check).
    pub(in crate::scene) fn check_all_keys<T: Scalar>(
        &self,
        scene: &Scene<T>,
    ) -> Result<(), Error> {
        self.named_characters()
            .into_iter()
            .flatten()
            .try_for_each(|key| scene.character(key).map(|_| ()))?;
        self.check(scene)
    }

    /// Returns an error for excluded characters that are not of the scene.
    #[inline]
    pub(in crate::scene) fn check_excluded<T: Scalar>(
        &self,
        scene: &Scene<T>,
    ) -> Result<(), Error> {
        self.options.excluded.check(scene)
    }

    /// Returns an error for keys that are not of the scene, and for parts that a named character
    /// does not have.
    pub(in crate::scene) fn check<T: Scalar>(&self, scene: &Scene<T>) -> Result<(), Error> {
        self.check_excluded(scene)?;
        if self.includes_held && self.parts.is_some() {
            return Err(Error::BadQuery {
                reason: "chosen parts must be of one character, without attached ones",
            });
        }
        for (key, set) in self.named_characters().into_iter().zip(self.parts.iter().flatten()) {
            if let Some(key) = key {
                set.check(scene.model(key)?)?;
            }
        }
        Ok(())
    }
}

impl<'a, T: Scalar> Snapshot<'a, T> {
    /// Returns `true` if the query has no predicate, or it accepts the two parts.
    #[inline]
    pub(in crate::scene) fn predicate_accepts(
        &self,
        query: &PairQuery<'_>,
        Candidate { a, b }: &Candidate,
    ) -> bool {
        !query.has_predicate() || self.pair_filter(query, [a.0, b.0]).predicate_accepts(a.1, b.1)
    }

    /// Returns the filter of two characters.
    pub(in crate::scene) fn pair_filter<'q>(
        &self,
        query: &'q PairQuery<'q>,
        indices: [u32; 2],
    ) -> PairFilter<'q, T>
    where
        'a: 'q,
    {
        let characters = indices.map(|index| self.character(index).1);
        PairFilter::new(*self, query.filter_rule(), indices, characters)
    }
}
