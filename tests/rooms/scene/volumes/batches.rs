//! Volume queries of a row of cubes by hand; batches and reuse of buffers change no bit.

use boxwood::scene::{
    Buffers, HitMode, Overlaps, QueryFilter, QueryShape, RayCast, RayHits, Scene, Spawn,
};
use boxwood::shape::{Mesh, Obb, Ray, Sphere};
use boxwood::tree::Geometry;
use boxwood::{Accuracy, Counts, Detail, Error, NodeId};

use support::placed_scenes::random_stage;
use support::prelude::*;

fn along_x(from: f64) -> Ray<f64> {
    Ray::new(Point3::new(from, 0.1, 0.05), Unit::new_unchecked(Vector3::x())).expect("a ray")
}

/// A closed cube of triangles about the origin.
fn cube(half: f64) -> Mesh<f64> {
    let solid =
        Obb::new(Point3::origin(), Matrix3::identity(), Vector3::repeat(half)).expect("one");
    let faces =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Mesh::new(solid.corners().to_vec(), triangles).expect("a mesh")
}

fn row(geometry: impl Fn() -> Geometry<f64>) -> (Scene<f64>, Vec<boxwood::CharacterKey>) {
    let model = model_of(vec![geometry()]);
    let mut scene = Scene::new();
    let keys = [3.0, 9.0, 6.0].map(|x| {
        let at = Isometry3::translation(x, 0.0, 0.0);
        scene.insert(&model, Spawn::at(at)).expect("a character")
    });
    (scene, keys.to_vec())
}

#[test]
fn rays_hit_the_nearest_part_before_their_end_only() {
    let (scene, keys) = row(|| Geometry::Surface(cube(1.0)));
    let (mut buffers, mut ray_hits) = (Buffers::new(), RayHits::new());
    let now = scene.snapshot(&mut buffers);
    let query_filter = QueryFilter::all().accuracy(Accuracy::Exact);
    let hit =
        now.ray_cast(along_x(0.0), &query_filter, &mut ray_hits).expect("asked").expect("a hit");
    assert_eq!((hit.target.character, hit.started_inside), (keys[0], false));
    assert!((hit.distance - 2.0).abs() < 1e-9 && (hit.normal + Vector3::x()).norm() < 1e-9);
    assert!((hit.point - Point3::new(2.0, 0.1, 0.05)).norm() < 1e-9);
    now.ray_cast_all(along_x(0.0), &query_filter, &mut ray_hits).expect("asked");
    let answer: Vec<_> = ray_hits.iter().map(|hit| hit.target.character).collect();
    assert_eq!(answer, [keys[0], keys[2], keys[1]]);
    for (length, hits) in [(1.99, 0), (2.0, 1), (4.9, 1), (5.0, 2), (8.1, 3)] {
        let cast = RayCast::new(along_x(0.0), length).expect("a ray cast");
        now.ray_cast_all(cast, &query_filter, &mut ray_hits).expect("asked");
        assert_eq!(ray_hits.len(), hits, "{length}");
        assert!(ray_hits.iter().all(|hit| hit.distance <= length));
    }
    let one = QueryFilter::of(keys[1]).accuracy(Accuracy::Exact);
    let hit = now.ray_cast(along_x(0.0), &one, &mut ray_hits).expect("asked").expect("a hit");
    assert!((hit.distance - 8.0).abs() < 1e-9);
}

#[test]
fn solids_have_an_inside_and_surfaces_do_not() {
    let sphere = Sphere::new(Point3::new(3.0, 0.1, 0.05), 0.3).expect("a sphere");
    for solid in [false, true] {
        let (scene, keys) = row(|| match solid {
            true => Geometry::Solid(cube(1.0)),
            false => Geometry::Surface(cube(1.0)),
        });
        let (mut buffers, mut ray_hits, mut overlaps) =
            (Buffers::new(), RayHits::new(), Overlaps::new());
        let now = scene.snapshot(&mut buffers);
        let query_filter = QueryFilter::of(keys[0]).accuracy(Accuracy::Exact);
        let hit =
            now.ray_cast(along_x(3.0), &query_filter, &mut ray_hits).expect("asked").expect("one");
        assert_eq!(hit.started_inside, solid);
        assert!((hit.distance - if solid { 0.0 } else { 1.0 }).abs() < 1e-9);
        now.overlaps(sphere, &query_filter, &mut overlaps).expect("asked");
        assert_eq!(overlaps.len(), usize::from(solid));
        assert!(overlaps.iter().all(|node| node.node == NodeId::ROOT));
    }
}

#[test]
fn batches_change_no_bit() {
    let mut random = Random(71);
    let stage = random_stage::<f32>(&mut random, [0.0; 3]);
    let casts: Vec<RayCast<f32>> = (0..300)
        .map(|_| {
            let from = Point3::from(random.direction()).cast::<f32>() * 4.0;
            let ray = Ray::through(from, Point3::from(random.direction()).cast());
            ray.expect("a ray").expect("two points").into()
        })
        .collect();
    let ball = |random: &mut Random| Sphere::new(Point3::from(random.direction()).cast(), 0.3);
    let regions: Vec<QueryShape<f32>> =
        (0..300).map(|_| ball(&mut random).expect("a ball").into()).collect();
    let mut buffers = Buffers::new();
    let now = stage.scene.snapshot(&mut buffers);
    for mode in [HitMode::Closest, HitMode::All, HitMode::Any] {
        for accuracy in [Accuracy::Depth(3), Accuracy::Exact] {
            let query_filter = QueryFilter::all().detail(Detail::Boxes).accuracy(accuracy);
            let (mut ray_hits, mut overlaps) = (RayHits::new(), Overlaps::new());
            now.ray_cast_batch(&casts, mode, &query_filter, &mut ray_hits).expect("asked");
            now.overlaps_batch(&regions, mode, &query_filter, &mut overlaps).expect("asked");
            assert!(ray_hits.len() > 20 && overlaps.len() > 20);
            let (mut one, mut held) = (RayHits::new(), Overlaps::new());
            for (i, (cast, region)) in casts.iter().zip(&regions).enumerate() {
                now.ray_cast_batch(&[*cast], mode, &query_filter, &mut one).expect("asked");
                assert_eq!(&one[..], ray_hits.of(i));
                now.overlaps_batch(&[*region], mode, &query_filter, &mut held).expect("asked");
                assert_eq!(&held[..], overlaps.of(i));
            }
        }
    }
}

#[test]
fn the_second_round_allocates_nothing() {
    let mut random = Random(81);
    let stage = random_stage::<f64>(&mut random, [0.0; 3]);
    let casts: Vec<RayCast<f64>> = (0..10)
        .map(|_| {
            let from = random.direction();
            let ray = Ray::through(Point3::from(from) * 4.0, Point3::from(random.direction()));
            ray.expect("a ray").expect("two points").into()
        })
        .collect();
    let regions: Vec<QueryShape<f64>> = (0..10)
        .map(|_| Sphere::new(Point3::from(random.direction()), 0.5).expect("one").into())
        .collect();
    let mut buffers = Buffers::new();
    let now = stage.scene.snapshot(&mut buffers);
    let (mut ray_hits, mut overlaps) = (RayHits::new(), Overlaps::new());
    let query_filter = QueryFilter::all().detail(Detail::Boxes);
    let mut round = || {
        for mode in [HitMode::Closest, HitMode::All, HitMode::Any] {
            now.ray_cast_batch(&casts, mode, &query_filter, &mut ray_hits).expect("asked");
            now.overlaps_batch(&regions, mode, &query_filter, &mut overlaps).expect("asked");
        }
    };
    assert!(allocation_counter::measure(&mut round).count_total > 0);
    assert_eq!(allocation_counter::measure(&mut round).count_total, 0);
}

#[test]
fn empty_batches_allocate_nothing_and_are_validated() {
    let stage = random_stage::<f32>(&mut Random(82), [0.0; 3]);
    let (mut scene, mut buffers) = (stage.scene.clone(), Buffers::new());
    let now = stage.scene.snapshot(&mut buffers);
    let (mut ray_hits, mut overlaps) = (RayHits::new(), Overlaps::new());
    let cost = allocation_counter::measure(|| {
        for mode in [HitMode::Closest, HitMode::All, HitMode::Any] {
            let report =
                now.ray_cast_batch(&[], mode, &QueryFilter::all(), &mut ray_hits).expect("asked");
            assert_eq!((report.slack, report.met, report.counts), (0.0, true, Counts::default()));
            now.overlaps_batch(&[], mode, &QueryFilter::all(), &mut overlaps).expect("asked");
            assert_eq!((ray_hits.query_count(), ray_hits.len(), overlaps.query_count()), (0, 0, 0));
        }
    });
    // The first query builds the tree over the characters.
    assert_eq!(cost.count_total, 0);
    let ray = Ray::through(Point3::new(9.0, 9.0, 9.0), Point3::origin());
    let cast = RayCast::from(ray.expect("a ray").expect("two points"));
    let first = allocation_counter::measure(|| {
        now.ray_cast_any(cast, &QueryFilter::all(), &mut ray_hits).expect("asked");
    });
    assert!(first.count_total > 0 && ray_hits.query_count() == 1);
    now.ray_cast_batch(&[], HitMode::All, &QueryFilter::all(), &mut ray_hits).expect("asked");
    assert_eq!(
        (ray_hits.query_count(), ray_hits.of(0).len()),
        (0, 0),
        "nothing is left of the last call"
    );
    let gone = now.characters().next().expect("one");
    scene.remove(gone).expect("there");
    let mut buffers = Buffers::new();
    let later = scene.snapshot(&mut buffers);
    let found = later.ray_cast_batch(&[], HitMode::All, &QueryFilter::of(gone), &mut ray_hits);
    assert_eq!(found.map(|_| ()), Err(Error::StaleKey));
}
