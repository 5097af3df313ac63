//! Real characters, damaged: every answer is a model or an error, in bounded time and memory.

use std::path::{Path, PathBuf};

use boxwood::Build;
use boxwood::Loader;

use support::damaged_files::Tally;
use support::data::data;
use support::folder::Folder;
use support::random::Random;

/// Number of damages of each kind, per file.
fn tries() -> usize {
    support::proof::at_least(300, 16)
}

/// Every glTF file among the characters, in order of name.
fn characters(data: &Path) -> Vec<PathBuf> {
    let folders = std::fs::read_dir(data.join("characters")).expect("a folder");
    let folders = folders.map(|entry| entry.expect("an entry").path()).filter(|path| path.is_dir());
    let files = folders.flat_map(|folder| std::fs::read_dir(folder).expect("a folder"));
    let mut files: Vec<PathBuf> = files.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "glb" || e == "gltf"));
    files.sort();
    assert!(files.len() >= 7);
    files
}

/// Loads those bytes as a file.
fn load(tally: &mut Tally, folder: &Folder, what: String, bytes: &[u8]) {
    let options = Loader::new().build(Build::fast());
    let file = folder.write("damaged.glb", bytes);
    tally.load(&file, what, |file| options.gltf(file));
}

fn number_at(bytes: &[u8], at: usize) -> usize {
    bytes.get(at..at + 4).map_or(0, |b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]) as usize)
}

/// A GLB cut short, with the lengths in its headers as if it had always been that short.
fn mended(glb: &[u8], length: usize) -> Vec<u8> {
    let mut cut = glb[..length].to_vec();
    let json = number_at(glb, 12);
    let mut set = |at: usize, n: usize| {
        if let Some(place) = cut.get_mut(at..at + 4) {
            place.copy_from_slice(&(n as u32).to_le_bytes());
        }
    };
    set(8, length);
    set(12, json.min(length.saturating_sub(20)));
    set(20 + json, length.saturating_sub(28 + json));
    cut
}

#[test]
fn characters_cut_short_are_models_or_errors() {
    let Some(data) = data() else { return };
    let folder = Folder::new();
    for path in characters(&data) {
        let bytes = std::fs::read(&path).expect("a file");
        let (mut random, mut tally) = (Random(1), Tally::default());
        for i in 0..tries() {
            let length = random.below(bytes.len());
            let what = format!("{} cut to {length} bytes, {i}", path.display());
            match i % 2 {
                0 => load(&mut tally, &folder, what, &bytes[..length]),
                _ => load(&mut tally, &folder, what, &mended(&bytes, length)),
            }
        }
        tally.report(&path, "cut", tries());
        assert_eq!(tally.read, 0);
    }
}

#[test]
fn characters_with_a_byte_changed_are_models_or_errors() {
    let Some(data) = data() else { return };
    let folder = Folder::new();
    for path in characters(&data) {
        let mut bytes = std::fs::read(&path).expect("a file");
        let (mut random, mut tally) = (Random(2), Tally::default());
        let json = 20 + number_at(&bytes, 12);
        for i in 0..tries() {
            // Most of them in the document, some in the headers, the rest anywhere.
            let place = match i % 10 {
                0 => random.below(20),
                1 | 2 => random.below(bytes.len()),
                _ => 20 + random.below(json - 20),
            };
            let (was, bits) = (bytes[place], random.bits());
            // One digit for another keeps the document a document.
            let digit = was.is_ascii_digit() && bits & 0x300 != 0;
            let byte = if digit { b'0' + (bits % 10) as u8 } else { was ^ 1 << (bits % 8) };
            bytes[place] = byte;
            let what = format!("{} with {byte} for {was} at {place}", path.display());
            load(&mut tally, &folder, what, &bytes);
            bytes[place] = was;
        }
        tally.report(&path, "changed", tries());
        assert!(tally.read > 0 && tally.refused > 0);
    }
}
