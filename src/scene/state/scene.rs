//! The scene: characters and their changes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use slotmap::KeyData;

use super::attachments::{Attachments, Follower};
use super::character::{Character, compose_into};
use super::characters::Characters;
use super::orders::Orders;
use super::pose_pool::PosePool;
use crate::error::Error;
use crate::model::Model;
use crate::num::Scalar;
use crate::scene::filter::ignored::IgnoredPairs;
use crate::scene::{CharacterKey, Spawn};
use crate::shape::{Pose, are_composable};

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
    pub(in crate::scene) id: u32,
    pub(in crate::scene) characters: Characters<T>,
    pub(in crate::scene) attachments: Attachments<T>,
    pub(in crate::scene) ignored: IgnoredPairs,
    pub(in crate::scene) orders: Orders,
    pub(in crate::scene) inserts: u64,
    /// The poses that are composed before they are checked, and the attached characters that move
    /// along. No state: kept to save allocations.
    pub(in crate::scene) composed: Vec<Pose<T>>,
    pub(in crate::scene) followers: Vec<Follower<T>>,
    pub(super) pool: PosePool<T>,
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
            attachments: Attachments::default(),
            ignored: IgnoredPairs::default(),
            orders: Orders::new(),
            inserts: 0,
            composed: Vec::new(),
            followers: Vec::new(),
            pool: PosePool::new(),
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
        let defaults = model.defaults();
        if !(defaults.is_composable && are_composable(&spawn.at, &[])) {
            self.compose(&spawn.at, &defaults.bind)?;
        }
        let order = spawn.order.unwrap_or_else(|| self.orders.next_free(self.inserts));
        let Scene { characters, pool, .. } = self;
        let slot = self.orders.insert(order, || {
            let mut poses = pool.acquire(model.len());
            compose_into(&mut poses, &spawn.at, &defaults.bind);
            characters.insert(Character {
                model: Arc::clone(model),
                poses,
                order,
                joint_groups: defaults.joint_groups,
                disabled: 0,
                grouped: defaults.grouped,
                enabled: Vec::new(),
                own_groups: Vec::new(),
                joints: Vec::new(),
                root: spawn.at,
                has_composable_joints: defaults.is_composable,
                placed_by_parts: false,
                at_rest: spawn.at_rest,
                user: spawn.user,
            })
        });
        let slot = slot.ok_or(Error::DuplicateOrder { order })?;
        self.inserts += 1;
        Ok(CharacterKey { slot, scene: self.id })
    }

    /// Removes a character; its key is stale from now on. Characters [attached](Scene::attach) to
    /// it stay at their poses. The scene keeps the storage of its poses for new characters with as
    /// many parts.
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`].
    pub fn remove(&mut self, key: CharacterKey) -> Result<(), Error> {
        self.character(key)?;
        if !self.attachments.is_empty() {
            self.remove_attachments(key.slot);
        }
        if !self.ignored.is_empty() {
            self.ignored.remove_character(key.slot);
        }
        if let Some(Character { order, poses, joints, .. }) = self.characters.remove(key.slot) {
            self.orders.remove(order);
            self.pool.release(poses);
            self.pool.release(joints);
        }
        Ok(())
    }

    /// Returns the keys of all characters, in no order to rely on;
    /// [`Snapshot::characters`](crate::scene::Snapshot::characters) has the order of answers.
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

    /// Returns the order of a character: the number by which answers are sorted, given by
    /// [`Spawn::order`] or by [`Scene::insert`]. Unlike the key it means the same in another
    /// process.
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`].
    ///
    /// ```
    /// # boxwood::fixture_model!(cube, model);
    /// let mut scene = Scene::new();
    /// let key = scene.insert(&model, Spawn::default().order(7))?;
    /// assert_eq!(scene.order(key)?, 7);
    /// assert_eq!(scene.key_of_order(7), Some(key));
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn order(&self, key: CharacterKey) -> Result<u64, Error> {
        Ok(self.character(key)?.order)
    }

    /// Returns the key of the character with this [order](Scene::order); `None` if no character
    /// has it.
    ///
    /// ```
    /// # boxwood::fixture_model!(cube, model);
    /// let mut scene = Scene::new();
    /// let key = scene.insert(&model, Spawn::default().order(7))?; // a net id
    /// assert_eq!(scene.key_of_order(7), Some(key));
    /// scene.remove(key)?;
    /// assert_eq!(scene.key_of_order(7), None);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn key_of_order(&self, order: u64) -> Option<CharacterKey> {
        self.orders.get(order).map(|slot| CharacterKey { slot, scene: self.id })
    }

    pub(in crate::scene) fn character(&self, key: CharacterKey) -> Result<&Character<T>, Error> {
        // Builds the error only on the failing path.
        match self.characters.get(key.slot) {
            _ if key.scene != self.id => Err(Error::ForeignKey),
            Some(character) => Ok(character),
            None => Err(Error::StaleKey),
        }
    }

    /// Returns a character for a change: it gets a new stamp.
    pub(in crate::scene) fn character_mut(
        &mut self,
        key: CharacterKey,
    ) -> Result<&mut Character<T>, Error> {
        match key.scene == self.id {
            true => self.characters.get_mut(key.slot).ok_or(Error::StaleKey),
            false => Err(Error::ForeignKey),
        }
    }
}
