//! Trees against trees, and frames of 100 characters: the fighter of the examples, so that anyone can run it.
//!
//! Every group prints the number of answers, so that a faster but different answer shows.

#[path = "../examples/fighter/mod.rs"]
mod fighter;

use std::hint::black_box;
use std::ops::ControlFlow;

use boxwood::tree::{Scratch, TreePair};
use boxwood::{Accuracy, Buffers, CharacterKey, Detail, Hits, Pose, Query, Scene, Spawn};
use criterion::{Criterion, criterion_group, criterion_main};
use nalgebra::{Isometry3, Vector3};

/// Two chests, half pushed into each other and turned.
fn tree_pair(criterion: &mut Criterion) {
    let model = fighter::fighter().model;
    let chest = model.parts()[fighter::skeleton::CHEST].tree().expect("a chest");
    let turned = Isometry3::new(Vector3::new(0.12, 0.05, 0.2), Vector3::new(0.4, 1.1, 0.2));
    let pair = TreePair::new(chest, &Pose::identity(), chest, &turned).expect("good poses");
    let mut group = criterion.benchmark_group("two chests");
    let mut scratch = Scratch::default();
    for depth in [0, 2, 4, 6, 8, 32] {
        let mut count = || {
            let mut found = 0;
            let visited = pair.visit(Accuracy::Depth(depth), &mut scratch, |_| {
                found += 1;
                ControlFlow::Continue(())
            });
            assert!(visited.is_ok());
            found
        };
        println!("depth {depth}: {} pairs of boxes touch", count());
        group
            .bench_function(format!("all pairs, depth {depth}"), |b| b.iter(|| black_box(count())));
    }
    group.bench_function("yes or no, leaves", |b| {
        b.iter(|| pair.intersects(Accuracy::Depth(32), &mut scratch))
    });
    group.finish();
}

/// A hundred fighters on a grid, half a metre apart, in the middle of their clips.
fn crowd() -> (Scene, Vec<CharacterKey>) {
    let fighter = fighter::fighter();
    let mut scene = Scene::new();
    let mut joints = boxwood::motion::Joints::new();
    let mut keys = Vec::new();
    for index in 0..100_u32 {
        let key = scene.insert(&fighter.model, Spawn::default()).expect("a place");
        let clip = &fighter.clips[(index % 5) as usize];
        let poses = clip.sample_looped(index as f32 * 0.13, &mut joints).expect("a good time");
        let place = Vector3::new((index % 10) as f32 * 0.5, 0.0, (index / 10) as f32 * 0.5);
        let at = Isometry3::new(place, Vector3::y() * (index as f32 * 0.7));
        scene.set_joints(key, &at, poses).expect("good poses");
        keys.push(key);
    }
    (scene, keys)
}

fn frame(criterion: &mut Criterion) {
    let (scene, keys) = crowd();
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    let mut group = criterion.benchmark_group("100 fighters");
    group.bench_function("snapshot", |b| {
        b.iter(|| black_box(&scene.snapshot(&mut buffers)).character_box(keys[0]))
    });
    for depth in [0, 3, 32] {
        let query = Query::all().accuracy(Accuracy::Depth(depth));
        let now = scene.snapshot(&mut buffers);
        now.pairs(&query, &mut hits).expect("a good query");
        println!("depth {depth}: {} pairs of parts touch", hits.pairs().len());
        group.bench_function(format!("pairs, depth {depth}"), |b| {
            b.iter(|| now.pairs(&query, &mut hits).expect("a good query").slack)
        });
        group.bench_function(format!("contacts by parts, depth {depth}"), |b| {
            b.iter(|| now.contacts(&query, &mut hits).expect("a good query").slack)
        });
    }
    let boxes = Query::all().detail(Detail::Boxes).accuracy(Accuracy::Depth(3));
    let now = scene.snapshot(&mut buffers);
    now.contacts(&boxes, &mut hits).expect("a good query");
    println!("depth 3: {} pairs of boxes touch", hits.len());
    group.bench_function("contacts by boxes, depth 3", |b| {
        b.iter(|| now.contacts(&boxes, &mut hits).expect("a good query").slack)
    });
    group.finish();
}

criterion_group!(benches, tree_pair, frame);
criterion_main!(benches);
