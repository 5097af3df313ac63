//! What depth and tolerance cost: a yes or no, and all contacts, of two fighters in a clinch.

use std::hint::black_box;

use boxwood::nalgebra::{Isometry3, Vector3};
use boxwood::{Accuracy, Buffers, Detail, Hits, Query, Scene, Spawn};
use criterion::{Criterion, criterion_group, criterion_main};

#[path = "../examples/fighter/mod.rs"]
mod fighter;

/// Two fighters facing each other, hands in each other's guard.
fn clinch() -> Scene {
    let loaded = fighter::fighter();
    let mut scene = Scene::new();
    let at = Isometry3::new(Vector3::new(0.1, 0.0, 0.45), Vector3::y() * 3.0);
    for at in [Isometry3::identity(), at] {
        scene.insert(&loaded.model, Spawn { at, ..Spawn::default() }).expect("a fighter");
    }
    scene
}

fn by_accuracy(criterion: &mut Criterion) {
    let scene = clinch();
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    let now = scene.snapshot(&mut buffers);
    let depths = (0..=8).step_by(2).chain([u8::MAX]).map(Accuracy::Depth);
    let others =
        [Accuracy::Within(0.05), Accuracy::Within(0.005), Accuracy::Exact, Accuracy::Budget(1_000)];
    for accuracy in depths.chain(others) {
        let mut group = criterion.benchmark_group(format!("{accuracy:?}"));
        let ask = Query::all().accuracy(accuracy);
        let report = now.contacts(&ask, &mut hits).expect("a good query");
        println!(
            "{accuracy:?}: {} pairs of parts, slack {:.4}, {} box tests, {} pairs of triangles",
            hits.len(),
            report.slack,
            report.counts.tests(),
            report.counts.primitives
        );
        group.bench_function("intersects", |b| b.iter(|| now.intersects(&ask, &mut hits)));
        group.bench_function("contacts by parts", |b| {
            b.iter(|| black_box(now.contacts(&ask, &mut hits)).is_ok())
        });
        let boxes = ask.clone().detail(Detail::Boxes);
        group.bench_function("contacts by boxes", |b| {
            b.iter(|| black_box(now.contacts(&boxes, &mut hits)).is_ok())
        });
        group.finish();
    }
}

criterion_group!(benches, by_accuracy);
criterion_main!(benches);
