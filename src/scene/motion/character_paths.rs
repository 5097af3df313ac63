//! The paths of the parts of characters between two states of a scene.

use std::sync::Arc;

use slotmap::{DefaultKey, SecondaryMap};

use super::path::{MotionPath, PartPath};
use crate::motion::RigidMotion;
use crate::num::Scalar;
use crate::scene::snapshot::entry::CharacterEntry;
use crate::scene::state::attachments::HolderLink;
use crate::scene::{CharacterKey, Scene};
use crate::shape::Pose;

/// Two states of a scene, and the characters of the later one in the order of answers.
pub(super) struct MotionEnds<'a, T: Scalar> {
    /// States before and after.
    pub scenes: [&'a Scene<T>; 2],
    pub entries: &'a [CharacterEntry<T>],
    pub indices: &'a SecondaryMap<DefaultKey, u32>,
}

/// The paths of the parts of all characters, or of some.
#[derive(Debug, Clone, Default)]
pub(super) struct CharacterPaths {
    paths: Vec<PartPath>,
    /// Index of the path of the first part of each character, by index in the answers;
    /// [`UNPLACED`] for a character that does not move and holds none that does.
    first: Vec<u32>,
    /// Flag per character: `true` if it is at its later poses during the whole tick.
    rests: Vec<bool>,
    /// Path of each character.
    kinds: Vec<MotionPath>,
    /// Poses of each part in the world before and after the tick, by index of its path.
    ends: Vec<[RigidMotion; 2]>,
    /// A character and its holders.
    chain: Vec<u32>,
}

/// Stands for a character whose paths are not computed.
const UNPLACED: u32 = u32::MAX;

impl CharacterPaths {
    /// Returns the paths of all parts, by index.
    pub fn all(&self) -> &[PartPath] {
        &self.paths
    }

    /// Returns the poses of a part in the world before and after the tick, by index of its path.
    pub fn ends(&self, path: usize) -> &[RigidMotion; 2] {
        &self.ends[path]
    }

    /// Returns the index of the path of a part; `None` if it is at its later pose during the whole
    /// tick.
    #[inline]
    pub fn index(&self, character: u32, part: usize) -> Option<u32> {
        let at = character as usize;
        (!self.rests[at]).then(|| self.first[at] + part as u32)
    }

    /// Returns the stored poses of a character before the tick: those after it, if it jumps.
    pub fn poses_before<'a, T: Scalar>(
        &self,
        [before, after]: [&'a Scene<T>; 2],
        (character, slot): (u32, DefaultKey),
    ) -> &'a [Pose<T>] {
        let jumps = self.kinds[character as usize] == MotionPath::Jump;
        &(if jumps { after } else { before }).characters[slot].poses
    }

    /// Starts with no path computed and no character examined; `kinds` are the paths of the query.
    pub fn start<T: Scalar>(
        &mut self,
        ends: &MotionEnds<'_, T>,
        kinds: &[(CharacterKey, MotionPath)],
    ) {
        let characters = ends.entries.len();
        self.kinds.clear();
        self.kinds.resize(characters, MotionPath::Joints);
        for &(key, kind) in kinds {
            self.kinds[ends.indices[key.slot] as usize] = kind;
        }
        self.rests.clear();
        self.rests.resize(characters, true);
        self.first.clear();
        self.first.resize(characters, UNPLACED);
        self.paths.clear();
        self.ends.clear();
    }

    /// Computes the paths of a character that moves, and first those of the characters that hold
    /// it.
    pub fn place_with_holders<T: Scalar>(&mut self, ends: &MotionEnds<'_, T>, index: u32) {
        // The character, then its holder, then that one's.
        let mut chain = std::mem::take(&mut self.chain);
        chain.clear();
        chain.push(index);
        let mut last = index;
        while let Some((holder, _)) = self.kept_holder(ends, last) {
            chain.push(holder);
            last = holder;
        }
        chain.iter().rev().for_each(|&index| self.examine(ends, index));
        if !self.rests[index as usize] {
            chain.iter().rev().for_each(|&index| self.place(ends, index));
        }
        self.chain = chain;
    }

    /// Sets how a character moves, if at all, given how its holder does: one that is not in both
    /// states with one model jumps, and so does one whose holder jumps.
    fn examine<T: Scalar>(&mut self, ends: &MotionEnds<'_, T>, index: u32) {
        let ([before, after], at) = (ends.scenes, index as usize);
        let slot = ends.entries[at].slot;
        let is_in_both = before
            .characters
            .get(slot)
            .is_some_and(|earlier| Arc::ptr_eq(&earlier.model, &after.characters[slot].model));
        let holder = self.kept_holder(ends, index);
        let holder_jumps =
            holder.is_some_and(|(holder, _)| self.kinds[holder as usize] == MotionPath::Jump);
        if !is_in_both || holder_jumps {
            self.kinds[at] = MotionPath::Jump;
        }
        let stamp = |scene: &Scene<T>| scene.characters.stamp(slot);
        self.rests[at] = self.kinds[at] == MotionPath::Jump || stamp(before) == stamp(after);
    }

    /// Returns the index and the part of the holder that a character is attached to before and
    /// after the tick, if it moves by its joints.
    fn kept_holder<T: Scalar>(&self, ends: &MotionEnds<'_, T>, index: u32) -> Option<(u32, usize)> {
        let [before, after] = ends.scenes;
        if self.kinds[index as usize] != MotionPath::Joints || after.attachments.is_empty() {
            return None;
        }
        let slot = ends.entries[index as usize].slot;
        let HolderLink { holder, part, .. } = *after.attachments.holder_of(slot)?;
        let earlier = before.attachments.holder_of(slot)?;
        let is_kept = (earlier.holder, earlier.part) == (holder, part);
        is_kept.then(|| (ends.indices[holder], part.index()))
    }

    /// Computes the paths of a character whose holder is placed.
    fn place<T: Scalar>(&mut self, ends: &MotionEnds<'_, T>, index: u32) {
        let [before, after] = ends.scenes;
        if self.first[index as usize] != UNPLACED {
            return;
        }
        let slot = ends.entries[index as usize].slot;
        let (later, first) = (&after.characters[slot], self.paths.len());
        self.first[index as usize] = first as u32;
        let kind = self.kinds[index as usize];
        if self.rests[index as usize] {
            for pose in &later.poses {
                let pose = RigidMotion::normalised(pose);
                self.ends.push([pose; 2]);
                self.paths.push(PartPath::still(pose));
            }
            return;
        }
        let holder = self.kept_holder(ends, index).map(|(place, part)| {
            let path = self.first[place as usize] + part as u32;
            (path, self.ends[path as usize])
        });
        let poses = before.characters[slot].poses.iter().zip(&later.poses);
        for (part, (earlier, later_pose)) in poses.enumerate() {
            let world = [earlier, later_pose].map(RigidMotion::normalised);
            self.ends.push(world);
            let parent = match (kind, later.model.parts()[part].parent()) {
                (MotionPath::Joints, Some(parent)) => {
                    let parent = first + parent.index();
                    Some((parent as u32, self.ends[parent]))
                }
                (MotionPath::Joints, None) => holder,
                _ => None,
            };
            let path = match parent {
                Some((parent, above)) => {
                    let local = [0, 1].map(|end| above[end].relative(&world[end]));
                    PartPath::new(local, Some((parent, &self.paths[parent as usize])))
                }
                None => PartPath::new(world, None),
            };
            self.paths.push(path);
        }
    }
}
