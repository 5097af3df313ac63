//! Levels of brushes beside parry3d 0.31 and rapier3d 0.36: casts of an upright cylinder, walkers,
//! and building; then a table of what walkers do.
//!
//! Both sides compute in single precision unless a row says double; y is up. Casts against one
//! brush: 4,096 different brushes, 131,072 casts a row, 4,096 a round, those of a round at 128
//! brushes in turn; among many brushes: 32,768 casts. In scenes for walkers, each round has 16 new
//! walkers at random starts, which settle outside the clock. Both sides get the same data round by
//! round, in turn; a ratio is the median of the ratios of the rounds. Real levels are those of the
//! folder `levels` in `BOXWOOD_DATA`.
//!
//! The peers have their defaults. Brushes that are boxes along the axes are cuboids in the peer,
//! others convex hulls; its tree of colliders is optimized in eight steps before it is used.

#[path = "../support/mod.rs"]
mod support;

#[path = "../speed/alternating.rs"]
mod alternating;
mod behaviour;
mod builds;
mod casts;
mod crowd;
mod movers;
mod peer;
mod scenes;
#[allow(dead_code)] // the machine and the units of times alone
#[path = "../speed/table.rs"]
mod speed_table;
mod table;
mod walks;

use std::fs::File;
use std::io::{self, Write};
use std::process::ExitCode;

use alternating::Effort;
use behaviour::Line;
use serde_json::json;
use speed_table::Machine;
use support::asked::Asked;
use support::measure::trying;
use table::Row;

const HELP: &str = "\
levels: brushes and walkers beside parry3d 0.31 and rapier3d 0.36, in one thread

cargo measure levels -- [--quick] [--json FILE] [WORD]...

  --quick      few rounds: to see that it works
  --json FILE  writes the tables as JSON, too
  WORD         only sections that have it in their name: one, many, walks, walkers, each other, builds, behaviour
  --help       says this

Real levels are read from the folder that BOXWOOD_DATA names; without it, their rows are left out. 'ratio' is the median
of the peer's time over ours, round by round. Of casts, answers are hits, and notes say how many of all differ: hits of one
side alone, and times by more than a thousandth of the way. Of walks, answers are moves that did what is due: at rest, not
one bit differs; else nine tenths or more of the advance.";

fn main() -> ExitCode {
    match run(std::env::args().skip(1), &mut io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(trouble) => {
            eprintln!("levels: {trouble}");
            ExitCode::from(2)
        }
    }
}

fn run(words: impl Iterator<Item = String>, terminal: &mut dyn Write) -> Result<(), String> {
    let asked = Asked::read(words)?;
    let said = |error: io::Error| error.to_string();
    if asked.help {
        return writeln!(terminal, "{HELP}").map_err(said);
    }
    let (effort, machine) = (Effort::new(asked.quick), Machine::here());
    // The file is created before the work, which takes minutes: a bad path fails at once.
    let file = match &asked.json {
        Some(name) => Some(File::create(name).map_err(|error| format!("{name}: {error}"))?),
        None => None,
    };
    let Machine { processor, system, cores, level, .. } = &machine;
    writeln!(terminal, "{processor}, {cores} cores, {system}; boxwood uses {level}")
        .map_err(said)?;
    let rows = rows(&asked, effort);
    if !rows.is_empty() {
        table::print(terminal, &rows).map_err(said)?;
    }
    let lines = lines(&asked);
    if !lines.is_empty() {
        writeln!(terminal).and_then(|()| behaviour::print(terminal, &lines)).map_err(said)?;
    }
    let Some(mut file) = file else { return Ok(()) };
    let text = json!({
        "peers": ["parry3d 0.31.1", "rapier3d 0.36"],
        "machine": { "processor": processor, "system": system, "cores": cores, "level": level },
        "answers_of_rounds": effort.counted,
        "rows": rows.iter().map(Row::json).collect::<Vec<_>>(),
        "behaviour": lines.iter().map(Line::json).collect::<Vec<_>>(),
    });
    writeln!(file, "{text:#}").map_err(said)
}

fn rows(asked: &Asked, effort: Effort) -> Vec<Row> {
    let mut rows = Vec::new();
    if asked.wants("casts at one brush") {
        rows.extend(casts::single(effort));
    }
    if asked.wants("casts among many brushes") {
        rows.extend(casts::among(effort));
    }
    if asked.wants("walks") {
        rows.extend(walks::rows(effort));
    }
    if asked.wants("1,000 walkers") {
        rows.extend(crowd::rows(effort, 1_000));
    }
    if asked.wants("walkers among each other") {
        rows.extend(crowd::among_each_other(effort, 500, 0.9));
    }
    if asked.wants("builds") {
        rows.extend(builds::rows(effort, 4_000));
    }
    rows
}

fn lines(asked: &Asked) -> Vec<Line> {
    match asked.wants("behaviour") {
        true => behaviour::lines(asked.quick || trying()),
        false => Vec::new(),
    }
}
