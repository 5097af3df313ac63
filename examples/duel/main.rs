//! Two characters fight. For every frame: touching parts, points and depths; an effect at each
//! point; both pushed apart along the ground. At the end: the blows.

mod arguments;
mod caption;
mod dump;
mod output;
mod picture;
mod script;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use shared::{any_file, command_line as flags, fight, fighter, progress_bar as bar};

use arguments::{Arguments, HELP};
use fight::cast::Fighter;
use fight::story;
use fight::trouble::Trouble;
use output::Outputs;

fn main() -> ExitCode {
    flags::exit("duel", run(std::env::args().skip(1), &mut BufWriter::new(io::stdout().lock())))
}

fn run(words: impl Iterator<Item = String>, terminal: &mut dyn Write) -> Result<(), Trouble> {
    let arguments = Arguments::read(words).map_err(Trouble::Flags)?;
    if arguments.help {
        return writeln!(terminal, "{HELP}").map_err(Trouble::Terminal);
    }
    let cast = script::cast(&arguments).map_err(Trouble::Cast)?;
    for note in Fighter::all_notes(&cast) {
        eprintln!("duel: {note}");
    }
    let mut outputs = Outputs::open(&arguments)?;
    let summary = script::fought(&arguments, &cast, &mut outputs, terminal)?;
    outputs.close()?;
    story::ending(arguments.details, &cast, &summary, terminal).map_err(Trouble::Terminal)?;
    // Times differ from run to run, so they go to the error stream.
    story::timings(arguments.rules.depth, &summary.times, &mut io::stderr())
        .map_err(Trouble::Terminal)
}
