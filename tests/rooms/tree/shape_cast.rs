//! Shapes cast at one tree: never late and off by the slack at most, by the distance of every
//! triangle; the answers of a scene bit for bit; parry3d for boxes and hulls.

use boxwood::Error;
use boxwood::num::SimdLevel;
use boxwood::pair::CastHit;
use boxwood::scene::{Buffers, QueryFilter, QueryScratch, QueryShape, Scene, Spawn};
use boxwood::shape::{Aabb, Capsule, Mesh, Obb, Plane, Segment, Sphere};
use boxwood::tree::{Geometry, NodeId, TreeScratch};

use support::convex_bodies::{Body, BodyKind};
use support::moving_segment::Way;
use support::parry::Peer;
use support::prelude::*;
use support::random_parts::cast_shape;

type TreeHit<T> = Option<CastHit<T, 3, Option<u32>>>;

/// Builds a soup of triangles, or a floor with shared edges, where many are hit at the same time.
fn mesh<T: Scalar>(random: &mut Random, kind: usize) -> Mesh<T> {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    if kind == 0 {
        for i in 0..60 {
            let at = times(random.direction(), random.between(0.0, 10.0));
            vertices.extend((0..3).map(|_| point(plus(at, random.direction()))));
            triangles.push([3 * i, 3 * i + 1, 3 * i + 2]);
        }
    } else {
        let row = 9;
        for i in 0..row * row {
            let height = if kind == 1 { 0.0 } else { random.between(0.0, 1.5) };
            vertices.push(point([(i % row) as f64 - 4.0, (i / row) as f64 - 4.0, height]));
        }
        for i in (0..row * (row - 1)).filter(|i| i % row + 1 < row) {
            triangles.push([i, i + 1, i + row]);
            triangles.push([i + row + 1, i + row, i + 1]);
        }
    }
    Mesh::new(vertices, triangles).expect("a mesh")
}

/// Draws a capsule or a ball, and its displacement.
fn moving_capsule<T: Scalar>(random: &mut Random) -> (Capsule<T>, Vector3<T>) {
    let start = times(random.direction(), random.between(1.0, 8.0));
    let mut core = times(random.direction(), [0.0, 1.5][random.below(2)]);
    let mut by = times(random.direction(), random.decade(-3.0, 1.5));
    if random.chance(0.4) {
        // Flat down on the floor: many triangles at the same time.
        (core[2], by) = (0.0, [0.0, 0.0, -by[2].abs() * 4.0]);
    }
    let ends = Segment::new(point(start), point(plus(start, core))).expect("ends");
    let radius = T::nearest([0.0, random.between(0.0, 1.0)][random.below(2)]);
    (Capsule::new(ends, radius).expect("a capsule"), vector(by))
}

/// Returns the way of a capsule past one triangle, for the oracle.
fn way<T: Scalar>(body: &Capsule<T>, by: &Vector3<T>, corners: [Point3<T>; 3]) -> Way {
    let wide = |p: Point3<T>| -> V { p.coords.map(T::wide).into() };
    Way {
        core: [body.segment().a(), body.segment().b()].map(wide),
        radius: body.radius().wide(),
        by: by.map(T::wide).into(),
        corners: corners.map(wide).to_vec(),
    }
}

/// Checks an answer by the distances of the capsule and every triangle along the way.
fn judge<T: Scalar>(body: &Capsule<T>, by: &Vector3<T>, mesh: &Mesh<T>, hit: &TreeHit<T>) {
    let until = hit.as_ref().map_or(1.0, |hit| hit.time_of_impact.wide());
    for index in 0..mesh.triangles().len() {
        let way = way(body, by, mesh.corners(index));
        let noise = way.noise();
        if hit.as_ref().is_none_or(|hit| !hit.started_inside) {
            let before = Way { by: times(way.by, until), ..way.clone() };
            let is_free = before.stays_beyond(way.radius - noise);
            assert!(is_free, "late or missed: {way:?} {hit:?}");
        }
        let Some(hit) = hit.as_ref().filter(|hit| hit.target == Some(index as u32)) else {
            continue;
        };
        let then = way.distance(until);
        assert!(then <= way.radius + hit.slack.wide() + noise, "early: {then} {way:?} {hit:?}");
        let at: V = hit.point.coords.map(T::wide).into();
        let still = Way { core: [at; 2], radius: 0.0, by: [0.0; 3], ..way.clone() };
        let rounding = 8.0 * T::ROUNDING * norm(at);
        let off = still.distance(0.0);
        assert!(off <= hit.slack.wide() + noise + rounding, "{off} off: {way:?} {hit:?}");
        let speed = hit.normal.map(T::wide).dot(&Vector3::from(way.by));
        let started = hit.time_of_impact.wide() == 0.0;
        assert!(started || speed <= 1e-5 * norm(way.by), "{speed} along: {way:?} {hit:?}");
    }
}

fn capsules_by_every_triangle<T: Scalar>(seed: u64) {
    let (mut random, mut scratch) = (Random(seed), TreeScratch::default());
    let (mut hits, mut misses, mut inside, mut equal) = (0, 0, 0, 0);
    for round in 0..at_least(1_000, 100) {
        let mesh = mesh::<T>(&mut random, round % 3);
        let geometry = Geometry::Surface(mesh.clone());
        let tree = default_tree(geometry);
        for _ in 0..20 {
            let (body, by) = moving_capsule::<T>(&mut random);
            let hit = tree.shape_cast(body, by, &mut scratch).expect("good input");
            judge(&body, &by, &mesh, &hit);
            // The sweep of every triangle by itself is the other lower bound: they differ by
            // the slack of the later one.
            let swept = mesh.sweep_capsule(&body, by).expect("good input");
            if let (Some(cast), Some(swept)) = (&hit, &swept) {
                let [t, s] = [cast.time_of_impact.wide(), swept.time_of_impact.wide()];
                let length = by.map(T::wide).norm();
                let approach = (-cast.normal.map(T::wide).dot(&by.map(T::wide))).max(0.0);
                // A graze turns a slack into its root along the way.
                let slack = cast.slack.wide() + swept.slack.wide();
                let along =
                    if approach > 0.1 * length { 10.0 * slack } else { slack.sqrt() * 40.0 };
                assert!((t - s).abs() * length <= along + 1e-10, "{cast:?} {swept:?}");
                assert!(s > 0.0 || t * length <= along, "{cast:?} {swept:?}");
                equal += usize::from(cast.target == Some(swept.target));
            }
            match hit {
                Some(hit) if hit.started_inside => inside += 1,
                Some(_) => hits += 1,
                None => misses += 1,
            }
        }
    }
    println!("{hits} hits, {inside} inside, {misses} misses, {equal} with the same triangle");
    let share = (hits + inside + misses) / 40;
    assert!(hits > share && misses > share && inside > share, "{hits} {inside} {misses}");
    assert!(2 * equal > hits, "{equal} of {hits}");
}

/// Draws a part of triangles, a solid, boxes, or convex primitives.
fn part<T: Scalar>(random: &mut Random, kind: usize) -> Geometry<T> {
    if kind == 4 {
        let mut body = || {
            let kind = BodyKind::ALL[random.below(BodyKind::ALL.len())];
            let body = Body::random(random, kind, (0.5, 0.7));
            let by = times(random.direction(), random.between(0.0, 1.0));
            body.moved(by).shape()
        };
        return Geometry::Convex((0..6).map(|_| body()).collect());
    }
    let part = random_part(random, kind);
    match (kind, part) {
        // The lump is closed.
        (0, Geometry::Surface(mesh)) if random.chance(0.5) => Geometry::Solid(mesh),
        (_, part) => part,
    }
}

fn answers_of_a_scene<T: Scalar>(seed: u64) {
    let (mut random, mut buffers) = (Random(seed), Buffers::new());
    let (mut scratch, mut of_scene) = (TreeScratch::default(), QueryScratch::new());
    let (mut hits, mut inside, mut solids) = (0, 0, 0);
    let rounds = at_least(2_000, 100);
    for round in 0..rounds {
        let geometry = part::<T>(&mut random, round % 5);
        let model = model_of(vec![geometry]);
        let mut scene = Scene::new();
        scene.insert(&model, Spawn::default()).expect("room");
        let now = scene.snapshot(&mut buffers);
        let tree = model.parts()[0].tree().expect("geometry");
        for _ in 0..10 {
            let start = times(random.direction(), random.between(0.0, 3.0));
            let (shape, by) =
                (cast_shape::<T>(&mut random, start), times(start, -random.share() * 2.0));
            let by = plus(by, times(random.direction(), random.decade(-3.0, 0.0)));
            let found = tree.shape_cast(shape, vector(by), &mut scratch).expect("a cast");
            let all = QueryFilter::all();
            let other = now.shape_cast(shape, vector(by), &all, &mut of_scene).expect("a cast");
            assert_eq!(found.is_some(), other.is_some(), "{shape:?} {by:?}");
            let (Some(found), Some(other)) = (found, other) else { continue };
            let numbers =
                |time: T, point: Point3<T>, normal: Vector3<T>, slack: T, inside: bool| {
                    (time, point, normal, slack, inside)
                };
            assert_eq!(
                numbers(
                    found.time_of_impact,
                    found.point,
                    found.normal,
                    found.slack,
                    found.started_inside
                ),
                numbers(
                    other.time_of_impact,
                    other.point,
                    other.normal,
                    other.slack,
                    other.started_inside
                ),
            );
            match found.target {
                Some(primitive) => {
                    assert!(tree.primitives(other.target.node).contains(&primitive));
                    hits += usize::from(!found.started_inside);
                    inside += usize::from(found.started_inside);
                }
                None => {
                    assert!(found.started_inside && other.target.node == NodeId::ROOT);
                    assert!(matches!(tree.geometry(), Geometry::Solid(_)));
                    solids += 1;
                }
            }
        }
    }
    println!("{hits} hits, {inside} inside, {solids} inside of solids");
    assert!(
        hits > rounds && inside > rounds / 20 && solids > rounds / 100,
        "{hits} {inside} {solids}"
    );
}

#[test]
fn casts_at_boxes_and_hulls_are_those_of_parry() {
    let (mut random, mut scratch) = (Random(0x5ca7), TreeScratch::default());
    let (mut hits, mut misses, mut unlike) = (0, 0, 0);
    let rounds = at_least(3_000, 200);
    for round in 0..rounds {
        let (geometry, peers): (_, Vec<Peer>) = if round % 2 == 0 {
            let Geometry::Boxes(boxes) = random_part::<f64>(&mut random, 3) else { unreachable!() };
            let peers = boxes.iter().map(|solid| Peer::solid(&PlainBox::of(solid))).collect();
            (Geometry::Boxes(boxes), peers)
        } else {
            let points: Vec<Vec<V>> = (0..4)
                .map(|_| {
                    let at = times(random.direction(), random.between(0.0, 1.0));
                    (0..9).map(|_| plus(at, times(random.direction(), 0.4))).collect()
                })
                .collect();
            let hull = |points: &Vec<V>| {
                let points: Vec<_> = points.iter().map(|&p| Point3::from(p)).collect();
                boxwood::f64::ConvexHull::new(&points).expect("a hull").into()
            };
            let peers = points.iter().map(|points| Peer::hull(points).expect("solid")).collect();
            (Geometry::Convex(points.iter().map(hull).collect()), peers)
        };
        let tree = default_tree(geometry);
        for _ in 0..5 {
            let start = times(random.direction(), random.between(2.5, 4.0));
            let aim = times(random.direction(), random.between(0.0, 1.5));
            let by = times(minus(aim, start), random.between(0.3, 2.0));
            let shape = cast_shape::<f64>(&mut random, start);
            let hit = tree.shape_cast(shape, vector(by), &mut scratch).expect("a cast");
            let mover = Peer::query_shape(&shape, 0.0);
            let theirs = peers.iter().filter_map(|peer| mover.sweep(peer, [by, [0.0; 3]]));
            let theirs = theirs.reduce(f64::min);
            match (hit.map(|hit| hit.time_of_impact), theirs) {
                // The peer stops at its tolerance and misses some grazes.
                (Some(a), Some(b)) => {
                    hits += 1;
                    unlike += usize::from((a - b).abs() * norm(by) > 1e-4);
                }
                (None, None) => misses += 1,
                _ => unlike += 1,
            }
        }
    }
    println!("{hits} hits, {misses} misses, {unlike} unlike the peer");
    assert!(hits > rounds && misses > rounds / 2, "{hits} {misses}");
    assert!(unlike * 200 < hits + misses, "{unlike} of {}", hits + misses);
}

#[test]
fn a_start_inside_counts_for_solids_only() {
    let corners = [[0.0, 0.0, 0.0], [9.0, 0.0, 0.0], [0.0, 9.0, 0.0], [0.0, 0.0, 9.0]];
    let faces = vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let mesh = Mesh::<f64>::new(corners.map(Point3::from).to_vec(), faces).expect("a mesh");
    let mut scratch = TreeScratch::default();
    let ball = Sphere::new(Point3::new(1.0, 1.0, 1.0), 0.5).expect("a ball");
    let by = Vector3::new(-0.25, 0.0, 0.0);
    let solid = Geometry::Solid(mesh.clone());
    let solid = default_tree(solid);
    let hit = solid.shape_cast(ball, by, &mut scratch).expect("a cast").expect("inside");
    assert_eq!((hit.target, hit.time_of_impact, hit.started_inside), (None, 0.0, true));
    assert_eq!((hit.normal, hit.slack), (Vector3::x(), 0.0));
    let surface = default_tree(Geometry::Surface(mesh));
    assert_eq!(surface.shape_cast(ball, by, &mut scratch), Ok(None));
    // Through the wall from inside.
    let hit = surface.shape_cast(ball, 4.0 * by, &mut scratch).expect("a cast").expect("a wall");
    assert!((hit.time_of_impact - 0.5).abs() < 1e-10 && hit.target == Some(2), "{hit:?}");
    assert!((hit.normal - Vector3::x()).norm() < 1e-12, "{hit:?}");
}

#[test]
fn touching_shapes_hit_at_once_and_ties_go_to_the_first_primitive() {
    let mut scratch = TreeScratch::default();
    let cube = |x: f64| {
        Obb::from_pose(&Isometry3::translation(x, 0.0, 0.0), Vector3::repeat(1.0)).expect("a box")
    };
    let boxes = Geometry::Boxes(vec![cube(6.0), cube(2.0), cube(-2.0)]);
    let tree = default_tree(boxes);
    let ball = Sphere::new(Point3::new(0.0, 3.0, 0.0), 1.0).expect("a ball");
    let down = Vector3::new(0.0, -4.0, 0.0);
    let hit = tree.shape_cast(ball, down, &mut scratch).expect("a cast").expect("boxes");
    // The ball enters the slot between both cubes and touches their edges at the same time.
    assert_eq!(hit.target, Some(1), "{hit:?}");
    let beside = Sphere::new(Point3::new(0.0, 0.0, 0.0), 1.0).expect("a ball");
    for by in [down, Vector3::zeros()] {
        let hit = tree.shape_cast(beside, by, &mut scratch).expect("a cast").expect("touching");
        assert!(hit.started_inside && hit.time_of_impact == 0.0, "{hit:?}");
    }
}

#[test]
fn bad_casts_are_refused() {
    let (mut random, mut scratch) = (Random(103), TreeScratch::default());
    let mesh = mesh::<f64>(&mut random, 1);
    let tree = default_tree(Geometry::Surface(mesh.clone()));
    let body = Capsule::from(Segment::new(Point3::origin(), point([1.0; 3])).expect("ends"));
    let bad = Vector3::new(0.0, f64::NAN, 0.0);
    let error = Error::NotFinite { field: "displacement", index: 0 };
    assert_eq!(tree.shape_cast(body, bad, &mut scratch), Err(error.clone()));
    assert_eq!(mesh.sweep_capsule(&body, bad), Err(error));
    let floor = Plane::new(Vector3::z_axis(), 0.0).expect("a plane");
    let refused = tree.shape_cast(floor, Vector3::x(), &mut scratch);
    assert!(matches!(refused, Err(Error::BadQuery { .. })));
    let nowhere = tree.shape_cast(Point3::new(f64::NAN, 0.0, 0.0), Vector3::x(), &mut scratch);
    assert_eq!(nowhere, Err(Error::NotFinite { field: "point", index: 0 }));
    assert_eq!(tree.shape_cast(Aabb::empty(), Vector3::x(), &mut scratch), Ok(None));
}

#[test]
fn every_simd_level_gives_one_answer_without_allocating() {
    let mut random = Random(0x51d);
    let mut hits = 0;
    for round in 0..cases(200) {
        let geometry = part::<f32>(&mut random, round % 5);
        let tree = default_tree(geometry);
        let casts: Vec<(QueryShape<f32>, Vector3<f32>)> = (0..8)
            .map(|_| {
                let start = times(random.direction(), 3.0);
                (cast_shape(&mut random, start), vector(times(start, -1.5)))
            })
            .collect();
        let mut answers: Vec<Vec<TreeHit<f32>>> = Vec::new();
        for simd in SimdLevel::all() {
            let mut scratch = TreeScratch::with_simd_level(simd);
            let mut all = || -> Vec<TreeHit<f32>> {
                let cast = |&(shape, by)| tree.shape_cast(shape, by, &mut scratch).expect("a cast");
                casts.iter().map(cast).collect()
            };
            let first = all();
            let again = allocation_counter::measure(|| assert_eq!(all(), first));
            assert_eq!(again.count_total, 1, "the list of answers alone");
            answers.push(first);
        }
        assert!(answers.iter().all(|of_level| *of_level == answers[0]));
        hits += answers[0].iter().flatten().count();
    }
    assert!(hits > cases(200), "{hits}");
}

scalars! {
    capsules_are_never_late_and_off_by_the_slack_at_most => capsules_by_every_triangle(102; 101);
    a_tree_gives_the_answer_of_a_scene_of_it_alone => answers_of_a_scene(104; 105);
}

#[test]
fn the_normal_of_a_start_that_overlaps_is_the_shortest_way_out() {
    let mut scratch = TreeScratch::default();
    let cube = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(1.0)).expect("a box");
    let sides = [[-9.0, -9.0, 0.0], [9.0, -9.0, 0.0], [0.0, 9.0, 0.0]].map(Point3::from);
    let floor = Mesh::<f64>::new(sides.to_vec(), vec![[0, 1, 2]]).expect("a mesh");
    let hull: Vec<Point3<f64>> = (0..8)
        .map(|i| Point3::new(i % 2, i / 2 % 2, i / 4).map(|x: usize| 2.0 * x as f64 - 1.0))
        .collect();
    let hull = boxwood::f64::ConvexHull::new(&hull).expect("a hull").into();
    let tree = |geometry| default_tree(geometry);
    let [boxes, floor, hull] =
        [Geometry::Boxes(vec![cube]), Geometry::Surface(floor), Geometry::Convex(vec![hull])]
            .map(tree);
    let p = Point3::new(0.7, 0.1, 0.2);
    let at = Isometry3::translation(p.x, p.y, p.z);
    let within: [QueryShape<f64>; 4] = [
        p.into(),
        Sphere::new(p, 0.1).expect("a ball").into(),
        Capsule::new(Segment::new(p, p + Vector3::y() * 0.1).expect("ends"), 0.1)
            .expect("a capsule")
            .into(),
        Obb::from_pose(&at, Vector3::repeat(0.1)).expect("a box").into(),
    ];
    let ends = [Point3::new(0.0, 0.0, -0.1), Point3::new(0.0, 0.0, 1.0)];
    let upright = Capsule::new(Segment::new(ends[0], ends[1]).expect("ends"), 0.2);
    let upright = upright.expect("a capsule");
    for by in [Vector3::x(), -Vector3::x(), Vector3::y(), -Vector3::z(), Vector3::zeros()] {
        for tree in [&boxes, &hull] {
            for shape in within {
                let hit = tree.shape_cast(shape, by, &mut scratch).expect("a cast").expect("in");
                assert!(hit.started_inside && (hit.normal - Vector3::x()).norm() < 1e-9, "{hit:?}");
            }
        }
        let hit = floor.shape_cast(upright, by, &mut scratch).expect("a cast").expect("in");
        assert!(hit.started_inside && (hit.normal - Vector3::z()).norm() < 1e-9, "{hit:?}");
    }
    // A point on the floor leaves it on the side from which it comes.
    for by in [Vector3::z(), -Vector3::z()] {
        let hit = floor.shape_cast(Point3::origin(), by, &mut scratch).expect("a cast");
        assert_eq!(hit.expect("on it").normal, -by);
    }
}
