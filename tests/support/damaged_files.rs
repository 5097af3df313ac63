//! Damaged files: counts of read and refused ones, and bounds of time and memory.

use std::path::Path;
use std::time::{Duration, Instant};

use boxwood::Error;

/// Memory limit of the process. Bytes.
const MOST_MEMORY: u64 = 2 << 30;

#[derive(Default)]
pub struct Tally {
    pub read: usize,
    pub refused: usize,
    slowest: Duration,
}

/// Names the damage that was tried when a loader panics.
struct Trying(String);

impl Drop for Trying {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("while trying {}", self.0);
        }
    }
}

impl Tally {
    /// Loads `file`, which was damaged in that way.
    pub fn load<L>(
        &mut self,
        file: &Path,
        what: String,
        load: impl FnOnce(&Path) -> Result<L, Error>,
    ) {
        let _trying = Trying(what);
        let start = Instant::now();
        match load(file) {
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

    /// Of that many tries with a file.
    pub fn report(&self, path: &Path, how: &str, tries: usize) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let Tally { read, refused, slowest } = self;
        assert_eq!(read + refused, tries);
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
