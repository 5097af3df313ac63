//! Two rectangles and two boxes turn, red while they collide, blue while they are apart: an animated SVG.
//!
//! `cargo run --release --example rotating_boxes -- --out FILE [--tick N]`; with a tick, that frame alone.

mod plane;
mod space;
mod svg;

use std::process::ExitCode;

/// After so many ticks both pictures repeat.
const PERIOD: u32 = 180;

/// The runs of ticks, of one period counted from 1, for which `red` holds.
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

/// The file to write and the one tick to draw, if only one.
fn arguments() -> Result<(String, Option<u32>), String> {
    let (mut out, mut only) = (None, None);
    let mut given = std::env::args().skip(1);
    while let Some(name) = given.next() {
        let value = given.next().ok_or(format!("{name} needs a value"))?;
        match name.as_str() {
            "--out" => out = Some(value),
            "--tick" => {
                let tick = value.parse().ok().filter(|tick| (1..=PERIOD).contains(tick));
                only = Some(tick.ok_or_else(|| format!("no tick from 1 to {PERIOD}: {value}"))?);
            }
            _ => return Err(format!("unknown: {name}")),
        }
    }
    Ok((out.ok_or("--out FILE is missing")?, only))
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let (out, only) = arguments()?;
    for tick in 1..=PERIOD {
        // Whatever is wrong with a box is said before anything is drawn.
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
    let ticks = only.map_or((1..=PERIOD).collect(), |tick| vec![tick]);
    std::fs::write(out, svg::picture(&ticks)?)?;
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("rotating_boxes: {error}");
            ExitCode::FAILURE
        }
    }
}
