//! The state of a character: poses, enabled parts, rest flag.

use slotmap::DefaultKey;

use super::character::{Character, compose_checked, copy_poses};
use crate::error::Error;
use crate::model::PartId;
use crate::num::Scalar;
use crate::scene::{CharacterKey, Scene};
use crate::shape::{Pose, are_composable};

impl<T: Scalar> Character<T> {
    /// Copies a root and the first poses, one for each part, and marks them as placed by joints.
    pub(super) fn set_poses_by_joints(&mut self, root: &Pose<T>, poses: &[Pose<T>]) {
        let len = self.poses.len();
        self.poses.copy_from_slice(&poses[..len]);
        (self.root, self.placed_by_parts) = (*root, false);
    }
}

impl<T: Scalar> Scene<T> {
    /// Moves a character: `at` is the pose of the model in the world, `joints` the poses of the
    /// joints in the model, one for every part (as a clip's samples are).
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`], [`Error::Held`], [`Error::WrongCount`],
    /// [`Error::NotFinite`], [`Error::OutOfRange`], [`Error::NotUnit`], the last three also for the
    /// resulting poses and for the characters attached to it; then no pose has changed.
    ///
    /// ```
    /// # boxwood::fixture_scene!(model, scene, red, blue at 0.9);
    /// let mut joints = model.bind_poses(); // of a clip: `clip.sample(time, &mut buffers.joints)?`
    /// joints[0].translation.vector.y = 1.0;
    /// scene.set_joints(red, &Isometry3::translation(0.0, 0.0, 5.0), &joints)?;
    /// assert_eq!(scene.poses(red)?[0].translation.vector, Vector3::new(0.0, 1.0, 5.0));
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn set_joints(
        &mut self,
        key: CharacterKey,
        at: &Pose<T>,
        joints: &[Pose<T>],
    ) -> Result<(), Error> {
        self.check_not_attached(key)?;
        let model = &self.character(key)?.model;
        model.check_pose_count(joints.len())?;
        // Poses that are surely valid are composed in place, without a copy to be checked.
        let are_composable = are_composable(at, joints);
        if are_composable && !self.attachments.has_held(key.slot) {
            let character = &mut self.characters[key.slot];
            character.compose(at, joints);
            character.keep_joints(joints, &mut self.pool);
            character.has_composable_joints = true;
            return Ok(());
        }
        model.check_part_poses(joints)?;
        self.compose(at, joints)?;
        self.compose_followers(key.slot)?;
        self.apply_composed(key.slot, at);
        self.keep_joints(key.slot, joints, are_composable);
        Ok(())
    }

    /// Writes the poses of a character, attached or not, which are valid: those of a state between
    /// two others, for queries.
    pub(in crate::scene) fn write_parts(
        &mut self,
        slot: DefaultKey,
        poses: impl Iterator<Item = Pose<T>>,
    ) {
        let character = &mut self.characters[slot];
        for (to, pose) in character.poses.iter_mut().zip(poses) {
            *to = pose;
        }
        character.placed_by_parts = true;
    }

    /// Stores the joints of a character's current poses.
    pub(super) fn keep_joints(
        &mut self,
        slot: DefaultKey,
        joints: &[Pose<T>],
        are_composable: bool,
    ) {
        let character = &mut self.characters[slot];
        character.keep_joints(joints, &mut self.pool);
        character.has_composable_joints = are_composable;
    }

    /// Composes the root with joints into `composed`, and checks the results.
    pub(in crate::scene) fn compose(
        &mut self,
        at: &Pose<T>,
        joints: &[Pose<T>],
    ) -> Result<(), Error> {
        // Composed outside the character, so that an error changes nothing.
        compose_checked(&mut self.composed, at, joints)
    }

    /// Moves a character: one pose for every part, part to world.
    ///
    /// # Errors
    /// The errors of [`Scene::set_joints`]; then no pose has changed.
    pub fn set_parts(&mut self, key: CharacterKey, poses: &[Pose<T>]) -> Result<(), Error> {
        self.check_not_attached(key)?;
        self.character(key)?.model.check_part_poses(poses)?;
        if !self.attachments.is_empty() {
            copy_poses(&mut self.composed, poses);
            self.compose_followers(key.slot)?;
            self.apply_composed(key.slot, &Pose::identity());
        }
        let character = &mut self.characters[key.slot];
        character.set_poses_by_joints(&Pose::identity(), poses);
        character.placed_by_parts = true;
        Ok(())
    }

    /// Enables or disables a part. A disabled part touches nothing.
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`], [`Error::IndexOutOfRange`].
    ///
    /// ```
    /// # boxwood::fixture_scene!(model, scene, red, blue at 0.9);
    /// use boxwood::{Buffers, QueryScratch};
    ///
    /// scene.set_part_enabled(red, model.part("cube")?, false)?;
    /// let mut buffers = Buffers::new();
    /// let now = scene.snapshot(&mut buffers);
    /// assert!(!now.intersects(&PairQuery::between(red, blue), &mut QueryScratch::new())?);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn set_part_enabled(
        &mut self,
        key: CharacterKey,
        part: PartId,
        enabled: bool,
    ) -> Result<(), Error> {
        let character = self.character_mut(key)?;
        character.model.check_part(part)?;
        if character.enabled.is_empty() {
            character.enabled.resize(character.poses.len(), true);
        }
        let before = std::mem::replace(&mut character.enabled[part.index()], enabled);
        character.disabled = character.disabled + usize::from(before) - usize::from(enabled);
        Ok(())
    }

    /// Sets the rest flag of a character and of all [attached](Scene::attach) to it: two characters
    /// at rest are not tested against each other. The flag is never set automatically.
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`].
    ///
    /// ```
    /// # boxwood::fixture_scene!(model, scene, red, blue at 0.9);
    /// use boxwood::{Buffers, QueryScratch};
    ///
    /// scene.set_at_rest(red, true)?;
    /// scene.set_at_rest(blue, true)?;
    /// let mut buffers = Buffers::new();
    /// let now = scene.snapshot(&mut buffers);
    /// assert!(!now.intersects(&PairQuery::all(), &mut QueryScratch::new())?);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn set_at_rest(&mut self, key: CharacterKey, at_rest: bool) -> Result<(), Error> {
        self.character(key)?;
        self.set_rest_of_all(key.slot, at_rest);
        Ok(())
    }

    /// Returns the poses of a character, part to world: its state, to be copied and restored by
    /// [`Scene::set_parts`].
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`].
    pub fn poses(&self, key: CharacterKey) -> Result<&[Pose<T>], Error> {
        Ok(&self.character(key)?.poses)
    }

    /// Returns the pose of one part, part to world.
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`], [`Error::IndexOutOfRange`].
    pub fn pose(&self, key: CharacterKey, part: PartId) -> Result<&Pose<T>, Error> {
        let character = self.character(key)?;
        character.model.check_part(part)?;
        Ok(&character.poses[part.index()])
    }
}
