//! Build times of worlds.

use boxwood::brush::Brush;
use boxwood::load::map_bytes;
use boxwood::shape::Plane;

use crate::alternating::{Effort, in_turn};
use crate::peer::World;
use crate::scenes;
use crate::support::measure::{Round, clock, way};
use crate::support::random::Random;
use crate::table::{Row, nobody};

/// The peer's work.
const HULLS: &str = "convex hulls of the corners, colliders, BVH";

pub fn rows(effort: Effort, count: usize) -> Vec<Row> {
    let mut rows = vec![from_planes(effort, count), from_brushes(effort, count)];
    for (name, bytes) in scenes::files() {
        let Ok(level) = map_bytes(&bytes, &scenes::options()) else { continue };
        let brushes = scenes::brushes(&level.world);
        let mut row = fixed(effort, &brushes);
        row.name = format!("build of {name}, {} brushes", brushes.len());
        rows.push(row);
        let read = way("boxwood", || {
            clock(|| map_bytes(&bytes, &scenes::options()).map_or(0, |level| level.world.len()))
        });
        rows.push(Row {
            name: format!("reading the map {name}, build included"),
            timed: in_turn(effort, [read, nobody()]),
            of: 1,
            peer: None,
            note: String::new(),
        });
    }
    rows
}

fn fresh(count: usize, random: &mut Random) -> Vec<Brush> {
    scenes::field(count, random).0
}

fn theirs(brushes: &[Brush]) -> Round {
    let mut world = None;
    let round = clock(|| {
        world = Some(World::new(brushes));
        0
    });
    Round { found: world.map_or(0, |world| world.len()).into(), ..round }
}

fn from_planes(effort: Effort, count: usize) -> Row {
    let (mut random, mut other) = (Random(51), Random(51));
    let ours = way("boxwood", || {
        let brushes = fresh(count, &mut random);
        let planes: Vec<Vec<Plane<f64>>> = brushes.iter().map(Brush::planes).collect();
        clock(|| {
            let brush = |planes: &Vec<_>| Brush::from_planes(planes).ok();
            let brushes: Vec<Brush> = planes.iter().filter_map(brush).collect();
            scenes::world(&brushes).len()
        })
    });
    let ways = [ours, way("rapier3d", || theirs(&fresh(count, &mut other)))];
    let (name, note) = (format!("build of {count} brushes, from planes"), String::new());
    Row { name, timed: in_turn(effort, ways), of: 1, peer: Some(HULLS), note }
}

fn from_brushes(effort: Effort, count: usize) -> Row {
    let (mut random, mut other) = (Random(51), Random(51));
    let ours = way("boxwood", || {
        let brushes = fresh(count, &mut random);
        clock(|| scenes::world(&brushes).len())
    });
    let ways = [ours, way("rapier3d", || theirs(&fresh(count, &mut other)))];
    let (name, note) = (format!("build of {count} brushes, from brushes"), String::new());
    Row { name, timed: in_turn(effort, ways), of: 1, peer: Some(HULLS), note }
}

/// Times building a world of the same brushes in every round.
fn fixed(effort: Effort, brushes: &[Brush]) -> Row {
    let ours = way("boxwood", || clock(|| scenes::world(brushes).len()));
    let ways = [ours, way("rapier3d", || theirs(brushes))];
    let (name, note) = (String::new(), String::new());
    Row { name, timed: in_turn(effort, ways), of: 1, peer: Some(HULLS), note }
}
