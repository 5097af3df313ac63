//! Casts of boxes, balls and capsules against overlaps and distances of triangles; closest points
//! against parry3d in double precision.

use boxwood::CollisionGroups;
use boxwood::brush::{Brush, BrushFilter, BrushWorld};
use boxwood::f64::{Aabb, Capsule, Segment, Sphere};
use support::brushes::{any_brush, brush};
use support::parry::Peer;
use support::prelude::*;
use support::triangle_distance::triangle_triangle;

fn world_of(brush: Brush) -> BrushWorld {
    let mut level = BrushWorld::builder();
    level.push(brush, CollisionGroups::ALL);
    level.build().expect("one brush")
}

fn hull(brush: &Brush) -> Peer {
    let points: Vec<_> = brush.corners().iter().map(|p| p.coords.into()).collect();
    Peer::hull(&points).expect("a solid")
}

/// Returns `true` if a box and a brush share inner points.
fn overlaps(brush: &Brush, center: Point3<f64>, half: Vector3<f64>) -> bool {
    let bounds = Aabb::new(center - half, center + half);
    Brush::from_aabb(&bounds).expect("a box").intersection(brush).is_some()
}

#[test]
fn casts_of_boxes_hit_where_overlap_begins() {
    let (mut random, mut hits, mut misses) = (Random(11), 0, 0);
    for _ in 0..cases(60_000) {
        let brush = brush(&any_brush(&mut random));
        let world = world_of(brush.clone());
        let half = Vector3::from_fn(|_, _| random.decade(-1.5, 0.3));
        let start = Point3::from(random.vector(8.0));
        let way = random.vector(2.0) - start.coords * random.between(0.5, 2.0);
        let hit = world.cast_box(half, start, way, &BrushFilter::default()).expect("finite");
        let at = |time: f64| start + way * time;
        let Some(hit) = hit else {
            misses += 1;
            let inside = (0..=64).find(|&i| overlaps(&brush, at(f64::from(i) / 64.0), half));
            assert_eq!(inside, None, "{brush:?} {start} {way} {half}");
            continue;
        };
        hits += 1;
        let time = hit.time_of_impact;
        assert_eq!(hit.started_inside, time == 0.0);
        // Slightly smaller it is free until then, slightly larger and later it is not.
        let less = half.map(|x| x - 1e-6);
        for i in 0..8 {
            assert!(!overlaps(&brush, at(time * f64::from(i) / 8.0), less) || time == 0.0);
        }
        assert!(overlaps(&brush, at(time), half.map(|x| x + 1e-6)), "{brush:?} {start} {way}");
        assert!((hit.normal.norm() - 1.0).abs() < 1e-12);
        assert!(hit.started_inside || hit.normal.dot(&way) < 0.0);
        // Afterwards it is free; infinite is the time of leaving of what it touches at the end.
        let leave = hit.time_of_leaving;
        assert!(leave >= time);
        match leave.is_finite() {
            true => assert!(!overlaps(&brush, at(leave + 1e-6), less)),
            false => assert!(overlaps(&brush, at(1.0), half.map(|x| x + 1e-6))),
        }
    }
    assert!(hits > misses / 2 && misses > cases(60_000) / 50, "{hits} {misses}");
}

/// Computes the distance of a brush from a segment: that of a degenerate triangle from the
/// triangles of its faces, 0 if the segment starts inside.
pub(super) fn segment_distance(brush: &Brush, [a, b]: [Point3<f64>; 2]) -> f64 {
    if brush.contains(a) {
        return 0.0;
    }
    let segment = [a, b, b].map(|p| p.coords.into());
    let mut least = f64::INFINITY;
    for face in brush.faces() {
        let corners: Vec<[f64; 3]> = face.corners().map(|p| p.coords.into()).collect();
        for pair in corners[1..].windows(2) {
            least = least.min(triangle_triangle(segment, [corners[0], pair[0], pair[1]]));
        }
    }
    least
}

#[test]
fn casts_of_capsules_hit_where_the_core_is_a_radius_away() {
    let (mut random, mut hits, mut misses) = (Random(12), 0, 0);
    for _ in 0..cases(20_000) {
        let brush = brush(&any_brush(&mut random));
        let world = world_of(brush.clone());
        let start = Point3::from(random.vector(8.0));
        let core = if random.chance(0.3) { Vector3::zeros() } else { random.vector(1.0) };
        let radius = random.decade(-1.5, 0.3);
        let way = random.vector(2.0) - start.coords * random.between(0.5, 2.0);
        let segment = Segment::new(start, start + core).expect("finite");
        let body = Capsule::new(segment, radius).expect("finite");
        let filter = BrushFilter::default();
        let hit = match core == Vector3::zeros() {
            true => world.cast_ball(&Sphere::new(start, radius).expect("a ball"), way, &filter),
            false => world.cast_capsule(&body, way, &filter),
        };
        let gap = |time: f64| {
            let from = start + way * time;
            segment_distance(&brush, [from, from + core]) - radius
        };
        let Some(hit) = hit.expect("finite") else {
            misses += 1;
            let least = (0..=32).map(|i| gap(f64::from(i) / 32.0)).fold(f64::INFINITY, f64::min);
            assert!(least > -1e-7, "{brush:?} {start} {way} {core} {radius}");
            continue;
        };
        hits += 1;
        let time = hit.time_of_impact;
        assert!(time == 0.0 || gap(time) > -1e-7, "late: {brush:?} {start} {way} {core} {radius}");
        assert!(gap(time) < 1e-7, "early: {brush:?} {start} {way} {core} {radius}");
        assert!(hit.started_inside || hit.normal.dot(&way) < 1e-9);
    }
    assert!(hits > misses / 2 && misses > cases(20_000) / 50, "{hits} {misses}");
}

#[test]
fn closest_points_of_brushes_equal_those_of_parry() {
    let (mut random, mut inside, mut beyond) = (Random(13), 0, 0);
    for _ in 0..cases(60_000) {
        let brush = brush(&any_brush(&mut random));
        let (hull, world) = (hull(&brush), world_of(brush.clone()));
        let point = Point3::from(random.vector(5.0));
        let most = random.between(0.0, 6.0);
        let found = world.closest_point(point, most, &BrushFilter::default()).expect("finite");
        let truth = hull.distance_to(point.coords.into());
        let Some(found) = found else {
            beyond += 1;
            assert!(truth > most - 1e-6, "{brush:?} {point} {most}");
            continue;
        };
        inside += usize::from(found.distance == 0.0);
        assert!((found.distance - truth).abs() < 1e-6, "{brush:?} {point} {truth}");
        assert!((found.on_b - point).norm() <= found.distance + 1e-9);
        let near: Vec<f64> = brush.planes().iter().map(|p| p.distance(found.on_b)).collect();
        assert!(near.iter().all(|&height| height < 1e-9));
    }
    assert!(inside > 0 && beyond > 0, "{inside} {beyond}");
}

#[test]
fn bodies_move_their_brushes_and_the_lowest_id_wins_ties() {
    let slab = |x: f64| {
        let min = Point3::new(x, -1.0, -1.0);
        Brush::from_aabb(&Aabb::new(min, min + Vector3::new(1.0, 2.0, 2.0))).expect("a slab")
    };
    let mut level = BrushWorld::builder();
    let door = level.body();
    let behind = level.push(slab(5.0), CollisionGroups::ALL);
    let leaf = level.push_to(door, slab(5.0), CollisionGroups::ALL);
    let mut level = level.build().expect("two brushes");
    let ball = Sphere::new(Point3::origin(), 0.5).expect("a ball");
    let way = Vector3::new(9.0, 0.0, 0.0);
    let (filter, half) = (BrushFilter::default(), Vector3::repeat(0.5));
    let ask = |level: &BrushWorld| {
        let ball = level.cast_ball(&ball, way, &filter).expect("finite").expect("on the way");
        let cube = level.cast_box(half, Point3::origin(), way, &filter);
        let cube = cube.expect("finite").expect("on the way");
        let point = level.closest_point(Point3::<f64>::origin(), 20.0, &filter);
        let point = point.expect("finite").expect("near");
        assert_eq!([ball.target, cube.target], [point.b; 2]);
        assert!((ball.time_of_impact - cube.time_of_impact).abs() < 1e-9);
        assert!(((point.distance - 0.5) / 9.0 - cube.time_of_impact).abs() < 1e-9);
        assert_eq!([ball.normal, cube.normal], [-Vector3::x(); 2]);
        (ball.target, (point.distance * 1e12).round() / 1e12)
    };
    assert_eq!(ask(&level), (behind, 5.0));
    level.set_offset(door, Vector3::new(-2.0, 0.0, 0.0)).expect("a body");
    assert_eq!(ask(&level), (leaf, 3.0));
    let bad = Vector3::new(f64::NAN, 0.0, 0.0);
    assert!(level.set_offset(door, bad).is_err() && level.cast_ball(&ball, bad, &filter).is_err());
    assert!(level.cast_box(bad, Point3::origin(), way, &filter).is_err());
    assert!(level.cast_box(half, Point3::from(bad), way, &filter).is_err());
    assert!(level.closest_point(Point3::from(bad), 1.0, &filter).is_err());
    assert_eq!(ask(&level), (leaf, 3.0));
}
