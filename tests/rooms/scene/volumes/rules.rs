//! What is refused, and what changes no bit of an answer.

use boxwood::model::Groups;
use boxwood::scene::{Beam, Buffers, Inside, Region, Scene, Spawn, Struck, Targets, Wanted};
use boxwood::shape::{Mesh, Obb, Ray, Sphere};
use boxwood::tree::Geometry;
use boxwood::{Accuracy, Build, Counts, Detail, Error, NodeId, PartId};
use nalgebra::{Isometry3, Matrix3, Point3, Unit, Vector3};

use super::stage::random_stage;
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
        scene.insert(&model, Spawn { at, ..Spawn::default() }).expect("a character")
    });
    (scene, keys.to_vec())
}

#[test]
fn nothing_is_hit_through_something_nearer_or_beyond_the_end() {
    let (scene, keys) = row(|| Geometry::Surface(cube(1.0)));
    let (mut buffers, mut struck) = (Buffers::new(), Struck::new());
    let now = scene.snapshot(&mut buffers);
    let targets = Targets::all().accuracy(Accuracy::Exact);
    let hit = now.ray_closest(along_x(0.0), &targets, &mut struck).expect("asked").expect("a hit");
    assert_eq!((hit.site.character, hit.started_inside), (keys[0], false));
    assert!((hit.t - 2.0).abs() < 1e-9 && (hit.normal + Vector3::x()).norm() < 1e-9);
    assert!((hit.point - Point3::new(2.0, 0.1, 0.05)).norm() < 1e-9);
    now.ray_all(along_x(0.0), &targets, &mut struck).expect("asked");
    let told: Vec<_> = struck.iter().map(|hit| hit.site.character).collect();
    assert_eq!(told, [keys[0], keys[2], keys[1]]);
    for (length, hits) in [(1.99, 0), (2.0, 1), (4.9, 1), (5.0, 2), (8.1, 3)] {
        let beam = Beam::new(along_x(0.0), length).expect("a beam");
        now.ray_all(beam, &targets, &mut struck).expect("asked");
        assert_eq!(struck.len(), hits, "{length}");
        assert!(struck.iter().all(|hit| hit.t <= length));
    }
    let one = Targets::of(keys[1]).accuracy(Accuracy::Exact);
    let hit = now.ray_closest(along_x(0.0), &one, &mut struck).expect("asked").expect("a hit");
    assert!((hit.t - 8.0).abs() < 1e-9);
}

#[test]
fn solids_own_their_inside_and_surfaces_do_not() {
    let sphere = Sphere::new(Point3::new(3.0, 0.1, 0.05), 0.3).expect("a sphere");
    for solid in [false, true] {
        let (scene, keys) = row(|| match solid {
            true => Geometry::Solid(cube(1.0)),
            false => Geometry::Surface(cube(1.0)),
        });
        let (mut buffers, mut struck, mut inside) = (Buffers::new(), Struck::new(), Inside::new());
        let now = scene.snapshot(&mut buffers);
        let targets = Targets::of(keys[0]).accuracy(Accuracy::Exact);
        let hit =
            now.ray_closest(along_x(3.0), &targets, &mut struck).expect("asked").expect("one");
        assert_eq!(hit.started_inside, solid);
        assert!((hit.t - if solid { 0.0 } else { 1.0 }).abs() < 1e-9);
        now.region_all(sphere, &targets, &mut inside).expect("asked");
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
    let (mut struck, mut inside) = (Struck::new(), Inside::new());
    let now = scene.snapshot(&mut buffers);
    now.ray_all(along_x(0.0), &Targets::all(), &mut struck).expect("asked");
    assert_eq!(struck.len(), 2);
    let mut refused = |targets: Targets| {
        let error = now.ray_any(along_x(0.0), &targets, &mut struck).expect_err("refused");
        assert!(struck.is_empty());
        assert_eq!(now.region_any(Point3::origin(), &targets, &mut inside), Err(error.clone()));
        error
    };
    assert_eq!(refused(Targets::of(keys[2])), Error::StaleKey);
    let part = Targets::of(keys[0]).parts(&[PartId::new(1)]);
    assert!(matches!(refused(part), Error::IndexOutOfRange { field: "part", .. }));
    let budget = Targets::all().accuracy(Accuracy::Budget(5));
    assert!(matches!(refused(budget), Error::BadQuery { .. }));
    let tolerance = Targets::all().accuracy(Accuracy::Within(f64::NAN));
    assert!(matches!(refused(tolerance), Error::NotFinite { field: "tolerance", .. }));
    let foreign =
        other.snapshot(&mut more).ray_any(along_x(0.0), &Targets::of(keys[0]), &mut struck);
    assert_eq!(foreign, Err(Error::ForeignKey));
    let nowhere = Point3::new(f64::NAN, 0.0, 0.0);
    let error = now.region_any(nowhere, &Targets::all(), &mut inside).expect_err("refused");
    assert_eq!(error, Error::NotFinite { field: "point", index: 0 });
    assert!(Beam::new(along_x(0.0), -1.0).is_err());
    let beam = Beam { ray: along_x(0.0), length: Some(f64::NAN) };
    assert!(now.ray_any(beam, &Targets::all(), &mut struck).is_err());
    let none = now.region_any(boxwood::shape::Aabb::empty(), &Targets::all(), &mut inside);
    assert_eq!(none, Ok(false));
}

#[test]
fn batches_change_no_bit() {
    let mut random = Random(71);
    let stage = random_stage::<f32>(&mut random, [0.0; 3]);
    let beams: Vec<Beam<f32>> = (0..300)
        .map(|_| {
            let from = Point3::from(random.direction()).cast::<f32>() * 4.0;
            let ray = Ray::through(from, Point3::from(random.direction()).cast());
            ray.expect("a ray").expect("two points").into()
        })
        .collect();
    let ball = |random: &mut Random| Sphere::new(Point3::from(random.direction()).cast(), 0.3);
    let regions: Vec<Region<f32>> =
        (0..300).map(|_| ball(&mut random).expect("a ball").into()).collect();
    let mut buffers = Buffers::new();
    let now = stage.scene.snapshot(&mut buffers);
    for wanted in [Wanted::Closest, Wanted::All, Wanted::Any] {
        for accuracy in [Accuracy::Depth(3), Accuracy::Exact] {
            let targets = Targets::all().detail(Detail::Boxes).accuracy(accuracy);
            let (mut struck, mut inside) = (Struck::new(), Inside::new());
            now.rays(&beams, wanted, &targets, &mut struck).expect("asked");
            now.regions(&regions, wanted, &targets, &mut inside).expect("asked");
            assert!(struck.len() > 20 && inside.len() > 20);
            let (mut one, mut held) = (Struck::new(), Inside::new());
            for (i, (beam, region)) in beams.iter().zip(&regions).enumerate() {
                now.rays(&[*beam], wanted, &targets, &mut one).expect("asked");
                assert_eq!(&one[..], struck.of(i));
                now.regions(&[*region], wanted, &targets, &mut held).expect("asked");
                assert_eq!(&held[..], inside.of(i));
            }
        }
    }
}

#[test]
fn groups_parts_and_exclusions_leave_out() {
    let (mut scene, keys) = row(|| Geometry::Surface(cube(1.0)));
    scene.set_groups(keys[0], PartId::new(0), Groups { member: 2, mask: 1 }).expect("a part");
    scene.set_groups(keys[1], PartId::new(0), Groups::NONE).expect("a part");
    let (mut buffers, mut struck, mut inside) = (Buffers::new(), Struck::new(), Inside::new());
    let now = scene.snapshot(&mut buffers);
    let mut hit = |targets: Targets| -> Vec<_> {
        now.ray_all(along_x(0.0), &targets, &mut struck).expect("asked");
        let everywhere = Sphere::new(Point3::origin(), 100.0).expect("a ball");
        now.region_all(everywhere, &targets, &mut inside).expect("asked");
        let hit: Vec<_> = struck.iter().map(|hit| hit.site.character).collect();
        let mut held: Vec<_> = inside.iter().map(|site| site.character).collect();
        held.sort_by_key(|key| hit.iter().position(|other| other == key));
        assert_eq!(hit, held);
        hit
    };
    assert_eq!(hit(Targets::all()), [keys[0], keys[2]]);
    assert_eq!(hit(Targets::all().groups(Groups { member: 4, mask: 2 })), [keys[2]]);
    assert_eq!(hit(Targets::all().groups(Groups { member: 1, mask: 2 })), [keys[0], keys[2]]);
    assert_eq!(hit(Targets::all().excluding(&[keys[0]])), [keys[2]]);
    assert_eq!(hit(Targets::all().parts(&[PartId::new(1)])), []);
}

#[test]
fn the_second_round_allocates_nothing() {
    let mut random = Random(81);
    let stage = random_stage::<f64>(&mut random, [0.0; 3]);
    let beams: Vec<Beam<f64>> = (0..10)
        .map(|_| {
            let from = random.direction();
            let ray = Ray::through(Point3::from(from) * 4.0, Point3::from(random.direction()));
            ray.expect("a ray").expect("two points").into()
        })
        .collect();
    let regions: Vec<Region<f64>> = (0..10)
        .map(|_| Sphere::new(Point3::from(random.direction()), 0.5).expect("one").into())
        .collect();
    let mut buffers = Buffers::new();
    let now = stage.scene.snapshot(&mut buffers);
    let (mut struck, mut inside) = (Struck::new(), Inside::new());
    let targets = Targets::all().detail(Detail::Boxes);
    let mut round = || {
        for wanted in [Wanted::Closest, Wanted::All, Wanted::Any] {
            now.rays(&beams, wanted, &targets, &mut struck).expect("asked");
            now.regions(&regions, wanted, &targets, &mut inside).expect("asked");
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
    let (mut struck, mut inside) = (Struck::new(), Inside::new());
    let cost = allocation_counter::measure(|| {
        for wanted in [Wanted::Closest, Wanted::All, Wanted::Any] {
            let report = now.rays(&[], wanted, &Targets::all(), &mut struck).expect("asked");
            assert_eq!((report.slack, report.met, report.counts), (0.0, true, Counts::default()));
            now.regions(&[], wanted, &Targets::all(), &mut inside).expect("asked");
            assert_eq!((struck.questions(), struck.len(), inside.questions()), (0, 0, 0));
        }
    });
    // The tree over the characters is made for the first question there is.
    assert_eq!(cost.count_total, 0);
    let ray = Ray::through(Point3::new(9.0, 9.0, 9.0), Point3::origin());
    let beam = Beam::from(ray.expect("a ray").expect("two points"));
    let first = allocation_counter::measure(|| {
        now.ray_any(beam, &Targets::all(), &mut struck).expect("asked");
    });
    assert!(first.count_total > 0 && struck.questions() == 1);
    now.rays(&[], Wanted::All, &Targets::all(), &mut struck).expect("asked");
    assert_eq!(
        (struck.questions(), struck.of(0).len()),
        (0, 0),
        "nothing is left of the last call"
    );
    let gone = now.characters().next().expect("one");
    scene.remove(gone).expect("there");
    let mut buffers = Buffers::new();
    let later = scene.snapshot(&mut buffers);
    let found = later.rays(&[], Wanted::All, &Targets::of(gone), &mut struck);
    assert_eq!(found.map(|_| ()), Err(Error::StaleKey));
}

#[test]
fn predicates_leave_out_parts_and_nothing_else() {
    let mut random = Random(73);
    let (mut left_out, mut hits) = (0, 0);
    for _ in 0..20 {
        let stage = random_stage::<f64>(&mut random, [0.0; 3]);
        let (mut buffers, mut struck, mut inside) = (Buffers::new(), Struck::new(), Inside::new());
        let now = stage.scene.snapshot(&mut buffers);
        let odd = random.bits();
        let says = |site: &boxwood::Site| {
            let (at, part, _) = stage.place(site);
            odd >> (at * 4 + part) & 1 == 1
        };
        let keeps = |site: boxwood::Site| {
            assert_eq!(site.node, NodeId::ROOT);
            says(&site)
        };
        let some = now.keeping_parts(&keeps);
        let from = Point3::from(random.direction()) * 4.0;
        let ray = Ray::through(from, Point3::from(random.direction()));
        let ray = ray.expect("a ray").expect("two points");
        let ball = Sphere::new(Point3::from(random.direction()), 1.0).expect("a ball");
        let all = Targets::all().detail(Detail::Boxes);
        now.ray_all(ray, &all, &mut struck).expect("asked");
        let expected: Vec<_> = struck.iter().filter(|hit| says(&hit.site)).copied().collect();
        left_out += struck.len() - expected.len();
        hits += expected.len();
        some.ray_all(ray, &all, &mut struck).expect("asked");
        assert_eq!(struck[..], expected[..]);
        let closest = some.ray_closest(ray, &all, &mut struck).expect("asked");
        assert_eq!(closest, expected.first().copied());
        let any = some.ray_any(ray, &all, &mut struck).expect("asked");
        assert_eq!(any, !expected.is_empty());
        now.region_all(ball, &all, &mut inside).expect("asked");
        let expected: Vec<_> = inside.iter().filter(|site| says(site)).copied().collect();
        left_out += inside.len() - expected.len();
        hits += expected.len();
        some.region_all(ball, &all, &mut inside).expect("asked");
        assert_eq!(inside[..], expected[..]);
        let any = some.region_any(ball, &all, &mut inside).expect("asked");
        assert_eq!(any, !expected.is_empty());
        // That of pairs is not theirs, and theirs not that of pairs.
        let nobody = |_: boxwood::Site, _: boxwood::Site| false;
        let no_one = |_: boxwood::Site| false;
        let both = now.keeping(&nobody);
        both.region_all(ball, &all, &mut inside).expect("asked");
        assert!(inside.len() >= expected.len());
        let mut hits = boxwood::scene::Hits::new();
        let query = boxwood::Query::all();
        let touch = now.keeping_parts(&no_one).intersects(&query, &mut hits);
        assert_eq!(touch, now.intersects(&query, &mut hits));
        assert_eq!(both.keeping_parts(&no_one).region_any(ball, &all, &mut inside), Ok(false));
    }
    println!("{hits} answers, {left_out} left out");
    assert!(hits > 100 && left_out > 100);
}
