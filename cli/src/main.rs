//! The command-line tool of the library `boxwood`.

use std::process::ExitCode;

fn main() -> ExitCode {
    boxwood_cli::run(std::env::args_os())
}
