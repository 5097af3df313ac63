//! Shared command-line code of the examples: help, numbers within a range, exit codes.

use std::fmt::Display;
use std::io::Write;
use std::ops::RangeInclusive;
use std::process::ExitCode;

/// Returns `true` if a word asks for help.
pub fn is_help(word: &str) -> bool {
    word == "--help" || word == "-h"
}

/// Error for a flag that an example does not have.
pub fn unknown(flag: &str) -> String {
    format!("unknown flag '{flag}'; --help lists them")
}

/// Parses a whole number within `range`, both ends included.
pub fn whole<N: TryFrom<u64>>(
    flag: &str,
    text: &str,
    range: RangeInclusive<u64>,
) -> Result<N, String> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.and_then(|number| N::try_from(number).ok()).ok_or_else(|| {
        let ends = match (*range.start(), *range.end()) {
            (least, u64::MAX) => format!("of at least {least}"),
            (least, most) => format!("from {least} to {most}"),
        };
        format!("{flag} can not be '{text}': it takes a whole number {ends}")
    })
}

/// Parses a finite number that is at least `least`; minus infinity accepts any.
pub fn decimal(flag: &str, text: &str, least: f64) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number >= least);
    number.ok_or_else(|| {
        let ends = if least.is_finite() { format!(" of at least {least}") } else { String::new() };
        format!("{flag} can not be '{text}': it takes a finite number{ends}")
    })
}

/// Exit code of an example: 0, or 2 after printing a line with the error.
pub fn exit(example: &str, result: Result<(), impl Display>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(trouble) => {
            eprintln!("{example}: {trouble}");
            ExitCode::from(2)
        }
    }
}

/// Runs an example that has no flags but `--help`.
pub fn without_flags<E: Display>(
    example: &str,
    help: &str,
    run: impl FnOnce() -> Result<(), E>,
) -> ExitCode {
    match std::env::args().nth(1) {
        None => exit(example, run()),
        Some(word) if is_help(&word) => exit(example, writeln!(std::io::stdout(), "{help}")),
        Some(word) => exit(example, Err(unknown(&word))),
    }
}

/// Runs an example whose only argument is a file, or none.
pub fn with_file<E: Display>(
    example: &str,
    help: &str,
    run: impl FnOnce(Option<&str>) -> Result<(), E>,
) -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some(word) if is_help(word) => exit(example, writeln!(std::io::stdout(), "{help}")),
        Some(flag) if flag.starts_with('-') => exit(example, Err(unknown(flag))),
        file => exit(example, run(file)),
    }
}
