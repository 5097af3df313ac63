//! Motion between two poses: the first impact of every row, as arrays.

use boxwood::f64::Impact;
use boxwood::motion::{JointKind, Mechanism};
use boxwood::nalgebra::Vector3;
use boxwood::{Accuracy, Error, MotionPath, PairQuery};
use pyo3::prelude::*;

use crate::arrays::{list, shaped};
use crate::body::indices;
use crate::own::{MAX_STEPS, Question, Thread, place_between};
use crate::raise::refused;
use crate::results::named;

/// The first impact of a row, and its parts.
#[derive(Debug, Clone, Copy)]
pub struct RowImpact {
    pub parts: [i64; 2],
    pub impact: Impact,
}

/// Returns the path with the name in Python.
pub fn path_called(name: &str) -> PyResult<MotionPath> {
    match name {
        "joints" => Ok(MotionPath::Joints),
        "parts" => Ok(MotionPath::Parts),
        _ => {
            Err(refused(format!("path: unknown value '{name}', \"joints\" or \"parts\" expected")))
        }
    }
}

/// Returns the accuracy of a motion.
pub fn checked_tolerance(tolerance: f64) -> PyResult<Accuracy> {
    match tolerance > 0.0 && tolerance.is_finite() {
        true => Ok(Accuracy::Within(tolerance)),
        false => Err(refused(format!("tolerance: {tolerance} is not a positive length"))),
    }
}

/// Largest rotation of a joint in one motion, radians: of more than half a turn two poses do not
/// show the way.
const MAX_ROTATION: f64 = std::f64::consts::FRAC_PI_2;

/// Returns the number of equal pieces of an edge, in none of which a joint turns too far.
fn piece_count(mechanism: &Mechanism, [from, to]: [&[f64]; 2]) -> Result<usize, Error> {
    let rotation = |link: &boxwood::motion::Link| match link.joint {
        JointKind::Revolute { mimic, .. } => {
            let (from, to) = (from.get(mimic.actuator), to.get(mimic.actuator));
            from.zip(to).map_or(0.0, |(from, to)| ((to - from) * mimic.multiplier).abs())
        }
        _ => 0.0,
    };
    let most = mechanism.links().iter().map(rotation).fold(0.0, f64::max);
    match most / MAX_ROTATION {
        count if count > MAX_STEPS => {
            Err(Error::BadQuery { reason: "the edge turns a joint by millions of turns" })
        }
        count => Ok((count.ceil() as usize).max(1)),
    }
}

impl Question<'_> {
    /// Returns the first impact of the edge of a row, on all of which the base stands still.
    pub fn first_impact(
        &self,
        thread: &mut Thread<'_>,
        (row, ends): (usize, [&[f64]; 2]),
    ) -> Result<Option<RowImpact>, Error> {
        // Both ends are checked before the number of pieces is computed from them.
        self.robot.mechanism.poses(ends[1], &mut thread.robot.poses)?;
        self.robot.mechanism.poses(ends[0], &mut thread.robot.poses)?;
        let pieces = piece_count(&self.robot.mechanism, ends)?;
        let world = thread.world.as_deref_mut();
        let world = world.ok_or(Error::BadQuery { reason: "a motion needs a world" })?;
        let (key, robot, base) = (world.key, &mut *thread.robot, self.places.base(row));
        let queries =
            [PairQuery::within(key), PairQuery::of(key)].map(|query| self.configured(query));
        let queries = if self.own { &queries[..] } else { &queries[1..] };
        let mut values = ends[0].to_vec();
        world.scene.set_parts(key, robot.in_world(base))?;
        for piece in 0..pieces {
            world.motion.start(&world.scene);
            place_between(ends, (piece + 1) as f64 / pieces as f64, &mut values);
            self.robot.mechanism.poses(&values, &mut robot.poses)?;
            world.scene.set_parts(key, robot.in_world(base))?;
            let paths = [(key, MotionPath::Joints)];
            let found =
                world.motion.first_impact(&world.scene, &paths, queries, &mut world.hits)?;
            let Some(mut impact) = found else { continue };
            for time in [&mut impact.clear_until, &mut impact.time] {
                *time = (piece as f64 + *time) / pieces as f64;
            }
            let parts = [world.part_index(impact.a)?, world.part_index(impact.b)?];
            return Ok(Some(RowImpact { parts, impact }));
        }
        Ok(None)
    }
}

/// Stands for a point or a direction that does not exist.
const NONE: Vector3<f64> = Vector3::new(f64::NAN, f64::NAN, f64::NAN);

/// Converts first impacts to a table of arrays; `Impacts` has the flags at both ends, too.
pub fn impacts<'py>(
    py: Python<'py>,
    class: &str,
    rows: &[Option<RowImpact>],
    has_ends: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let number = |of: fn(&Impact) -> f64, none: f64| {
        list(py, rows.iter().map(|row| row.map_or(none, |row| of(&row.impact))).collect())
    };
    let flag = |of: fn(&Impact) -> bool, none: bool| {
        list(py, rows.iter().map(|row| row.map_or(none, |row| of(&row.impact))).collect())
    };
    let vectors = |of: fn(&Impact) -> Vector3<f64>| -> PyResult<Py<PyAny>> {
        let all = rows.iter().flat_map(|row| row.map_or(NONE, |row| of(&row.impact)).data.0[0]);
        shaped(py, all.collect(), [rows.len(), 3])
    };
    let part =
        |which: usize| indices(py, rows.iter().map(|row| row.map_or(-1, |row| row.parts[which])));
    let mut arrays = vec![
        flag(|_| true, false),
        number(|impact| impact.clear_until, 1.0),
        number(|impact| impact.time, f64::NAN),
        number(|impact| impact.slack, f64::NAN),
        flag(|impact| impact.met, true),
        part(0),
        part(1),
        vectors(|impact| impact.on_a.coords)?,
        vectors(|impact| impact.on_b.coords)?,
        vectors(|impact| impact.normal.unwrap_or(NONE))?,
    ];
    if has_ends {
        arrays.push(flag(|impact| impact.touching_at_start, false));
        arrays.push(flag(|impact| impact.touching_at_end, false));
    }
    named(py, class, arrays)
}
