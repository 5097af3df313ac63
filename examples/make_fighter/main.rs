//! Writes the fighter of the examples as a glTF file: `examples/fighter/fighter.glb`, or where the first argument says.
//!
//! The examples compile that file in, this one too: without one, put an empty file there first.

#[path = "../fighter/mod.rs"]
mod fighter;
mod make;

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let usual = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("examples/fighter/fighter.glb");
    let path = std::env::args_os().nth(1).map_or_else(usual, PathBuf::from);
    let file = make::file();
    match std::fs::write(&path, &file) {
        Ok(()) => {
            println!("{}: {} bytes", path.display(), file.len());
            ExitCode::SUCCESS
        }
        Err(trouble) => {
            eprintln!("make_fighter: {}: {trouble}", path.display());
            ExitCode::from(2)
        }
    }
}
