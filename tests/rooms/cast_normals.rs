//! One convention for hits of moving shapes, whoever answers: the normal points out of what is hit,
//! towards the mover, and times are shares of the displacement. The oracle is the support of both
//! shapes: at the time of impact the plane across the normal separates them.

use std::fmt::Debug;

use boxwood::brush::{BrushFilter, BrushWorld, CastTarget, CylinderAt};
use boxwood::pair::{CastHit, RayHit, Sweep};
use boxwood::response::Wall;
use boxwood::scene::{Buffers, QueryFilter, QueryScratch, QueryShape, Scene, Spawn};
use boxwood::shape::{
    Aabb, Capsule, Mesh, Obb, Plane, Polygon3, Ray, Segment, Sphere, Triangle, UprightCylinder,
};
use boxwood::tree::{Build, Geometry, ObbTree, TreeScratch};
use boxwood::{CollisionGroups, UpAxis};

use support::brushes::{any_brush, brush};
use support::convex_bodies::{Body, BodyKind};
use support::prelude::*;
use support::random::{about, apply};
use support::random_parts::{frame, wide};

/// Convex shape for the oracle: corners, and a radius.
#[derive(Debug, Clone)]
struct Rounded {
    corners: Vec<V>,
    radius: f64,
}

impl Rounded {
    fn reach(&self, n: V) -> f64 {
        let along = self.corners.iter().map(|&corner| inner(corner, n));
        along.fold(f64::NEG_INFINITY, f64::max) + self.radius
    }
}

/// Number of hits on the way, and of starts inside.
#[derive(Debug, Default, Clone, Copy)]
struct Seen {
    hits: usize,
    inside: usize,
}

/// Largest sizes and coordinates of the cases, for rounding.
const SIZE: f64 = 64.0;

/// Checks a hit by the supports of both shapes at the start, and their displacements.
fn check<T: Scalar, R: Debug>(
    hit: &CastHit<T, 3, R>,
    [mover, target]: [&dyn Fn(V) -> f64; 2],
    by: [V; 2],
    seen: &mut Seen,
) {
    let (normal, time) = (wide(&hit.normal), hit.time_of_impact.wide());
    let noise = SIZE * (4.0 * T::ROUNDING + 1e-9);
    assert!((norm(normal) - 1.0).abs() < 1e-6, "{hit:?}");
    assert_eq!(Wall::of_hit(hit).normal, hit.normal);
    // The length is the share of the displacement, rounded down.
    let full = time * norm(by[0]);
    let length = hit.length(vector(by[0])).wide();
    assert!(length <= full, "{length} {full} {hit:?}");
    assert!(length >= full * (1.0 - 2.0 * T::ROUNDING - 1e-14), "{length} {full} {hit:?}");
    // From the target to the mover, along the normal.
    let separation = |time: f64| {
        let shift = times(minus(by[0], by[1]), time);
        inner(shift, normal) - mover(times(normal, -1.0)) - target(normal)
    };
    let relative = minus(by[0], by[1]);
    if hit.started_inside {
        seen.inside += 1;
        assert!(time == 0.0 && length == 0.0, "{hit:?}");
        // Not the wrong way round: out of the target it is no further than through it.
        let through = -inner([0.0; 3], normal) + mover(normal) + target(times(normal, -1.0));
        assert!(-separation(0.0) <= through + noise, "into the target: {hit:?} {by:?}");
        return;
    }
    seen.hits += 1;
    let apart = separation(time);
    assert!(apart.abs() <= hit.slack.wide() + noise, "{apart:e} {hit:?} {by:?}");
    // A start within the slack may be on its way out.
    if time > 0.0 {
        let along = inner(normal, relative);
        assert!(along <= 1e-6 * norm(relative), "along the normal: {along:e} {hit:?} {by:?}");
        for share in [0.0, 0.5, 0.9] {
            assert!(separation(share * time) >= apart - noise, "{share} {hit:?} {by:?}");
        }
    }
}

/// Checks a hit of a ray: the plane across the normal has the target behind it.
fn check_ray<T: Scalar, R: Debug>(hit: &RayHit<T, R>, along: V, target: &dyn Fn(V) -> f64) {
    let normal = wide(&hit.normal);
    assert!((norm(normal) - 1.0).abs() < 1e-6 && hit.distance >= T::zero(), "{hit:?}");
    if hit.started_inside {
        return;
    }
    let noise = hit.slack.wide() + SIZE * (4.0 * T::ROUNDING + 1e-9);
    assert!(inner(normal, along) <= noise, "{hit:?}");
    let at = wide(&hit.point.coords);
    assert!((inner(normal, at) - target(normal)).abs() <= noise, "{hit:?}");
}

/// Shape of a kind that sweeps know.
#[derive(Debug, Clone)]
enum Any<T: Scalar> {
    Ball(Sphere<T, 3>),
    Capsule(Capsule<T>),
    Aligned(Aabb<T, 3>),
    Oriented(Obb<T>),
    Triangle(Triangle<T>),
    Polygon(Polygon3<T>),
    Plane(Plane<T>),
}

/// Number of kinds of [`Any`].
const KINDS: usize = 7;

/// Draws a shape of a kind around a point, with its oracle.
fn any<T: Scalar>(random: &mut Random, kind: usize, at: V) -> (Any<T>, Rounded) {
    let round = |v: V| wide(&vector::<T>(v));
    let (at, axes) = (round(at), random.rotation());
    let half: V = std::array::from_fn(|_| random.between(0.2, 1.0));
    let radius = T::nearest(random.between(0.1, 0.8));
    let side = |k: usize, i: usize| if k >> i & 1 == 1 { half[i] } else { -half[i] };
    let cube = |axes: &[V; 3]| {
        (0..8).map(|k| plus(at, apply(axes, [0, 1, 2].map(|i| side(k, i))))).collect::<Vec<V>>()
    };
    let (shape, corners, radius) = match kind {
        0 => (Any::Ball(Sphere::new(point(at), radius).expect("a ball")), vec![at], radius),
        1 => {
            let end = round(plus(at, times(axes[0], half[0])));
            let core = Segment::new(point(at), point(end)).expect("ends");
            (Any::Capsule(Capsule::new(core, radius).expect("a capsule")), vec![at, end], radius)
        }
        2 => {
            let corners = cube(&[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
            (Any::Aligned(Aabb::new(point(corners[0]), point(corners[7]))), corners, T::zero())
        }
        3 => {
            let turn = Matrix3::from_columns(&axes.map(vector::<T>));
            let solid = Obb::new(point(at), turn, vector(half)).expect("a box");
            (Any::Oriented(solid), cube(&axes), T::zero())
        }
        4 => {
            let corners = [0.0, 2.0, 4.0].map(|angle: f64| {
                let out = plus(times(axes[0], angle.cos()), times(axes[1], angle.sin()));
                round(plus(at, times(out, 2.0 * half[0])))
            });
            let [a, b, c] = corners.map(point);
            let shape = Triangle::new(a, b, c).expect("corners");
            (Any::Triangle(shape), corners.to_vec(), T::zero())
        }
        5 => {
            let corner = |i: usize| {
                let (sine, cosine) = (1.1 * i as f64).sin_cos();
                round(plus(at, plus(times(axes[0], cosine), times(axes[1], sine))))
            };
            let corners: Vec<V> = (0..5).map(corner).collect();
            let shape = Polygon3::new(corners.iter().map(|&p| point(p)).collect());
            (Any::Polygon(shape.expect("corners")), corners, T::zero())
        }
        _ => {
            let up = Unit::new_normalize(vector::<T>(axes[2]));
            let shape = Plane::through(point(at), up).expect("a plane");
            // A slab of the half-space that is larger than all else.
            let low = |k: usize| if k >> 2 & 1 == 1 { 0.0 } else { -40.0 };
            let corners = (0..8).map(|k| {
                let flat = [0, 1].map(|i| times(axes[i], 20.0 * side(k, i).signum()));
                plus(plus(at, plus(flat[0], flat[1])), times(axes[2], low(k)))
            });
            (Any::Plane(shape), corners.collect(), T::zero())
        }
    };
    (shape, Rounded { corners, radius: radius.wide() })
}

/// Sweeps two shapes; the outer option is `None` for kinds without a sweep.
fn sweep<T: Scalar>(a: &Any<T>, b: &Any<T>, by: [V; 2]) -> Option<Option<CastHit<T>>> {
    let [p, q] = by.map(vector);
    macro_rules! pairs {
        ($($x:ident $y:ident),*) => {
            match (a, b) {
                $((Any::$x(x), Any::$y(y)) => Some(x.sweep_both(p, y, q)),)*
                _ => None,
            }
        };
    }
    pairs! {
        Ball Ball, Ball Aligned, Ball Oriented, Ball Triangle, Ball Polygon, Ball Plane,
        Capsule Triangle, Capsule Polygon, Aligned Aligned, Oriented Oriented,
        Aligned Ball, Oriented Ball, Triangle Ball, Polygon Ball, Plane Ball,
        Triangle Capsule, Polygon Capsule
    }
}

/// Draws a displacement towards the origin from a point, sometimes past it.
fn towards(random: &mut Random, from: V) -> V {
    let goal = times(random.direction(), random.between(0.0, 1.2));
    times(minus(goal, from), random.between(0.5, 2.0))
}

fn sweeps<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    let mut seen = [[Seen::default(); KINDS]; KINDS];
    for round in 0..cases(100_000) {
        let (i, j) = (round % KINDS, round / KINDS % KINDS);
        let start = times(random.direction(), [random.between(2.0, 5.0), 0.5][round / 49 % 2]);
        let (a, of_a) = any::<T>(&mut random, i, start);
        let (b, of_b) = any::<T>(&mut random, j, [0.0; 3]);
        let way = towards(&mut random, start);
        let drift = [[0.0; 3], times(random.direction(), 2.0)][usize::from(random.chance(0.5))];
        let by = [plus(way, drift), drift].map(|v| wide(&vector::<T>(v)));
        let Some(hit) = sweep(&a, &b, by) else {
            seen[i][j].hits = usize::MAX;
            continue;
        };
        let Some(hit) = hit else { continue };
        check(&hit, [&|n| of_a.reach(n), &|n| of_b.reach(n)], by, &mut seen[i][j]);
        // The other as the mover: the same numbers, the opposite normal.
        let other = sweep(&b, &a, [by[1], by[0]]).flatten().expect("the same motion");
        assert!(other == hit.reversed() && other.normal == -hit.normal, "{hit:?} {other:?}");
        check(&other, [&|n| of_b.reach(n), &|n| of_a.reach(n)], [by[1], by[0]], &mut seen[j][i]);
    }
    let known = seen.as_flattened().iter().filter(|seen| seen.hits < usize::MAX);
    assert_eq!(known.clone().count(), 17);
    known.for_each(|seen| assert!(seen.hits > 10 && seen.inside > 3, "{seen:?}"));
}

fn rays<T: Scalar>(seed: u64) {
    let (mut random, mut hits) = (Random(seed), [0; KINDS]);
    for round in 0..cases(20_000) {
        let kind = round % KINDS;
        let (shape, oracle) = any::<T>(&mut random, kind, [0.0; 3]);
        let from = times(random.direction(), 4.0);
        let ray = Ray::through(point(from), point(times(random.direction(), 0.3)));
        let ray = ray.expect("numbers").expect("two points");
        let hit = match &shape {
            Any::Ball(shape) => ray.cast(shape),
            Any::Capsule(shape) => ray.cast(shape),
            Any::Aligned(shape) => ray.cast(shape),
            Any::Oriented(shape) => ray.cast(shape),
            Any::Triangle(shape) => ray.cast(shape),
            Any::Plane(shape) => ray.cast(shape),
            Any::Polygon(_) => None,
        };
        let Some(hit) = hit else { continue };
        hits[kind] += 1;
        check_ray(&hit, wide(&ray.direction().into_inner()), &|n| oracle.reach(n));
        // The distance is a length along the ray.
        let off = (ray.at(hit.distance.wide()) - hit.point).norm();
        assert!(off.wide() <= SIZE * 4.0 * T::ROUNDING, "{hit:?}");
    }
    let few = hits.iter().enumerate().filter(|&(kind, &count)| kind != 5 && count <= 5);
    assert_eq!(few.count(), 0, "{hits:?}");
}

/// Draws the triangles of a rough floor through the origin.
fn floor<T: Scalar>(random: &mut Random) -> Mesh<T> {
    let mut vertices = Vec::new();
    for i in 0..5 {
        for j in 0..5 {
            let [x, y] = [i, j].map(|k| f64::from(k) - 2.0);
            vertices.push(point([x, y, random.between(-0.3, 0.3)]));
        }
    }
    let corner = |i: u32, j: u32| 5 * i + j;
    let cells = (0..4).flat_map(|i| (0..4).map(move |j| (i, j)));
    let halves = cells.flat_map(|(i, j)| {
        let [a, b] = [corner(i, j), corner(i + 1, j + 1)];
        [[a, corner(i + 1, j), b], [a, b, corner(i, j + 1)]]
    });
    Mesh::new(vertices, halves.collect()).expect("a mesh")
}

fn sweeps_through_meshes<T: Scalar>(seed: u64) {
    let (mut random, mut seen) = (Random(seed), Seen::default());
    let mut scratch = TreeScratch::default();
    for _ in 0..cases(4_000) {
        let mesh = floor::<T>(&mut random);
        let tree = ObbTree::build(Geometry::Surface(mesh.clone()), &Build::default());
        let tree = tree.expect("a tree");
        for round in 0..8 {
            let start = times(random.direction(), [random.between(2.0, 5.0), 0.5][round % 2]);
            let kind = usize::from(random.chance(0.7));
            let (body, of_body) = any::<T>(&mut random, kind, start);
            let body = match body {
                Any::Ball(ball) => Capsule::from(ball),
                Any::Capsule(capsule) => capsule,
                _ => unreachable!("kinds 0 and 1"),
            };
            let by = wide(&vector::<T>(towards(&mut random, start)));
            let triangle = |index: u32| {
                let corners = mesh.corners(index as usize).map(|p| wide(&p.coords));
                Rounded { corners: corners.to_vec(), radius: 0.0 }
            };
            let mover = |n: V| of_body.reach(n);
            let hit = tree.shape_cast(body, vector(by), &mut scratch).expect("numbers");
            if let Some(hit) = hit {
                let hull = triangle(hit.target.expect("a surface"));
                check(&hit, [&mover, &|n| hull.reach(n)], [by, [0.0; 3]], &mut seen);
            }
            if let Some(hit) = mesh.sweep_capsule(&body, vector(by)).expect("numbers") {
                let hull = triangle(hit.target);
                check(&hit, [&mover, &|n| hull.reach(n)], [by, [0.0; 3]], &mut seen);
            }
        }
    }
    assert!(seen.hits > 100 && seen.inside > 20, "{seen:?}");
}

/// Draws one part of a kind around the origin, with its support in its frame: seven kinds of convex
/// bodies, a box, a triangle, a solid of triangles.
fn part(random: &mut Random, kind: usize) -> (Geometry<f64>, Box<dyn Fn(V) -> f64>) {
    match kind {
        0..7 => {
            let body = Body::random(random, BodyKind::ALL[kind], (1.0, 0.7));
            (Geometry::Convex(vec![body.shape()]), Box::new(move |n| body.reach(n)))
        }
        7 => {
            let (Any::Oriented(solid), oracle) = any(random, 3, [0.0; 3]) else { unreachable!() };
            (Geometry::Boxes(vec![solid]), Box::new(move |n| oracle.reach(n)))
        }
        _ => {
            let corners: Vec<V> = (0..4).map(|_| times(random.direction(), 1.5)).collect();
            let [a, b, c, d] = [0, 1, 2, 3].map(|i: usize| corners[i]);
            let is_left = inner(outer(minus(b, a), minus(c, a)), minus(d, a)) < 0.0;
            let mut faces = vec![[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]];
            if !is_left {
                faces.iter_mut().for_each(|face| face.swap(1, 2));
            }
            let geometry = |kept: Vec<[u32; 3]>| {
                Mesh::new(corners.iter().map(|&p| point(p)).collect(), kept).expect("a mesh")
            };
            let (geometry, count) = match kind {
                8 => (Geometry::Surface(geometry(vec![[0, 1, 2]])), 3),
                _ => (Geometry::Solid(geometry(faces)), 4),
            };
            let oracle = Rounded { corners: corners[..count].to_vec(), radius: 0.0 };
            (geometry, Box::new(move |n| oracle.reach(n)))
        }
    }
}

#[test]
fn shape_casts_in_scenes() {
    let (mut random, mut buffers, mut scratch) =
        (Random(0x5ca7), Buffers::new(), QueryScratch::new());
    let (mut seen, mut of_movers) = ([Seen::default(); 10], [Seen::default(); 5]);
    for round in 0..cases(40_000) {
        let kind = round % 10;
        let (geometry, support) = part(&mut random, kind);
        let place = times(random.direction(), random.between(0.0, 0.5));
        let pose = turned::<f64>(&mut random, place);
        let model = model_of(vec![geometry]);
        let mut scene = Scene::new();
        scene.insert(&model, Spawn::at(pose)).expect("room");
        let (columns, at) = frame(&pose);
        let target = |n: V| support(columns.map(|axis| inner(axis, n))) + inner(at, n);

        let start = times(random.direction(), [random.between(3.0, 6.0), 1.0][round / 10 % 2]);
        let moving = round / 20 % 5;
        let (shape, mover): (QueryShape<f64>, Rounded) = match moving {
            4 => (Point3::from(start).into(), Rounded { corners: vec![start], radius: 0.0 }),
            kind => match any(&mut random, kind, start) {
                (Any::Ball(shape), mover) => (shape.into(), mover),
                (Any::Capsule(shape), mover) => (shape.into(), mover),
                (Any::Aligned(shape), mover) => (shape.into(), mover),
                (Any::Oriented(shape), mover) => (shape.into(), mover),
                (other, _) => unreachable!("{other:?}"),
            },
        };
        let by = towards(&mut random, start);
        let now = scene.snapshot(&mut buffers);
        let (all, way) = (QueryFilter::all(), Vector3::from(by));
        let hit = now.shape_cast(shape, way, &all, &mut scratch).expect("numbers");
        let Some(hit) = hit else { continue };
        if hit.started_inside {
            // The normal of overlapping cores is opposite to the displacement.
            seen[kind].inside += 1;
            of_movers[moving].inside += 1;
            assert!((hit.normal.norm() - 1.0).abs() < 1e-9 && hit.length(way) == 0.0, "{hit:?}");
            continue;
        }
        check(&hit, [&|n| mover.reach(n), &target], [by, [0.0; 3]], &mut seen[kind]);
        of_movers[moving].hits += 1;
    }
    let few = seen.iter().chain(&of_movers).filter(|seen| seen.hits <= 2);
    assert_eq!(few.count(), 0, "{seen:?} {of_movers:?}");
}

/// Support of an upright cylinder of radius and half height, with that axis up.
fn cylinder(at: V, [radius, half]: [f64; 2], up: usize) -> impl Fn(V) -> f64 {
    move |n| {
        let across = (1.0 - n[up] * n[up]).max(0.0).sqrt();
        inner(at, n) + radius * across + half * n[up].abs()
    }
}

#[test]
fn casts_among_brushes() {
    let mut random = Random(0xb205);
    let mut seen = [Seen::default(); 5];
    let mut hits_of_rays = 0;
    for round in 0..cases(40_000) {
        let solid = brush(&any_brush(&mut random));
        let (up, axis) = [(UpAxis::Z, 2), (UpAxis::Y, 1)][round % 2];
        let mut level = BrushWorld::builder();
        level.up(up);
        let door = level.body();
        level.push_to(door, solid.clone(), CollisionGroups::ALL);
        let mut level = level.build().expect("one brush");
        let mut turn_axis = [0.0; 3];
        turn_axis[axis] = 1.0;
        let (angle, offset) = (random.between(-3.0, 3.0), times(random.direction(), 0.5));
        let angle = if random.chance(0.5) { 0.0 } else { angle };
        let turn = Unit::new_normalize(Vector3::from(turn_axis));
        let pose = nalgebra::Isometry3::new(offset.into(), turn.into_inner() * angle);
        level.set_pose(door, pose).expect("about the axis up");
        let columns = about(turn_axis, angle);
        let placed = |p: &Point3<f64>| plus(apply(&columns, p.coords.into()), offset);
        let corners = solid.corners().iter().map(placed).collect();
        let oracle = Rounded { corners, radius: 0.0 };
        let target = |n: V| oracle.reach(n);

        let start = times(random.direction(), random.between(0.0, 8.0));
        let way = minus(times(random.direction(), 1.0), times(start, random.between(0.5, 2.0)));
        let (from, to, all) = (Point3::from(start), Vector3::from(way), BrushFilter::default());
        let by = [way, [0.0; 3]];
        let [radius, half] = [0, 1].map(|_| random.decade(-1.0, 0.3));
        let body = UprightCylinder::new(radius, half).expect("a size");
        let mover = cylinder(start, [radius, half], axis);
        if let Some(hit) = level.cast_cylinder(&body, from, to, &all).expect("numbers") {
            check(&hit, [&mover, &target], by, &mut seen[0]);
        }
        let half_extents = Vector3::new(radius, half, random.decade(-1.0, 0.3));
        if let Some(hit) = level.cast_box(half_extents, from, to, &all).expect("numbers") {
            let extent = |n: V| inner(start, n) + half_extents.abs().dot(&Vector3::from(n).abs());
            check(&hit, [&extent, &target], by, &mut seen[1]);
        }
        let ball = Sphere::new(from, radius).expect("a ball");
        if let Some(hit) = level.cast_ball(&ball, to, &all).expect("numbers") {
            let ball = Rounded { corners: vec![start], radius };
            check(&hit, [&|n| ball.reach(n), &target], by, &mut seen[2]);
        }
        let end = plus(start, times(random.direction(), half));
        let core = Segment::new(from, Point3::from(end)).expect("ends");
        let capsule = Capsule::new(core, radius).expect("a capsule");
        if let Some(hit) = level.cast_capsule(&capsule, to, &all).expect("numbers") {
            let capsule = Rounded { corners: vec![start, end], radius };
            check(&hit, [&|n| capsule.reach(n), &target], by, &mut seen[3]);
        }
        // Another cylinder, in a level without brushes.
        let other = [0, 1].map(|_| random.decade(-1.0, 0.3));
        let size = UprightCylinder::new(other[0], other[1]).expect("a size");
        let there =
            CylinderAt { cylinder: size, center: Point3::origin(), groups: CollisionGroups::ALL };
        let mut empty = BrushWorld::builder();
        let empty = empty.up(up).build().expect("no brush");
        let hit = empty.cast_cylinder_among(&body, from, to, &all, &[there]).expect("numbers");
        if let Some(hit) = hit {
            assert_eq!(hit.target, CastTarget::Cylinder(0));
            check(&hit, [&mover, &cylinder([0.0; 3], other, axis)], by, &mut seen[4]);
        }
        let along = Unit::new_normalize(to);
        let ray = Ray::new(from, along).expect("numbers");
        let hit = level.ray_cast(&ray, to.norm(), &all).expect("numbers");
        if let Some(hit) = hit {
            hits_of_rays += 1;
            check_ray(&hit, along.into_inner().into(), &target);
            assert!(
                hit.distance <= to.norm() && hit.point == ray.at(hit.distance.wide()),
                "{hit:?}"
            );
        }
    }
    println!("{seen:?} {hits_of_rays}");
    assert!(seen.iter().all(|seen| seen.hits > 10 && seen.inside > 3), "{seen:?}");
    assert!(hits_of_rays > at_least(8_000, 20), "{hits_of_rays}");
}

scalars! {
    sweeps_of_free_shapes => sweeps(501; 502);
    rays_at_free_shapes => rays(503; 504);
    capsules_through_meshes => sweeps_through_meshes(505; 506);
}
