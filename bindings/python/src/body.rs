//! Bodies: a character, a mesh or boxes, for pairs and for worlds.

use std::sync::Arc;

use boxwood::f64::{Geometry, Loaded, Loader, Mesh, Model, Obb};
use boxwood::motion::{Joint, Joints, Skeleton, Transform};
use boxwood::nalgebra::{Matrix3, Point3, Vector3};
use boxwood::{Build, Error};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};

use crate::arguments;
use crate::arrays::{Numbers, Rows, list, shaped, triangles};
use crate::files::{FileOrBytes, load};
use crate::poses::{POSE, numbers, pose};
use crate::raise::{raised, refused};
use crate::rows::fill;

/// Rigid parts with their trees of boxes: a character from a glTF file, a mesh, boxes, the parts of
/// a robot. Immutable; share it between threads, pickle it for other processes.
#[pyclass(frozen, module = "boxwood")]
#[derive(Clone)]
pub struct Body {
    pub loaded: Arc<Loaded>,
    warnings: Vec<String>,
}

#[pymethods]
impl Body {
    /// Loads a character from a glTF 2.0 file, a path or the bytes of a .glb: a part for every
    /// joint, in the file's units (metres, Y up). solid: meshes include their inside.
    #[staticmethod]
    #[pyo3(signature = (file, *, solid = true))]
    fn gltf(py: Python<'_>, file: FileOrBytes, solid: bool) -> PyResult<Self> {
        let loader = || Loader::new().solid(solid);
        let bytes = |bytes: &[u8]| loader().gltf_bytes(bytes);
        load(py, file, |path| loader().gltf(path), bytes).map(Body::of)
    }

    /// Loads a mesh from an OBJ file, a path or its bytes: one part.
    #[staticmethod]
    #[pyo3(signature = (file, *, solid = true))]
    fn obj(py: Python<'_>, file: FileOrBytes, solid: bool) -> PyResult<Self> {
        let loader = || Loader::new().solid(solid);
        let bytes = |bytes: &[u8]| loader().obj_bytes(bytes);
        load(py, file, |path| loader().obj(path), bytes).map(Body::of)
    }

    /// Loads a mesh from an STL file, a path or its bytes: one part.
    #[staticmethod]
    #[pyo3(signature = (file, *, solid = true))]
    fn stl(py: Python<'_>, file: FileOrBytes, solid: bool) -> PyResult<Self> {
        let loader = || Loader::new().solid(solid);
        let bytes = |bytes: &[u8]| loader().stl_bytes(bytes);
        load(py, file, |path| loader().stl(path), bytes).map(Body::of)
    }

    /// Builds a mesh of vertices [V, 3] and faces [F, 3] (indices of vertices): one part. solid: it
    /// includes its inside; holes are capped and named in `warnings`, triangles that face inward
    /// are reversed.
    #[staticmethod]
    #[pyo3(signature = (vertices, faces, *, solid = true))]
    fn mesh(
        py: Python<'_>,
        vertices: &Bound<'_, PyAny>,
        faces: &Bound<'_, PyAny>,
        solid: bool,
    ) -> PyResult<Self> {
        let Numbers { data, shape } = Numbers::of(vertices, "vertices")?;
        let [_, 3] = shape[..] else {
            return Err(refused(format!("vertices: shape {shape:?}, [V, 3] expected")));
        };
        let vertices: Vec<Point3<f64>> =
            data.chunks_exact(3).map(|v| Point3::new(v[0], v[1], v[2])).collect();
        let faces = triangles(faces)?;
        let built = py.detach(|| {
            let mesh = Mesh::new(vertices, faces)?;
            let (geometry, open) = if solid { closed(mesh)? } else { (Geometry::Surface(mesh), 0) };
            let body = Body::one_part("mesh", geometry)?;
            let capped = || format!("the mesh is not closed: {open} open edges are capped");
            let warnings = (open > 0).then(capped).into_iter().collect();
            Ok(Body { warnings, ..body })
        });
        built.map_err(|error| raised(py, &error, None))
    }

    /// Builds solid boxes as one part: centers [K, 3] and half_extents [K, 3] (or one [3] for all),
    /// rotated by quaternions x, y, z, w [K, 4] (or one [4]; by default not rotated).
    #[staticmethod]
    #[pyo3(signature = (centers, half_extents, rotations = None))]
    fn boxes(
        py: Python<'_>,
        centers: &Bound<'_, PyAny>,
        half_extents: &Bound<'_, PyAny>,
        rotations: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let centers = Numbers::rows(centers, 3, "centers")?;
        let halves = Numbers::rows(half_extents, 3, "half_extents")?;
        let turns = rotations.map(|turns| Numbers::rows(turns, 4, "rotations")).transpose()?;
        let count = centers.rows.max(halves.rows);
        for (rows, name) in [(&centers, "centers"), (&halves, "half_extents")] {
            check_rows(rows, count, name)?;
        }
        turns.iter().try_for_each(|turns| check_rows(turns, count, "rotations"))?;
        let one = |index: usize| {
            let half = Vector3::from_column_slice(halves.get(index));
            let center = Point3::from_slice(centers.get(index));
            match &turns {
                None => Obb::new(center, Matrix3::identity(), half),
                Some(turns) => {
                    let at = [centers.get(index), turns.get(index)].concat();
                    Obb::from_pose(&pose(&at), half)
                }
            }
        };
        let boxes: Result<Vec<Obb>, (usize, Error)> =
            (0..count).map(|index| one(index).map_err(|error| (index, error))).collect();
        let boxes = boxes.map_err(|(index, error)| raised(py, &error, Some(index)))?;
        Body::one_part("boxes", Geometry::Boxes(boxes)).map_err(|error| raised(py, &error, None))
    }

    /// Loads a body from the output of `bake`, a path or bytes: takes milliseconds, needs no other
    /// file.
    #[staticmethod]
    fn baked(py: Python<'_>, file: FileOrBytes) -> PyResult<Self> {
        let bytes = |bytes: &[u8]| Loader::new().baked_bytes(bytes);
        load(py, file, |path| Loader::new().baked(path), bytes).map(Body::of)
    }

    /// Returns a copy with all lengths times `factor`, clips too; trees are scaled, not built:
    /// 0.001 converts millimetres to metres.
    fn scaled(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = arguments::factor)] factor: f64,
    ) -> PyResult<Self> {
        let loaded = py.detach(|| self.loaded.scaled(factor));
        let loaded = loaded.map_err(|error| raised(py, &error, None))?;
        Ok(Body { warnings: self.warnings.clone(), ..Body::of(loaded) })
    }

    /// Returns the body as bytes, trees included; `pickle` uses them.
    fn bake<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| self.loaded.bake()).map_err(|error| raised(py, &error, None))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Names of the parts.
    #[getter]
    fn parts(&self) -> Vec<String> {
        self.loaded.model.parts().iter().map(|part| part.name().to_owned()).collect()
    }

    /// Poses of the parts in the model, [parts, 7], from the file.
    #[getter]
    fn bind_poses(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let poses = self.loaded.model.bind_poses();
        let all = poses.iter().flat_map(numbers).collect();
        shaped(py, all, [poses.len(), POSE])
    }

    /// Clips of the file: name to duration in seconds.
    #[getter]
    fn clips<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let clips = PyDict::new(py);
        for clip in self.loaded.clips.iter() {
            clips.set_item(clip.name(), clip.duration())?;
        }
        Ok(clips)
    }

    /// Features of the file that the body approximates or omits.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.warnings.clone()
    }

    /// Number that identifies the body, the same on every machine.
    #[getter]
    fn fingerprint(&self) -> u64 {
        self.loaded.model.fingerprint()
    }

    /// Returns the poses of the parts at times [N] (seconds) of a clip: [N, parts, 7], part to
    /// model. looped: times wrap around, otherwise they are clamped to the ends.
    #[pyo3(signature = (clip, times, *, looped = false, threads = 1))]
    fn poses(
        &self,
        py: Python<'_>,
        clip: &str,
        times: &Bound<'_, PyAny>,
        looped: bool,
        #[pyo3(from_py_with = arguments::threads)] threads: usize,
    ) -> PyResult<Py<PyAny>> {
        let Numbers { data: times, shape } = Numbers::of(times, "times")?;
        if shape.len() > 1 {
            return Err(refused(format!("times: shape {shape:?}, [N] expected")));
        }
        let clip = self.loaded.clips.get(clip).map_err(|error| raised(py, &error, None))?;
        let parts = self.loaded.model.len();
        let mut all = vec![0.0; times.len() * parts * POSE];
        let sample = |joints: &mut Joints<f64>, row: usize, out: &mut [f64]| {
            let poses = match looped {
                true => clip.sample_looped(times[row], joints)?,
                false => clip.sample(times[row], joints)?,
            };
            for (pose, out) in poses.iter().zip(out.chunks_exact_mut(POSE)) {
                out.copy_from_slice(&numbers(pose));
            }
            Ok(())
        };
        fill(py, (&mut all, parts * POSE), threads, || Ok(Joints::new()), sample)?;
        shaped(py, all, [times.len(), parts, POSE])
    }

    /// Compares parts, clips and warnings, not the file's name.
    fn __eq__(&self, py: Python<'_>, other: &Body) -> PyResult<bool> {
        let same = py.detach(|| self.is_same(other));
        same.map_err(|error| raised(py, &error, None))
    }

    fn __hash__(&self) -> u64 {
        self.fingerprint()
    }

    fn __repr__(&self) -> String {
        let (parts, clips) = (self.loaded.model.len(), self.loaded.clips.len());
        format!("Body of {parts} parts, {clips} clips")
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let read = py.import("boxwood._restore")?.getattr("body")?;
        let state = (self.bake(py)?, self.warnings.clone());
        Ok((read, state.into_pyobject(py)?))
    }

    /// Loads a baked body with the warnings it had.
    #[staticmethod]
    fn _again(py: Python<'_>, bytes: &[u8], warnings: Vec<String>) -> PyResult<Self> {
        let loaded = Loader::new().baked_bytes(bytes);
        let loaded = loaded.map_err(|error| raised(py, &error, None))?;
        Ok(Body { warnings, ..Body::of(loaded) })
    }
}

impl Body {
    pub fn of(loaded: Loaded) -> Self {
        let warnings = loaded.warnings.iter().map(|warning| warning.to_string()).collect();
        Body { loaded: Arc::new(loaded), warnings }
    }

    /// Creates a body of the parts of a model, each a joint of its own.
    pub fn of_model(model: &Arc<Model>) -> Result<Self, Error> {
        let joint = |part: &boxwood::model::Part<f64>| {
            let bind = part.bind();
            let (translation, rotation) = (bind.translation.vector, bind.rotation);
            let rest = Transform { translation, rotation, ..Transform::default() };
            Joint { name: part.name().to_owned(), parent: None, rest }
        };
        let skeleton = Skeleton::new(model.parts().iter().map(joint).collect())?;
        Ok(Body::of(Loaded::new(Arc::clone(model), Arc::new(skeleton))))
    }

    /// Returns `true` if the two have equal parts, clips and warnings.
    pub fn is_same(&self, other: &Body) -> Result<bool, Error> {
        if Arc::ptr_eq(&self.loaded, &other.loaded) {
            return Ok(self.warnings == other.warnings);
        }
        if self.fingerprint() != other.fingerprint() || self.warnings != other.warnings {
            return Ok(false);
        }
        Ok(self.loaded.bake()? == other.loaded.bake()?)
    }

    fn one_part(name: &str, geometry: Geometry) -> Result<Self, Error> {
        Body::of_model(&Model::builder().part(name, None, geometry).build(&Build::robots())?)
    }
}

/// Refuses a batch that has neither one row nor `count`.
pub fn check_rows(rows: &Rows, count: usize, name: &str) -> PyResult<()> {
    match rows.rows == count || rows.rows == 1 {
        true => Ok(()),
        false => Err(refused(format!("{name}: {} rows, {count} or 1 expected", rows.rows))),
    }
}

/// Returns the solid inside a mesh, and the number of edges that had to be capped.
fn closed(mesh: Mesh) -> Result<(Geometry, usize), Error> {
    let open = mesh.open_edges().len();
    let mesh = if open > 0 { mesh.capped() } else { mesh };
    if mesh.volume() < 0.0 {
        let turned = mesh.triangles().iter().map(|&[a, b, c]| [a, c, b]).collect();
        return Ok((Geometry::Solid(Mesh::new(mesh.vertices().to_vec(), turned)?), open));
    }
    Ok((Geometry::Solid(mesh), open))
}

/// Converts whole numbers to an array.
pub fn indices(py: Python<'_>, values: impl Iterator<Item = i64>) -> Py<PyAny> {
    list(py, values.collect())
}
