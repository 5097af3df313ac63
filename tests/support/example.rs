//! Examples from outside.

use std::process::Command;

/// What an example prints that is given these words.
pub fn printed(example: &str, words: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO"));
    command.args(["run", "--quiet", "--profile", "test", "--example", example, "--"]).args(words);
    let run = command.output().expect("cargo runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    String::from_utf8(run.stdout).expect("text")
}
