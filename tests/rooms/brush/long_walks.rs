//! Random walks of ten million ticks through four real levels and rooms of random brushes, in both
//! precisions: positions are checked by the f64 oracle, and some of them by the exact one.
//!
//! `cargo test` runs the first 4 % of it; `BOXWOOD_PROOF=1` all of it, another factor as much more
//! or less. The walks stay the same. `docs/internals/levels.md` records the output.

use std::time::{Duration, Instant};

use boxwood::brush::{WalkScratch, Walker, WalkerState};
use boxwood::shape::UprightCylinder;
use support::brushes::cuboid;
use support::exact_walks::ExactLevel;
use support::prelude::*;
use support::walks::{Walkable, place, random_room, shell, size};

use super::levels::{levels, push, spawns};
use super::walker::clutter;

/// Ticks of one start.
const EPISODE: usize = 1000;

/// Fraction of the skin: at smaller gaps by the f64 oracle the exact oracle is asked too.
const CLOSE: f64 = 0.75;

/// Level with the starts of its walkers.
struct Place {
    name: &'static str,
    level: Walkable,
    starts: Vec<V>,
    /// Radius, half height, step.
    size: V,
}

/// Counts and extremes of a kind of level.
#[derive(Debug, Default)]
struct Tally {
    ticks: usize,
    by_twin: usize,
    by_exact: usize,
    brushes_exact: usize,
    grounds: usize,
    steps: usize,
    bumps: usize,
    /// Least gap found, as a fraction of the skin.
    least: Option<f64>,
    walking: Duration,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.ticks += other.ticks;
        self.by_twin += other.by_twin;
        self.by_exact += other.by_exact;
        self.brushes_exact += other.brushes_exact;
        self.grounds += other.grounds;
        self.steps += other.steps;
        self.bumps += other.bumps;
        self.see(other.least);
        self.walking += other.walking;
    }

    fn see(&mut self, gap: Option<f64>) {
        self.least = self.least.into_iter().chain(gap).reduce(f64::min);
    }

    fn print(&self, name: &str) {
        let ticks = self.ticks.max(1) as f64;
        println!(
            "{name}: {} ticks; places by the twin {}, exactly {} (brushes {}); least gap {:.4} of \
             the skin; on ground {:.1} %, steps {}, pieces a tick {:.3}; {:.2} us a tick",
            self.ticks,
            self.by_twin,
            self.by_exact,
            self.brushes_exact,
            self.least.unwrap_or(f64::INFINITY),
            100.0 * self.grounds as f64 / ticks,
            self.steps,
            self.bumps as f64 / ticks,
            1e6 * self.walking.as_secs_f64() / ticks,
        );
    }
}

/// Builds a room of random brushes, or one between walls a thousandth thin and 10^4 large.
fn room(random: &mut Random, thin: bool) -> Place {
    let (name, level) = match thin {
        false => ("rooms of random brushes", clutter(random)),
        true => {
            let mut brushes = shell(&random_room(random, 5.0), 1e-3, 1e4);
            brushes.push(cuboid([-1e4, -1e4, -1.5], [1e4, 1e4, -1.499]));
            ("rooms of thin walls", Walkable::new(&brushes))
        }
    };
    let starts = (0..30).map(|_| std::array::from_fn(|_| random.between(-5.0, 5.0)));
    Place { name, level, starts: starts.collect(), size: [0.4, 0.9, 0.45] }
}

/// Intervals of the checks of positions [ticks].
struct Checks {
    twin: usize,
    exact: usize,
}

impl Checks {
    /// Returns `true` if the walker is far enough from all brushes, or if this tick is not checked.
    fn keeps_gap<T: Scalar>(
        &self,
        tick: usize,
        exact: &ExactLevel<'_>,
        (walker, at): (&Walker<T>, &WalkerState<T>),
        tally: &mut Tally,
    ) -> bool {
        let (mut keeps, mut close) = (true, false);
        if tick.is_multiple_of(self.twin) {
            let gap = share_of_skin(exact.level(), walker, at);
            tally.by_twin += 1;
            tally.see(gap);
            close = gap.is_some_and(|gap| gap < CLOSE);
            keeps = exact.level().keeps_gap(walker, at);
        }
        if close || tick.is_multiple_of(self.exact) {
            tally.by_exact += 1;
            keeps &= exact.keeps_gap(walker, at);
        }
        keeps
    }
}

/// Walks from one start, after the given number of ticks; crouches sometimes.
fn episode<T: Scalar>(
    random: &mut Random,
    in_place: &Place,
    checks: &Checks,
    before_all: usize,
) -> Tally {
    let (mut tally, level) = (Tally::default(), &in_place.level);
    let exact = ExactLevel::new(level);
    let [radius, half, step] = in_place.size;
    let size = UprightCylinder::new(T::nearest(radius), T::nearest(half)).expect("a size");
    let mut walker = Walker::new(size).step(step).floor(0.7);
    let begin = random.below(in_place.starts.len());
    let starts = in_place.starts[begin..].iter().chain(&in_place.starts[..begin]);
    let Some(mut at) = starts
        .filter_map(|&start| {
            walker.push_out(&level.world, point(start), &mut WalkScratch::new()).ok()
        })
        .next()
    else {
        return tally;
    };
    let mut scratch = WalkScratch::new();
    let mut wish = [0.0; 3];
    for tick in 0..EPISODE {
        if tick % 25 == 0 {
            wish = times(push(random), radius.wide() / 16.0);
            if random.chance(0.1) {
                let half = half.wide() * random.between(0.4, 1.0);
                walker = walker
                    .resize(&level.world, &mut at, half, &mut WalkScratch::new())
                    .unwrap_or(walker);
            }
        }
        let before = at;
        let begun = Instant::now();
        let report = walker.walk(&level.world, &mut at, vector(wish), &mut scratch);
        tally.walking += begun.elapsed();
        let report = report.expect("numbers");
        tally.ticks += 1;
        tally.grounds += usize::from(at.ground().is_some());
        tally.steps += usize::from(report.stepped);
        tally.bumps += report.bumps as usize;
        let kept = checks.keeps_gap(before_all + tick, &exact, (&walker, &at), &mut tally);
        assert!(kept, "{}: {before:?} by {wish:?} to {at:?}", in_place.name);
        // A walker outside the level falls forever.
        if place(&at)[2] < -256.0 * radius.wide() {
            break;
        }
    }
    tally.brushes_exact = exact.asked();
    tally
}

/// Returns the gap to the nearest brush by the oracle, if less than the skin.
fn share_of_skin<T: Scalar>(
    level: &Walkable,
    walker: &Walker<T>,
    at: &WalkerState<T>,
) -> Option<f64> {
    let (radius, half) = size(walker);
    let skin = walker.skin_in(&level.world).expect("a skin").wide();
    let gap = level.gap(radius, half, skin, place(at));
    (gap < skin).then_some(gap / skin)
}

fn walks(seed: u64, ticks: usize, checks: &Checks) -> Vec<(&'static str, Tally)> {
    let mut real: Vec<Place> = Vec::new();
    for (name, level) in levels() {
        let starts = spawns(&level).iter().map(|spawn| spawn.coords.into()).collect();
        let level = Walkable::of(level.world);
        real.push(Place { name, level, starts, size: [16.0, 28.0, 18.0] });
    }
    let mut tallies: Vec<(&'static str, Tally)> = Vec::new();
    let (mut done, mut number) = (0, 0);
    while done < ticks {
        let mut random = Random(seed.wrapping_add(number as u64 * 0x1_0001));
        let (kind, wide) = (number % 8, number / 8 % 2 == 0);
        let made;
        let in_place = match real.get(kind) {
            Some(one) => one,
            None => {
                made = room(&mut random, kind == 7);
                &made
            }
        };
        let walk = if wide { episode::<f64> } else { episode::<f32> };
        let tally = walk(&mut random, in_place, checks, done);
        done += tally.ticks;
        number += 1;
        match tallies.iter_mut().find(|(name, _)| *name == in_place.name) {
            Some((_, all)) => all.add(&tally),
            None => tallies.push((in_place.name, tally)),
        }
    }
    let mut all = Tally::default();
    tallies.iter().for_each(|(_, tally)| all.add(tally));
    tallies.push(("all", all));
    tallies.iter().for_each(|(name, tally)| tally.print(name));
    tallies
}

#[test]
fn ten_million_ticks_keep_half_of_the_skin() {
    let ticks = at_least(10_000_000, 10_000);
    let tallies = walks(0x10f6_0001, ticks, &Checks { twin: 16, exact: 997 });
    for (name, tally) in &tallies {
        assert!(tally.grounds * 10 > tally.ticks, "{name}: {tally:?}");
        // The walker works in sixteenths of the skin: it stops at nine, the rest is for rounding.
        assert!(tally.least.is_some_and(|least| least > 0.55), "{name}: {tally:?}");
    }
}

#[test]
fn places_keep_half_of_the_skin_exactly() {
    let ticks = at_least(400_000, 16_000);
    let tallies = walks(0x10f6_0002, ticks, &Checks { twin: 64, exact: 8 });
    let (_, all) = tallies.last().expect("all of them");
    assert!(all.by_exact * 16 > all.ticks && all.brushes_exact * 2 > all.by_exact, "{all:?}");
}
