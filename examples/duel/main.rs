//! The main job: two characters fight. Every frame: which parts touch, where and how deep; an effect at the
//! point; both pushed apart by normal and depth.

#[path = "../any/mod.rs"]
mod any;
mod arguments;
#[path = "../bar/mod.rs"]
mod bar;
mod cast;
#[path = "../fighter/mod.rs"]
mod fighter;
#[path = "../flags/mod.rs"]
mod flags;
mod json;
mod output;
mod picture;
mod play;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use arguments::{Arguments, HELP};
use cast::Fighter;
use output::Outputs;

fn main() -> ExitCode {
    flags::exit("duel", run(std::env::args().skip(1), &mut BufWriter::new(io::stdout().lock())))
}

fn run(words: impl Iterator<Item = String>, terminal: &mut dyn Write) -> Result<(), String> {
    let arguments = Arguments::read(words)?;
    if arguments.help {
        return writeln!(terminal, "{HELP}").map_err(|error| error.to_string());
    }
    let cast = Fighter::cast(&arguments)?;
    warn(&cast);
    let mut outputs = Outputs::open(&arguments)?;
    let summary = play::fight(&arguments, &cast, &mut outputs, terminal)?;
    outputs.close()?;
    summary.print(terminal).and_then(|()| terminal.flush()).map_err(|error| error.to_string())?;
    let (mean, median) = summary.microseconds();
    eprintln!("microseconds a frame     {mean:>10.1} (median {median:.1}): snapshot and query");
    Ok(())
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
