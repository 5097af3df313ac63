//! Baked characters: a round trip gives the same character, and damaged bytes are refused.

mod all_geometry;
mod degenerate_parts;
mod header;
mod hostile;
mod robots;
mod round_trip;
mod skewed_axes;

use std::path::PathBuf;

/// Returns the files of all shared characters.
fn characters() -> Vec<PathBuf> {
    let Some(data) = support::data::data() else { return Vec::new() };
    let folders = std::fs::read_dir(data.join("characters")).expect("a folder");
    let folders = folders.map(|folder| folder.expect("an entry").path()).filter(|f| f.is_dir());
    let files = folders.flat_map(|folder| std::fs::read_dir(folder).expect("a folder"));
    let files = files.map(|file| file.expect("an entry").path());
    let mut files: Vec<PathBuf> =
        files.filter(|file| file.extension().is_some_and(|end| end == "glb")).collect();
    files.sort();
    assert!(files.len() >= 7, "only {} characters", files.len());
    files
}
