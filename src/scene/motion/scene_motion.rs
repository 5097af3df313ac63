//! The motion of all characters between two states of a scene, and its queries.

use std::sync::Arc;

use super::impact::Impact;
use super::path::{MotionPath, PartPath};
use super::search::{Goal, MotionSearch};
use super::swept_boxes;
use crate::error::Error;
use crate::motion::RigidMotion;
use crate::num::{Scalar, SimdLevel, precompiled};
use crate::scene::state::attachments::HolderLink;
use crate::scene::{Buffers, CharacterKey, PairQuery, QueryScratch, Scene, Snapshot};
use crate::shape::Pose;

/// The storage of a [`SceneMotion`]. Kept from tick to tick, it allocates only in the first few.
#[derive(Debug, Clone, Default)]
pub struct MotionBuffers<T: Scalar> {
    swept: Buffers<T>,
    paths: Vec<PartPath>,
    /// Index of the path of the first part of each character, by index in the answers.
    first_path: Vec<u32>,
    /// Path of each character.
    kinds: Vec<MotionPath>,
    /// Poses of the current character before and after the tick.
    ends: Vec<[RigidMotion; 2]>,
    /// Characters that wait for their holders.
    pending: Vec<u32>,
}

impl<T: Scalar> MotionBuffers<T> {
    /// Returns empty buffers.
    pub fn new() -> Self {
        MotionBuffers::default()
    }

    /// Returns empty buffers whose queries use that instruction set. Only the speed changes, no
    /// answer.
    pub fn with_simd_level(simd: SimdLevel) -> Self {
        MotionBuffers { swept: Buffers::with_simd_level(simd), ..MotionBuffers::default() }
    }
}

/// The motion of all characters from one state of a scene to a later one: a tick.
///
/// Answers what touches *between* two poses, both sides moving and turning: a blade that passes
/// through an arm within a tick, which the poses at its ends do not show. Every part moves from its
/// earlier to its later pose along its [`MotionPath`].
///
/// The characters are those of the later scene. One that the earlier scene does not have, or has
/// with another model, is at its later pose during the whole tick. Switches, groups and ignored
/// pairs are those of the later scene.
///
/// ```
/// # boxwood::fixture_model!(cube, model);
/// use boxwood::nalgebra::Isometry3;
/// use boxwood::{Accuracy, MotionBuffers, PairQuery, QueryScratch, SceneMotion};
///
/// // A cube of size 1 flies past another within a tick; neither end shows it.
/// let mut scene = Scene::new();
/// let arrow = scene.insert(&model, Spawn::at(Isometry3::translation(-5.0, 0.0, 0.0)))?;
/// let target = scene.insert(&model, Spawn::default())?;
/// let before = scene.clone();
/// scene.set_root(arrow, &Isometry3::translation(5.0, 0.0, 0.0))?;
///
/// let (mut buffers, mut scratch) = (MotionBuffers::new(), QueryScratch::new());
/// let motion = SceneMotion::between(&before, &scene, &mut buffers)?;
/// let query = PairQuery::between(arrow, target).accuracy(Accuracy::Within(0.001));
/// let impact = motion.first_impact(&query, &mut scratch)?.expect("it passes through");
/// assert!((impact.time - 0.4).abs() < 1e-3 && impact.clear_until <= 0.4);
/// assert!(!impact.touching_at_start && !impact.touching_at_end);
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct SceneMotion<'a, T: Scalar> {
    before: &'a Scene<T>,
    after: &'a Scene<T>,
    buffers: &'a MotionBuffers<T>,
}

precompiled! {
    fn first_impact<'a, T>(
        motion: SceneMotion<'a, T>,
        query: &'a PairQuery<'a>,
        scratch: &'a mut QueryScratch<T>,
    ) -> Result<Option<Impact<T>>, Error> {
        motion.search(query, scratch, Goal::First)?;
        Ok(scratch.motion.first(&motion, query))
    }

    fn intersects<'a, T>(
        motion: SceneMotion<'a, T>,
        query: &'a PairQuery<'a>,
        scratch: &'a mut QueryScratch<T>,
    ) -> Result<bool, Error> {
        motion.search(query, scratch, Goal::Any)?;
        Ok(scratch.motion.has_found())
    }

    fn find_impacts<'a, T>(
        motion: SceneMotion<'a, T>,
        query: &'a PairQuery<'a>,
        scratch: &'a mut QueryScratch<T>,
        impacts: &'a mut Vec<Impact<T>>,
    ) -> Result<(), Error> {
        motion.search(query, scratch, Goal::All)?;
        scratch.motion.all(&motion, query, impacts);
        Ok(())
    }

    /// Computes the paths and boxes of all parts.
    fn update<'a, T>(
        buffers: &'a mut MotionBuffers<T>,
        before: &'a Scene<T>,
        after: &'a Scene<T>,
        kinds: &'a [(CharacterKey, MotionPath)],
    ) -> Result<(), Error> {
        buffers.update(before, after, kinds)
    }
}

impl<'a, T: Scalar> SceneMotion<'a, T> {
    /// Creates the motion from one state of a scene to a later one; every character moves by its
    /// [joints](MotionPath::Joints). `before` is a clone of the scene that was made before the
    /// change, or the other way round.
    ///
    /// # Errors
    /// [`Error::BadQuery`] if neither scene is a clone of the other.
    pub fn between(
        before: &'a Scene<T>,
        after: &'a Scene<T>,
        buffers: &'a mut MotionBuffers<T>,
    ) -> Result<Self, Error> {
        SceneMotion::with_paths(before, after, &[], buffers)
    }

    /// Like [`SceneMotion::between`], with other paths for some characters: of several for one
    /// character the last counts.
    ///
    /// # Errors
    /// [`Error::BadQuery`] if neither scene is a clone of the other; [`Error::StaleKey`] and
    /// [`Error::ForeignKey`] for a character that the later scene does not have.
    pub fn with_paths(
        before: &'a Scene<T>,
        after: &'a Scene<T>,
        paths: &[(CharacterKey, MotionPath)],
        buffers: &'a mut MotionBuffers<T>,
    ) -> Result<Self, Error> {
        if before.id != after.id {
            return Err(Error::BadQuery { reason: "needs two states of one scene" });
        }
        for &(key, _) in paths {
            after.character(key)?;
        }
        update(buffers, before, after, paths)?;
        Ok(SceneMotion { before, after, buffers })
    }

    /// Finds the first impact of all pairs of parts that the query is about; `None` if all of them
    /// are apart during the whole tick, further apart than the [margin](PairQuery::margin).
    ///
    /// Of impacts with equal [`clear_until`](Impact::clear_until) the first by order of the
    /// characters and parts counts. The query needs [`Accuracy::Within`](crate::Accuracy::Within):
    /// how far apart two parts may be at [`Impact::time`]. Detail and hints have no effect.
    ///
    /// # Errors
    /// [`Error::BadQuery`] for another accuracy, or a tolerance of 0; the errors of
    /// [`Snapshot::intersects`].
    pub fn first_impact(
        &self,
        query: &PairQuery<'_>,
        scratch: &mut QueryScratch<T>,
    ) -> Result<Option<Impact<T>>, Error> {
        first_impact(*self, query, scratch)
    }

    /// Returns `true` if any two parts that the query is about have an [impact](Impact) during the
    /// tick. Cheaper than the first impact.
    ///
    /// # Errors
    /// The errors of [`SceneMotion::first_impact`].
    pub fn intersects(
        &self,
        query: &PairQuery<'_>,
        scratch: &mut QueryScratch<T>,
    ) -> Result<bool, Error> {
        intersects(*self, query, scratch)
    }

    /// Writes the first impact of every pair of parts that has one, sorted by
    /// [`clear_until`](Impact::clear_until), then by order of the characters and parts.
    ///
    /// # Errors
    /// The errors of [`SceneMotion::first_impact`]; then there are no impacts.
    pub fn impacts(
        &self,
        query: &PairQuery<'_>,
        scratch: &mut QueryScratch<T>,
        impacts: &mut Vec<Impact<T>>,
    ) -> Result<(), Error> {
        impacts.clear();
        find_impacts(*self, query, scratch, impacts)
    }

    fn search(
        &self,
        query: &PairQuery<'_>,
        scratch: &mut QueryScratch<T>,
        goal: Goal,
    ) -> Result<(), Error> {
        MotionSearch::new(*self, query, goal)?.run(scratch)
    }

    /// Returns the later scene, with the boxes that contain each part during the tick.
    pub(super) fn swept(&self) -> Snapshot<'a, T> {
        Snapshot::new(self.after, &self.buffers.swept)
    }

    pub(super) fn paths(&self) -> &'a [PartPath] {
        &self.buffers.paths
    }

    /// Returns the index of the path of a part.
    pub(super) fn path_index(&self, character: u32, part: usize) -> u32 {
        self.buffers.first_path[character as usize] + part as u32
    }

    /// Returns the stored pose of a part before the tick.
    pub(super) fn pose_before(&self, character: u32, part: usize) -> &'a Pose<T> {
        let kind = self.buffers.kinds[character as usize];
        let slot = self.buffers.swept.entries[character as usize].slot;
        let scene = if kind == MotionPath::Jump { self.after } else { self.before };
        &scene.characters[slot].poses[part]
    }
}

impl<T: Scalar> MotionBuffers<T> {
    fn update(
        &mut self,
        before: &Scene<T>,
        after: &Scene<T>,
        kinds: &[(CharacterKey, MotionPath)],
    ) -> Result<(), Error> {
        self.swept.replace_boxes(after);
        self.set_kinds(before, after, kinds);
        self.first_path.clear();
        let mut count = 0;
        for entry in &self.swept.entries {
            self.first_path.push(count);
            count += entry.range.len as u32;
        }
        self.paths.clear();
        self.paths.resize(count as usize, PartPath::UNSET);
        for index in 0..self.swept.entries.len() as u32 {
            self.pending.push(index);
            while let Some(&index) = self.pending.last() {
                match self.holder_to_place(before, after, index) {
                    Some(holder) => self.pending.push(holder),
                    None => {
                        self.pending.pop();
                        self.place(before, after, index);
                    }
                }
            }
        }
        let (paths, first_path, kinds) = (&self.paths, &self.first_path, &self.kinds);
        let poses_before = |index: usize, slot| match kinds[index] {
            MotionPath::Jump => &after.characters[slot].poses[..],
            _ => &before.characters[slot].poses[..],
        };
        swept_boxes::fill(&mut self.swept, after, (paths, first_path), poses_before);
        Ok(())
    }

    /// Sets the path of each character: those that are not in both scenes with one model jump.
    fn set_kinds(
        &mut self,
        before: &Scene<T>,
        after: &Scene<T>,
        kinds: &[(CharacterKey, MotionPath)],
    ) {
        self.kinds.clear();
        let default = |slot| match before.characters.get(slot) {
            Some(earlier) if Arc::ptr_eq(&earlier.model, &after.characters[slot].model) => {
                MotionPath::Joints
            }
            _ => MotionPath::Jump,
        };
        self.kinds.extend(self.swept.entries.iter().map(|entry| default(entry.slot)));
        for &(key, kind) in kinds {
            let index = self.swept.indices[key.slot] as usize;
            if default(key.slot) != MotionPath::Jump {
                self.kinds[index] = kind;
            }
        }
    }

    /// Returns the index of a holder whose paths are still to be computed, if the paths of a
    /// character are relative to it.
    fn holder_to_place(&self, before: &Scene<T>, after: &Scene<T>, index: u32) -> Option<u32> {
        let (holder, _) = self.kept_holder(before, after, index)?;
        let first = self.first_path[holder as usize] as usize;
        // A holder has parts, or nothing could be attached to one.
        (self.paths[first].is_unset()).then_some(holder)
    }

    /// Returns the index and the part of the holder that a character is attached to before and
    /// after the tick, if it moves with it.
    fn kept_holder(&self, before: &Scene<T>, after: &Scene<T>, index: u32) -> Option<(u32, usize)> {
        let slot = self.swept.entries[index as usize].slot;
        if self.kinds[index as usize] != MotionPath::Joints || after.attachments.is_empty() {
            return None;
        }
        let HolderLink { holder, part, .. } = *after.attachments.holder_of(slot)?;
        let earlier = before.attachments.holder_of(slot)?;
        let is_kept = (earlier.holder, earlier.part) == (holder, part);
        let place = self.swept.indices[holder];
        (is_kept && self.kinds[place as usize] != MotionPath::Jump).then_some((place, part.index()))
    }

    /// Computes the paths of a character.
    fn place(&mut self, before: &Scene<T>, after: &Scene<T>, index: u32) {
        let slot = self.swept.entries[index as usize].slot;
        let later = &after.characters[slot];
        let first = self.first_path[index as usize] as usize;
        if later.model.len() == 0 || !self.paths[first].is_unset() {
            return;
        }
        let kind = self.kinds[index as usize];
        let rests = kind == MotionPath::Jump
            || before.characters.stamp(slot) == after.characters.stamp(slot);
        if rests {
            for (part, pose) in later.poses.iter().enumerate() {
                self.paths[first + part] = PartPath::still(RigidMotion::normalised(pose));
            }
            return;
        }
        let earlier = &before.characters[slot].poses;
        let holder = self.kept_holder(before, after, index);
        self.ends.clear();
        for (part, poses) in earlier.iter().zip(&later.poses).enumerate() {
            let ends = [poses.0, poses.1].map(RigidMotion::normalised);
            self.ends.push(ends);
            let parent = match (kind, later.model.parts()[part].parent()) {
                (MotionPath::Joints, Some(parent)) => {
                    Some(((first + parent.index()) as u32, self.ends[parent.index()]))
                }
                (MotionPath::Joints, None) => holder.map(|(place, part)| {
                    let slot = self.swept.entries[place as usize].slot;
                    let poses = [before, after]
                        .map(|scene| RigidMotion::normalised(&scene.characters[slot].poses[part]));
                    (self.first_path[place as usize] + part as u32, poses)
                }),
                _ => None,
            };
            self.paths[first + part] = match parent {
                Some((parent, above)) => {
                    let local = [above[0].relative(&ends[0]), above[1].relative(&ends[1])];
                    PartPath::new(local, Some((parent, &self.paths[parent as usize])))
                }
                None => PartPath::new(ends, None),
            };
        }
    }
}
