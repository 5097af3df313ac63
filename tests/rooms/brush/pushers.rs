//! Bodies a thousandth thin that move past walkers by up to 10^4 a tick: ways are checked by the
//! exact oracle in the body's frame and among static brushes.

use boxwood::brush::{BrushWorld, PushOutcome, WalkScratch, Walker, WalkerState};
use boxwood::f64::UprightCylinder;
use support::brushes::{any_brush, cuboid, moved};
use support::cylinder_distance::HalfSpace;
use support::exact_walks::ExactLevel;
use support::prelude::*;
use support::walks::{Walkable, place, shell, world_with_body};

const SKIN: f64 = 0.4 / 512.0;

/// Builds walls, and brushes among them.
fn still(random: &mut Random) -> Vec<Vec<HalfSpace>> {
    let mut brushes = shell(&cuboid([-6.0; 3], [6.0; 3]), 1.0, 9.0);
    for _ in 0..random.below(12) {
        let by = std::array::from_fn(|_| random.between(-5.0, 5.0));
        brushes.push(moved(&any_brush(random), &random.rotation(), by));
    }
    brushes
}

/// Builds some thin plates side by side, or a block.
fn body(random: &mut Random) -> Vec<Vec<HalfSpace>> {
    let half = match random.chance(0.7) {
        true => [random.between(0.1, 3.0), random.between(0.1, 3.0), 5e-4],
        false => [1.0, 0.7, 0.5],
    };
    let turn = if random.chance(0.3) { random.quarter() } else { random.rotation() };
    let plate = |i: usize| {
        let by = times(turn[0], 2.0 * half[0] * i as f64);
        moved(&cuboid(half.map(|x: f64| -x), half), &turn, by)
    };
    (0..1 + random.below(3)).map(plate).collect()
}

#[derive(Debug, Default)]
struct Seen {
    clear: usize,
    moved: usize,
    crushed: usize,
    brushes: usize,
}

/// Applies the body's push; returns the positions of walker and body after it.
fn pushed(
    walker: &Walker<f64>,
    world: &mut BrushWorld,
    at: &mut WalkerState<f64>,
    way: [V; 2],
    seen: &mut Seen,
) -> V {
    let body = world.body(world.ids().last().expect("brushes")).expect("its own id");
    let before = world.set_offset(body, Vector3::from(way[1])).expect("numbers");
    assert_eq!(before.translation.vector, Vector3::from(way[0]));
    match walker.push(world, at, body, &before, &mut WalkScratch::new()).expect("numbers") {
        PushOutcome::Clear => seen.clear += 1,
        PushOutcome::Moved(_) => seen.moved += 1,
        PushOutcome::Crushed { against, share } => {
            seen.crushed += 1;
            assert_ne!(world.body(against), Some(body), "by itself");
            assert!((0.0..=1.0).contains(&share), "{share}");
            let stopped = Vector3::from(plus(way[0], times(minus(way[1], way[0]), share)));
            world.set_offset(body, stopped).expect("numbers");
            return stopped.into();
        }
        other => panic!("{other:?}"),
    }
    way[1]
}

fn comes_by(random: &mut Random, seen: &mut Seen) {
    let (still, body) = (still(random), body(random));
    let (mut world, moving) = world_with_body(&still, &body);
    let mut offset = [0.0, 0.0, 100.0];
    world.set_offset(moving, Vector3::from(offset)).expect("numbers");
    let walker = Walker::new(UprightCylinder::new(0.4, 0.9).expect("a size")).step(0.45).skin(SKIN);
    let start = std::array::from_fn(|_| random.between(-5.0, 5.0));
    let Ok(mut at) = walker.stand(&world, point(start), &mut WalkScratch::new()) else { return };
    let (still, body) = (Walkable::new(&still), Walkable::new(&body));
    let (still, body) = (ExactLevel::new(&still), ExactLevel::new(&body));
    let mut scratch = WalkScratch::new();
    for _ in 0..12 {
        // Past the walker, to somewhere near or on the other side.
        let aim = plus(place(&at), times(random.direction(), random.between(0.0, 1.5)));
        let on = times(minus(aim, offset), random.decade(-1.0, 0.5));
        let to = if random.chance(0.3) { aim } else { plus(offset, on) };
        let (before, was) = (place(&at), offset);
        // Riders are carried by their walk.
        let rides = at.ground().is_some_and(|id| world.body(id) == Some(moving));
        offset = pushed(&walker, &mut world, &mut at, [was, to], seen);
        let told = format!("{before:?} to {at:?}, body {was:?} to {to:?}, at {offset:?}");
        if !rides {
            assert!(still.is_free(&walker, 0.5, before, minus(place(&at), before)), "{told}");
            let own = [minus(before, was), minus(place(&at), offset)];
            assert!(body.is_free(&walker, 0.5, own[0], minus(own[1], own[0])), "{told}");
        }
        if norm(offset) > 1e4 {
            offset = [0.0, 0.0, 100.0];
            world.set_offset(moving, Vector3::from(offset)).expect("numbers");
        }
        let wish = times(random.direction(), random.decade(-2.0, 0.0));
        walker.walk(&world, &mut at, vector(wish), &mut scratch).expect("numbers");
        let own = minus(place(&at), offset);
        let free = still.is_free(&walker, 0.5, place(&at), [0.0; 3])
            && body.is_free(&walker, 0.5, own, [0.0; 3]);
        assert!(free, "{told}, then by {wish:?} to {at:?}");
    }
    seen.brushes += still.asked() + body.asked();
}

#[test]
fn thin_bodies_push_and_never_pass() {
    let (mut random, mut seen) = (Random(0x9054_0001), Seen::default());
    for _ in 0..at_least(10_000, 40) {
        comes_by(&mut random, &mut seen);
    }
    println!("{seen:?}");
    assert!(seen.moved * 10 > seen.clear && seen.crushed * 100 > seen.clear, "{seen:?}");
}
