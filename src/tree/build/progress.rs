//! Progress of long work, and its cancellation.

use std::ops::ControlFlow;

use crate::error::Error;

/// Progress of long work. `done` never decreases within a stage, and ends at `total`.
///
/// ```
/// # boxwood::fixture_tree!(cube, tree);
/// use std::ops::ControlFlow;
/// use boxwood::tree::{Progress, Stage};
///
/// let mut seen = Vec::new();
/// let mut watch = |now: Progress| {
///     seen.push(now);
///     ControlFlow::Continue(())
/// };
/// ObbTree::build_watched(Geometry::Boxes(vec![cube]), &Build::default(), &mut watch)?;
/// let last = seen.last().expect("the end is reported");
/// assert_eq!((last.stage, last.done), (Stage::Building, last.total));
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Current stage.
    pub stage: Stage,
    /// Amount of work done.
    pub done: usize,
    /// Amount of work in the stage.
    pub total: usize,
}

/// Stage of the work. Stages come in this order, each once.
///
/// ```
/// use boxwood::tree::Stage;
///
/// assert!(Stage::Reading < Stage::Building); // in the order they come
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Stage {
    /// Reading of a file: 0, then 1 of 1.
    Reading,
    /// Building of trees, counted in primitives. Each counts twice: for its leaf and for the bounds
    /// around it.
    Building,
}

/// Progress function, called a few hundred times at most. It may stop the work, which then ends
/// with [`Error::Cancelled`].
pub type Watch<'a> = dyn FnMut(Progress) -> ControlFlow<()> + 'a;

/// Never stops the work.
pub(crate) fn unwatched(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Largest number of reports of one piece of work.
const MAX_REPORTS: usize = 256;

/// Progress of building one or more trees.
pub(crate) trait BuildProgress {
    /// Returns the work done so far.
    fn done(&self) -> usize;

    /// Sets the work done, and reports it if it advanced enough.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    fn advance(&mut self, done: usize) -> Result<(), Error>;
}

/// Reports the progress of building to a function of the caller.
pub(crate) struct WatchedBuild<'a, 'b> {
    watch: &'a mut Watch<'b>,
    done: usize,
    total: usize,
    reported: usize,
}

impl<'a, 'b> WatchedBuild<'a, 'b> {
    /// Reports the start of work on `primitives` primitives in all.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn new(watch: &'a mut Watch<'b>, primitives: usize) -> Result<Self, Error> {
        let progress = WatchedBuild { watch, done: 0, total: 2 * primitives, reported: 0 };
        match (progress.watch)(Progress { stage: Stage::Building, done: 0, total: progress.total })
        {
            ControlFlow::Continue(()) => Ok(progress),
            ControlFlow::Break(()) => Err(Error::Cancelled),
        }
    }
}

impl BuildProgress for WatchedBuild<'_, '_> {
    fn done(&self) -> usize {
        self.done
    }

    fn advance(&mut self, done: usize) -> Result<(), Error> {
        self.done = done;
        let report_step = self.total.div_ceil(MAX_REPORTS);
        if done == self.reported || (done - self.reported < report_step && done < self.total) {
            return Ok(());
        }
        self.reported = done;
        match (self.watch)(Progress { stage: Stage::Building, done, total: self.total }) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Error::Cancelled),
        }
    }
}
