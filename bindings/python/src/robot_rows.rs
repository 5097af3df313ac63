//! Queries of a robot, row by row.

use std::sync::Arc;

use boxwood::{Error, PartId, load};
use pyo3::prelude::*;

use crate::accuracy::{Accuracy, asked};
use crate::arrays::check_rows;
use crate::arrays::{Numbers, Rows};
use crate::batch::{Batches, Prepared};
use crate::own::{Nearest, Question, RobotScratch, Thread};
use crate::places::{Places, Row};
use crate::raise::{raised, refused};
use crate::robot::Robot;
use crate::rows::{Pool, fill};
use crate::world::World;

impl Robot {
    pub fn of(robot: load::Robot<f64>) -> Self {
        Robot { robot, pool: Pool::default(), batches: Batches::default(), empty: World::default() }
    }

    /// Returns a copy with other tested pairs of parts, by name.
    pub fn with_pairs(
        &self,
        py: Python<'_>,
        pairs: &[(String, String)],
        change: impl Fn(&load::Robot<f64>, &[(&str, &str)]) -> Result<load::Robot<f64>, Error>,
    ) -> PyResult<Self> {
        let pairs: Vec<(&str, &str)> =
            pairs.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        change(&self.robot, &pairs).map(Robot::of).map_err(|error| raised(py, &error, None))
    }

    /// Parses a batch of configurations.
    pub fn configurations(&self, q: &Bound<'_, PyAny>, name: &str) -> PyResult<Rows> {
        Numbers::rows(q, self.robot.mechanism.actuators().len(), name)
    }

    /// Parses the ends of a batch of edges, and returns the number of edges.
    pub fn edge_rows(&self, [q0, q1]: [&Bound<'_, PyAny>; 2]) -> PyResult<([Rows; 2], usize)> {
        let ends = [self.configurations(q0, "q0")?, self.configurations(q1, "q1")?];
        let rows = if ends[0].rows == 1 { ends[1].rows } else { ends[0].rows };
        for (end, name) in ends.iter().zip(["q0", "q1"]) {
            check_rows(end, rows, name)?;
        }
        Ok((ends, rows))
    }

    /// Returns `true` if any pair of parts has a margin of its own.
    pub fn has_margins(&self) -> bool {
        let parts = || (0..self.robot.model.len()).map(PartId::new);
        parts().any(|a| parts().any(|b| a < b && self.robot.model.margin(a, b) > 0.0))
    }

    /// Leases the scratch memory of one thread.
    pub fn thread<'p>(&'p self, world: Option<&'p World>) -> Result<Thread<'p>, Error> {
        let robot = self.pool.lease(|_| true, || Ok(RobotScratch::default()))?;
        let world = world.map(|world| world.with(&self.robot.model)).transpose()?;
        Ok(Thread { robot, world })
    }

    pub fn question<'a>(
        &'a self,
        world: Option<&'a Bound<'_, World>>,
        (accuracy, margin, own): (Option<Accuracy>, f64, bool),
    ) -> Question<'a> {
        let (world, accuracy) = (world.map(|world| world.get()), asked(accuracy));
        let places = Places::default();
        Question { robot: &self.robot, world, own, accuracy, margin, places }
    }

    /// Like [`question`](Self::question), with places of the base and the items.
    pub fn placed_question<'a>(
        &'a self,
        world: Option<&'a Bound<'_, World>>,
        (base, world_poses): (Option<&Bound<'_, PyAny>>, Option<&Bound<'_, PyAny>>),
        asked: (Option<Accuracy>, f64, bool),
    ) -> PyResult<Question<'a>> {
        let places = Places::parsed(base, world_poses, world.map(|world| world.get()))?;
        Ok(Question { places, ..self.question(world, asked) })
    }

    pub fn nearest(
        &self,
        py: Python<'_>,
        q: &Bound<'_, PyAny>,
        (question, most): (&Question<'_>, f64),
        threads: usize,
    ) -> PyResult<Vec<Option<Nearest>>> {
        let q = self.configurations(q, "q")?;
        let mut out = vec![None; question.places.row_count(q.rows)?];
        fill(
            py,
            (&mut out, 1),
            threads,
            || self.thread(question.world),
            |thread, index, out| {
                out[0] = question.nearest(thread, Row { index, values: q.get(index) }, most)?;
                Ok(())
            },
        )?;
        Ok(out)
    }

    /// Returns the batch of a question that has had enough rows, with the configurations of its
    /// rows; else the configurations as they are.
    pub fn prepared(
        &self,
        py: Python<'_>,
        question: &Question<'_>,
        (q, rows): (Rows, usize),
    ) -> (Option<Arc<Prepared>>, Rows) {
        // One configuration among items at many places is posed again for each.
        let is_batch = q.rows == rows || question.places.have_still_items();
        let prepared = match is_batch {
            true => py.detach(|| self.batches.prepare(question, rows)),
            false => None,
        };
        let q = if prepared.is_some() { q.repeated(rows) } else { q };
        (prepared, q)
    }

    /// Parses the step of every joint value, from one number or a number each.
    pub fn steps(&self, step: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
        let dof = self.robot.mechanism.actuators().len();
        let Numbers { data, shape } = Numbers::of(step, "step")?;
        let steps = match shape[..] {
            [] => vec![data[0]; dof],
            [columns] if columns == dof => data,
            _ => return Err(refused(format!("step: shape {shape:?}, [] or [{dof}] expected"))),
        };
        match steps.iter().find(|step| !(**step > 0.0 && step.is_finite())) {
            Some(step) => Err(refused(format!("step: {step} is not a positive length"))),
            None => Ok(steps),
        }
    }
}
