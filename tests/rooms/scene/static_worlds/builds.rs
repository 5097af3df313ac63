//! `Build::level`: the answers of the default build in real levels, with no more tests of
//! primitives, and less than half of those that `Build::fast` takes.

use boxwood::brush::BodyId;
use boxwood::f64::{
    Buffers, Geometry, Hits, Mesh, Model, QueryScratch, Ray, RayCast, RayHits, Scene, Spawn, Sphere,
};
use boxwood::load::{Level, MapOptions, map};
use boxwood::tree::Counts;
use boxwood::{Accuracy, Build, PairQuery, QueryFilter};
use support::closed_meshes::{solid, sphere};
use support::data::data;
use support::prelude::*;

/// Returns all static brushes of a level as one surface.
fn surface(level: &Level) -> Mesh {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    let model = level.world.model::<f64>(BodyId::STATIC, &Build::fast()).expect("a level");
    for part in model.parts() {
        let mesh = part.tree().and_then(|tree| tree.geometry().mesh()).expect("a mesh");
        let first = vertices.len() as u32;
        vertices.extend_from_slice(mesh.vertices());
        triangles.extend(mesh.triangles().iter().map(|corners| corners.map(|i| first + i)));
    }
    Mesh::new(vertices, triangles).expect("triangles")
}

/// Answers of the same queries, and the number of primitives they tested.
fn ask(mesh: &Mesh, build: &Build, starts: &[Point3<f64>]) -> (Vec<Option<f64>>, u64) {
    let world = Model::builder().part("world", None, Geometry::Surface(mesh.clone()));
    let world = world.build(build).expect("a world");
    world.parts()[0].tree().expect("a tree").validate().expect("a sound tree");
    let body = Model::builder().part("body", None, solid(sphere(0.8, 8)));
    let (mut scene, mut random, mut said) = (Scene::new(), Random(0x1e7e_1001), Vec::new());
    scene.insert(&world, Spawn::default().at_rest(true)).expect("a world");
    let body = scene.insert(&body.build(&Build::default()).expect("a body"), Spawn::default());
    let (body, mut tests) = (body.expect("a body"), 0);
    let mut count = |counts: &Counts| {
        tests += counts.primitives;
    };
    let (mut buffers, mut rays, mut hits) = (Buffers::new(), RayHits::new(), Hits::new());
    let mut scratch = QueryScratch::new();
    let filter = QueryFilter::all().excluding(&[body]).accuracy(Accuracy::Exact);
    let query = PairQuery::of(body).accuracy(Accuracy::Exact);
    for _ in 0..at_least(200, 30) {
        let at = starts[random.below(starts.len())] + Vector3::from(random.direction()) * 3.0;
        scene.set_root(body, &Isometry3::translation(at.x, at.y, at.z)).expect("a pose");
        let now = scene.snapshot(&mut buffers);
        let along = Unit::new_normalize(Vector3::from(random.direction()));
        let cast = RayCast::new(Ray::new(at, along).expect("a ray"), 50.0).expect("a length");
        let hit = now.ray_cast(cast, &filter, &mut rays).expect("a query");
        count(&rays.report().counts);
        said.push(hit.map(|hit| hit.distance));
        let report = now.pairs(&query, &mut hits).expect("a query");
        count(&report.counts);
        said.push((!hits.pairs().is_empty()).then_some(0.0));
        let ball = Sphere::new(at, 0.2).expect("a ball");
        let hit = now.shape_cast(ball, along.into_inner() * 5.0, &filter, &mut scratch);
        said.push(hit.expect("a query").map(|hit| hit.time_of_impact));
    }
    (said, tests)
}

#[test]
fn levels_built_by_the_preset_answer_as_by_default_with_fewer_tests_than_fast() {
    let Some(data) = data() else { return };
    for name in ["lq-e1m1/lq_e1m1.map", "lq-dm3/lqdm3.map"].into_iter().take(at_least(2, 1)) {
        let options = MapOptions::quake().scale(1.0 / 32.0);
        let level = map(data.join("levels").join(name), &options).expect(name);
        let starts: Vec<_> = level.spawns().filter_map(|spawn| spawn.origin).collect();
        let mesh = surface(&level);
        let [(level, of_level), (default, of_default), (fast, of_fast)] =
            [Build::level(), Build::default(), Build::fast()]
                .map(|build| ask(&mesh, &build, &starts));
        let of = [of_level, of_default, of_fast];
        println!("{name}: {of:?} tests of primitives by the preset, by default, of the fast build");
        for ((level, default), fast) in level.iter().zip(&default).zip(&fast) {
            let is_near = |a: &Option<f64>, b: &Option<f64>| match (a, b) {
                (Some(a), Some(b)) => (a - b).abs() < 1e-9,
                (None, None) => true,
                _ => false,
            };
            assert!(is_near(level, default), "{name}: {level:?} {default:?}");
            assert!(is_near(fast, default), "{name}: {fast:?} {default:?}");
        }
        assert!(level.iter().flatten().count() > 30);
        assert!(2 * of_level < of_fast && of_level <= of_default, "{name}: {of:?}");
    }
}
