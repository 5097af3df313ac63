//! A cylinder walks through a level of brushes: round corners of 60, 90 and 120 degrees with every
//! expansion of brushes, up stairs, down a ramp, through a low door; through light barriers that are
//! thinner than a frame's way; or at random through a map.
//!
//! `cargo example walk_brushes -- [FILE] [--out DIR] [--frames N] [--seed N]`

mod barriers;
mod corners;
mod drawing;
mod level;
mod overshoot;
mod pictures;
mod tour;

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use boxwood::load::{self, MapOptions};
use shared::{command_line, random, walks};

use corners::{Corner, MOVERS, Way};

const HELP: &str = "\
walk_brushes: a cylinder walks round corners, up stairs, down a ramp, through a low door and light barriers

cargo example walk_brushes -- [FILE] [FLAGS]

  --out DIR    writes pictures there: corners.svg, plan.svg, oblique.svg, and the level as level.map
  FILE, --map FILE
               walks at random through this map instead, from where players start; with --out: map.svg
  --frames N   frames of that walk; without: 3600
  --seed N     of its chance; without: 1
  --help, -h   this";

struct Arguments {
    out: Option<String>,
    map: Option<String>,
    frames: u32,
    seed: u64,
    help: bool,
}

fn arguments() -> Result<Arguments, String> {
    let mut read = Arguments { out: None, map: None, frames: 3600, seed: 1, help: false };
    let mut given = None;
    let mut words = std::env::args().skip(1);
    while let Some(flag) = words.next() {
        let mut value = || words.next().ok_or(format!("{flag} needs a value"));
        match flag.as_str() {
            "--out" => read.out = Some(value()?),
            "--map" => read.map = Some(value()?),
            "--frames" => read.frames = command_line::whole(&flag, &value()?, 1..=1_000_000)?,
            "--seed" => read.seed = command_line::whole(&flag, &value()?, 0..=u64::MAX)?,
            word if command_line::is_help(word) => read.help = true,
            file if !file.starts_with('-') => read.map = Some(file.to_owned()),
            _ => return Err(command_line::unknown(&flag)),
        }
        if flag == "--frames" || flag == "--seed" {
            given = Some(flag);
        }
    }
    match given.filter(|_| read.map.is_none() && !read.help) {
        Some(flag) => Err(format!("{flag} needs a map: FILE or --map FILE")),
        None => Ok(read),
    }
}

fn write(folder: &str, name: &str, text: &str) -> Result<(), String> {
    let refused = |error: std::io::Error| format!("{folder}: {error}");
    std::fs::create_dir_all(folder).map_err(refused)?;
    std::fs::write(Path::new(folder).join(name), text).map_err(refused)
}

fn print_corner(corner: &Corner, ways: &[Way]) -> Result<(), boxwood::Error> {
    let turn = corner.turn().to_degrees();
    println!("{}: opening {:.3} degrees, the way turns by {turn:.3}", corner.name, 180.0 - turn);
    println!("  mover       way m  expected  2Rs tan(f/2s)  frames  beyond m  overshoot m");
    let (exact, best) = (pictures::exact()?, MOVERS[5]);
    for (&mover, way) in MOVERS.iter().zip(ways) {
        let source = corner.parts(mover);
        let source = source.map_or("-".to_owned(), |s| format!("{:.4} s={s}", corner.source(s)));
        let over = match pictures::expansion(mover) {
            Some(_) => format!(
                "{:.4}",
                overshoot::at_corner((&exact, best), (&mover.world()?, mover), corner)?
            ),
            None => "-".to_owned(),
        };
        println!(
            "  {:10} {:6.4}  {:8.4}  {source:>13}  {:6.2}  {:8.4}  {over:>11}",
            mover.name(),
            way.length,
            corner.predicted(mover),
            way.frames(),
            way.beyond
        );
    }
    Ok(())
}

fn small_level(out: Option<&str>) -> Result<(), Box<dyn Error>> {
    let ways = pictures::ways()?;
    for (corner, ways) in &ways {
        print_corner(corner, ways)?;
    }
    let (exact, best) = (pictures::exact()?, MOVERS[5]);
    println!("2000 casts through the whole level: mean and greatest overshoot, planes and arcs");
    for mover in MOVERS {
        if let Some(expansion) = pictures::expansion(mover) {
            let world = mover.world()?;
            let [mean, most] = overshoot::in_level((&exact, best), (&world, mover), 2000)?;
            let [planes, arcs] = level::world(expansion)?.constraints();
            let name = mover.name();
            println!("  {name:10} {mean:8.5} m  {most:7.4} m  {planes:5}  {arcs:4}");
        }
    }
    let tour = tour::tour(&exact)?;
    println!("{tour}");
    println!("  places reached: {} of {}", tour.reached, tour::places());
    barriers::print(&exact)?;
    if let Some(out) = out {
        write(out, "corners.svg", &pictures::corners(&ways))?;
        write(out, "plan.svg", &pictures::plan(&exact, &tour, &ways))?;
        write(out, "oblique.svg", &pictures::oblique(&exact, &tour))?;
        write(out, "level.map", &level::map_text())?;
    }
    Ok(())
}

fn any_level(map: &str, arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let level = load::map(map, &MapOptions::quake().scale(level::SCALE))?;
    let [planes, arcs] = level.world.constraints();
    println!("{map}: {} solid brushes, {planes} planes, {arcs} arcs", level.world.len());
    println!("  warnings: {}", level.warnings.len());
    let start = level.spawns().find_map(|spawn| spawn.origin);
    let start = start.ok_or(format!("{map}: no place where players start"))?;
    let walk = walks::at_random(&level.world, start, arguments.frames, arguments.seed)?;
    println!("{walk}");
    if let Some(out) = &arguments.out {
        let name = Path::new(map).file_name().map_or(map.into(), |name| name.to_string_lossy());
        let title = format!("{name}: a random walk of {:.0} m from above", walk.length());
        write(out, "map.svg", &pictures::any_plan(&level.world, &walk, &title))?;
        write(out, "map_oblique.svg", &pictures::oblique(&level.world, &walk))?;
    }
    Ok(())
}

fn run() -> Result<(), Box<dyn Error>> {
    let arguments = arguments()?;
    if arguments.help {
        println!("{HELP}");
        return Ok(());
    }
    match &arguments.map {
        Some(map) => any_level(map, &arguments)?,
        None => small_level(arguments.out.as_deref())?,
    }
    if arguments.out.is_none() {
        println!("no picture is drawn: --out DIR says where, --help what else there is");
    }
    Ok(())
}

fn main() -> ExitCode {
    command_line::exit("walk_brushes", run())
}
