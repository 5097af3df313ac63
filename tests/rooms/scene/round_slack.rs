//! Round parts a tiny distance apart, far below what their tests resolve: wherever an answer counts
//! them as touching, its slack is no less than that distance.

use std::ops::ControlFlow;
use std::sync::Arc;

use boxwood::model::{Model, SelfQueryScratch};
use boxwood::pair::ConvexShape;
use boxwood::scene::{Buffers, ClosestParts, Hits, Overlaps, QueryShape, RayHits, Scene, Spawn};
use boxwood::shape::{
    Aabb, Capsule, ConvexHull, Cylinder, Ellipsoid, Frustum, Obb, Plane, Ray, Segment, Sphere,
};
use boxwood::tree::{DecidedBy, Geometry, TreePair, TreeScratch};
use boxwood::{Accuracy, Detail, PairQuery, QueryFilter};

use support::prelude::*;

/// Accuracies at which primitives decide these parts.
const EXACTLY: [Accuracy; 5] = [
    Accuracy::Exact,
    Accuracy::Within(0.0),
    Accuracy::Within(1e-14),
    Accuracy::Budget(1_000),
    Accuracy::Budget(u32::MAX),
];

/// Returns shapes that reach from `x - 1` to `x + 1`, each at one point on the x axis, or along a
/// line or a face through it.
fn shapes(x: f64) -> Vec<ConvexShape<f64>> {
    let at = |y: f64, z: f64| Point3::new(x, y, z);
    let segment = |a, b| Segment::new(a, b).expect("a segment");
    let cylinder = |axis: Vector3<f64>, half_height: f64| {
        let axis = Unit::new_normalize(axis);
        Cylinder::new(at(0.0, 0.0), axis, half_height, 1.0).expect("a cylinder")
    };
    let ellipsoid = |half: [f64; 3]| {
        Ellipsoid::new(at(0.0, 0.0), Matrix3::identity(), Vector3::from(half)).expect("one")
    };
    let corners = [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 0.5]];
    let corners = corners.iter().chain(&[[0.0, 0.0, 1.0], [0.0, 0.3, -1.0]]);
    let corners: Vec<_> = corners.map(|c| Point3::new(x + c[0], c[1], c[2])).collect();
    vec![
        Sphere::new(at(0.0, 0.0), 1.0).expect("a ball").into(),
        Capsule::new(segment(at(0.0, -0.7), at(0.0, 0.9)), 1.0).expect("a capsule").into(),
        Capsule::new(segment(at(-2.0, 0.0), at(0.0, 0.0)), 1.0).expect("a capsule").into(),
        cylinder(Vector3::z(), 0.8).into(),
        cylinder(Vector3::x(), 1.0).into(),
        ellipsoid([1.0, 0.4, 2.0]).into(),
        ellipsoid([1.0, 3.0, 0.7]).into(),
        ConvexHull::new(&corners).expect("a hull").into(),
    ]
}

/// A position of the two parts: centre of the first shape in its frame, position of its frame,
/// height of both frames.
const POSITIONS: [[f64; 3]; 4] =
    [[0.0, 0.0, 0.0], [0.0, 64.0, 0.0], [100.0, -100.0, 1e3], [-48.0, 0.0, -5.0]];

/// Distances relative to the size 1 of the shapes.
const GAPS: [f64; 5] = [1e-13, 3e-13, 1e-12, 2.3e-12, 1e-11];

/// Greatest slack that an answer about shapes within this of the origin may state.
fn most(position: [f64; 3]) -> f64 {
    1e-11 * (10.0 + position.iter().map(|x| x.abs()).sum::<f64>())
}

fn single(shape: &ConvexShape<f64>) -> Geometry<f64> {
    Geometry::Convex(vec![shape.clone()])
}

/// Calls `check` with two parts a known distance apart, their poses, and that distance.
fn each(mut check: impl FnMut([&ConvexShape<f64>; 2], [Isometry3<f64>; 2], f64, [f64; 3])) {
    for position @ [center, frame, height] in POSITIONS {
        for gap in GAPS {
            // The gap is one of numbers as stored: differences of near numbers are exact.
            let other = center + (2.0 + gap);
            let gap = (other - center) - 2.0;
            if gap <= 0.0 {
                continue;
            }
            let (first, second) = (shapes(center), shapes(other));
            let pose = Isometry3::translation(frame, 0.0, height);
            for a in &first {
                for b in &second {
                    // A capsule or a cylinder along x of the second reaches to the left as well.
                    if matches!(b, ConvexShape::Capsule(c) if c.segment().a().x != c.segment().b().x)
                    {
                        continue;
                    }
                    check([a, b], [pose, pose], gap, position);
                }
            }
        }
    }
}

#[test]
fn pairs_of_parts_state_their_distance() {
    let (mut scratch, mut touching, mut separated) = (TreeScratch::default(), 0, 0);
    each(|[a, b], poses, gap, position| {
        let place = format!("{gap:e} apart at {position:?}: {a:?}, {b:?}");
        let trees = [a, b].map(|shape| default_tree(single(shape)));
        let pair = TreePair::new(&trees[0], &poses[0], &trees[1], &poses[1]).expect("poses");
        for accuracy in [Accuracy::Exact, Accuracy::Within(0.0), Accuracy::Within(1e-14)] {
            for pair in [pair, TreePair::new(&trees[1], &poses[1], &trees[0], &poses[0]).unwrap()] {
                let closest = pair.distance(accuracy, 1.0, &mut scratch).expect("a distance");
                let closest = closest.expect("in reach");
                assert!(closest.distance + closest.slack >= gap, "{place}: {closest:?}");
                assert!(closest.distance + closest.slack <= gap + most(position), "{place}");
                let touches = pair.intersects(accuracy, &mut scratch).expect("an accuracy");
                assert!(!touches || closest.distance == 0.0, "{place}: {closest:?}");
            }
        }
        for accuracy in EXACTLY {
            let mut found = false;
            let _ = pair.visit(accuracy, &mut scratch, |touch| {
                found = true;
                assert_eq!(touch.by, DecidedBy::Primitives, "{place}");
                let slack = pair.slack(touch);
                assert!(slack >= gap && slack <= most(position), "{place}: {slack:e}");
                ControlFlow::Continue(())
            });
            if found { touching += 1 } else { separated += 1 }
        }
        // Within a margin that ends between the two.
        let margin = pair.margin(0.75 * gap).expect("a margin");
        let _ = margin.visit(Accuracy::Exact, &mut scratch, |touch| {
            let slack = margin.slack(touch);
            assert!(slack >= 0.25 * gap && slack <= most(position), "{place}: {slack:e}");
            ControlFlow::Continue(())
        });
    });
    println!("{touching} counted as touching, {separated} as apart");
    assert!(touching > 100 && separated > 100);
}

#[test]
fn queries_of_scenes_and_models_state_their_distance() {
    let (mut touching, mut scratch) = (0, SelfQueryScratch::default());
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    each(|[a, b], poses, gap, position| {
        let place = format!("{gap:e} apart at {position:?}: {a:?}, {b:?}");
        let model: Arc<Model<f64>> = model_of(vec![single(a), single(b)]);
        let mut scene = Scene::new();
        let key = insert_posed(&mut scene, &model, &poses);
        let now = scene.snapshot(&mut buffers);
        let fits = |slack: f64| slack >= gap && slack <= most(position);
        for accuracy in EXACTLY {
            let found =
                !model.self_pairs(&poses, accuracy, &mut scratch).expect("poses").is_empty();
            let slack = scratch.report().slack;
            assert!(if found { fits(slack) } else { slack == 0.0 }, "{place}: {slack:e}");
            for detail in [Detail::Bodies, Detail::DeepestBoxes, Detail::Boxes] {
                let query = PairQuery::within(key).accuracy(accuracy).detail(detail);
                let report = now.contacts(&query, &mut hits).expect("a query");
                assert_eq!((report.slack, hits.len()), (slack, usize::from(found)), "{place}");
                assert!(hits.iter().all(|hit| fits(hit.slack)), "{place}: {:?}", &hits[..]);
                assert!(hits.iter().all(|hit| hit.slack <= report.slack), "{place}");
                assert_eq!(now.pairs(&query, &mut hits).expect("a query").slack, slack);
            }
            touching += usize::from(found);
        }
        let closest = model.self_distance(&poses, Accuracy::Exact, 1.0, &mut scratch);
        let closest = closest.expect("a distance");
        let closest = closest.expect("in reach");
        assert!(closest.distance + closest.slack >= gap, "{place}: {closest:?}");
    });
    println!("{touching} counted as touching");
    assert!(touching > 100);
}

/// Returns query volumes that reach from `x` to greater coordinates: those whose distance from a
/// shape that ends before is known.
fn volumes(x: f64, height: f64) -> Vec<QueryShape<f64>> {
    let at = |x: f64, y: f64, z: f64| Point3::new(x, y, height + z);
    let segment = Segment::new(at(x + 1.0, 0.0, -0.5), at(x + 1.0, 0.0, 0.7)).expect("one");
    let half = Vector3::repeat(0.5);
    // Its near plane faces the shape.
    let view = std::array::from_fn(|index| {
        let side = |bit: usize| if index >> bit & 1 == 1 { 1.0 } else { -1.0 };
        let far = f64::from(index > 3);
        at(x + far, (1.0 + far) * side(0), (1.0 + far) * side(1))
    });
    vec![
        at(x, 0.0, 0.0).into(),
        Frustum::new(view).expect("a view").into(),
        Sphere::new(at(x + 1.0, 0.0, 0.0), 1.0).expect("a ball").into(),
        Capsule::new(segment, 1.0).expect("a capsule").into(),
        Aabb::new(at(x, -1.0, -1.0), at(x + 2.0, 1.0, 1.0)).into(),
        Obb::new(at(x + 0.5, 0.0, 0.0), Matrix3::identity(), half).expect("a box").into(),
        Plane::new(-Unit::new_unchecked(Vector3::x()), -x).expect("a plane").into(),
    ]
}

#[test]
fn volumes_points_and_rays_state_their_distance() {
    let (mut overlapping, mut near, mut struck) = (0, 0, 0);
    let (mut buffers, mut overlaps) = (Buffers::new(), Overlaps::new());
    let (mut closest, mut rays) = (ClosestParts::new(), RayHits::new());
    for position @ [center, frame, height] in POSITIONS {
        for shape in shapes(center) {
            let model = model_of(vec![single(&shape)]);
            let mut scene = Scene::new();
            let spawn = Spawn::at(Isometry3::translation(frame, 0.0, height));
            scene.insert(&model, spawn).expect("a character");
            let now = scene.snapshot(&mut buffers);
            // End of the shape: exact, as all numbers are multiples of a small power of two.
            let end = frame + center + 1.0;
            for step in 1..40 {
                let gap = 2e-14 * 1.2f64.powi(step);
                let x = end + gap;
                let gap = x - end;
                if gap <= 0.0 {
                    continue;
                }
                for accuracy in [Accuracy::Exact, Accuracy::Within(0.0)] {
                    let filter = QueryFilter::all().accuracy(accuracy);
                    for volume in volumes(x, height) {
                        // A box and a capsule are known by numbers that round once more.
                        let error = 4.0 * f64::EPSILON * (x.abs() + 2.0);
                        let report = now.overlaps(volume, &filter, &mut overlaps).expect("one");
                        let is_hit = !overlaps.is_empty();
                        let place = format!("{gap:e} at {position:?}: {shape:?}, {volume:?}");
                        assert!(!is_hit || report.slack >= gap - error, "{place}: {report:?}");
                        assert!(report.slack <= 10.0 * most(position), "{place}: {report:?}");
                        overlapping += usize::from(is_hit && gap > 2.0 * error);
                    }
                    let point = Point3::new(x, 0.0, height);
                    let report = now.closest_parts(point, 1.0, &filter, &mut closest).expect("one");
                    let stated = closest[0].distance + closest[0].slack;
                    assert!(
                        stated >= gap && report.slack >= closest[0].slack,
                        "{stated:e} {gap:e}"
                    );
                    near += usize::from(closest[0].distance == 0.0);
                    // A ray that passes by.
                    let ray =
                        Ray::new(Point3::new(x, -5.0, height), Unit::new_unchecked(Vector3::y()));
                    let hit = now.ray_cast(ray.expect("a ray"), &filter, &mut rays).expect("one");
                    assert!(hit.is_none_or(|hit| hit.slack >= gap), "{gap:e}: {hit:?}");
                    struck += usize::from(hit.is_some());
                }
            }
        }
    }
    println!("{overlapping} volumes overlap, {near} points touch, {struck} rays hit");
    assert!(overlapping > 300 && near > 50 && struck > 30);
}
