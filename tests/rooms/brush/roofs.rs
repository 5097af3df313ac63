//! Ground of slopes, crossed in all directions: where floors meet ramps, valleys, ridges, roofs
//! with rising ridges. The height of the walker is known in closed form on every tick. Also
//! crossing brushes around a walker.

use boxwood::brush::WalkScratch;
use support::brushes::{cuboid, moved, unit};
use support::cylinder_distance::HalfSpace;
use support::prelude::*;
use support::random::{about, apply};
use support::walks::{SKIN, Walkable, landed, place, ticks, walker};

/// Radius and half height with the skin.
const GROWN: [f64; 2] = [0.4 + SKIN, 0.9 + SKIN];

/// A block of 80 whose top is cut by planes `z <= p x + q y + h`.
fn block(tops: &[V]) -> Vec<HalfSpace> {
    let mut planes = cuboid([-40.0, -40.0, -60.0], [40.0, 40.0, 60.0]);
    planes.retain(|(normal, _)| normal[2] != 1.0);
    planes.extend(tops.iter().map(|&[p, q, h]| ([-p, -q, 1.0], h)));
    unit(&planes)
}

/// Ground in its own frame, with the properties of its walks.
struct Ground<'h> {
    brushes: Vec<Vec<HalfSpace>>,
    /// Height of the walker's centre while it stands: a function of its position in plan.
    height: &'h dyn Fn(f64, f64) -> f64,
    /// Tangent of its steepest slope.
    steepest: f64,
    /// Depth that a position may have in the skin, straight down: grazing does not lift.
    grazed: f64,
}

/// Depth in the skin for ground that falls away with such tangents.
fn grazed(steepest: f64) -> f64 {
    0.5 * SKIN * (1.0 + steepest * steepest).sqrt()
}

/// Walks over the middle of the ground, rotated by an angle, in some directions.
fn walked_over(ground: &Ground<'_>, turn: f64, random: &mut Random) {
    let frame = about([0.0, 0.0, 1.0], turn);
    let turned: Vec<_> =
        ground.brushes.iter().map(|planes| moved(planes, &frame, [0.0; 3])).collect();
    let (level, walker) = (Walkable::new(&turned), walker());
    for direction in 0..12 {
        let (sine, cosine) = (std::f64::consts::TAU * f64::from(direction) / 12.0).sin_cos();
        let (ahead, side) = ([cosine, sine, 0.0], [-sine, cosine, 0.0]);
        let off = random.between(-0.5, 0.5);
        let start = plus(times(ahead, -3.0), times(side, off));
        let above = [start[0], start[1], (ground.height)(start[0], start[1]) + 0.1];
        let mut at = landed(&walker, &level.world, apply(&frame, above));
        let speed = random.decade(-2.0, -0.7);
        let push = apply(&frame, plus(times(ahead, speed), [0.0, 0.0, -0.1]));
        // Straight uphill the progress is the square of the cosine.
        let least = 0.999 / (1.0 + ground.steepest * ground.steepest);
        let mut far = 0.0;
        ticks(&walker, &level.world, &mut at, push, (6.0 / speed) as usize, |tick, now, report| {
            let own: V = frame.map(|axis| inner(axis, place(now)));
            let moved: V = frame.map(|axis| inner(axis, report.moved.into()));
            let way = inner(moved, ahead);
            let told = format!("turn {turn}, to {ahead:?}, tick {tick}: {own:?} by {moved:?}");
            assert!(now.ground().is_some() && level.keeps_gap(&walker, now), "{told}");
            assert!(way >= least * speed && way <= speed * (1.0 + 1e-9), "{told} of {speed}");
            let over = own[2] - (ground.height)(own[0], own[1]);
            assert!(over < 1e-9 && over > -1e-9 - ground.grazed, "{told}: {over:e}");
            far += way;
        });
        assert!(far > 2.9, "{far}");
    }
}

fn over_many(ground: &Ground<'_>, random: &mut Random) {
    for turn in [0.0, 0.3, random.between(-3.0, 3.0)] {
        walked_over(ground, turn, random);
    }
}

#[test]
fn walkers_cross_the_edge_between_floor_and_ramp() {
    let (mut random, [radius, half]) = (Random(0x400f_0001), GROWN);
    for slope in [0.1, 0.5, 0.95] {
        let brushes = vec![block(&[[0.0; 3]]), block(&[[slope, 0.0, 0.0]])];
        let height = |x: f64, _: f64| half + (slope * (x + radius)).max(0.0);
        over_many(&Ground { brushes, height: &height, steepest: slope, grazed: 0.0 }, &mut random);
    }
}

#[test]
fn valleys_are_crossed() {
    let (mut random, [radius, half]) = (Random(0x400f_0002), GROWN);
    for (left, right) in [(0.2, 0.7), (0.9, 0.9), (0.95, 0.1)] {
        let brushes = vec![block(&[[-left, 0.0, 0.0]]), block(&[[right, 0.0, 0.0]])];
        let height = |x: f64, _: f64| half + (left * (radius - x)).max(right * (radius + x));
        over_many(
            &Ground { brushes, height: &height, steepest: left.max(right), grazed: 0.0 },
            &mut random,
        );
    }
}

/// Roof `z <= rise y - fall |x|`: returns the height at which the disc under the walker touches it.
fn on_roof(fall: f64, rise: f64, x: f64, y: f64) -> f64 {
    let [radius, half] = GROWN;
    let slope = fall.hypot(rise);
    // The highest point of the disc is on one side, or on the ridge.
    if x.abs() > radius * fall / slope {
        return half + rise * y - fall * x.abs() + radius * slope;
    }
    half + rise * y + rise * (radius * radius - x * x).sqrt()
}

#[test]
fn walkers_cross_ridges_and_roofs_with_rising_ridges() {
    let mut random = Random(0x400f_0003);
    let roofs = [(0.2, 0.0), (0.95, 0.0), (0.3, 0.02), (0.5, 0.3), (0.1, 0.6), (0.75, 0.5)];
    for (fall, rise) in roofs {
        let brushes = vec![block(&[[fall, rise, 0.0], [-fall, rise, 0.0]])];
        let height = |x: f64, y: f64| on_roof(fall, rise, x, y);
        let steepest = fall.hypot(rise);
        let grazed = grazed(steepest);
        over_many(&Ground { brushes, height: &height, steepest, grazed }, &mut random);
    }
}

/// Checks a pyramid's tip, a point under a flat bottom, crossed as a step of height zero.
#[test]
fn walkers_cross_the_tips_of_pyramids() {
    let (mut random, [radius, half]) = (Random(0x400f_0004), GROWN);
    for slope in [0.3, 0.9] {
        let brushes = vec![block(&[
            [slope, 0.0, 0.0],
            [-slope, 0.0, 0.0],
            [0.0, slope, 0.0],
            [0.0, -slope, 0.0],
        ])];
        // The distance of the square level cut from the disc's point nearest the tip.
        let height = |x: f64, y: f64| {
            let (x, y) = (x.abs().max(y.abs()), x.abs().min(y.abs()));
            // Outside the larger square: its side alone while the disc's nearest point is on that
            // side.
            if x - radius >= y {
                return half - slope * (x - radius);
            }
            // Else the corner of a square of side 2 s around the tip at distance R: (x - s)^2 + (y
            // - s)^2 = R^2, with the least s that is not below 0.
            let root = 2.0 * radius * radius - (x - y) * (x - y);
            half - slope * (0.5 * (x + y - root.sqrt())).max(0.0)
        };
        over_many(
            &Ground { brushes, height: &height, steepest: slope, grazed: grazed(slope) },
            &mut random,
        );
    }
}

/// Checks a box and two slabs that lean by 75 degrees to either side, all crossing at a walker's
/// start: it is pushed out of all three, and walks off.
#[test]
fn walkers_are_pushed_out_of_crossed_slabs_and_walk_off() {
    let mut random = Random(0x400f_0005);
    let floor = cuboid([-50.0, -50.0, -1.0], [50.0, 50.0, 0.0]);
    let (mut inside, mut out) = (0, 0);
    for _ in 0..60 {
        let lean = 75f64.to_radians();
        let slab = cuboid([-1.5, -1.5, -0.05], [1.5, 1.5, 0.05]);
        let [left, right] =
            [lean, -lean].map(|lean| moved(&slab, &about([0.0, 1.0, 0.0], lean), [0.0, 0.0, 0.3]));
        let turn = about([0.0, 0.0, 1.0], random.between(-3.0, 3.0));
        let all = [floor.clone(), cuboid([-0.5, -0.5, 0.0], [0.5, 0.5, 0.5]), left, right];
        let all: Vec<_> = all.iter().map(|planes| moved(planes, &turn, [0.0; 3])).collect();
        let (level, walker) = (Walkable::new(&all), walker());
        let start =
            [random.between(-0.4, 0.4), random.between(-0.4, 0.4), random.between(0.92, 3.0)];
        inside += usize::from(
            walker.stand(&level.world, Point3::from(start), &mut WalkScratch::new()).is_err(),
        );
        let Ok(mut at) =
            walker.push_out(&level.world, Point3::from(start), &mut WalkScratch::new())
        else {
            continue;
        };
        out += 1;
        assert!(level.keeps_gap(&walker, &at), "{at:?}");
        // Towards a side where the other slab does not block it.
        let [x, y, _] = place(&at);
        let flat = [x, y, 0.0];
        let push = plus(times(flat, 0.05 / norm(flat)), [0.0, 0.0, -0.05]);
        ticks(&walker, &level.world, &mut at, push, 400, |_, now, report| {
            assert!(level.keeps_gap(&walker, now), "{now:?}");
            assert!(inner(report.moved.into(), push) >= 0.0, "{report:?}");
        });
        assert!(at.ground().is_some() && (place(&at)[2] - GROWN[1]).abs() < SKIN, "{at:?}");
    }
    println!("{inside} of 60 inside, {out} out");
    assert!(inside > 40 && out > 55, "{inside} inside, {out} out");
}
