//! Many walkers in a real level, each alone and among each other.

use boxwood::brush::{WalkScratch, Walker, WalkerCrowd, WalkerState};
use boxwood::load::Level;
use boxwood::nalgebra::{Point3, Vector3};

use crate::alternating::{Effort, in_turn};
use crate::movers::walker;
use crate::peer::{Controller, World};
use crate::scenes::{self, LEVEL_SIZE, LEVEL_STEP};
use crate::support::measure::{clock, way};
use crate::support::random::Random;
use crate::table::Row;

/// Horizontal advance and fall of a walker in a tick [units]: 5 and 6 units a second.
const ADVANCE: f64 = 5.0 / 60.0;
const FALL: f64 = -0.1;

/// Ticks for which a walker walks in one direction.
const KEEPS: usize = 48;

/// A displacement in a random direction.
fn wish(random: &mut Random) -> Vector3<f32> {
    let (sine, cosine) = random.between(0.0, std::f64::consts::TAU).sin_cos();
    Vector3::new(ADVANCE * cosine, FALL, ADVANCE * sine).map(|x| x as f32)
}

/// Positions that walkers reach from all spawns of a level, in random directions.
pub fn free_places(level: &Level) -> Vec<Point3<f32>> {
    let (walker, mut scratch) = (walker::<f32>(LEVEL_SIZE, LEVEL_STEP), WalkScratch::new());
    let (random, mut places) = (&mut Random(23), Vec::new());
    let starts: Vec<_> = level.spawns().filter_map(|spawn| spawn.origin).collect();
    let each = 4_000 / starts.len().max(1);
    for start in starts {
        // Quake's origin is 24 units above the feet, the centre 28.
        let start = (start + Vector3::y() * (4.0 / 32.0)).map(|x| x as f32);
        let Ok(mut at) = walker.stand(&level.world, start, &mut WalkScratch::new()) else {
            continue;
        };
        let mut towards = wish(random);
        for tick in 0..10 * each {
            if tick % KEEPS == 0 {
                towards = wish(random);
            }
            if walker.walk(&level.world, &mut at, towards, &mut scratch).is_err() {
                break;
            }
            if tick % 10 == 9 {
                places.push(at.position());
            }
        }
    }
    places
}

/// A crowd; each walker walks in its direction for a while.
struct Crowd<S> {
    all: Vec<(S, Vector3<f32>)>,
    random: Random,
    tick: usize,
}

impl<S> Crowd<S> {
    fn new(all: impl Iterator<Item = S>) -> Self {
        let mut random = Random(41);
        let all = all.map(|state| (state, wish(&mut random))).collect();
        Crowd { all, random, tick: 0 }
    }

    /// Advances to the next tick: some walkers get a new direction.
    fn next(&mut self) -> &mut [(S, Vector3<f32>)] {
        let due = (self.tick % KEEPS..self.all.len()).step_by(KEEPS);
        for index in due {
            self.all[index].1 = wish(&mut self.random);
        }
        self.tick += 1;
        &mut self.all
    }
}

fn stand(walker: &Walker<f32>, level: &Level, place: Point3<f32>) -> Option<WalkerState<f32>> {
    walker.stand(&level.world, place, &mut WalkScratch::new()).ok()
}

/// Times `count` walkers in the level with most brushes; answers count those on ground.
pub fn rows(effort: Effort, count: usize) -> Vec<Row> {
    let levels = scenes::levels();
    let largest = levels.iter().max_by_key(|(_, level)| level.world.len());
    let Some((name, level)) = largest else { return Vec::new() };
    let (places, random) = (free_places(level), &mut Random(31));
    if places.is_empty() {
        return Vec::new();
    }
    let starts: Vec<_> = (0..count).map(|_| places[random.below(places.len())]).collect();
    let (walker, mut scratch) = (walker::<f32>(LEVEL_SIZE, LEVEL_STEP), WalkScratch::new());
    let mut ours = Crowd::new(starts.iter().filter_map(|&at| stand(&walker, level, at)));
    let others = World::new(&scenes::brushes(&level.world));
    let (queries, controller) = (others.queries(), Controller::new(LEVEL_SIZE, LEVEL_STEP as f32));
    let mut theirs = Crowd::new(starts.iter().copied());
    let ways = [
        way("boxwood", || {
            let all = ours.next();
            clock(|| {
                let mut walk = |(at, wish): &mut (WalkerState<f32>, _)| {
                    let moved = walker.walk(&level.world, at, *wish, &mut scratch);
                    usize::from(moved.expect("a finite wish").ground.is_some())
                };
                all.iter_mut().map(&mut walk).sum::<usize>()
            })
        }),
        way("rapier3d", || {
            let all = theirs.next();
            clock(|| {
                let walk = |(at, wish): &mut (_, _)| controller.walk(&queries, at, *wish);
                all.iter_mut().map(walk).filter(|&grounded| grounded).count()
            })
        }),
    ];
    let name = format!("{count} walkers in {name}, a tick");
    let note = format!("answers: on ground, {} ticks", effort.counted);
    vec![Row { name, timed: in_turn(effort, ways), of: 1, peer: Some("move_shape"), note }]
}

/// Times `count` walkers who block each other beside the same ones without each other; answers
/// count those on ground.
///
/// `spacing` is the least distance of two starts, from centre to centre [units].
pub fn among_each_other(effort: Effort, count: usize, spacing: f32) -> Vec<Row> {
    let levels = scenes::levels();
    let largest = levels.iter().max_by_key(|(_, level)| level.world.len());
    let Some((name, level)) = largest else { return Vec::new() };
    let walker = walker::<f32>(LEVEL_SIZE, LEVEL_STEP);
    let mut starts: Vec<WalkerState<f32>> = Vec::new();
    for place in free_places(level) {
        let is_apart = |other: &WalkerState<f32>| (other.position() - place).norm() > spacing;
        if starts.len() < count && starts.iter().all(is_apart) {
            starts.extend(stand(&walker, level, place));
        }
    }
    if starts.is_empty() {
        return Vec::new();
    }
    let of = starts.len();
    let mut crowd = WalkerCrowd::new();
    for (order, &at) in starts.iter().enumerate() {
        crowd.insert(order as u64, walker, at).expect("an order of its own");
    }
    // Both have the same displacements; states of the crowd are its own.
    let mut wishes = Crowd::new(starts.iter().copied());
    let (mut alone, mut scratch) = (Crowd::new(starts.iter().copied()), WalkScratch::new());
    let ways = [
        way("boxwood", || {
            let all = wishes.next();
            clock(|| {
                let walked = crowd.walk(&level.world, |one| all[one.order as usize].1);
                walked.expect("finite wishes");
                crowd.walkers().iter().filter(|one| one.state.ground().is_some()).count()
            })
        }),
        way("without each other", || {
            let all = alone.next();
            clock(|| {
                let mut walk = |(at, wish): &mut (WalkerState<f32>, _)| {
                    let moved = walker.walk(&level.world, at, *wish, &mut scratch);
                    usize::from(moved.expect("a finite wish").ground.is_some())
                };
                all.iter_mut().map(&mut walk).sum::<usize>()
            })
        }),
    ];
    let name = format!("{of} walkers among each other in {name}, a tick");
    let note = format!("answers: on ground, {} ticks", effort.counted);
    vec![Row { name, timed: in_turn(effort, ways), of: 1, peer: Some("without each other"), note }]
}
