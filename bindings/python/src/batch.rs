//! Batches of configurations, prepared once for calls that repeat.

use std::sync::{Arc, Mutex};

use boxwood::f64::{CollisionBatch, CollisionBatchScratch};
use boxwood::load;
use boxwood::{Accuracy, Error};

use crate::arrays::Rows;
use crate::own::{Question, Thread};
use crate::world::World;

/// Number of rows from which a call prepares a batch: fitting volumes to the parts takes as long as
/// some ten thousand checks, so a call with fewer rows uses one that is there, or none.
const PREPARED_ROWS: usize = 2_000;
/// Largest number of prepared batches of a robot.
const KEPT: usize = 4;
/// Largest number of parts of a world that a batch compares with each part of the robot.
const MOST_OBSTACLES: usize = 64;

/// A batch, and what it was prepared for.
pub struct Prepared {
    accuracy: Accuracy,
    margin: f64,
    /// `None`: the world, if any, has to be tested row by row.
    world: Option<World>,
    batch: CollisionBatch,
}

/// Prepared batches of a robot, the last used last.
#[derive(Default)]
pub struct Batches(Mutex<Vec<Arc<Prepared>>>);

impl Batches {
    /// Returns the batch of a question, if there is one or the rows are worth preparing it. `None`
    /// also for questions that have to be refused, each row by itself.
    pub fn prepare(&self, question: &Question<'_>, rows: usize) -> Option<Arc<Prepared>> {
        if !question.own {
            return None;
        }
        let world = question.world.filter(|world| world.part_count() <= MOST_OBSTACLES);
        let is_asked = |kept: &Arc<Prepared>| {
            kept.accuracy == question.accuracy
                && kept.margin.to_bits() == question.margin.to_bits()
                && match (&kept.world, world) {
                    (Some(kept), Some(asked)) => kept.is_one_with(asked),
                    (None, None) => true,
                    _ => false,
                }
        };
        let mut all = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(at) = all.iter().rposition(is_asked) {
            let found = all.remove(at);
            all.push(Arc::clone(&found));
            return Some(found);
        }
        if rows < PREPARED_ROWS {
            return None;
        }
        let new = Arc::new(Prepared::new(question, world).ok()?);
        if all.len() == KEPT {
            all.remove(0);
        }
        all.push(Arc::clone(&new));
        Some(new)
    }
}

impl Prepared {
    fn new(question: &Question<'_>, world: Option<&World>) -> Result<Self, Error> {
        let load::Robot { mechanism, model, .. } = question.robot;
        let query = boxwood::SelfQuery::new(question.accuracy).margin(question.margin);
        let mut batch = CollisionBatch::new(mechanism, model, query)?;
        for (model, poses) in world.into_iter().flat_map(World::obstacles) {
            batch = batch.with_obstacle(model, poses)?;
        }
        let (accuracy, margin) = (question.accuracy, question.margin);
        Ok(Prepared { accuracy, margin, world: world.cloned(), batch })
    }

    /// Writes the verdicts of the rows from `first` on. The error is that of the first refused row.
    pub fn collides(
        &self,
        question: &Question<'_>,
        (thread, scratch): (&mut Thread<'_>, &mut CollisionBatchScratch),
        (q, first): (&Rows, usize),
        out: &mut [bool],
    ) -> Result<(), (usize, Error)> {
        let checked = self.batch.check(q.range(first, out.len()), out, scratch);
        checked.map_err(|error| match error {
            Error::Row { row, source } => (first + row, *source),
            error => (first, error),
        })?;
        if self.world.is_some() || question.world.is_none() {
            return Ok(());
        }
        for (row, out) in out.iter_mut().enumerate().filter(|(_, out)| !**out) {
            let row = first + row;
            *out = question.hits_world(thread, q.get(row)).map_err(|error| (row, error))?;
        }
        Ok(())
    }
}
