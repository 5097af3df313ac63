//! Queries about pairs: which characters, which parts, in what detail, how accurately.

use super::detail::Detail;
use super::excluded::Excluded;
use super::filter::{Chosen, PairPredicate, are_members};
use super::part_set::PartSet;
use super::{CharacterKey, NodeRef, Scene};
use crate::error::Error;
use crate::model::{CollisionGroups, PartId};
use crate::num::Scalar;
use crate::tree::{Accuracy, check_margin};

/// A query about pairs of parts, put to a [`Snapshot`](super::Snapshot): which characters, which of
/// their parts, in what detail, how accurately, and for distances up to what length.
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
    pub(super) attacker_first: bool,
    predicate: Option<PairPredicate<'f>>,
    pub(super) excluded: Excluded,
    /// Whether the named characters stand for what they hold, too.
    pub(super) held: bool,
    pub(super) detail: Detail,
    accuracy: Option<Accuracy>,
    pub(super) margin: f64,
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
            attacker_first: false,
            predicate: None,
            excluded: Excluded::default(),
            held: false,
            detail: Detail::default(),
            accuracy: None,
            margin: 0.0,
            max_distance: f64::INFINITY,
        }
    }

    /// Every two characters of the scene; the one of lower order comes first in answers.
    ///
    /// ```
    /// # use boxwood::nalgebra::{Isometry3, Point3, Vector3};
    /// # use boxwood::{Buffers, Build, Geometry, Model, Obb, PairQuery, Scene, Spawn};
    /// # let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
    /// # let parts = Model::builder().part("cube", None, Geometry::Boxes(vec![cube]));
    /// # let model = parts.build(&Build::default())?;
    /// # let mut scene = Scene::new();
    /// # let red = scene.insert(&model, Spawn::default())?;
    /// # let blue = scene.insert(&model, Spawn::at(Isometry3::translation(0.9, 0.0, 0.0)))?;
    /// # let mut buffers = Buffers::new();
    /// # let now = scene.snapshot(&mut buffers);
    /// let mut hits = boxwood::Hits::new();
    /// now.pairs(&PairQuery::all(), &mut hits)?;
    /// let (a, b) = hits.pairs()[0];
    /// assert_eq!((a.character, b.character), (red, blue)); // red was inserted first
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn all() -> Self {
        PairQuery::new(Who::All)
    }

    /// Two characters; `a` comes first in answers. A character and itself is as
    /// [`PairQuery::within`].
    ///
    /// ```
    /// # use boxwood::nalgebra::{Isometry3, Point3, Vector3};
    /// # use boxwood::{Buffers, Build, Geometry, Model, Obb, PairQuery, Scene, Spawn};
    /// # let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
    /// # let parts = Model::builder().part("cube", None, Geometry::Boxes(vec![cube]));
    /// # let model = parts.build(&Build::default())?;
    /// # let mut scene = Scene::new();
    /// # let red = scene.insert(&model, Spawn::default())?;
    /// # let blue = scene.insert(&model, Spawn::at(Isometry3::translation(0.9, 0.0, 0.0)))?;
    /// # let mut buffers = Buffers::new();
    /// # let now = scene.snapshot(&mut buffers);
    /// let mut hits = boxwood::Hits::new();
    /// now.contacts(&PairQuery::between(blue, red), &mut hits)?;
    /// assert_eq!((hits[0].a.character, hits[0].normal), (blue, -Vector3::x()));
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn between(a: CharacterKey, b: CharacterKey) -> Self {
        PairQuery::new(if a == b { Who::Within(a) } else { Who::Between(a, b) })
    }

    /// One character against all others; it comes first in answers.
    ///
    /// ```
    /// # use boxwood::nalgebra::{Isometry3, Point3, Vector3};
    /// # use boxwood::{Buffers, Build, Geometry, Model, Obb, PairQuery, Scene, Spawn};
    /// # let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
    /// # let parts = Model::builder().part("cube", None, Geometry::Boxes(vec![cube]));
    /// # let model = parts.build(&Build::default())?;
    /// # let mut scene = Scene::new();
    /// # let red = scene.insert(&model, Spawn::default())?;
    /// # let blue = scene.insert(&model, Spawn::at(Isometry3::translation(0.9, 0.0, 0.0)))?;
    /// # let mut buffers = Buffers::new();
    /// # let now = scene.snapshot(&mut buffers);
    /// let mut hits = boxwood::Hits::new();
    /// now.pairs(&PairQuery::of(blue), &mut hits)?;
    /// assert_eq!(hits.pairs()[0].0.character, blue);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn of(character: CharacterKey) -> Self {
        PairQuery::new(Who::Of(character))
    }

    /// One character against itself, except for the pairs its model ignores; the part of lower
    /// number comes first in answers.
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
        PairQuery::new(Who::Within(character))
    }

    /// Only these parts of the first character against those of the second; where neither comes
    /// first by the query, as for [`PairQuery::all`] and [`PairQuery::within`], either way round.
    /// Of characters that are not named by the query, the parts they have.
    ///
    /// ```
    /// # use boxwood::nalgebra::{Isometry3, Point3, Vector3};
    /// # use boxwood::{Buffers, Build, Geometry, Model, Obb, PairQuery, Scene, Spawn};
    /// # let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
    /// # let parts = Model::builder().part("cube", None, Geometry::Boxes(vec![cube]));
    /// # let model = parts.build(&Build::default())?;
    /// # let mut scene = Scene::new();
    /// # let red = scene.insert(&model, Spawn::default())?;
    /// # let blue = scene.insert(&model, Spawn::at(Isometry3::translation(0.9, 0.0, 0.0)))?;
    /// # let mut buffers = Buffers::new();
    /// # let now = scene.snapshot(&mut buffers);
    /// let cube = model.part("cube")?;
    /// let query = PairQuery::between(red, blue).parts(&[cube], &[cube]);
    /// assert!(now.intersects(&query, &mut boxwood::QueryScratch::new())?);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn parts(mut self, of_a: &[PartId], of_b: &[PartId]) -> Self {
        self.parts = Some([PartSet::new(of_a), PartSet::new(of_b)]);
        self
    }

    /// Only parts of the first character with a membership in `of_a` against parts of the second
    /// with one in `of_b`, a bit each; for [`PairQuery::all`] and [`PairQuery::within`] either way
    /// round. The parts' own [groups](crate::CollisionGroups) have to interact as well.
    ///
    /// ```
    /// # use boxwood::nalgebra::{Isometry3, Point3, Vector3};
    /// # use boxwood::{Buffers, Build, Geometry, Model, Obb, PairQuery, Scene, Spawn};
    /// # let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
    /// # let parts = Model::builder().part("cube", None, Geometry::Boxes(vec![cube]));
    /// # let model = parts.build(&Build::default())?;
    /// # let mut scene = Scene::new();
    /// # let red = scene.insert(&model, Spawn::default())?;
    /// # let blue = scene.insert(&model, Spawn::at(Isometry3::translation(0.9, 0.0, 0.0)))?;
    /// # let mut buffers = Buffers::new();
    /// # let now = scene.snapshot(&mut buffers);
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

    /// Puts the attacker first: in answers `a` is the part with a membership in the `of_a` of
    /// [`PairQuery::memberships`], also where the other character comes first by the query. Of two
    /// parts that both may attack each other, the order stays. Answers are sorted as without.
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

    /// As if these characters, beside those left out before, were not there.
    ///
    /// ```
    /// # use boxwood::nalgebra::{Isometry3, Point3, Vector3};
    /// # use boxwood::{Buffers, Build, Geometry, Model, Obb, PairQuery, Scene, Spawn};
    /// # let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
    /// # let parts = Model::builder().part("cube", None, Geometry::Boxes(vec![cube]));
    /// # let model = parts.build(&Build::default())?;
    /// # let mut scene = Scene::new();
    /// # let red = scene.insert(&model, Spawn::default())?;
    /// # let blue = scene.insert(&model, Spawn::at(Isometry3::translation(0.9, 0.0, 0.0)))?;
    /// # let mut buffers = Buffers::new();
    /// # let now = scene.snapshot(&mut buffers);
    /// let others = PairQuery::all().excluding(&[blue]);
    /// assert!(!now.intersects(&others, &mut boxwood::QueryScratch::new())?);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn excluding(mut self, characters: &[CharacterKey]) -> Self {
        self.excluded.add(characters);
        self
    }

    /// Only pairs of parts for which the predicate returns `true`, beside all else the query asks
    /// for.
    ///
    /// It is called once the world AABBs of two parts overlap (for distances, in the order of their
    /// distance), never box by box, in no order to rely on and from any thread; so let it depend on
    /// nothing but the two. The character of lower order comes first (within one, the part of lower
    /// number), however the query was put: so a query from the other side still gives the reversed
    /// answer. What it leaves out costs a budget nothing. The nodes are roots. Of two predicates
    /// the last one counts.
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

    /// How fine the boxes are that have to touch. By default the leaves; for distances
    /// [`Accuracy::Exact`].
    ///
    /// ```
    /// # use boxwood::nalgebra::{Isometry3, Point3, Vector3};
    /// # use boxwood::{Buffers, Build, Geometry, Model, Obb, PairQuery, Scene, Spawn};
    /// # let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
    /// # let parts = Model::builder().part("cube", None, Geometry::Boxes(vec![cube]));
    /// # let model = parts.build(&Build::default())?;
    /// # let mut scene = Scene::new();
    /// # let red = scene.insert(&model, Spawn::default())?;
    /// # let blue = scene.insert(&model, Spawn::at(Isometry3::translation(0.9, 0.0, 0.0)))?;
    /// # let mut buffers = Buffers::new();
    /// # let now = scene.snapshot(&mut buffers);
    /// use boxwood::{Accuracy, Hits};
    ///
    /// let mut hits = Hits::new();
    /// let query = PairQuery::all().accuracy(Accuracy::Within(0.01));
    /// let report = now.contacts(&query, &mut hits)?;
    /// assert!(report.met && report.slack <= 0.01); // no reported pair is further apart
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn accuracy(mut self, accuracy: Accuracy) -> Self {
        self.accuracy = Some(accuracy);
        self
    }

    /// Parts that are no further apart than this count as touching, for
    /// [`Snapshot::intersects`](super::Snapshot::intersects) and
    /// [`Snapshot::pairs`](super::Snapshot::pairs). World units; 0 by default.
    ///
    /// None of them is missed, at any accuracy, and the [slack](super::Report::slack) is how much
    /// further apart than the margin a reported pair can be: by rounding only where the accuracy is
    /// [`Accuracy::Exact`]. What lies inside a solid is at no distance. Of one character within
    /// itself, the [model's own margin](crate::Model::margin) of two parts counts where it is more.
    /// Contacts refuse one: what is apart has a [distance](super::Snapshot::distance), no depth.
    ///
    /// ```
    /// # use boxwood::nalgebra::{Isometry3, Point3, Vector3};
    /// # use boxwood::{Buffers, Build, Geometry, Model, Obb, PairQuery, Scene, Spawn};
    /// # let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
    /// # let parts = Model::builder().part("cube", None, Geometry::Boxes(vec![cube]));
    /// # let model = parts.build(&Build::default())?;
    /// # let mut scene = Scene::new();
    /// # let red = scene.insert(&model, Spawn::default())?;
    /// # let blue = scene.insert(&model, Spawn::at(Isometry3::translation(3.0, 0.0, 0.0)))?;
    /// # let mut buffers = Buffers::new();
    /// # let now = scene.snapshot(&mut buffers);
    /// // Two unit cubes, 3 apart along x: a gap of 2.
    /// let mut scratch = boxwood::QueryScratch::new();
    /// let near = PairQuery::between(red, blue);
    /// assert!(now.intersects(&near.clone().margin(2.0), &mut scratch)?); // no further than that
    /// assert!(!now.intersects(&near.clone().margin(1.9), &mut scratch)?);
    /// assert!(now.intersects(&near.margin(f64::NAN), &mut scratch).is_err());
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn margin(mut self, margin: f64) -> Self {
        self.margin = margin;
        self
    }

    /// Refuses a margin that is not finite or is negative, and any for contacts.
    pub(super) fn check_margin(&self, contacts: bool) -> Result<(), Error> {
        check_margin(self.margin, 0)?;
        match contacts && self.margin > 0.0 {
            true => Err(Error::BadQuery { reason: "no contacts for a margin" }),
            false => Ok(()),
        }
    }

    /// For [`Snapshot::distance`](super::Snapshot::distance): no answer for parts further apart
    /// than this. World units; infinite by default. The smaller, the sooner the answer is found.
    ///
    /// ```
    /// # use boxwood::nalgebra::{Isometry3, Point3, Vector3};
    /// # use boxwood::{Buffers, Build, Geometry, Model, Obb, PairQuery, Scene, Spawn};
    /// # let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
    /// # let parts = Model::builder().part("cube", None, Geometry::Boxes(vec![cube]));
    /// # let model = parts.build(&Build::default())?;
    /// # let mut scene = Scene::new();
    /// # let red = scene.insert(&model, Spawn::default())?;
    /// # let blue = scene.insert(&model, Spawn::at(Isometry3::translation(3.0, 0.0, 0.0)))?;
    /// # let mut buffers = Buffers::new();
    /// # let now = scene.snapshot(&mut buffers);
    /// // Two unit cubes, 3 apart along x: a gap of 2.
    /// let mut scratch = boxwood::QueryScratch::new();
    /// let near = PairQuery::between(red, blue).max_distance(1.5);
    /// assert_eq!(now.distance(&near, &mut scratch)?, None);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn max_distance(mut self, max_distance: f64) -> Self {
        self.max_distance = max_distance;
        self
    }

    pub(super) fn chosen(&self) -> Chosen<'_> {
        let either_way = matches!(self.who, Who::All | Who::Within(_));
        let (parts, memberships) = (self.parts.as_ref(), self.memberships);
        Chosen { parts, memberships, predicate: self.predicate, either_way }
    }

    pub(super) fn has_predicate(&self) -> bool {
        self.predicate.is_some()
    }

    /// Whether an answer about parts of these groups names the second first.
    pub(super) fn swaps(&self, [a, b]: [CollisionGroups; 2]) -> bool {
        let attacks = |a, b| self.memberships.is_some_and(|of| are_members(of, [a, b]));
        self.attacker_first && !attacks(a, b) && attacks(b, a)
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
        if self.held && self.parts.is_some() {
            return Err(Error::BadQuery { reason: "chosen parts are those of one model" });
        }
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
