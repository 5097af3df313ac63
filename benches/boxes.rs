//! Pairs of boxes: yes or no and contact, beside parry3d in f32 on the same data; the plain tests that the box
//! test replaces, beside it.

use std::hint::black_box;

use boxwood::num::Level;
use boxwood::pair::Batch;
use boxwood::shape::{Aabb, Obb};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use nalgebra::{Matrix3, Point3};

#[allow(dead_code)]
#[path = "../tests/support/block.rs"]
mod block;
#[path = "../tests/support/naive.rs"]
mod naive;
#[allow(dead_code)]
#[path = "../tests/support/parry.rs"]
mod parry;
#[allow(dead_code)]
#[path = "../tests/support/random.rs"]
mod random;
#[path = "support/turned.rs"]
mod turned;

use block::Block;
use naive::Counter;
use parry::Single;
use random::Random;
use turned::{MIXES, PAIRS, turned_pairs};

fn turned(criterion: &mut Criterion) {
    for (name, spread) in MIXES {
        let pairs = turned_pairs(spread, &mut Random(1));
        let theirs: Vec<[Single; 2]> =
            pairs.iter().map(|p| [Single::of(&p[0]), Single::of(&p[1])]).collect();
        let mine = pairs.iter().filter(|[a, b]| a.intersects(b)).count();
        let other = theirs.iter().filter(|[a, b]| a.intersects(b)).count();
        let deep = theirs.iter().filter(|[a, b]| a.contact(b, 0.0).is_some()).count();
        println!(
            "{name}: of {PAIRS} pairs boxwood reports {mine}, parry3d {other}, its contacts {deep}"
        );
        let mut group = criterion.benchmark_group(format!("turned boxes, {name}"));
        group.throughput(Throughput::Elements(PAIRS as u64));
        group.bench_function("boxwood intersects", |bench| {
            bench.iter(|| black_box(&pairs).iter().filter(|[a, b]| a.intersects(b)).count());
        });
        for level in Level::all() {
            let (mut batch, mut answers) = (Batch::with_level(level), Vec::new());
            group.bench_function(format!("boxwood batch, {level}"), |bench| {
                bench.iter(|| {
                    batch.intersects(black_box(&pairs).iter().map(|[a, b]| (a, b)), &mut answers);
                    answers.iter().filter(|&&touch| touch).count()
                });
            });
        }
        group.bench_function("parry3d intersection_test", |bench| {
            bench.iter(|| black_box(&theirs).iter().filter(|[a, b]| a.intersects(b)).count());
        });
        group.bench_function("boxwood contact", |bench| {
            bench.iter(|| {
                black_box(&pairs)
                    .iter()
                    .filter_map(|[a, b]| a.contact(b))
                    .map(|c| c.depth)
                    .sum::<f32>()
            });
        });
        group.bench_function("parry3d contact", |bench| {
            bench.iter(|| {
                black_box(&theirs).iter().filter_map(|[a, b]| a.contact(b, 0.0)).sum::<f32>()
            });
        });
        group.finish();
    }
}

/// Aligned boxes in whole numbers.
fn aligned_pairs(random: &mut Random) -> Vec<[Aabb<f64, 3>; 2]> {
    let mut any = || {
        let low: [f64; 3] = std::array::from_fn(|_| random.below(6) as f64);
        // Long and short sides, so that boxes pierce and hold each other.
        let high = low.map(|x| x + if random.chance(0.5) { 1.0 } else { 8.0 });
        Aabb::new(Point3::from(low), Point3::from(high))
    };
    (0..PAIRS).map(|_| [any(), any()]).collect()
}

fn block(stored: &Aabb<f64, 3>) -> Block {
    let center = stored.center().expect("not empty");
    let box_of = Obb::new(center, Matrix3::identity(), stored.half_extents());
    Block::of(&box_of.expect("a box"))
}

fn aligned(criterion: &mut Criterion) {
    let pairs = aligned_pairs(&mut Random(2));
    let blocks: Vec<[Block; 2]> = pairs.iter().map(|[a, b]| [block(a), block(b)]).collect();
    type Test = fn(&Aabb<f64, 3>, &Aabb<f64, 3>, &mut Counter) -> bool;
    let plain: [(&str, Test); 3] = [
        ("plain 1: corners in boxes", naive::corners_in_box),
        ("plain 1 as printed: strict", naive::corners_in_open_box),
        ("plain 2: edges through boxes", naive::edges_through_box),
    ];
    let mut n = Counter::default();
    let count = |test: &mut dyn FnMut(usize) -> bool| (0..PAIRS).filter(|&i| test(i)).count();
    println!("of {PAIRS} aligned pairs");
    println!("  Aabb::intersects: {}", count(&mut |i| pairs[i][0].intersects(&pairs[i][1])));
    println!(
        "  counted twin: {}",
        count(&mut |i| naive::interval_test(&pairs[i][0], &pairs[i][1], &mut n))
    );
    println!(
        "  region: {}",
        count(&mut |i| naive::region_test(&pairs[i][0], &pairs[i][1], &mut n).is_some())
    );
    for (name, test) in plain {
        println!("  {name}: {}", count(&mut |i| test(&pairs[i][0], &pairs[i][1], &mut n)));
    }
    let faces =
        |i: usize, n: &mut Counter| naive::edges_through_faces(&blocks[i][0], &blocks[i][1], n);
    println!("  plain 3: edges through faces: {}", count(&mut |i| faces(i, &mut n)));

    let mut group = criterion.benchmark_group("aligned boxes");
    group.throughput(Throughput::Elements(PAIRS as u64));
    group.bench_function("boxwood intersects", |bench| {
        bench.iter(|| black_box(&pairs).iter().filter(|[a, b]| a.intersects(b)).count());
    });
    group.bench_function("boxwood intersection", |bench| {
        bench.iter(|| black_box(&pairs).iter().filter_map(|[a, b]| a.intersection(b)).count());
    });
    group.bench_function("boxwood contact", |bench| {
        bench.iter(|| {
            black_box(&pairs).iter().filter_map(|[a, b]| a.contact(b)).map(|c| c.depth).sum::<f64>()
        });
    });
    for (name, test) in plain {
        group.bench_function(name, |bench| {
            bench.iter_batched_ref(
                Counter::default,
                |n| black_box(&pairs).iter().filter(|[a, b]| test(a, b, n)).count(),
                BatchSize::SmallInput,
            );
        });
    }
    group.bench_function("plain 3: edges through faces", |bench| {
        bench.iter_batched_ref(
            Counter::default,
            |n| {
                black_box(&blocks)
                    .iter()
                    .filter(|[a, b]| naive::edges_through_faces(a, b, n))
                    .count()
            },
            BatchSize::SmallInput,
        );
    });
    group.finish();
}

criterion_group! {
    name = boxes;
    config = Criterion::default().sample_size(20).measurement_time(std::time::Duration::from_secs(1)).warm_up_time(std::time::Duration::from_millis(300));
    targets = turned, aligned
}
criterion_main!(boxes);
