//! Attachment of characters to parts of others: they move with the part.

use slotmap::DefaultKey;

use super::attachments::{Follower, HolderLink};
use crate::error::Error;
use crate::model::PartId;
use crate::num::Scalar;
use crate::scene::{Attachment, CharacterKey, Scene};
use crate::shape::{Pose, are_composable, check_poses};

impl<T: Scalar> Scene<T> {
    /// Attaches a character to a part of another: a weapon in a hand, an object in a gripper. Its
    /// model's frame is at `offset` in the frame of that part, and follows the part at once
    /// whenever the holder moves: like [`Scene::set_root`] with `pose(holder, part) * offset`, bit
    /// for bit. So its poses depend on the holder's poses and the offset alone, in whatever order
    /// characters are moved. Its joints stay its own; [`Scene::move_joints`] moves them.
    ///
    /// Attachments may be nested. Attaching again moves the character to another part or holder.
    ///
    /// The attached character remains a character with its own key, order and groups: a hit names
    /// the sword's key, and [`Scene::attachment`] returns its holder. It is tested against all
    /// others and against its holder, except for the part it is fixed to and the holder's parts in
    /// `touching`, the fingers around it. A query about the holder alone does not include it,
    /// unless the query has [`with_held`](crate::PairQuery::with_held).
    ///
    /// Its rest flag becomes that of its holder, now and whenever the holder's is set;
    /// [`Scene::set_at_rest`] may change it afterwards. Removing the holder detaches it. A clone of
    /// the scene has the same attachments. A scene without attachments pays nothing for them.
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`], [`Error::IndexOutOfRange`] for a part,
    /// [`Error::HoldsItself`]; [`Error::NotFinite`], [`Error::OutOfRange`] and [`Error::NotUnit`]
    /// for the offset, and for a resulting root or pose. Then nothing has changed.
    ///
    /// ```
    /// use boxwood::nalgebra::{Isometry3, Vector3};
    /// use boxwood::{Build, Error, Geometry, Model, Obb, Scene, Spawn};
    ///
    /// let bone = Obb::from_pose(&Isometry3::identity(), Vector3::new(0.1, 0.1, 0.4))?;
    /// let part = |name: &str| {
    ///     let parts = Model::builder().part(name, None, Geometry::Boxes(vec![bone]));
    ///     parts.build(&Build::default())
    /// };
    /// let (arm, blade) = (part("arm")?, part("blade")?);
    /// let mut scene = Scene::new();
    /// let knight = scene.insert(&arm, Spawn::default())?;
    /// let sword = scene.insert(&blade, Spawn::default())?;
    ///
    /// let grip = Isometry3::translation(0.0, 0.0, 0.7); // of the sword, seen from the arm
    /// scene.attach(sword, knight, arm.part("arm")?, &grip, &[])?;
    /// scene.set_root(knight, &Isometry3::translation(5.0, 0.0, 0.0))?;
    /// assert_eq!(scene.root(sword)?.translation.vector, Vector3::new(5.0, 0.0, 0.7));
    /// assert_eq!(scene.set_root(sword, &grip), Err(Error::Held));
    ///
    /// scene.detach(sword)?; // it stays where it is
    /// scene.set_root(knight, &Isometry3::identity())?;
    /// assert_eq!(scene.root(sword)?.translation.x, 5.0);
    ///
    /// // As it is now: what a gripper closes around.
    /// let offset = scene.pose(knight, arm.part("arm")?)?.inv_mul(&scene.root(sword)?);
    /// scene.attach(sword, knight, arm.part("arm")?, &offset, &[])?;
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn attach(
        &mut self,
        held: CharacterKey,
        holder: CharacterKey,
        part: PartId,
        offset: &Pose<T>,
        touching: &[PartId],
    ) -> Result<(), Error> {
        self.character(held)?;
        let to = self.character(holder)?;
        [part].iter().chain(touching).try_for_each(|&part| to.model.check_part(part))?;
        check_poses(std::slice::from_ref(offset), "offset")?;
        if self.attachments.is_or_holds(held.slot, holder.slot) {
            return Err(Error::HoldsItself);
        }
        let (root, at_rest) = (to.poses[part.index()] * *offset, to.at_rest);
        self.move_root(held.slot, &root)?;
        if let Some(before) = self.attachments.remove(held.slot) {
            self.ignored.remove_touch_parts(before, held.slot);
        }
        self.attachments
            .insert(held.slot, HolderLink { holder: holder.slot, part, offset: *offset });
        for &part in [part].iter().chain(touching) {
            self.ignored.add_touch_part((holder.slot, part), held.slot);
        }
        self.set_rest_of_all(held.slot, at_rest);
        Ok(())
    }

    /// Detaches a character: it stays at its poses, and is tested against all parts of its former
    /// holder again. Does nothing if the character is not attached.
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`].
    pub fn detach(&mut self, held: CharacterKey) -> Result<(), Error> {
        self.character(held)?;
        self.detach_slot(held.slot);
        Ok(())
    }

    /// Returns the holder, part and offset of a character; `None` if it is not attached.
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`].
    pub fn attachment(&self, held: CharacterKey) -> Result<Option<Attachment<T>>, Error> {
        self.character(held)?;
        let attachment = |&HolderLink { holder, part, offset }: &HolderLink<T>| Attachment {
            holder: CharacterKey { slot: holder, scene: self.id },
            part,
            offset,
        };
        Ok(self.attachments.links.get(held.slot).map(attachment))
    }

    /// Returns the characters attached to this one directly, in no order to rely on.
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`].
    ///
    /// ```
    /// # use boxwood::{Build, Geometry, Model, Pose, Scene, Spawn};
    /// # let model = Model::builder().part("hand", None, Geometry::None).build(&Build::default())?;
    /// # let mut scene = Scene::new();
    /// # let knight = scene.insert(&model, Spawn::default())?;
    /// # let sword = scene.insert(&model, Spawn::default())?;
    /// scene.attach(sword, knight, model.part("hand")?, &Pose::identity(), &[])?;
    /// assert!(scene.held_by(knight)?.eq([sword]));
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn held_by(
        &self,
        holder: CharacterKey,
    ) -> Result<impl Iterator<Item = CharacterKey> + Clone + '_, Error> {
        self.character(holder)?;
        let held = self.attachments.held_by(holder.slot);
        Ok(held.map(|slot| CharacterKey { slot, scene: self.id }))
    }

    /// Moves the joints of a character in its model, one for every part. Its root stays: the last
    /// one set, or the one given by its holder. Like [`Scene::set_joints`] with the current root,
    /// bit for bit.
    ///
    /// # Errors
    /// [`Error::StaleKey`], [`Error::ForeignKey`], [`Error::WrongCount`], [`Error::NotFinite`],
    /// [`Error::OutOfRange`], [`Error::NotUnit`]; then no pose has changed.
    pub fn move_joints(&mut self, key: CharacterKey, joints: &[Pose<T>]) -> Result<(), Error> {
        self.character(key)?.model.check_part_poses(joints)?;
        let root = self.root(key)?;
        self.compose(&root, joints)?;
        self.compose_followers(key.slot)?;
        self.apply_composed(key.slot, &root);
        self.keep_joints(key.slot, joints, are_composable(&root, joints));
        Ok(())
    }

    /// Returns an error if the character is attached, because its holder determines its root.
    #[inline]
    pub(in crate::scene) fn check_not_attached(&self, key: CharacterKey) -> Result<(), Error> {
        let is_held = self.character(key).map(|_| self.attachments.is_held(key.slot))?;
        if is_held { Err(Error::Held) } else { Ok(()) }
    }

    /// Appends to the composed poses of a character those of all characters attached to it,
    /// directly or through others, and checks them.
    pub(in crate::scene) fn compose_followers(&mut self, slot: DefaultKey) -> Result<(), Error> {
        self.followers.clear();
        if self.attachments.is_empty() {
            return Ok(());
        }
        self.followers.push(Follower { slot, start: 0, root: Pose::identity() });
        let (mut next, own) = (0, self.composed.len());
        while let Some(&one) = self.followers.get(next) {
            next += 1;
            for held in self.attachments.held_by(one.slot) {
                let by = &self.attachments.links[held];
                let root = self.composed[one.start + by.part.index()] * by.offset;
                let start = self.composed.len();
                self.composed
                    .extend(self.characters[held].joints().iter().map(|joint| root * joint));
                self.followers.push(Follower { slot: held, start, root });
            }
        }
        self.followers.iter().try_for_each(|one| check_poses(&[one.root], "place"))?;
        check_poses(&self.composed[own..], "place of pose")
    }

    /// Stores the composed poses and the root in the character, and those of all that follow it.
    pub(in crate::scene) fn apply_composed(&mut self, slot: DefaultKey, root: &Pose<T>) {
        let Scene { characters, composed, followers, .. } = self;
        characters[slot].set_poses_by_joints(root, &composed[..]);
        for Follower { slot, start, root } in followers.get(1..).unwrap_or_default() {
            characters[*slot].set_poses_by_joints(root, &composed[*start..]);
        }
    }

    /// Sets the rest flag of a character and of all characters attached to it, directly or through
    /// others.
    pub(in crate::scene) fn set_rest_of_all(&mut self, slot: DefaultKey, at_rest: bool) {
        let Scene { characters, attachments, followers, .. } = self;
        characters.set_at_rest(slot, at_rest);
        if attachments.is_empty() {
            return;
        }
        let all = |slot| Follower { slot, start: 0, root: Pose::identity() };
        followers.clear();
        followers.push(all(slot));
        while let Some(Follower { slot, .. }) = followers.pop() {
            characters.set_at_rest(slot, at_rest);
            followers.extend(attachments.held_by(slot).map(all));
        }
    }

    /// Removes all attachments of a character that is about to be removed.
    pub(in crate::scene) fn remove_attachments(&mut self, slot: DefaultKey) {
        self.detach_slot(slot);
        while let Some(held) = { self.attachments.held_by(slot).next() } {
            self.detach_slot(held);
        }
    }

    fn detach_slot(&mut self, held: DefaultKey) {
        if let Some(holder) = self.attachments.remove(held) {
            self.ignored.remove_touch_parts(holder, held);
        }
    }
}
