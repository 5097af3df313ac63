//! Static worlds by options of their build: build time, memory, and the time of rays, of thrown
//! balls, and of a fighter against them.
//!
//! ```text
//! cargo example world_builds -- [FILE]
//! ```
//! A program of the maintainers: its figures are those of `docs/static-worlds.md`. Worlds are a height
//! field, and with `BOXWOOD_DATA` a level of Quake and a mesh of FCL; or that of a file. Every build
//! of a world gets the same queries at [`Accuracy::Exact`], whose answers must be equal. Times are
//! medians of rounds, one build after another in each, on one thread.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use boxwood::brush::BodyId;
use boxwood::load::{MapOptions, map};
use boxwood::nalgebra::{Isometry3, Point3, Unit, Vector3};
use boxwood::tree::{Bound, Split};
use boxwood::{
    Aabb, Accuracy, Buffers, Build, Detail, Error, Geometry, HeightField, Hits, Loaded, Mesh,
    Model, PairQuery, QueryFilter, QueryScratch, Ray, RayCast, RayHits, Scene, Spawn, Sphere,
    UpAxis,
};
use shared::random::Random;
use shared::{any_file, command_line, fighter};

const HELP: &str = "\
world_builds: static worlds by options of their build

cargo example world_builds -- [FILE]

  FILE         a level, .map, a unit of which is 1/32 m, or a mesh, .obj or .stl, scaled to 40 m, as the only world
  --help, -h   this

Builds each world with each set of options, and times rays, balls, and a fighter against it.
Without a FILE BOXWOOD_DATA names the folder with levels and meshes; without it there is only a height field.
With it the run takes some ten minutes.";

const RAYS: usize = 2_000;
const BODIES: usize = 100;
const ROUNDS: usize = 5;

fn main() -> ExitCode {
    command_line::with_file("world_builds", HELP, run)
}

/// The options, by name.
fn builds() -> Vec<(&'static str, Build)> {
    let level = Build::level();
    vec![
        ("default", Build::default()),
        ("level", level),
        ("level, certified bounds", level.bound(Bound::Certified)),
        ("level, bottom-up", level.split(Split::BottomUp)),
        ("level, SAH", level.split(Split::Sah)),
        ("fast", Build::fast()),
        ("fast, 2 a leaf", Build::fast().leaf_primitives(2)),
    ]
}

/// A world, from its parts: named geometry.
struct World {
    name: String,
    parts: Vec<Geometry>,
}

impl World {
    fn model(&self, build: &Build) -> Result<Arc<Model>, Error> {
        let mut parts = Model::builder();
        for (index, geometry) in self.parts.iter().enumerate() {
            parts = parts.part(index.to_string(), None, geometry.clone());
        }
        parts.build(build)
    }
}

/// Numbers, points and directions in single precision.
struct SingleRandom(Random);

impl SingleRandom {
    /// Returns a number in `0..1`.
    fn share(&mut self) -> f32 {
        (self.0.bits() >> 40) as f32 / (1u64 << 24) as f32
    }

    fn within(&mut self, bounds: &Aabb) -> Point3<f32> {
        bounds.min + (bounds.max - bounds.min).map(|x| x * self.share())
    }

    fn direction(&mut self) -> Unit<Vector3<f32>> {
        loop {
            let v = Vector3::from_fn(|_, _| 2.0 * self.share() - 1.0);
            if (0.1..1.0).contains(&v.norm()) {
                return Unit::new_normalize(v);
            }
        }
    }
}

/// Returns one mesh of all.
fn joined(meshes: &[Mesh]) -> Result<Mesh, Error> {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for mesh in meshes {
        let first = vertices.len() as u32;
        vertices.extend_from_slice(mesh.vertices());
        triangles.extend(mesh.triangles().iter().map(|t| t.map(|corner| first + corner)));
    }
    Mesh::new(vertices, triangles)
}

fn worlds() -> Result<Vec<World>, Error> {
    let mut random = SingleRandom(Random(61));
    let heights = (0..128 * 128).map(|_| random.share() - 0.5).collect();
    let field = HeightField::new(128, heights)?.spacing(0.5, 0.5)?.up(UpAxis::Y).surface()?;
    let count = field.triangles().len();
    let name = format!("height field of {count} triangles");
    let mut worlds = vec![World { name, parts: vec![Geometry::Surface(field)] }];
    let Some(data) = std::env::var_os("BOXWOOD_DATA").map(std::path::PathBuf::from) else {
        return Ok(worlds);
    };
    worlds.extend(level(&data.join("levels/lq-e1m1/lq_e1m1.map"))?);
    let (mesh, count) = wide_mesh(boxwood::load::obj(data.join("meshes/fcl-env-rob/env.obj")))?;
    let name = format!("FCL's environment, {count} triangles, 40 wide");
    worlds.push(World { name, parts: vec![mesh] });
    Ok(worlds)
}

/// Returns the world of a file, or the two of a level.
fn of_file(file: &str) -> Result<Vec<World>, String> {
    let path = Path::new(file);
    let mesh = match any_file::ending(path).as_str() {
        "map" => return level(path).map(Vec::from).map_err(|error| error.to_string()),
        "obj" => wide_mesh(boxwood::load::obj(path)),
        "stl" => wide_mesh(boxwood::load::stl(path)),
        _ => return Err(any_file::unknown_ending(path, &["map", "obj", "stl"])),
    };
    let (mesh, count) = mesh.map_err(|error| error.to_string())?;
    let name = format!("{file}, {count} triangles, 40 wide");
    Ok(vec![World { name, parts: vec![mesh] }])
}

/// Returns a level as a part for each brush, and as one surface.
fn level(file: &Path) -> Result<[World; 2], Error> {
    let options = MapOptions::quake().scale(1.0 / 32.0).up(UpAxis::Y);
    let level = map(file, &options)?;
    let brushes = level.world.model::<f32>(BodyId::STATIC, &Build::fast())?;
    let parts: Vec<Geometry> =
        brushes.parts().iter().filter_map(|part| Some(part.tree()?.geometry().clone())).collect();
    let meshes: Vec<Mesh> = parts.iter().filter_map(|part| part.mesh().cloned()).collect();
    let mesh = joined(&meshes)?;
    let (brushes, triangles) = (parts.len(), mesh.triangles().len());
    let name = format!("the level as one surface of {triangles} triangles");
    let surface = World { name, parts: vec![Geometry::Surface(mesh)] };
    Ok([World { name: format!("level of {brushes} brushes, a part each"), parts }, surface])
}

/// Returns the mesh of a file as a surface 40 wide, and its number of triangles.
fn wide_mesh(loaded: Result<Loaded, Error>) -> Result<(Geometry, usize), Error> {
    let loaded = loaded?;
    let tree = loaded.model.parts().iter().find_map(|part| part.tree());
    let mesh = tree.and_then(|tree| tree.geometry().mesh());
    let mesh = mesh.ok_or(Error::Empty { field: "mesh" })?;
    let bounds = Aabb::from_points(mesh.vertices().iter().copied());
    let mesh = mesh.scaled(40.0 / (bounds.max - bounds.min).max())?;
    let count = mesh.triangles().len();
    Ok((Geometry::Surface(mesh), count))
}

/// The queries of a world.
struct Queries {
    rays: Vec<RayCast>,
    /// Roots of the fighter, each with the direction of a cast.
    bodies: Vec<(Isometry3<f32>, Vector3<f32>)>,
}

/// One build of a world in a scene with the fighter.
struct Built {
    scene: Scene,
    fighter: boxwood::CharacterKey,
    buffers: Buffers,
    build_ms: f64,
    bytes: usize,
    /// Nanoseconds of each query, of each round.
    times: [Vec<f64>; 5],
}

const NAMES: [&str; 5] = ["rays", "balls", "contacts", "casts", "distances"];

impl Built {
    fn new(world: &World, build: &Build) -> Result<Self, Error> {
        let start = Instant::now();
        let model = world.model(build)?;
        let build_ms = start.elapsed().as_secs_f64() * 1e3;
        let (mut scene, loaded) = (Scene::new(), fighter::fighter());
        scene.insert(&model, Spawn::default().at_rest(true))?;
        let fighter = scene.insert(&loaded.model, Spawn::default())?;
        let (bytes, buffers) = (model.bytes(), Buffers::new());
        Ok(Built { scene, fighter, buffers, build_ms, bytes, times: Default::default() })
    }

    /// Runs all queries once; returns their answers, for comparison.
    fn round(&mut self, queries: &Queries) -> Result<[f64; 5], Error> {
        let exact = QueryFilter::all().excluding(&[self.fighter]).accuracy(Accuracy::Exact);
        let (mut answers, mut hits, mut scratch) = ([0.0; 5], RayHits::new(), QueryScratch::new());
        let now = self.scene.snapshot(&mut self.buffers);
        let start = Instant::now();
        for ray in &queries.rays {
            let hit = now.ray_cast(*ray, &exact, &mut hits)?;
            answers[0] += hit.map_or(0.0, |hit| f64::from(hit.distance));
        }
        self.times[0].push(start.elapsed().as_nanos() as f64 / queries.rays.len() as f64);
        let balls = &queries.rays[..queries.rays.len() / 4];
        let start = Instant::now();
        for cast in balls {
            let ball = Sphere::new(cast.ray.origin(), 0.2)?;
            let way = cast.ray.direction().into_inner() * 10.0;
            let hit = now.shape_cast(ball, way, &exact, &mut scratch)?;
            answers[1] += f64::from(u8::from(hit.is_some()));
        }
        self.times[1].push(start.elapsed().as_nanos() as f64 / balls.len() as f64);
        let mut hits = Hits::new();
        let query = PairQuery::of(self.fighter).accuracy(Accuracy::Exact);
        let near = query.clone().max_distance(1.0);
        let boxes = query.clone().detail(Detail::DeepestBoxes);
        let mut sums = [0.0; 3];
        for (root, way) in &queries.bodies {
            self.scene.set_root(self.fighter, root)?;
            let now = self.scene.snapshot(&mut self.buffers);
            let start = Instant::now();
            now.contacts(&boxes, &mut hits)?;
            sums[0] += start.elapsed().as_nanos() as f64;
            answers[2] += hits.len() as f64;
            let start = Instant::now();
            let touch = now.cast(&query, *way, &mut scratch)?;
            sums[1] += start.elapsed().as_nanos() as f64;
            answers[3] += touch.map_or(2.0, |touch| f64::from(touch.shift));
            let start = Instant::now();
            let least = now.distance(&near, &mut scratch)?;
            sums[2] += start.elapsed().as_nanos() as f64;
            answers[4] += least.map_or(1.0, |least| f64::from(least.distance));
        }
        for (times, sum) in self.times[2..].iter_mut().zip(sums) {
            times.push(sum / queries.bodies.len() as f64);
        }
        Ok(answers)
    }
}

fn queries(world: &Model) -> Result<Queries, Error> {
    let trees = world.parts().iter().filter_map(|part| part.tree());
    let boxes = trees.map(|tree| tree.node(boxwood::NodeId::ROOT).aligned());
    let corners = boxes.flat_map(|one| [one.min, one.max]);
    let (bounds, mut random) = (Aabb::from_points(corners), SingleRandom(Random(7)));
    let mut rays = Vec::new();
    for _ in 0..RAYS {
        rays.push(RayCast::from(Ray::new(random.within(&bounds), random.direction())?));
    }
    // Fighters stand where rays end, half a metre in front of what they hit.
    let mut scene = Scene::new();
    scene.insert(&Arc::new(world.clone()), Spawn::default().at_rest(true))?;
    let (mut buffers, mut hits, mut bodies) = (Buffers::new(), RayHits::new(), Vec::new());
    let now = scene.snapshot(&mut buffers);
    for ray in &rays {
        let hit = now.ray_cast(*ray, &QueryFilter::all().accuracy(Accuracy::Exact), &mut hits)?;
        if let Some(hit) = hit.filter(|hit| !hit.started_inside && bodies.len() < BODIES) {
            let at = hit.point + hit.normal * 0.5 - Vector3::y() * 0.9;
            let turn = Vector3::y() * (6.0 * random.share());
            let way = random.direction().into_inner() * 2.0;
            bodies.push((Isometry3::new(at.coords, turn), way));
        }
    }
    Ok(Queries { rays, bodies })
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn run(file: Option<&str>) -> Result<(), Box<dyn std::error::Error>> {
    let worlds = match file {
        Some(file) => of_file(file)?,
        None => worlds()?,
    };
    for world in worlds {
        let queries = queries(&*world.model(&Build::fast())?)?;
        println!("\n{}: {} fighters", world.name, queries.bodies.len());
        println!("| build | build [ms] | memory [MB] | ray, ball, contacts, cast, distance [us] |");
        println!("|---|---|---|---|");
        let mut all = Vec::new();
        for (name, build) in builds() {
            all.push((name, Built::new(&world, &build)?));
        }
        let mut first = None;
        for _ in 0..ROUNDS {
            for (name, built) in &mut all {
                let answers = built.round(&queries)?;
                let first = first.get_or_insert(answers);
                for ((what, a), b) in NAMES.iter().zip(*first).zip(answers) {
                    if (a - b).abs() > 1e-3 * a.abs() {
                        println!("{name}: {what} {b}, not {a}");
                    }
                }
            }
        }
        for (name, built) in &mut all {
            let [rays, balls, contacts, casts, distances] =
                built.times.each_mut().map(|times| median(times) / 1e3);
            println!(
                "| {name} | {:.0} | {:.1} | {rays:.2}, {balls:.1}, {contacts:.1}, {casts:.1}, {distances:.1} |",
                built.build_ms,
                built.bytes as f64 / 1e6,
            );
        }
    }
    Ok(())
}
