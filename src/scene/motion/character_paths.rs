//! The kind of motion of each character between two states of a scene, and the poses from which the
//! paths of its parts are made.

use std::sync::Arc;

use slotmap::{DefaultKey, SecondaryMap};

use super::path::{ChainBounds, MotionPath, PartPath, rotation_chord};
use crate::broad_phase::BLOCK;
use crate::motion::RigidMotion;
use crate::num::Scalar;
use crate::scene::snapshot::entry::CharacterEntry;
use crate::scene::state::attachments::HolderLink;
use crate::scene::state::character::Character;
use crate::scene::{CharacterKey, Scene};
use crate::shape::Pose;

/// A part: the index of its character in the order of answers, and its own.
pub(super) type PartIndex = (u32, usize);

/// Two states of a scene, and the characters of the later one in the order of answers.
#[derive(Clone, Copy)]
pub(super) struct MotionEnds<'a, T: Scalar> {
    /// States before and after.
    pub scenes: [&'a Scene<T>; 2],
    pub entries: &'a [CharacterEntry<T>],
    pub indices: &'a SecondaryMap<DefaultKey, u32>,
}

/// The kind of motion of all characters, or of some.
#[derive(Debug, Clone, Default)]
pub(super) struct CharacterPaths {
    /// Flag per character: `true` if it is at its later poses during the whole tick.
    rests: Vec<bool>,
    /// Path of each character.
    kinds: Vec<MotionPath>,
    /// A character and its holders.
    chain: Vec<u32>,
}

impl CharacterPaths {
    /// Returns `true` if a character is at its later poses during the whole tick.
    #[inline]
    pub fn rests(&self, character: u32) -> bool {
        self.rests[character as usize]
    }

    /// Starts with no character examined; `kinds` are the paths of the query.
    pub fn start<T: Scalar>(
        &mut self,
        ends: MotionEnds<'_, T>,
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
    }

    /// Examines the motion of a character, after the characters that hold it.
    pub fn examine_with_holders<T: Scalar>(&mut self, ends: MotionEnds<'_, T>, index: u32) {
        if ends.scenes[1].attachments.is_empty() {
            return self.examine(ends, index);
        }
        // The character, then its holder, then that one's.
        let mut chain = std::mem::take(&mut self.chain);
        chain.clear();
        chain.push(index);
        let mut last = index;
        while let Some((holder, _)) = ends.kept_holder(self, last) {
            chain.push(holder);
            last = holder;
        }
        chain.iter().rev().for_each(|&index| self.examine(ends, index));
        self.chain = chain;
    }

    /// Sets how a character moves, if at all, given how its holder does: one that is not in both
    /// states with one model jumps, and so does one whose holder jumps.
    fn examine<T: Scalar>(&mut self, ends: MotionEnds<'_, T>, index: u32) {
        let ([before, after], at) = (ends.scenes, index as usize);
        let slot = ends.entries[at].slot;
        let is_in_both = before
            .characters
            .get(slot)
            .is_some_and(|earlier| Arc::ptr_eq(&earlier.model, &after.characters[slot].model));
        let holder = ends.kept_holder(self, index);
        let holder_jumps =
            holder.is_some_and(|(holder, _)| self.kinds[holder as usize] == MotionPath::Jump);
        if !is_in_both || holder_jumps {
            self.kinds[at] = MotionPath::Jump;
        }
        let stamp = |scene: &Scene<T>| scene.characters.stamp(slot);
        self.rests[at] = self.kinds[at] == MotionPath::Jump || stamp(before) == stamp(after);
    }
}

impl<'a, T: Scalar> MotionEnds<'a, T> {
    /// Returns the index and the part of the holder that a character is attached to before and
    /// after the tick, if it moves by its joints.
    fn kept_holder(&self, paths: &CharacterPaths, index: u32) -> Option<PartIndex> {
        let [before, after] = self.scenes;
        if paths.kinds[index as usize] != MotionPath::Joints || after.attachments.is_empty() {
            return None;
        }
        let slot = self.entries[index as usize].slot;
        let HolderLink { holder, part, .. } = *after.attachments.holder_of(slot)?;
        let earlier = before.attachments.holder_of(slot)?;
        let is_kept = (earlier.holder, earlier.part) == (holder, part);
        is_kept.then(|| (self.indices[holder], part.index()))
    }
}

/// Source of the paths of parts.
#[derive(Clone, Copy)]
pub(super) struct PathSource<'a, T: Scalar> {
    pub ends: MotionEnds<'a, T>,
    pub paths: &'a CharacterPaths,
}

impl<'a, T: Scalar> PathSource<'a, T> {
    /// Returns `true` if a character is at its later poses during the whole tick.
    #[inline]
    pub fn rests(&self, character: u32) -> bool {
        self.paths.rests(character)
    }

    /// Returns the later state of a character.
    pub fn character(&self, index: u32) -> &'a Character<T> {
        &self.ends.scenes[1].characters[self.ends.entries[index as usize].slot]
    }

    /// Returns the stored poses of a character before the tick: those after it, if it jumps.
    pub fn poses_before(&self, character: u32) -> &'a [Pose<T>] {
        let jumps = self.paths.kinds[character as usize] == MotionPath::Jump;
        let slot = self.ends.entries[character as usize].slot;
        &self.ends.scenes[usize::from(jumps)].characters[slot].poses
    }

    /// Returns the number of a part among those of all characters.
    #[inline]
    pub fn number(&self, (character, part): PartIndex) -> usize {
        self.first_number(character) + part
    }

    /// Returns the number of the first part of a character.
    #[inline]
    pub fn first_number(&self, character: u32) -> usize {
        self.ends.entries[character as usize].range.block * BLOCK
    }

    /// Returns a number above those of all parts.
    pub fn part_count(&self) -> usize {
        let last = self.ends.entries.last().map(|entry| entry.range);
        last.map_or(0, |range| (range.block + range.block_count()) * BLOCK)
    }

    /// Returns the part relative to which a part moves; `None` for the world.
    pub fn parent(&self, (character, part): PartIndex) -> Option<PartIndex> {
        if !self.is_jointed(character) {
            return None;
        }
        match self.character(character).model.parts()[part].parent() {
            Some(parent) => Some((character, parent.index())),
            None => self.ends.kept_holder(self.paths, character),
        }
    }

    /// Returns `true` if the parts of a character move relative to their parents.
    pub fn is_jointed(&self, character: u32) -> bool {
        self.paths.kinds[character as usize] == MotionPath::Joints && !self.rests(character)
    }

    /// Returns the part relative to which the roots of a character move; `None` for the world.
    pub fn holder(&self, character: u32) -> Option<PartIndex> {
        let is_jointed = self.is_jointed(character);
        is_jointed.then(|| self.ends.kept_holder(self.paths, character)).flatten()
    }

    /// Returns the poses of a part in the world before and after the tick.
    pub fn ends_of(&self, (character, part): PartIndex) -> [RigidMotion; 2] {
        let later = RigidMotion::normalised(&self.character(character).poses[part]);
        match self.rests(character) {
            true => [later; 2],
            false => [RigidMotion::normalised(&self.poses_before(character)[part]), later],
        }
    }

    /// Returns the path of a part, given its poses in the world and, if it has a parent, those and
    /// the path of the parent, and the index of that.
    pub fn path(
        &self,
        of: PartIndex,
        world: &[RigidMotion; 2],
        parent: Option<(u32, &[RigidMotion; 2], &PartPath)>,
    ) -> PartPath {
        match parent {
            _ if self.rests(of.0) => PartPath::still(world[1]),
            Some((index, above, path)) => {
                PartPath::new(relative_ends(above, world), Some((index, path)))
            }
            None => PartPath::new(*world, None),
        }
    }
}

/// Returns the poses of a part in its parent, given those of both in the world.
fn relative_ends(above: &[RigidMotion; 2], world: &[RigidMotion; 2]) -> [RigidMotion; 2] {
    [above[0].relative(&world[0]), above[1].relative(&world[1])]
}

impl ChainBounds {
    /// Returns the bounds of a link from its poses in the world and, if it has a parent, the bounds
    /// and poses of that.
    pub(super) fn of_link(
        world: &[RigidMotion; 2],
        parent: Option<&(ChainBounds, [RigidMotion; 2])>,
    ) -> ChainBounds {
        let (above, ends) = match parent {
            Some((bounds, above)) => (*bounds, relative_ends(above, world)),
            None => (ChainBounds::default(), *world),
        };
        above.with_ends(&ends, rotation_chord(ends.map(|end| end.rotation)))
    }
}
