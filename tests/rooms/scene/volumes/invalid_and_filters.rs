//! Volume queries: invalid ones are refused; filters, batches and reuse of buffers change no bit.

use boxwood::model::CollisionGroups;
use boxwood::scene::{
    Buffers, HitMode, Overlaps, QueryFilter, QueryShape, RayCast, RayHits, Scene, Spawn,
};
use boxwood::shape::{Mesh, Obb, Ray, Sphere};
use boxwood::tree::Geometry;
use boxwood::{Accuracy, Build, Counts, Detail, Error, NodeId, PartId};
use nalgebra::{Isometry3, Matrix3, Point3, Unit, Vector3};

use support::placed_scenes::random_stage;
use support::random::Random;

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
    let build = boxwood::model::Model::builder().part("one", None, geometry());
    let model = build.build(&Build::default()).expect("a model");
    let mut scene = Scene::new();
    let keys = [3.0, 9.0, 6.0].map(|x| {
        let at = Isometry3::translation(x, 0.0, 0.0);
        scene.insert(&model, Spawn::at(at)).expect("a character")
    });
    (scene, keys.to_vec())
}

#[test]
fn nothing_is_hit_through_something_nearer_or_beyond_the_end() {
    let (scene, keys) = row(|| Geometry::Surface(cube(1.0)));
    let (mut buffers, mut ray_hits) = (Buffers::new(), RayHits::new());
    let now = scene.snapshot(&mut buffers);
    let query_filter = QueryFilter::all().accuracy(Accuracy::Exact);
    let hit =
        now.ray_cast(along_x(0.0), &query_filter, &mut ray_hits).expect("asked").expect("a hit");
    assert_eq!((hit.target.character, hit.started_inside), (keys[0], false));
    assert!((hit.time_of_impact - 2.0).abs() < 1e-9 && (hit.normal + Vector3::x()).norm() < 1e-9);
    assert!((hit.point - Point3::new(2.0, 0.1, 0.05)).norm() < 1e-9);
    now.ray_cast_all(along_x(0.0), &query_filter, &mut ray_hits).expect("asked");
    let answer: Vec<_> = ray_hits.iter().map(|hit| hit.target.character).collect();
    assert_eq!(answer, [keys[0], keys[2], keys[1]]);
    for (length, hits) in [(1.99, 0), (2.0, 1), (4.9, 1), (5.0, 2), (8.1, 3)] {
        let cast = RayCast::new(along_x(0.0), length).expect("a ray cast");
        now.ray_cast_all(cast, &query_filter, &mut ray_hits).expect("asked");
        assert_eq!(ray_hits.len(), hits, "{length}");
        assert!(ray_hits.iter().all(|hit| hit.time_of_impact <= length));
    }
    let one = QueryFilter::of(keys[1]).accuracy(Accuracy::Exact);
    let hit = now.ray_cast(along_x(0.0), &one, &mut ray_hits).expect("asked").expect("a hit");
    assert!((hit.time_of_impact - 8.0).abs() < 1e-9);
}

#[test]
fn solids_own_their_inside_and_surfaces_do_not() {
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
        assert!((hit.time_of_impact - if solid { 0.0 } else { 1.0 }).abs() < 1e-9);
        now.overlaps(sphere, &query_filter, &mut overlaps).expect("asked");
        assert_eq!(overlaps.len(), usize::from(solid));
        assert!(overlaps.iter().all(|node| node.node == NodeId::ROOT));
    }
}

#[test]
fn invalid_queries_are_refused() {
    let (mut scene, keys) = row(|| Geometry::Surface(cube(1.0)));
    let (other, _) = row(|| Geometry::Surface(cube(1.0)));
    scene.remove(keys[2]).expect("a key");
    let (mut buffers, mut more) = (Buffers::new(), Buffers::new());
    let (mut ray_hits, mut overlaps) = (RayHits::new(), Overlaps::new());
    let now = scene.snapshot(&mut buffers);
    now.ray_cast_all(along_x(0.0), &QueryFilter::all(), &mut ray_hits).expect("asked");
    assert_eq!(ray_hits.len(), 2);
    let mut refused = |query_filter: QueryFilter| {
        let error =
            now.ray_cast_any(along_x(0.0), &query_filter, &mut ray_hits).expect_err("refused");
        assert!(ray_hits.is_empty());
        assert_eq!(
            now.overlaps_any(Point3::origin(), &query_filter, &mut overlaps),
            Err(error.clone())
        );
        error
    };
    assert_eq!(refused(QueryFilter::of(keys[2])), Error::StaleKey);
    let part = QueryFilter::of(keys[0]).parts(&[PartId::new(1)]);
    assert!(matches!(refused(part), Error::IndexOutOfRange { field: "part", .. }));
    let budget = QueryFilter::all().accuracy(Accuracy::Budget(5));
    assert!(matches!(refused(budget), Error::BadQuery { .. }));
    let tolerance = QueryFilter::all().accuracy(Accuracy::Within(f64::NAN));
    assert!(matches!(refused(tolerance), Error::NotFinite { field: "tolerance", .. }));
    let foreign = other.snapshot(&mut more).ray_cast_any(
        along_x(0.0),
        &QueryFilter::of(keys[0]),
        &mut ray_hits,
    );
    assert_eq!(foreign, Err(Error::ForeignKey));
    let nowhere = Point3::new(f64::NAN, 0.0, 0.0);
    let error = now.overlaps_any(nowhere, &QueryFilter::all(), &mut overlaps).expect_err("refused");
    assert_eq!(error, Error::NotFinite { field: "point", index: 0 });
    assert!(RayCast::new(along_x(0.0), -1.0).is_err());
    let cast = RayCast { ray: along_x(0.0), max_length: Some(f64::NAN) };
    assert!(now.ray_cast_any(cast, &QueryFilter::all(), &mut ray_hits).is_err());
    let none = now.overlaps_any(boxwood::shape::Aabb::empty(), &QueryFilter::all(), &mut overlaps);
    assert_eq!(none, Ok(false));
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
fn groups_parts_and_exclusions_leave_out() {
    let (mut scene, keys) = row(|| Geometry::Surface(cube(1.0)));
    scene
        .set_groups(keys[0], PartId::new(0), CollisionGroups { memberships: 2, filter: 1 })
        .expect("a part");
    scene.set_groups(keys[1], PartId::new(0), CollisionGroups::NONE).expect("a part");
    let (mut buffers, mut ray_hits, mut overlaps) =
        (Buffers::new(), RayHits::new(), Overlaps::new());
    let now = scene.snapshot(&mut buffers);
    let mut hit = |query_filter: QueryFilter| -> Vec<_> {
        now.ray_cast_all(along_x(0.0), &query_filter, &mut ray_hits).expect("asked");
        let everywhere = Sphere::new(Point3::origin(), 100.0).expect("a ball");
        now.overlaps(everywhere, &query_filter, &mut overlaps).expect("asked");
        let hit: Vec<_> = ray_hits.iter().map(|hit| hit.target.character).collect();
        let mut held: Vec<_> = overlaps.iter().map(|node| node.character).collect();
        held.sort_by_key(|key| hit.iter().position(|other| other == key));
        assert_eq!(hit, held);
        hit
    };
    assert_eq!(hit(QueryFilter::all()), [keys[0], keys[2]]);
    assert_eq!(
        hit(QueryFilter::all().groups(CollisionGroups { memberships: 4, filter: 2 })),
        [keys[2]]
    );
    assert_eq!(
        hit(QueryFilter::all().groups(CollisionGroups { memberships: 1, filter: 2 })),
        [keys[0], keys[2]]
    );
    assert_eq!(hit(QueryFilter::all().excluding(&[keys[0]])), [keys[2]]);
    assert_eq!(hit(QueryFilter::all().parts(&[PartId::new(1)])), []);
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
fn empty_batches_cost_nothing_and_are_validated_all_the_same() {
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
    // The tree over the characters is made for the first question there is.
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

#[test]
fn predicates_leave_out_parts_and_nothing_else() {
    let mut random = Random(73);
    let (mut left_out, mut hits) = (0, 0);
    for _ in 0..20 {
        let stage = random_stage::<f64>(&mut random, [0.0; 3]);
        let (mut buffers, mut ray_hits, mut overlaps) =
            (Buffers::new(), RayHits::new(), Overlaps::new());
        let now = stage.scene.snapshot(&mut buffers);
        let odd = random.bits();
        let says = |node: &boxwood::NodeRef| {
            let (at, part, _) = stage.place(node);
            odd >> (at * 4 + part) & 1 == 1
        };
        let keeps = |node: boxwood::NodeRef| {
            assert_eq!(node.node, NodeId::ROOT);
            says(&node)
        };
        let from = Point3::from(random.direction()) * 4.0;
        let ray = Ray::through(from, Point3::from(random.direction()));
        let ray = ray.expect("a ray").expect("two points");
        let ball = Sphere::new(Point3::from(random.direction()), 1.0).expect("a ball");
        let all = QueryFilter::all().detail(Detail::Boxes);
        let some = all.clone().predicate(&keeps);
        now.ray_cast_all(ray, &all, &mut ray_hits).expect("asked");
        let expected: Vec<_> = ray_hits.iter().filter(|hit| says(&hit.target)).copied().collect();
        left_out += ray_hits.len() - expected.len();
        hits += expected.len();
        now.ray_cast_all(ray, &some, &mut ray_hits).expect("asked");
        assert_eq!(ray_hits[..], expected[..]);
        let closest = now.ray_cast(ray, &some, &mut ray_hits).expect("asked");
        assert_eq!(closest, expected.first().copied());
        let any = now.ray_cast_any(ray, &some, &mut ray_hits).expect("asked");
        assert_eq!(any, !expected.is_empty());
        now.overlaps(ball, &all, &mut overlaps).expect("asked");
        let expected: Vec<_> = overlaps.iter().filter(|node| says(node)).copied().collect();
        left_out += overlaps.len() - expected.len();
        hits += expected.len();
        now.overlaps(ball, &some, &mut overlaps).expect("asked");
        assert_eq!(overlaps[..], expected[..]);
        let any = now.overlaps_any(ball, &some, &mut overlaps).expect("asked");
        assert_eq!(any, !expected.is_empty());
        let no_one = |_: boxwood::NodeRef| false;
        let none = some.predicate(&no_one);
        assert_eq!(now.overlaps_any(ball, &none, &mut overlaps), Ok(false), "the last one counts");
    }
    println!("{hits} answers, {left_out} left out");
    assert!(hits > 100 && left_out > 100);
}
