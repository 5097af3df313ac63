//! Shape casts with known answers: balls on a lattice, faces sliding along each other, starts
//! inside, filters, errors; and agreement with sweeps of two shapes and parry3d.

use boxwood::pair::Sweep;
use boxwood::scene::{
    Buffers, CharacterKey, QueryFilter, QueryScratch, QueryShape, Scene, ShapeHit, Snapshot, Spawn,
};
use boxwood::shape::{Aabb, Capsule, Obb, Plane, Pose, Segment, Sphere};
use boxwood::tree::Geometry;
use boxwood::{Accuracy, CollisionGroups, Error, NodeRef, PartId};

use support::parry::Peer;
use support::prelude::*;

/// One part in a scene of its own.
struct Alone {
    scene: Scene<f64>,
    key: CharacterKey,
}

impl Alone {
    fn new(geometry: Geometry<f64>, at: Pose<f64>) -> Self {
        let (mut scene, model) = (Scene::new(), model_of(vec![geometry]));
        let key = scene.insert(&model, Spawn::at(at)).expect("a model");
        Alone { scene, key }
    }

    fn cast(&self, shape: impl Into<QueryShape<f64>>, way: V) -> Option<ShapeHit<f64>> {
        let (mut buffers, mut scratch) = (Buffers::new(), QueryScratch::new());
        let now: Snapshot<'_, f64> = self.scene.snapshot(&mut buffers);
        let filter = QueryFilter::all();
        now.shape_cast(shape, vector(way), &filter, &mut scratch).expect("a cast")
    }
}

fn cube(half: V) -> Obb<f64> {
    Obb::from_pose(&Isometry3::identity(), Vector3::from(half)).expect("a box")
}

fn ball(at: V, radius: f64) -> Sphere<f64, 3> {
    Sphere::new(point(at), radius).expect("a ball")
}

#[test]
fn balls_on_a_lattice_hit_a_cube_at_the_known_times() {
    let alone = Alone::new(Geometry::Boxes(vec![cube([1.0; 3])]), Isometry3::identity());
    let (mut met, mut past, mut grazing) = (0, 0, 0);
    for y in -8..=8 {
        for z in -8..=8 {
            for radius in 1..=5 {
                let (y, z, radius) = (f64::from(y) / 2.0, f64::from(z) / 2.0, f64::from(radius));
                let radius = radius / 2.0;
                let hit = alone.cast(ball([-8.0, y, z], radius), [16.0, 0.0, 0.0]);
                let (u, v) = ((y.abs() - 1.0).max(0.0), (z.abs() - 1.0).max(0.0));
                let left = radius * radius - (u * u + v * v);
                if left < 0.0 {
                    assert!(hit.is_none(), "{y} {z} {radius} {hit:?}");
                    past += 1;
                    continue;
                }
                // Rounding decides where a grazing contact begins: early by the root of the error.
                let true_time = (8.0 - 1.0 - left.sqrt()) / 16.0;
                let hit = hit.expect("it must be met");
                let early = true_time - hit.time_of_impact;
                assert!(early >= 0.0, "late: {y} {z} {radius} {hit:?}");
                assert!(early < if left == 0.0 { 1e-5 } else { 1e-10 }, "{y} {z} {radius} {hit:?}");
                (met, grazing) = (met + 1, grazing + usize::from(left == 0.0));
            }
        }
    }
    assert!(met > 500 && past > 300 && grazing > 50, "{met} {past} {grazing}");
}

#[test]
fn casts_agree_with_sweeps_of_two_shapes() {
    let (mut random, mut met) = (Random(711), 0);
    let rounds = cases(2_000);
    for _ in 0..rounds {
        let block = cube(std::array::from_fn(|_| random.decade(-2.0, 0.3)));
        let pose = turned(&mut random, [0.1, 0.2, -0.3]);
        let alone = Alone::new(Geometry::Boxes(vec![block]), pose);
        let placed = block.transformed(&pose).expect("a pose");
        let start = times(random.direction(), random.between(1.0, 6.0));
        let way = times(plus(start, times(random.direction(), 1.0)), -random.between(0.3, 2.0));
        let round = ball(start, random.decade(-3.0, 0.3));
        let other = Obb::from_pose(&turned(&mut random, start), block.half_extents());
        let other = other.expect("a box");
        let pairs = [
            (alone.cast(round, way), round.sweep(vector(way), &placed)),
            (alone.cast(other, way), other.sweep(vector(way), &placed)),
        ];
        for (cast, sweep) in pairs {
            // Both may report shapes that pass within their slack.
            let off = |a: &ShapeHit<f64>, t: f64| (a.time_of_impact - t).abs();
            match (&cast, &sweep) {
                (Some(a), Some(b)) => {
                    assert!(off(a, b.time_of_impact) < 1e-6, "{a:?} {b:?}");
                    let along = a.normal.dot(&b.normal);
                    let edge = a.started_inside || a.time_of_impact < 1e-9;
                    assert!(edge || along > 0.5, "{a:?} {b:?}");
                    met += 1;
                }
                (None, None) => {}
                (a, b) => panic!("{a:?} {b:?}"),
            }
        }
    }
    assert!(met > rounds / 2, "{met} of {rounds}");
}

#[test]
fn parry3d_casts_through_a_mesh_to_the_same_times() {
    let mesh = support::closed_meshes::torus(1.0, 0.35, 12, 9);
    let other = Peer::mesh(&mesh);
    let alone = Alone::new(support::closed_meshes::surface(mesh), Isometry3::identity());
    let (mut random, mut met, mut grazes) = (Random(721), 0, 0);
    let rounds = cases(600);
    for round in 0..rounds {
        let start = times(random.direction(), random.between(2.5, 5.0));
        let way = times(plus(start, times(random.direction(), 1.0)), -random.between(0.5, 2.0));
        let radius = random.decade(-1.5, -0.2);
        let end = plus(start, times(random.direction(), 0.4));
        let shape: QueryShape<f64> = match round % 3 {
            0 => ball(start, radius).into(),
            1 => {
                let spine = Segment::new(point(start), point(end)).expect("two ends");
                Capsule::new(spine, radius).expect("a capsule").into()
            }
            _ => {
                let half = [radius, 0.3, 0.1];
                Aabb::new(point(minus(start, half)), point(plus(start, half))).into()
            }
        };
        let (cast, moving) = (alone.cast(shape, way), Peer::query_shape(&shape, 0.0));
        let theirs = moving.sweep(&other, [way, [0.0; 3]]);
        let ours = cast.map(|hit| hit.time_of_impact);
        match (ours, theirs) {
            (Some(a), Some(b)) => {
                // parry3d ends its search by a distance with its own tolerance.
                assert!((a - b).abs() < 1e-3, "{a} {b} {round}");
                met += 1;
            }
            (None, None) => {}
            _ => grazes += 1,
        }
    }
    // Grazing contacts are a matter of tolerances.
    assert!(met > rounds / 3 && grazes <= rounds / 50, "{met} and {grazes} of {rounds}");
}

#[test]
fn all_sizes_parallel_faces_and_zero_displacements() {
    for size in [1e-9, 1e-4, 1.0, 1e6, 1e12] {
        let alone = Alone::new(Geometry::Boxes(vec![cube([size; 3])]), Isometry3::identity());
        let time = |shape: QueryShape<f64>, way: f64| {
            let hit = alone.cast(shape, [way * size, 0.0, 0.0])?;
            assert!(hit.slack <= 1e-11 * size, "{hit:?}");
            Some(hit.time_of_impact)
        };
        let at = |x: f64, y: f64| [x * size, y * size, 0.0];
        let ball = |x, y| QueryShape::from(ball(at(x, y), size));
        let block = |x, y| {
            let center = point(at(x, y));
            let half = Vector3::repeat(size);
            QueryShape::from(Aabb::new(center - half, center + half))
        };
        for one in [ball(-4.0, 0.0), block(-4.0, 0.0), block(-4.0, 1.5)] {
            let met = time(one, 4.0).expect("on the way");
            assert!(met <= 0.5 && met > 0.5 - 1e-10, "{met} {size}");
            assert_eq!((time(one, 1.9), time(one, -4.0), time(one, 0.0)), (None, None, None));
            assert!(time(one, 2.0).is_some(), "touching at the end counts");
        }
        // Faces slide along each other: touching counts from the beginning of the contact.
        let met = time(block(-4.0, 2.0), 4.0).expect("it slides along");
        assert!(met <= 0.5 && met > 0.5 - 1e-10);
        assert_eq!(time(block(-4.0, 2.0 + 1e-9), 8.0), None);
        let met = time(ball(-4.0, 2.0), 8.0).expect("it grazes");
        assert!(met <= 0.375 && met > 0.375 - 1e-4, "{met}");
        assert_eq!(time(ball(-4.0, 2.0 + 1e-9), 8.0), None);
        assert_eq!(time(ball(0.5, 0.0), 0.0), Some(0.0));
        assert_eq!(time(ball(2.0, 0.0), 0.0), Some(0.0), "touching counts");
    }
}

#[test]
fn a_start_inside_counts_as_time_zero() {
    let shell = support::closed_meshes::sphere(1.0, 8);
    let solid = Alone::new(support::closed_meshes::solid(shell.clone()), Isometry3::identity());
    let open = Alone::new(support::closed_meshes::surface(shell), Isometry3::identity());
    let small = ball([0.2, 0.0, 0.1], 0.05);
    let hit = solid.cast(small, [5.0, 0.0, 0.0]).expect("inside");
    assert!(hit.started_inside && hit.time_of_impact == 0.0 && hit.target.node.index() == 0);
    assert_eq!(hit.normal, -Vector3::x());
    let hit = open.cast(small, [5.0, 0.0, 0.0]).expect("the shell");
    assert!(!hit.started_inside && (hit.time_of_impact - 0.75 / 5.0).abs() < 0.02, "{hit:?}");
    // A ball around everything touches no surface and contains no solid.
    assert!(open.cast(ball([0.0; 3], 3.0), [1.0, 0.0, 0.0]).expect("it holds it").started_inside);
    // Slight overlap: the normal points out.
    let hit = solid.cast(ball([0.0, 1.4, 0.0], 0.5), [0.0, 0.0, 0.0]).expect("they overlap");
    assert!(hit.started_inside && hit.normal.y > 0.7, "{hit:?}");
}

#[test]
fn filters_choose_and_the_first_by_order_is_hit() {
    let block = || Geometry::Boxes(vec![cube([0.5; 3])]);
    let model = model_of(vec![block(), block()]);
    let (mut scene, mut buffers, mut scratch) = (Scene::new(), Buffers::new(), QueryScratch::new());
    let keys = [2.0, 6.0, 2.0].map(|x| {
        let key = scene.insert(&model, Spawn::default()).expect("a model");
        let poses = [x, x + 2.0].map(|x| Isometry3::translation(x, 0.0, 0.0));
        scene.set_parts(key, &poses).expect("poses");
        key
    });
    scene
        .set_groups(keys[1], PartId::new(0), CollisionGroups { memberships: 2, filter: 2 })
        .expect("a part");
    let now = scene.snapshot(&mut buffers);
    let mut cast = |filter: &QueryFilter<'_>| {
        let hit =
            now.shape_cast(ball([0.0; 3], 0.5), vector([20.0, 0.0, 0.0]), filter, &mut scratch);
        let hit = hit.expect("a cast").map(|hit| (hit.target, (hit.time_of_impact * 20.0).round()));
        hit.map(|(NodeRef { character, part, .. }, way)| (character, part.index(), way))
    };
    let all = QueryFilter::all;
    assert_eq!(cast(&all()), Some((keys[0], 0, 1.0)));
    assert_eq!(cast(&all().excluding(&[keys[0]])), Some((keys[2], 0, 1.0)));
    assert_eq!(cast(&QueryFilter::of(keys[1])), Some((keys[1], 0, 5.0)));
    assert_eq!(cast(&all().parts(&[PartId::new(1)])), Some((keys[0], 1, 3.0)));
    assert_eq!(cast(&QueryFilter::of(keys[1]).parts(&[])), None);
    let only = |node: NodeRef| node.character == keys[1];
    assert_eq!(cast(&all().predicate(&only)), Some((keys[1], 0, 5.0)));
    let groups = CollisionGroups { memberships: 1, filter: 1 };
    assert_eq!(cast(&QueryFilter::of(keys[1]).groups(groups)), Some((keys[1], 1, 7.0)));
}

/// Casts where single precision has no numbers for the boxes, so that all of them are met.
#[test]
fn parts_without_geometry_or_disabled_are_not_hit() {
    for size in [1e-25, 1e-3, 1.0, 1e9, 1e35] {
        let block = || Geometry::Boxes(vec![cube([0.5 * size; 3])]);
        let model = model_of(vec![Geometry::None, block(), block(), block()]);
        let (mut scene, mut buffers) = (Scene::new(), Buffers::new());
        let key = scene.insert(&model, Spawn::default()).expect("a model");
        let at = |x: f64| Isometry3::translation(x * size, 0.0, 0.0);
        scene.set_parts(key, &[2.0, 4.0, 12.0, 8.0].map(at)).expect("poses");
        scene.set_part_enabled(key, PartId::new(1), false).expect("a part");
        let now = scene.snapshot(&mut buffers);
        for filter in [QueryFilter::all(), QueryFilter::of(key)] {
            let way = vector([20.0 * size, 0.0, 0.0]);
            let cast = ball([0.0; 3], 0.5 * size);
            let hit = now.shape_cast(cast, way, &filter, &mut QueryScratch::new());
            let hit = hit.expect("a cast").expect("on the way");
            assert_eq!(hit.target.part.index(), 3, "{size:e}");
            assert!((hit.time_of_impact - 0.35).abs() < 1e-9, "{size:e} {hit:?}");
        }
    }
}

#[test]
fn invalid_casts_are_refused() {
    let alone = Alone::new(Geometry::Boxes(vec![cube([1.0; 3])]), Isometry3::identity());
    let mut buffers = Buffers::new();
    let now = alone.scene.snapshot(&mut buffers);
    let cast = |shape: QueryShape<f64>, x: f64, filter: &QueryFilter<'_>| {
        now.shape_cast(shape, Vector3::new(x, 0.0, 0.0), filter, &mut QueryScratch::new())
    };
    let (here, all) = (QueryShape::from(ball([0.0; 3], 1.0)), QueryFilter::all());
    let nan = Point3::new(f64::NAN, 0.0, 0.0);
    let not_finite = |field, index| Some(Error::NotFinite { field, index });
    assert_eq!(cast(here, f64::NAN, &all).err(), not_finite("displacement", 0));
    assert_eq!(cast(QueryShape::Point(nan), 1.0, &all).err(), not_finite("point", 0));
    let flat = Plane::new(Unit::new_unchecked(Vector3::x()), 1.0).expect("a plane");
    assert!(matches!(cast(flat.into(), 1.0, &all), Err(Error::BadQuery { .. })));
    let budget = QueryFilter::all().accuracy(Accuracy::Budget(4));
    assert!(matches!(cast(here, 1.0, &budget), Err(Error::BadQuery { .. })));
    let missing = QueryFilter::of(alone.key).parts(&[PartId::new(1)]);
    assert!(matches!(cast(here, 1.0, &missing), Err(Error::IndexOutOfRange { .. })));
    let other = Alone::new(Geometry::Boxes(vec![cube([1.0; 3])]), Isometry3::identity());
    assert_eq!(cast(here, 1.0, &QueryFilter::of(other.key)).err(), Some(Error::ForeignKey));
    assert_eq!(cast(Aabb::empty().into(), 1.0, &all).expect("an empty box"), None);
}
