//! Rays and boxes at a mesh of 200,000 triangles, a torus and a bumpy ground, new in every round.

use boxwood::nalgebra::{Isometry3, Point3, Unit, Vector3};
use boxwood::{
    Accuracy, Buffers, Build, Geometry, HitMode, Mesh, Model, Obb, Overlaps, QueryFilter, Ray,
    RayHits, Scene, Spawn,
};

use crate::support::measure::{BenchGroups, CHUNK, Found, Way, clock, trying, way};
use crate::support::peer::rays::{Obvhs, Parry};
use crate::support::peer::solids::InParry;
use crate::support::random::Random;
use crate::support::rings::{Ring, torus};
use crate::table::Table;

/// A mesh: vertices, triangles.
type Triangles = (Vec<Point3<f32>>, Vec<[u32; 3]>);

/// Origin and unit direction of a ray.
pub type Line = (Point3<f32>, Vector3<f32>);

/// Sides of the ground, and vertices along one.
const WIDE: f64 = 63.2;
const SIDE: u32 = 317;

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Place {
    Torus,
    Ground,
}

impl Place {
    fn name(self) -> &'static str {
        match self {
            Place::Torus => "torus",
            Place::Ground => "ground",
        }
    }

    fn mesh(self) -> Triangles {
        if self == Place::Torus {
            let (rounds, sides) = if trying() { (50, 20) } else { (500, 200) };
            let (vertices, triangles) = torus(Ring { rounds, sides }, 0.0);
            return (vertices.into_iter().map(|p| p.cast()).collect(), triangles);
        }
        let (mut random, side) = (Random(5), if trying() { 33 } else { SIDE });
        let step = WIDE / f64::from(side - 1);
        let vertex = |index: u32| {
            let (x, z) = (f64::from(index % side), f64::from(index / side));
            let hill = 0.1 * (0.37 * x).sin() * (0.23 * z).cos();
            let height = hill + random.between(-0.03, 0.03);
            Point3::new(x * step, height, z * step).cast()
        };
        let vertices = (0..side * side).map(vertex).collect();
        let triangles = (0..(side - 1) * (side - 1)).flat_map(|index| {
            let a = index / (side - 1) * side + index % (side - 1);
            [[a, a + 1, a + side + 1], [a, a + side + 1, a + side]]
        });
        (vertices, triangles.collect())
    }

    /// Draws a ray that hits in three of four cases: from around the torus, or from above.
    fn ray(self, random: &mut Random) -> Line {
        let (from, to) = match self {
            Place::Torus => {
                let from = Vector3::from(random.direction()) * 3.0;
                let to = [random.between(-1.3, 1.3), random.between(-1.3, 1.3)];
                (from, Vector3::new(to[0], to[1], random.between(-0.3, 0.3)))
            }
            Place::Ground => {
                let [x, z] = [0; 2].map(|_| random.between(0.0, WIDE));
                let aside = [0; 2].map(|_| random.between(-8.0, 8.0));
                let from = Vector3::new(x, random.between(1.0, 6.0), z);
                (from, Vector3::new(x + aside[0], 0.0, z + aside[1]))
            }
        };
        (Point3::from(from).cast(), (to - from).normalize().cast())
    }

    /// Draws a box that touches in about half of the cases.
    fn solid(self, random: &mut Random) -> Obb {
        let (center, size) = match self {
            Place::Torus => {
                let [a, b] = [0; 2].map(|_| random.between(0.0, std::f64::consts::TAU));
                let thick = random.between(0.3, 0.42);
                let from_axis = 1.0 + thick * b.cos();
                (Vector3::new(from_axis * a.cos(), from_axis * a.sin(), thick * b.sin()), 0.04)
            }
            Place::Ground => {
                let [x, z] = [0; 2].map(|_| random.between(1.0, WIDE - 1.0));
                (Vector3::new(x, random.between(0.1, 0.8), z), 0.25)
            }
        };
        let turn = Vector3::from(random.direction()) * random.between(0.0, 3.0);
        let half = Vector3::from_fn(|_, _| size * random.between(0.5, 1.5));
        let pose = Isometry3::new(center.cast(), turn.cast());
        Obb::from_pose(&pose, half.cast()).expect("a box")
    }
}

/// The mesh in a scene.
struct Ours {
    scene: Scene,
    buffers: Buffers,
    hits: RayHits,
    overlaps: Overlaps,
}

impl Ours {
    fn new((vertices, triangles): Triangles, build: &Build) -> Self {
        let mesh = Mesh::new(vertices, triangles).expect("a mesh");
        let model = Model::builder().part("mesh", None, Geometry::Surface(mesh));
        let (mut scene, model) = (Scene::new(), model.build(build).expect("a model"));
        scene.insert(&model, Spawn::default()).expect("room");
        let (buffers, hits) = (Buffers::new(), RayHits::new());
        Ours { scene, buffers, hits, overlaps: Overlaps::new() }
    }

    fn rays(&mut self, rays: &[Line], mode: HitMode) -> usize {
        let Ours { scene, buffers, hits, .. } = self;
        let (now, filter) = (scene.snapshot(buffers), exactly());
        let hit = |&&(from, along): &&Line| {
            let ray = Ray::new(from, Unit::new_unchecked(along)).expect("a ray");
            match mode {
                HitMode::Any => now.ray_cast_any(ray, &filter, hits).expect("a query"),
                _ => now.ray_cast(ray, &filter, hits).expect("a query").is_some(),
            }
        };
        rays.iter().filter(hit).count()
    }

    fn boxes(&mut self, boxes: &[Obb]) -> usize {
        let Ours { scene, buffers, overlaps, .. } = self;
        let (now, filter) = (scene.snapshot(buffers), exactly());
        let touches = |&&solid: &&Obb| now.overlaps_any(solid, &filter, overlaps).expect("a query");
        boxes.iter().filter(touches).count()
    }
}

fn exactly() -> QueryFilter<'static> {
    QueryFilter::all().accuracy(Accuracy::Exact)
}

/// Returns a way that gets new cases, the same for all, in every round.
fn rounds<'a, C: 'a>(
    name: &str,
    draw: impl Fn(&mut Random) -> C + 'a,
    mut work: impl FnMut(&[C]) -> usize + 'a,
) -> Way<'a> {
    let mut random = Random(23);
    way(name, move || {
        let cases: Vec<C> = (0..CHUNK).map(|_| draw(&mut random)).collect();
        clock(|| Found::from(work(&cases)))
    })
}

pub fn rows(table: &mut Table, place: Place) {
    let mesh = place.mesh();
    let count = mesh.1.len();
    let (mut parry, mut obvhs) = (Parry::new(&mesh), Obvhs::new(&mesh));
    for (build, options) in [("fast", Build::fast()), ("default", Build::default())] {
        let mut ours = Ours::new(mesh.clone(), &options);
        let name = format!("{} of {count} triangles, {build} build, f32", place.name());
        for (what, mode) in [("closest", HitMode::Closest), ("any", HitMode::Any)] {
            let (any, draw) = (mode == HitMode::Any, move |random: &mut Random| place.ray(random));
            let ways = vec![
                rounds("boxwood", draw, |rays| ours.rays(rays, mode)),
                rounds("parry3d", draw, |rays| parry.rays(rays, any)),
                rounds("obvhs", draw, |rays| obvhs.rays(rays, any)),
            ];
            table.group(&format!("a ray at a {name}: {what}"), CHUNK, ways);
        }
        let draw = move |random: &mut Random| place.solid(random);
        let ours = rounds("boxwood", draw, |boxes| ours.boxes(boxes));
        let draw = move |random: &mut Random| place.solid(random).in_parry();
        let ways = vec![ours, rounds("parry3d", draw, |boxes| parry.boxes(boxes))];
        table.group(&format!("a box at a {name}: yes or no"), CHUNK, ways);
    }
}
