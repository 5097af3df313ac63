//! Runs examples as a user would, built as the tests are.

use std::process::{Command, Output};

/// Runs an example with these arguments; it may fail.
pub fn run(example: &str, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO"));
    // From the root: there the same features are chosen as `cargo test` chose.
    command.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    command.args(["run", "--quiet", "--profile", "test", "--example", example, "--"]).args(words);
    command.output().expect("cargo runs")
}

/// Standard output of an example with these arguments.
///
/// # Panics
/// If it fails.
pub fn printed(example: &str, words: &[&str]) -> String {
    let run = run(example, words);
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    String::from_utf8(run.stdout).expect("text")
}

/// The error line of an example with these arguments; the exit code is 2.
pub fn refused(example: &str, words: &[&str]) -> String {
    let run = run(example, words);
    let trouble = String::from_utf8(run.stderr).expect("text");
    assert!(
        run.status.code() == Some(2) && run.stdout.is_empty(),
        "{example} {words:?}: {trouble}"
    );
    assert_eq!(trouble.lines().count(), 1, "{trouble}");
    trouble
}

/// Asserts that the help of an example names these flags, and that others are refused.
pub fn helps(example: &str, flags: &[&str]) {
    let answer = printed(example, &["--help"]);
    assert_eq!(answer, printed(example, &["-h"]));
    assert!(answer.starts_with(&format!("{example}: ")) && answer.lines().count() > 3, "{answer}");
    for flag in flags.iter().chain(&["--help", "--example"]) {
        assert!(answer.contains(flag), "{flag} is not in: {answer}");
    }
    let trouble = refused(example, &["--fly"]);
    assert!(trouble.contains("'--fly'") && trouble.contains("--help"), "{trouble}");
}
