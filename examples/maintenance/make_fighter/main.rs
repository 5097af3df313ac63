//! Writes the fighter of the examples as a glTF file: `examples/fighter/fighter.glb`, or the path
//! of the first argument.
//!
//! Every example compiles that file in, including this one: if it is missing, create an empty file
//! first.

mod make;

use std::path::PathBuf;
use std::process::ExitCode;

use shared::{command_line, fighter};

const HELP: &str = "\
make_fighter: writes the fighter of the examples as a glTF file

cargo example make_fighter -- [FILE]

  FILE         where; without: examples/fighter/fighter.glb of this repository
  --help, -h   this";

fn main() -> ExitCode {
    match std::env::args().nth(1) {
        Some(word) if command_line::is_help(&word) => {
            println!("{HELP}");
            return ExitCode::SUCCESS;
        }
        Some(word) if word.starts_with('-') => {
            return command_line::exit("make_fighter", Err(command_line::unknown(&word)));
        }
        _ => {}
    }
    let usual = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fighter/fighter.glb");
    let path = std::env::args_os().nth(1).map_or_else(usual, PathBuf::from);
    let file = make::file();
    let written = std::fs::write(&path, &file);
    if written.is_ok() {
        println!("{}: {} bytes", path.display(), file.len());
    }
    command_line::exit(
        "make_fighter",
        written.map_err(|error| format!("{}: {error}", path.display())),
    )
}
