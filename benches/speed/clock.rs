//! Medians of repeated runs.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// What two ways to do the same took, and how many answers each gave.
#[derive(Debug, Clone, Copy)]
pub struct Timed {
    pub times: [Duration; 2],
    pub counts: [usize; 2],
}

/// Time for a row, both ways together; a slow one takes more.
const BUDGET: Duration = Duration::from_millis(600);
/// Runs of each, at least and at most.
const RUNS: [usize; 2] = [3, 401];

/// Runs both by turns, so that a slow moment of the machine hits both. Each says how many answers it has. A first run of each
/// is not counted.
pub fn by_turns(mut ours: impl FnMut() -> usize, mut peer: impl FnMut() -> usize) -> Timed {
    let counts = [ours(), peer()];
    let mut times = [Vec::new(), Vec::new()];
    let begin = Instant::now();
    while times[0].len() < RUNS[0] || times[0].len() < RUNS[1] && begin.elapsed() < BUDGET {
        times[0].push(once(&mut ours));
        times[1].push(once(&mut peer));
    }
    Timed { times: times.map(median), counts }
}

fn once(run: &mut impl FnMut() -> usize) -> Duration {
    let start = Instant::now();
    black_box(run());
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
