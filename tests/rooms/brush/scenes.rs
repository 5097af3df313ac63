//! Scenes that character controllers get wrong, according to their issue trackers: stairs, slopes,
//! walls and halls at exactly the touching distance, doors, ramps.

use boxwood::brush::{BrushId, WalkScratch, Walker};
use boxwood::f64::UprightCylinder;
use support::brushes::{cuboid, unit};
use support::cylinder_distance::HalfSpace;
use support::prelude::*;
use support::walks::{SKIN, Walkable, at_rest, floor, landed, place, ticks, walker, world};

/// Ramp that rises along x from 0 by an angle [degrees], up to a height, and continues at that
/// height.
pub(super) fn ramp(degrees: f64, height: f64) -> Vec<Vec<HalfSpace>> {
    let slope = degrees.to_radians().tan();
    let run = height / slope;
    let mut wedge = cuboid([0.0, -4.0, -1.0], [run, 4.0, height]);
    wedge.push(([-slope, 0.0, 1.0], 0.0));
    vec![floor(100.0), unit(&wedge), cuboid([run, -4.0, -1.0], [run + 50.0, 4.0, height])]
}

#[test]
fn slopes_up_to_the_limit_are_walked_and_no_steeper() {
    for degrees in [5.0, 15.0, 25.0, 35.0, 44.0, 46.0, 55.0, 65.0, 75.0] {
        let (level, walker) = (Walkable::new(&ramp(degrees, 60.0)), walker());
        let mut at = landed(&walker, &level.world, [-0.7, 0.0, 1.0]);
        // 2 units a second for 1.5 seconds.
        let push = [2.0 / 60.0, 0.0, -0.1];
        ticks(&walker, &level.world, &mut at, push, 90, |_, now, _| {
            assert!(level.keeps_gap(&walker, now));
        });
        let [x, _, z] = place(&at);
        let slope = degrees.to_radians().tan();
        let rise = (x + 0.4) * slope;
        if degrees < 45.0 {
            assert!(at.ground() == Some(BrushId(1)) && x > 0.5, "{degrees}: {at:?}");
            assert!((z - 0.9 - rise).abs() < 0.01, "{degrees}: {at:?}");
        } else {
            assert!(x < -0.39 && z < 0.92, "{degrees}: {at:?}");
        }
        // And back down, on the ground.
        ticks(&walker, &level.world, &mut at, [-2.0 / 60.0, 0.0, -0.1], 90, |_, now, _| {
            assert!(now.ground().is_some() && level.keeps_gap(&walker, now), "{degrees} {now:?}");
        });
    }
}

/// Walks the whole of the tangential part of a displacement on a slope.
#[test]
fn a_tick_on_a_slope_is_the_tangential_part() {
    for degrees in [5.0_f64, 15.0, 25.0, 35.0, 44.0] {
        let (world, walker) = (world(&ramp(degrees, 60.0)), walker());
        let (sine, cosine) = degrees.to_radians().sin_cos();
        let mut at = landed(&walker, &world, [3.0, 0.0, 1.0 + 3.4 * sine / cosine]);
        ticks(&walker, &world, &mut at, [0.03, 0.02, -0.1], 60, |tick, _, report| {
            let want = [0.03 * cosine * cosine, 0.02, 0.03 * cosine * sine];
            let apart = (report.moved - Vector3::from(want)).norm();
            assert!(apart < 1e-9, "{degrees} {tick}: {report:?} is not {want:?}");
        });
        assert_eq!(at.ground(), Some(BrushId(1)));
    }
}

fn stairs() -> Vec<Vec<HalfSpace>> {
    let mut level = vec![floor(100.0)];
    for i in 0..10 {
        let low = f64::from(i) * 0.3;
        level.push(cuboid([low, -4.0, -1.0], [30.0, 4.0, low + 0.3]));
    }
    level
}

#[test]
fn stairs_take_as_long_as_flat_ground_at_any_tick_rate() {
    for rate in [30.0, 60.0, 90.0, 144.0, 240.0, 360.0, 1000.0] {
        let (level, walker) = (Walkable::new(&stairs()), walker());
        let mut at = landed(&walker, &level.world, [-2.0, 0.0, 1.0]);
        let push = [4.0 / rate, 0.0, -9.81 / rate / rate];
        let (mut last, mut steps) = (-2.0, 0);
        let count = (1.75 * rate) as usize;
        ticks(&walker, &level.world, &mut at, push, count, |tick, now, report| {
            assert!(report.moved.x > 0.0, "{rate} Hz, tick {tick}: {report:?}");
            assert!(now.ground().is_some() && level.keeps_gap(&walker, now), "{now:?}");
            assert!(report.moved.z >= 0.0, "{rate} Hz, tick {tick}: {report:?}");
            last = now.position().x;
            steps += usize::from(report.stepped);
        });
        let free = -2.0 + count as f64 * push[0];
        assert!(last <= free + 1e-9 && last > free - 1.01 * push[0], "{rate} Hz: {last} of {free}");
        assert_eq!(steps, 10, "{rate} Hz");
        assert!((at.position().z - 3.9).abs() < 0.01, "{at:?}");
        // Down again, never in the air.
        let down = [-push[0], 0.0, push[2]];
        ticks(&walker, &level.world, &mut at, down, count, |tick, now, report| {
            assert!((report.moved.x - down[0]).abs() < 1e-9, "{rate} Hz, tick {tick}: {report:?}");
            assert!(now.ground().is_some() && level.keeps_gap(&walker, now), "{now:?}");
        });
        assert!((at.position().z - 0.9).abs() < 0.01, "{at:?}");
    }
}

#[test]
fn a_touched_wall_neither_slows_nor_is_climbed() {
    for off in [0.0, 0.5, 1.0, 1.5] {
        let wall = cuboid([-50.0, 0.4 + off * SKIN, -1.0], [50.0, 1.0, 0.3]);
        let (world, walker) = (world(&[floor(100.0), wall]), walker());
        let place = Point3::new(0.0, 0.0, 0.9 + SKIN);
        let Ok(mut at) = walker.stand(&world, place, &mut WalkScratch::new()) else {
            assert!(off < 0.5 + 1e-6, "{off}");
            continue;
        };
        ticks(&walker, &world, &mut at, [5.0 / 60.0, 0.0, -1.0 / 60.0], 60, |_, now, report| {
            assert!(!report.stepped && now.position().z < 0.9 + 2.0 * SKIN, "{off}: {report:?}");
        });
        assert!((at.position().x - 5.0).abs() < 1e-9, "{off}: {at:?}");
    }
}

#[test]
fn a_hall_of_the_width_of_walker_and_gaps_is_passable() {
    for gaps in [0.0, 1.0, 1.2, 2.0, 2.5] {
        let half = 0.4 + 0.5 * gaps * SKIN;
        let sides = [
            cuboid([0.0, half, 0.0], [20.0, 4.0, 3.0]),
            cuboid([0.0, -4.0, 0.0], [20.0, -half, 3.0]),
        ];
        let (level, walker) =
            (Walkable::new(&[floor(100.0), sides[0].clone(), sides[1].clone()]), walker());
        let mut at = landed(&walker, &level.world, [-2.0, 0.0, 1.0]);
        ticks(&walker, &level.world, &mut at, [0.1, 0.0, -0.1], 200, |_, now, report| {
            assert!(level.keeps_gap(&walker, now) && report.moved.x >= 0.0, "{gaps}: {report:?}");
        });
        // It needs half a gap on each side, and an eighth of that for rounding.
        let x = at.position().x;
        assert!(
            if gaps < 1.0 {
                x < 0.0
            } else if gaps < 1.13 {
                true
            } else {
                x > 17.9
            },
            "{gaps} {x}"
        );
    }
}

#[test]
fn two_walls_that_narrow_below_its_width_stop_a_walker() {
    let mut random = Random(0x5ce_0001);
    for _ in 0..50 {
        let lean = random.between(0.02, 0.3);
        let straight = cuboid([-9.0, -9.0, 0.0], [50.0, 0.0, 3.0]);
        let mut slanted = cuboid([-9.0, -9.0, 0.0], [50.0, 9.0, 3.0]);
        // y >= 1.2 - lean x: less than 0.8 wide from x = 0.4 / lean on.
        slanted.push(([-lean, -1.0, 0.0], -1.2));
        let (level, walker) = (Walkable::new(&[floor(100.0), straight, unit(&slanted)]), walker());
        let mut at = landed(&walker, &level.world, [-3.0, 0.5, 1.0]);
        let push = [random.between(0.02, 2.0), random.between(-0.02, 0.02), -0.05];
        let rest = at_rest(&walker, &level.world, &mut at, push, 20_000);
        assert!(rest.is_some() && level.keeps_gap(&walker, &at), "{lean} {push:?} {at:?}");
        assert!(at.position().x < 0.4 / lean + 0.5, "{lean} {at:?}");
    }
}

#[test]
fn only_a_lower_walker_passes_a_door() {
    for (height, through) in [(1.8, true), (1.999, false), (1.99, true), (2.0, false), (2.1, false)]
    {
        let lintel = cuboid([2.0, -4.0, 2.0], [2.5, 4.0, 4.0]);
        let posts =
            [cuboid([2.0, 0.6, 0.0], [2.5, 4.0, 4.0]), cuboid([2.0, -4.0, 0.0], [2.5, -0.6, 4.0])];
        let level = [floor(100.0), lintel, posts[0].clone(), posts[1].clone()];
        let walker =
            Walker::new(UprightCylinder::new(0.4, 0.5 * height).expect("a size")).step(0.45);
        let level = Walkable::new(&level);
        let mut at = landed(&walker, &level.world, [0.0, 0.0, 1.2]);
        ticks(&walker, &level.world, &mut at, [0.07, 0.01, -0.1], 100, |_, now, _| {
            assert!(level.keeps_gap(&walker, now));
        });
        // Both gaps fit above and below if it is lower by 2 of them.
        assert_eq!(at.position().x > 3.0, through, "{height}: {at:?}");
    }
}

#[test]
fn ramps_are_crossed_at_every_offset_and_support_a_walker_at_the_lip() {
    for degrees in [20.0, 30.0, 44.0] {
        let (level, walker) = (Walkable::new(&ramp(degrees, 2.0)), walker());
        for i in 0..24 {
            let y = -4.9 + 0.4 * f64::from(i);
            let mut at = landed(&walker, &level.world, [-2.0, y, 1.0]);
            let mut last = -2.0;
            ticks(&walker, &level.world, &mut at, [0.08, 0.0, -0.1], 150, |_, now, report| {
                assert!(level.keeps_gap(&walker, now), "{now:?}");
                // Beyond the edge it slips off sideways.
                let held = now.ground().is_some() && report.moved.x > 0.0;
                assert!(y.abs() > 4.0 || held, "{degrees} {y}: {now:?} {report:?}");
                last = now.position().x;
            });
            assert!(y.abs() > 4.0 && y.abs() < 4.41 || last > 6.0, "{degrees} {y}: {last}");
            // It rests wherever it is, including the lip.
            let rest = at_rest(&walker, &level.world, &mut at, [0.0, 0.0, -0.1], 200);
            assert!(rest.is_some(), "{degrees} {y}: {at:?}");
            let held = at;
            ticks(&walker, &level.world, &mut at, [0.0, 0.0, -0.1], 50, |_, now, _| {
                assert_eq!(*now, held);
            });
        }
    }
}
