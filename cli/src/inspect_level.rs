//! The command `boxwood inspect` for levels.

use std::io::Write;
use std::path::Path;

use boxwood::load::{self, Level, MapOptions};

use crate::any_file::standard_input;
use crate::file_facts;
use crate::refusal::Refusal;
use crate::report::{self, InspectedLevel};

/// Loads the level of a map in metres; `scale` is the size of a unit in metres.
pub fn level(file: &Path, scale: f64) -> Result<Level, Refusal> {
    let options = MapOptions::quake().scale(scale);
    if standard_input::is_named(file) {
        let level = load::map_bytes(&standard_input::bytes(file)?, &options);
        return level.map_err(|error| match error {
            boxwood::Error::File { trouble, .. } => format!("standard input: {trouble}").into(),
            other => format!("standard input: {other}").into(),
        });
    }
    load::map(file, &options).map_err(|error| {
        let why = error.to_string();
        // Errors of the options, not of the file, do not name it.
        let named = matches!(error, boxwood::Error::File { .. });
        Refusal::File(if named { why } else { format!("{}: {why}", file.display()) })
    })
}

/// Warnings of the library as texts.
pub fn words(level: &Level) -> Vec<String> {
    level.warnings.iter().map(ToString::to_string).collect()
}

/// Prints a map as text or JSON.
pub fn tell(file: &Path, json: bool, out: &mut dyn Write) -> Result<(), Refusal> {
    let file_bytes = file_facts::size(file)?;
    let level = level(file, crate::walks::SCALE)?;
    let [planes, arcs] = level.world.constraints();
    let found = InspectedLevel {
        file: report::name(file),
        kind: "level",
        file_bytes,
        brushes: level.world.len(),
        planes,
        arcs,
        entities: level.entities.len(),
        bodies: level.bodies().count(),
        volumes: level.volumes.len(),
        starts: level.spawns().count(),
        warnings: words(&level),
    };
    match json {
        true => report::line(&found, out),
        false => Ok(text(&found, out)?),
    }
}

fn text(of: &InspectedLevel, out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(out, "{}: level, {} bytes", of.file, of.file_bytes)?;
    writeln!(
        out,
        "  brushes      {:>10} solid, {} planes, {} arcs",
        of.brushes, of.planes, of.arcs
    )?;
    writeln!(out, "  entities     {:>10}, {} of them may move", of.entities, of.bodies)?;
    writeln!(out, "  volumes      {:>10} that are not solid", of.volumes)?;
    writeln!(out, "  starts       {:>10} of players", of.starts)?;
    file_facts::warnings(&of.warnings, out)
}
