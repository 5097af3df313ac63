//! Progress of long work, and its cancellation.

use std::ops::ControlFlow;

use crate::error::Error;

/// The progress of long work. `done` never decreases within a stage, and ends at `total`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// The current stage.
    pub stage: Stage,
    /// The amount of work done.
    pub done: usize,
    /// The amount of work in the stage.
    pub total: usize,
}

/// A stage of the work. Stages come in this order, each once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Stage {
    /// A file is read: 0, then 1 of 1.
    Reading,
    /// Trees are built: counted in primitives, each twice, for its place in a tree and for the
    /// bounds around it.
    Building,
}

/// A progress function, called some hundred times at most; it may stop the work, which then ends
/// with [`Error::Cancelled`].
pub type Watch<'a> = dyn FnMut(Progress) -> ControlFlow<()> + 'a;

/// A progress function that never stops the work.
pub(crate) fn unwatched(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// The most reports of one piece of work.
const STEPS: usize = 256;

/// Reports the progress of building one or more trees.
pub(crate) struct BuildProgress<'a, 'b> {
    watch: &'a mut Watch<'b>,
    done: usize,
    total: usize,
    reported: usize,
}

impl<'a, 'b> BuildProgress<'a, 'b> {
    /// Reports the start of work on `primitives` primitives in all.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn new(watch: &'a mut Watch<'b>, primitives: usize) -> Result<Self, Error> {
        let progress = BuildProgress { watch, done: 0, total: 2 * primitives, reported: 0 };
        match (progress.watch)(Progress { stage: Stage::Building, done: 0, total: progress.total })
        {
            ControlFlow::Continue(()) => Ok(progress),
            ControlFlow::Break(()) => Err(Error::Cancelled),
        }
    }

    /// The progress so far, to count on from.
    pub fn done(&self) -> usize {
        self.done
    }

    /// Sets the progress, and reports it if it advanced enough.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn reach(&mut self, done: usize) -> Result<(), Error> {
        self.done = done;
        let enough = self.total.div_ceil(STEPS);
        if done == self.reported || (done - self.reported < enough && done < self.total) {
            return Ok(());
        }
        self.reported = done;
        match (self.watch)(Progress { stage: Stage::Building, done, total: self.total }) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Error::Cancelled),
        }
    }
}
