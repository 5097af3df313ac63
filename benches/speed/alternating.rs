//! Times two implementations of the same work, round by round in turn.

use std::time::{Duration, Instant};

use crate::support::measure::{Way, trying};

/// Amount of measurement.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Least and largest number of rounds of each implementation.
    rounds: [usize; 2],
    /// Time for a row, both implementations together; a slow one takes more.
    budget: Duration,
    /// Number of first rounds whose answers are counted.
    pub counted: usize,
}

impl Effort {
    pub fn new(quick: bool) -> Self {
        let counted = if quick || trying() { 1 } else { 4 };
        match (trying(), quick) {
            (true, _) => Effort { rounds: [1, 1], budget: Duration::ZERO, counted },
            (_, true) => Effort { rounds: [3, 9], budget: Duration::from_millis(30), counted },
            _ => Effort { rounds: [9, 801], budget: Duration::from_secs(1), counted },
        }
    }
}

/// Answers and times of the two implementations.
#[derive(Debug, Clone, Copy)]
pub struct Timed {
    /// Sums of the answers of the counted rounds.
    pub counts: [usize; 2],
    /// Median round of each [ns].
    pub times: [f64; 2],
    /// Quartiles and median of the peer's time over ours, by rounds of the same data.
    pub ratios: [f64; 3],
    pub rounds: usize,
}

/// Runs both in turn, so that a slow moment of the machine affects both; each goes first in every
/// second round. Times of the first round are ignored.
pub fn in_turn(effort: Effort, [mut ours, mut peer]: [Way<'_>; 2]) -> Timed {
    let (mut counts, mut rounds, begin) = ([0; 2], Vec::new(), Instant::now());
    loop {
        let round = rounds.len();
        let [a, b] = match round % 2 {
            0 => [(ours.1)(), (peer.1)()],
            _ => {
                let first = (peer.1)();
                [(ours.1)(), first]
            }
        };
        if round < effort.counted {
            counts = [counts[0] + a.found.count, counts[1] + b.found.count];
        }
        rounds.push([a.time, b.time]);
        let [least, most] = effort.rounds;
        let enough = rounds.len() > least && begin.elapsed() >= effort.budget;
        if enough || rounds.len() > most {
            break;
        }
    }
    let nanoseconds = |time: Duration| time.as_secs_f64() * 1e9;
    let rounds = &rounds[1..];
    let times = [0, 1].map(|way| rounds.iter().map(|round| nanoseconds(round[way])).collect());
    let ratio = |[a, b]: &[Duration; 2]| nanoseconds(*b) / nanoseconds(*a).max(1.0);
    let ratios = sorted(rounds.iter().map(ratio).collect());
    let at = |quarter: usize| ratios[(ratios.len() * quarter / 4).min(ratios.len() - 1)];
    let median = |times: Vec<f64>| sorted(times)[rounds.len() / 2];
    Timed { counts, times: times.map(median), ratios: [1, 2, 3].map(at), rounds: rounds.len() }
}

fn sorted(mut all: Vec<f64>) -> Vec<f64> {
    all.sort_unstable_by(f64::total_cmp);
    all
}
