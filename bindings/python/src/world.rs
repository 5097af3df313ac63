//! Worlds: static bodies around robots.

use std::sync::Arc;

use boxwood::f64::{Buffers, Hits, Model, Pose, Scene, Snapshot, Spawn};
use boxwood::{CharacterKey, Error, NodeRef, PartId};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyList, PyTuple, PyType};

use crate::arguments;
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
#[derive(Clone)]
struct Contents {
    items: Arc<Items>,
    /// Poses of the items.
    poses: Arc<Vec<Pose>>,
    scene: Scene,
}

/// The items of a world, wherever they are: worlds whose items have moved share them.
struct Items {
    bodies: Vec<Body>,
    /// Number of parts of the items before each, and of all.
    first_parts: Vec<usize>,
    pool: Pool<WorldScratch>,
    buffers: Pool<Buffers>,
}

/// A copy of the world with one robot in it.
pub struct WorldScratch {
    model: Arc<Model>,
    pub key: CharacterKey,
    pub scene: Scene,
    pub buffers: Buffers,
    pub hits: Hits,
    pub motion: MotionScratch,
    /// Poses of the items in the scene.
    poses: Arc<Vec<Pose>>,
    first_parts: Vec<usize>,
}

/// The world without a robot, for one call.
pub struct StillWorld<'w> {
    scene: &'w Scene,
    buffers: Lease<'w, Buffers>,
}

impl StillWorld<'_> {
    pub fn snapshot(&mut self) -> Snapshot<'_> {
        self.scene.snapshot(&mut self.buffers)
    }
}

/// Returns the key of an item.
fn item_key(scene: &Scene, item: usize) -> CharacterKey {
    let key = scene.key_of_order(item as u64);
    key.expect("items are inserted by their index, and none removed")
}

/// Returns `true` for poses of equal bits.
fn is_same_pose(a: &Pose, b: &Pose) -> bool {
    numbers(a).map(f64::to_bits) == numbers(b).map(f64::to_bits)
}

/// Converts the error of an item.
fn item_error(py: Python<'_>, item: usize, error: &Error) -> PyErr {
    let error = raised(py, error, None);
    let other = refused(format!("item {item}: {}", error.value(py)));
    // The index is that of the item, not of its only pose.
    let _ = other.value(py).setattr("index", item);
    other
}

/// Parses the pose of an item.
fn item_pose(at: &Bound<'_, PyAny>, item: usize) -> PyResult<Pose> {
    let rows = Numbers::rows(at, POSE, &format!("pose of item {item}"))?;
    match rows.rows {
        1 => Ok(pose(rows.get(0))),
        _ => Err(refused(format!("item {item} has several poses"))),
    }
}

impl WorldScratch {
    /// Returns the index of a part of the robot, or of an item: those follow the robot's.
    pub fn part_index(&self, node: NodeRef) -> Result<i64, Error> {
        if node.character == self.key {
            return Ok(node.part.index() as i64);
        }
        let items = (&self.scene, &self.first_parts[..]);
        part_index(items, self.model.len(), node.character, node.part)
    }

    /// Moves the items. The next lease returns them to where its world has them.
    pub fn move_items(&mut self, poses: &Arc<Vec<Pose>>) -> Result<(), Error> {
        move_items(&mut self.scene, &self.poses, poses).map_err(|(_, error)| error)?;
        self.poses = Arc::clone(poses);
        Ok(())
    }
}

#[pymethods]
impl World {
    #[new]
    fn new(py: Python<'_>, items: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (mut bodies, mut poses) = (Vec::new(), Vec::new());
        let (mut first_parts, mut scene) = (vec![0], Scene::new());
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
            let at = at.filter(|at| !at.is_none()).map(|at| item_pose(&at, index));
            let at = at.transpose()?.unwrap_or_default();
            let spawn = Spawn::at(at).order(index as u64).user(index as u64).at_rest(true);
            let inserted = scene.insert(&body.loaded.model, spawn);
            inserted.map_err(|error| item_error(py, index, &error))?;
            first_parts.push(first_parts[index] + body.loaded.model.len());
            bodies.push(body);
            poses.push(at);
        }
        let items = Arc::new(Items { bodies, first_parts, ..Items::default() });
        Ok(World(Arc::new(Contents { items, poses: Arc::new(poses), scene })))
    }

    /// Returns a copy with the items at other poses, [items, 7]. Bodies are shared, and no tree is
    /// built or moved: it takes microseconds.
    fn with_poses(&self, py: Python<'_>, poses: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (Numbers { data, shape }, items) = (Numbers::of(poses, "poses")?, self.__len__());
        if shape[..] != [items, POSE] {
            return Err(refused(format!("poses: shape {shape:?}, [{items}, {POSE}] expected")));
        }
        self.with_items_at(py, data.chunks_exact(POSE).map(pose).collect())
    }

    /// Returns a copy with one item at another pose; like `with_poses`.
    fn moved(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = arguments::item)] item: usize,
        pose: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let (at, mut poses) = (item_pose(pose, item)?, Vec::clone(&self.0.poses));
        let Some(old) = poses.get_mut(item) else {
            let error = refused(format!("item: {item}, less than {} expected", self.__len__()));
            error.value(py).setattr("index", item)?;
            return Err(error);
        };
        *old = at;
        self.with_items_at(py, poses)
    }

    fn __len__(&self) -> usize {
        self.0.poses.len()
    }

    /// Poses of the items: [items, 7].
    #[getter]
    fn poses(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let all = self.0.poses.iter().flat_map(numbers).collect();
        shaped(py, all, [self.0.poses.len(), POSE])
    }

    /// Parts of all items, in the order of answers: index of the item and name of the part, each.
    #[getter]
    fn parts(&self) -> Vec<(usize, String)> {
        let bodies = self.0.items.bodies.iter().enumerate();
        let parts = bodies.flat_map(|(item, body)| {
            body.loaded.model.parts().iter().map(move |part| (item, part.name().to_owned()))
        });
        parts.collect()
    }

    /// Compares the items and their poses.
    fn __eq__(&self, py: Python<'_>, other: &World) -> PyResult<bool> {
        if self.0.poses != other.0.poses {
            return Ok(false);
        }
        let same = py.detach(|| {
            for (one, other) in self.0.items.bodies.iter().zip(&other.0.items.bodies) {
                if !one.is_same(other)? {
                    return Ok(false);
                }
            }
            Ok(true)
        });
        same.map_err(|error: Error| raised(py, &error, None))
    }

    fn __hash__(&self) -> u64 {
        let bodies = &self.0.items.bodies;
        let items = bodies.iter().map(|body| body.loaded.model.fingerprint());
        items.fold(bodies.len() as u64, |hash, item| hash.rotate_left(7) ^ item)
    }

    fn __repr__(&self) -> String {
        format!("World of {} items", self.__len__())
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyType>, Bound<'py, PyTuple>)> {
        let items = PyList::empty(py);
        for (body, at) in self.0.items.bodies.iter().zip(self.0.poses.iter()) {
            let at = shaped(py, numbers(at).to_vec(), [POSE])?;
            items.append((Bound::new(py, body.clone())?, at))?;
        }
        Ok((py.get_type::<World>(), PyTuple::new(py, [items])?))
    }
}

impl Default for Contents {
    /// Returns those of a world without items.
    fn default() -> Self {
        Contents { items: Arc::default(), poses: Arc::default(), scene: Scene::new() }
    }
}

impl Default for Items {
    fn default() -> Self {
        let (pool, buffers) = (Pool::default(), Pool::default());
        Items { bodies: Vec::new(), first_parts: vec![0], pool, buffers }
    }
}

impl World {
    /// Returns `true` if the two are one world, or copies of one.
    pub fn is_one_with(&self, other: &World) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Returns the number of items.
    pub fn item_count(&self) -> usize {
        self.0.poses.len()
    }

    /// Returns the number of parts of all items.
    pub fn part_count(&self) -> usize {
        self.0.items.bodies.iter().map(|body| body.loaded.model.len()).sum()
    }

    /// Returns the models of the items, and the poses of their parts.
    pub fn obstacles(&self) -> impl Iterator<Item = (&Arc<Model>, &[Pose])> {
        let scene = &self.0.scene;
        self.0.items.bodies.iter().enumerate().map(|(item, body)| {
            let poses = scene.poses(item_key(scene, item));
            (&body.loaded.model, poses.expect("the key is that of the scene"))
        })
    }

    /// Leases what a snapshot of the world alone needs.
    pub fn still(&self) -> Result<StillWorld<'_>, Error> {
        let buffers = self.0.items.buffers.lease(|_| true, || Ok(Buffers::new()))?;
        Ok(StillWorld { scene: &self.0.scene, buffers })
    }

    /// Returns the index of a part of an item, for a robot of `own` parts.
    pub fn part_index(&self, own: usize, key: CharacterKey, part: PartId) -> Result<i64, Error> {
        part_index((&self.0.scene, &self.0.items.first_parts), own, key, part)
    }

    /// Returns the index of a part of an item, by its number, for a robot of `own` parts.
    pub fn item_part_index(&self, own: usize, item: usize, part: PartId) -> i64 {
        (own + self.0.items.first_parts[item] + part.index()) as i64
    }

    /// Leases a copy with a robot in it, for one thread.
    pub fn with(&self, model: &Arc<Model>) -> Result<Lease<'_, WorldScratch>, Error> {
        let fits = |scratch: &WorldScratch| Arc::ptr_eq(&scratch.model, model);
        let Contents { items, poses, scene } = &*self.0;
        let mut scratch = items.pool.lease(fits, || {
            let mut scene = scene.clone();
            let key = scene.insert(model, Spawn::default().order(u64::MAX))?;
            let (buffers, hits) = (Buffers::new(), Hits::new());
            let (model, motion) = (Arc::clone(model), MotionScratch::default());
            let (poses, first_parts) = (Arc::clone(poses), items.first_parts.clone());
            Ok(WorldScratch { model, key, scene, buffers, hits, motion, poses, first_parts })
        })?;
        if !Arc::ptr_eq(&scratch.poses, poses) {
            // The scratch memory is that of a world with items at other poses.
            scratch.move_items(poses)?;
        }
        Ok(scratch)
    }

    fn with_items_at(&self, py: Python<'_>, poses: Vec<Pose>) -> PyResult<Self> {
        let mut contents = Contents::clone(&self.0);
        move_items(&mut contents.scene, &self.0.poses, &poses)
            .map_err(|(item, error)| item_error(py, item, &error))?;
        contents.poses = Arc::new(poses);
        Ok(World(Arc::new(contents)))
    }
}

/// Moves the items of a scene from some poses to others. The error is that of the first refused
/// item.
fn move_items(scene: &mut Scene, from: &[Pose], to: &[Pose]) -> Result<(), (usize, Error)> {
    for (item, (from, to)) in from.iter().zip(to).enumerate() {
        if !is_same_pose(from, to) {
            let key = item_key(scene, item);
            scene.set_root(key, to).map_err(|error| (item, error))?;
        }
    }
    Ok(())
}

/// Returns the index of a part of an item: those follow the robot's own.
fn part_index(
    (scene, first_parts): (&Scene, &[usize]),
    own: usize,
    key: CharacterKey,
    part: PartId,
) -> Result<i64, Error> {
    let item = scene.user(key)? as usize;
    Ok((own + first_parts[item] + part.index()) as i64)
}
