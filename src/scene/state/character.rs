//! Characters of a scene: keys, states, spawning.

use std::sync::Arc;

use slotmap::{DefaultKey, Key};

use crate::model::{CollisionGroups, Model};
use crate::num::Scalar;
use crate::shape::Pose;

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

/// A character: its model and all of its state.
#[derive(Debug)]
pub(in crate::scene) struct Character<T: Scalar> {
    pub(in crate::scene) model: Arc<Model<T>>,
    pub(in crate::scene) order: u64,
    pub(in crate::scene) poses: Vec<Pose<T>>,
    /// `true` if [`Scene::set_parts`] set the poses last, so that the [`RootedJoints`] are out of
    /// date.
    pub(in crate::scene) placed_by_parts: bool,
    pub(in crate::scene) enabled: Vec<bool>,
    pub(in crate::scene) groups: Vec<CollisionGroups>,
    /// Number of parts that are switched off.
    pub(in crate::scene) disabled: usize,
    /// Number of parts whose groups are not [`CollisionGroups::ALL`].
    pub(in crate::scene) grouped: usize,
    /// The groups of all parts together: what does not interact with these interacts with no part.
    pub(in crate::scene) joint_groups: CollisionGroups,
    pub(in crate::scene) at_rest: bool,
    pub(in crate::scene) user: u64,
}

/// The root and the joints of a character, for [`Scene::set_root`].
#[derive(Debug, Clone)]
pub(in crate::scene) struct RootedJoints<T: Scalar> {
    /// Last pose of the model's frame [world frame].
    pub root: Pose<T>,
    /// Joints in the model's frame; empty for the bind pose.
    pub joints: Vec<Pose<T>>,
}

impl<T: Scalar> RootedJoints<T> {
    pub fn set(&mut self, root: &Pose<T>, joints: &[Pose<T>]) {
        self.root = *root;
        self.joints.clear();
        self.joints.extend_from_slice(joints);
    }
}
