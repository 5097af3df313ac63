//! What is refused, and what changes no bit of an answer.

use boxwood::model::CollisionGroups;
use boxwood::scene::{
    Buffers, HitMode, Overlaps, QueryFilter, QueryShape, RayCast, RayHits, Scene, Spawn,
};
use boxwood::shape::{Mesh, Obb, Ray, Sphere};
use boxwood::tree::Geometry;
use boxwood::{Accuracy, Build, Counts, Detail, Error, NodeId, PartId};
use nalgebra::{Isometry3, Matrix3, Point3, Unit, Vector3};

use super::test_scenes::random_stage;
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
    let model = build.build(&Build::tight()).expect("a model");
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
    let (mut buffers, mut struck) = (Buffers::new(), RayHits::new());
    let now = scene.snapshot(&mut buffers);
    let targets = QueryFilter::all().accuracy(Accuracy::Exact);
    let hit = now.ray_cast(along_x(0.0), &targets, &mut struck).expect("asked").expect("a hit");
    assert_eq!((hit.target.character, hit.started_inside), (keys[0], false));
    assert!((hit.time_of_impact - 2.0).abs() < 1e-9 && (hit.normal + Vector3::x()).norm() < 1e-9);
    assert!((hit.point - Point3::new(2.0, 0.1, 0.05)).norm() < 1e-9);
    now.ray_cast_all(along_x(0.0), &targets, &mut struck).expect("asked");
    let told: Vec<_> = struck.iter().map(|hit| hit.target.character).collect();
    assert_eq!(told, [keys[0], keys[2], keys[1]]);
    for (length, hits) in [(1.99, 0), (2.0, 1), (4.9, 1), (5.0, 2), (8.1, 3)] {
        let beam = RayCast::new(along_x(0.0), length).expect("a beam");
        now.ray_cast_all(beam, &targets, &mut struck).expect("asked");
        assert_eq!(struck.len(), hits, "{length}");
        assert!(struck.iter().all(|hit| hit.time_of_impact <= length));
    }
    let one = QueryFilter::of(keys[1]).accuracy(Accuracy::Exact);
    let hit = now.ray_cast(along_x(0.0), &one, &mut struck).expect("asked").expect("a hit");
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
        let (mut buffers, mut struck, mut inside) =
            (Buffers::new(), RayHits::new(), Overlaps::new());
        let now = scene.snapshot(&mut buffers);
        let targets = QueryFilter::of(keys[0]).accuracy(Accuracy::Exact);
        let hit = now.ray_cast(along_x(3.0), &targets, &mut struck).expect("asked").expect("one");
        assert_eq!(hit.started_inside, solid);
        assert!((hit.time_of_impact - if solid { 0.0 } else { 1.0 }).abs() < 1e-9);
        now.overlaps(sphere, &targets, &mut inside).expect("asked");
        assert_eq!(inside.len(), usize::from(solid));
        assert!(inside.iter().all(|site| site.node == NodeId::ROOT));
    }
}

#[test]
fn bad_questions_are_refused() {
    let (mut scene, keys) = row(|| Geometry::Surface(cube(1.0)));
    let (other, _) = row(|| Geometry::Surface(cube(1.0)));
    scene.remove(keys[2]).expect("a key");
    let (mut buffers, mut more) = (Buffers::new(), Buffers::new());
    let (mut struck, mut inside) = (RayHits::new(), Overlaps::new());
    let now = scene.snapshot(&mut buffers);
    now.ray_cast_all(along_x(0.0), &QueryFilter::all(), &mut struck).expect("asked");
    assert_eq!(struck.len(), 2);
    let mut refused = |targets: QueryFilter| {
        let error = now.ray_cast_any(along_x(0.0), &targets, &mut struck).expect_err("refused");
        assert!(struck.is_empty());
        assert_eq!(now.overlaps_any(Point3::origin(), &targets, &mut inside), Err(error.clone()));
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
        &mut struck,
    );
    assert_eq!(foreign, Err(Error::ForeignKey));
    let nowhere = Point3::new(f64::NAN, 0.0, 0.0);
    let error = now.overlaps_any(nowhere, &QueryFilter::all(), &mut inside).expect_err("refused");
    assert_eq!(error, Error::NotFinite { field: "point", index: 0 });
    assert!(RayCast::new(along_x(0.0), -1.0).is_err());
    let beam = RayCast { ray: along_x(0.0), max_length: Some(f64::NAN) };
    assert!(now.ray_cast_any(beam, &QueryFilter::all(), &mut struck).is_err());
    let none = now.overlaps_any(boxwood::shape::Aabb::empty(), &QueryFilter::all(), &mut inside);
    assert_eq!(none, Ok(false));
}

#[test]
fn batches_change_no_bit() {
    let mut random = Random(71);
    let stage = random_stage::<f32>(&mut random, [0.0; 3]);
    let beams: Vec<RayCast<f32>> = (0..300)
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
    for wanted in [HitMode::Closest, HitMode::All, HitMode::Any] {
        for accuracy in [Accuracy::Depth(3), Accuracy::Exact] {
            let targets = QueryFilter::all().detail(Detail::Boxes).accuracy(accuracy);
            let (mut struck, mut inside) = (RayHits::new(), Overlaps::new());
            now.ray_cast_batch(&beams, wanted, &targets, &mut struck).expect("asked");
            now.overlaps_batch(&regions, wanted, &targets, &mut inside).expect("asked");
            assert!(struck.len() > 20 && inside.len() > 20);
            let (mut one, mut held) = (RayHits::new(), Overlaps::new());
            for (i, (beam, region)) in beams.iter().zip(&regions).enumerate() {
                now.ray_cast_batch(&[*beam], wanted, &targets, &mut one).expect("asked");
                assert_eq!(&one[..], struck.of(i));
                now.overlaps_batch(&[*region], wanted, &targets, &mut held).expect("asked");
                assert_eq!(&held[..], inside.of(i));
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
    let (mut buffers, mut struck, mut inside) = (Buffers::new(), RayHits::new(), Overlaps::new());
    let now = scene.snapshot(&mut buffers);
    let mut hit = |targets: QueryFilter| -> Vec<_> {
        now.ray_cast_all(along_x(0.0), &targets, &mut struck).expect("asked");
        let everywhere = Sphere::new(Point3::origin(), 100.0).expect("a ball");
        now.overlaps(everywhere, &targets, &mut inside).expect("asked");
        let hit: Vec<_> = struck.iter().map(|hit| hit.target.character).collect();
        let mut held: Vec<_> = inside.iter().map(|site| site.character).collect();
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
    let beams: Vec<RayCast<f64>> = (0..10)
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
    let (mut struck, mut inside) = (RayHits::new(), Overlaps::new());
    let targets = QueryFilter::all().detail(Detail::Boxes);
    let mut round = || {
        for wanted in [HitMode::Closest, HitMode::All, HitMode::Any] {
            now.ray_cast_batch(&beams, wanted, &targets, &mut struck).expect("asked");
            now.overlaps_batch(&regions, wanted, &targets, &mut inside).expect("asked");
        }
    };
    assert!(allocation_counter::measure(&mut round).count_total > 0);
    assert_eq!(allocation_counter::measure(&mut round).count_total, 0);
}

#[test]
fn no_questions_cost_nothing_and_are_checked_all_the_same() {
    let stage = random_stage::<f32>(&mut Random(82), [0.0; 3]);
    let (mut scene, mut buffers) = (stage.scene.clone(), Buffers::new());
    let now = stage.scene.snapshot(&mut buffers);
    let (mut struck, mut inside) = (RayHits::new(), Overlaps::new());
    let cost = allocation_counter::measure(|| {
        for wanted in [HitMode::Closest, HitMode::All, HitMode::Any] {
            let report =
                now.ray_cast_batch(&[], wanted, &QueryFilter::all(), &mut struck).expect("asked");
            assert_eq!((report.slack, report.met, report.counts), (0.0, true, Counts::default()));
            now.overlaps_batch(&[], wanted, &QueryFilter::all(), &mut inside).expect("asked");
            assert_eq!((struck.questions(), struck.len(), inside.questions()), (0, 0, 0));
        }
    });
    // The tree over the characters is made for the first question there is.
    assert_eq!(cost.count_total, 0);
    let ray = Ray::through(Point3::new(9.0, 9.0, 9.0), Point3::origin());
    let beam = RayCast::from(ray.expect("a ray").expect("two points"));
    let first = allocation_counter::measure(|| {
        now.ray_cast_any(beam, &QueryFilter::all(), &mut struck).expect("asked");
    });
    assert!(first.count_total > 0 && struck.questions() == 1);
    now.ray_cast_batch(&[], HitMode::All, &QueryFilter::all(), &mut struck).expect("asked");
    assert_eq!(
        (struck.questions(), struck.of(0).len()),
        (0, 0),
        "nothing is left of the last call"
    );
    let gone = now.characters().next().expect("one");
    scene.remove(gone).expect("there");
    let mut buffers = Buffers::new();
    let later = scene.snapshot(&mut buffers);
    let found = later.ray_cast_batch(&[], HitMode::All, &QueryFilter::of(gone), &mut struck);
    assert_eq!(found.map(|_| ()), Err(Error::StaleKey));
}

#[test]
fn predicates_leave_out_parts_and_nothing_else() {
    let mut random = Random(73);
    let (mut left_out, mut hits) = (0, 0);
    for _ in 0..20 {
        let stage = random_stage::<f64>(&mut random, [0.0; 3]);
        let (mut buffers, mut struck, mut inside) =
            (Buffers::new(), RayHits::new(), Overlaps::new());
        let now = stage.scene.snapshot(&mut buffers);
        let odd = random.bits();
        let says = |site: &boxwood::NodeRef| {
            let (at, part, _) = stage.place(site);
            odd >> (at * 4 + part) & 1 == 1
        };
        let keeps = |site: boxwood::NodeRef| {
            assert_eq!(site.node, NodeId::ROOT);
            says(&site)
        };
        let from = Point3::from(random.direction()) * 4.0;
        let ray = Ray::through(from, Point3::from(random.direction()));
        let ray = ray.expect("a ray").expect("two points");
        let ball = Sphere::new(Point3::from(random.direction()), 1.0).expect("a ball");
        let all = QueryFilter::all().detail(Detail::Boxes);
        let some = all.clone().predicate(&keeps);
        now.ray_cast_all(ray, &all, &mut struck).expect("asked");
        let expected: Vec<_> = struck.iter().filter(|hit| says(&hit.target)).copied().collect();
        left_out += struck.len() - expected.len();
        hits += expected.len();
        now.ray_cast_all(ray, &some, &mut struck).expect("asked");
        assert_eq!(struck[..], expected[..]);
        let closest = now.ray_cast(ray, &some, &mut struck).expect("asked");
        assert_eq!(closest, expected.first().copied());
        let any = now.ray_cast_any(ray, &some, &mut struck).expect("asked");
        assert_eq!(any, !expected.is_empty());
        now.overlaps(ball, &all, &mut inside).expect("asked");
        let expected: Vec<_> = inside.iter().filter(|site| says(site)).copied().collect();
        left_out += inside.len() - expected.len();
        hits += expected.len();
        now.overlaps(ball, &some, &mut inside).expect("asked");
        assert_eq!(inside[..], expected[..]);
        let any = now.overlaps_any(ball, &some, &mut inside).expect("asked");
        assert_eq!(any, !expected.is_empty());
        let no_one = |_: boxwood::NodeRef| false;
        let none = some.predicate(&no_one);
        assert_eq!(now.overlaps_any(ball, &none, &mut inside), Ok(false), "the last one counts");
    }
    println!("{hits} answers, {left_out} left out");
    assert!(hits > 100 && left_out > 100);
}
