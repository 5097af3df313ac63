//! Folder of real input data, named by the environment variable `BOXWOOD_DATA`.

use std::io::Write;
use std::path::PathBuf;

/// Returns the data folder, or `None` with a printed notice if the variable is not set.
///
/// # Panics
/// If the variable names a folder without the data: a wrong path must not look like a pass.
pub fn data() -> Option<PathBuf> {
    let Some(folder) = std::env::var_os("BOXWOOD_DATA") else {
        let thread = std::thread::current();
        let test = thread.name().unwrap_or("a test").to_owned();
        // Not captured by the test harness, which hides the output of passing tests.
        let _ = writeln!(std::io::stderr(), "SKIPPED {test}: BOXWOOD_DATA is not set");
        return None;
    };
    let folder = PathBuf::from(folder);
    let found = folder.join("characters").is_dir();
    assert!(found, "BOXWOOD_DATA is {}, which has no folder 'characters'", folder.display());
    Some(folder)
}
