//! The command `boxwood walk`: an upright cylinder walks at random through a level.

use std::io::Write;

use boxwood::nalgebra::Point3;

use crate::any_file;
use crate::arguments::WalkMap;
use crate::inspect_level;
use crate::refusal::Refusal;
use crate::report::{self, Walked};
use crate::walks;

/// Loads the level, and walks.
pub fn run(asked: &WalkMap, json: bool, out: &mut dyn Write) -> Result<(), Refusal> {
    any_file::check_ending(&asked.map, &["map"])?;
    let map = asked.map.display();
    let level = inspect_level::level(&asked.map, asked.scale)?;
    let [planes, arcs] = level.world.constraints();
    let start = asked.from.map(Point3::from);
    let start = start.or_else(|| level.spawns().find_map(|spawn| spawn.origin));
    let start = start
        .ok_or_else(|| format!("{map}: the map has no player start; set a start with --from"))?;
    let walk = walks::at_random(&level.world, start, asked.frames, asked.seed);
    let walk = walk.map_err(|error| format!("{map}: at the start {start}: {error}"))?;
    if json {
        let walked = Walked {
            file: report::name(&asked.map),
            brushes: level.world.len(),
            planes,
            arcs,
            seed: asked.seed,
            frames: walk.frames(),
            length: walk.length(),
            steps: walk.steps,
            airborne: walk.airborne,
            casts: walk.casts,
            path: walk.points.iter().map(|point| [point.x, point.y, point.z]).collect(),
            warnings: inspect_level::words(&level),
        };
        return report::line(&walked, out);
    }
    if asked.path {
        for (tick, at) in walk.points.iter().enumerate() {
            writeln!(out, "{tick:>7} {:>10.4} {:>10.4} {:>10.4}", at.x, at.y, at.z)?;
        }
    }
    writeln!(out, "{map}: {} solid brushes, {planes} planes, {arcs} arcs", level.world.len())?;
    writeln!(out, "  warnings: {}", level.warnings.len())?;
    Ok(writeln!(out, "{walk}")?)
}
