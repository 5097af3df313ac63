//! Capsules and balls swept at triangles and flat convex polygons: against the distance of a
//! segment and a triangle by brute force, convex along the way, and parry3d.

use boxwood::pair::{CastHit, Sweep};
use boxwood::shape::{Capsule, Polygon3, Segment, Sphere, Triangle};

use support::box_distance::point_segment;
use support::moving_segment::Way;
use support::parry::Peer;
use support::prelude::*;

fn capsule<T: Scalar>(way: &Way) -> Capsule<T> {
    let [a, b] = way.core.map(point);
    Capsule::new(Segment::new(a, b).expect("ends"), T::nearest(way.radius)).expect("a radius")
}

fn triangle<T: Scalar>(way: &Way) -> Triangle<T> {
    Triangle::new(point(way.corners[0]), point(way.corners[1]), point(way.corners[2]))
        .expect("corners")
}

fn swept<T: Scalar>(way: &Way) -> Option<CastHit<T, 3>> {
    capsule::<T>(way).sweep(vector(way.by), &triangle::<T>(way))
}

/// Number of hits, and the largest part of the slack that was used.
#[derive(Default, Debug)]
struct Seen {
    hits: usize,
    inside: usize,
    misses: usize,
    used: f64,
}

/// Checks one answer; `uneven` is the distance of the given corners from the swept ones.
fn check<T: Scalar>(way: &Way, hit: Option<CastHit<T, 3>>, uneven: f64, seen: &mut Seen) {
    let noise = way.noise() + uneven;
    let best = way.closest();
    let Some(hit) = hit else {
        seen.misses += 1;
        assert!(way.distance(best) > way.radius - noise, "missed: {way:?}");
        return;
    };
    let (time, slack) = (hit.time_of_impact.wide(), hit.slack.wide());
    let then = way.distance(time);
    assert!((0.0..=1.0).contains(&time) && hit.time_of_leaving.wide() >= time, "{way:?} {hit:?}");
    assert!(then <= way.radius + slack + noise, "too early: {then} {way:?} {hit:?}");
    if slack > 0.0 {
        seen.used = seen.used.max((then - way.radius - noise) / slack);
    }
    if hit.started_inside {
        seen.inside += 1;
        assert!(time == 0.0 && way.distance(0.0) <= way.radius + noise, "{way:?} {hit:?}");
    } else {
        seen.hits += 1;
        assert!(way.distance(0.0) > way.radius - noise, "not told inside: {way:?} {hit:?}");
        assert!(then >= way.radius - noise, "late: {then} {way:?} {hit:?}");
        assert!(best >= time || way.distance(best) >= way.radius - noise, "late: {way:?} {hit:?}");
    }
    let leave = hit.time_of_leaving.wide();
    if leave < 1.0 {
        let after = way.distance(leave);
        assert!(after >= way.radius - noise, "left early: {after} {way:?} {hit:?}");
        assert!(leave >= best || way.distance(best) >= way.radius - noise, "{way:?} {hit:?}");
    }
    check_place(way, &hit, noise);
}

/// Asserts that the point lies on both, and that the normal points from the triangle to the
/// capsule.
fn check_place<T: Scalar>(way: &Way, hit: &CastHit<T, 3>, noise: f64) {
    let normal: V = hit.normal.map(T::wide).into();
    assert!((norm(normal) - 1.0).abs() < 1e-6, "{way:?} {hit:?}");
    let at: V = hit.point.coords.map(T::wide).into();
    let size = at.iter().fold(way.size(), |most, x| most.max(x.abs()));
    let near = hit.slack.wide() + noise + 4.0 * T::ROUNDING * size;
    if hit.started_inside {
        return;
    }
    let still = Way { core: [at; 2], radius: 0.0, by: [0.0; 3], corners: way.corners.clone() };
    assert!(still.distance(0.0) <= near, "{} off: {way:?} {hit:?}", still.distance(0.0));
    let then = way.core.map(|p| plus(p, times(way.by, hit.time_of_impact.wide())));
    let from = point_segment(at, then);
    assert!(from <= way.radius + near, "{from} off: {way:?} {hit:?}");
    // From a start within the slack it may also move away.
    let along = inner(normal, way.by) / norm(way.by);
    assert!(hit.time_of_impact.wide() == 0.0 || along < 1e-5, "{way:?} {hit:?}");
}

/// Draws ways of every kind: through space, along faces and edges, past by a hair, at slivers and
/// points.
fn way(random: &mut Random, kind: usize) -> Way {
    let size = [1.0, 1e-3, 1e4][random.below(3)];
    let at = times(random.direction(), [0.0, 1.0, 100.0][random.below(3)] * size);
    let start = [2.5, 0.5][usize::from(random.chance(0.3))];
    let mut place = |reach: f64| plus(at, times(random.direction(), reach * size));
    let mut corners = vec![place(1.0), place(1.0), place(1.0)];
    let start = place(start);
    let mut along = minus(place(0.8), at);
    let goal = place(1.0);
    let mut by = times(minus(goal, start), random.between(0.3, 2.5));
    let mut radius = random.between(0.01, 0.6) * size;
    let edge = minus(corners[1], corners[0]);
    let normal = outer(edge, minus(corners[2], corners[0]));
    let normal = times(normal, 1.0 / norm(normal));
    match kind {
        1 => along = times(edge, random.between(-1.0, 1.0)),
        2 => {
            // Parallel to the face.
            along = minus(along, times(normal, inner(normal, along)));
        }
        3 => by = minus(by, times(normal, inner(normal, by))),
        4 => corners[2] = plus(corners[0], times(edge, random.between(-0.5, 1.5))),
        5 => corners = vec![corners[0]; 3],
        6 => {
            let thin = times(normal, random.decade(-15.0, -3.0) * size);
            corners[2] = plus(plus(corners[0], times(edge, random.share())), thin);
        }
        7 => along = [0.0; 3],
        8 => radius = 0.0,
        9 => {
            // An edge nearly parallel to the core.
            let off = times(random.direction(), random.decade(-14.0, -3.0) * size);
            along = plus(times(edge, random.between(-1.5, 1.5)), off);
        }
        10 => by = times(edge, random.between(-3.0, 3.0)),
        11 => by = times(by, random.decade(-16.0, -1.0)),
        _ => {}
    }
    Way { core: [start, plus(start, along)], radius, by, corners }
}

const KINDS: usize = 12;

fn many<T: Scalar>(seed: u64, count: usize) {
    let (mut random, mut seen) = (Random(seed), Seen::default());
    for round in 0..cases(count) {
        let way = way(&mut random, round % KINDS).stored::<T>();
        check(&way, swept::<T>(&way), 0.0, &mut seen);
    }
    println!("{seen:?}");
    let enough = cases(count) / 20;
    assert!(seen.hits > enough && seen.inside > enough && seen.misses > enough, "{seen:?}");
}

#[test]
fn grazing_is_decided_by_the_nearest_approach() {
    let (mut random, mut seen) = (Random(83), Seen::default());
    for round in 0..cases(50_000) {
        let mut way = way(&mut random, round % KINDS);
        // The radius is the nearest approach, or an ulp or a hair more or less.
        let least = way.distance(way.closest());
        let beside = [0.0, f64::EPSILON, -f64::EPSILON, 1e-12, -1e-12][random.below(5)];
        way.radius = (least * (1.0 + beside)).max(0.0);
        check(&way, swept::<f64>(&way), 0.0, &mut seen);
    }
    println!("{seen:?}");
}

#[test]
fn balls_are_capsules_of_equal_ends() {
    let mut random = Random(84);
    for _ in 0..cases(10_000) {
        let way = way(&mut random, 7);
        let ball = Sphere::new(point(way.core[0]), way.radius).expect("a ball");
        assert_eq!(ball.sweep(vector(way.by), &triangle::<f64>(&way)), swept::<f64>(&way));
    }
}

#[test]
fn swapped_ends_and_swapped_shapes_give_the_same_bits() {
    let mut random = Random(85);
    for round in 0..cases(20_000) {
        let way = way(&mut random, round % KINDS);
        let mut turned = way.clone();
        turned.core.swap(0, 1);
        let hit = swept::<f64>(&way);
        assert_eq!(hit, swept::<f64>(&turned));
        let by = vector(way.by);
        let other = vector(times(random.direction(), 0.3));
        let (body, still) = (capsule::<f64>(&way), triangle::<f64>(&way));
        let there = body.sweep_both(by, &still, other);
        assert_eq!(there, still.sweep_both(other, &body, by).map(|hit| hit.reversed()));
    }
}

#[test]
fn both_shapes_may_move() {
    let (mut random, mut seen) = (Random(86), Seen::default());
    for round in 0..cases(20_000) {
        let way = way(&mut random, round % KINDS);
        let shift = times(random.direction(), norm(way.by));
        let relative = Way { by: minus(way.by, shift), ..way.clone() };
        let hit =
            capsule::<f64>(&way).sweep_both(vector(way.by), &triangle::<f64>(&way), vector(shift));
        // The point moved back with the triangle.
        let back = hit.map(|mut hit| {
            hit.point -= vector::<f64>(times(shift, hit.time_of_impact));
            hit
        });
        check(&relative, back, 1e-15 * norm(shift), &mut seen);
    }
    assert!(seen.hits > 0 && seen.misses > 0, "{seen:?}");
}

/// Draws a polygon in a random plane, with corners on an ellipse, slightly out of the plane as
/// given.
fn outline(random: &mut Random, uneven: f64) -> Vec<V> {
    let (axes, center) = (random.rotation(), times(random.direction(), 2.0));
    let radii = [random.between(0.3, 1.5), random.between(0.05, 1.5)];
    let count = 3 + random.below(8);
    (0..count)
        .map(|i| {
            let angle =
                (i as f64 + random.between(0.0, 0.6)) / count as f64 * std::f64::consts::TAU;
            let flat = plus(
                times(axes[0], radii[0] * angle.cos()),
                times(axes[1], radii[1] * angle.sin()),
            );
            plus(plus(center, flat), times(axes[2], random.between(-uneven, uneven)))
        })
        .collect()
}

#[test]
fn capsules_are_never_late_at_polygons() {
    let (mut random, mut seen) = (Random(87), Seen::default());
    for round in 0..cases(50_000) {
        let mut way = way(&mut random, 0);
        let uneven = [0.0, 1e-6][round % 2];
        way.corners = outline(&mut random, uneven);
        way.core[1] = plus(way.core[0], times(random.direction(), [0.0, 0.8][random.below(2)]));
        way.core[0] = times(random.direction(), random.between(0.0, 4.0));
        way.by = times(random.direction(), random.between(0.0, 4.0));
        way.radius = [0.0, random.between(0.0, 0.4)][random.below(2)];
        let given = way.corners.iter().map(|&c| point(c)).collect();
        let Ok(polygon) = Polygon3::<f64>::new(given) else { continue };
        assert!(polygon.unevenness() <= 4.0 * uneven + 1e-14, "{polygon:?}");
        let hit = capsule::<f64>(&way).sweep(vector(way.by), &polygon);
        check(&way, hit, 2.0 * polygon.unevenness(), &mut seen);
        let still = Way { by: [0.0; 3], ..way.clone() };
        let distance = (still.distance(0.0) - way.radius).max(0.0);
        let found = capsule::<f64>(&way).distance(&polygon);
        let off = way.noise() + 2.0 * polygon.unevenness();
        assert!((distance - found).abs() <= off, "{distance} {found} {way:?}");
    }
    println!("{seen:?}");
    assert!(seen.hits > 50 && seen.inside > 20 && seen.misses > 50, "{seen:?}");
}

#[test]
fn polygons_of_three_corners_are_triangles() {
    let mut random = Random(88);
    for _ in 0..cases(10_000) {
        let way = way(&mut random, 0);
        let corners = way.corners.iter().map(|&c| point(c)).collect();
        let Ok(polygon) = Polygon3::<f64>::new(corners) else { continue };
        let (mine, other) =
            (capsule::<f64>(&way).sweep(vector(way.by), &polygon), swept::<f64>(&way));
        assert_eq!(mine.is_some(), other.is_some(), "{way:?}");
        let times = mine.zip(other).map(|(a, b)| (a.time_of_impact - b.time_of_impact).abs());
        assert!(times.is_none_or(|off| off * norm(way.by) < 1e-6 * way.size()), "{way:?}");
    }
}

fn known(core: [V; 2], radius: f64, by: V) -> Option<CastHit<f64, 3>> {
    let corners = vec![[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
    swept::<f64>(&Way { core, radius, by, corners })
}

#[test]
fn known_sweeps_of_capsules() {
    // An end on the face: from height 3 to 1 along a way of 4.
    let hit = known([[1.0, 1.0, 3.0], [1.0, 1.0, 5.0]], 1.0, [0.0, 0.0, -4.0]).expect("a hit");
    assert!((hit.time_of_impact - 0.5).abs() < 1e-13 && !hit.started_inside);
    assert!((hit.normal - Vector3::z()).norm() < 1e-12 && hit.point.coords.norm() < 1.5);
    // Above the edge and across it: edge to side; then beyond it and along it: parallel.
    let hit = known([[2.0, -3.0, 3.0], [2.0, 3.0, 3.0]], 1.0, [0.0, 0.0, -4.0]).expect("a hit");
    assert!((hit.time_of_impact - 0.5).abs() < 1e-13);
    let hit = known([[-1.0, -2.0, 0.0], [3.0, -2.0, 0.0]], 1.0, [0.0, 2.0, 0.0]).expect("a hit");
    assert!((hit.time_of_impact - 0.5).abs() < 1e-13 && (hit.normal + Vector3::y()).norm() < 1e-12);
    // The middle of the touching stretch: x from 0 to 3 of the edge; on the face, clipped by the
    // edges.
    assert!((hit.point - Point3::new(1.5, 0.0, 0.0)).norm() < 1e-12, "{hit:?}");
    let hit = known([[-2.0, 1.0, 3.0], [9.0, 1.0, 3.0]], 1.0, [0.0, 0.0, -4.0]).expect("a hit");
    assert!((hit.point - Point3::new(1.5, 1.0, 0.0)).norm() < 1e-12, "{hit:?}");
    // A corner at the end: the ball at (7, 0) reaches (4, 0).
    let hit = known([[7.0, 0.0, 0.0], [9.0, 0.0, 0.0]], 1.0, [-4.0, 0.0, 0.0]).expect("a hit");
    assert!((hit.time_of_impact - 0.5).abs() < 1e-13);
    // Piercing: the core passes through the inside, and no end is near.
    let hit = known([[1.0, 1.0, -9.0], [1.0, 1.0, 9.0]], 0.5, [0.1, 0.0, 0.0]).expect("a hit");
    assert!(hit.started_inside && hit.time_of_impact == 0.0);
    // Entering from there: only the side of the core and the edge touch.
    let hit = known([[1.0, -4.0, -9.0], [1.0, -4.0, 9.0]], 1.0, [0.0, 6.0, 0.0]).expect("a hit");
    assert!((hit.time_of_impact - 0.5).abs() < 1e-13 && (hit.normal + Vector3::y()).norm() < 1e-12);
    // At rest: touching counts.
    let above = |height| known([[1.0, 1.0, height], [2.0, 1.0, height]], 1.0, [0.0; 3]);
    let hit = above(1.0).expect("they touch");
    assert!(hit.started_inside && hit.time_of_leaving == f64::INFINITY);
    assert!(above(1.0 + 1e-9).is_none() && above(-0.5).is_some());
    // Moving away, and too short a way.
    assert!(known([[1.0, 1.0, 3.0], [1.0, 1.0, 5.0]], 1.0, [0.0, 0.0, 4.0]).is_none());
    assert!(known([[1.0, 1.0, 3.0], [1.0, 1.0, 5.0]], 1.0, [0.0, 0.0, -1.99]).is_none());
}

#[test]
fn non_finite_displacements_hit_nothing() {
    let core = [[1.0, 1.0, 3.0], [1.0, 1.0, 5.0]];
    for bad in [f64::NAN, f64::INFINITY, -f64::INFINITY, 1e80] {
        assert!(known(core, 1.0, [0.0, 0.0, bad]).is_none());
    }
}

#[test]
fn extreme_sizes_give_finite_numbers() {
    let mut random = Random(89);
    for round in 0..cases(10_000) {
        let mut way = way(&mut random, round % KINDS);
        let by = [1e-40, 1e-20, 1e20, 1e40][random.below(4)] / way.size();
        way.core = way.core.map(|p| times(p, by));
        way.corners.iter_mut().for_each(|c| *c = times(*c, by));
        (way.radius, way.by) = (way.radius * by, times(way.by, by));
        check(&way, swept::<f64>(&way), 0.0, &mut Seen::default());
    }
}

#[test]
fn sweeps_of_capsules_agree_with_parry() {
    let mut random = Random(90);
    let (mut both, mut neither, mut differ, mut worst) = (0, 0, 0, 0.0f64);
    for _ in 0..cases(6_000).max(2_000) {
        let way = way(&mut random, 0);
        let size = way.size();
        // parry3d has an absolute tolerance.
        let unit = |v: V| times(v, 1.0 / size);
        let body = Peer::capsule(way.core.map(unit), way.radius / size);
        let still = Peer::triangle([0, 1, 2].map(|i| unit(way.corners[i])));
        match (swept::<f64>(&way), body.sweep(&still, [unit(way.by), [0.0; 3]])) {
            (None, None) => neither += 1,
            (Some(hit), Some(other)) => {
                both += 1;
                let off = (hit.time_of_impact - other).abs();
                worst = worst.max(off * norm(way.by) / size);
            }
            _ => differ += 1,
        }
    }
    println!("{both} both hit, {neither} neither, {differ} differ; {worst:.1e} apart at most");
    assert!(both > 500 && neither > 300 && differ * 200 < both, "{both} {neither} {differ}");
    assert!(worst < 1e-3, "{worst:e}");
}

scalars! {
    capsules_are_never_late_at_triangles => many(82, 100_000; 81, 100_000);
}
