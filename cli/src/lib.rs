//! The command-line tool `boxwood`: inspects, compares, checks, bakes, draws and shows files of
//! characters, robots and levels, and lets characters fight.
//!
//! A command parses its arguments ([`arguments`]), loads files with a progress bar, and writes text
//! or JSON ([`report`]) to a given output; [`run`] converts refusals to exit codes. The modules
//! [`any_file`], [`drawing`], [`fight`], [`figures`], [`random`], [`samples`] and [`walks`] need
//! only the library: the repository's examples have them from the crate `examples/shared`, which
//! includes the same files.

pub mod any_file;
pub mod arguments;
pub mod drawing;
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
mod diff;
mod duel;
mod edges;
mod file_facts;
mod file_items;
mod inspect;
mod inspect_level;
mod level_items;
mod matrix;
mod picture;
mod robots;
mod rows;
mod solid_picture;
mod view;
mod walk;
mod write_srdf;

use std::ffi::OsString;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

use arguments::{Arguments, Command};
use refusal::Refusal;

/// Runs the command in the words, of which the first is the program's name. Returns the exit code:
/// 0, 1 if a file or an output is refused, 2 for a wrong command line. `diff` has its own: 1 if the
/// files differ, 2 if one is refused.
pub fn run(words: impl IntoIterator<Item = OsString>) -> ExitCode {
    let parsed = command().try_get_matches_from(words);
    let arguments = match parsed.and_then(|matches| Arguments::from_arg_matches(&matches)) {
        Ok(arguments) => arguments,
        // Help and version arrive here too and are no errors: clap knows the stream and the code.
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
            // Earlier output belongs to the answer; a second failure, of the flush, is not
            // reported.
            let _ = out.flush();
            refusal.tell()
        }
    }
}

/// Returns the commands with their flags. A number below zero is the value of the flag before it,
/// and not a flag: the error then says which values the flag takes.
fn command() -> clap::Command {
    let numbers = |flag: clap::Arg| match flag.get_action().takes_values() {
        true if !flag.is_positional() => flag.allow_negative_numbers(true),
        _ => flag,
    };
    Arguments::command().mut_subcommands(|command| command.mut_args(numbers))
}

/// Runs a command; writes the answer to `out`.
fn carry_out(arguments: &Arguments, out: &mut dyn Write) -> Result<(), Refusal> {
    let json = arguments.json;
    match &arguments.command {
        Command::Inspect(asked) => inspect::run(asked, json, out),
        Command::Check(asked) => check::run(asked, json, out),
        Command::Matrix(asked) => matrix::run(asked, json, out),
        Command::Edges(asked) => edges::run(asked, json, out),
        Command::Bake(asked) => bake::run(asked, json, out),
        Command::Duel(asked) => duel::run(asked, json, out),
        Command::Diff(asked) => diff::run(asked, json, out),
        Command::Picture(asked) => picture::run(asked, json, out),
        Command::View(asked) => view::run(asked, json, out),
        Command::Walk(asked) => walk::run(asked, json, out),
        Command::Completions { shell } => {
            // Buffered in memory, because the generator panics when writing fails.
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut command(), "boxwood", &mut script);
            Ok(out.write_all(&script)?)
        }
    }
}
