//! Walkers beside and on moving bodies, and on round ground: lifts, trains, pushers, half pipes,
//! pillars, low ceilings.

use boxwood::brush::{BodyId, BrushId, BrushWorld, PushOutcome, WalkScratch, Walker, WalkerState};
use support::brushes::{cuboid, moved, pillar};
use support::cylinder_distance::HalfSpace;
use support::prelude::*;
use support::random::about;
use support::walks::{
    SKIN, Walkable, at_rest, floor, landed, place, ticks, walk, walker, world, world_with_body,
};

/// Builds a floor, other static brushes, and one body of one brush, which has the last id.
fn with_body(still: &[Vec<HalfSpace>], body: &[HalfSpace]) -> (BrushWorld, BodyId) {
    world_with_body(&[&[floor(100.0)], still].concat(), &[body.to_vec()])
}

/// Returns `true` if the walker keeps its distance from the brushes as they are now.
fn keeps_gap(world: &BrushWorld, offset: V, walker: &Walker<f64>, at: &WalkerState<f64>) -> bool {
    let straight = about([0.0, 0.0, 1.0], 0.0);
    let now = |id: BrushId| {
        let planes = support::brushes::half_spaces(world.brush(id).expect("its own id"));
        let by = if world.body(id) == Some(BodyId::STATIC) { [0.0; 3] } else { offset };
        moved(&planes, &straight, by)
    };
    Walkable::new(&world.ids().map(now).collect::<Vec<_>>()).keeps_gap(walker, at)
}

#[test]
fn lifts_and_trains_carry() {
    let walker = walker();
    for speed in
        [[0.0, 0.0, 0.5], [0.0, 0.0, -0.5], [0.0, 0.0, -30.0], [3.0, 1.0, 0.0], [1.0, 0.0, 2.0]]
    {
        let (mut world, lift) = with_body(&[], &cuboid([-2.0, -2.0, 49.0], [2.0, 2.0, 50.0]));
        let mut at = landed(&walker, &world, [0.5, 0.25, 51.0]);
        let (first, mut scratch) = (at.position(), WalkScratch::new());
        for tick in 1..=90 {
            let offset = Vector3::from(speed) * (f64::from(tick) / 60.0);
            let before = world.set_offset(lift, offset).expect("numbers");
            let pushed = walker.push(&world, &mut at, lift, &before, &mut scratch);
            assert_eq!(pushed, Ok(PushOutcome::Clear), "riders are carried by their walk");
            let fall = Vector3::new(0.0, 0.0, -0.01);
            walker.walk(&world, &mut at, fall, &mut scratch).expect("numbers");
            let apart = (at.position() - first - offset).norm();
            assert!(at.ground() == Some(BrushId(1)), "{speed:?} tick {tick}: {at:?}");
            assert!(apart < 1e-9, "{speed:?} tick {tick}: {apart:e}");
            assert!(keeps_gap(&world, offset.into(), &walker, &at));
        }
    }
}

#[test]
fn a_lift_crushes_its_rider_against_a_ceiling() {
    let walker = walker();
    for step in [0.01, 0.3, 7.0] {
        let ceiling = cuboid([-9.0, -9.0, 5.0], [9.0, 9.0, 6.0]);
        let body = cuboid([-2.0, -2.0, 1.0], [2.0, 2.0, 1.5]);
        let (mut world, lift) = with_body(&[ceiling], &body);
        let mut at = landed(&walker, &world, [0.0, 0.0, 2.5]);
        let (mut scratch, mut crushed) = (WalkScratch::new(), false);
        for tick in 1..=300 {
            let mut offset = Vector3::new(0.0, 0.0, f64::from(tick) * step);
            let before = world.set_offset(lift, offset).expect("numbers");
            match walker.push(&world, &mut at, lift, &before, &mut scratch).expect("numbers") {
                PushOutcome::Clear => {}
                PushOutcome::Crushed { against, share } => {
                    assert_eq!(against, BrushId(1));
                    let from = before.translation.vector;
                    offset = from + (offset - from) * share;
                    world.set_offset(lift, offset).expect("numbers");
                    crushed = true;
                }
                moved => panic!("{moved:?}"),
            }
            walk(&walker, &world, &mut at, [0.0, 0.0, -0.01]);
            assert!(keeps_gap(&world, offset.into(), &walker, &at), "{step} tick {tick}: {at:?}");
            assert_eq!(at.ground(), Some(BrushId(2)), "{step} tick {tick}: {at:?}");
            if crushed {
                break;
            }
        }
        assert!(crushed && (at.position().z - 4.1).abs() < 2.0 * SKIN, "{step}: {at:?}");
    }
}

#[test]
fn ten_thousand_ticks_on_a_rising_lift_accumulate_no_error() {
    let walker = walker();
    let (mut world, lift) = with_body(&[], &cuboid([-2.0, -2.0, 1.0], [2.0, 2.0, 2.0]));
    let mut at = landed(&walker, &world, [0.0, 0.0, 3.0]);
    let high = at.position().z;
    for tick in 1..=10_000 {
        let up = f64::from(tick) * 0.007;
        world.set_offset(lift, Vector3::new(0.0, 0.0, up)).expect("numbers");
        walk(&walker, &world, &mut at, [0.0, 0.0, -0.01]);
        let over = at.position().z - high - up;
        assert!(over.abs() < 1e-9 && at.position().x == 0.0, "tick {tick}: {over:e}");
    }
}

#[test]
fn walking_on_a_train_equals_walking_on_the_ground() {
    let walker = walker();
    let (mut world, train) = with_body(&[], &cuboid([-9.0, -9.0, 1.0], [90.0, 9.0, 2.0]));
    let mut at = landed(&walker, &world, [0.0, 0.0, 3.0]);
    for tick in 1..=200 {
        let along = f64::from(tick) * 0.25;
        world.set_offset(train, Vector3::new(along, 0.0, 0.0)).expect("numbers");
        walk(&walker, &world, &mut at, [0.02, 0.01, -0.1]);
        let want = [along + 0.02 * f64::from(tick), 0.01 * f64::from(tick)];
        let [x, y, _] = place(&at);
        assert!((x - want[0]).abs() < 1e-9 && (y - want[1]).abs() < 1e-9, "tick {tick}: {at:?}");
    }
}

#[test]
fn pushers_push_and_crush_and_never_pass() {
    let walker = walker();
    for (step, wall) in [(0.05, 4.0), (0.5, 4.0), (3.0, 4.0), (50.0, 4.0)] {
        let still = cuboid([wall, -9.0, 0.0], [wall + 1.0, 9.0, 5.0]);
        let (mut world, pusher) = with_body(&[still], &cuboid([-2.0, -1.0, 0.0], [-1.0, 1.0, 3.0]));
        let mut at = landed(&walker, &world, [0.0, 0.25, 1.0]);
        let (mut scratch, mut pushes, mut crushed) = (WalkScratch::new(), 0, None);
        for tick in 1..=200 {
            let offset = Vector3::new(f64::from(tick) * step, 0.0, 0.0);
            let before = world.set_offset(pusher, offset).expect("numbers");
            match walker.push(&world, &mut at, pusher, &before, &mut scratch).expect("numbers") {
                PushOutcome::Clear => assert!(keeps_gap(&world, offset.into(), &walker, &at)),
                PushOutcome::Moved(by) => {
                    pushes += 1;
                    assert!(by.x > 0.0 && by.x <= step + 1e-12 && by.y == 0.0 && by.z == 0.0);
                    assert!(keeps_gap(&world, offset.into(), &walker, &at), "{step} {at:?}");
                }
                PushOutcome::Crushed { against, share } => {
                    assert_eq!(against, BrushId(1));
                    // The position before the push is free.
                    let from = before.translation.vector;
                    let stopped = from + (offset - from) * share;
                    assert!(stopped.x <= wall + 1.0 - 0.8 && stopped.x > wall + 1.0 - 0.81);
                    world.set_offset(pusher, stopped).expect("numbers");
                    assert!(keeps_gap(&world, stopped.into(), &walker, &at), "{step} {at:?}");
                    crushed = Some(tick);
                }
                other => panic!("{other:?}"),
            }
            if crushed.is_some() {
                break;
            }
        }
        assert!(crushed.is_some() && (pushes > 0 || step > 3.0), "{step}: {pushes} {at:?}");
        assert!((at.position().x - (wall - 0.4)).abs() < 2.0 * SKIN, "{at:?}");
    }
}

#[test]
fn a_half_pipe_of_many_facets_is_crossed() {
    // Upright facets around the axis, a centimetre further than the walker's radius.
    let count = 768;
    let mut level = vec![floor(100.0)];
    for i in 0..count {
        let from = std::f64::consts::PI * f64::from(i) / f64::from(count);
        let (sine, cosine) = from.sin_cos();
        let half = 0.41 * (0.5 * std::f64::consts::PI / f64::from(count)).tan() + 0.001;
        let facet = cuboid([0.41, -half, 0.0], [0.6, half, 3.0]);
        // The open side is towards -y.
        let frame = [[cosine, sine, 0.0], [-sine, cosine, 0.0], [0.0, 0.0, 1.0]];
        level.push(moved(&facet, &frame, [0.0; 3]));
    }
    let (level, walker) = (Walkable::new(&level), walker());
    let mut random = Random(0x0b11_0001);
    for _ in 0..3 {
        let mut at = landed(&walker, &level.world, [0.0, -2.0, 1.0]);
        let push = [random.between(-0.003, 0.003), random.between(0.01, 0.2), -0.05];
        let mut last = -2.0;
        ticks(&walker, &level.world, &mut at, push, 400, |_, now, report| {
            assert!(level.keeps_gap(&walker, now), "{now:?}");
            assert!(report.bumps <= 16, "{report:?}");
            last = now.position().y;
        });
        assert!(last > -0.3, "{push:?} {at:?}");
        let rest = at_rest(&walker, &level.world, &mut at, push, 20_000);
        assert!(rest.is_some() && at.position().y > -0.011, "{push:?} {at:?}");
        // And back out.
        ticks(&walker, &level.world, &mut at, [0.0, -0.1, -0.05], 20, |_, _, report| {
            assert!(report.moved.y < -0.09, "{report:?}");
        });
    }
}

#[test]
fn a_pillar_is_passed_without_going_back() {
    for sides in [4, 5, 8, 16, 64] {
        for i in 1..30 {
            let off = f64::from(i) * 0.01 + 0.3;
            let turned = about([0.0, 0.0, 1.0], 0.25 * std::f64::consts::PI);
            let column = moved(&pillar(sides, 0.3, 3.0), &turned, [0.0; 3]);
            let (level, walker) = (Walkable::new(&[floor(100.0), column]), walker());
            let mut at = landed(&walker, &level.world, [-2.0, off, 1.0]);
            let mut x = -2.0;
            for tick in 0..200 {
                let report = walk(&walker, &level.world, &mut at, [0.05, 0.0, -0.05]);
                assert!(report.moved.x > 0.0, "{sides} {off} tick {tick}: {report:?}");
                assert!(report.moved.y >= -1e-12, "{sides} {off} tick {tick}: {report:?}");
                assert!(level.keeps_gap(&walker, &at));
                x = at.position().x;
                if x > 2.0 {
                    break;
                }
            }
            assert!(x > 2.0, "{sides} {off}: {at:?}");
        }
    }
}

#[test]
fn no_step_is_taken_under_a_ceiling_too_low() {
    for (ceiling, up) in [(2.05, false), (2.3, true)] {
        let step = cuboid([1.0, -9.0, 0.0], [9.0, 9.0, 0.3]);
        let above = cuboid([-9.0, -9.0, ceiling], [9.0, 9.0, 4.0]);
        let (level, walker) = (Walkable::new(&[floor(100.0), step, above]), walker());
        let mut at = landed(&walker, &level.world, [0.0, 0.0, 1.0]);
        ticks(&walker, &level.world, &mut at, [0.05, 0.0, -0.05], 100, |_, now, _| {
            assert!(level.keeps_gap(&walker, now));
        });
        assert_eq!(at.position().x > 2.0, up, "{ceiling}: {at:?}");
        assert_eq!(at.ground(), Some(BrushId(u32::from(up))));
    }
}

#[test]
fn down_a_step_it_stays_on_the_ground_and_off_a_ledge_it_falls() {
    for (depth, stays) in [(0.44, true), (0.5, false), (5.0, false)] {
        let ledge = cuboid([-9.0, -9.0, 0.0], [0.0, 9.0, depth]);
        let (world, walker) = (world(&[floor(100.0), ledge]), walker());
        let mut at = landed(&walker, &world, [-1.0, 0.0, depth + 1.0]);
        let mut flew = false;
        ticks(&walker, &world, &mut at, [0.05, 0.0, -0.01], 60, |_, now, _| {
            flew |= now.ground().is_none();
        });
        assert_eq!(!flew, stays, "{depth}: {at:?}");
    }
}
