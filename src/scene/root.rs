//! The root of a character: its model's frame in the world, moved with the joints it had.

use slotmap::DefaultKey;

use super::{CharacterKey, Scene};
use crate::error::Error;
use crate::num::Scalar;
use crate::shape::Pose;

/// The root and the joints of a character, for [`Scene::set_root`].
#[derive(Debug, Clone)]
pub(super) struct Rooted<T: Scalar> {
    /// Where the model's frame was last put.
    pub root: Pose<T>,
    /// The joints in it; none stand for the bind pose.
    pub joints: Vec<Pose<T>>,
}

impl<T: Scalar> Rooted<T> {
    pub fn set(&mut self, root: &Pose<T>, joints: &[Pose<T>]) {
        self.root = *root;
        self.joints.clear();
        self.joints.extend_from_slice(joints);
    }
}

impl<T: Scalar> Scene<T> {
    /// Moves a character as a whole: its model's frame comes to be `at`, its joints stay. As
    /// [`Scene::set_joints`] with the joints it had, bit for bit: those last set, or the bind pose.
    ///
    /// After [`Scene::set_parts`] the poses given there count as joints of a model whose frame is
    /// the world's: so `at` then moves these.
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`], [`Error::Held`], [`Error::NotFinite`],
    /// [`Error::OutOfRange`], [`Error::NotUnit`], the last three also of a place that comes of it
    /// for what it [holds](Scene::attach); then no pose has changed.
    ///
    /// ```
    /// # use boxwood::nalgebra::{Isometry3, Point3, Vector3};
    /// # use boxwood::{Build, Geometry, Model, Obb, PairQuery, Scene, Spawn};
    /// # let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.5))?;
    /// # let parts = Model::builder().part("cube", None, Geometry::Boxes(vec![cube]));
    /// # let model = parts.build(&Build::default())?;
    /// # let mut scene = Scene::new();
    /// # let red = scene.insert(&model, Spawn::default())?;
    /// # let blue = scene.insert(&model, Spawn::at(Isometry3::translation(0.9, 0.0, 0.0)))?;
    /// scene.set_root(red, &Isometry3::translation(0.0, 0.0, 5.0))?;
    /// assert_eq!(scene.poses(red)?[0].translation.vector, Vector3::new(0.0, 0.0, 5.0));
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn set_root(&mut self, key: CharacterKey, at: &Pose<T>) -> Result<(), Error> {
        self.check_free(key)?;
        self.move_root(key.slot, at)
    }

    /// The same of one that may be held.
    pub(super) fn move_root(&mut self, slot: DefaultKey, at: &Pose<T>) -> Result<(), Error> {
        let (character, rooted) = (&self.characters[slot], &mut self.rooted[slot]);
        if character.placed_by_parts {
            rooted.set(&Pose::identity(), &character.poses);
        } else if rooted.joints.is_empty() {
            rooted.joints = character.model.bind_poses();
        }
        let joints = std::mem::take(&mut rooted.joints);
        let composed = self.compose(at, &joints).and_then(|()| self.follow(slot));
        self.characters[slot].placed_by_parts = false;
        self.rooted[slot].joints = joints;
        if composed.is_ok() {
            self.take_composed(slot);
            self.rooted[slot].root = *at;
        }
        composed
    }

    /// Where the model's frame was last put by [`Scene::insert`], [`Scene::set_joints`] or
    /// [`Scene::set_root`]; the world's frame after [`Scene::set_parts`].
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`].
    pub fn root(&self, key: CharacterKey) -> Result<Pose<T>, Error> {
        Ok(match self.character(key)?.placed_by_parts {
            true => Pose::identity(),
            false => self.rooted[key.slot].root,
        })
    }
}
