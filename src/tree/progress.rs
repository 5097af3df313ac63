//! How far long work has come, and whether to go on.

use std::ops::ControlFlow;

use crate::error::Error;

/// How far long work has come. `done` never goes back within a stage, and ends at `total`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// What is being done.
    pub stage: Stage,
    /// How much of it is done.
    pub done: usize,
    /// How much there is.
    pub total: usize,
}

/// What is being done. Stages come in this order, each once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Stage {
    /// A file is read: 0, then 1 of 1.
    Reading,
    /// Trees are built: counted in primitives, each twice, for its place in a tree and for the bounds around it.
    Building,
}

/// Who is told of progress, some hundred times at most, and may stop the work: it then ends with [`Error::Cancelled`].
pub type Watch<'a> = dyn FnMut(Progress) -> ControlFlow<()> + 'a;

/// Goes on, whatever is said.
pub(crate) fn unwatched(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// So many steps are told of.
const STEPS: usize = 256;

/// The trees of one piece of work: what is done, and who is told.
pub(crate) struct Told<'a, 'b> {
    watch: &'a mut Watch<'b>,
    done: usize,
    total: usize,
    said: usize,
}

impl<'a, 'b> Told<'a, 'b> {
    /// For that many primitives in all.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn new(watch: &'a mut Watch<'b>, primitives: usize) -> Result<Self, Error> {
        let told = Told { watch, done: 0, total: 2 * primitives, said: 0 };
        match (told.watch)(Progress { stage: Stage::Building, done: 0, total: told.total }) {
            ControlFlow::Continue(()) => Ok(told),
            ControlFlow::Break(()) => Err(Error::Cancelled),
        }
    }

    /// What is done so far, to count on from.
    pub fn done(&self) -> usize {
        self.done
    }

    /// So much is done now.
    ///
    /// # Errors
    /// [`Error::Cancelled`].
    pub fn reach(&mut self, done: usize) -> Result<(), Error> {
        self.done = done;
        let enough = self.total.div_ceil(STEPS);
        if done == self.said || (done - self.said < enough && done < self.total) {
            return Ok(());
        }
        self.said = done;
        match (self.watch)(Progress { stage: Stage::Building, done, total: self.total }) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Error::Cancelled),
        }
    }
}
