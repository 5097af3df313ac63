//! Collision groups of parts, and user numbers of characters.

use crate::error::Error;
use crate::model::{CollisionGroups, Part, PartId};
use crate::num::Scalar;
use crate::scene::{CharacterKey, Scene};

impl<T: Scalar> Scene<T> {
    /// Sets the collision groups of a part of this character, in place of those of its model: an
    /// arm that strikes is a hitbox in one tick and not in the next.
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`], [`Error::IndexOutOfRange`].
    ///
    /// ```
    /// # boxwood::fixture_scene!(model, scene, red, blue at 0.9);
    /// use boxwood::CollisionGroups;
    ///
    /// const SWORD: u64 = 1;
    /// const BODY: u64 = 2;
    /// // A sword in this tick: tested against bodies only.
    /// let blade = CollisionGroups { memberships: SWORD, filter: BODY };
    /// scene.set_groups(red, model.part("cube")?, blade)?;
    /// assert_eq!(scene.groups(red)?, [blade]);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn set_groups(
        &mut self,
        key: CharacterKey,
        part: PartId,
        groups: CollisionGroups,
    ) -> Result<(), Error> {
        let character = self.character_mut(key)?;
        character.model.check_part(part)?;
        let before = std::mem::replace(&mut character.groups_mut()[part.index()], groups);
        character.grouped -= usize::from(before != CollisionGroups::ALL);
        character.grouped += usize::from(groups != CollisionGroups::ALL);
        if before != groups {
            character.joint_groups = CollisionGroups::joint(character.groups());
        }
        Ok(())
    }

    /// Sets the collision groups of every part of a character.
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`].
    ///
    pub fn set_all_groups(
        &mut self,
        key: CharacterKey,
        groups: CollisionGroups,
    ) -> Result<(), Error> {
        let character = self.character_mut(key)?;
        character.groups_mut().fill(groups);
        let grouped = groups != CollisionGroups::ALL;
        character.grouped = if grouped { character.model.len() } else { 0 };
        character.joint_groups = CollisionGroups::joint(character.groups());
        Ok(())
    }

    /// Returns the collision groups of every part of a character.
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`].
    pub fn groups(&self, key: CharacterKey) -> Result<&[CollisionGroups], Error> {
        Ok(self.character(key)?.groups())
    }

    /// Sets the user number of a character, its team for example; initially
    /// [`Spawn::user`](crate::scene::Spawn::user). No answer depends on it.
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`].
    pub fn set_user(&mut self, key: CharacterKey, user: u64) -> Result<(), Error> {
        self.character_mut(key)?.user = user;
        Ok(())
    }

    /// Returns the user number of a character: [`Spawn::user`](crate::scene::Spawn::user), or the
    /// last one from [`Scene::set_user`].
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`].
    pub fn user(&self, key: CharacterKey) -> Result<u64, Error> {
        Ok(self.character(key)?.user)
    }

    /// Returns a part of a character's model, with its name and [user number](Part::user).
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`], [`Error::IndexOutOfRange`].
    pub fn part(&self, key: CharacterKey, part: PartId) -> Result<&Part<T>, Error> {
        let model = &self.character(key)?.model;
        model.check_part(part)?;
        Ok(&model.parts()[part.index()])
    }
}
