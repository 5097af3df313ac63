//! Extensions of file names.

use std::path::Path;

use super::standard_input;

/// Returns the extension of a file's name, in lower case; for standard input the extension of files
/// with such contents, or nothing.
pub fn ending(file: &Path) -> String {
    if standard_input::is_named(file) {
        return standard_input::ending().unwrap_or_default().to_owned();
    }
    file.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase()
}
