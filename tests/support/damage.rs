//! Damaged files: truncated, changed or shuffled from a seed, and loaded within bounds of time and
//! memory.

use std::collections::HashSet;
use std::path::Path;
use std::time::{Duration, Instant};

use boxwood::Error;

use crate::folder::Folder;
use crate::random::Random;

/// Memory limit of the process [bytes].
const MOST_MEMORY: u64 = 2 << 30;

/// Way to damage a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Damage {
    /// Truncated anywhere.
    Cut,
    /// A few bytes are replaced by others of the file, by any bytes, or have a bit flipped.
    Changed,
    /// One line is removed, doubled, or swapped with another.
    Shuffled,
}

impl Damage {
    fn of(self, bytes: &[u8], random: &mut Random) -> Vec<u8> {
        match self {
            Damage::Cut => bytes[..random.below(bytes.len())].to_vec(),
            Damage::Changed => {
                let mut changed = bytes.to_vec();
                // Usually one: more leave little to read.
                for _ in 0..=random.below(2) * random.below(3) {
                    let at = random.below(bytes.len());
                    changed[at] = match random.below(8) {
                        0 => random.bits() as u8,
                        1 => changed[at] ^ 1 << random.below(8),
                        _ => bytes[random.below(bytes.len())],
                    };
                }
                changed
            }
            Damage::Shuffled => {
                let mut lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
                let (line, other) = (random.below(lines.len()), random.below(lines.len()));
                match random.below(3) {
                    0 => drop(lines.remove(line)),
                    1 => lines.insert(line, lines[other]),
                    _ => lines.swap(line, other),
                }
                lines.concat()
            }
        }
    }
}

/// Numbers of files read and of files refused, with the reasons, and the longest time of one.
#[derive(Default)]
pub struct Tally {
    pub read: usize,
    pub refused: usize,
    pub troubles: HashSet<String>,
    slowest: Duration,
}

/// Damage in progress, printed when a loader panics.
struct Trying<'t>(&'t str, usize);

impl Drop for Trying<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("while trying {}, number {}", self.0, self.1);
        }
    }
}

/// Damages a file of that name a number of times in one way, and loads it: it is read, or an error
/// of one line names the file.
pub fn damaged<L>(
    (name, bytes): (&str, &[u8]),
    way: Damage,
    tries: usize,
    load: impl Fn(&Path) -> Result<L, Error>,
) -> Tally {
    let damage = |random: &mut Random| way.of(bytes, random);
    damaged_by(&format!("{name}, {way:?}"), tries, damage, load)
}

/// Like [`damaged`], for bytes that the caller damages; the title begins with the name of the file.
pub fn damaged_by<L>(
    title: &str,
    tries: usize,
    mut damage: impl FnMut(&mut Random) -> Vec<u8>,
    load: impl Fn(&Path) -> Result<L, Error>,
) -> Tally {
    let (folder, mut random, mut tally) = (Folder::new(), Random(3), Tally::default());
    let name = title.split(',').next().expect("a name");
    let end = Path::new(name).extension().expect("an ending").to_string_lossy();
    for number in 0..tries {
        let _trying = Trying(title, number);
        let file = folder.write(&format!("damaged.{end}"), damage(&mut random));
        let start = Instant::now();
        match load(&file) {
            Ok(_) => tally.read += 1,
            Err(Error::File { path, trouble }) => {
                assert_eq!(path, file);
                assert!(!trouble.is_empty() && !trouble.contains(char::is_control), "{trouble}");
                tally.troubles.insert(trouble);
                tally.refused += 1;
            }
            Err(other) => panic!("{other:?}"),
        }
        tally.slowest = tally.slowest.max(start.elapsed());
    }
    let (Tally { read, refused, slowest, .. }, memory) = (&tally, peak_memory());
    eprintln!(
        "{title}: {read} read, {refused} refused, the slowest in {slowest:?}, {:?} MiB so far",
        memory.map(|bytes| bytes >> 20)
    );
    assert!(memory.is_none_or(|bytes| bytes < MOST_MEMORY), "{title}: {memory:?} bytes");
    tally
}

/// Returns the peak memory of this process, if the system reports it [bytes].
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? << 10)
}
