//! Earlier states of a scene, at whole ticks and between them.

use std::ops::RangeInclusive;

use super::path::MotionPath;
use super::scene_motion::{MotionBuffers, SceneMotion, WrittenCharacters};
use crate::error::Error;
use crate::num::Scalar;
use crate::scene::{CharacterKey, QueryScratch, Scene};

/// The last ticks of a scene, for lag compensation and rollback: a server tests the shot of a
/// player against what that player saw, at a fraction of a tick.
///
/// Between two ticks the parts move along the same paths as in a
/// [`SceneMotion`], so that a shot into the past and a swept query agree.
/// Storage is reused: once all ticks have been pushed, no more is allocated.
///
/// ```
/// # boxwood::fixture_model!(cube, model);
/// use boxwood::{History, PastScene};
///
/// let mut scene = Scene::new();
/// let runner = scene.insert(&model, Spawn::default())?;
/// let mut history = History::new(64);
/// for tick in 0..100 {
///     scene.set_root(runner, &Isometry3::translation(tick as f32, 0.0, 0.0))?;
///     history.push(tick, &scene)?;
/// }
/// assert_eq!(history.ticks(), Some(36..=99));
/// let mut past = PastScene::new();
/// let then = history.at(50, 0x8000, &mut past)?; // half a tick later
/// assert_eq!(then.pose(runner, model.part("cube")?)?.translation.x, 50.5);
/// assert!(history.at(7, 0, &mut past).is_err()); // overwritten
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct History<T: Scalar> {
    /// States by tick, in a ring that begins with the tick `start`.
    states: Vec<State<T>>,
    start: u64,
    ticks: Option<[u64; 2]>,
    capacity: usize,
}

#[derive(Debug, Clone)]
struct State<T: Scalar> {
    scene: Scene<T>,
    /// Paths on which characters came here.
    paths: Vec<(CharacterKey, MotionPath)>,
}

/// The memory of a state between two ticks. See [`History::at`].
#[derive(Debug, Clone, Default)]
pub struct PastScene<T: Scalar> {
    scene: Scene<T>,
    written: WrittenCharacters,
    buffers: MotionBuffers<T>,
    scratch: QueryScratch<T>,
}

/// A state of a scene, and the paths on which characters came there.
pub(super) type StateWithPaths<'a, T> = (&'a Scene<T>, &'a [(CharacterKey, MotionPath)]);

impl<T: Scalar> PastScene<T> {
    /// Returns empty memory.
    pub fn new() -> Self {
        PastScene::default()
    }
}

impl<T: Scalar> History<T> {
    /// Returns an empty history of that many ticks, at least two.
    pub fn new(ticks: usize) -> Self {
        History { states: Vec::new(), start: 0, ticks: None, capacity: ticks.max(2) }
    }

    /// Returns the ticks that it has; `None` if it is empty.
    pub fn ticks(&self) -> Option<RangeInclusive<u64>> {
        self.ticks.map(|[first, last]| first..=last)
    }

    /// Adds the state at the end of a tick, the next one. A tick that it has already is replaced,
    /// and all later ones are dropped: a rollback. An earlier tick than all, or the first after a
    /// gap, starts anew.
    ///
    /// # Errors
    /// [`Error::BadQuery`] for a scene of which the others are no clones.
    pub fn push(&mut self, tick: u64, scene: &Scene<T>) -> Result<(), Error> {
        self.push_with_paths(tick, scene, &[])
    }

    /// Like [`push`](Self::push), with the paths on which some characters came here from the tick
    /// before: a teleport is [`MotionPath::Jump`].
    ///
    /// # Errors
    /// The errors of [`push`](Self::push); [`Error::StaleKey`] and [`Error::ForeignKey`] for a
    /// character of a path.
    pub fn push_with_paths(
        &mut self,
        tick: u64,
        scene: &Scene<T>,
        paths: &[(CharacterKey, MotionPath)],
    ) -> Result<(), Error> {
        for &(key, _) in paths {
            scene.character(key)?;
        }
        if self.states.first().is_some_and(|state| state.scene.id != scene.id) {
            return Err(Error::BadQuery { reason: "a history is of one scene and its clones" });
        }
        let capacity = self.capacity as u64;
        self.ticks = Some(match self.ticks {
            Some([first, last]) if first <= tick && tick <= last.saturating_add(1) => {
                [first.max(tick.saturating_sub(capacity - 1)), tick]
            }
            _ => {
                self.start = tick;
                [tick; 2]
            }
        });
        let index = self.index(tick);
        match self.states.get_mut(index) {
            Some(state) => {
                state.scene.clone_from(scene);
                state.paths.clear();
                state.paths.extend_from_slice(paths);
            }
            // Ticks follow each other: the next place.
            None => self.states.push(State { scene: scene.clone(), paths: paths.to_vec() }),
        }
        Ok(())
    }

    /// Returns the state at a tick and a fraction of the next one, of 65536: at a fraction of 0 the
    /// scene that was pushed, bit for bit; else the characters of the next tick, between their
    /// poses, in `past`. One that joined in between, or jumped, is where the next tick has it.
    ///
    /// The scene is queried like any other; its keys are those of the scene that was pushed.
    ///
    /// # Errors
    /// [`Error::NotInHistory`] for a tick that was overwritten, dropped or not yet pushed, or whose
    /// next tick is not yet pushed although the fraction needs it.
    pub fn at<'p>(
        &'p self,
        tick: u64,
        fraction: u16,
        past: &'p mut PastScene<T>,
    ) -> Result<&'p Scene<T>, Error> {
        self.between(tick, fraction, None, past)
    }

    /// Like [`at`](Self::at), for some characters, the targets of a shot: all others stay where the
    /// next tick has them. Cheaper in a scene of many, most of all where the same memory serves
    /// several calls between the same two ticks: then the others are there already.
    ///
    /// # Errors
    /// The errors of [`at`](Self::at); [`Error::StaleKey`] and [`Error::ForeignKey`] for a
    /// character that is not there.
    pub fn at_only<'p>(
        &'p self,
        (tick, fraction): (u64, u16),
        characters: &[CharacterKey],
        past: &'p mut PastScene<T>,
    ) -> Result<&'p Scene<T>, Error> {
        self.between(tick, fraction, Some(characters), past)
    }

    fn between<'p>(
        &'p self,
        tick: u64,
        fraction: u16,
        only: Option<&[CharacterKey]>,
        past: &'p mut PastScene<T>,
    ) -> Result<&'p Scene<T>, Error> {
        let state = self.state(tick)?;
        for &key in only.unwrap_or_default() {
            state.scene.character(key)?;
        }
        if fraction == 0 {
            return Ok(&state.scene);
        }
        // The tick after the greatest number is none that it has.
        let next = match tick.checked_add(1) {
            Some(next) => self.state(next)?,
            None => return Err(self.missing(tick)),
        };
        let PastScene { scene, written, buffers, scratch } = past;
        for &key in only.unwrap_or_default() {
            next.scene.character(key)?;
        }
        let ends = [&state.scene, &next.scene];
        let motion = SceneMotion::without_boxes(ends, (&next.paths, only), buffers);
        let keys = only.map(|keys| (keys, written));
        motion.write_scene_of(fraction, keys, scratch, scene);
        Ok(scene)
    }

    /// Returns the state that was pushed at a tick, and the paths that were pushed with it.
    pub(super) fn state_with_paths(&self, tick: u64) -> Result<StateWithPaths<'_, T>, Error> {
        self.state(tick).map(|state| (&state.scene, &state.paths[..]))
    }

    fn state(&self, tick: u64) -> Result<&State<T>, Error> {
        let has = self.ticks.is_some_and(|[first, last]| first <= tick && tick <= last);
        if has { Ok(&self.states[self.index(tick)]) } else { Err(self.missing(tick)) }
    }

    fn missing(&self, tick: u64) -> Error {
        let [first, last] = self.ticks.unwrap_or([1, 0]);
        Error::NotInHistory { tick, first, last }
    }

    /// Returns the place of a tick, not before the first.
    fn index(&self, tick: u64) -> usize {
        ((tick - self.start) % self.capacity as u64) as usize
    }
}
