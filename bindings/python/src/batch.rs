//! Batches of configurations, prepared once for calls that repeat.

use std::sync::{Arc, Mutex};

use boxwood::f64::CollisionBatch;
use boxwood::load;
use boxwood::model::{BatchPair, BatchPart};
use boxwood::{Accuracy, Error};

use crate::arrays::Rows;
use crate::own::{Question, Thread};
use crate::places::Row;
use crate::world::World;

/// Number of rows of one question from which a batch is prepared for it. Fitting volumes to the
/// Panda takes as long as 4,000 of its rows, and a row of a batch takes 0.4 of the time: with this
/// number no question takes twice the time that it would with the other choice.
const PREPARED_ROWS: usize = 6_000;
/// Largest number of questions that are remembered.
const KEPT: usize = 4;
/// Largest number of parts of a world that a batch compares with each part of the robot.
const MOST_OBSTACLES: usize = 64;

/// A batch of a question.
pub struct Prepared {
    /// `true` if the batch has the world; else the world, if any, has to be tested row by row.
    has_world: bool,
    batch: CollisionBatch,
}

/// A question that was asked, with the number of its rows so far.
struct Asked {
    accuracy: Accuracy,
    margin: f64,
    /// The world of the batch.
    world: Option<World>,
    rows: usize,
    prepared: Option<Arc<Prepared>>,
}

impl Asked {
    fn is(&self, question: &Question<'_>, world: Option<&World>) -> bool {
        self.accuracy == question.accuracy
            && self.margin.to_bits() == question.margin.to_bits()
            && match (&self.world, world) {
                (Some(own), Some(other)) => own.is_one_with(other),
                (None, None) => true,
                _ => false,
            }
    }
}

/// Questions about a robot, the last asked last.
#[derive(Default)]
pub struct Batches(Mutex<Vec<Asked>>);

impl Batches {
    /// Returns the batch of a question that has had enough rows, with those now. `None` also for
    /// questions that have to be refused, each row by itself.
    pub fn prepare(&self, question: &Question<'_>, rows: usize) -> Option<Arc<Prepared>> {
        if !question.own {
            return None;
        }
        // Obstacles of a batch stand still.
        let world = question.world.filter(|_| question.places.have_still_items());
        let world = world.filter(|world| world.part_count() <= MOST_OBSTACLES);
        let mut all = self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let mut asked = match all.iter().rposition(|asked| asked.is(question, world)) {
            Some(at) => all.remove(at),
            None => {
                let (accuracy, margin) = (question.accuracy, question.margin);
                Asked { accuracy, margin, world: world.cloned(), rows: 0, prepared: None }
            }
        };
        asked.rows = asked.rows.saturating_add(rows);
        if asked.prepared.is_none() && asked.rows >= PREPARED_ROWS {
            asked.prepared = Prepared::new(question, world).ok().map(Arc::new);
        }
        let prepared = asked.prepared.clone();
        if all.len() == KEPT {
            all.remove(0);
        }
        all.push(asked);
        prepared
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
        Ok(Prepared { has_world: world.is_some(), batch })
    }

    /// Writes the verdicts of the rows from `first` on. The error is that of the first refused row.
    pub fn collides(
        &self,
        question: &Question<'_>,
        thread: &mut Thread<'_>,
        (q, first): (&Rows, usize),
        out: &mut [bool],
    ) -> Result<(), (usize, Error)> {
        let (values, scratch) = (q.range(first, out.len()), &mut thread.robot.batch);
        let checked = match question.places.bases(first, out.len()) {
            // Without obstacles, nothing depends on the base.
            bases if self.has_world && !bases.is_empty() => {
                self.batch.check_with_bases(values, bases, out, scratch)
            }
            _ => self.batch.check(values, out, scratch),
        };
        checked.map_err(|error| refusal(first, error))?;
        if self.has_world || question.world.is_none() {
            return Ok(());
        }
        for (row, out) in out.iter_mut().enumerate().filter(|(_, out)| !**out) {
            let index = first + row;
            let row = Row { index, values: q.get(index) };
            *out = question.hits_world(thread, row).map_err(|error| (index, error))?;
        }
        Ok(())
    }

    /// Writes the touching pairs of the rows from `first` on, like [`Question::pairs`] in each.
    pub fn pairs(
        &self,
        question: &Question<'_>,
        thread: &mut Thread<'_>,
        (q, first): (&Rows, usize),
        out: &mut [Vec<[i64; 2]>],
    ) -> Result<(), (usize, Error)> {
        let (rows, own_parts) = (out.len(), question.robot.model.len());
        let (values, scratch) = (q.range(first, rows), &mut thread.robot.batch);
        let found = match question.places.bases(first, rows) {
            bases if self.has_world && !bases.is_empty() => {
                self.batch.pairs_with_bases(values, bases, rows, scratch)
            }
            _ => self.batch.pairs(values, rows, scratch),
        };
        for &BatchPair { row, a, b } in found.map_err(|error| refusal(first, error))? {
            let b = match (b, question.world) {
                (BatchPart::Robot(part), _) => part.index() as i64,
                (BatchPart::Obstacle { index, part }, Some(world)) => {
                    world.item_part_index(own_parts, index, part)
                }
                _ => return Err((first + row, UNKNOWN)),
            };
            out[row].push([a.index() as i64, b]);
        }
        if self.has_world || question.world.is_none() {
            return Ok(());
        }
        for (row, out) in out.iter_mut().enumerate() {
            let index = first + row;
            let row = Row { index, values: q.get(index) };
            question.world_pairs(thread, row, out).map_err(|error| (index, error))?;
        }
        Ok(())
    }
}

/// Error for a kind of part that a later version of the library may add.
const UNKNOWN: Error =
    Error::BadQuery { reason: "the Python package lacks this kind of part in a pair" };

/// Returns the refused row and its error; the rows of a block begin at `first`.
fn refusal(first: usize, error: Error) -> (usize, Error) {
    match error {
        Error::Row { row, source } => (first + row, *source),
        error => (first, error),
    }
}
