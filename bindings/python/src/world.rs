//! Worlds: static bodies around robots.

use std::sync::Arc;

use boxwood::CharacterKey;
use boxwood::f64::{Buffers, Hits, Model, Scene, Spawn};
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
pub struct World {
    items: Vec<(Body, boxwood::f64::Pose)>,
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
}

#[pymethods]
impl World {
    #[new]
    fn new(py: Python<'_>, items: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (mut scene, mut all) = (Scene::new(), Vec::new());
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
            all.push((body, at));
        }
        Ok(World { items: all, scene, pool: Pool::default() })
    }

    fn __len__(&self) -> usize {
        self.items.len()
    }

    /// Poses of the items: [items, 7].
    #[getter]
    fn poses(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let all = self.items.iter().flat_map(|(_, at)| numbers(at)).collect();
        shaped(py, all, [self.items.len(), POSE])
    }

    fn __repr__(&self) -> String {
        format!("World of {} items", self.items.len())
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyType>, Bound<'py, PyTuple>)> {
        let items = PyList::empty(py);
        for (body, at) in &self.items {
            let at = shaped(py, numbers(at).to_vec(), [POSE])?;
            items.append((Bound::new(py, body.clone())?, at))?;
        }
        Ok((py.get_type::<World>(), PyTuple::new(py, [items])?))
    }
}

impl Default for World {
    /// Returns a world without items.
    fn default() -> Self {
        World { items: Vec::new(), scene: Scene::new(), pool: Pool::default() }
    }
}

impl World {
    /// Leases a copy with a robot in it, for one thread.
    pub fn with(&self, model: &Arc<Model>) -> Result<Lease<'_, WorldScratch>, boxwood::Error> {
        let fits = |scratch: &WorldScratch| Arc::ptr_eq(&scratch.model, model);
        self.pool.lease(fits, || {
            let mut scene = self.scene.clone();
            let key = scene.insert(model, Spawn::default().order(u64::MAX))?;
            let (buffers, hits) = (Buffers::new(), Hits::new());
            let (model, motion) = (Arc::clone(model), MotionScratch::default());
            Ok(WorldScratch { model, key, scene, buffers, hits, motion })
        })
    }
}
