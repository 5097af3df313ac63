//! A sword against a body and a shield, between the ticks: what the blade passes through is found,
//! a swing hits once, the shield before the body behind it, and a miss says by how much.
//!
//! `cargo example sword -- [FILE]`; `swings.rs` has the program. With `--table`, hits that other methods miss;
//! with `--svg FILE`, a picture of one tick.

mod armed_fighter;
mod methods;
mod motions;
mod picture;
mod swings;
mod table;
mod target;

use std::error::Error;
use std::io::Write;
use std::process::ExitCode;

use shared::command_line;

const HELP: &str = "\
sword: a sword against a body and a shield: a swing hits once, the first thing on its way, also between two ticks

cargo example sword -- [FILE | --table | --svg FILE]

  FILE         a character, .glb, .gltf, .urdf, .xml (MJCF), .bvh, .amc (with .asf), .obj, .stl, that is swung at in its first clip, scaled
               to the fighter's height, a long one further off; without: the fighter of the examples in his guard
  --table      instead: how many hits of a blade and of a kick are seen in poses at ticks, by one straight cast a tick, and by the
               swept query, at 30, 60 and 120 ticks a second; a table in Markdown
  --svg FILE   instead: a picture of one tick of a blade past an arm
  --help, -h   this

Four swings at somebody who stands nearer each time, 2.3 m to 1.4 m, and the last once more with a shield before him: a line with the
part that is hit first, the time, the point in metres, and the knockback: the way on which the part struck leaves the blade, no more
than 60 degrees from the blade's motion; or one line that says by how much the swing misses. The same on every run.";

fn main() -> ExitCode {
    command_line::exit("sword", run())
}

fn run() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let first = words.next();
    match (first.as_deref(), words.next()) {
        (None, _) => swings::swings(None),
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
        (Some(flag), _) if flag.starts_with('-') => Err(command_line::unknown(flag).into()),
        (file, None) => swings::swings(file),
        (Some(_), Some(word)) => Err(format!("one FILE, not also '{word}'").into()),
    }
}
