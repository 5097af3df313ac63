//! Bodies: characters, meshes, shapes, ground and levels, for pairs and for worlds.

use std::path::PathBuf;
use std::sync::Arc;

use boxwood::brush::BodyId;
use boxwood::f64::{Geometry, Loaded, Loader, Mesh, Model};
use boxwood::load::{Level, MapOptions};
use boxwood::motion::{Joint, Joints, Skeleton, Transform};
use boxwood::nalgebra::Point3;
use boxwood::{Build, Error};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyFloat, PyTuple};

use crate::arguments;
use crate::arrays::{Numbers, list, shaped, triangles};
use crate::files::{FileOrBytes, load};
use crate::poses::{POSE, numbers};
use crate::raise::{raised, refused};
use crate::rows::fill;
use crate::shapes;

/// Rigid parts with their trees of boxes: a character from a glTF file, a mesh, shapes, ground, a
/// level, the parts of a robot. Immutable; share it between threads, pickle it for other processes.
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
        Body::of_shapes(py, "boxes", shapes::boxes(py, centers, half_extents, rotations)?)
    }

    /// Builds balls as one part: centers [K, 3] (or one [3] for all) and radii [K] (or a number).
    #[staticmethod]
    fn spheres(
        py: Python<'_>,
        centers: &Bound<'_, PyAny>,
        radii: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        Body::of_shapes(py, "spheres", shapes::spheres(py, centers, radii)?)
    }

    /// Builds capsules as one part, all points within radii [K] (or a number) of the segments from
    /// starts [K, 3] to ends [K, 3] (or one [3] for all).
    #[staticmethod]
    fn capsules(
        py: Python<'_>,
        starts: &Bound<'_, PyAny>,
        ends: &Bound<'_, PyAny>,
        radii: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        Body::of_shapes(py, "capsules", shapes::capsules(py, [starts, ends], radii)?)
    }

    /// Builds solid cylinders as one part, of radii [K] (or a number) about the segments from
    /// starts [K, 3] to ends [K, 3] (or one [3] for all), where their flat faces are.
    #[staticmethod]
    fn cylinders(
        py: Python<'_>,
        starts: &Bound<'_, PyAny>,
        ends: &Bound<'_, PyAny>,
        radii: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        Body::of_shapes(py, "cylinders", shapes::cylinders(py, [starts, ends], radii)?)
    }

    /// Builds half-spaces as one part: all points p with normal . p <= offset, for normals [K, 3]
    /// of any length (or one [3] for all) and offsets [K] (or a number), by default 0. They end at
    /// `reach` from the origin along each axis: choose it beyond all that may touch them.
    #[staticmethod]
    #[pyo3(signature = (normals, offsets = None, *, reach = 1000.0))]
    fn half_spaces(
        py: Python<'_>,
        normals: &Bound<'_, PyAny>,
        offsets: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = arguments::reach)] reach: f64,
    ) -> PyResult<Self> {
        let zero = PyFloat::new(py, 0.0).into_any();
        let made = shapes::half_spaces(py, normals, offsets.unwrap_or(&zero), reach)?;
        Body::of_shapes(py, "half_spaces", made)
    }

    /// Builds the ground from heights [rows, columns] on a grid: one part. The first height is at
    /// the origin; with z up, columns follow each other along x and rows along y, with y up along z
    /// and x, with x up along y and z. spacing: distances between columns and between rows [2], or
    /// one number. base: height down to which it is solid; without, it is a surface, and what is
    /// below does not touch it.
    #[staticmethod]
    #[pyo3(signature = (heights, spacing, *, base = None, up = "z"))]
    fn height_field(
        py: Python<'_>,
        heights: &Bound<'_, PyAny>,
        spacing: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = arguments::base)] base: Option<f64>,
        up: &str,
    ) -> PyResult<Self> {
        let up = shapes::up_axis(up)?;
        let made = shapes::height_field(py, heights, (spacing, up), base)?;
        Body::of_shapes(py, "ground", made)
    }

    /// Loads the brushes of a level from a .map file of Quake, Quake II or Half-Life, a path or its
    /// bytes: one body of all that never moves, then one for each entity that may move (doors,
    /// trains), in its place in the file, a solid part for each brush. scale: times all lengths,
    /// 0.03125 for metres. up: axis that points up in the result. Liquids and triggers are left
    /// out; what else the bodies omit or approximate is in `warnings` of the first.
    #[staticmethod]
    #[pyo3(signature = (file, *, scale = 1.0, up = "z"))]
    fn map(
        py: Python<'_>,
        file: FileOrBytes,
        #[pyo3(from_py_with = arguments::scale)] scale: f64,
        up: &str,
    ) -> PyResult<Vec<Self>> {
        let options = MapOptions::quake().scale(scale).up(shapes::up_axis(up)?);
        let (bodies, bytes) = (
            |path: PathBuf| level_bodies(&boxwood::load::map(path, &options)?),
            |bytes: &[u8]| level_bodies(&boxwood::load::map_bytes(bytes, &options)?),
        );
        load(py, file, bodies, bytes)
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

    fn of_shapes(py: Python<'_>, name: &str, geometry: Geometry) -> PyResult<Self> {
        let built = py.detach(|| Body::one_part(name, geometry));
        built.map_err(|error| raised(py, &error, None))
    }

    fn one_part(name: &str, geometry: Geometry) -> Result<Self, Error> {
        Body::of_model(&Model::builder().part(name, None, geometry).build(&Build::robots())?)
    }
}

/// Returns the brushes of a level that never move, if any, then those of each entity that may.
fn level_bodies(level: &Level) -> Result<Vec<Body>, Error> {
    let moving = level.bodies().map(|(body, _)| body);
    let mut bodies = Vec::new();
    for body in std::iter::once(BodyId::STATIC).chain(moving) {
        if level.world.brushes_of(body).next().is_some() {
            bodies.push(Body::of_model(&level.world.model(body, &Build::robots())?)?);
        }
    }
    if let Some(first) = bodies.first_mut() {
        first.warnings = level.warnings.iter().map(|warning| warning.to_string()).collect();
    }
    Ok(bodies)
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
