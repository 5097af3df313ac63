//! Frames of crowds at three densities, beside parry3d on the same poses: from the poses of all parts to what touches.
//!
//! What the example `speed` sums up in one table. Every group prints the answers of both before it times them.

use boxwood::Detail;
use boxwood::nalgebra::Isometry3;
use criterion::{BenchmarkGroup, Criterion, criterion_group, criterion_main};

#[allow(dead_code)]
#[path = "../tests/support/block.rs"]
mod block;
#[path = "speed/frames.rs"]
mod frames;
#[path = "speed/peer_frames.rs"]
mod peer_frames;
#[path = "../tests/support/people.rs"]
mod people;
#[allow(dead_code)]
#[path = "../tests/support/random.rs"]
mod random;

use frames::{Body, Ours};
use parry3d::shape::Compound;
use peer_frames::{Peer, peer_poses};
use people::{PARTS, SPACING, crowd, seed};

/// Names of densities, and how far apart people stand in metres.
const DENSITIES: [(&str, f64); 3] = [("sparse", 1.0), ("middling", 0.7), ("dense", SPACING)];

type Group<'a> = BenchmarkGroup<'a, criterion::measurement::WallTime>;

fn crowds(criterion: &mut Criterion) {
    for people in [10, 100, 1_000, 10_000] {
        for (density, spacing) in DENSITIES {
            let poses = crowd(people, spacing, seed(people));
            let name = format!("{people} people, {density}");
            let mut group = criterion.benchmark_group(&name);
            boxes(&mut group, &name, people, &poses);
            trees(&mut group, &name, people, &poses);
            group.finish();
        }
    }
}

/// People of 20 boxes.
fn boxes(group: &mut Group<'_>, name: &str, people: usize, poses: &[Isometry3<f32>]) {
    let mut ours = Ours::new(people, Body::Box).expect("good boxes");
    let (mut peer, theirs) = (Peer::boxes(), peer_poses(poses));
    let candidates = peer.candidates(&theirs);
    let mine = ours.pairs(poses, Detail::Parts).expect("good poses");
    let (meetings, other) = (ours.meetings(), peer.pairs(&theirs));
    println!("{name}: of {candidates} pairs of parts with world boxes that overlap");
    println!("  touching by boxwood {mine}, parry3d {other}; of {meetings} pairs of people");
    let mut update = || ours.update(poses).expect("good poses");
    println!(
        "  updated: boxwood {} near pairs of people, parry3d {} parts",
        update(),
        peer.update(&theirs)
    );
    group.bench_function("boxes, update, boxwood", |b| b.iter(&mut update));
    group.bench_function("boxes, update, parry3d", |b| b.iter(|| peer.update(&theirs)));
    let mut pairs = || ours.pairs(poses, Detail::Parts).expect("good poses");
    group.bench_function("boxes, pairs, boxwood", |b| b.iter(&mut pairs));
    group.bench_function("boxes, pairs, parry3d", |b| b.iter(|| peer.pairs(&theirs)));
    let mut contacts = || ours.contacts(poses, Detail::Parts).expect("good poses");
    let (mine, other) = (contacts(), peer.contacts(&theirs));
    println!("  contacts by boxwood {mine}, parry3d {other}");
    group.bench_function("boxes, contacts, boxwood", |b| b.iter(&mut contacts));
    group.bench_function("boxes, contacts, parry3d", |b| b.iter(|| peer.contacts(&theirs)));
    let mut any = || ours.intersects(poses).expect("good poses");
    println!("  whether any touch, by boxwood {}, parry3d {}", any(), peer.intersects(&theirs));
    group.bench_function("boxes, intersects, boxwood", |b| b.iter(&mut any));
    group.bench_function("boxes, intersects, parry3d", |b| b.iter(|| peer.intersects(&theirs)));
}

/// People of 20 trees of 64 boxes.
fn trees(group: &mut Group<'_>, name: &str, people: usize, poses: &[Isometry3<f32>]) {
    let mut ours = Ours::new(people, Body::Leaves).expect("good boxes");
    let (mut peer, theirs) = (Peer::leaves(), peer_poses(poses));
    let mut pairs = |detail| ours.pairs(poses, detail).expect("good poses");
    let (mine, other) = (pairs(Detail::Parts), peer.pairs(&theirs));
    let walked = peer.pairs_by_walk(&theirs);
    println!("{name}, trees: parts touching by boxwood {mine}, parry3d {other}, walked {walked}");
    let (mine, other) = (pairs(Detail::Boxes), peer.leaf_pairs(&theirs));
    println!("  leaves touching by boxwood {mine}, parry3d {other}");
    group.bench_function("trees, pairs of parts, boxwood", |b| b.iter(|| pairs(Detail::Parts)));
    group.bench_function("trees, pairs of parts, parry3d", |b| b.iter(|| peer.pairs(&theirs)));
    group.bench_function("trees, pairs of parts, parry3d walked", |b| {
        b.iter(|| peer.pairs_by_walk(&theirs))
    });
    group.bench_function("trees, pairs of leaves, boxwood", |b| b.iter(|| pairs(Detail::Boxes)));
    group
        .bench_function("trees, pairs of leaves, parry3d", |b| b.iter(|| peer.leaf_pairs(&theirs)));
    let mut any = || ours.intersects(poses).expect("good poses");
    println!("  whether any touch, by boxwood {}, parry3d {}", any(), peer.intersects(&theirs));
    group.bench_function("trees, intersects, boxwood", |b| b.iter(&mut any));
    group.bench_function("trees, intersects, parry3d", |b| b.iter(|| peer.intersects(&theirs)));
    tree_contacts(group, (&mut ours, &mut peer), poses);
}

/// Where trees touch: of two parts the deepest, or of all leaves, which the other library has no question for.
fn tree_contacts(
    group: &mut Group<'_>,
    (ours, peer): (&mut Ours, &mut Peer<Compound>),
    poses: &[Isometry3<f32>],
) {
    let mut contacts = |detail| ours.contacts(poses, detail).expect("good poses");
    let (of_parts, of_leaves) = (contacts(Detail::Parts), contacts(Detail::Boxes));
    println!("  contacts of leaves by boxwood {of_leaves}");
    group.bench_function("trees, contacts of parts, boxwood", |b| {
        b.iter(|| contacts(Detail::Parts))
    });
    group.bench_function("trees, contacts of leaves, boxwood", |b| {
        b.iter(|| contacts(Detail::Boxes))
    });
    // Ten frames of more people are a minute.
    if poses.len() > 1_000 * PARTS {
        return println!("  contacts of parts by boxwood {of_parts}");
    }
    let theirs = peer_poses(poses);
    println!("  contacts of parts by boxwood {of_parts}, parry3d {}", peer.contacts(&theirs));
    group
        .bench_function("trees, contacts of parts, parry3d", |b| b.iter(|| peer.contacts(&theirs)));
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(std::time::Duration::from_millis(250)).warm_up_time(std::time::Duration::from_millis(50));
    targets = crowds
}
criterion_main!(benches);
