//! What characters and their parts are marked with: groups, and numbers of the caller's.

use super::{CharacterKey, Scene};
use crate::error::Error;
use crate::model::{CollisionGroups, Part, PartId};
use crate::num::Scalar;

impl<T: Scalar> Scene<T> {
    /// Says which parts a part of this character is tested against from now on: an arm that strikes is a hitbox in one tick and
    /// not in the next. Takes the place of what its model says.
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`], [`Error::IndexOutOfRange`].
    pub fn set_groups(
        &mut self,
        key: CharacterKey,
        part: PartId,
        groups: CollisionGroups,
    ) -> Result<(), Error> {
        let character = self.character_mut(key)?;
        character.model.check_part(part)?;
        let before = std::mem::replace(&mut character.groups[part.index()], groups);
        character.grouped -= usize::from(before != CollisionGroups::ALL);
        character.grouped += usize::from(groups != CollisionGroups::ALL);
        Ok(())
    }

    /// The groups of every part of a character.
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`].
    pub fn groups(&self, key: CharacterKey) -> Result<&[CollisionGroups], Error> {
        Ok(&self.character(key)?.groups)
    }

    /// Puts another number where [`Spawn::user`](super::Spawn::user) was: a team that has changed, say. No answer depends on it.
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`].
    pub fn set_user(&mut self, key: CharacterKey, user: u64) -> Result<(), Error> {
        self.character_mut(key)?.user = user;
        Ok(())
    }

    /// What [`Spawn::user`](super::Spawn::user) was when the character entered, or [`Scene::set_user`] has put there since.
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`].
    pub fn user(&self, key: CharacterKey) -> Result<u64, Error> {
        Ok(self.character(key)?.user)
    }

    /// A part of a character, as its model has it: its name, its [number](Part::user).
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`], [`Error::IndexOutOfRange`].
    pub fn part(&self, key: CharacterKey, part: PartId) -> Result<&Part<T>, Error> {
        let model = &self.character(key)?.model;
        model.check_part(part)?;
        Ok(&model.parts()[part.index()])
    }
}
