//! Behaviour of walkers, side by side: positions at rest, advance, and stairs.

use std::collections::BTreeSet;
use std::io::{self, Write};

use boxwood::nalgebra::Point3;
use serde_json::{Value, json};

use crate::movers::{Mover, Ours, Theirs};
use crate::peer::World;
use crate::scenes::{self, Due, Scene};
use crate::support::random::Random;

/// A line of the table: a scene, a measure, and the value of each side.
pub struct Line {
    scene: String,
    values: [String; 3],
}

/// Sides, in the order of the values.
const SIDES: [&str; 3] = ["rapier3d 0.36, f32", "boxwood, f32", "boxwood, f64"];

/// Ticks at rest; positions count after the first 600.
const TICKS: usize = 3_600;
const SETTLING: usize = 600;

/// Returns all positions of a walker, the start first.
fn path(scene: &Scene, mut mover: impl Mover, ticks: usize) -> Vec<Point3<f64>> {
    let mut places = vec![mover.place()];
    for _ in 0..ticks {
        mover.tick(scene.wish);
        places.push(mover.place());
    }
    places
}

/// Returns the paths of all sides from one start.
fn paths(scene: &Scene, start: Point3<f64>, ticks: usize, rate: f64) -> [Vec<Point3<f64>>; 3] {
    let (world, others) = (scenes::world(&scene.brushes), World::new(&scene.brushes));
    let queries = others.queries();
    let mut theirs = Theirs::new(&queries, scene.step, start);
    theirs.controller.tick = (1.0 / rate) as f32;
    [
        path(scene, theirs, ticks),
        path(scene, Ours::<f32>::new(&world, scene.step, start), ticks),
        path(scene, Ours::<f64>::new(&world, scene.step, start), ticks),
    ]
}

fn bits(place: &Point3<f64>) -> [u64; 3] {
    [place.x, place.y, place.z].map(f64::to_bits)
}

fn range(values: impl Iterator<Item = f64>) -> [f64; 2] {
    values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)])
}

/// Number of distinct positions and range of heights at rest, the worst of some starts.
fn resting(scene: &Scene, starts: usize) -> Line {
    let random = &mut Random(61);
    let (mut most, mut drift) = ([0; 3], [0.0f64; 3]);
    for _ in 0..starts {
        let paths = paths(scene, scene.start(random), TICKS, 60.0);
        for (side, path) in paths.iter().enumerate() {
            let last = &path[SETTLING + 1..];
            most[side] = most[side].max(last.iter().map(bits).collect::<BTreeSet<_>>().len());
            let [low, high] = range(last.iter().map(|place| place.y));
            drift[side] = drift[side].max(high - low);
        }
    }
    let value = |side: usize| format!("{} places, heights within {:.1e}", most[side], drift[side]);
    let last = TICKS - SETTLING;
    let scene = format!("{}: last {last} of {TICKS} ticks, worst of {starts}", scene.name);
    Line { scene, values: [0, 1, 2].map(value) }
}

/// Advance in a tick, ticks below nine tenths of it, and range of heights, after the first ticks.
fn advancing(scene: &Scene, ticks: usize) -> Line {
    const FIRST: usize = 30;
    let Due::Along(due) = scene.due else { unreachable!("a scene to walk in") };
    let start = scene.start(&mut Random(67));
    let paths = paths(scene, start, ticks, 60.0);
    let value = |side: usize| {
        let path: &[Point3<f64>] = &paths[side][FIRST..];
        let steps = || path.windows(2).map(|pair| pair[1].x - pair[0].x);
        let [low, high] = range(steps());
        let slow = steps().filter(|&step| step < 0.9 * due).count();
        let [bottom, top] = range(path.iter().map(|place| place.y));
        format!("{low:.5} to {high:.5}, {slow} slow, heights within {:.1e}", top - bottom)
    };
    let scene = format!("{}: {due} a tick, {} ticks", scene.name, ticks - FIRST);
    Line { scene, values: [0, 1, 2].map(value) }
}

/// Ticks without progress on the way up ten steps, and ticks lost against a free walk.
fn climbing(rate: f64) -> Line {
    let scene = Scene::stairs(10, rate);
    let start = Point3::new(-1.5, f64::from(scenes::SIZE[1]) + 0.03, 0.1);
    let (advance, goal) = (scene.wish.x, 4.0);
    let free = ((goal - start.x) / advance).ceil() as usize;
    let paths = paths(&scene, start, 3 * free, rate);
    let value = |side: usize| {
        let path: &[Point3<f64>] = &paths[side];
        let arrived = path.iter().position(|place| place.x >= goal - 0.5 * advance);
        let way = &path[..=arrived.unwrap_or(path.len() - 1)];
        let still = way.windows(2).filter(|pair| pair[1].x - pair[0].x < 0.1 * advance).count();
        match arrived {
            Some(tick) => format!("{still} without progress, {} late", tick.saturating_sub(free)),
            None => format!("{still} without progress, stuck at x = {:.2}", way[way.len() - 1].x),
        }
    };
    let name = format!("up ten steps of 0.3 at {rate} Hz: ticks of {free}");
    Line { scene: name, values: [0, 1, 2].map(value) }
}

pub fn lines(quick: bool) -> Vec<Line> {
    let starts = if quick { 1 } else { 8 };
    let mut lines = vec![
        resting(&Scene::rest(false), starts),
        resting(&Scene::rest(true), starts),
        resting(&Scene::corner(), starts),
        advancing(&Scene::flat(0.02), 630),
        advancing(&Scene::flat(0.05), 630),
        advancing(&Scene::tiles(), 1_030),
    ];
    lines.extend([60.0, 120.0, 240.0, 360.0, 1000.0].map(climbing));
    lines
}

impl Line {
    pub fn json(&self) -> Value {
        let [peer, single, double] = &self.values;
        let scene = &self.scene;
        json!({ "scene": scene, "rapier3d": peer, "boxwood f32": single, "boxwood f64": double })
    }
}

/// Prints the lines below each other.
pub fn print(terminal: &mut dyn Write, lines: &[Line]) -> io::Result<()> {
    let wide = |text: &str| text.chars().count();
    let first = lines.iter().map(|line| wide(&line.scene)).max().unwrap_or(0);
    let widths = [0, 1, 2].map(|side| {
        let values = lines.iter().map(|line| wide(&line.values[side]));
        values.chain([wide(SIDES[side])]).max().unwrap_or(0)
    });
    let mut row = |scene: &str, [a, b, c]: [&str; 3]| {
        let [x, y, z] = widths;
        writeln!(terminal, "{scene:<first$} | {a:<x$} | {b:<y$} | {c:<z$}")
    };
    row("scene", SIDES)?;
    for line in lines {
        row(&line.scene, [0, 1, 2].map(|side| line.values[side].as_str()))?;
    }
    Ok(())
}
