//! Timed rounds. A round prepares its data, then times one piece of work; the next round gets other
//! data, so that neither branch predictors nor caches know it.

use std::fmt;
use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput};

/// Different cases of small work, such as pairs of boxes: more than branch predictors remember and
/// than the second-level cache holds. So the times include reading memory, in order for both
/// libraries.
pub const CASES: usize = 1 << 17;

/// Cases that one round goes through.
pub const CHUNK: usize = 1 << 12;

/// Returns `true` if every row runs once, without timing.
pub fn trying() -> bool {
    std::env::args().any(|word| word == "--test")
}

pub fn cases() -> usize {
    if trying() { CHUNK } else { CASES }
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Found {
    pub count: usize,
    /// Sum of distances, depths or times; 0 where only a count is wanted.
    pub sum: f64,
}

impl From<usize> for Found {
    fn from(count: usize) -> Self {
        Found { count, sum: 0.0 }
    }
}

impl<T: Into<f64>> FromIterator<T> for Found {
    fn from_iter<I: IntoIterator<Item = T>>(all: I) -> Self {
        let add = |found: Found, x: T| Found { count: found.count + 1, sum: found.sum + x.into() };
        all.into_iter().fold(Found::default(), add)
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.count)?;
        if self.sum == 0.0 { Ok(()) } else { write!(f, " (sum {:.4})", self.sum) }
    }
}

/// Answers of a round, and the time of its work.
#[derive(Debug, Clone, Copy, Default)]
pub struct Round {
    pub found: Found,
    pub time: Duration,
}

pub fn clock<F: Into<Found>>(work: impl FnOnce() -> F) -> Round {
    let start = Instant::now();
    let found = black_box(work());
    let time = start.elapsed();
    Round { found: found.into(), time }
}

/// Named implementation of the work. Each call is a round.
pub type Way<'a> = (String, Box<dyn FnMut() -> Round + 'a>);

pub fn way<'a>(name: impl Into<String>, round: impl FnMut() -> Round + 'a) -> Way<'a> {
    (name.into(), Box::new(round))
}

/// Receiver of groups of implementations of the same work: criterion, or the table of `speed`.
pub trait BenchGroups {
    /// Times all implementations. A time is divided by `of`, for example by the cases of a round.
    fn group(&mut self, name: &str, of: usize, ways: Vec<Way<'_>>);
}

impl BenchGroups for Criterion {
    /// Prints the answers of each implementation in its first round, then times one after another.
    fn group(&mut self, name: &str, of: usize, mut ways: Vec<Way<'_>>) {
        let found: Vec<String> =
            ways.iter_mut().map(|(who, round)| format!("{who} {}", round().found)).collect();
        println!("{name}: {}", found.join(", "));
        let mut group = self.benchmark_group(name);
        group.throughput(Throughput::Elements(of as u64));
        for (who, mut round) in ways {
            let mut all = |rounds| (0..rounds).map(|_| round().time).sum();
            group.bench_function(who, |bench| bench.iter_custom(&mut all));
        }
        group.finish();
    }
}

/// Times all implementations; `of` is the number by which a time is divided.
pub fn bench_group(groups: &mut dyn BenchGroups, name: &str, of: usize, ways: Vec<Way<'_>>) {
    groups.group(name, of, ways);
}

/// Returns the next `size` cases at each call, in order; all occur before the first repeats.
pub fn in_order<'a, C>(cases: &'a [C], size: usize) -> impl FnMut() -> &'a [C] + use<'a, C> {
    let mut chunks = cases.chunks_exact(size).cycle();
    move || chunks.next().expect("a chunk of cases")
}

/// Implementation that runs a query on every case and sums the answers.
pub fn summed<'a, C>(
    name: &str,
    cases: &'a [C],
    answer: impl Fn(&C) -> Option<f32> + 'a,
) -> Way<'a> {
    let mut next = in_order(cases, CHUNK);
    way(name, move || {
        let cases = next();
        clock(|| cases.iter().filter_map(&answer).collect::<Found>())
    })
}

/// Implementation that counts the cases with a `true` answer.
pub fn counted<'a, C>(name: &str, cases: &'a [C], yes: impl Fn(&C) -> bool + 'a) -> Way<'a> {
    let mut next = in_order(cases, CHUNK);
    way(name, move || {
        let cases = next();
        clock(|| cases.iter().filter(|case| yes(case)).count())
    })
}

/// Value that stands for no answer: no contact, no hit.
const NONE: f32 = -1.0;

/// Times one query in this crate and in a peer. First compares all answers, up to a ten thousandth.
pub fn compare_values<C, D>(
    criterion: &mut Criterion,
    (name, peer): (&str, &str),
    (cases, others): (&[C], &[D]),
    mine: impl Fn(&C) -> Option<f32>,
    theirs: impl Fn(&D) -> Option<f32>,
) {
    let equal = |(case, other): &(&C, &D)| {
        (mine(case).unwrap_or(NONE) - theirs(other).unwrap_or(NONE)).abs() <= 1e-4
    };
    let count = cases.iter().zip(others).filter(equal).count();
    println!("{name}: {count} of {} answers are equal", cases.len());
    let ways = vec![summed("boxwood", cases, mine), summed(peer, others, theirs)];
    bench_group(criterion, name, CHUNK, ways);
}

/// Times one predicate in this crate and in a peer, after comparing all answers.
pub fn compare_predicates<C, D>(
    criterion: &mut Criterion,
    (name, peer): (&str, &str),
    (cases, others): (&[C], &[D]),
    mine: impl Fn(&C) -> bool,
    theirs: impl Fn(&D) -> bool,
) {
    let equal = |(case, other): &(&C, &D)| mine(case) == theirs(other);
    let count = cases.iter().zip(others).filter(equal).count();
    println!("{name}: {count} of {} answers are equal", cases.len());
    let ways = vec![counted("boxwood", cases, mine), counted(peer, others, theirs)];
    bench_group(criterion, name, CHUNK, ways);
}

/// Settings with enough samples for a median, about a second a row.
pub fn settings() -> Criterion {
    Criterion::default()
        .sample_size(20)
        .measurement_time(Duration::from_millis(600))
        .warm_up_time(Duration::from_millis(200))
}
