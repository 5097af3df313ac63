//! One question asked of this crate and of another library, over the same cases.

use std::hint::black_box;

use criterion::{Criterion, Throughput};

/// No answer: nothing touches, nothing is hit.
#[allow(dead_code)]
pub const NONE: f32 = -1.0;

pub fn told(answer: bool) -> f32 {
    f32::from(u8::from(answer))
}

/// The answers compared once, to a ten thousandth, then both measured.
pub fn beside<C>(
    criterion: &mut Criterion,
    (name, peer): (&str, &str),
    cases: &[C],
    mine: impl Fn(&C) -> f32,
    theirs: impl Fn(&C) -> f32,
) {
    let off = |case: &&C| (mine(case) - theirs(case)).abs() > 1e-4;
    let apart = cases.iter().filter(off).count();
    let (ours, others) =
        (cases.iter().map(&mine).sum::<f32>(), cases.iter().map(&theirs).sum::<f32>());
    println!("{name}: {} of {} answers are equal;", cases.len() - apart, cases.len());
    println!("  boxwood's add up to {ours}, {peer}'s to {others}");
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(cases.len() as u64));
    group.bench_function("boxwood", |bench| {
        bench.iter(|| black_box(cases).iter().map(&mine).sum::<f32>());
    });
    group.bench_function(peer, |bench| {
        bench.iter(|| black_box(cases).iter().map(&theirs).sum::<f32>());
    });
    group.finish();
}
