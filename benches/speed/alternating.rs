//! Times implementations of the same work, round by round in turn.

use std::time::{Duration, Instant};

use crate::support::measure::{Round, Way, trying};

/// Amount of measurement.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Least and largest number of rounds of each implementation.
    rounds: [usize; 2],
    /// Time for a row, all implementations together; a slow one takes more.
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

/// Runs both in turn, like [`all_in_turn`].
pub fn in_turn(effort: Effort, ways: [Way<'_>; 2]) -> Timed {
    let [timed] = all_in_turn(effort, &mut Vec::from(ways))[..] else {
        unreachable!("one peer has one result")
    };
    timed
}

/// Runs an implementation and its peers in turn, and returns the result of each peer beside the
/// first implementation. A slow moment of the machine affects all; in every round another one goes
/// first. Times of the first round are ignored.
pub fn all_in_turn(effort: Effort, ways: &mut [Way<'_>]) -> Vec<Timed> {
    let (mut counts, mut rounds, begin) = (vec![0; ways.len()], Vec::new(), Instant::now());
    loop {
        let (round, mut times) = (rounds.len(), vec![Duration::ZERO; ways.len()]);
        for step in 0..ways.len() {
            let at = (round + step) % ways.len();
            let Round { found, time } = (ways[at].1)();
            times[at] = time;
            if round < effort.counted {
                counts[at] += found.count;
            }
        }
        rounds.push(times);
        let [least, most] = effort.rounds;
        let enough = rounds.len() > least && begin.elapsed() >= effort.budget;
        if enough || rounds.len() > most {
            break;
        }
    }
    let rounds = &rounds[1..];
    let beside = |peer: usize| {
        let nanoseconds = |time: Duration| time.as_secs_f64() * 1e9;
        let times = |way: usize| rounds.iter().map(|round| nanoseconds(round[way])).collect();
        let ratio =
            |round: &Vec<Duration>| nanoseconds(round[peer]) / nanoseconds(round[0]).max(1.0);
        let ratios = sorted(rounds.iter().map(ratio).collect());
        let at = |quarter: usize| ratios[(ratios.len() * quarter / 4).min(ratios.len() - 1)];
        let median = |times: Vec<f64>| sorted(times)[rounds.len() / 2];
        Timed {
            counts: [counts[0], counts[peer]],
            times: [0, peer].map(|way| median(times(way))),
            ratios: [1, 2, 3].map(at),
            rounds: rounds.len(),
        }
    };
    (1..ways.len()).map(beside).collect()
}

fn sorted(mut all: Vec<f64>) -> Vec<f64> {
    all.sort_unstable_by(f64::total_cmp);
    all
}
