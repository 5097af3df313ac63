//! Triggers that walkers pass through: paths are those of the moves, and every trigger on a path is
//! reported with the times of its first and last contact, by the oracle `cylinder_distance`.

use std::slice::from_ref;

use boxwood::brush::{
    BodyId, Brush, BrushFilter, BrushId, BrushWorld, PushOutcome, WalkLeg, WalkScratch, Walker,
    WalkerState,
};
use boxwood::pair::CastHit;
use boxwood::shape::{UpAxis, UprightCylinder};
use boxwood::{CollisionGroups, Error};
use support::brushes::{any_brush, brush, cuboid, half_spaces, moved, unit};
use support::cylinder_distance::{Corners, Cylinder, HalfSpace};
use support::prelude::*;
use support::walks::{floor, landed, shell, world, world_with_body};

use super::levels::{levels, push, spawns};

type Hit<T> = CastHit<T, 3, BrushId>;

fn all() -> BrushFilter {
    BrushFilter::default()
}

fn walker<T: Scalar>() -> Walker<T> {
    let size = [0.4, 0.9].map(T::nearest);
    let size = UprightCylinder::new(size[0], size[1]).expect("a size");
    Walker::new(size).step(0.45)
}

fn wide<T: Scalar>(p: Point3<T>) -> V {
    p.coords.map(T::wide).into()
}

fn passages<T: Scalar>(w: &Walker<T>, triggers: &BrushWorld, scratch: &WalkScratch) -> Vec<Hit<T>> {
    let mut hits = Vec::new();
    w.passages(triggers, scratch, &all(), &mut hits).expect("one axis up");
    hits
}

/// Path as plain numbers: cylinders, ends of legs, and the times in double precision.
struct PlainPath {
    legs: Vec<(Cylinder, V, V)>,
    /// Length of the path before each leg, and of all.
    lengths: Vec<f64>,
}

impl PlainPath {
    /// Asserts that the legs' times are their shares of the length, ascending without gaps.
    fn of<T: Scalar>(legs: &[WalkLeg<T>]) -> PlainPath {
        let plain = |leg: &WalkLeg<T>| {
            let [radius, half_height] = [leg.radius, leg.half_height].map(T::wide);
            (Cylinder { radius, half_height }, wide(leg.start), wide(leg.end))
        };
        let plain: Vec<_> = legs.iter().map(plain).collect();
        let mut lengths = vec![0.0];
        for (_, start, end) in &plain {
            lengths.push(lengths[lengths.len() - 1] + norm(minus(*end, *start)));
        }
        let path = PlainPath { legs: plain, lengths };
        let error = 1e-12 + 4.0 * T::ROUNDING;
        for (index, leg) in legs.iter().enumerate() {
            let [begin, end] = leg.times.map(T::wide);
            assert!((begin - path.share(index)).abs() < error, "{legs:?}");
            let is_last = index + 1 == legs.len();
            assert!(if is_last { end == 1.0 } else { leg.times[1] == legs[index + 1].times[0] });
            assert!(0.0 <= begin && begin <= end && end <= 1.0, "{legs:?}");
        }
        path
    }

    fn total(&self) -> f64 {
        self.lengths[self.legs.len()]
    }

    fn share(&self, leg: usize) -> f64 {
        if self.total() > 0.0 { self.lengths[leg] / self.total() } else { 0.0 }
    }

    /// Returns the gap of a trigger at some moments: times, and gaps there.
    fn gaps(&self, twin: &Corners, each: usize) -> Vec<(f64, f64)> {
        let mut gaps = Vec::new();
        for (index, (cylinder, start, end)) in self.legs.iter().enumerate() {
            let (begin, length) = (self.share(index), self.share(index + 1) - self.share(index));
            for i in 0..=each {
                let along = i as f64 / each as f64;
                let at = plus(*start, times(minus(*end, *start), along));
                gaps.push((begin + length * along, twin.gap(cylinder, at)));
            }
        }
        gaps
    }

    /// Returns the least gap of a trigger at a time; at corners of the path there are two.
    fn gap_at(&self, twin: &Corners, time: f64) -> f64 {
        let mut least = f64::INFINITY;
        for (index, (cylinder, start, end)) in self.legs.iter().enumerate() {
            let (begin, finish) = (self.share(index), self.share(index + 1));
            let length = (finish - begin).max(1e-300);
            if time >= begin - 1e-9 && time <= finish + 1e-9 {
                let along = ((time - begin) / length).clamp(0.0, 1.0);
                let at = plus(*start, times(minus(*end, *start), along));
                least = least.min(twin.gap(cylinder, at));
            }
        }
        least
    }
}

/// Asserts the hit of a trigger, or none, against its gaps along the path; returns 0 if it is
/// missed, 1 if it is crossed, 2 if the two touch at the end.
fn agrees<T: Scalar>(path: &PlainPath, twin: &Corners, hit: Option<&Hit<T>>) -> usize {
    let error = 1e-9 * (1.0 + twin.size);
    let Some(hit) = hit else {
        for (cylinder, start, end) in &path.legs {
            let least = twin.least_gap(cylinder, *start, minus(*end, *start), 0.0);
            assert!(least > -error, "missed by {least:e}");
        }
        return 0;
    };
    let (enter, leave) = (hit.time_of_impact.wide(), hit.time_of_leaving.wide());
    // Rounding of the times to the scalar.
    let late = hit.slack.wide() + error + 8.0 * T::ROUNDING * path.total();
    assert!((0.0..=1.0).contains(&enter) && leave >= enter, "{hit:?}");
    assert!(path.gap_at(twin, enter) <= late, "early: {hit:?}");
    let last = path.legs.last().expect("a leg");
    let at_end = twin.gap(&last.0, last.2);
    match leave.is_finite() {
        true => {
            assert!(leave <= 1.0 && at_end > -error, "leaves early: {hit:?} {at_end:e}");
            assert!(path.gap_at(twin, leave) <= late, "leaves late: {hit:?}");
        }
        false => assert!(at_end <= late, "apart at the end: {hit:?} {at_end:e}"),
    }
    // Moments this near to the times are on either side by rounding.
    let near = 1e-11 + 4.0 * T::ROUNDING;
    for (time, gap) in path.gaps(twin, 12) {
        let outside = time < enter - near || time > leave + near;
        assert!(!outside || gap > -error, "inside by {gap:e} at {time}: {hit:?}");
    }
    assert!((hit.normal.map(T::wide).norm() - 1.0).abs() < 1e-6);
    1 + usize::from(leave.is_infinite())
}

/// A thin trigger at 30 m/s and 60 ticks a second, on a floor: the walker is far before it, and far
/// behind it a tick later.
fn a_thin_trigger_is_crossed_within_a_tick<T: Scalar>() {
    let level = world(&[cuboid([-90.0, -9.0, -1.0], [90.0, 9.0, 0.0])]);
    let walker = walker::<T>();
    for thickness in [1e-3, 1e-6, 0.25] {
        for direction in [1.0, -1.0] {
            let near = if direction > 0.0 { 1.0 } else { 1.0 + thickness };
            let far = if direction > 0.0 { 1.0 + thickness } else { 1.0 };
            let from = near - direction * 0.65;
            let sheet = cuboid([1.0, -9.0, 0.1], [1.0 + thickness, 9.0, 2.0]);
            let triggers = world(&[sheet]);
            let mut scratch = WalkScratch::new();
            let mut at =
                walker.stand(&level, point([from, 0.0, 0.95]), &mut scratch).expect("free");
            for _ in 0..20 {
                walker.walk(&level, &mut at, vector([0.0, 0.0, -0.02]), &mut scratch).expect("ok");
            }
            assert_eq!(passages(&walker, &triggers, &scratch), []);
            let start = at.position();
            let step = vector([direction * 30.0 / 60.0, 0.0, -0.01]);
            // Three ticks: touched and not left, inside or left, gone.
            let mut spans = Vec::new();
            for _ in 0..4 {
                let before = at.position();
                walker.walk(&level, &mut at, step, &mut scratch).expect("numbers");
                assert!(((at.position() - before).norm().wide() - 0.5).abs() < 1e-6);
                spans.push(passages(&walker, &triggers, &scratch).first().copied());
            }
            let start = start.x.wide();
            for (tick, span) in spans.iter().enumerate() {
                let at = |x: f64| ((x - start).abs() - tick as f64 * 0.5) / 0.5;
                let (enter, leave) = (at(near - direction * 0.4), at(far + direction * 0.4));
                let Some(hit) = span else {
                    assert!(enter > 1.0 || leave < 0.0, "{tick} {enter} {leave}");
                    continue;
                };
                // Rounding of the positions, a millionth in single precision.
                assert!(
                    (hit.time_of_impact.wide() - enter.max(0.0)).abs() < 1e-5,
                    "{enter} {hit:?}"
                );
                let left = hit.time_of_leaving.wide();
                assert!(if leave > 1.0 { left.is_infinite() } else { (left - leave).abs() < 1e-5 });
                assert_eq!(hit.started_inside, enter < 0.0);
            }
            assert!(spans.iter().flatten().count() >= 2, "{spans:?}");
        }
    }
    // Both ends of the passage in one tick, for a slim walker at the same speed.
    let slim = UprightCylinder::new(T::nearest(0.1), T::nearest(0.9)).expect("a size");
    let slim = Walker::new(slim);
    let triggers = world(&[cuboid([0.25, -9.0, 0.0], [0.251, 9.0, 2.0])]);
    let mut scratch = WalkScratch::new();
    let mut at = slim.stand(&level, point([0.0, 0.0, 0.95]), &mut scratch).expect("free");
    slim.slide(&level, &mut at, vector([0.5, 0.0, 0.0]), &mut scratch).expect("numbers");
    let hits = passages(&slim, &triggers, &scratch);
    assert!((hits[0].time_of_impact.wide() - 0.3).abs() < 1e-6, "{hits:?}");
    assert!((hits[0].time_of_leaving.wide() - 0.702).abs() < 1e-6, "{hits:?}");
    assert!(!hits[0].started_inside);
}

/// Builds boxes and ramps on a floor between four walls, low enough to step on.
fn blocks(random: &mut Random) -> Vec<Vec<HalfSpace>> {
    let mut level = shell(&cuboid([-8.0, -8.0, 0.0], [8.0, 8.0, 8.0]), 1.0, 10.0);
    for i in 0..24 {
        let min = [random.between(-7.0, 6.0), random.between(-7.0, 6.0), random.between(-0.5, 0.3)];
        let size = [random.between(0.1, 3.0), random.between(0.1, 3.0), random.between(0.1, 0.7)];
        let max = plus(min, size);
        let mut planes = cuboid(min, max);
        if i % 3 == 0 {
            let (run, rise) = (max[0] - min[0], max[2] - min[2]);
            planes.push(([-rise, 0.0, run], run * min[2] - rise * min[0]));
        }
        level.push(unit(&planes));
    }
    level
}

/// Draws triggers: thin sheets, and brushes of every kind.
fn some_triggers(random: &mut Random) -> Vec<Vec<HalfSpace>> {
    let mut one = |i: usize| {
        let half = [random.decade(-4.0, -2.0), random.between(0.5, 4.0), random.between(0.2, 2.0)];
        let planes =
            if i.is_multiple_of(2) { any_brush(random) } else { cuboid(half.map(|x| -x), half) };
        let turn = random.rotation();
        let by = [random.between(-7.0, 7.0), random.between(-7.0, 7.0), random.between(0.0, 3.0)];
        moved(&planes, &turn, by)
    };
    (0..16).map(&mut one).collect()
}

fn twins(triggers: &BrushWorld) -> Vec<Corners> {
    let planes = |id| half_spaces(triggers.brush(id).expect("its own id"));
    triggers.ids().map(|id| Corners::of_planes(&planes(id)).expect("a brush")).collect()
}

/// Asserts that a path leads from one position to another without jumps.
fn connects<T: Scalar>(legs: &[WalkLeg<T>], from: Point3<T>, to: Point3<T>) {
    assert_eq!((legs[0].start, legs[legs.len() - 1].end), (from, to), "{legs:?}");
    assert!(legs.windows(2).all(|pair| pair[0].end == pair[1].start), "{legs:?}");
}

fn walks_beside_the_oracle<T: Scalar>(seed: u64) {
    let (mut random, mut tally, mut corners, mut steps) = (Random(seed), [0; 3], 0, 0);
    let walker = walker::<T>();
    let count = cases(600);
    for _ in 0..count {
        let level = world(&blocks(&mut random));
        let triggers = world(&some_triggers(&mut random));
        let twins = twins(&triggers);
        let mut scratch = WalkScratch::new();
        let start = [random.between(-6.0, 6.0), random.between(-6.0, 6.0), 2.0];
        let Ok(mut at) = walker.stand(&level, point(start), &mut scratch) else { continue };
        for _ in 0..12 {
            let by = [random.between(-1.0, 1.0), random.between(-1.0, 1.0), -0.1];
            let by = times(by, random.decade(-1.5, 0.7));
            let before = at.position();
            let by = vector(by);
            let report = match random.chance(0.1) {
                true => walker.slide(&level, &mut at, by, &mut scratch),
                false => walker.walk(&level, &mut at, by, &mut scratch),
            };
            let report = report.expect("numbers");
            let legs: Vec<_> = walker.path(&scratch).collect();
            connects(&legs, before, at.position());
            corners += legs.len() - 1;
            if report.stepped {
                steps += 1;
                // Up, on and down; what was walked in vain before the step is not of the path.
                let up = |leg: &WalkLeg<T>| leg.end - leg.start;
                let first = up(&legs[0]).map(T::wide);
                let rise = (first.z - 0.45).abs() < 1e-5 || first.z > 0.0;
                assert!(first.xy().norm() == 0.0 && rise, "{legs:?}");
                let last = up(&legs[legs.len() - 1]).map(T::wide);
                assert!(last.xy().norm() == 0.0 && last.z < 0.0, "{legs:?}");
                assert!(legs.len() >= 3);
            }
            let path = PlainPath::of(&legs);
            let hits = passages(&walker, &triggers, &scratch);
            assert!(hits.is_sorted_by(|a, b| {
                (a.time_of_impact, a.target) < (b.time_of_impact, b.target)
            }));
            for (id, twin) in triggers.ids().zip(&twins) {
                let hit = hits.iter().find(|hit| hit.target == id);
                tally[agrees(&path, twin, hit)] += 1;
            }
        }
    }
    println!("missed, crossed, ended: {tally:?}; {corners} corners, {steps} steps");
    assert!(tally[1] > count && tally[2] > 2 * count, "{tally:?}");
    assert!(corners > count && steps * 20 > count, "{corners} {steps}");
}

/// A step is swept up, on and down: triggers above the head and behind the riser are on the path,
/// those in front of the wall that a plain slide would have reached are not alone.
#[test]
fn a_step_is_swept_along_its_legs() {
    let level = world(&[
        cuboid([-9.0, -9.0, -1.0], [9.0, 9.0, 0.0]),
        cuboid([1.0, -9.0, 0.0], [9.0, 9.0, 0.3]),
    ]);
    let walker = walker::<f64>();
    let mut scratch = WalkScratch::new();
    let mut at = walker.stand(&level, Point3::new(0.3, 0.0, 0.91), &mut scratch).expect("free");
    walker.walk(&level, &mut at, Vector3::new(0.0, 0.0, -0.1), &mut scratch).expect("numbers");
    let sheet = |z: f64, x: [f64; 2]| cuboid([x[0], -1.0, z], [x[1], 1.0, z + 0.001]);
    let triggers = world(&[
        // Over the head at the beginning, and not at the end.
        sheet(2.0, [-0.2, 0.0]),
        // Over the head all the way, higher than a step.
        sheet(2.4, [-5.0, 5.0]),
        // In the step: the walker is above it.
        sheet(0.2, [1.0, 2.0]),
        // On the step.
        sheet(0.35, [1.2, 2.0]),
    ]);
    let report = walker.walk(&level, &mut at, Vector3::new(0.8, 0.0, -0.1), &mut scratch);
    assert!(report.expect("numbers").stepped);
    let legs: Vec<_> = walker.path(&scratch).collect();
    assert_eq!(legs.len(), 3, "{legs:?}");
    let hits = passages(&walker, &triggers, &scratch);
    let ids: Vec<u32> = hits.iter().map(|hit| hit.target.0).collect();
    assert_eq!(ids, [0, 3], "{hits:?}");
    let [up, on, down] = [legs[0], legs[1], legs[2]].map(|leg| leg.times);
    assert!(hits[0].time_of_impact > 0.0 && hits[0].time_of_impact < up[1]);
    assert!(hits[0].time_of_leaving > on[0] && hits[0].time_of_leaving < on[1]);
    assert!(hits[1].time_of_impact > down[0] && hits[1].time_of_leaving.is_infinite());
}

/// Attempts that end where the walker can not stay are no part of its path.
#[test]
fn attempts_are_not_of_the_path() {
    // A wall that no step climbs.
    let level = world(&[
        cuboid([-9.0, -9.0, -1.0], [9.0, 9.0, 0.0]),
        cuboid([1.0, -9.0, 0.0], [9.0, 9.0, 3.0]),
    ]);
    let walker = walker::<f64>();
    let mut scratch = WalkScratch::new();
    let mut at = walker.stand(&level, Point3::new(0.3, 0.0, 0.91), &mut scratch).expect("free");
    walker.walk(&level, &mut at, Vector3::new(0.0, 0.0, -0.1), &mut scratch).expect("numbers");
    let above = world(&[cuboid([-5.0, -5.0, 1.9], [5.0, 5.0, 2.0])]);
    for _ in 0..3 {
        let before = at.position();
        walker.walk(&level, &mut at, Vector3::new(0.8, 0.1, -0.1), &mut scratch).expect("ok");
        let legs: Vec<_> = walker.path(&scratch).collect();
        connects(&legs, before, at.position());
        assert!(legs.iter().all(|leg| (leg.end.z - leg.start.z).abs() < 1e-3), "{legs:?}");
        assert_eq!(passages(&walker, &above, &scratch), []);
    }
    // A rider that is crushed slides nowhere: its next walk carries it.
    let ceiling = cuboid([-9.0, -9.0, 3.0], [9.0, 9.0, 4.0]);
    let (mut level, lift) =
        world_with_body(&[ceiling], &[cuboid([-2.0, -2.0, -1.0], [2.0, 2.0, 0.0])]);
    let mut at = landed(&walker, &level, [0.0, 0.0, 0.91]);
    let before = level.set_offset(lift, Vector3::new(0.5, 0.0, 2.0)).expect("numbers");
    let start = at.position();
    let pushed = walker.push(&level, &mut at, lift, &before, &mut scratch).expect("numbers");
    assert!(matches!(pushed, PushOutcome::Crushed { .. }) && at.position() == start);
    connects(&walker.path(&scratch).collect::<Vec<_>>(), start, start);
}

/// World with a floor and a body of one box.
fn with_body(low: V, high: V) -> (BrushWorld, BodyId) {
    world_with_body(&[floor(90.0)], &[cuboid(low, high)])
}

#[test]
fn pushes_and_walks_of_a_tick_are_one_path() {
    let walker = walker::<f64>();
    let (mut level, ram) = with_body([-3.0, -1.0, 0.0], [-1.0, 1.0, 2.0]);
    let sheet = |x: f64| cuboid([x, -5.0, 0.0], [x + 0.001, 5.0, 2.0]);
    let aside = cuboid([-5.0, 1.0, 0.0], [5.0, 1.001, 2.0]);
    let triggers = world(&[aside, sheet(1.0), sheet(2.0), sheet(-0.5)]);
    let mut scratch = WalkScratch::new();
    let mut at = walker.stand(&level, Point3::new(0.0, 0.0, 0.91), &mut scratch).expect("free");
    let start = at.position();
    let before = level.set_offset(ram, Vector3::new(2.5, 0.0, 0.0)).expect("numbers");
    scratch.begin_tick();
    let pushed = walker.push(&level, &mut at, ram, &before, &mut scratch).expect("numbers");
    assert!(matches!(pushed, PushOutcome::Moved(by) if (by.x - 1.9).abs() < 0.01));
    walker.walk(&level, &mut at, Vector3::new(0.0, 0.8, -0.1), &mut scratch).expect("numbers");
    let legs: Vec<_> = walker.path(&scratch).collect();
    connects(&legs, start, at.position());
    let path = PlainPath::of(&legs);
    let hits = passages(&walker, &triggers, &scratch);
    for (id, twin) in triggers.ids().zip(twins(&triggers)) {
        agrees(&path, &twin, hits.iter().find(|hit| hit.target == id));
    }
    let ids: Vec<u32> = hits.iter().map(|hit| hit.target.0).collect();
    assert_eq!(ids, [1, 2, 0], "{hits:?}");
    assert!((hits[0].time_of_impact - 0.6 / 2.7).abs() < 0.01, "{hits:?}");
    assert!((hits[0].time_of_leaving - 1.401 / 2.7).abs() < 0.01, "{hits:?}");
    // It is thrown into the second and walks along in it, until the end.
    assert!((hits[1].time_of_impact - 1.6 / 2.7).abs() < 0.01, "{hits:?}");
    assert!(hits[1].time_of_leaving.is_infinite(), "{hits:?}");
    assert!((hits[2].time_of_impact - 2.5 / 2.7).abs() < 0.01, "{hits:?}");
    // The next tick has its own path; without one, each move has.
    scratch.begin_tick();
    assert_eq!(
        (walker.path(&scratch).count(), passages(&walker, &triggers, &scratch)),
        (0, vec![])
    );
    walker.walk(&level, &mut at, Vector3::new(0.0, 0.2, -0.1), &mut scratch).expect("numbers");
    let ids =
        passages(&walker, &triggers, &scratch).iter().map(|hit| hit.target.0).collect::<Vec<_>>();
    assert_eq!(ids, [0, 2]);
    // Put elsewhere: no leg leads there.
    let from = at.position();
    at = walker.stand(&level, Point3::new(-8.0, 0.0, 0.91), &mut scratch).expect("free");
    walker.walk(&level, &mut at, Vector3::new(0.0, 0.2, -0.1), &mut scratch).expect("numbers");
    let legs: Vec<_> = walker.path(&scratch).collect();
    assert!(legs.iter().any(|leg| leg.end == from) && legs.len() >= 2);
    assert!(legs.iter().all(|leg| (leg.end.x - leg.start.x).abs() < 1e-9), "{legs:?}");
    assert!(passages(&walker, &triggers, &scratch).iter().all(|hit| hit.target.0 != 3));
    let mut fresh = WalkScratch::new();
    for _ in 0..2 {
        let before = at.position();
        walker.slide(&level, &mut at, Vector3::new(0.0, 0.2, 0.0), &mut fresh).expect("numbers");
        connects(&walker.path(&fresh).collect::<Vec<_>>(), before, at.position());
    }
}

#[test]
fn a_train_carries_its_rider_through_triggers() {
    let walker = walker::<f64>();
    let (mut level, train) = with_body([-2.0, -2.0, 0.0], [2.0, 2.0, 1.0]);
    let triggers = world(&[cuboid([10.0, -5.0, 1.0], [10.001, 5.0, 4.0])]);
    let mut scratch = WalkScratch::new();
    let mut at = landed(&walker, &level, [0.0, 0.0, 1.91]);
    let before = level.set_offset(train, Vector3::new(20.0, 0.0, 0.0)).expect("numbers");
    let pushed = walker.push(&level, &mut at, train, &before, &mut scratch);
    assert_eq!(pushed, Ok(PushOutcome::Clear));
    assert_eq!(passages(&walker, &triggers, &scratch), []);
    walker.walk(&level, &mut at, Vector3::new(-1.0, 0.0, -0.1), &mut scratch).expect("numbers");
    let hits = passages(&walker, &triggers, &scratch);
    assert!((hits[0].time_of_impact - 9.6 / 21.0).abs() < 1e-3, "{hits:?}");
    assert!((hits[0].time_of_leaving - 10.401 / 21.0).abs() < 1e-3, "{hits:?}");
    // A trigger on the train is where the train is.
    let hatch = cuboid([-1.5, -2.0, 1.5], [-0.5, 2.0, 2.0]);
    let (mut triggers, body) = world_with_body(&[], &[hatch]);
    triggers.set_offset(body, Vector3::new(20.0, 0.0, 0.0)).expect("numbers");
    let hits = passages(&walker, &triggers, &scratch);
    assert!(hits[0].time_of_leaving.is_infinite() && !hits[0].started_inside, "{hits:?}");
}

#[test]
fn placements_rests_and_sizes_touch_where_they_are() {
    let level = world(&[cuboid([-9.0, -9.0, -1.0], [9.0, 9.0, 0.0])]);
    let tall = walker::<f64>();
    let mut scratch = WalkScratch::new();
    // Nothing has moved yet.
    let around = world(&[cuboid([-1.0, -1.0, 0.5], [1.0, 1.0, 1.0])]);
    assert_eq!(passages(&tall, &around, &scratch), []);
    let mut at = tall.stand(&level, Point3::new(0.5, 0.0, 0.91), &mut scratch).expect("free");
    let still = |hits: Vec<Hit<f64>>| {
        assert_eq!(hits.len(), 1, "{hits:?}");
        let hit = hits[0];
        assert_eq!((hit.time_of_impact, hit.started_inside), (0.0, true));
        assert!(hit.time_of_leaving.is_infinite());
    };
    still(passages(&tall, &around, &scratch));
    // At rest, tick for tick.
    let mut resting = 0;
    for _ in 0..40 {
        let before = at.position();
        tall.walk(&level, &mut at, Vector3::new(0.0, 0.0, -0.1), &mut scratch).expect("numbers");
        if at.position() == before {
            resting += 1;
            still(passages(&tall, &around, &scratch));
            assert_eq!(tall.path(&scratch).count(), 1);
        }
    }
    assert!(resting > 20, "{resting}");
    // Under a lamp: crouching it is out of reach, standing up it is not.
    let lamp = world(&[cuboid([-1.0, -1.0, 1.7], [1.0, 1.0, 1.75])]);
    let low = tall.resize(&level, &mut at, 0.5, &mut scratch).expect("smaller");
    assert_eq!(passages(&low, &lamp, &scratch), []);
    low.walk(&level, &mut at, Vector3::new(0.1, 0.0, -0.1), &mut scratch).expect("numbers");
    assert_eq!(passages(&low, &lamp, &scratch), []);
    scratch.begin_tick();
    low.walk(&level, &mut at, Vector3::new(0.1, 0.0, -0.1), &mut scratch).expect("numbers");
    let tall = low.resize(&level, &mut at, 0.9, &mut scratch).expect("room");
    tall.walk(&level, &mut at, Vector3::new(-0.1, 0.0, -0.1), &mut scratch).expect("numbers");
    let hits = passages(&tall, &lamp, &scratch);
    let legs: Vec<_> = tall.path(&scratch).collect();
    assert_eq!([legs[0].half_height, legs[legs.len() - 1].half_height], [0.5, 0.9]);
    assert!((hits[0].time_of_impact - 0.5).abs() < 0.02 && !hits[0].started_inside, "{hits:?}");
    // A sheet above the low cylinder, as high as the tall one would reach from there.
    let sheet = world(&[cuboid([-1.0, -1.0, 1.2], [1.0, 1.0, 1.25])]);
    let hits = passages(&tall, &sheet, &scratch);
    assert!((hits[0].time_of_impact - 0.5).abs() < 0.02 && !hits[0].started_inside, "{hits:?}");
    // Crouching down it leaves the lamp, between two legs.
    scratch.begin_tick();
    tall.walk(&level, &mut at, Vector3::new(-0.1, 0.0, -0.1), &mut scratch).expect("numbers");
    let low = tall.resize(&level, &mut at, 0.5, &mut scratch).expect("smaller");
    low.walk(&level, &mut at, Vector3::new(0.1, 0.0, -0.1), &mut scratch).expect("numbers");
    let hits = passages(&low, &lamp, &scratch);
    assert!(hits[0].started_inside && (hits[0].time_of_leaving - 0.5).abs() < 0.02, "{hits:?}");
    let tall = low.resize(&level, &mut at, 0.9, &mut scratch).expect("room");
    // A refused size leaves the path as it was.
    let before: Vec<_> = tall.path(&scratch).collect();
    let roof = world(&[
        cuboid([-9.0, -9.0, -1.0], [9.0, 9.0, 0.0]),
        cuboid([-9.0, -9.0, 1.9], [9.0, 9.0, 3.0]),
    ]);
    assert!(tall.resize(&roof, &mut at, 1.5, &mut scratch).is_err());
    assert_eq!(tall.path(&scratch).collect::<Vec<_>>(), before);
    // Pushed out of a brush: where it is then.
    let block = world(&[cuboid([-2.0, -2.0, -1.0], [2.0, 2.0, 1.0])]);
    let mut scratch = WalkScratch::new();
    let out = tall.push_out(&block, Point3::new(0.0, 0.0, 1.5), &mut scratch).expect("a way out");
    connects(&tall.path(&scratch).collect::<Vec<_>>(), out.position(), out.position());
}

#[test]
fn worlds_of_triggers_have_the_axis_of_the_path() {
    let permuted = |planes: Vec<HalfSpace>| -> Vec<HalfSpace> {
        planes.into_iter().map(|([x, y, z], offset)| ([y, z, x], offset)).collect()
    };
    let build = |up: UpAxis, planes: Vec<HalfSpace>| {
        let mut builder = BrushWorld::builder();
        builder.up(up);
        builder.push(brush(&planes), CollisionGroups::ALL);
        builder.build().expect("one brush")
    };
    let floor = || cuboid([-9.0, -9.0, -1.0], [9.0, 9.0, 0.0]);
    let sheet = || cuboid([0.7, -1.0, 0.0], [0.701, 1.0, 2.0]);
    let walker = walker::<f32>();
    let mut answers = Vec::new();
    for up in [UpAxis::Z, UpAxis::Y] {
        let map = |planes| if up == UpAxis::Y { permuted(planes) } else { planes };
        let turn = |[x, y, z]: V| if up == UpAxis::Y { [y, z, x] } else { [x, y, z] };
        let (level, triggers) = (build(up, map(floor())), build(up, map(sheet())));
        let (mut scratch, mut hits) = (WalkScratch::new(), Vec::new());
        let at = walker.stand(&level, point(turn([0.0, 0.0, 0.95])), &mut scratch);
        let mut at = at.expect("free");
        walker.walk(&level, &mut at, vector(turn([2.0, 0.0, 0.0])), &mut scratch).expect("ok");
        walker.passages(&triggers, &scratch, &all(), &mut hits).expect("one axis up");
        let leg = walker.path(&scratch).next().expect("a leg");
        answers.push((hits[0].time_of_impact, hits[0].time_of_leaving));
        assert_eq!(
            wide(leg.start),
            turn([0.0, 0.0, leg.start[if up == UpAxis::Y { 1 } else { 2 }].wide()])
        );
        let other = build(UpAxis::X, sheet());
        let refused = walker.passages(&other, &scratch, &all(), &mut hits);
        assert!(matches!(refused, Err(Error::BadQuery { .. })) && hits.is_empty());
    }
    assert_eq!(answers[0], answers[1]);
}

#[test]
fn groups_choose_the_triggers() {
    let group = |bit: u32| CollisionGroups { memberships: 1 << bit, ..CollisionGroups::ALL };
    let only = |bits: u64| all().groups(CollisionGroups { filter: bits, ..CollisionGroups::ALL });
    let mut builder = BrushWorld::builder();
    builder.push(brush(&cuboid([-9.0, -9.0, -1.0], [9.0, 9.0, 0.0])), group(0));
    for bit in 1..4 {
        let x = f64::from(bit);
        builder.push(brush(&cuboid([x, -1.0, 0.0], [x + 0.001, 1.0, 2.0])), group(bit));
    }
    let level = builder.build().expect("its own ids");
    let walker = walker::<f64>().filter(only(1));
    let mut scratch = WalkScratch::new();
    let mut at = walker.stand(&level, Point3::new(0.0, 0.0, 0.91), &mut scratch).expect("free");
    walker.walk(&level, &mut at, Vector3::new(5.0, 0.0, -0.1), &mut scratch).expect("numbers");
    let mut hits = Vec::new();
    for (bits, expected) in [(0b10, vec![1]), (0b1100, vec![2, 3]), (0b1110, vec![1, 2, 3])] {
        walker.passages(&level, &scratch, &only(bits), &mut hits).expect("one axis up");
        assert!(hits.iter().map(|hit| hit.target.0).eq(expected), "{hits:?}");
    }
    // The floor is a skin away: walking on it is no passage.
    walker.passages(&level, &scratch, &only(1), &mut hits).expect("one axis up");
    assert_eq!(hits, []);
}

/// Random walks through the triggers and liquids of real levels.
#[test]
fn walks_of_real_levels_find_their_triggers() {
    let mut random = Random(0x9a55_0003);
    let (mut tally, mut count) = ([0; 3], 0);
    for (name, level) in levels() {
        let mut builder = BrushWorld::builder();
        for volume in &level.volumes {
            builder.push(volume.brush.clone(), CollisionGroups::ALL);
        }
        let triggers = builder.build().expect("its own ids");
        let (twins, starts) = (twins(&triggers), spawns(&level));
        let size = UprightCylinder::new(16.0, 28.0).expect("a size");
        let walker = Walker::new(size).step(18.0).floor(0.7);
        let mut scratch = WalkScratch::new();
        for _ in 0..at_least(200, 20) {
            // Half of them from beside a trigger.
            let start = match twins.is_empty() || random.chance(0.5) {
                true => starts[random.below(starts.len())],
                false => {
                    let twin = &twins[random.below(twins.len())];
                    let middle = times(
                        twin.points.iter().fold([0.0; 3], |sum, &p| plus(sum, p)),
                        1.0 / twin.points.len() as f64,
                    );
                    Point3::from(middle) + random.vector(96.0)
                }
            };
            let Ok(mut at) = walker.push_out(&level.world, start, &mut scratch) else { continue };
            for _ in 0..8 {
                let (by, before) = (push(&mut random), at.position());
                walker.walk(&level.world, &mut at, vector(by), &mut scratch).expect("numbers");
                count += 1;
                let legs: Vec<_> = walker.path(&scratch).collect();
                connects(&legs, before, at.position());
                let (path, hits) = (PlainPath::of(&legs), passages(&walker, &triggers, &scratch));
                let reach = path.total() + 100.0;
                for (id, twin) in triggers.ids().zip(&twins) {
                    let hit = hits.iter().find(|hit| hit.target == id);
                    let far = |i: usize| {
                        let at = |p: &V| p[i] - before[i];
                        twin.points.iter().all(|p| at(p) > reach)
                            || twin.points.iter().all(|p| at(p) < -reach)
                    };
                    match (0..3).any(far) {
                        true => assert_eq!(hit, None, "{name}"),
                        false => tally[agrees(&path, twin, hit)] += 1,
                    }
                }
            }
        }
    }
    println!("missed, crossed, ended: {tally:?} of {count} walks");
    assert!(count == 0 || tally[1] > 0 && tally[2] * 80 > count, "{tally:?} {count}");
}

/// A trigger that is left where the path ends, as the walker crouches there, is left at 1, not
/// later; on a path without length at 0.
fn what_is_left_at_the_end_is_left_at_one<T: Scalar>() {
    let level = world(&[cuboid([-9.0, -9.0, -1.0], [9.0, 9.0, 0.0])]);
    let lamp = world(&[cuboid([-9.0, -1.0, 1.7], [9.0, 1.0, 1.75])]);
    let tall = walker::<T>();
    for steps in 0..4 {
        let mut scratch = WalkScratch::new();
        scratch.begin_tick();
        let mut at = tall.stand(&level, point([0.5, 0.0, 0.91]), &mut scratch).expect("free");
        for step in 0..steps {
            let by = vector([0.3, 0.1 * f64::from(step), 0.0]);
            tall.slide(&level, &mut at, by, &mut scratch).expect("numbers");
        }
        let low = tall.resize(&level, &mut at, 0.5, &mut scratch).expect("smaller");
        let hits = passages(&low, &lamp, &scratch);
        let end = T::nearest(if steps > 0 { 1.0 } else { 0.0 });
        assert_eq!((hits.len(), hits[0].time_of_leaving), (1, end), "{steps}");
        assert!(hits[0].started_inside && hits[0].time_of_impact == T::zero());
        // Beside the lamp all along.
        let aside = world(&[cuboid([-9.0, 3.0, 1.7], [9.0, 4.0, 1.75])]);
        assert_eq!(passages(&low, &aside, &scratch), []);
    }
}

/// Hundreds of triggers on one path of many legs: each has the hit that it has alone, bit for bit,
/// sorted by time, then by id.
#[test]
fn every_trigger_has_the_hit_that_it_has_alone() {
    let mut random = Random(0x9a55_0005);
    let far = brush(&cuboid([20.0; 3], [21.0; 3]));
    let (one, other) = (1, 2);
    let groups = |memberships| CollisionGroups { memberships, ..CollisionGroups::ALL };
    let filter = all().groups(CollisionGroups { filter: one, ..CollisionGroups::ALL });
    let walker = walker::<f32>();
    let (mut found, mut again, worlds) = (0, 0, at_least(6, 2));
    for _ in 0..worlds {
        let level = world(&blocks(&mut random));
        // Ids in another order than that of insertion, and of the tree.
        let count = 400;
        let triggers: Vec<_> = (0..count)
            .map(|i| {
                let half = [0.3, 0.3, 0.4].map(|x| random.between(0.02, x));
                let center = [0; 2].map(|_| random.between(-7.0, 7.0));
                let center = [center[0], center[1], random.between(0.0, 2.0)];
                let planes = moved(&cuboid(half.map(|x| -x), half), &random.rotation(), center);
                (BrushId((i * 237 + 11) % count), brush(&planes))
            })
            .collect();
        // The far brush gives all worlds one pad: that of their largest coordinate.
        let world_of = |chosen: &[(BrushId, Brush)]| {
            let mut builder = BrushWorld::builder();
            for (id, trigger) in chosen {
                builder.push_as(*id, BodyId::STATIC, trigger.clone(), groups(one));
            }
            builder.push_as(BrushId(count), BodyId::STATIC, far.clone(), groups(other));
            builder.build().expect("ids that differ")
        };
        let together = world_of(&triggers);
        let alone: Vec<_> = triggers.iter().map(|trigger| world_of(from_ref(trigger))).collect();
        let mut scratch = WalkScratch::new();
        let start = [random.between(-6.0, 6.0), random.between(-6.0, 6.0), 2.0];
        let Ok(mut at) = walker.push_out(&level, point(start), &mut scratch) else { continue };
        for moves in [1, 3, 40] {
            scratch.begin_tick();
            for _ in 0..moves {
                let by = [random.between(-4.0, 4.0), random.between(-4.0, 4.0), -0.3];
                walker.walk(&level, &mut at, vector(by), &mut scratch).expect("numbers");
            }
            let (mut hits, mut expected, mut own) = (Vec::new(), Vec::new(), Vec::new());
            walker.passages(&together, &scratch, &filter, &mut hits).expect("one axis up");
            for world in &alone {
                walker.passages(world, &scratch, &filter, &mut own).expect("one axis up");
                expected.append(&mut own);
            }
            expected.sort_by(|a, b| {
                (a.time_of_impact.total_cmp(&b.time_of_impact)).then(a.target.cmp(&b.target))
            });
            assert_eq!(hits, expected);
            found += hits.len();
            // Met again by a later leg: left later than the leg on which it was met ends.
            let end = |hit: &Hit<f32>| {
                walker.path(&scratch).find(|leg| leg.times[1] > hit.time_of_impact)
            };
            let later = |hit: &&Hit<f32>| {
                hit.time_of_leaving.is_finite()
                    && end(hit).is_some_and(|leg| hit.time_of_leaving > leg.times[1])
            };
            again += hits.iter().filter(later).count();
        }
    }
    println!("{found} hits, {again} of them on several legs");
    assert!(found > 50 * worlds && again > 20 * worlds, "{found} {again}");
}

/// New triggers on each of a hundred legs out, and all of them again on a hundred legs back.
#[test]
fn every_leg_of_a_long_path_meets_new_triggers() {
    let level = world(&[cuboid([-90.0, -9.0, -1.0], [90.0, 9.0, 0.0])]);
    let (count, step, radius) = (300, 0.15, 0.4);
    let x = |index: usize| 0.61 + 0.05 * index as f64;
    // The last trigger met has the least id.
    let sheets: Vec<_> =
        (0..count).rev().map(|i| cuboid([x(i), -1.0, 0.0], [x(i) + 0.001, 1.0, 2.0])).collect();
    let triggers = world(&sheets);
    let walker = walker::<f64>();
    let mut scratch = WalkScratch::new();
    let mut at = walker.stand(&level, Point3::new(0.0, 0.0, 0.91), &mut scratch).expect("free");
    scratch.begin_tick();
    for leg in 0..200 {
        let by = Vector3::new(if leg < 100 { step } else { -step }, 0.0, 0.0);
        walker.slide(&level, &mut at, by, &mut scratch).expect("numbers");
    }
    let (hits, total) = (passages(&walker, &triggers, &scratch), 200.0 * step);
    let met = (0..count).filter(|&i| x(i) < 0.5 * total + radius).count();
    assert_eq!((hits.len(), walker.path(&scratch).count()), (met, 200));
    for (index, hit) in hits.iter().enumerate() {
        let enter = (x(index) - radius) / total;
        assert_eq!(hit.target.0 as usize, count - 1 - index);
        assert!((hit.time_of_impact - enter).abs() < 1e-9, "{index}: {hit:?}");
        assert!((hit.time_of_leaving - (1.0 - enter)).abs() < 1e-9, "{index}: {hit:?}");
    }
}

#[test]
fn warm_paths_and_passages_do_not_allocate() {
    let mut random = Random(0x9a55_0004);
    let (level, triggers) = (world(&blocks(&mut random)), world(&some_triggers(&mut random)));
    let pushes: Vec<V> = (0..200)
        .map(|_| times([random.between(-1.0, 1.0), random.between(-1.0, 1.0), -0.1], 0.7))
        .collect();
    let (mut scratch, mut hits) = (WalkScratch::new(), Vec::new());
    let walker = walker::<f64>();
    let start = walker.push_out(&level, point([0.0, 0.0, 2.0]), &mut scratch).expect("a way out");
    let mut found = 0;
    let mut run = || {
        let mut at: WalkerState<f64> = start;
        for (tick, &by) in pushes.iter().enumerate() {
            if tick % 2 == 0 {
                scratch.begin_tick();
            }
            walker.walk(&level, &mut at, vector(by), &mut scratch).expect("numbers");
            walker.passages(&triggers, &scratch, &all(), &mut hits).expect("one axis up");
            found += hits.len() + walker.path(&scratch).count();
        }
    };
    run();
    let counted = allocation_counter::measure(&mut run);
    assert_eq!(counted.count_total, 0);
    assert!(found > 400, "{found}");
}

/// Bodies that turn push along a chord, which is a leg like others.
#[test]
fn a_swinging_door_throws_through_triggers() {
    let walker = walker::<f64>();
    let (mut level, door) = with_body([0.0, -0.1, 0.0], [3.0, 0.1, 2.0]);
    let triggers = world(&[cuboid([-5.0, 1.0, 0.0], [5.0, 1.001, 2.0])]);
    let mut scratch = WalkScratch::new();
    let mut at = walker.stand(&level, Point3::new(2.0, 0.55, 0.91), &mut scratch).expect("free");
    let start = at.position();
    let before = level.set_pose(door, Isometry3::rotation(Vector3::z() * 0.8)).expect("about z");
    let pushed = walker.push(&level, &mut at, door, &before, &mut scratch).expect("numbers");
    let PushOutcome::Moved(by) = pushed else { panic!("{pushed:?}") };
    let legs: Vec<_> = walker.path(&scratch).collect();
    connects(&legs, start, at.position());
    let (path, twin) = (PlainPath::of(&legs), twins(&triggers));
    let hits = passages(&walker, &triggers, &scratch);
    assert_eq!(agrees(&path, &twin[0], hits.first()), 1 + usize::from(by.y < 0.8));
    assert!((path.total() - by.norm()).abs() < 1e-9);
}

scalars! {
    ends_of_paths_are_at_one => what_is_left_at_the_end_is_left_at_one();
    thin_triggers_are_crossed_within_a_tick => a_thin_trigger_is_crossed_within_a_tick();
    walks_pass_through_what_the_oracle_finds => walks_beside_the_oracle(0x9a55_0002; 0x9a55_0001);
}
