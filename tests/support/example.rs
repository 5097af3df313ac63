//! Runs examples as a user would, built as the tests are.

use std::process::{Command, Output};

/// Runs an example with these words; it may fail.
pub fn run(example: &str, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO"));
    // From the root: there the same features are chosen as `cargo test` chose.
    command.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    command.args(["run", "--quiet", "--profile", "test", "--example", example, "--"]).args(words);
    command.output().expect("cargo runs")
}

/// What an example prints that is given these words.
///
/// # Panics
/// If it fails.
pub fn printed(example: &str, words: &[&str]) -> String {
    let run = run(example, words);
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    String::from_utf8(run.stdout).expect("text")
}
