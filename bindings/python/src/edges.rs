//! Whole edges: verdicts on straight ways between two configurations, as arrays.

use boxwood::f64::Pose;
use boxwood::robot::{Edge, EdgeChecker, EdgePart, EdgeScratch, PathEdge};
use boxwood::{Error, PartId};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;

use crate::arrays::{list, shaped};
use crate::body::indices;
use crate::own::Question;
use crate::results::named;
use crate::world::{StillWorld, World};

/// Checker of edges for one call.
#[derive(Clone)]
pub struct EdgeQuestion<'a> {
    checker: EdgeChecker<'a, f64>,
    world: Option<&'a World>,
    own_parts: usize,
    /// `true` to search for the first collision of an edge instead of any.
    first: bool,
}

/// Error for a verdict that a later version of the library may add.
const UNKNOWN: Error =
    Error::BadQuery { reason: "the Python package lacks this verdict on an edge" };

/// The verdict on an edge.
#[derive(Debug, Clone)]
pub struct EdgeRow {
    kind: EdgeKind,
    fraction: f64,
    clear_until: f64,
    clearance: f64,
    slack: f64,
    parts: [i64; 2],
    /// The configuration at the fraction; empty if the edge is free.
    values: Vec<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EdgeKind {
    Free,
    Collides,
    Undecided,
}

impl EdgeRow {
    /// Creates the verdict on a free edge.
    pub fn free(clearance: f64) -> Self {
        EdgeRow {
            kind: EdgeKind::Free,
            fraction: f64::NAN,
            clear_until: 1.0,
            clearance,
            slack: f64::NAN,
            parts: [-1; 2],
            values: Vec::new(),
        }
    }
}

impl<'a> EdgeQuestion<'a> {
    /// Creates the checker of a query, whose tolerance is its accuracy.
    pub fn new(
        question: &Question<'a>,
        (tolerance, first): (f64, bool),
        still: Option<&'a mut StillWorld<'_>>,
    ) -> Result<Self, Error> {
        let boxwood::load::Robot { mechanism, model, .. } = question.robot;
        let checker = EdgeChecker::new(mechanism, model)?
            .self_collision(question.own)
            .margin(question.margin)
            .tolerance(tolerance);
        let checker = match still {
            Some(still) => checker.world(&still.snapshot())?,
            None => checker,
        };
        Ok(EdgeQuestion { checker, world: question.world, own_parts: model.len(), first })
    }

    /// Returns the checker with the base of the robot at a pose in the world, if one is given.
    pub fn based(self, base: Option<&Pose>) -> Result<Self, Error> {
        match base {
            Some(base) => Ok(EdgeQuestion { checker: self.checker.base(base)?, ..self }),
            None => Ok(self),
        }
    }

    /// Checks an edge. Errors do not name the end: the row of the batch is that of both.
    pub fn check(
        &self,
        [from, to]: [&[f64]; 2],
        scratch: &mut EdgeScratch<f64>,
    ) -> Result<EdgeRow, Error> {
        let found = match self.first {
            true => self.checker.first(from, to, scratch),
            false => self.checker.check(from, to, scratch),
        };
        let edge = found.map_err(|error| match error {
            Error::Row { source, .. } => *source,
            other => other,
        })?;
        self.row(edge)
    }

    /// Checks the edges of a path up to the first that is not free.
    pub fn check_path(
        &self,
        rows: &[f64],
        scratch: &mut EdgeScratch<f64>,
    ) -> Result<(usize, EdgeRow), Error> {
        let PathEdge { index, edge } = self.checker.check_path(rows, scratch)?;
        Ok((index, self.row(edge)?))
    }

    fn row(&self, edge: Edge<'_, f64>) -> Result<EdgeRow, Error> {
        let part = |a: PartId, b: EdgePart| -> Result<[i64; 2], Error> {
            let b = match (b, self.world) {
                (EdgePart::Robot(part), _) => part.index() as i64,
                (EdgePart::World { character, part }, Some(world)) => {
                    world.part_index(self.own_parts, character, part)?
                }
                _ => return Err(UNKNOWN),
            };
            Ok([a.index() as i64, b])
        };
        Ok(match edge {
            Edge::Free { clearance_at_least } => EdgeRow::free(clearance_at_least),
            Edge::Collides { fraction, values, a, b, clear_until } => EdgeRow {
                kind: EdgeKind::Collides,
                fraction,
                clear_until,
                clearance: f64::NAN,
                slack: 0.0,
                parts: part(a, b)?,
                values: values.to_vec(),
            },
            Edge::Undecided { fraction, values, a, b, slack } => EdgeRow {
                kind: EdgeKind::Undecided,
                fraction,
                clear_until: 0.0,
                clearance: f64::NAN,
                slack,
                parts: part(a, b)?,
                values: values.to_vec(),
            },
            _ => return Err(UNKNOWN),
        })
    }
}

/// Returns the configuration of a verdict, `dof` numbers.
fn values(row: &EdgeRow, dof: usize) -> impl Iterator<Item = f64> {
    (0..dof).map(|at| row.values.get(at).copied().unwrap_or(f64::NAN))
}

/// Converts verdicts to a table of arrays.
pub fn edges<'py>(py: Python<'py>, rows: &[EdgeRow], dof: usize) -> PyResult<Bound<'py, PyAny>> {
    let flag = |kind: EdgeKind| list(py, rows.iter().map(|row| row.kind == kind).collect());
    let number = |of: fn(&EdgeRow) -> f64| list(py, rows.iter().map(of).collect());
    let all = rows.iter().flat_map(|row| values(row, dof)).collect();
    let arrays = vec![
        flag(EdgeKind::Free),
        flag(EdgeKind::Collides),
        number(|row| row.fraction),
        number(|row| row.clear_until),
        number(|row| row.clearance),
        number(|row| row.slack),
        indices(py, rows.iter().map(|row| row.parts[0])),
        indices(py, rows.iter().map(|row| row.parts[1])),
        shaped(py, all, [rows.len(), dof])?,
    ];
    named(py, "Edges", arrays)
}

/// Converts the verdict on a path to an object of Python.
pub fn path_edge<'py>(
    py: Python<'py>,
    (index, row): (usize, &EdgeRow),
    dof: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let fields = vec![
        (row.kind == EdgeKind::Free).into_py_any(py)?,
        index.into_py_any(py)?,
        (row.kind == EdgeKind::Collides).into_py_any(py)?,
        row.fraction.into_py_any(py)?,
        row.clearance.into_py_any(py)?,
        row.slack.into_py_any(py)?,
        row.parts[0].into_py_any(py)?,
        row.parts[1].into_py_any(py)?,
        list(py, values(row, dof).collect()),
    ];
    named(py, "PathEdge", fields)
}
