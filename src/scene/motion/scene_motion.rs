//! The motion of all characters between two states of a scene, and its queries.

use std::ops::RangeInclusive;

use slotmap::DefaultKey;

use super::character_paths::{CharacterPaths, MotionEnds, PathSource};
use super::first_impacts::FirstImpacts;
use super::part_poses::PartPoses;
use super::part_travel::PartTravel;
use super::path::{MotionPath, STEPS};
use super::swept_boxes::{self, SweptMemory};
use crate::error::Error;
use crate::num::{Scalar, SimdLevel, precompiled};
use crate::scene::{Buffers, CharacterKey, QueryScratch, Scene, Snapshot};

/// The storage of a [`SceneMotion`]. Kept from tick to tick, it allocates only in the first few,
/// and computes the boxes of a character that does not move once.
#[derive(Debug, Clone, Default)]
pub struct MotionBuffers<T: Scalar> {
    swept: Buffers<T>,
    paths: CharacterPaths,
    /// Travel of each part that moves, by its number.
    travels: Vec<PartTravel>,
    memory: SweptMemory,
    pub(super) first_impacts: FirstImpacts<T>,
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
/// use boxwood::{Accuracy, MotionBuffers, QueryScratch, SceneMotion};
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
    /// First and last step that queries are about.
    window: [u32; 2],
}

precompiled! {
    /// Computes how all characters move, and the boxes of their parts.
    fn update<'a, T>(
        buffers: &'a mut MotionBuffers<T>,
        scenes: [&'a Scene<T>; 2],
        kinds: &'a [(CharacterKey, MotionPath)],
    ) -> () {
        buffers.update(scenes, kinds)
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
        update(buffers, [before, after], paths);
        Ok(SceneMotion { before, after, buffers, window: [0, STEPS] })
    }

    /// Creates the motion for poses alone, of some characters or of all: queries find nothing.
    pub(super) fn without_boxes(
        [before, after]: [&'a Scene<T>; 2],
        (paths, only): (&[(CharacterKey, MotionPath)], Option<&[CharacterKey]>),
        buffers: &'a mut MotionBuffers<T>,
    ) -> Self {
        buffers.update_paths([before, after], paths, only);
        SceneMotion { before, after, buffers, window: [0, STEPS] }
    }

    /// Restricts queries to a part of the tick: an attack that is armed from 0.25 to 0.8 of it. The
    /// ends are rounded outward to multiples of 2^-16.
    ///
    /// Times of impacts stay shares of the whole tick. What touches at the start of the window has
    /// its impact there; [`touching_at_start`](super::Impact::touching_at_start) and
    /// [`touching_at_end`](super::Impact::touching_at_end) are about the
    /// ends of the window.
    ///
    /// # Errors
    /// [`Error::NotFinite`] and [`Error::BadQuery`] for times that are not within 0 and 1, or of
    /// which the second is earlier.
    ///
    /// ```
    /// # boxwood::fixture_model!(cube, model);
    /// use boxwood::{Accuracy, MotionBuffers, QueryScratch, SceneMotion};
    ///
    /// // A cube flies past another; they touch from 0.4 to 0.6 of the tick.
    /// let mut scene = Scene::new();
    /// let arrow = scene.insert(&model, Spawn::at(Isometry3::translation(-5.0, 0.0, 0.0)))?;
    /// let target = scene.insert(&model, Spawn::default())?;
    /// let before = scene.clone();
    /// scene.set_root(arrow, &Isometry3::translation(5.0, 0.0, 0.0))?;
    /// let (mut buffers, mut scratch) = (MotionBuffers::new(), QueryScratch::new());
    /// let motion = SceneMotion::between(&before, &scene, &mut buffers)?;
    /// let query = PairQuery::all().accuracy(Accuracy::Within(0.001));
    /// assert!(!motion.window(0.7..=1.0)?.intersects(&query, &mut scratch)?);
    /// let armed = motion.window(0.5..=1.0)?.first_impact(&query, &mut scratch)?.expect("inside");
    /// assert!(armed.time == 0.5 && armed.touching_at_start && !armed.touching_at_end);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    pub fn window(self, times: RangeInclusive<f64>) -> Result<Self, Error> {
        let ends = [*times.start(), *times.end()];
        for (index, end) in ends.into_iter().enumerate() {
            if !end.is_finite() {
                return Err(Error::NotFinite { field: "window", index });
            }
        }
        if !(0.0 <= ends[0] && ends[0] <= ends[1] && ends[1] <= 1.0) {
            return Err(Error::BadQuery { reason: "a window is a range of times within 0 and 1" });
        }
        let steps = ends.map(|end| end * f64::from(STEPS));
        Ok(SceneMotion { window: [steps[0].floor() as u32, steps[1].ceil() as u32], ..self })
    }

    /// Writes the scene at a time of the tick, `fraction / 65536`, to `past`: the poses between
    /// which the queries of this motion search, rounded to the stored type, and all else as after
    /// the tick, as if by [`Scene::set_parts`]. At 0 the poses are those before the tick, bit for
    /// bit.
    ///
    /// A character that does not move, that jumps, or that the earlier state does not have, is as
    /// after the tick.
    pub fn write_scene(&self, fraction: u16, scratch: &mut QueryScratch<T>, past: &mut Scene<T>) {
        self.write_scene_of(fraction, None, scratch, past);
    }

    /// Like [`write_scene`](Self::write_scene); with a list of characters only for these, all
    /// others at their later poses.
    pub(super) fn write_scene_of(
        &self,
        fraction: u16,
        only: Option<(&[CharacterKey], &mut WrittenCharacters)>,
        scratch: &mut QueryScratch<T>,
        past: &mut Scene<T>,
    ) {
        match &only {
            Some((_, written)) if written.are_all(self.after, past) => {
                past.restore(self.after, &written.slots);
            }
            _ => past.clone_from(self.after),
        }
        let (poses, swept) =
            (scratch.motion.start_poses(self.source().part_count()), &self.buffers.swept);
        let mut write = |index, slot| self.write_character(fraction, (index, slot), poses, past);
        match only {
            Some((keys, written)) => {
                keys.iter().for_each(|key| write(swept.indices[key.slot], key.slot));
                written.slots.clear();
                written.slots.extend(keys.iter().map(|key| key.slot));
                written.states = Some([self.after, &*past].map(|scene| scene.characters.state()));
            }
            None => {
                let slots = swept.entries.iter().map(|entry| entry.slot);
                (0..).zip(slots).for_each(|(index, slot)| write(index, slot));
            }
        }
    }

    /// Writes the poses of a character at a time of the tick to a copy of the later scene.
    pub(super) fn write_character(
        &self,
        fraction: u16,
        (index, slot): (u32, DefaultKey),
        poses: &mut PartPoses,
        past: &mut Scene<T>,
    ) {
        let source = self.source();
        // A character that does not move is there already.
        if source.rests(index) {
            return;
        }
        if fraction == 0 {
            past.write_parts(slot, source.poses_before(index).iter().copied());
        } else {
            let parts = 0..self.after.characters[slot].model.len();
            let at = |part| poses.at(&source, (index, part), u32::from(fraction)).pose.pose();
            past.write_parts(slot, parts.map(at));
        }
    }

    /// Returns the later scene, with the boxes that contain each part during the tick.
    pub(super) fn swept(&self) -> Snapshot<'a, T> {
        Snapshot::new(self.after, &self.buffers.swept)
    }

    /// Returns the first and the last step that queries are about.
    pub(super) fn steps(&self) -> [u32; 2] {
        self.window
    }

    /// Returns the source of the paths of parts.
    pub(super) fn source(&self) -> PathSource<'a, T> {
        let MotionBuffers { swept: Buffers { entries, indices, .. }, paths, .. } = self.buffers;
        let ends = MotionEnds { scenes: [self.before, self.after], entries, indices };
        PathSource { ends, paths }
    }

    /// Returns the travel of each part of a character; `None` if it does not move.
    pub(super) fn travels(&self, character: u32) -> Option<&'a [PartTravel]> {
        let source = self.source();
        let first = source.first_number(character);
        (!source.rests(character)).then(|| &self.buffers.travels[first..])
    }
}

/// The characters in which a scene differs from the one that it was copied from, so that the next
/// copy has these alone to restore: a list of targets is short, and a scene may have many more.
#[derive(Debug, Clone, Default)]
pub(super) struct WrittenCharacters {
    /// Stamps of all characters of the original, and of the copy after they were written.
    states: Option<[u64; 2]>,
    slots: Vec<DefaultKey>,
}

impl WrittenCharacters {
    /// Returns `true` if the two scenes differ in these characters alone.
    fn are_all<T: Scalar>(&self, original: &Scene<T>, copy: &Scene<T>) -> bool {
        self.states == Some([original, copy].map(|scene| scene.characters.state()))
    }
}

impl<T: Scalar> MotionBuffers<T> {
    fn update(&mut self, scenes: [&Scene<T>; 2], kinds: &[(CharacterKey, MotionPath)]) {
        self.update_paths(scenes, kinds, None);
        let MotionBuffers { swept, paths, travels, memory, .. } = self;
        swept_boxes::fill((swept, travels), scenes, paths, memory);
    }

    /// Examines how some characters move, or all.
    fn update_paths(
        &mut self,
        scenes: [&Scene<T>; 2],
        kinds: &[(CharacterKey, MotionPath)],
        only: Option<&[CharacterKey]>,
    ) {
        self.swept.assign_entries(scenes[1]);
        let MotionBuffers { swept, paths, .. } = self;
        let ends = MotionEnds { scenes, entries: &swept.entries, indices: &swept.indices };
        paths.start(ends, kinds);
        match only {
            Some(keys) => {
                let indices = keys.iter().map(|key| swept.indices[key.slot]);
                indices.for_each(|index| paths.examine_with_holders(ends, index));
            }
            None => (0..swept.entries.len() as u32)
                .for_each(|index| paths.examine_with_holders(ends, index)),
        }
    }
}
