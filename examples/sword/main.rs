//! A sword against a body and a shield, between the ticks: what the blade passes through is found,
//! a swing hits once, the shield before the body behind it, and a miss says by how much.
//!
//! `cargo example sword`; `swings.rs` has the program. With `--table`, hits that other methods miss;
//! with `--svg FILE`, a picture of one tick.

mod armed_fighter;
mod methods;
mod motions;
mod picture;
mod swings;
mod table;

use std::error::Error;
use std::io::Write;
use std::process::ExitCode;

use shared::command_line;

const HELP: &str = "\
sword: a sword against a body and a shield: a swing hits once, the first thing on its way, also between two ticks

cargo example sword -- [--table] [--svg FILE]

  --table      instead: how many hits of a blade and of a kick are seen in poses at ticks, by one straight cast a tick, and by the
               swept query, at 30, 60 and 120 ticks a second; a table in Markdown
  --svg FILE   instead: a picture of one tick of a blade past an arm
  --help, -h   this

Four swings at a fighter who stands nearer each time, 2.3 m to 1.4 m, and the last once more at one with a shield: a line with the
part that is hit first, the time, the point in metres, and the knockback: the way on which the part struck leaves the blade, no more
than 60 degrees from the blade's motion; or one line that says by how much the swing misses. The same on every run.";

fn main() -> ExitCode {
    command_line::exit("sword", run())
}

fn run() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let first = words.next();
    match (first.as_deref(), words.next()) {
        (None, _) => swings::swings(),
        (Some(word), _) if command_line::is_help(word) => {
            Ok(writeln!(std::io::stdout(), "{HELP}")?)
        }
        (Some("--table"), None) => table::print(),
        (Some("--svg"), Some(file)) => {
            std::fs::write(&file, picture::draw()?).map_err(|error| format!("{file}: {error}"))?;
            Ok(())
        }
        (Some("--svg"), None) => Err("--svg needs a value".into()),
        (Some("--table"), Some(word)) => Err(command_line::unknown(&word).into()),
        (Some(word), _) => Err(command_line::unknown(word).into()),
    }
}
