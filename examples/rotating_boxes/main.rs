//! Animated SVG of two rotating rectangles and two rotating boxes, red while they collide, blue
//! while they are disjoint; a square shows the axis that separates the boxes.
//!
//! `cargo example rotating_boxes -- [--out FILE] [--tick N]`; with a tick, only
//! that frame.

mod plane;
mod space;
mod svg;

use std::process::ExitCode;

use shared::command_line;

const HELP: &str = "\
rotating_boxes: two rectangles and two boxes turn, red while they collide, blue while they are apart

cargo example rotating_boxes -- [FLAGS]

  --out FILE   an animated SVG of both, which any browser shows; without: only on which of 180 ticks they collide
  --tick N     draws that tick alone, 1 to 180; without: all
  --help, -h   this";

/// Number of ticks after which both pictures repeat.
const PERIOD: u32 = 180;

/// Runs of ticks, of one period counted from 1, for which `red` returns `true`.
fn runs(red: impl Fn(u32) -> bool) -> Vec<[u32; 2]> {
    let mut runs: Vec<[u32; 2]> = Vec::new();
    for tick in (1..=PERIOD).filter(|&tick| red(tick)) {
        match runs.last_mut() {
            Some([_, last]) if *last + 1 == tick => *last = tick,
            _ => runs.push([tick, tick]),
        }
    }
    runs
}

fn listed(runs: &[[u32; 2]]) -> String {
    runs.iter().map(|[from, to]| format!("{from}-{to}")).collect::<Vec<_>>().join(", ")
}

/// Output file, and the only tick to draw, if given.
#[derive(Default)]
struct Arguments {
    out: Option<String>,
    only: Option<u32>,
    help: bool,
}

fn arguments() -> Result<Arguments, String> {
    let mut read = Arguments::default();
    let mut words = std::env::args().skip(1);
    while let Some(flag) = words.next() {
        let mut value = || words.next().ok_or(format!("{flag} needs a value"));
        match flag.as_str() {
            "--out" => read.out = Some(value()?),
            "--tick" => read.only = Some(command_line::whole(&flag, &value()?, 1..=PERIOD.into())?),
            word if command_line::is_help(word) => read.help = true,
            _ => return Err(command_line::unknown(&flag)),
        }
    }
    if read.only.is_some() && read.out.is_none() && !read.help {
        return Err("--tick needs --out".to_owned());
    }
    Ok(read)
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let Arguments { out, only, help } = arguments()?;
    if help {
        println!("{HELP}");
        return Ok(());
    }
    for tick in 1..=PERIOD {
        // An invalid box is reported before any output.
        plane::rectangles(tick)?;
        space::boxes(tick)?;
    }
    let in_plane = runs(|tick| plane::rectangles(tick).is_ok_and(|[a, b]| plane::touch(&a, &b)));
    let in_space = runs(|tick| space::boxes(tick).is_ok_and(|[a, b]| a.intersects(&b)));
    let apart = |tick: &u32| !in_plane.iter().any(|[from, to]| (from..=to).contains(&tick));
    let gaps = (1..=PERIOD).filter(apart).filter_map(|tick| {
        let [a, b] = plane::rectangles(tick).ok()?;
        Some((plane::gap(&a, &b), tick))
    });
    println!("rectangles collide on ticks {} of {PERIOD}", listed(&in_plane));
    if let Some((gap, tick)) = gaps.min_by(|a, b| a.0.total_cmp(&b.0)) {
        println!("their nearest miss is at tick {tick}: {gap:.4} apart");
    }
    println!("boxes collide on ticks {} of {PERIOD}", listed(&in_space));
    // The boxes along the axes around them overlap more often, at times without a collision.
    let around = |tick| space::boxes(tick).map(|both| both.map(|one| one.aabb()));
    let aligned = runs(|tick| around(tick).is_ok_and(|[a, b]| a.intersects(&b)));
    let regions = (1..=PERIOD).filter_map(|tick| {
        let [a, b] = around(tick).ok()?;
        Some((a.intersection(&b)?.volume(), tick))
    });
    println!("their AABBs overlap on ticks {}", listed(&aligned));
    if let Some((volume, tick)) = regions.max_by(|a, b| a.0.total_cmp(&b.0)) {
        println!("the largest region of overlap is at tick {tick}: a volume of {volume:.0}");
    }
    let ticks = only.map_or((1..=PERIOD).collect(), |tick| vec![tick]);
    match out {
        Some(out) => {
            std::fs::write(&out, svg::picture(&ticks)?).map_err(|e| format!("{out}: {e}"))?
        }
        None => println!("no picture is drawn: --out FILE says where, --help what else there is"),
    }
    Ok(())
}

fn main() -> ExitCode {
    command_line::exit("rotating_boxes", run())
}
