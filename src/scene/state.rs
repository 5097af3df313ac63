//! What a character is in: its poses, what is switched off, whether it is at rest. Read, and written.

use super::{CharacterKey, Scene};
use crate::error::Error;
use crate::model::PartId;
use crate::num::Scalar;
use crate::shape::{Pose, check_poses};

impl<T: Scalar> Scene<T> {
    /// Moves a character: `at` places the model in the world, `joints` the joints in the model, one for every
    /// part (as a clip's samples are).
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`], [`Error::WrongCount`], [`Error::NotFinite`], [`Error::OutOfRange`],
    /// [`Error::NotUnit`]; then no pose has changed.
    pub fn set_joints(
        &mut self,
        key: CharacterKey,
        at: &Pose<T>,
        joints: &[Pose<T>],
    ) -> Result<(), Error> {
        self.character(key)?.model.check_part_poses(joints)?;
        check_poses(std::slice::from_ref(at), "place")?;
        // Composed once, beside the poses: a wrong one among them changes nothing.
        self.composed.clear();
        self.composed.extend_from_slice(joints);
        for pose in &mut self.composed {
            *pose = at * *pose;
        }
        check_poses(&self.composed, "place of pose")?;
        self.characters[key.slot].poses.copy_from_slice(&self.composed);
        Ok(())
    }

    /// Moves a character: one pose for every part, part to world.
    ///
    /// # Errors
    /// As [`Scene::set_joints`]; then no pose has changed.
    pub fn set_parts(&mut self, key: CharacterKey, poses: &[Pose<T>]) -> Result<(), Error> {
        let character = self.character_mut(key)?;
        character.model.check_part_poses(poses)?;
        character.poses.copy_from_slice(poses);
        Ok(())
    }

    /// Switches a part on or off. Off, it touches nothing.
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`], [`Error::IndexOutOfRange`].
    pub fn set_part_enabled(
        &mut self,
        key: CharacterKey,
        part: PartId,
        enabled: bool,
    ) -> Result<(), Error> {
        let character = self.character_mut(key)?;
        character.model.check_part(part)?;
        character.enabled[part.index()] = enabled;
        Ok(())
    }

    /// Says whether a character is at rest: two at rest are not tested against each other. Never guessed.
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`].
    pub fn set_at_rest(&mut self, key: CharacterKey, at_rest: bool) -> Result<(), Error> {
        self.character_mut(key)?.at_rest = at_rest;
        Ok(())
    }

    /// The poses of a character, part to world: its state, to be copied and handed back to
    /// [`Scene::set_parts`].
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`].
    pub fn poses(&self, key: CharacterKey) -> Result<&[Pose<T>], Error> {
        Ok(&self.character(key)?.poses)
    }

    /// The pose of one part, part to world.
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`], [`Error::IndexOutOfRange`].
    pub fn pose(&self, key: CharacterKey, part: PartId) -> Result<&Pose<T>, Error> {
        let character = self.character(key)?;
        character.model.check_part(part)?;
        Ok(&character.poses[part.index()])
    }
}
