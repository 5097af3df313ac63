//! Scenes of characters, snapshots of them, and the queries of a snapshot.
//!
//! A [`Scene`] has the state: characters (instances of a [`Model`]) with poses, switches, collision
//! groups, attachments and ignored pairs. [`Scene::snapshot`] freezes one moment and computes world
//! AABBs in [`Buffers`]; every query is a method of [`Snapshot`], takes `&self`, and writes its
//! answers and scratch memory into a value of the caller.
//!
//! | question | method | query | answers |
//! |---|---|---|---|
//! | which pairs touch, where | [`intersects`], [`pairs`], [`contacts`] | [`PairQuery`] | [`Hits`] |
//! | distance, least translation, cast of a character | [`distance`], [`separation`], [`cast`] | [`PairQuery`] | returned |
//! | what a ray hits, what a shape overlaps | [`ray_cast`], [`overlaps`] | [`QueryFilter`] | [`QueryResults`] |
//! | what a moving shape hits, the parts nearest to a point | [`shape_cast`], [`closest_parts`] | [`QueryFilter`] | [`ShapeHit`], [`ClosestParts`] |
//!
//! # What to read first
//! 1. This file: [`Scene`], [`CharacterKey`], the private `Character`. `state`, `root`, `attach`
//!    and `ignored` change the state.
//! 2. `buffers` and `snapshot`: what a snapshot computes at once (world AABBs) and what the first
//!    query computes that needs it (broad phase, trees over the characters, exact part boxes).
//! 3. `pair_queries`, then `pair_search`: characters whose AABBs overlap, then parts, then the
//!    crate's narrow phase; `filter` decides which parts are tested.
//! 4. `distance`, `separation` and `shape_cast`: best-first searches over part pairs or parts.
//! 5. `volumes`: rays and shapes against the trees over the characters, then against part trees.
//!
//! A character has two numbers: its *slot* (key in the scene, stable) and its *index* in the sorted
//! entries of a snapshot. Answers sort by index, because the entries sort by [`Spawn::order`].
//!
//! [`intersects`]: Snapshot::intersects
//! [`pairs`]: Snapshot::pairs
//! [`contacts`]: Snapshot::contacts
//! [`distance`]: Snapshot::distance
//! [`separation`]: Snapshot::separation
//! [`cast`]: Snapshot::cast
//! [`ray_cast`]: Snapshot::ray_cast
//! [`overlaps`]: Snapshot::overlaps
//! [`shape_cast`]: Snapshot::shape_cast
//! [`closest_parts`]: Snapshot::closest_parts

mod aabb_pairs;
mod attach;
mod buffers;
mod characters;
mod clone;
mod closest;
mod detail;
mod distance;
mod entry;
mod excluded;
mod filter;
mod groups;
mod hit;
mod hits;
mod ignored;
mod intersection_curve;
#[cfg(feature = "serde")]
mod key_bits;
mod owned;
mod pair_queries;
mod pair_search;
mod part_aabb_pairs;
mod part_set;
mod part_transforms;
mod placement;
mod query;
mod root;
mod separation;
mod separation_scratch;
mod shape_cast;
mod snapshot;
mod stamps;
mod state;
#[cfg(feature = "rayon")]
mod threads;
mod volumes;
mod with_held;

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use slotmap::{DefaultKey, Key, KeyData, SecondaryMap};

pub use crate::tree::Report;
pub use attach::Attachment;
pub use buffers::Buffers;
pub use closest::{ClosestPart, ClosestParts};
pub use detail::Detail;
pub use hit::{Hit, NodeRef};
pub use hits::{Hits, QueryScratch};
pub use ignored::IgnoredSide;
pub use owned::OwnedSnapshot;
pub use query::PairQuery;
pub use shape_cast::ShapeHit;
pub use snapshot::Snapshot;
pub use volumes::{
    HitMode, Overlaps, QueryFilter, QueryResults, QueryShape, RayCast, RayHit, RayHits,
};

use self::attach::{Attachments, Follower};
use self::characters::Characters;
use self::ignored::IgnoredPairs;
use self::root::RootedJoints;
use crate::error::Error;
use crate::model::{CollisionGroups, Model, Part};
use crate::num::Scalar;
use crate::shape::Pose;

/// The key of a character in its scene. It is valid until the character is removed, and no other
/// character ever gets it.
///
/// With the feature `serde` a key is written with the number of its scene, which is meaningless in
/// another process: use [`CharacterKey::to_bits`] and [`Scene::key_from_bits`] there.
///
/// ```
/// # boxwood::fixture_scene!(model, scene, red, blue at 0.9);
/// assert_ne!(red, blue);
/// scene.remove(red)?;
/// assert_eq!(scene.model(red), Err(boxwood::Error::StaleKey)); // never another character
/// assert_eq!(Scene::new().model(blue), Err(boxwood::Error::ForeignKey));
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CharacterKey {
    #[cfg_attr(feature = "serde", serde(with = "key_bits"))]
    slot: DefaultKey,
    scene: u32,
}

impl CharacterKey {
    /// Returns the key as a number, for tables and messages of the caller. The number does not
    /// contain the scene. [`Scene::key_from_bits`] is the inverse.
    ///
    /// ```
    /// # use boxwood::{Build, Error, Geometry, Model, Obb, Scene, Spawn};
    /// # use boxwood::nalgebra::{Matrix3, Point3, Vector3};
    /// # let cube = Obb::new(Point3::origin(), Matrix3::identity(), Vector3::repeat(0.5))?;
    /// # let parts = Model::builder().part("a", None, Geometry::Boxes(vec![cube]));
    /// # let model = parts.build(&Build::default())?;
    /// let mut scene = Scene::new();
    /// let key = scene.insert(&model, Spawn::default())?;
    /// assert_eq!(scene.key_from_bits(key.to_bits()), Ok(key));
    /// scene.remove(key)?;
    /// assert_eq!(scene.key_from_bits(key.to_bits()), Err(Error::StaleKey));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn to_bits(self) -> u64 {
        self.slot.data().as_ffi()
    }
}

/// The options of a new character: root, order in answers, rest flag, user number.
///
/// ```
/// # use boxwood::{Spawn, nalgebra::Isometry3};
/// let spawn = Spawn::at(Isometry3::translation(2.0, 0.0, 0.0)).order(7).user(0xb1_0007);
/// assert_eq!(spawn.order, Some(7));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Spawn<T: Scalar> {
    /// The order of the character in all answers, unique in the scene: a net id, for example.
    /// `None` takes the count of inserts so far, or the next free number above. Answers depend on
    /// the order, not on keys or history.
    pub order: Option<u64>,
    /// Pose of the model's frame in the world; the parts start in their bind pose.
    pub at: Pose<T>,
    /// `true` if the character is at rest: two characters at rest are not tested against each
    /// other.
    pub at_rest: bool,
    /// A number of the caller, an id for example, that [`Scene::user`] returns. No answer depends
    /// on it.
    pub user: u64,
}

impl<T: Scalar> Default for Spawn<T> {
    fn default() -> Self {
        Spawn { order: None, at: Pose::identity(), at_rest: false, user: 0 }
    }
}

impl<T: Scalar> Spawn<T> {
    /// Returns the default options with this pose of the model's frame in the world.
    pub fn at(pose: Pose<T>) -> Self {
        Spawn { at: pose, ..Spawn::default() }
    }

    /// Sets the order in all answers, unique in the scene.
    pub fn order(mut self, order: u64) -> Self {
        self.order = Some(order);
        self
    }

    /// Sets the rest flag.
    pub fn at_rest(mut self, at_rest: bool) -> Self {
        self.at_rest = at_rest;
        self
    }

    /// Sets the user number.
    pub fn user(mut self, user: u64) -> Self {
        self.user = user;
        self
    }
}

/// A character: its model and all of its state.
#[derive(Debug)]
struct Character<T: Scalar> {
    model: Arc<Model<T>>,
    order: u64,
    poses: Vec<Pose<T>>,
    /// `true` if [`Scene::set_parts`] set the poses last, so that the [`RootedJoints`] are out of
    /// date.
    placed_by_parts: bool,
    enabled: Vec<bool>,
    groups: Vec<CollisionGroups>,
    /// Number of parts that are switched off.
    disabled: usize,
    /// Number of parts whose groups are not [`CollisionGroups::ALL`].
    grouped: usize,
    at_rest: bool,
    user: u64,
}

/// A set of characters and their state. The whole state is: poses, switches, groups, rest flags,
/// [attachments](Scene::attach) and [ignored pairs](Scene::set_ignored). With the same characters,
/// copying the state back is a rewind.
///
/// A clone is a copy of the state. Keys made before it are valid in both scenes. A key made
/// afterwards is valid only in the scene that made it; the other scene cannot always detect the
/// mistake.
///
/// ```
/// use boxwood::nalgebra::{Isometry3, Vector3};
/// use boxwood::{Build, Geometry, Model, Obb, Scene, Spawn};
///
/// let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
/// let parts = Model::builder().part("cube", None, Geometry::Boxes(vec![cube]));
/// let model = parts.build(&Build::default())?;
/// let mut scene = Scene::new(); // f32; boxwood::f64::Scene is double precision
/// let key = scene.insert(&model, Spawn::default())?;
/// let before = scene.poses(key)?.to_vec();
/// scene.set_root(key, &Isometry3::translation(0.0, 0.0, 5.0))?;
/// scene.set_parts(key, &before)?; // a rewind
/// assert_eq!(scene.pose(key, model.part("cube")?)?.translation.z, 0.0);
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug)]
pub struct Scene<T: Scalar> {
    id: u32,
    characters: Characters<T>,
    /// Separate from the characters, because queries do not read it.
    rooted_joints: SecondaryMap<DefaultKey, RootedJoints<T>>,
    attachments: Attachments<T>,
    ignored: IgnoredPairs,
    orders: HashSet<u64>,
    inserts: u64,
    /// The poses that [`Scene::set_joints`] composes before they are checked, and the attached
    /// characters that move along. No state: kept to save allocations.
    composed: Vec<Pose<T>>,
    followers: Vec<Follower<T>>,
}

impl<T: Scalar> Default for Scene<T> {
    fn default() -> Self {
        Scene::new()
    }
}

impl<T: Scalar> Scene<T> {
    /// Returns a scene without characters.
    pub fn new() -> Self {
        // Distinguishes keys of different scenes; no answer depends on it.
        static NEXT_ID: AtomicU32 = AtomicU32::new(0);
        Scene {
            id: NEXT_ID.fetch_add(1, Ordering::Relaxed),
            characters: Characters::new(),
            rooted_joints: SecondaryMap::new(),
            attachments: Attachments::default(),
            ignored: IgnoredPairs::default(),
            orders: HashSet::new(),
            inserts: 0,
            composed: Vec::new(),
            followers: Vec::new(),
        }
    }

    /// Returns the number of characters.
    pub fn len(&self) -> usize {
        self.characters.len()
    }

    /// Returns `true` if the scene has no characters.
    pub fn is_empty(&self) -> bool {
        self.characters.is_empty()
    }

    /// Adds a character in its bind pose.
    ///
    /// # Errors
    /// [`Error::DuplicateOrder`], and the errors of the pose [`Spawn::at`]; then nothing was added.
    ///
    /// ```
    /// # boxwood::fixture_model!(cube, model);
    /// let mut scene = Scene::new();
    /// let at = Isometry3::translation(2.0, 0.0, 0.0);
    /// let key = scene.insert(&model, Spawn::at(at).order(7).user(42))?;
    /// assert_eq!((scene.root(key)?, scene.user(key)?), (at, 42));
    /// assert!(scene.insert(&model, Spawn::default().order(7)).is_err()); // the order is taken
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn insert(
        &mut self,
        model: &Arc<Model<T>>,
        spawn: Spawn<T>,
    ) -> Result<CharacterKey, Error> {
        let bind = model.bind_poses();
        self.compose(&spawn.at, &bind)?;
        let order = match spawn.order {
            Some(order) if self.orders.contains(&order) => {
                return Err(Error::DuplicateOrder { order });
            }
            Some(order) => order,
            None => self.free_order(),
        };
        self.orders.insert(order);
        self.inserts += 1;
        let enabled = vec![true; model.len()];
        let (groups, grouped) = (model.parts().iter().map(Part::groups).collect(), model.grouped());
        let (model, at_rest, user) = (Arc::clone(model), spawn.at_rest, spawn.user);
        let slot = self.characters.insert(Character {
            model,
            order,
            poses: self.composed.clone(),
            placed_by_parts: false,
            enabled,
            disabled: 0,
            groups,
            grouped,
            at_rest,
            user,
        });
        self.rooted_joints.insert(slot, RootedJoints { root: spawn.at, joints: Vec::new() });
        Ok(CharacterKey { slot, scene: self.id })
    }

    /// Removes a character; its key is stale from now on. Characters [attached](Scene::attach) to
    /// it stay at their poses.
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`].
    pub fn remove(&mut self, key: CharacterKey) -> Result<(), Error> {
        let order = self.character(key)?.order;
        self.orders.remove(&order);
        self.remove_attachments(key.slot);
        self.ignored.remove_character(key.slot);
        self.characters.remove(key.slot);
        self.rooted_joints.remove(key.slot);
        Ok(())
    }

    /// Returns the keys of all characters, in no order to rely on; [`Snapshot::characters`] has the
    /// order of answers.
    ///
    /// ```
    /// # boxwood::fixture_scene!(model, scene, red, blue at 0.9);
    /// for key in scene.keys().collect::<Vec<_>>() {
    ///     scene.set_at_rest(key, true)?;
    /// }
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn keys(&self) -> impl Iterator<Item = CharacterKey> + Clone + '_ {
        self.characters.keys().map(|slot| CharacterKey { slot, scene: self.id })
    }

    /// Returns the key with these [bits](CharacterKey::to_bits), of this scene or of one it was
    /// cloned from.
    ///
    /// # Errors
    /// [`Error::StaleKey`] if no character has it.
    pub fn key_from_bits(&self, bits: u64) -> Result<CharacterKey, Error> {
        let key = CharacterKey { slot: KeyData::from_ffi(bits).into(), scene: self.id };
        // `KeyData` normalizes bits, so other bits may give the same key.
        if key.to_bits() != bits {
            return Err(Error::StaleKey);
        }
        self.character(key).map(|_| key)
    }

    /// Returns the model of a character.
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`].
    pub fn model(&self, key: CharacterKey) -> Result<&Arc<Model<T>>, Error> {
        Ok(&self.character(key)?.model)
    }

    /// Computes the world AABBs of all parts and returns the snapshot that queries take.
    ///
    /// `buffers` only save work and allocations. A character that has not changed since the last
    /// snapshot with the same buffers is not placed again, so a static world is placed once. After
    /// an insertion or removal this applies to the characters before it in the order of answers.
    ///
    /// What only some queries need (the broad phase, a tree over the characters) is computed by the
    /// first of them. For a snapshot that outlives the borrow of scene and buffers, see
    /// [`OwnedSnapshot`].
    ///
    /// ```
    /// # boxwood::fixture_scene!(model, scene, red, blue at 0.9);
    /// use boxwood::{Buffers, Hits};
    ///
    /// let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    /// for step in 0..3 {
    ///     scene.set_root(blue, &Isometry3::translation(0.5 * step as f32, 0.0, 0.0))?;
    ///     let now = scene.snapshot(&mut buffers); // one a frame, after the poses are set
    ///     now.pairs(&PairQuery::between(red, blue), &mut hits)?;
    ///     assert_eq!(hits.pairs().len(), 1); // at a distance of 1, too: touching counts
    /// }
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn snapshot<'a>(&'a self, buffers: &'a mut Buffers<T>) -> Snapshot<'a, T> {
        buffers::update(buffers, self);
        Snapshot::new(self, buffers)
    }

    fn character(&self, key: CharacterKey) -> Result<&Character<T>, Error> {
        // Builds the error only on the failing path.
        match self.characters.get(key.slot) {
            _ if key.scene != self.id => Err(Error::ForeignKey),
            Some(character) => Ok(character),
            None => Err(Error::StaleKey),
        }
    }

    /// Returns a character for a change: it gets a new stamp.
    fn character_mut(&mut self, key: CharacterKey) -> Result<&mut Character<T>, Error> {
        match key.scene == self.id {
            true => self.characters.get_mut(key.slot).ok_or(Error::StaleKey),
            false => Err(Error::ForeignKey),
        }
    }

    /// Returns the count of inserts, or the next free number above.
    fn free_order(&self) -> u64 {
        let mut order = self.inserts;
        while self.orders.contains(&order) {
            order = order.wrapping_add(1);
        }
        order
    }
}
