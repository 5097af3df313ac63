//! The command-line tool `boxwood`: files of characters, robots and levels looked at, checked,
//! baked, shown, and set against each other.
//!
//! A command reads its arguments ([`arguments`]), loads files with a progress bar, and writes text
//! or JSON ([`report`]) to a given output; [`run`] turns refusals into exit codes. The modules
//! [`any_file`], [`fight`], [`figures`], [`random`], [`samples`] and [`walks`] need nothing but the
//! library: the repository's examples include the same files.

pub mod any_file;
pub mod arguments;
pub mod fight;
pub mod figures;
pub mod random;
pub mod refusal;
pub mod report;
pub mod samples;
pub mod walks;

mod bake;
mod bar;
mod check;
mod duel;
mod inspect;
mod inspect_level;
mod view;
mod walk;
mod write_srdf;

use std::ffi::OsString;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use arguments::{Arguments, Command};
use refusal::Refusal;

/// Runs the command that the words ask for, the program's own name first, and says how it went: 0,
/// 1 for what a file or an output refuses, 2 for words that are no command.
pub fn run(words: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments = match Arguments::try_parse_from(words) {
        Ok(arguments) => arguments,
        // Also help and the version, which are no errors: clap knows the stream and the code.
        Err(told) => {
            let _ = told.print();
            return ExitCode::from(u8::try_from(told.exit_code()).unwrap_or(2));
        }
    };
    let mut out = BufWriter::new(io::stdout().lock());
    let done = carry_out(&arguments, &mut out).and_then(|()| Ok(out.flush()?));
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(refusal) => {
            // What was written before belongs to the answer; it can not be told any more that this
            // fails, too.
            let _ = out.flush();
            refusal.tell()
        }
    }
}

/// Runs a command; the answer goes to `out`.
fn carry_out(arguments: &Arguments, out: &mut dyn Write) -> Result<(), Refusal> {
    let json = arguments.json;
    match &arguments.command {
        Command::Inspect(asked) => inspect::run(asked, json, out),
        Command::Check(asked) => check::run(asked, json, out),
        Command::Bake(asked) => bake::run(asked, json, out),
        Command::Duel(asked) => duel::run(asked, json, out),
        Command::View(asked) => view::run(asked, json, out),
        Command::Walk(asked) => walk::run(asked, json, out),
        Command::Completions { shell } => {
            // Through memory: the generator panics where it can not write.
            let mut script = Vec::new();
            let mut command = Arguments::command();
            clap_complete::generate(*shell, &mut command, "boxwood", &mut script);
            Ok(out.write_all(&script)?)
        }
    }
}
