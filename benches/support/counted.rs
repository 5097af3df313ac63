//! What several find, and how long each takes.

use criterion::{Criterion, Throughput};

/// Prints what all find, and times them.
pub fn beside<const N: usize>(
    criterion: &mut Criterion,
    name: &str,
    questions: usize,
    asks: [(&str, &mut dyn FnMut() -> usize); N],
) {
    let mut asks = asks;
    let found: Vec<String> = asks.iter_mut().map(|(who, ask)| format!("{who} {}", ask())).collect();
    println!("{name}: {}", found.join(", "));
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(questions as u64));
    for (who, ask) in asks {
        group.bench_function(who, |b| b.iter(&mut *ask));
    }
    group.finish();
}
