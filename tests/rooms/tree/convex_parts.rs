//! Parts of many convex primitives and triangles: trees against every pair of primitives, bounds
//! and boxes, insides, every SIMD level, rays and regions of scenes.

use boxwood::QueryFilter;
use boxwood::f64::{QueryShape, RayHits, Scene, Spawn};
use boxwood::num::SimdLevel;
use boxwood::shape::{Aabb, Capsule, Obb, Plane, Pose, Ray, Segment, Sphere};
use boxwood::tree::{Accuracy, Geometry, NodeId, ObbTree, TreePair, TreeScratch};

use support::closed_meshes::{cube, solid, surface};
use support::convex_bodies::{Body, BodyKind};
use support::prelude::*;
use support::random_parts::{frame, put};

fn tree(geometry: Geometry<f64>) -> ObbTree<f64> {
    let tree = default_tree(geometry);
    tree.validate().expect("a sound tree");
    tree
}

/// Draws bodies of every kind around a position.
fn bodies(random: &mut Random, count: usize) -> Vec<Body> {
    let body = |at: usize, random: &mut Random| {
        let kind = BodyKind::ALL[at % 7];
        let body = Body::random(random, kind, (0.4, 0.7));
        body.moved(times(random.direction(), random.between(0.0, 1.5)))
    };
    (0..count).map(|at| body(at, random)).collect()
}

fn part(bodies: &[Body]) -> Geometry<f64> {
    Geometry::Convex(bodies.iter().map(Body::shape).collect())
}

/// Builds a part of each body alone.
fn alone(bodies: &[Body]) -> Vec<ObbTree<f64>> {
    bodies.iter().map(|body| tree(Geometry::Convex(vec![body.shape()]))).collect()
}

#[test]
fn trees_agree_with_every_pair_of_primitives() {
    let (mut random, mut scratch, mut told) = (Random(41), TreeScratch::default(), [0; 2]);
    for round in 0..at_least(3_000, 130) {
        let first = bodies(&mut random, 1 + round % 9);
        let second = bodies(&mut random, 1 + round / 9 % 12);
        let (a, b) = (tree(part(&first)), tree(part(&second)));
        let pose_a: Pose<f64> = turned(&mut random, [0.3, 0.1, 7.0]);
        let at = plus([0.3, 0.1, 7.0], times(random.direction(), random.between(0.0, 4.0)));
        let pose_b = turned(&mut random, at);
        let pair = TreePair::new(&a, &pose_a, &b, &pose_b).expect("sound poses");
        let (mut least, mut touching) = (f64::INFINITY, Vec::new());
        for (i, x) in alone(&first).iter().enumerate() {
            for (j, y) in alone(&second).iter().enumerate() {
                let pair = TreePair::new(x, &pose_a, y, &pose_b).expect("sound poses");
                let closest = pair.distance(Accuracy::Exact, f64::INFINITY, &mut scratch);
                least = least.min(closest.expect("one").expect("in reach").distance);
                if pair.intersects(Accuracy::Exact, &mut scratch).expect("one") {
                    touching.push((i as u32, j as u32));
                }
            }
        }
        let touch = pair.intersects(Accuracy::Exact, &mut scratch).expect("one");
        assert_eq!(touch, !touching.is_empty());
        told[usize::from(touch)] += 1;
        let mut found = Vec::new();
        let _ = pair.visit_primitives(&mut scratch, |i, j| {
            found.push((i, j));
            std::ops::ControlFlow::Continue(())
        });
        found.sort_unstable();
        assert_eq!(found, touching);
        let closest = pair.distance(Accuracy::Exact, f64::INFINITY, &mut scratch);
        let closest = closest.expect("one").expect("in reach");
        assert!((closest.distance - least).abs() <= 2.0 * closest.slack + 1e-12);
        for accuracy in [Accuracy::Depth(0), Accuracy::Depth(2), Accuracy::Within(0.05)] {
            let rough = pair.intersects(accuracy, &mut scratch).expect("one");
            assert!(rough || !touch, "missed at {accuracy:?}");
            if let (Accuracy::Within(t), true) = (accuracy, rough) {
                assert!(least <= t, "{least} is beyond {t}");
            }
        }
        for simd in SimdLevel::all() {
            let mut scratch = TreeScratch::with_simd_level(simd);
            let again = pair.distance(Accuracy::Exact, f64::INFINITY, &mut scratch);
            assert_eq!(again.expect("one"), Some(closest), "{simd}");
            let way = Unit::new_normalize(Vector3::new(0.6, -0.5, 0.2));
            let passage = pair.passage(way, &mut scratch).expect("one");
            assert_eq!(passage, pair.passage(way, &mut TreeScratch::default()).expect("one"));
        }
    }
    assert!(told[0] > 20 && told[1] > 20, "{told:?}");
}

#[test]
fn boxes_contain_their_primitives_and_bounds_are_valid() {
    let mut random = Random(43);
    for round in 0..cases(400) {
        let bodies = bodies(&mut random, 1 + round % 9);
        let tree = tree(part(&bodies));
        for index in 0..tree.len() {
            let (id, node) = (NodeId::new(index), tree.node(NodeId::new(index)));
            let own: Vec<&Body> =
                tree.primitives(id).iter().map(|&at| &bodies[at as usize]).collect();
            for _ in 0..20 {
                let (p, _) = own[random.below(own.len())].surface(&mut random);
                let close = 1e-13;
                let oriented = node.oriented();
                let local =
                    oriented.axes().transpose() * (Vector3::from(p) - oriented.center().coords);
                for i in 0..3 {
                    assert!(local[i].abs() <= oriented.half_extents()[i] + close);
                    assert!(p[i] >= node.aligned().min[i] - close);
                    assert!(p[i] <= node.aligned().max[i] + close);
                }
                // Any point of the box is within the bound of its primitives.
                let share = Vector3::from_fn(|_, _| random.between(-1.0, 1.0));
                let share = if random.chance(0.5) { share.map(f64::signum) } else { share };
                let spot = oriented.center()
                    + oriented.axes() * share.component_mul(&oriented.half_extents());
                let near = own.iter().map(|body| {
                    let closest = body.shape::<f64>().closest_point(spot);
                    (closest - spot).norm()
                });
                let near = near.fold(f64::INFINITY, f64::min);
                assert!(near <= node.bound() * (1.0 + 1e-9), "{near} {}", node.bound());
            }
        }
    }
}

#[test]
fn a_body_inside_another_touches_it() {
    let mut scratch = TreeScratch::default();
    let here = Isometry3::identity();
    let ball = |radius| {
        Geometry::Convex(vec![Sphere::new(Point3::origin(), radius).expect("a ball").into()])
    };
    let (large, small) = (tree(ball(10.0)), tree(ball(0.01)));
    let shell = tree(solid(cube([1.0, 2.0, 1.0])));
    let skin = tree(surface(cube([1.0, 2.0, 1.0])));
    let mut touch = |a: &ObbTree<f64>, b: &ObbTree<f64>| {
        let pair = TreePair::new(a, &here, b, &here).expect("sound poses");
        let swapped = TreePair::new(b, &here, a, &here).expect("sound poses");
        let answers = [Accuracy::Exact, Accuracy::Depth(9), Accuracy::Within(1e-3)];
        let answers = answers.map(|accuracy| {
            let answer = pair.intersects(accuracy, &mut scratch).expect("one");
            assert_eq!(answer, swapped.intersects(accuracy, &mut scratch).expect("one"));
            answer
        });
        answers[0]
    };
    assert!(touch(&large, &small) && touch(&large, &shell) && touch(&large, &skin));
    assert!(touch(&shell, &small));
    assert!(!touch(&skin, &small), "a surface has no inside");
}

/// Builds a scene of one part.
fn scene(bodies: &[Body], pose: &Pose<f64>) -> Scene {
    let model = model_of(vec![part(bodies)]);
    let mut scene = Scene::new();
    scene.insert(&model, Spawn::at(*pose)).expect("room");
    scene
}

#[test]
fn rays_hit_the_surface_first() {
    let (mut random, mut told) = (Random(53), [0; 3]);
    let (mut buffers, mut hits) = (boxwood::f64::Buffers::new(), RayHits::new());
    for round in 0..cases(4_000) {
        let bodies = bodies(&mut random, 1 + round % 8);
        let pose: Pose<f64> = turned(&mut random, [2.0, 1.0, -3.0]);
        let scene = scene(&bodies, &pose);
        let now = scene.snapshot(&mut buffers);
        let from = plus([2.0, 1.0, -3.0], times(random.direction(), random.between(0.0, 6.0)));
        let to = put(&pose, bodies[0].surface(&mut random).0);
        let Some(ray) = Ray::through(Point3::from(from), Point3::from(to)).expect("two points")
        else {
            continue;
        };
        let (columns, at) = frame(&pose);
        let local = |p: V| columns.map(|axis| inner(axis, minus(p, at)));
        let outside = |p: V| bodies.iter().map(|b| b.excess(local(p))).fold(f64::MAX, f64::min);
        let filter = QueryFilter::all().accuracy(Accuracy::Exact);
        let hit = now.ray_cast(ray, &filter, &mut hits).expect("a ray");
        let hit = hit.expect("it aims at a surface");
        let along = |t: f64| plus(from, times((*ray.direction()).into(), t));
        let end = hit.distance;
        if outside(from) <= 0.0 {
            assert_eq!(end, 0.0);
            told[0] += 1;
            continue;
        }
        assert!(end <= (Vector3::from(to) - Vector3::from(from)).norm() + 1e-9);
        // On the surface up to the slack, and outside before.
        for k in 0..40 {
            let t = end * k as f64 / 40.0;
            assert!(outside(along(t)) > -1e-9, "inside at {t} before {end}");
        }
        told[1 + usize::from(outside(along(end)) < 1e-6)] += 1;
    }
    assert!(told[2] > 100 && told[2] > 20 * told[1], "{told:?}");
}

#[test]
fn query_shapes_overlap_bodies_up_to_rounding() {
    let (mut random, mut told) = (Random(59), [0; 2]);
    let mut buffers = boxwood::f64::Buffers::new();
    let mut overlaps = boxwood::f64::Overlaps::new();
    for round in 0..at_least(3_000, 130) {
        let bodies = bodies(&mut random, 1 + round % 8);
        let pose: Pose<f64> = turned(&mut random, [2.0, 1.0, -3.0]);
        let scene = scene(&bodies, &pose);
        let now = scene.snapshot(&mut buffers);
        let at = plus([2.0, 1.0, -3.0], times(random.direction(), random.between(0.0, 3.0)));
        let (middle, radius) = (Point3::from(at), random.between(0.0, 0.7));
        let other = middle + Vector3::from(random.direction());
        let half = Vector3::new(0.3, 0.1 + radius, 0.2);
        // The query shape as a part.
        let whole = |geometry: Geometry<f64>| tree(geometry);
        let segment = Segment::new(middle, other).expect("a segment");
        let boxed = Obb::from_pose(&turned(&mut random, at), half).expect("a box");
        let (shape, own): (QueryShape, ObbTree<f64>) = match round % 4 {
            0 => {
                let ball = Sphere::new(middle, radius).expect("a ball");
                (ball.into(), whole(Geometry::Convex(vec![ball.into()])))
            }
            1 => {
                let capsule = Capsule::new(segment, radius).expect("a capsule");
                (capsule.into(), whole(Geometry::Convex(vec![capsule.into()])))
            }
            2 => (boxed.into(), whole(Geometry::Boxes(vec![boxed]))),
            _ => {
                let aabb = Aabb::new(middle - half, middle + half);
                let same =
                    Obb::from_pose(&Isometry3::from_parts(middle.into(), Default::default()), half);
                (aabb.into(), whole(Geometry::Boxes(vec![same.expect("a box")])))
            }
        };
        let here = Isometry3::identity();
        let mine = tree(part(&bodies));
        let pair = TreePair::new(&mine, &pose, &own, &here).expect("sound poses");
        let closest = pair.distance(Accuracy::Exact, f64::INFINITY, &mut TreeScratch::default());
        let distance = closest.expect("one").expect("in reach").distance;
        let filter = QueryFilter::all().accuracy(Accuracy::Exact);
        let found = now.overlaps_any(shape, &filter, &mut overlaps).expect("a region");
        assert!(found || distance > 0.0, "missed {shape:?}");
        assert!(!found || distance < 1e-9, "{distance} {shape:?}");
        told[usize::from(found)] += 1;
        // A half-space, by the farthest points of all bodies.
        let n = random.direction();
        let (columns, origin) = frame(&pose);
        let local = columns.map(|axis| inner(axis, times(n, -1.0)));
        let lowest = bodies.iter().map(|b| b.reach(local)).fold(f64::MIN, f64::max);
        let lowest = -(lowest + inner(origin, times(n, -1.0)));
        for (offset, within) in [(lowest - 1e-6, false), (lowest + 1e-9, true)] {
            let normal = Unit::new_normalize(Vector3::from(n));
            let plane = Plane::new(normal, offset).expect("a plane");
            let found = now.overlaps_any(plane, &filter, &mut overlaps).expect("a region");
            assert_eq!(found, within, "{offset} {lowest}");
        }
    }
    assert!(told[0] > 20 && told[1] > 20, "{told:?}");
}
