//! Worlds: static bodies around robots.

use std::sync::Arc;

use boxwood::f64::{Buffers, Hits, Model, Pose, Scene, Spawn};
use boxwood::{CharacterKey, NodeRef};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyList, PyTuple, PyType};

use crate::arrays::{Numbers, shaped};
use crate::body::Body;
use crate::motion_scratch::MotionScratch;
use crate::poses::{POSE, numbers, pose};
use crate::raise::{raised, refused};
use crate::rows::{Lease, Pool};

/// Static bodies around a robot: `World([body, (body, pose), ...])`, each at its pose (7 numbers:
/// position x, y, z, then the quaternion x, y, z, w), by default at the origin. Immutable; share it
/// between threads, pickle it for other processes.
#[pyclass(frozen, module = "boxwood")]
#[derive(Clone, Default)]
pub struct World(Arc<Contents>);

/// Contents of a world, which its copies share.
struct Contents {
    items: Vec<(Body, Pose)>,
    /// Number of parts of the items before each, and of all.
    first_parts: Vec<usize>,
    scene: Scene,
    pool: Pool<WorldScratch>,
}

/// A copy of the world with one robot in it.
pub struct WorldScratch {
    model: Arc<Model>,
    pub key: CharacterKey,
    pub scene: Scene,
    pub buffers: Buffers,
    pub hits: Hits,
    pub motion: MotionScratch,
    first_parts: Vec<usize>,
}

impl WorldScratch {
    /// Returns the index of a part of the robot, or of an item: those follow the robot's.
    pub fn part_index(&self, node: NodeRef) -> Result<i64, boxwood::Error> {
        let part = node.part.index();
        if node.character == self.key {
            return Ok(part as i64);
        }
        let item = self.scene.user(node.character)? as usize;
        Ok((self.model.len() + self.first_parts[item] + part) as i64)
    }
}

#[pymethods]
impl World {
    #[new]
    fn new(py: Python<'_>, items: &Bound<'_, PyAny>) -> PyResult<Self> {
        let Contents { items: mut all, mut first_parts, mut scene, pool } = Contents::default();
        for (index, item) in items.try_iter()?.enumerate() {
            let item = item?;
            let (body, at) = match item.cast::<PyTuple>() {
                Ok(two) if two.len() == 2 => (two.get_item(0)?, Some(two.get_item(1)?)),
                Ok(other) => {
                    let len = other.len();
                    return Err(refused(format!("item {index}: a tuple of {len}, not of 2")));
                }
                Err(_) => (item, None),
            };
            let body = body.cast::<Body>().map_err(|_| {
                PyTypeError::new_err(format!("item {index}: a Body or (Body, pose) is expected"))
            })?;
            let body = body.get().clone();
            let at = at.filter(|at| !at.is_none()).map(|at| {
                let rows = Numbers::rows(&at, POSE, &format!("pose of item {index}"))?;
                match rows.rows {
                    1 => Ok(pose(rows.get(0))),
                    _ => Err(refused(format!("item {index} has several poses"))),
                }
            });
            let at = at.transpose()?.unwrap_or_default();
            let spawn = Spawn::at(at).order(index as u64).user(index as u64).at_rest(true);
            let inserted = scene.insert(&body.loaded.model, spawn);
            inserted.map_err(|error| {
                let error = raised(py, &error, None);
                let message = format!("item {index}: {}", error.value(py));
                let other = refused(message);
                // The index is that of the item, not of its only pose.
                let _ = other.value(py).setattr("index", index);
                other
            })?;
            first_parts.push(first_parts[index] + body.loaded.model.len());
            all.push((body, at));
        }
        Ok(World(Arc::new(Contents { items: all, first_parts, scene, pool })))
    }

    fn __len__(&self) -> usize {
        self.0.items.len()
    }

    /// Poses of the items: [items, 7].
    #[getter]
    fn poses(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let all = self.0.items.iter().flat_map(|(_, at)| numbers(at)).collect();
        shaped(py, all, [self.0.items.len(), POSE])
    }

    /// Parts of all items, in the order of answers: index of the item and name of the part, each.
    #[getter]
    fn parts(&self) -> Vec<(usize, String)> {
        let items = self.0.items.iter().enumerate();
        let parts = items.flat_map(|(item, (body, _))| {
            body.loaded.model.parts().iter().map(move |part| (item, part.name().to_owned()))
        });
        parts.collect()
    }

    /// Compares the items and their poses.
    fn __eq__(&self, py: Python<'_>, other: &World) -> PyResult<bool> {
        if self.0.items.len() != other.0.items.len() {
            return Ok(false);
        }
        let same = py.detach(|| {
            for ((one, at), (other, other_at)) in self.0.items.iter().zip(&other.0.items) {
                if at != other_at || !one.is_same(other)? {
                    return Ok(false);
                }
            }
            Ok(true)
        });
        same.map_err(|error: boxwood::Error| raised(py, &error, None))
    }

    fn __hash__(&self) -> u64 {
        let items = self.0.items.iter().map(|(body, _)| body.loaded.model.fingerprint());
        items.fold(self.0.items.len() as u64, |hash, item| hash.rotate_left(7) ^ item)
    }

    fn __repr__(&self) -> String {
        format!("World of {} items", self.0.items.len())
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyType>, Bound<'py, PyTuple>)> {
        let items = PyList::empty(py);
        for (body, at) in &self.0.items {
            let at = shaped(py, numbers(at).to_vec(), [POSE])?;
            items.append((Bound::new(py, body.clone())?, at))?;
        }
        Ok((py.get_type::<World>(), PyTuple::new(py, [items])?))
    }
}

impl Default for Contents {
    /// Returns those of a world without items.
    fn default() -> Self {
        let (scene, pool) = (Scene::new(), Pool::default());
        Contents { items: Vec::new(), first_parts: vec![0], scene, pool }
    }
}

impl World {
    /// Returns `true` if the two are one world, or copies of one.
    pub fn is_one_with(&self, other: &World) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Returns the number of parts of all items.
    pub fn part_count(&self) -> usize {
        self.0.items.iter().map(|(body, _)| body.loaded.model.len()).sum()
    }

    /// Returns the models of the items, and the poses of their parts.
    pub fn obstacles(&self) -> impl Iterator<Item = (&Arc<Model>, &[Pose])> {
        let contents = &*self.0;
        contents.items.iter().enumerate().map(|(item, (body, _))| {
            let key = contents.scene.key_of_order(item as u64);
            let poses = key.and_then(|key| contents.scene.poses(key).ok());
            (
                &body.loaded.model,
                poses.expect("items are inserted by their index, and none removed"),
            )
        })
    }

    /// Leases a copy with a robot in it, for one thread.
    pub fn with(&self, model: &Arc<Model>) -> Result<Lease<'_, WorldScratch>, boxwood::Error> {
        let fits = |scratch: &WorldScratch| Arc::ptr_eq(&scratch.model, model);
        self.0.pool.lease(fits, || {
            let mut scene = self.0.scene.clone();
            let key = scene.insert(model, Spawn::default().order(u64::MAX))?;
            let (buffers, hits) = (Buffers::new(), Hits::new());
            let (model, motion) = (Arc::clone(model), MotionScratch::default());
            let first_parts = self.0.first_parts.clone();
            Ok(WorldScratch { model, key, scene, buffers, hits, motion, first_parts })
        })
    }
}
