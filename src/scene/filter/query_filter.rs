//! The filter of volume queries: characters, parts, detail, accuracy.

use super::answer_options::AnswerOptions;
use super::pair_filter::PartPredicate;
use super::part_set::PartSet;
use crate::error::Error;
use crate::model::{CollisionGroups, PartId};
use crate::num::Scalar;
use crate::scene::state::character::Character;
use crate::scene::{CharacterKey, Detail, NodeRef, Snapshot};
use crate::tree::Accuracy;

/// The hits that a batch of volume queries reports.
///
/// ```
/// # boxwood::fixture_snapshot!(model, scene, red, blue at 0.9, buffers, now);
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
#[non_exhaustive]
pub enum HitMode {
    /// The closest hit of each ray; all hits of an overlap query.
    #[default]
    Closest,
    /// All hits.
    All,
    /// The first hit found, whichever that is: enough for yes or no.
    Any,
}

/// The characters and parts that a ray cast or an overlap query tests, the detail and the accuracy.
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
    character: Option<CharacterKey>,
    parts: Option<PartSet>,
    groups: CollisionGroups,
    pub(in crate::scene) options: AnswerOptions,
}

impl<'f> QueryFilter<'f> {
    /// Selects all characters of the scene.
    pub fn all() -> Self {
        QueryFilter::default()
    }

    /// Selects one character.
    pub fn of(character: CharacterKey) -> Self {
        QueryFilter { character: Some(character), ..QueryFilter::default() }
    }

    /// Restricts the query to these parts; of all characters that have them, if it selects all.
    pub fn parts(mut self, parts: &[PartId]) -> Self {
        self.parts = Some(PartSet::new(parts));
        self
    }

    /// Sets the collision groups of the query, like those of a part: it tests only parts whose
    /// groups [interact](CollisionGroups::interacts_with) with them.
    pub fn groups(mut self, groups: CollisionGroups) -> Self {
        self.groups = groups;
        self
    }

    /// Excludes these characters, the shooter for example, in addition to those excluded before.
    pub fn excluding(mut self, characters: &[CharacterKey]) -> Self {
        self.options.excluded.add(characters);
        self
    }

    /// Restricts the query to parts for which the predicate returns `true`, in addition to all
    /// other conditions: those of the other team, for example.
    ///
    /// The predicate is called once per part whose world AABB the ray or shape may touch, in no
    /// order to rely on and from any thread; so it must depend on nothing but the part. The node is
    /// the root. The last predicate replaces earlier ones.
    ///
    /// ```
    /// # use boxwood::{Error, NodeRef, QueryFilter, RayCast, RayHit, RayHits, Scene, Snapshot};
    /// # type Hit = Result<Option<RayHit<f32, NodeRef>>, Error>;
    /// # fn ask(scene: &Scene, now: &Snapshot, ray: RayCast, hits: &mut RayHits) -> Hit {
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

    /// Sets the detail: one answer a part (the default), or one a box.
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

    /// Checks the filter; returns the index of the only character, if the filter names one.
    #[inline]
    pub(in crate::scene) fn check<T: Scalar>(
        &self,
        now: &Snapshot<'_, T>,
    ) -> Result<Option<u32>, Error> {
        let accuracy = self.options.overlap_accuracy();
        accuracy.check()?;
        if matches!(accuracy, Accuracy::Budget(_)) {
            return Err(Error::BadQuery { reason: "rays and regions do not support a budget" });
        }
        self.options.excluded.check(now.scene)?;
        let Some(key) = self.character else { return Ok(None) };
        let (index, character) = now.find_character(key)?;
        if let Some(parts) = &self.parts {
            parts.check(&character.model)?;
        }
        Ok(Some(index))
    }

    /// Returns `true` if no part of the character is included, by its key or its groups.
    #[inline]
    pub(in crate::scene) fn rejects_all<T: Scalar>(
        &self,
        key: CharacterKey,
        character: &Character<T>,
    ) -> bool {
        let excluded = &self.options.excluded;
        !excluded.is_empty() && excluded.contains(key)
            || !self.groups.interacts_with(character.joint_groups)
    }

    /// Returns `true` if all parts of the character are included.
    pub(in crate::scene) fn includes_all<T: Scalar>(&self, character: &Character<T>) -> bool {
        self.predicate.is_none() && self.parts.is_none() && self.groups_accept_all(character)
    }

    /// Returns `true` if the part is included; `node` is its root.
    pub(in crate::scene) fn includes<T: Scalar>(
        &self,
        character: &Character<T>,
        part: PartId,
        node: impl Fn() -> NodeRef,
    ) -> bool {
        self.parts.as_ref().is_none_or(|parts| parts.contains(part))
            && (self.groups_accept_all(character)
                || self.groups.interacts_with(character.groups()[part.index()]))
            && self.predicate.is_none_or(|PartPredicate(keeps)| keeps(node()))
    }

    /// Returns `true` if no part of the character is rejected by its groups.
    fn groups_accept_all<T: Scalar>(&self, character: &Character<T>) -> bool {
        character.grouped == 0 && self.groups == CollisionGroups::ALL
    }
}
