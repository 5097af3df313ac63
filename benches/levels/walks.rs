//! Moves of walkers in small scenes.

use std::time::Duration;

use crate::alternating::{Effort, in_turn};
use crate::movers::{Mover, Ours, Theirs, done};
use crate::peer::World;
use crate::scenes::{self, Scene};
use crate::support::measure::{Found, Round, clock};
use crate::support::random::Random;
use crate::table::Row;

/// Walkers of a round, and their ticks before the clock starts and under it.
const WALKERS: usize = 16;
const SETTLING: usize = 40;
const TICKS: usize = 32;

/// Times the moves of a round: new walkers at random starts, settled outside the clock. Answers are
/// the moves that did as due.
fn round(scene: &Scene, mut movers: Vec<impl Mover>) -> Round {
    let (mut count, mut time) = (0, Duration::ZERO);
    for mover in &mut movers {
        for _ in 0..SETTLING {
            mover.tick(scene.wish);
        }
    }
    for _ in 0..TICKS {
        let before: Vec<_> = movers.iter().map(Mover::place).collect();
        let walk = || {
            movers.iter_mut().for_each(|mover| mover.tick(scene.wish));
            0
        };
        time += clock(walk).time;
        let both = before.into_iter().zip(&movers);
        count += both.filter(|(before, mover)| done(scene.due, *before, mover.place())).count();
    }
    Round { found: Found::from(count), time }
}

pub fn rows(effort: Effort) -> Vec<Row> {
    let scenes = [
        Scene::rest(false),
        Scene::flat(0.05),
        Scene::tiles(),
        Scene::corner(),
        Scene::stairs(40, 60.0),
    ];
    scenes.iter().map(|scene| row(effort, scene)).collect()
}

fn row(effort: Effort, scene: &Scene) -> Row {
    let (world, others) = (scenes::world(&scene.brushes), World::new(&scene.brushes));
    let queries = others.queries();
    let starts = |random: &mut Random| (0..WALKERS).map(|_| scene.start(random)).collect();
    let (mut random, mut other) = (Random(3), Random(3));
    let ours = crate::support::measure::way("boxwood", || {
        let starts: Vec<_> = starts(&mut random);
        let new = |start| Ours::<f32>::new(&world, scene.step, start);
        round(scene, starts.into_iter().map(new).collect())
    });
    let theirs = crate::support::measure::way("rapier3d", || {
        let starts: Vec<_> = starts(&mut other);
        let new = |start| Theirs::new(&queries, scene.step, start);
        round(scene, starts.into_iter().map(new).collect())
    });
    let timed = in_turn(effort, [ours, theirs]);
    let note = format!("answers: moves of {} as due", effort.counted * WALKERS * TICKS);
    let name = format!("walk: {}", scene.name);
    Row { name, timed, of: WALKERS * TICKS, peer: Some("move_shape"), note }
}
