//! The main job: two characters fight. Every frame: which parts touch, where and how deep; an
//! effect at the point; both pushed apart along the ground. Then the blows: who hit whom.

#[path = "../any_file/mod.rs"]
mod any;
mod arena;
mod arguments;
#[path = "../progress_bar/mod.rs"]
mod bar;
mod blow;
mod caption;
mod cast;
#[path = "../fighter/mod.rs"]
mod fighter;
#[path = "../command_line/mod.rs"]
mod flags;
mod json;
mod output;
mod picture;
mod play;
mod story;
mod trouble;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use arguments::{Arguments, HELP};
use cast::Fighter;
use output::Outputs;
use play::Summary;
use trouble::Trouble;

fn main() -> ExitCode {
    flags::exit("duel", run(std::env::args().skip(1), &mut BufWriter::new(io::stdout().lock())))
}

fn run(words: impl Iterator<Item = String>, terminal: &mut dyn Write) -> Result<(), Trouble> {
    let arguments = Arguments::read(words).map_err(Trouble::Flags)?;
    if arguments.help {
        return writeln!(terminal, "{HELP}").map_err(Trouble::Terminal);
    }
    let cast = Fighter::cast(&arguments).map_err(Trouble::Cast)?;
    warn(&cast);
    let mut outputs = Outputs::open(&arguments)?;
    let summary = play::fight(&arguments, &cast, &mut outputs, terminal)?;
    outputs.close()?;
    tell(&arguments, &cast, &summary, terminal).map_err(Trouble::Terminal)?;
    // Times differ from run to run: they go to the error stream.
    story::timings(&arguments, &summary.times, &mut io::stderr()).map_err(Trouble::Terminal)
}

/// How the fight went.
fn tell(
    arguments: &Arguments,
    cast: &[Fighter; 2],
    summary: &Summary,
    terminal: &mut dyn Write,
) -> io::Result<()> {
    if arguments.details && summary.hits > 0 {
        writeln!(terminal)?;
    }
    story::blows(cast, summary, terminal)?;
    summary.print(cast, terminal)?;
    summary.level.as_ref().map_or(Ok(()), |level| level.print(cast, terminal))?;
    terminal.flush()
}

/// What files could not say, once where both have it.
fn warn(cast: &[Fighter; 2]) {
    let [red, blue] = cast.each_ref().map(Fighter::notes);
    for note in &red {
        let whose = if blue.contains(note) { "red and blue" } else { cast[0].name };
        eprintln!("duel: {whose}: {note}");
    }
    for note in blue.iter().filter(|note| !red.contains(note)) {
        eprintln!("duel: {}: {note}", cast[1].name);
    }
}
