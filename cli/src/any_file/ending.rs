//! Extensions of file names.

use std::path::Path;

/// Returns the extension of a file's name, in lower case.
pub fn ending(file: &Path) -> String {
    file.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase()
}
