//! Real characters, damaged: every answer is a model or an error, in little time and memory.
#![allow(dead_code)] // the support files are shared, and each test uses some of them

#[path = "support/block.rs"]
mod block;
#[path = "support/data.rs"]
mod data;
#[path = "support/folder.rs"]
mod folder;
#[path = "support/random.rs"]
mod random;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use boxwood::load::{self, Options};
use boxwood::{Build, Error};

use self::data::data;
use self::folder::Folder;
use self::random::Random;

/// Of each kind, of each file.
const TRIES: usize = 300;

/// What the process may take in all. Bytes.
const MOST_MEMORY: u64 = 2 << 30;

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

/// Says what was being tried when something panics.
struct Trying(String);

impl Drop for Trying {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("while trying {}", self.0);
        }
    }
}

#[derive(Default)]
struct Tally {
    read: usize,
    refused: usize,
    slowest: Duration,
}

impl Tally {
    fn load(&mut self, folder: &Folder, what: String, bytes: &[u8]) {
        let file = folder.write("damaged.glb", bytes);
        let _trying = Trying(what);
        let options = Options { build: Build::fast(), ..Options::default() };
        let start = Instant::now();
        match load::gltf_with::<f32>(&file, &options) {
            Ok(_) => self.read += 1,
            Err(Error::File { path, trouble }) => {
                assert_eq!(path, file);
                assert!(!trouble.is_empty() && !trouble.contains('\n'), "{trouble}");
                self.refused += 1;
            }
            Err(other) => panic!("{other:?}"),
        }
        self.slowest = self.slowest.max(start.elapsed());
    }

    fn report(&self, path: &Path, how: &str) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let Tally { read, refused, slowest } = self;
        assert_eq!(read + refused, TRIES);
        let memory = peak_memory();
        eprintln!(
            "{name}, {how}: {read} read, {refused} refused, the slowest in {slowest:?}, {:?} MiB so far",
            memory.map(|bytes| bytes >> 20)
        );
        assert!(memory.is_none_or(|bytes| bytes < MOST_MEMORY), "{name}: {memory:?} bytes");
    }
}

/// The most memory this process has had so far, where the system says.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? << 10)
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
        for i in 0..TRIES {
            let length = random.below(bytes.len());
            let what = format!("{} cut to {length} bytes, {i}", path.display());
            match i % 2 {
                0 => tally.load(&folder, what, &bytes[..length]),
                _ => tally.load(&folder, what, &mended(&bytes, length)),
            }
        }
        tally.report(&path, "cut");
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
        for i in 0..TRIES {
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
            tally.load(&folder, what, &bytes);
            bytes[place] = was;
        }
        tally.report(&path, "changed");
        assert!(tally.read > 0 && tally.refused > 0);
    }
}
