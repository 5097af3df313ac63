//! Robots: links with their trees and the joints that move them, queried in batches of joint
//! values.

use std::collections::HashMap;
use std::path::PathBuf;

use boxwood::f64::{Loader, Pose};
use boxwood::load::{self, LinkShapes, Resolver};
use boxwood::robot::MatrixBuilder;
use boxwood::{Error, PartId};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyTuple};

use crate::accuracy::Accuracy;
use crate::arguments::{self, Length};
use crate::arrays::{list, shaped};
use crate::batch::Batches;
use crate::body::{Body, indices};
use crate::distances::distances;
use crate::edges::{EdgeQuestion, EdgeRow, edges, path_edge};
use crate::files::{FileOrBytes, load};
use crate::matrix::CollisionMatrix;
use crate::motion::{checked_tolerance, impacts};
use crate::own::{RobotScratch, Uniform, first};
use crate::pair::closest;
use crate::part_size::{part_bounds, part_volume};
use crate::places::{Places, Row, one_pose};
use crate::poses::{POSE, numbers};
use crate::raise::{raised, refused};
use crate::results::named;
use crate::rows::{Pool, fill, fill_blocks};
use crate::world::World;

/// A robot from a URDF or an MJCF file. A configuration is a row of joint values, one for each of
/// `actuators`, radians or metres; a batch is [N, dof] float64 in any layout, or [dof] for one.
/// Immutable; share it between threads, pickle it for other processes.
#[pyclass(frozen, module = "boxwood")]
pub struct Robot {
    pub robot: load::Robot<f64>,
    pub pool: Pool<RobotScratch>,
    pub batches: Batches,
    /// World without items, for motions of the robot alone.
    pub empty: World,
}

/// Returns the shapes of links with the name in Python.
fn shapes_called(name: &str) -> PyResult<LinkShapes> {
    match name {
        "collision" => Ok(LinkShapes::Collision),
        "visual" => Ok(LinkShapes::Visual),
        "collision_or_visual" => Ok(LinkShapes::CollisionOrVisual),
        _ => Err(refused(format!("link_shapes: unknown value '{name}'"))),
    }
}

/// Sets the number of joints within which links are not tested, if given.
fn ignoring(loader: Loader<'_>, hops: Option<usize>) -> Loader<'_> {
    match hops {
        Some(hops) => loader.ignore_neighbours(hops),
        None => loader,
    }
}

#[pymethods]
impl Robot {
    /// Loads a URDF file with its meshes (STL, OBJ, DAE, glTF), a path, or the bytes or the text of
    /// the file.
    /// srdf: an SRDF file, path or bytes, whose disabled pairs are not tested. packages: folders of
    /// packages by name; other names are searched beside and above the file. folder: where meshes
    /// of bytes are searched. solid: meshes include their inside. ignore_neighbours: links within
    /// this many moving joints are not tested, 1 if None; links that fixed joints connect are not
    /// tested either. link_shapes: "collision", "visual" or "collision_or_visual". allow_empty:
    /// also loads a robot of which no link can collide, for its kinematics alone.
    #[staticmethod]
    #[pyo3(signature = (
        file, *, srdf = None, packages = None, folder = None, solid = true,
        ignore_neighbours = None, link_shapes = "collision", allow_empty = false
    ))]
    fn urdf(
        py: Python<'_>,
        file: FileOrBytes,
        srdf: Option<FileOrBytes>,
        packages: Option<HashMap<String, PathBuf>>,
        folder: Option<PathBuf>,
        solid: bool,
        #[pyo3(from_py_with = arguments::ignore_neighbours)] ignore_neighbours: Option<usize>,
        link_shapes: &str,
        allow_empty: bool,
    ) -> PyResult<Self> {
        let shapes = shapes_called(link_shapes)?;
        let loader = move || {
            let loader = ignoring(Loader::new(), ignore_neighbours).solid(solid);
            let loader = loader.link_shapes(shapes).allow_empty(allow_empty);
            let loader = match srdf {
                Some(FileOrBytes::Path(path)) => loader.srdf(path),
                Some(FileOrBytes::Bytes(bytes)) => loader.srdf_bytes(bytes),
                None => loader,
            };
            let loader = match folder {
                Some(folder) => loader.folder(folder),
                None => loader,
            };
            match packages {
                Some(packages) => loader.resolver(Resolver::new(move |name| {
                    let tail = name.strip_prefix("package://")?;
                    let (package, inside) = tail.split_once('/')?;
                    Some(packages.get(package)?.join(inside))
                })),
                None => loader,
            }
        };
        let loaded = match file {
            FileOrBytes::Path(path) => py.detach(|| loader().urdf(path)),
            FileOrBytes::Bytes(bytes) => py.detach(|| loader().urdf_bytes(&bytes)),
        };
        loaded.map(Robot::of).map_err(|error| raised(py, &error, None))
    }

    /// Loads an MJCF file of MuJoCo, a path, or the bytes or the text of the file. groups: `contype` and
    /// `conaffinity` decide which pairs are tested. convex_meshes: meshes become their convex
    /// hulls, as in MuJoCo. link_shapes: with "visual", shapes that collide with nothing are the
    /// geometry. ignore_neighbours: as for `urdf`, but None uses that of the file: 1, or 0 if its
    /// flag `filterparent` is disabled. allow_empty: as for `urdf`. planes: length up to which the
    /// half-space below a plane is a part of the world, a cube; None leaves planes out.
    #[staticmethod]
    #[pyo3(signature = (
        file, *, groups = true, ignore_neighbours = None, allow_empty = false,
        convex_meshes = true, link_shapes = "collision", planes = None
    ))]
    fn mjcf(
        py: Python<'_>,
        file: FileOrBytes,
        groups: bool,
        #[pyo3(from_py_with = arguments::ignore_neighbours)] ignore_neighbours: Option<usize>,
        allow_empty: bool,
        convex_meshes: bool,
        link_shapes: &str,
        #[pyo3(from_py_with = arguments::planes)] planes: Option<f64>,
    ) -> PyResult<Self> {
        let shapes = shapes_called(link_shapes)?;
        let loader = || {
            let loader = ignoring(Loader::new(), ignore_neighbours).groups(groups);
            let loader = loader.link_shapes(shapes).convex_meshes(convex_meshes);
            let loader = loader.allow_empty(allow_empty);
            match planes {
                Some(reach) => loader.planes(reach),
                None => loader,
            }
        };
        let bytes = |bytes: &[u8]| loader().mjcf_bytes(bytes);
        load(py, file, |path| loader().mjcf(path), bytes).map(Robot::of)
    }

    /// Loads a robot from the output of `bake`, a path or bytes: takes milliseconds, needs no other
    /// file.
    #[staticmethod]
    fn baked(py: Python<'_>, file: FileOrBytes) -> PyResult<Self> {
        let bytes = |bytes: &[u8]| Loader::new().baked_robot_bytes(bytes);
        load(py, file, |path| Loader::new().baked_robot(path), bytes).map(Robot::of)
    }

    /// Returns the robot as bytes, trees included; `pickle` uses them.
    fn bake<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| self.robot.bake()).map_err(|error| raised(py, &error, None))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Number of joint values of a configuration.
    #[getter]
    fn dof(&self) -> usize {
        self.robot.mechanism.actuators().len()
    }

    /// Names of the joint values, in the order of a configuration. Joints that mimic others have
    /// none of their own.
    #[getter]
    fn actuators(&self) -> Vec<String> {
        self.robot.mechanism.actuators().iter().map(|own| own.name.clone()).collect()
    }

    /// Least and greatest joint values, [dof, 2], radians or metres; infinite without limits.
    #[getter]
    fn limits(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let all = self.robot.mechanism.actuators().iter();
        let limits = all.flat_map(|own| own.limits.unwrap_or([-f64::INFINITY, f64::INFINITY]));
        shaped(py, limits.collect(), [self.dof(), 2])
    }

    /// Joint values at rest, [dof]: zero for every joint, or the limit nearest to it.
    #[getter]
    fn rest(&self, py: Python<'_>) -> Py<PyAny> {
        list(py, self.robot.mechanism.rest())
    }

    /// Names of the parts, which are the links.
    #[getter]
    fn parts(&self) -> Vec<String> {
        self.robot.model.parts().iter().map(|part| part.name().to_owned()).collect()
    }

    /// Box around the geometry of every part in the part's own frame, [parts, 2, 3]: the least and
    /// the greatest coordinates [metres], not a number for a part without geometry.
    #[getter]
    fn part_bounds(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let parts = self.robot.model.parts();
        shaped(
            py,
            parts.iter().flat_map(|part| part_bounds(part.tree())).collect(),
            [parts.len(), 2, 3],
        )
    }

    /// Volume of every part, [parts]: the sum over its solids, so that an overlap of two counts
    /// twice; zero for surfaces and for a part without geometry [cubic metres].
    #[getter]
    fn part_volumes(&self, py: Python<'_>) -> Py<PyAny> {
        let parts = self.robot.model.parts();
        list(py, parts.iter().map(|part| part_volume(part.tree())).collect())
    }

    /// Pairs of parts that are tested against each other, [K, 2], the lower index first.
    #[getter]
    fn tested_pairs(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let parts = self.robot.model.parts();
        let solid = |part: &usize| parts[*part].tree().is_some();
        let mut pairs = Vec::new();
        for a in (0..parts.len()).filter(solid) {
            let tested = |b: &usize| self.robot.model.tests(PartId::new(a), PartId::new(*b));
            pairs.extend(
                (a + 1..parts.len())
                    .filter(solid)
                    .filter(tested)
                    .flat_map(|b| [a as i64, b as i64]),
            );
        }
        let rows = pairs.len() / 2;
        shaped(py, pairs, [rows, 2])
    }

    /// Features of the file that the robot approximates or omits.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.robot.warnings.iter().map(|warning| warning.to_string()).collect()
    }

    /// Number that identifies the robot's geometry and rules, the same on every machine.
    #[getter]
    fn fingerprint(&self) -> u64 {
        self.robot.model.fingerprint()
    }

    /// Parts as a body, for `Pair` and `World`; its poses are those of `poses`.
    #[getter]
    fn body(&self, py: Python<'_>) -> PyResult<Body> {
        Body::of_model(&self.robot.model).map_err(|error| raised(py, &error, None))
    }

    /// Returns a copy whose parts count as touching if they are no further apart than `margin`
    /// (metres), or than the margin of their pair: {("hand", "link5"): 0.02}. Queries may set a
    /// larger margin.
    #[pyo3(signature = (margin = 0.0, pairs = None))]
    fn with_margins(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = arguments::margin)] margin: f64,
        pairs: Option<HashMap<(String, String), Length>>,
    ) -> PyResult<Self> {
        let pairs = pairs.unwrap_or_default();
        let mut of_pairs: Vec<(&str, &str, f64)> =
            pairs.iter().map(|((a, b), margin)| (a.as_str(), b.as_str(), margin.0)).collect();
        of_pairs.sort_by_key(|&(a, b, _)| (a, b));
        let model = self.robot.model.with_margins(margin, &of_pairs);
        let model = model.map_err(|error| raised(py, &error, None))?;
        let mut robot = self.robot.clone();
        robot.model = model;
        Ok(Robot::of(robot))
    }

    /// Returns a copy that does not test these pairs of parts, by name: [("hand", "link5")]. The
    /// trees are shared.
    fn with_ignored(&self, py: Python<'_>, pairs: Vec<(String, String)>) -> PyResult<Self> {
        self.with_pairs(py, &pairs, load::Robot::with_ignored)
    }

    /// Returns a copy that tests these pairs of parts although they are ignored, or their masks
    /// have no common bit, by name.
    fn with_tested(&self, py: Python<'_>, pairs: Vec<(String, String)>) -> PyResult<Self> {
        self.with_pairs(py, &pairs, load::Robot::with_tested)
    }

    /// Returns a copy that holds a body: each of its parts becomes a part behind the robot's own,
    /// fixed to `link`, called `name` or, of several, `name/part`. pose: pose of the body in the
    /// frame of the link, 7 numbers. The new parts are tested against all parts but each other,
    /// `link` and `touch_links`, with the margins of `link`. To let go, use the robot without it.
    #[pyo3(signature = (name, body, link, pose = None, *, touch_links = Vec::new()))]
    fn with_attached(
        &self,
        py: Python<'_>,
        name: &str,
        body: &Bound<'_, Body>,
        link: &str,
        pose: Option<&Bound<'_, PyAny>>,
        touch_links: Vec<String>,
    ) -> PyResult<Self> {
        let at = match pose {
            Some(pose) => one_pose(pose, "pose")?,
            None => Pose::identity(),
        };
        let touched: Vec<&str> = touch_links.iter().map(String::as_str).collect();
        let body = &body.get().loaded.model;
        let holding = self.robot.with_attached(name, body, link, &at, &touched);
        holding.map(Robot::of).map_err(|error| raised(py, &error, None))
    }

    /// Returns a copy with all lengths times `factor`, margins too; trees are scaled, not built.
    /// Joint values keep their meaning: the same value moves a slide `factor` times as far.
    fn scaled(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = arguments::factor)] factor: f64,
    ) -> PyResult<Self> {
        let scaled = py.detach(|| self.robot.scaled(factor));
        scaled.map(Robot::of).map_err(|error| raised(py, &error, None))
    }

    /// Returns true for the configurations that collide, with themselves or with the world: [N]
    /// bool. margin: parts no further apart (metres) collide, too. self_collision: tests the
    /// robot's parts against each other. base: pose of the robot's base in the world, [N, 7] or
    /// [7]. world_poses: poses of the world's items, [N, items, 7] or [items, 7]. Where rows have
    /// places of their own, one configuration serves them all. threads: 0 for all cores, 1 for this
    /// one alone.
    #[pyo3(signature = (
        q, *, world = None, accuracy = None, margin = 0.0, self_collision = true, base = None,
        world_poses = None, threads = 0
    ))]
    fn collides(
        &self,
        py: Python<'_>,
        q: &Bound<'_, PyAny>,
        world: Option<&Bound<'_, World>>,
        accuracy: Option<Accuracy>,
        #[pyo3(from_py_with = arguments::margin)] margin: f64,
        self_collision: bool,
        base: Option<&Bound<'_, PyAny>>,
        world_poses: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = arguments::threads)] threads: usize,
    ) -> PyResult<Py<PyAny>> {
        let q = self.configurations(q, "q")?;
        let asked = (accuracy, margin, self_collision);
        let question = self.placed_question(world, (base, world_poses), asked)?;
        let mut out = vec![false; question.places.row_count(q.rows)?];
        let (prepared, q) = self.prepared(py, &question, (q, out.len()));
        let thread = || self.thread(question.world);
        match prepared {
            Some(prepared) => {
                fill_blocks(py, (&mut out, 1), threads, thread, |thread, first, out| {
                    prepared.collides(&question, thread, (&q, first), out)
                })?
            }
            None => fill(py, (&mut out, 1), threads, thread, |thread, index, out| {
                out[0] = question.collides(thread, Row { index, values: q.get(index) })?;
                Ok(())
            })?,
        }
        Ok(list(py, out))
    }

    /// Returns the touching parts: a table Pairs(row, a, b) of arrays [K], in order of row,
    /// a, b; a and b are indices of `parts`; len(parts) + i is entry i of `World.parts`. Options as
    /// `collides`.
    #[pyo3(signature = (
        q, *, world = None, accuracy = None, margin = 0.0, self_collision = true, base = None,
        world_poses = None, threads = 0
    ))]
    fn pairs<'py>(
        &self,
        py: Python<'py>,
        q: &Bound<'py, PyAny>,
        world: Option<&Bound<'py, World>>,
        accuracy: Option<Accuracy>,
        #[pyo3(from_py_with = arguments::margin)] margin: f64,
        self_collision: bool,
        base: Option<&Bound<'py, PyAny>>,
        world_poses: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = arguments::threads)] threads: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let q = self.configurations(q, "q")?;
        let asked = (accuracy, margin, self_collision);
        let question = self.placed_question(world, (base, world_poses), asked)?;
        let mut out: Vec<Vec<[i64; 2]>> = vec![Vec::new(); question.places.row_count(q.rows)?];
        let (prepared, q) = self.prepared(py, &question, (q, out.len()));
        let thread = || self.thread(question.world);
        match prepared {
            Some(prepared) => {
                fill_blocks(py, (&mut out, 1), threads, thread, |thread, first, out| {
                    prepared.pairs(&question, thread, (&q, first), out)
                })?
            }
            None => fill(py, (&mut out, 1), threads, thread, |thread, index, out| {
                question.pairs(thread, Row { index, values: q.get(index) }, &mut out[0])
            })?,
        }
        out.iter_mut().for_each(|pairs| pairs.sort_unstable());
        let row = out.iter().enumerate().flat_map(|(row, pairs)| pairs.iter().map(move |_| row));
        let arrays = vec![
            indices(py, row.map(|row| row as i64)),
            indices(py, out.iter().flatten().map(|pair| pair[0])),
            indices(py, out.iter().flatten().map(|pair| pair[1])),
        ];
        named(py, "Pairs", arrays)
    }

    /// Returns the distance of the nearest two parts, or of a part and the world: [N], metres, zero
    /// where two touch, inf beyond `max_distance`.
    #[pyo3(signature = (
        q, *, max_distance = f64::INFINITY, world = None, accuracy = None, self_collision = true,
        base = None, world_poses = None, threads = 0
    ))]
    fn distance(
        &self,
        py: Python<'_>,
        q: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = arguments::max_distance)] max_distance: f64,
        world: Option<&Bound<'_, World>>,
        accuracy: Option<Accuracy>,
        self_collision: bool,
        base: Option<&Bound<'_, PyAny>>,
        world_poses: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = arguments::threads)] threads: usize,
    ) -> PyResult<Py<PyAny>> {
        let asked = (accuracy, 0.0, self_collision);
        let question = self.placed_question(world, (base, world_poses), asked)?;
        let found = self.nearest(py, q, (&question, max_distance), threads)?;
        let far = f64::INFINITY;
        Ok(list(py, found.iter().map(|found| found.map_or(far, |near| near.distance)).collect()))
    }

    /// Returns the closest points: a table Closest(distance, a, b, on_a, on_b) of arrays, a
    /// row each; a and b as those of `pairs`, -1 and nan beyond `max_distance`. Points are in the
    /// world.
    #[pyo3(signature = (
        q, *, max_distance = f64::INFINITY, world = None, accuracy = None, self_collision = true,
        base = None, world_poses = None, threads = 0
    ))]
    fn closest<'py>(
        &self,
        py: Python<'py>,
        q: &Bound<'py, PyAny>,
        #[pyo3(from_py_with = arguments::max_distance)] max_distance: f64,
        world: Option<&Bound<'py, World>>,
        accuracy: Option<Accuracy>,
        self_collision: bool,
        base: Option<&Bound<'py, PyAny>>,
        world_poses: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = arguments::threads)] threads: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let asked = (accuracy, 0.0, self_collision);
        let question = self.placed_question(world, (base, world_poses), asked)?;
        closest(py, self.nearest(py, q, (&question, max_distance), threads)?)
    }

    /// Returns the signed distances of all pairs of parts no further apart than `max_distance`: a
    /// table Distances of arrays, a pair each, in order of row, then the robot's own pairs, a, b.
    /// Where parts overlap it is minus the length of the shortest way out that was found. gradient
    /// is the derivative of the distance by the joint values. Exact at every accuracy. With a world
    /// `max_distance` has to be finite.
    #[pyo3(signature = (
        q, max_distance, *, world = None, self_collision = true, base = None, world_poses = None,
        threads = 0
    ))]
    fn distances<'py>(
        &self,
        py: Python<'py>,
        q: &Bound<'py, PyAny>,
        #[pyo3(from_py_with = arguments::max_distance)] max_distance: f64,
        world: Option<&Bound<'py, World>>,
        self_collision: bool,
        base: Option<&Bound<'py, PyAny>>,
        world_poses: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = arguments::threads)] threads: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let q = self.configurations(q, "q")?;
        if world.is_some() && max_distance == f64::INFINITY {
            return Err(refused("max_distance: inf, a finite length expected with a world"));
        }
        let asked = (None, 0.0, self_collision);
        let question = self.placed_question(world, (base, world_poses), asked)?;
        let mut out = vec![Vec::new(); question.places.row_count(q.rows)?];
        let thread = || self.thread(question.world);
        fill(py, (&mut out, 1), threads, thread, |thread, index, out| {
            let row = Row { index, values: q.get(index) };
            out[0] = question.distances(thread, row, max_distance)?;
            Ok(())
        })?;
        distances(py, &out, self.dof())
    }

    /// Computes forward kinematics: the pose of every part, [N, parts, 7], part to world: position
    /// x, y, z in metres, then the rotation as a quaternion x, y, z, w.
    #[pyo3(signature = (q, *, threads = 1))]
    fn poses(
        &self,
        py: Python<'_>,
        q: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = arguments::threads)] threads: usize,
    ) -> PyResult<Py<PyAny>> {
        let q = self.configurations(q, "q")?;
        let parts = self.robot.model.len();
        let mut out = vec![0.0; q.rows * parts * POSE];
        let lease = || self.thread(None);
        fill(py, (&mut out, parts * POSE), threads, lease, |thread, row, out| {
            let poses = &mut thread.robot.poses;
            self.robot.mechanism.poses(q.get(row), poses)?;
            for (pose, out) in poses.iter().zip(out.chunks_exact_mut(POSE)) {
                out.copy_from_slice(&numbers(pose));
            }
            Ok(())
        })?;
        shaped(py, out, [q.rows, parts, POSE])
    }

    /// Returns random configurations within the limits (between -pi and pi where there are none),
    /// [n, dof], uniformly distributed; the same for a seed on every machine.
    #[pyo3(signature = (n, seed = 0))]
    fn sample(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = arguments::n)] n: usize,
        #[pyo3(from_py_with = arguments::seed)] seed: u64,
    ) -> PyResult<Py<PyAny>> {
        let dof = self.dof();
        let size = n.checked_mul(dof).filter(|&size| size < 1 << 40);
        let size = size.ok_or_else(|| refused(format!("n: {n} rows are too many")))?;
        let mut uniform = Uniform(seed);
        let (mut all, mut row): (Vec<f64>, _) = (Vec::with_capacity(size), Vec::new());
        for _ in 0..n {
            self.robot.mechanism.sample_values(|| uniform.next(), &mut row);
            all.extend_from_slice(&row);
        }
        shaped(py, all, [n, dof])
    }

    /// Checks straight edges from q0 to q1 as a whole, against the robot itself and the world: a
    /// table Edges of arrays, a row each. Where `free` is true, it is proved that no tested parts
    /// touch on the whole edge, nor come within `margin` (metres) or their margin of
    /// `with_margins`; where `collides` is true, they do at the configuration `q` of the row. Both
    /// are false where two parts come so near that neither was shown: within `tolerance` (metres,
    /// above 0) beyond their margin; planners count that as a collision. first: searches the first
    /// collision of each edge instead of any, which takes longer. a and b as those of `pairs`.
    /// base: poses of the base in the world, [N, 7] or [7], at which it stands on the whole edge.
    #[pyo3(signature = (
        q0, q1, *, world = None, margin = 0.0, tolerance = 0.001, self_collision = true,
        first = false, threads = 0, base = None
    ))]
    fn check_edges<'py>(
        &self,
        py: Python<'py>,
        q0: &Bound<'py, PyAny>,
        q1: &Bound<'py, PyAny>,
        world: Option<&Bound<'py, World>>,
        #[pyo3(from_py_with = arguments::margin)] margin: f64,
        #[pyo3(from_py_with = arguments::tolerance)] tolerance: f64,
        self_collision: bool,
        first: bool,
        #[pyo3(from_py_with = arguments::threads)] threads: usize,
        base: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (ends, rows) = self.edge_rows([q0, q1])?;
        checked_tolerance(tolerance)?;
        let places = Places::parsed(base, None, None)?;
        let rows = places.row_count(rows)?;
        let question = self.question(world, (None, margin, self_collision));
        let mut out = vec![EdgeRow::free(f64::INFINITY); rows];
        let failed = |error| raised(py, &error, None);
        let mut still = question.world.map(World::still).transpose().map_err(failed)?;
        let checker = EdgeQuestion::new(&question, (tolerance, first), still.as_mut());
        let checker = checker.map_err(failed)?;
        // One place is that of all rows, and set once.
        let checker = checker.based(places.only_base()).map_err(failed)?;
        fill(
            py,
            (&mut out, 1),
            threads,
            || Ok((self.thread(None)?, checker.clone())),
            |(thread, checker), row, out| {
                if places.only_base().is_none() && places.base(row).is_some() {
                    *checker = checker.clone().based(places.base(row))?;
                }
                let ends = [ends[0].get(row), ends[1].get(row)];
                out[0] = checker.check(ends, &mut thread.robot.edge)?;
                Ok(())
            },
        )?;
        edges(py, &out, self.dof())
    }

    /// Checks the edges of a path through the configurations q, in order, up to the first that is
    /// not free: a PathEdge, whose `index` is that of the edge, or the number of edges if all are
    /// free. Options as `check_edges`; one base for all.
    #[pyo3(signature = (
        q, *, world = None, margin = 0.0, tolerance = 0.001, self_collision = true, base = None
    ))]
    fn check_path<'py>(
        &self,
        py: Python<'py>,
        q: &Bound<'py, PyAny>,
        world: Option<&Bound<'py, World>>,
        #[pyo3(from_py_with = arguments::margin)] margin: f64,
        #[pyo3(from_py_with = arguments::tolerance)] tolerance: f64,
        self_collision: bool,
        base: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let q = self.configurations(q, "q")?;
        checked_tolerance(tolerance)?;
        let base = base.map(|base| one_pose(base, "base")).transpose()?;
        let question = self.question(world, (None, margin, self_collision));
        let found = py.detach(|| {
            let mut still = question.world.map(World::still).transpose()?;
            let checker = EdgeQuestion::new(&question, (tolerance, false), still.as_mut())?;
            checker.based(base.as_ref())?.check_path(&q.data, &mut self.thread(None)?.robot.edge)
        });
        let (index, row) = found.map_err(|error| match error {
            Error::Row { row, source } => raised(py, &source, Some(row)),
            other => raised(py, &other, None),
        })?;
        path_edge(py, (index, &row), self.dof())
    }

    /// Decides for every pair of links whether they touch at any joint values within the limits
    /// (between -pi and pi where there are none): never, always (both proved), sometimes (with a
    /// configuration), or undecided. Pairs that the robot ignores are decided too. Of `samples`
    /// random configurations, and as many with values at the limits, those are witnesses where two
    /// touch; the rest is proved, by splitting the joint values at most `splits` times a pair.
    /// margin: parts no further apart (metres) touch; those of `with_margins` have no effect.
    /// resolution: approach (metres) below which the proof of a pair stops. Takes seconds for an
    /// arm, on one thread; Ctrl-C has no effect before it is done.
    #[pyo3(signature = (
        samples = 10_000, seed = 1, *, margin = 0.0, splits = 200_000, resolution = 1e-5
    ))]
    fn matrix(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = arguments::samples)] samples: usize,
        #[pyo3(from_py_with = arguments::seed)] seed: u64,
        #[pyo3(from_py_with = arguments::margin)] margin: f64,
        #[pyo3(from_py_with = arguments::splits)] splits: usize,
        #[pyo3(from_py_with = arguments::resolution)] resolution: f64,
    ) -> PyResult<CollisionMatrix> {
        let load::Robot { mechanism, model, .. } = &self.robot;
        let matrix = py.detach(|| {
            let builder = MatrixBuilder::new(mechanism, model)?.samples(samples).seed(seed);
            builder.margin(margin).splits(splits).resolution(resolution).run()
        });
        matrix.map(CollisionMatrix).map_err(|error| raised(py, &error, None))
    }

    /// Returns the pairs that this robot, loaded with an SRDF file, ignores although they touch at
    /// a configuration of a matrix, as `CollisionMatrix.pairs`, each with its witness: faults of
    /// the file, and neighbours. Pairs that touch in every sample are left out. The matrix may be
    /// that of the robot without the file, whose own `tested_pairs` tell which are neighbours.
    fn ignored_although_touching<'py>(
        &self,
        py: Python<'py>,
        matrix: &CollisionMatrix,
    ) -> PyResult<Bound<'py, PyList>> {
        matrix.listed(py, matrix.0.ignored_although_touching(&self.robot.model))
    }

    /// Returns where straight edges from q0 to q1 first collide: [N], the fraction of the edge at
    /// the first tested configuration that collides, nan if none does. Tested are both ends and as
    /// many evenly spaced configurations between them that no joint moves by more than `step`
    /// (radians or metres, a number or [dof]). Nothing between two of these is tested, so thin
    /// parts and short contacts are missed; `check_edges` misses none. base as that of
    /// `check_edges`, other options as `collides`.
    #[pyo3(signature = (
        q0, q1, step, *, world = None, accuracy = None, margin = 0.0, self_collision = true,
        threads = 0, base = None
    ))]
    fn edges(
        &self,
        py: Python<'_>,
        q0: &Bound<'_, PyAny>,
        q1: &Bound<'_, PyAny>,
        step: &Bound<'_, PyAny>,
        world: Option<&Bound<'_, World>>,
        accuracy: Option<Accuracy>,
        #[pyo3(from_py_with = arguments::margin)] margin: f64,
        self_collision: bool,
        #[pyo3(from_py_with = arguments::threads)] threads: usize,
        base: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        let (ends, rows) = self.edge_rows([q0, q1])?;
        let steps = self.steps(step)?;
        let asked = (accuracy, margin, self_collision);
        let question = self.placed_question(world, (base, None), asked)?;
        let mut out = vec![f64::NAN; question.places.row_count(rows)?];
        fill(
            py,
            (&mut out, 1),
            threads,
            || self.thread(question.world),
            |thread, row, out| {
                let ends = [ends[0].get(row), ends[1].get(row)];
                out[0] = first(&question, thread, (row, ends), &steps)?;
                Ok(())
            },
        )?;
        Ok(list(py, out))
    }

    /// Returns the first impact of every straight edge from q0 to q1, itself or the world, with the
    /// points that touch and their normal: a table EdgeImpacts of arrays, a row each; `check_edges`
    /// decides faster which edges are free. Nothing is sampled: where hit is false, all parts
    /// are proved apart on the whole edge, further than `margin` (metres). clear_until and time
    /// are shares of the edge; at `time` the two are no further apart than `slack`, which is at
    /// most `tolerance` (metres, above 0) unless met is false. a and b as those of `pairs`.
    /// Margins of `with_margins` are refused. base as that of `check_edges`.
    #[pyo3(signature = (
        q0, q1, *, world = None, tolerance = 0.001, margin = 0.0, self_collision = true,
        threads = 0, base = None
    ))]
    fn motion<'py>(
        &self,
        py: Python<'py>,
        q0: &Bound<'py, PyAny>,
        q1: &Bound<'py, PyAny>,
        world: Option<&Bound<'py, World>>,
        #[pyo3(from_py_with = arguments::tolerance)] tolerance: f64,
        #[pyo3(from_py_with = arguments::margin)] margin: f64,
        self_collision: bool,
        #[pyo3(from_py_with = arguments::threads)] threads: usize,
        base: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (ends, rows) = self.edge_rows([q0, q1])?;
        let accuracy = Some(Accuracy(checked_tolerance(tolerance)?));
        if self_collision && self.has_margins() {
            let advice = "motion has one margin for all pairs: pass margin=";
            return Err(refused(format!("{advice}, instead of with_margins")));
        }
        let asked = (accuracy, margin, self_collision);
        let question = self.placed_question(world, (base, None), asked)?;
        let mut out = vec![None; question.places.row_count(rows)?];
        fill(
            py,
            (&mut out, 1),
            threads,
            || self.thread(Some(question.world.unwrap_or(&self.empty))),
            |thread, row, out| {
                let ends = [ends[0].get(row), ends[1].get(row)];
                out[0] = question.first_impact(thread, (row, ends))?;
                Ok(())
            },
        )?;
        impacts(py, "EdgeImpacts", &out, false)
    }

    /// Compares geometry, tested pairs, margins and joints, not the file's name.
    fn __eq__(&self, py: Python<'_>, other: &Robot) -> PyResult<bool> {
        if self.fingerprint() != other.fingerprint() {
            return Ok(false);
        }
        let bytes = |robot: &Robot| robot.robot.bake();
        let same = py.detach(|| Ok(bytes(self)? == bytes(other)?));
        same.map_err(|error: Error| raised(py, &error, None))
    }

    fn __hash__(&self) -> u64 {
        self.fingerprint()
    }

    fn __repr__(&self) -> String {
        format!("Robot of {} parts, {} joint values", self.robot.model.len(), self.dof())
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let restore = py.import("boxwood._restore")?.getattr("robot")?;
        Ok((restore, PyTuple::new(py, [self.bake(py)?])?))
    }
}
