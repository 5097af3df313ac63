//! Walkers in real levels: every spawn is free, and random walks keep half of the skin from all
//! brushes by the oracle.

use boxwood::brush::{WalkScratch, Walker};
use boxwood::f64::UprightCylinder;
use boxwood::load::{Level, MapOptions, map};
use support::data::data;
use support::prelude::*;
use support::walks::{Walkable, at_rest};

pub(super) const LEVELS: [&str; 4] = [
    "lq-e1m1/lq_e1m1.map",
    "lq-dm3/lqdm3.map",
    "lq-slope/slope.map",
    "ahoy-playground/playground.map",
];

/// Returns the four levels with their files' names; none without the data.
pub(super) fn levels() -> Vec<(&'static str, Level)> {
    let Some(data) = data() else { return Vec::new() };
    let read = |name| map(data.join("levels").join(name), &MapOptions::quake()).expect(name);
    LEVELS.map(|name| (name, read(name))).into()
}

/// Returns a walker of the size for which Quake's levels are made.
fn walker() -> Walker<f64> {
    Walker::new(UprightCylinder::new(16.0, 28.0).expect("a size")).step(18.0).floor(0.7)
}

/// Returns the players' starts.
pub(super) fn spawns(level: &Level) -> Vec<Point3<f64>> {
    // Quake's players are 24 below and 32 above their origin.
    let raised = |origin: Point3<f64>| Point3::new(origin.x, origin.y, origin.z + 4.0);
    level.spawns().filter_map(|spawn| spawn.origin).map(raised).collect()
}

#[test]
fn every_spawn_is_free_and_above_ground() {
    let mut count = 0;
    for (name, level) in levels() {
        for spawn in spawns(&level) {
            let walker = walker();
            let free = walker.stand(&level.world, spawn, &mut WalkScratch::new());
            let mut at = free
                .or_else(|_| walker.push_out(&level.world, spawn, &mut WalkScratch::new()))
                .unwrap_or_else(|error| panic!("{name} {spawn}: {error}"));
            assert!((at.position() - spawn).norm() < 1.0, "{name} {spawn}: {at:?}");
            let rest = at_rest(&walker, &level.world, &mut at, [0.0, 0.0, -4.0], 2000);
            assert!(rest.is_some() && at.ground().is_some(), "{name} {spawn}: {at:?}");
            let fallen = spawn.z - at.position().z;
            assert!(fallen < 256.0, "{name} {spawn}: fell {fallen}");
            count += 1;
        }
    }
    println!("{count} spawns");
}

#[test]
fn random_walks_never_come_nearer_than_half_of_the_skin() {
    let mut random = Random(0x1e7e_0001);
    for (name, level) in levels() {
        let (starts, walker) = (spawns(&level), walker());
        let level = Walkable::of(level.world);
        let (mut moves, mut checked, mut grounds) = (0, 0, 0);
        for _ in 0..at_least(400, 40) {
            let start = starts[random.below(starts.len())];
            let Ok(mut at) = walker.push_out(&level.world, start, &mut WalkScratch::new()) else {
                continue;
            };
            let mut scratch = WalkScratch::new();
            for _ in 0..20 {
                let push = push(&mut random);
                for _ in 0..25 {
                    let before = at;
                    walker
                        .walk(&level.world, &mut at, vector(push), &mut scratch)
                        .expect("numbers");
                    moves += 1;
                    grounds += usize::from(at.ground().is_some());
                    // A walker outside the level falls forever.
                    if at.position().z < -4096.0 {
                        break;
                    }
                    if moves % 4 == 0 {
                        checked += 1;
                        let keeps = level.keeps_gap(&walker, &at);
                        assert!(keeps, "{name}: {before:?} by {push:?} to {at:?}");
                    }
                }
            }
        }
        println!("{name}: {moves} moves, {checked} checked, {grounds} on ground");
        assert!(grounds * 10 > moves, "{name}: {moves} moves, {grounds} on ground");
    }
}

/// Draws a displacement, usually a run, sometimes a throw.
pub(super) fn push(random: &mut Random) -> V {
    let speed = if random.chance(0.1) { random.decade(1.0, 3.0) } else { random.decade(-1.0, 1.2) };
    let (sine, cosine) = random.between(-3.2, 3.2).sin_cos();
    let up =
        if random.chance(0.2) { random.between(0.0, speed) } else { -random.between(0.5, 8.0) };
    [speed * cosine, speed * sine, up]
}
