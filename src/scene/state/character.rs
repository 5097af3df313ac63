//! Characters of a scene: keys, states, spawning.

use std::sync::Arc;

use slotmap::{DefaultKey, Key};

use super::pose_pool::PosePool;
use crate::error::Error;
use crate::model::{CollisionGroups, Model};
use crate::num::Scalar;
use crate::shape::{Pose, are_composable, check_poses};

/// The key of a character in its scene. It is valid until the character is removed, and no other
/// character ever gets it.
///
/// With the feature `serde` a key is written with the number of its scene, which is meaningless in
/// another process: use [`CharacterKey::to_bits`] and
/// [`Scene::key_from_bits`](crate::scene::Scene::key_from_bits) there.
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
    #[cfg_attr(feature = "serde", serde(with = "super::key_bits"))]
    pub(in crate::scene) slot: DefaultKey,
    pub(in crate::scene) scene: u32,
}

impl CharacterKey {
    /// Returns the key as a number, for tables and messages of the caller. The number does not
    /// contain the scene. [`Scene::key_from_bits`](crate::scene::Scene::key_from_bits) is the
    /// inverse.
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
    /// A number of the caller, an id for example, that [`Scene::user`](crate::scene::Scene::user)
    /// returns. No answer depends on it.
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

/// A character: its model and all of its state. What queries read of every character comes first.
#[derive(Debug)]
pub(in crate::scene) struct Character<T: Scalar> {
    pub(in crate::scene) model: Arc<Model<T>>,
    pub(in crate::scene) poses: Vec<Pose<T>>,
    pub(in crate::scene) order: u64,
    /// The groups of all parts together: what does not interact with these interacts with no part.
    pub(in crate::scene) joint_groups: CollisionGroups,
    /// Number of parts that are switched off.
    pub(in crate::scene) disabled: usize,
    /// Number of parts whose groups are not [`CollisionGroups::ALL`].
    pub(in crate::scene) grouped: usize,
    /// Switches of the parts; empty if none was ever switched off.
    pub(in crate::scene) enabled: Vec<bool>,
    /// Groups of the parts; empty if they are those of the model.
    pub(super) own_groups: Vec<CollisionGroups>,
    /// Joints last set, in the model's frame; empty for the bind pose.
    pub(super) joints: Vec<Pose<T>>,
    /// Last pose of the model's frame [world frame].
    pub(super) root: Pose<T>,
    /// `true` if the joints pass [`are_composable`] with any root that does.
    pub(super) has_composable_joints: bool,
    /// `true` if [`Scene::set_parts`](crate::scene::Scene::set_parts) set the poses last, so that
    /// root and joints are out of date.
    pub(super) placed_by_parts: bool,
    pub(in crate::scene) at_rest: bool,
    pub(in crate::scene) user: u64,
}

impl<T: Scalar> Character<T> {
    /// Returns the groups of the parts.
    #[inline]
    pub(in crate::scene) fn groups(&self) -> &[CollisionGroups] {
        match self.own_groups.is_empty() {
            true => &self.model.defaults().groups,
            false => &self.own_groups,
        }
    }

    /// Returns the groups of the parts for a change.
    pub(super) fn groups_mut(&mut self) -> &mut Vec<CollisionGroups> {
        if self.own_groups.is_empty() {
            self.own_groups.extend_from_slice(&self.model.defaults().groups);
        }
        &mut self.own_groups
    }

    /// Returns the joints last set, or the bind pose.
    pub(super) fn joints(&self) -> &[Pose<T>] {
        joints_or_bind(&self.joints, &self.model)
    }

    /// Composes a root and joints that [`are_composable`] into the poses, and keeps the root. The
    /// joints are stored by the caller.
    #[inline]
    pub(super) fn compose(&mut self, root: &Pose<T>, joints: &[Pose<T>]) {
        compose_into(&mut self.poses, root, joints);
        (self.root, self.placed_by_parts) = (*root, false);
    }

    /// Like [`Character::compose`], with the joints of the character.
    pub(super) fn compose_own(&mut self, root: &Pose<T>) {
        compose_into(&mut self.poses, root, joints_or_bind(&self.joints, &self.model));
        self.root = *root;
    }

    /// Takes the poses for joints of a model whose frame is the world's.
    pub(super) fn keep_poses_as_joints(&mut self, pool: &mut PosePool<T>) {
        let poses = std::mem::take(&mut self.poses);
        self.keep_joints(&poses, pool);
        self.has_composable_joints = are_composable(&Pose::identity(), &poses);
        (self.poses, self.root, self.placed_by_parts) = (poses, Pose::identity(), false);
    }

    /// Stores the joints of the current poses.
    #[inline]
    pub(super) fn keep_joints(&mut self, joints: &[Pose<T>], pool: &mut PosePool<T>) {
        if self.joints.capacity() < joints.len() {
            let larger = pool.acquire(joints.len());
            pool.release(std::mem::replace(&mut self.joints, larger));
        }
        copy_poses(&mut self.joints, joints);
    }
}

/// Returns joints, or the bind pose of the model for none.
fn joints_or_bind<'c, T: Scalar>(joints: &'c [Pose<T>], model: &'c Model<T>) -> &'c [Pose<T>] {
    match joints.is_empty() {
        true => &model.defaults().bind,
        false => joints,
    }
}

/// Replaces poses by copies of others.
///
/// Copies memory. `extend_from_slice`, `extend` and `clone` copy a pose of nalgebra through the
/// stack, and read it back in other pieces than it was written, which takes ten times as long.
#[inline]
pub(super) fn copy_poses<T: Scalar>(poses: &mut Vec<Pose<T>>, others: &[Pose<T>]) {
    if poses.len() != others.len() {
        poses.clear();
        poses.resize(others.len(), Pose::identity());
    }
    poses.copy_from_slice(others);
}

/// Replaces poses by the products of a root and joints, and checks them and the root.
pub(super) fn compose_checked<T: Scalar>(
    poses: &mut Vec<Pose<T>>,
    root: &Pose<T>,
    joints: &[Pose<T>],
) -> Result<(), Error> {
    check_poses(std::slice::from_ref(root), "place")?;
    compose_into(poses, root, joints);
    check_poses(poses, "place of pose")
}

/// Replaces poses by the products of a root and joints.
#[inline]
pub(super) fn compose_into<T: Scalar>(
    poses: &mut Vec<Pose<T>>,
    root: &Pose<T>,
    joints: &[Pose<T>],
) {
    // Written once, and copied from nowhere: the root is read from registers, and no store is read
    // back.
    let root = *root;
    poses.clear();
    poses.extend(joints.iter().map(|joint| root * joint));
}
