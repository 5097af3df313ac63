//! The filter of volume queries: which characters and parts, how accurately.

use crate::error::Error;
use crate::model::{CollisionGroups, PartId};
use crate::num::Scalar;
use crate::scene::excluded::Excluded;
use crate::scene::filter::PartPredicate;
use crate::scene::part_set::PartSet;
use crate::scene::{Character, CharacterKey, Detail, NodeRef, Snapshot};
use crate::tree::Accuracy;

/// Which hits a batch of volume queries reports.
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
/// use boxwood::{HitMode, QueryFilter, Ray, RayCast, RayHits};
///
/// let ray = Ray::through(Point3::new(-5.0, 0.0, 0.0), Point3::origin())?.expect("two points");
/// let (rays, mut hits) = ([RayCast::from(ray)], RayHits::new());
/// now.ray_cast_batch(&rays, HitMode::Closest, &QueryFilter::all(), &mut hits)?;
/// assert_eq!(hits.len(), 1);
/// now.ray_cast_batch(&rays, HitMode::All, &QueryFilter::all(), &mut hits)?;
/// assert_eq!(hits.len(), 2);
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HitMode {
    /// The closest hit of each ray; all of an overlap query.
    #[default]
    Closest,
    /// All hits.
    All,
    /// The first hit found, whichever that is: enough for yes or no.
    Any,
}

/// Which characters and parts a ray cast or an overlap query is about, in what detail, how
/// accurately.
///
/// ```
/// # use boxwood::{Accuracy, CharacterKey, PartId};
/// # use boxwood::scene::QueryFilter;
/// # fn head_shot(blue: CharacterKey, head: PartId) -> QueryFilter<'static> {
/// QueryFilter::of(blue).parts(&[head]).accuracy(Accuracy::Exact)
/// # }
/// ```
#[derive(Debug, Clone, Default)]
pub struct QueryFilter<'f> {
    predicate: Option<PartPredicate<'f>>,
    who: Option<CharacterKey>,
    parts: Option<PartSet>,
    groups: CollisionGroups,
    excluded: Excluded,
    pub(super) detail: Detail,
    accuracy: Option<Accuracy>,
}

impl<'f> QueryFilter<'f> {
    /// All characters of the scene.
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
    /// use boxwood::{Overlaps, QueryFilter, Sphere};
    ///
    /// let (mut inside, everywhere) = (Overlaps::new(), Sphere::new(Point3::origin(), 100.0)?);
    /// now.overlaps(everywhere, &QueryFilter::all(), &mut inside)?;
    /// assert_eq!(inside.len(), 2);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn all() -> Self {
        QueryFilter::default()
    }

    /// One character.
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
    /// use boxwood::{Overlaps, QueryFilter, Sphere};
    ///
    /// let (mut inside, everywhere) = (Overlaps::new(), Sphere::new(Point3::origin(), 100.0)?);
    /// now.overlaps(everywhere, &QueryFilter::of(blue), &mut inside)?;
    /// assert_eq!(inside.len(), 1);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn of(character: CharacterKey) -> Self {
        QueryFilter { who: Some(character), ..QueryFilter::default() }
    }

    /// Only these parts; for a query of all characters, of each that has them.
    pub fn parts(mut self, parts: &[PartId]) -> Self {
        self.parts = Some(PartSet::new(parts));
        self
    }

    /// The collision groups of the query, as a part has them: only parts that these
    /// [interact with](CollisionGroups::interacts_with).
    pub fn groups(mut self, groups: CollisionGroups) -> Self {
        self.groups = groups;
        self
    }

    /// As if these characters, beside those left out before, were not there: the one that shoots,
    /// say.
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
    /// use boxwood::{QueryFilter, Ray, RayHits};
    ///
    /// // Red shoots from inside its own cube, along x.
    /// let ray = Ray::through(Point3::origin(), Point3::new(1.0, 0.0, 0.0))?.expect("two points");
    /// let hit = now.ray_cast(ray, &QueryFilter::all().excluding(&[red]), &mut RayHits::new())?;
    /// assert_eq!(hit.map(|hit| hit.target.character), Some(blue));
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn excluding(mut self, characters: &[CharacterKey]) -> Self {
        self.excluded.add(characters);
        self
    }

    /// Only parts for which the predicate returns `true`, beside all else that is asked for: those
    /// of the other team, say.
    ///
    /// It is called once a ray or a shape comes to the world AABB of a part, never box by box, in
    /// no order to rely on and from any thread; so let it depend on nothing but the part. The node
    /// is the root. Of two predicates the last one counts.
    ///
    /// ```
    /// # use boxwood::{Error, NodeRef, QueryFilter, RayCast, RayHit, RayHits, Scene, Snapshot};
    /// # fn ask(scene: &Scene, now: &Snapshot, ray: RayCast, hits: &mut RayHits) -> Result<Option<RayHit>, Error> {
    /// let foe = |node: NodeRef| scene.user(node.character).unwrap_or_default() >> 32 != 1;
    /// now.ray_cast(ray, &QueryFilter::all().predicate(&foe), hits)
    /// # }
    /// ```
    pub fn predicate<'g>(self, predicate: &'g (dyn Fn(NodeRef) -> bool + Sync)) -> QueryFilter<'g>
    where
        'f: 'g,
    {
        QueryFilter { predicate: Some(PartPredicate(predicate)), ..self }
    }

    /// One answer a part (the default), or one a box.
    pub fn detail(mut self, detail: Detail) -> Self {
        self.detail = detail;
        self
    }

    /// How fine the boxes are that have to be met; by default the leaves, for distances
    /// [`Accuracy::Exact`].
    pub fn accuracy(mut self, accuracy: Accuracy) -> Self {
        self.accuracy = Some(accuracy);
        self
    }

    /// The one place among the characters, if it is one; refuses what can not be asked.
    #[inline]
    pub(in crate::scene) fn checked<T: Scalar>(
        &self,
        now: &Snapshot<'_, T>,
    ) -> Result<Option<u32>, Error> {
        let accuracy = self.overlap_accuracy();
        accuracy.check()?;
        if matches!(accuracy, Accuracy::Budget(_)) {
            return Err(Error::BadQuery { reason: "rays and regions take no budget" });
        }
        self.excluded.check(now.scene)?;
        let Some(key) = self.who else { return Ok(None) };
        let (place, character) = now.entry(key)?;
        if let Some(parts) = &self.parts {
            parts.check(&character.model)?;
        }
        Ok(Some(place))
    }

    /// How fine the boxes are that have to be met.
    #[inline(always)]
    pub(super) fn overlap_accuracy(&self) -> Accuracy {
        self.accuracy.unwrap_or_default()
    }

    /// Between what a distance is.
    pub(in crate::scene) fn distance_accuracy(&self) -> Accuracy {
        self.accuracy.unwrap_or(Accuracy::Exact)
    }

    pub(in crate::scene) fn excludes(&self, key: CharacterKey) -> bool {
        !self.excluded.is_empty() && self.excluded.holds(key)
    }

    /// Whether all parts of the character are included.
    pub(super) fn includes_all<T: Scalar>(&self, character: &Character<T>) -> bool {
        self.predicate.is_none() && self.parts.is_none() && self.meets_all(character)
    }

    /// Whether the part is included; `node` is its root.
    pub(in crate::scene) fn includes<T: Scalar>(
        &self,
        character: &Character<T>,
        part: PartId,
        node: impl Fn() -> NodeRef,
    ) -> bool {
        self.parts.as_ref().is_none_or(|parts| parts.contains(part))
            && (self.meets_all(character)
                || self.groups.interacts_with(character.groups[part.index()]))
            && self.predicate.is_none_or(|PartPredicate(keeps)| keeps(node()))
    }

    /// Whether no groups leave out a part of the character.
    fn meets_all<T: Scalar>(&self, character: &Character<T>) -> bool {
        character.grouped == 0 && self.groups == CollisionGroups::ALL
    }
}
