//! The motion of all characters over several ticks, and its queries.

use std::ops::{Range, RangeInclusive};

use super::history::{History, StateWithPaths};
use super::impact::Impact;
use super::path::MotionPath;
use super::scene_motion::{MotionBuffers, SceneMotion};
use crate::error::Error;
use crate::num::Scalar;
use crate::scene::{CharacterKey, PairQuery, QueryScratch, Scene};

/// The motion of all characters through several states of a scene, one tick between each two: the
/// waypoints of a robot, a second of a fight that is replayed.
///
/// Tick `k` is the [`SceneMotion`] from state `k` to state `k + 1`. A query searches the ticks in
/// order; [`first_impact`](Self::first_impact) and [`intersects`](Self::intersects) stop at the
/// first tick with an impact. A query may only name characters that all states have, the first
/// state excepted: a character that joins after the first tick is found by queries about
/// [all](PairQuery::all) or about [another](PairQuery::of).
///
/// ```
/// # boxwood::fixture_model!(cube, model);
/// use boxwood::{Accuracy, MotionBuffers, QueryScratch, SceneTrajectory};
///
/// // A cube of size 1 moves along a corner: 4 up, then 10 along x, past another cube.
/// let mut scene = Scene::new();
/// let mover = scene.insert(&model, Spawn::at(Isometry3::translation(-5.0, -4.0, 0.0)))?;
/// let target = scene.insert(&model, Spawn::default())?;
/// let mut waypoints = vec![scene.clone()];
/// for [x, y] in [[-5.0, 0.0], [5.0, 0.0]] {
///     scene.set_root(mover, &Isometry3::translation(x, y, 0.0))?;
///     waypoints.push(scene.clone());
/// }
///
/// let (mut buffers, mut scratch) = (MotionBuffers::new(), QueryScratch::new());
/// let trajectory = SceneTrajectory::new(&waypoints)?;
/// let query = PairQuery::between(mover, target).accuracy(Accuracy::Within(0.001));
/// let found = trajectory.first_impact(&query, &mut buffers, &mut scratch)?.expect("it hits");
/// assert_eq!(found.tick, 1);
/// assert!((found.impact.time - 0.4).abs() < 1e-3);
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct SceneTrajectory<'a, T: Scalar> {
    states: States<'a, T>,
    /// First and last state.
    range: [u64; 2],
}

/// The states of a trajectory, and the paths from each to the next.
#[derive(Debug, Clone, Copy)]
enum States<'a, T: Scalar> {
    Slice { scenes: &'a [Scene<T>], paths: &'a [(CharacterKey, MotionPath)] },
    History(&'a History<T>),
}

/// The first contact of two parts in a trajectory.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct TickImpact<T: Scalar> {
    /// Tick of the impact: the number of the state before it. In a history, the poses at the impact
    /// are those [`at`](History::at) this tick and the fraction [`Impact::time`].
    pub tick: u64,
    /// Impact within the tick. Its times are shares of this tick, and
    /// [`touching_at_start`](Impact::touching_at_start) and
    /// [`touching_at_end`](Impact::touching_at_end) are about the ends of this tick.
    pub impact: Impact<T>,
}

impl<'a, T: Scalar> SceneTrajectory<'a, T> {
    /// Creates the trajectory through states of a scene; every character moves by its
    /// [joints](MotionPath::Joints). All states are clones of one scene.
    ///
    /// # Errors
    /// [`Error::BadQuery`] for fewer than two states; [`Error::ForeignState`] for the first state
    /// that is not of the scene of state 0.
    pub fn new(states: &'a [Scene<T>]) -> Result<Self, Error> {
        SceneTrajectory::with_paths(states, &[])
    }

    /// Like [`SceneTrajectory::new`], with other paths for some characters, in every tick: of
    /// several for one character the last counts. A [`History`] has paths that differ from tick to
    /// tick, as of a character that teleports once.
    ///
    /// # Errors
    /// The errors of [`SceneTrajectory::new`]; [`Error::StaleKey`] and [`Error::ForeignKey`] for a
    /// character that a state after the first does not have.
    pub fn with_paths(
        states: &'a [Scene<T>],
        paths: &'a [(CharacterKey, MotionPath)],
    ) -> Result<Self, Error> {
        let [first, _, ..] = states else { return Err(TOO_FEW) };
        if let Some(index) = states.iter().position(|state| state.id != first.id) {
            return Err(Error::ForeignState { index });
        }
        for state in &states[1..] {
            for &(key, _) in paths {
                state.character(key)?;
            }
        }
        let range = [0, states.len() as u64 - 1];
        Ok(SceneTrajectory { states: States::Slice { scenes: states, paths }, range })
    }

    /// Finds the first impact of all pairs of parts that the query is about, in the first tick that
    /// has one; `None` if all of them are apart during all ticks, further apart than the
    /// [margin](PairQuery::margin). See [`SceneMotion::first_impact`].
    ///
    /// # Errors
    /// The errors of [`SceneMotion::first_impact`], whatever tick they are about.
    pub fn first_impact(
        &self,
        query: &PairQuery<'_>,
        buffers: &mut MotionBuffers<T>,
        scratch: &mut QueryScratch<T>,
    ) -> Result<Option<TickImpact<T>>, Error> {
        self.check(query)?;
        for tick in self.ticks() {
            let motion = self.motion(tick, buffers)?;
            if let Some(impact) = motion.first_impact(query, scratch)? {
                return Ok(Some(TickImpact { tick, impact }));
            }
        }
        Ok(None)
    }

    /// Returns `true` if any two parts that the query is about have an [impact](Impact) in any
    /// tick. Cheaper than the first impact.
    ///
    /// # Errors
    /// The errors of [`SceneTrajectory::first_impact`].
    pub fn intersects(
        &self,
        query: &PairQuery<'_>,
        buffers: &mut MotionBuffers<T>,
        scratch: &mut QueryScratch<T>,
    ) -> Result<bool, Error> {
        self.check(query)?;
        for tick in self.ticks() {
            if self.motion(tick, buffers)?.intersects(query, scratch)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Writes the first impact of every pair of parts that has one, sorted by tick, then by
    /// [`clear_until`](Impact::clear_until), then by order of the characters and parts.
    ///
    /// # Errors
    /// The errors of [`SceneTrajectory::first_impact`]; then there are no impacts.
    pub fn impacts(
        &self,
        query: &PairQuery<'_>,
        buffers: &mut MotionBuffers<T>,
        scratch: &mut QueryScratch<T>,
        impacts: &mut Vec<TickImpact<T>>,
    ) -> Result<(), Error> {
        impacts.clear();
        self.check(query)?;
        let mut memory = std::mem::take(&mut buffers.first_impacts);
        memory.clear();
        let searched = self.ticks().try_for_each(|tick| {
            let motion = self.motion(tick, buffers)?;
            motion.impacts(query, scratch, &mut memory.of_tick)?;
            memory.keep_new();
            impacts.extend(memory.of_tick.iter().map(|&impact| TickImpact { tick, impact }));
            Ok(())
        });
        buffers.first_impacts = memory;
        if searched.is_err() {
            impacts.clear();
        }
        searched
    }

    /// Returns an error if a state that some tick ends in refuses the query, so that no error
    /// depends on the tick in which the search stops.
    fn check(&self, query: &PairQuery<'_>) -> Result<(), Error> {
        self.ticks().try_for_each(|tick| query.check_all_keys(self.state(tick + 1)?.0))
    }

    fn ticks(&self) -> Range<u64> {
        self.range[0]..self.range[1]
    }

    /// Returns the motion of a tick.
    fn motion<'b>(
        &self,
        tick: u64,
        buffers: &'b mut MotionBuffers<T>,
    ) -> Result<SceneMotion<'b, T>, Error>
    where
        'a: 'b,
    {
        let ((before, _), (after, paths)) = (self.state(tick)?, self.state(tick + 1)?);
        SceneMotion::with_paths(before, after, paths, buffers)
    }

    /// Returns a state, and the paths on which characters came there from the state before it.
    fn state(&self, tick: u64) -> Result<StateWithPaths<'a, T>, Error> {
        match self.states {
            States::Slice { scenes, paths } => Ok((&scenes[tick as usize], paths)),
            States::History(history) => history.state_with_paths(tick),
        }
    }
}

const TOO_FEW: Error = Error::BadQuery { reason: "a trajectory needs two states at least" };

impl<T: Scalar> History<T> {
    /// Returns the motion from the first of the ticks through all others to the last, along the
    /// paths that were [pushed](Self::push_with_paths) with them.
    ///
    /// ```
    /// # boxwood::fixture_model!(cube, model);
    /// use boxwood::{Accuracy, History, MotionBuffers, PastScene, QueryScratch};
    ///
    /// // A cube of size 1 passes another, one unit a tick.
    /// let mut scene = Scene::new();
    /// let runner = scene.insert(&model, Spawn::default())?;
    /// let wall = scene.insert(&model, Spawn::at(Isometry3::translation(4.5, 0.0, 0.0)))?;
    /// let mut history = History::new(64);
    /// for tick in 0..10 {
    ///     scene.set_root(runner, &Isometry3::translation(tick as f32, 0.0, 0.0))?;
    ///     history.push(tick, &scene)?;
    /// }
    /// let (mut buffers, mut scratch) = (MotionBuffers::new(), QueryScratch::new());
    /// let query = PairQuery::between(runner, wall).accuracy(Accuracy::Within(0.001));
    /// let replay = history.trajectory(2..=9)?;
    /// let found = replay.first_impact(&query, &mut buffers, &mut scratch)?.expect("it hits");
    /// assert!(found.tick == 3 && (found.impact.time - 0.5).abs() < 1e-3);
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotInHistory`] for an end of the range that it does not have; [`Error::BadQuery`]
    /// for fewer than two ticks.
    pub fn trajectory(&self, ticks: RangeInclusive<u64>) -> Result<SceneTrajectory<'_, T>, Error> {
        let range = [*ticks.start(), *ticks.end()];
        for tick in range {
            self.state_with_paths(tick)?;
        }
        match range[0] < range[1] {
            true => Ok(SceneTrajectory { states: States::History(self), range }),
            false => Err(TOO_FEW),
        }
    }
}
