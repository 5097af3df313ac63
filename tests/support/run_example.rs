//! Examples run as a user would, built like the tests.

use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::OnceLock;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Runs an example with these arguments; it may fail.
pub fn run(example: &str, words: &[&str]) -> Output {
    let file = format!("{example}{}", std::env::consts::EXE_SUFFIX);
    let mut command = Command::new(built().join(file));
    command.current_dir(ROOT).args(words).output().expect("the example runs")
}

/// The folder of the examples: the one that `BOXWOOD_EXAMPLES` names, where they are built already,
/// else that of the tests, where the first call builds them.
fn built() -> &'static PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        if let Some(folder) = std::env::var_os("BOXWOOD_EXAMPLES") {
            return folder.into();
        }
        // The tests are in `deps` of the folder of their profile.
        let test = std::env::current_exe().expect("a path");
        let target = test.ancestors().nth(3).expect("a target folder");
        let mut command = Command::new(env!("CARGO"));
        // From the root, where the features are those of `cargo test`.
        command.current_dir(ROOT).args(["build", "--quiet", "--profile", "test", "--examples"]);
        let status = command.arg("--target-dir").arg(target).status().expect("cargo runs");
        assert!(status.success(), "the examples do not compile");
        target.join("debug/examples")
    })
}

/// Returns the standard output of an example with these arguments.
///
/// # Panics
/// If it fails.
pub fn printed(example: &str, words: &[&str]) -> String {
    let run = run(example, words);
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    String::from_utf8(run.stdout).expect("text")
}

/// Returns the error line of an example with these arguments; asserts exit code 2.
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

/// Asserts that an example refuses each file, with a message that contains the text beside it.
pub fn refuses_files(example: &str, cases: &[(&str, &str)]) {
    for (file, expected) in cases {
        let trouble = refused(example, &[file]);
        assert!(trouble.contains(expected), "{trouble}");
    }
}

/// Asserts that the help of an example names these flags, and that others are refused.
pub fn helps(example: &str, flags: &[&str]) {
    let answer = printed(example, &["--help"]);
    assert_eq!(answer, printed(example, &["-h"]));
    assert!(answer.starts_with(&format!("{example}: ")) && answer.lines().count() > 3, "{answer}");
    for flag in flags.iter().chain(&["--help", "cargo example"]) {
        assert!(answer.contains(flag), "{flag} is not in: {answer}");
    }
    let trouble = refused(example, &["--fly"]);
    assert!(trouble.contains("'--fly'") && trouble.contains("--help"), "{trouble}");
}
