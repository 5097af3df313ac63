//! Casts of an upright cylinder: against one brush, and among many.

use boxwood::UprightCylinder;
use boxwood::brush::{Brush, BrushFilter, BrushWorld};
use boxwood::nalgebra::{Point3, Vector3};

use crate::alternating::{Effort, in_turn};
use crate::crowd::free_places;
use crate::peer::{self, Solid, World};
use crate::scenes::{self, Kind, LEVEL_SIZE};
use crate::support::measure::{CASES, CHUNK, cases, counted, trying};
use crate::support::random::Random;
use crate::table::Row;

/// Different brushes of a kind.
const BRUSHES: usize = 4096;

/// Brushes that a round casts at, in turn: as many as surround one or two walkers. The next round
/// has others.
const NEAR: usize = 128;

/// Radius and half height of the cylinder that is cast at single brushes and in fields.
const SIZE: [f32; 2] = [0.4, 0.9];

/// A hit of the peer alone is counted as grazing if a cylinder larger by this length hits nothing
/// either [units].
const GRAZING: f32 = 1e-3;

/// A cast: its start, its displacement, and the brush it is cast at.
struct Case {
    brush: usize,
    start: Point3<f32>,
    way: Vector3<f32>,
}

fn cylinder([radius, half_height]: [f32; 2]) -> UprightCylinder {
    UprightCylinder::new(radius, half_height).expect("a size")
}

/// Each brush in a world of its own, and in the peer, without those that the peer rejects.
fn alone(brushes: &[Brush]) -> Vec<(BrushWorld, Solid, &Brush)> {
    let both = |brush| {
        let world = scenes::world(std::slice::from_ref(brush));
        Some((world, Solid::new(brush)?, brush))
    };
    brushes.iter().filter_map(both).collect()
}

/// Casts from outside a ball about a brush towards a point near it; each round has `near` brushes
/// in turn.
fn towards(brushes: &[&Brush], near: usize, size: [f32; 2], random: &mut Random) -> Vec<Case> {
    let reach = f64::from(size[0].hypot(size[1]));
    let mut case = |index: usize| {
        let brush = (index / CHUNK * near + index % near) % brushes.len();
        let bounds = brushes[brush].aabb();
        let center = boxwood::nalgebra::center(&bounds.min, &bounds.max);
        let ball = (bounds.max - bounds.min).norm() / 2.0;
        let out = ball + reach + random.between(0.1, 2.0);
        let start = center + Vector3::from(random.direction()) * out;
        let aim = center + Vector3::from(random.direction()) * (0.7 * (ball + reach));
        let way = (aim - start) * random.between(0.6, 1.6);
        Case { brush, start: start.map(|x| x as f32), way: way.map(|x| x as f32) }
    };
    (0..cases()).map(&mut case).collect()
}

/// Times one cast against one brush, by kind.
pub fn single(effort: Effort) -> Vec<Row> {
    let count = if trying() { 64 } else { BRUSHES };
    let mut rows = Vec::new();
    for (kind, name) in Kind::ALL {
        let random = &mut Random(kind as u64 + 1);
        let brushes: Vec<Brush> = (0..count).map(|_| kind.brush(random, [0.0; 3])).collect();
        rows.push(one_brush(effort, format!("one cast: {name}"), &brushes, NEAR, SIZE));
        if kind == Kind::TurnedBox {
            let name = format!("one cast: {name}, not in the cache");
            rows.push(one_brush(effort, name, &brushes, BRUSHES, SIZE));
        }
    }
    let mut real: Vec<Brush> = Vec::new();
    for (_, level) in scenes::levels() {
        real.extend(scenes::brushes(&level.world));
    }
    let random = &mut Random(9);
    let some = |_| real[random.below(real.len())].clone();
    if !real.is_empty() {
        let brushes: Vec<Brush> = (0..count).map(some).collect();
        let name = "one cast: brushes of levels".into();
        rows.push(one_brush(effort, name, &brushes, NEAR, LEVEL_SIZE));
    }
    rows
}

fn one_brush(effort: Effort, name: String, brushes: &[Brush], near: usize, size: [f32; 2]) -> Row {
    let all = alone(brushes);
    let only: Vec<&Brush> = all.iter().map(|&(.., brush)| brush).collect();
    let cases = towards(&only, near, size, &mut Random(17));
    let (mine, theirs) = (cylinder(size), peer::cylinder(size));
    let ours = |case: &Case| {
        let world = &all[case.brush].0;
        let hit = world.cast_cylinder(&mine, case.start, case.way, &BrushFilter::default());
        hit.expect("finite").map(|hit| hit.time_of_impact)
    };
    let peer = |case: &Case| all[case.brush].1.cast(&theirs, case.start, case.way);
    let grown = cylinder(size.map(|x| x + GRAZING));
    let grazes = |case: &Case| {
        let world = &all[case.brush].0;
        let hit = world.cast_cylinder(&grown, case.start, case.way, &BrushFilter::default());
        hit.expect("finite").is_some()
    };
    let missed = |case: &&Case| ours(case).is_none() && peer(case).is_some();
    let far = cases.iter().filter(missed).filter(|case| !grazes(case)).count();
    let note = differences(&cases, ours, peer) + &format!(" ({far} further than {GRAZING} off)");
    let ways = [
        counted("boxwood", &cases, |case| ours(case).is_some()),
        counted("parry3d", &cases, |case| peer(case).is_some()),
    ];
    Row { name, timed: in_turn(effort, ways), of: CHUNK, peer: Some("cast_shapes"), note }
}

/// Number of cases whose answers differ: hits of one side alone, and times that differ by more than
/// a thousandth of the displacement.
fn differences(
    cases: &[Case],
    ours: impl Fn(&Case) -> Option<f32>,
    peer: impl Fn(&Case) -> Option<f32>,
) -> String {
    let [mut only_ours, mut only_theirs, mut early, mut late] = [0; 4];
    for case in cases {
        match (ours(case), peer(case)) {
            (Some(a), Some(b)) => {
                early += usize::from(b < a - 1e-3);
                late += usize::from(b > a + 1e-3);
            }
            (Some(_), None) => only_ours += 1,
            (None, Some(_)) => only_theirs += 1,
            (None, None) => {}
        }
    }
    let of = cases.len();
    format!(
        "of {of}: peer early {early}, late {late}, only ours {only_ours}, only peer {only_theirs}"
    )
}

/// Times casts among many brushes, and in the shared levels.
pub fn among(effort: Effort) -> Vec<Row> {
    let mut rows = Vec::new();
    for count in [10, 1_000, 10_000] {
        let random = &mut Random(count as u64);
        let (brushes, half) = scenes::field(count, random);
        let start = |random: &mut Random| {
            Point3::from(std::array::from_fn(|_| random.between(-half, half) as f32))
        };
        let name = format!("one cast among {count} brushes");
        rows.push(in_world(effort, name, &scenes::world(&brushes), SIZE, start));
    }
    for (name, level) in scenes::levels() {
        let places = free_places(&level);
        if places.is_empty() {
            continue;
        }
        let start = |random: &mut Random| places[random.below(places.len())];
        let name = format!("one cast in {name}, {} brushes", level.world.len());
        rows.push(in_world(effort, name, &level.world, LEVEL_SIZE, start));
    }
    rows
}

/// Times casts of 0.1 to 8 units in any direction.
fn in_world(
    effort: Effort,
    name: String,
    world: &BrushWorld,
    size: [f32; 2],
    start: impl Fn(&mut Random) -> Point3<f32>,
) -> Row {
    let brushes = scenes::brushes(world);
    let others = World::new(&brushes);
    let queries = others.queries();
    let random = &mut Random(5);
    let mut case = |_| {
        let way = Vector3::from(random.direction()) * random.between(0.1, 8.0);
        Case { brush: 0, start: start(random), way: way.map(|x| x as f32) }
    };
    // A quarter of the usual number: the peer is slow here.
    let cases: Vec<Case> = (0..cases().min(CASES / 4)).map(&mut case).collect();
    let (mine, theirs) = (cylinder(size), peer::cylinder(size));
    let ours = |case: &Case| {
        let hit = world.cast_cylinder(&mine, case.start, case.way, &BrushFilter::default());
        hit.expect("finite").map(|hit| hit.time_of_impact)
    };
    let peer = |case: &Case| peer::cast(&queries, &theirs, case.start, case.way);
    let mut note = differences(&cases, ours, peer);
    if others.len() < brushes.len() {
        note += &format!(", {} brushes without a hull", brushes.len() - others.len());
    }
    let ways = [
        counted("boxwood", &cases, |case| ours(case).is_some()),
        counted("rapier3d", &cases, |case| peer(case).is_some()),
    ];
    let peer = Some("QueryPipeline::cast_shape");
    Row { name, timed: in_turn(effort, ways), of: CHUNK, peer, note }
}
