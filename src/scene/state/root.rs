//! The root of a character: the pose of its model's frame, which its joints follow.

use slotmap::DefaultKey;

use crate::error::Error;
use crate::num::Scalar;
use crate::scene::{CharacterKey, Scene};
use crate::shape::Pose;

impl<T: Scalar> Scene<T> {
    /// Moves a character as a whole: sets the pose of its model's frame in the world; its joints
    /// stay. Like [`Scene::set_joints`] with the current joints, bit for bit: those last set, or
    /// the bind pose.
    ///
    /// After [`Scene::set_parts`] those poses count as joints of a model whose frame is the
    /// world's, and `at` moves them.
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`], [`Error::Held`], [`Error::NotFinite`],
    /// [`Error::OutOfRange`], [`Error::NotUnit`], the last three also for the resulting poses and
    /// for the characters [attached](Scene::attach) to it; then no pose has changed.
    pub fn set_root(&mut self, key: CharacterKey, at: &Pose<T>) -> Result<(), Error> {
        self.check_not_attached(key)?;
        self.move_root(key.slot, at)
    }

    /// Like [`Scene::set_root`], for a character that may be attached.
    pub(in crate::scene) fn move_root(
        &mut self,
        slot: DefaultKey,
        at: &Pose<T>,
    ) -> Result<(), Error> {
        let (character, rooted) = (&self.characters[slot], &mut self.rooted_joints[slot]);
        if character.placed_by_parts {
            rooted.set(&Pose::identity(), &character.poses);
        } else if rooted.joints.is_empty() {
            rooted.joints = character.model.bind_poses();
        }
        let joints = std::mem::take(&mut rooted.joints);
        let composed = self.compose(at, &joints).and_then(|()| self.compose_followers(slot));
        self.characters[slot].placed_by_parts = false;
        self.rooted_joints[slot].joints = joints;
        if composed.is_ok() {
            self.apply_composed(slot);
            self.rooted_joints[slot].root = *at;
        }
        composed
    }

    /// Returns the root last set by [`Scene::insert`], [`Scene::set_joints`] or
    /// [`Scene::set_root`]; the identity after [`Scene::set_parts`].
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`].
    pub fn root(&self, key: CharacterKey) -> Result<Pose<T>, Error> {
        Ok(match self.character(key)?.placed_by_parts {
            true => Pose::identity(),
            false => self.rooted_joints[key.slot].root,
        })
    }
}
