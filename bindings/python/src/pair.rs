//! Pairs of bodies: touch, distance, contacts and separation.

use boxwood::f64::{Buffers, Hit, Hits, Pose, Push, Scene, Separation, Snapshot, Spawn};
use boxwood::nalgebra::{Point3, Vector3};
use boxwood::{CharacterKey, Error, NodeRef, PairQuery};
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};

use crate::accuracy::{Accuracy, asked};
use crate::arguments;
use crate::arrays::{Numbers, Rows, check_rows, dimensions, list, shaped};
use crate::body::{Body, indices};
use crate::motion::{RowImpact, checked_tolerance, impacts, path_called};
use crate::motion_scratch::MotionScratch;
use crate::poses::{POSE, direction, pose};
use crate::raise::refused;
use crate::results::named;
use crate::rows::{Lease, Pool, fill};

/// Reason for refusing a direction of a separation.
const ZERO: &str = "the direction is zero";

/// Two bodies, for batches of poses. `at_a` and `at_b` are the poses of each: None (as in the
/// file), [7] or [N, 7] (the model as a whole: position x, y, z, quaternion x, y, z, w) or [N,
/// parts, 7] (every part: of `Body.poses`, `Robot.poses`). A batch of one is used for all rows.
#[pyclass(frozen, module = "boxwood")]
pub struct Pair {
    bodies: [Body; 2],
    pool: Pool<PairScratch>,
}

struct PairScratch {
    scene: Scene,
    keys: [CharacterKey; 2],
    buffers: Buffers,
    hits: Hits,
    poses: Vec<Pose>,
    motion: MotionScratch,
}

/// Poses of one of the two bodies, by row.
enum Place {
    /// The poses in its file.
    Bind,
    /// Poses of the model as a whole.
    Whole(Rows),
    /// Poses of every part.
    Parts(Rows),
}

impl Place {
    fn of(at: Option<&Bound<'_, PyAny>>, parts: usize, name: &str) -> PyResult<Self> {
        let Some(at) = at.filter(|at| !at.is_none()) else { return Ok(Place::Bind) };
        if dimensions(at)? < 3 {
            return Numbers::rows(at, POSE, name).map(Place::Whole);
        }
        let Numbers { data, shape } = Numbers::of(at, name)?;
        match shape[..] {
            [rows, found, POSE] if found == parts => {
                Ok(Place::Parts(Rows { data, width: parts * POSE, rows }))
            }
            _ => {
                let expected = format!("[N, {parts}, 7], [N, 7] or [7]");
                Err(refused(format!("{name}: shape {shape:?}, {expected} expected")))
            }
        }
    }

    fn rows(&self) -> Option<&Rows> {
        match self {
            Place::Bind => None,
            Place::Whole(rows) | Place::Parts(rows) => Some(rows),
        }
    }

    /// Poses the character for a row.
    fn put(&self, scratch: &mut PairScratch, which: usize, row: usize) -> Result<(), Error> {
        let PairScratch { scene, keys, poses, .. } = scratch;
        let key = keys[which];
        let bind = scene.model(key)?.bind_poses();
        match self {
            Place::Bind => scene.set_parts(key, &bind),
            Place::Whole(rows) => scene.set_joints(key, &pose(rows.get(row)), &bind),
            Place::Parts(rows) => {
                poses.clear();
                poses.extend(rows.get(row).chunks_exact(POSE).map(pose));
                scene.set_parts(key, poses)
            }
        }
    }
}

type At<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

#[pymethods]
impl Pair {
    #[new]
    fn new(a: &Bound<'_, Body>, b: &Bound<'_, Body>) -> Self {
        Pair { bodies: [a.get().clone(), b.get().clone()], pool: Pool::default() }
    }

    /// Returns true where they touch, or are no further apart than `margin`: [N] bool.
    #[pyo3(signature = (at_a = None, at_b = None, *, accuracy = None, margin = 0.0, threads = 0))]
    fn touching(
        &self,
        py: Python<'_>,
        at_a: At<'_, '_>,
        at_b: At<'_, '_>,
        accuracy: Option<Accuracy>,
        #[pyo3(from_py_with = arguments::margin)] margin: f64,
        #[pyo3(from_py_with = arguments::threads)] threads: usize,
    ) -> PyResult<Py<PyAny>> {
        let accuracy = asked(accuracy);
        let out = self.ask(py, [at_a, at_b], threads, |now, keys, hits, _| {
            let query = PairQuery::between(keys[0], keys[1]).accuracy(accuracy).margin(margin);
            now.intersects(&query, hits.scratch())
        })?;
        Ok(list(py, out))
    }

    /// Returns their distance: [N], zero where they touch, inf beyond `max_distance`.
    #[pyo3(signature = (
        at_a = None, at_b = None, *, max_distance = f64::INFINITY, accuracy = None, threads = 0
    ))]
    fn distance(
        &self,
        py: Python<'_>,
        at_a: At<'_, '_>,
        at_b: At<'_, '_>,
        #[pyo3(from_py_with = arguments::max_distance)] max_distance: f64,
        accuracy: Option<Accuracy>,
        #[pyo3(from_py_with = arguments::threads)] threads: usize,
    ) -> PyResult<Py<PyAny>> {
        let accuracy = asked(accuracy);
        let out = self.ask(py, [at_a, at_b], threads, |now, keys, hits, _| {
            let query = PairQuery::between(keys[0], keys[1]).accuracy(accuracy);
            let found = now.distance(&query.max_distance(max_distance), hits.scratch())?;
            Ok(found.map_or(f64::INFINITY, |found| found.distance))
        })?;
        Ok(list(py, out))
    }

    /// Returns the closest points: a table Closest of arrays, a row each; a and b are parts,
    /// -1 and nan beyond `max_distance`.
    #[pyo3(signature = (
        at_a = None, at_b = None, *, max_distance = f64::INFINITY, accuracy = None, threads = 0
    ))]
    fn closest<'py>(
        &self,
        py: Python<'py>,
        at_a: At<'_, '_>,
        at_b: At<'_, '_>,
        #[pyo3(from_py_with = arguments::max_distance)] max_distance: f64,
        accuracy: Option<Accuracy>,
        #[pyo3(from_py_with = arguments::threads)] threads: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let accuracy = asked(accuracy);
        let out = self.ask(py, [at_a, at_b], threads, |now, keys, hits, _| {
            let query = PairQuery::between(keys[0], keys[1]).accuracy(accuracy);
            now.distance(&query.max_distance(max_distance), hits.scratch())
        })?;
        let part = |node: NodeRef| node.part.index() as i64;
        let rows = out.iter().map(|found| {
            found.map(|f| crate::own::Nearest {
                distance: f.distance,
                a: part(f.a),
                b: part(f.b),
                on_a: f.on_a,
                on_b: f.on_b,
            })
        });
        closest(py, rows.collect())
    }

    /// Returns the contacts of parts: a table Contacts of arrays, a contact each, in order of
    /// row and parts. Point, normal (from a to b) and depth are those of the two parts, measured
    /// exactly; the depth of parts that are disjoint, and reported because the accuracy is coarse,
    /// is minus their distance. Once a budget is spent they are those of boxes: see measured.
    /// `separation` moves whole bodies apart.
    #[pyo3(signature = (at_a = None, at_b = None, *, accuracy = None, threads = 0))]
    fn contacts<'py>(
        &self,
        py: Python<'py>,
        at_a: At<'_, '_>,
        at_b: At<'_, '_>,
        accuracy: Option<Accuracy>,
        #[pyo3(from_py_with = arguments::threads)] threads: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let accuracy = asked(accuracy);
        let out: Vec<Vec<Hit>> = self.ask(py, [at_a, at_b], threads, |now, keys, hits, _| {
            let query = PairQuery::between(keys[0], keys[1]).accuracy(accuracy);
            now.contacts(&query, hits)?;
            Ok(hits.to_vec())
        })?;
        let hits = || out.iter().flatten();
        let row = out.iter().enumerate().flat_map(|(row, hits)| vec![row as i64; hits.len()]);
        let vectors = |of: fn(&Hit) -> Vector3<f64>| -> PyResult<Py<PyAny>> {
            let all: Vec<f64> = hits().flat_map(|hit| of(hit).data.0[0]).collect();
            let rows = all.len() / 3;
            shaped(py, all, [rows, 3])
        };
        let arrays = vec![
            indices(py, row),
            indices(py, hits().map(|hit| hit.a.part.index() as i64)),
            indices(py, hits().map(|hit| hit.b.part.index() as i64)),
            vectors(|hit| hit.point.coords)?,
            vectors(|hit| hit.normal)?,
            list(py, hits().map(|hit| hit.depth).collect()),
            list(py, hits().map(|hit| hit.slack).collect()),
            list(py, hits().map(|hit| hit.measured).collect()),
        ];
        named(py, "Contacts", arrays)
    }

    /// Returns a short translation of b that separates the two: a table Separations of
    /// arrays, a row each: depth 0, normal nan and parts -1 where they do not touch. Moved by more
    /// than `normal * depth`, b is certainly separate from a. along: this direction, [3] or [N, 3],
    /// of any length. across: any direction perpendicular to this one (the ground, if it is up). By
    /// default any direction.
    #[pyo3(signature = (at_a = None, at_b = None, *, along = None, across = None, threads = 0))]
    fn separation<'py>(
        &self,
        py: Python<'py>,
        at_a: At<'_, '_>,
        at_b: At<'_, '_>,
        along: At<'_, '_>,
        across: At<'_, '_>,
        #[pyo3(from_py_with = arguments::threads)] threads: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let ways = |ways: At<'_, '_>, name: &str| -> PyResult<Option<Rows>> {
            let ways = ways.filter(|ways| !ways.is_none());
            ways.map(|ways| Numbers::rows(ways, 3, name)).transpose()
        };
        let (along, across) = (ways(along, "along")?, ways(across, "across")?);
        let ways = [along.as_ref(), across.as_ref()];
        let pushed = |row: usize| -> Result<Push, Error> {
            match (&along, &across) {
                (Some(along), None) => Ok(Push::along(direction(along.get(row), ZERO)?)),
                (None, Some(across)) => Ok(Push::across(direction(across.get(row), ZERO)?)),
                (None, None) => Ok(Push::least()),
                _ => Err(Error::BadQuery { reason: "along and across exclude each other" }),
            }
        };
        let ask = |now: &Snapshot<'_>, keys: [CharacterKey; 2], hits: &mut Hits, row: usize| {
            let query = PairQuery::between(keys[0], keys[1]);
            now.separation(&query, &pushed(row)?, hits.scratch())
        };
        let found = self.ask_with(py, [at_a, at_b], ways, threads, ask)?;
        separations(py, &found)
    }

    /// Returns the first impact of every row while both bodies move, from the poses `from_a` and
    /// `from_b` to `to_a` and `to_b`: a table Impacts of arrays, a row each. Nothing is
    /// sampled: where hit is false, the two are proved apart during the whole motion, further than
    /// `margin`. clear_until and time are shares of the motion, 0 to 1; at `time` the two are no
    /// further apart than `slack`, which is at most `tolerance` (above 0) unless met is false.
    /// Poses as everywhere in Pair; None for `to_a` or `to_b`: that body stands still. path:
    /// "joints", every part moves relative to its parent part, or "parts", relative to the world;
    /// offsets linearly, rotations along the shorter arc, at constant rates.
    #[pyo3(signature = (
        from_a = None, to_a = None, from_b = None, to_b = None, *, path = "joints",
        tolerance = 0.001, margin = 0.0, threads = 0
    ))]
    fn motion<'py>(
        &self,
        py: Python<'py>,
        from_a: At<'_, '_>,
        to_a: At<'_, '_>,
        from_b: At<'_, '_>,
        to_b: At<'_, '_>,
        path: &str,
        #[pyo3(from_py_with = arguments::tolerance)] tolerance: f64,
        #[pyo3(from_py_with = arguments::margin)] margin: f64,
        #[pyo3(from_py_with = arguments::threads)] threads: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (accuracy, path) = (checked_tolerance(tolerance)?, path_called(path)?);
        let names = ["from_a", "to_a", "from_b", "to_b"];
        let places = [
            self.place(0, from_a, names[0])?,
            self.place(0, to_a.or(from_a), names[1])?,
            self.place(1, from_b, names[2])?,
            self.place(1, to_b.or(from_b), names[3])?,
        ];
        let batches =
            || names.into_iter().zip(&places).filter_map(|(name, at)| Some((name, at.rows()?)));
        let mut out = vec![None; batch_rows(batches)?];
        let row = |scratch: &mut Lease<'_, PairScratch>,
                   row: usize,
                   out: &mut [Option<RowImpact>]| {
            let put = |scratch: &mut PairScratch, which: usize| {
                let put = places[which].put(scratch, which / 2, row);
                put.map_err(|error| of_side(names[which], error))
            };
            put(scratch, 0)?;
            put(scratch, 2)?;
            let PairScratch { scene, motion, .. } = &mut **scratch;
            motion.start(scene);
            put(scratch, 1)?;
            put(scratch, 3)?;
            let PairScratch { scene, keys, hits, motion, .. } = &mut **scratch;
            let query = PairQuery::between(keys[0], keys[1]).accuracy(accuracy).margin(margin);
            let found = motion.first_impact(scene, &keys.map(|key| (key, path)), &[query], hits)?;
            out[0] = found.map(|impact| RowImpact {
                parts: [impact.a, impact.b].map(|node| node.part.index() as i64),
                impact,
            });
            Ok(())
        };
        fill(py, (&mut out, 1), threads, || self.lease(), row)?;
        impacts(py, "Impacts", &out, true)
    }

    fn __repr__(&self) -> String {
        "Pair of bodies".to_owned()
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyType>, Bound<'py, PyTuple>)> {
        let bodies = self.bodies.each_ref().map(|body| Bound::new(py, body.clone()));
        let [a, b] = bodies;
        Ok((py.get_type::<Pair>(), PyTuple::new(py, [a?, b?])?))
    }
}

impl Pair {
    fn ask<R: Default + Clone + Send>(
        &self,
        py: Python<'_>,
        at: [At<'_, '_>; 2],
        threads: usize,
        ask: impl Fn(&Snapshot<'_>, [CharacterKey; 2], &mut Hits, usize) -> Result<R, Error> + Sync,
    ) -> PyResult<Vec<R>> {
        self.ask_with(py, at, [None; 2], threads, ask)
    }

    /// Poses both bodies for every row and runs the query; the rows of the batches in `others`
    /// count too.
    fn ask_with<R: Default + Clone + Send>(
        &self,
        py: Python<'_>,
        [at_a, at_b]: [At<'_, '_>; 2],
        others: [Option<&Rows>; 2],
        threads: usize,
        ask: impl Fn(&Snapshot<'_>, [CharacterKey; 2], &mut Hits, usize) -> Result<R, Error> + Sync,
    ) -> PyResult<Vec<R>> {
        let places = [self.place(0, at_a, "at_a")?, self.place(1, at_b, "at_b")?];
        let names = ["at_a", "at_b", "along", "across"];
        let batches = [places[0].rows(), places[1].rows(), others[0], others[1]];
        let batches = || names.iter().zip(batches).filter_map(|(name, rows)| Some((*name, rows?)));
        let mut out = vec![R::default(); batch_rows(batches)?];
        let row = |scratch: &mut Lease<'_, PairScratch>, row: usize, out: &mut [R]| {
            for (which, place) in places.iter().enumerate() {
                let name = ["at_a", "at_b"][which];
                place.put(scratch, which, row).map_err(|error| of_side(name, error))?;
            }
            let PairScratch { scene, keys, buffers, hits, .. } = &mut **scratch;
            let now = scene.snapshot(buffers);
            out[0] = ask(&now, *keys, hits, row)?;
            Ok(())
        };
        fill(py, (&mut out, 1), threads, || self.lease(), row)?;
        Ok(out)
    }

    /// Parses the poses of one of the two bodies.
    fn place(&self, which: usize, at: At<'_, '_>, name: &str) -> PyResult<Place> {
        Place::of(at, self.bodies[which].loaded.model.len(), name)
    }

    fn lease(&self) -> Result<Lease<'_, PairScratch>, Error> {
        self.pool.lease(
            |_| true,
            || {
                let mut scene = Scene::new();
                let mut insert = |body: &Body| scene.insert(&body.loaded.model, Spawn::default());
                let keys = [insert(&self.bodies[0])?, insert(&self.bodies[1])?];
                let (buffers, hits) = (Buffers::new(), Hits::new());
                let (poses, motion) = (Vec::new(), MotionScratch::default());
                Ok(PairScratch { scene, keys, buffers, hits, poses, motion })
            },
        )
    }
}

/// Returns the number of rows of batches, each of which has as many or one.
fn batch_rows<'a, I: Iterator<Item = (&'static str, &'a Rows)>>(
    batches: impl Fn() -> I,
) -> PyResult<usize> {
    let many = batches().map(|(_, rows)| rows.rows).find(|&rows| rows != 1).unwrap_or(1);
    batches().try_for_each(|(name, rows)| check_rows(rows, many, name))?;
    Ok(many)
}

/// Adds the name of the body to an error.
fn of_side(name: &str, error: Error) -> Error {
    Error::Part { part: name.to_owned(), source: Box::new(error) }
}

/// Converts closest points to a table of arrays.
pub fn closest(
    py: Python<'_>,
    rows: Vec<Option<crate::own::Nearest>>,
) -> PyResult<Bound<'_, PyAny>> {
    let none = Point3::new(f64::NAN, f64::NAN, f64::NAN);
    let points = |of: fn(&crate::own::Nearest) -> Point3<f64>| -> PyResult<Py<PyAny>> {
        let point = |row: &Option<_>| row.as_ref().map_or(none, of).coords.data.0[0];
        shaped(py, rows.iter().flat_map(point).collect(), [rows.len(), 3])
    };
    let distance = rows.iter().map(|row| row.map_or(f64::INFINITY, |row| row.distance));
    let arrays = vec![
        list(py, distance.collect()),
        indices(py, rows.iter().map(|row| row.map_or(-1, |row| row.a))),
        indices(py, rows.iter().map(|row| row.map_or(-1, |row| row.b))),
        points(|row| row.on_a)?,
        points(|row| row.on_b)?,
    ];
    named(py, "Closest", arrays)
}

fn separations<'py>(py: Python<'py>, rows: &[Option<Separation>]) -> PyResult<Bound<'py, PyAny>> {
    let none = Vector3::repeat(f64::NAN);
    let vectors = |of: fn(&Separation) -> Vector3<f64>| -> PyResult<Py<PyAny>> {
        let all = rows.iter().flat_map(|row| row.as_ref().map_or(none, of).data.0[0]);
        shaped(py, all.collect(), [rows.len(), 3])
    };
    let part = |row: &Option<Separation>, of: fn(&Separation) -> NodeRef| {
        row.as_ref().map_or(-1, |row| of(row).part.index() as i64)
    };
    let depth = rows.iter().map(|row| row.map_or(0.0, |row| row.depth));
    let arrays = vec![
        list(py, depth.collect()),
        vectors(|row| row.normal.into_inner())?,
        indices(py, rows.iter().map(|row| part(row, |row| row.a))),
        indices(py, rows.iter().map(|row| part(row, |row| row.b))),
        vectors(|row| row.on_a.coords)?,
        vectors(|row| row.on_b.coords)?,
    ];
    named(py, "Separations", arrays)
}
