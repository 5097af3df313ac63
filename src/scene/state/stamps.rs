//! Numbers of states, never given twice in a process: equal stamps mean equal states.

use std::sync::{Mutex, PoisonError};

/// The first stamp that no scene has reserved; 0 means none.
static NEXT_STAMP: Mutex<u64> = Mutex::new(1);

/// Number of stamps reserved at a time, so that scenes rarely lock the mutex.
const STAMPS_PER_RUN: u64 = 1 << 16;

/// The stamps that one scene has reserved and not yet given.
#[derive(Debug, Default)]
pub(in crate::scene) struct Stamps {
    next: u64,
    end: u64,
}

/// The clone is empty: equal stamps must not denote the different later changes of both.
impl Clone for Stamps {
    fn clone(&self) -> Self {
        Stamps::default()
    }
}

impl Stamps {
    /// Returns a stamp that no other state of the process has.
    pub fn fresh(&mut self) -> u64 {
        if self.next == self.end {
            let mut next = NEXT_STAMP.lock().unwrap_or_else(PoisonError::into_inner);
            (self.next, self.end) = (*next, *next + STAMPS_PER_RUN);
            *next = self.end;
        }
        self.next += 1;
        self.next - 1
    }
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;

    pub fn no_stamp_is_given_twice() {
        let runs: Vec<_> = (0..3).map(|_| std::thread::spawn(given)).collect();
        let mut all: Vec<u64> =
            runs.into_iter().flat_map(|run| run.join().expect("a thread")).collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!((all.len(), all.first()), (count, Some(&all[0].max(1))));
    }

    /// Returns stamps of a scene and a copy in turns, past the end of a run.
    fn given() -> Vec<u64> {
        let mut stamps = Stamps::default();
        let first = stamps.fresh();
        let mut copy = stamps.clone();
        let both = (0..STAMPS_PER_RUN + 2).flat_map(|_| [stamps.fresh(), copy.fresh()]);
        both.chain([first]).collect()
    }
}
