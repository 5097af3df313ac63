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
    with_file_and_flag(example, help, None, |file, _| run(file))
}

/// Runs an example whose arguments are a file, or none, and after it a flag; given to `run`: `true`
/// with the flag.
pub fn with_file_and_flag<E: Display>(
    example: &str,
    help: &str,
    flag: Option<&str>,
    run: impl FnOnce(Option<&str>, bool) -> Result<(), E>,
) -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        [word, ..] if is_help(word) => exit(example, writeln!(std::io::stdout(), "{help}")),
        [word, ..] if word.starts_with('-') => exit(example, Err(unknown(word))),
        [] => exit(example, run(None, false)),
        [file] => exit(example, run(Some(file), false)),
        [file, word] if flag == Some(word) => exit(example, run(Some(file), true)),
        [_, ..] => {
            let mut more = words.iter().skip(1).filter(|&&word| flag != Some(word));
            let word = more.next().unwrap_or(&words[1]);
            let trouble = match word.starts_with('-') {
                true => unknown(word),
                false => format!("one FILE, not also '{word}'"),
            };
            exit(example, Err(trouble))
        }
    }
}
