//! The root of a character: the pose of its model's frame, which its joints follow.

use slotmap::DefaultKey;

use super::character::compose_checked;
use crate::error::Error;
use crate::num::Scalar;
use crate::scene::{CharacterKey, Scene};
use crate::shape::{Pose, are_composable};

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
        if self.characters[slot].placed_by_parts {
            self.characters[slot].keep_poses_as_joints(&mut self.pool);
        }
        let has_composable_joints = self.characters[slot].has_composable_joints;
        if has_composable_joints && are_composable(at, &[]) && !self.attachments.has_held(slot) {
            self.characters[slot].compose_own(at);
            return Ok(());
        }
        let Scene { characters, composed, .. } = self;
        compose_checked(composed, at, characters[slot].joints())?;
        self.compose_followers(slot)?;
        self.apply_composed(slot, at);
        Ok(())
    }

    /// Returns the root last set by [`Scene::insert`], [`Scene::set_joints`] or
    /// [`Scene::set_root`]; the identity after [`Scene::set_parts`].
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`].
    pub fn root(&self, key: CharacterKey) -> Result<Pose<T>, Error> {
        Ok(match self.character(key)?.placed_by_parts {
            true => Pose::identity(),
            false => self.character(key)?.root,
        })
    }
}
