//! Attachments: characters fixed to a part of another, such as a weapon in a hand or an object in a
//! gripper.

use slotmap::{DefaultKey, SecondaryMap};

use crate::model::PartId;
use crate::num::Scalar;
use crate::scene::CharacterKey;
use crate::shape::Pose;

/// The holder, part and offset of an attached character: see
/// [`Scene::attach`](crate::scene::Scene::attach).
///
/// ```
/// # use boxwood::{Build, Geometry, Model, Pose, Scene, Spawn};
/// # let model = Model::builder().part("hand", None, Geometry::None).build(&Build::default())?;
/// # let mut scene = Scene::new();
/// # let knight = scene.insert(&model, Spawn::default())?;
/// # let sword = scene.insert(&model, Spawn::default())?;
/// scene.attach(sword, knight, model.part("hand")?, &Pose::identity(), &[])?;
/// let by = scene.attachment(sword)?.expect("it is held");
/// assert_eq!((by.holder, by.part), (knight, model.part("hand")?));
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Attachment<T: Scalar> {
    /// The character that it is attached to.
    pub holder: CharacterKey,
    /// The part of the holder that it is fixed to.
    pub part: PartId,
    /// Pose of the attached model's frame in the frame of that part.
    pub offset: Pose<T>,
}

/// The attachments of a scene.
#[derive(Debug)]
pub(in crate::scene) struct Attachments<T: Scalar> {
    /// Holder, part and offset of each attached character.
    pub(super) links: SecondaryMap<DefaultKey, HolderLink<T>>,
    /// Pairs of holder and attached character, ascending.
    pub(super) holders: Vec<[DefaultKey; 2]>,
}

#[derive(Debug, Clone, Copy)]
pub(in crate::scene) struct HolderLink<T: Scalar> {
    pub(in crate::scene) holder: DefaultKey,
    pub(in crate::scene) part: PartId,
    pub(super) offset: Pose<T>,
}

/// A character that moves because its holder does: its slot, the start of its poses in
/// `Scene::composed`, its new root.
#[derive(Debug, Clone, Copy)]
pub(in crate::scene) struct Follower<T: Scalar> {
    pub(super) slot: DefaultKey,
    pub(super) start: usize,
    pub(super) root: Pose<T>,
}

impl<T: Scalar> Clone for Attachments<T> {
    fn clone(&self) -> Self {
        Attachments { links: self.links.clone(), holders: self.holders.clone() }
    }

    fn clone_from(&mut self, source: &Self) {
        // Maps of keys allocate for every copy.
        if self.is_empty() && source.is_empty() {
            return;
        }
        self.links.clone_from(&source.links);
        self.holders.clone_from(&source.holders);
    }
}

impl<T: Scalar> Default for Attachments<T> {
    fn default() -> Self {
        Attachments { links: SecondaryMap::new(), holders: Vec::new() }
    }
}

impl<T: Scalar> Attachments<T> {
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.holders.is_empty()
    }

    #[inline]
    pub fn is_held(&self, slot: DefaultKey) -> bool {
        !self.is_empty() && self.links.contains_key(slot)
    }

    /// Returns the holder of a character, if it is attached.
    #[inline]
    pub fn holder_of(&self, slot: DefaultKey) -> Option<&HolderLink<T>> {
        self.links.get(slot)
    }

    /// Returns `true` if a character holds another.
    #[inline]
    pub fn has_held(&self, holder: DefaultKey) -> bool {
        !self.is_empty() && self.held_by(holder).next().is_some()
    }

    /// Returns the characters attached directly to a holder.
    pub fn held_by(&self, holder: DefaultKey) -> impl Iterator<Item = DefaultKey> + Clone + '_ {
        let start = self.holders.partition_point(|&[by, _]| by < holder);
        self.holders[start..]
            .iter()
            .take_while(move |&&[by, _]| by == holder)
            .map(|&[_, held]| held)
    }

    /// Returns `true` if the two are the same, or `slot` is attached to `holder` directly or
    /// through others.
    pub(super) fn is_or_holds(&self, holder: DefaultKey, slot: DefaultKey) -> bool {
        let mut above = Some(slot);
        while let Some(slot) = above {
            if slot == holder {
                return true;
            }
            above = self.links.get(slot).map(|by| by.holder);
        }
        false
    }

    pub(super) fn insert(&mut self, held: DefaultKey, by: HolderLink<T>) {
        self.remove(held);
        let pair = [by.holder, held];
        let index = self.holders.partition_point(|&other| other < pair);
        self.holders.insert(index, pair);
        self.links.insert(held, by);
    }

    /// Removes the attachment and returns the former holder, if any.
    pub(super) fn remove(&mut self, held: DefaultKey) -> Option<DefaultKey> {
        let by = self.links.remove(held)?;
        self.holders.retain(|&pair| pair != [by.holder, held]);
        Some(by.holder)
    }
}
