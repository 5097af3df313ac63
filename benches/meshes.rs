//! Two linked rings of triangles that nearly touch, and building their trees, beside parry3d on the same triangles.
//!
//! What the example `speed` sums up in one table. Every group prints the answers of both before it times them. Pairs are in
//! double precision on both sides, builds in single.

use criterion::{Criterion, criterion_group, criterion_main};

#[path = "speed/builds.rs"]
mod builds;
#[path = "speed/tori.rs"]
mod tori;
#[path = "speed/triangles.rs"]
mod triangles;

use builds::Soup;
use tori::{RINGS, places, torus, tree};
use triangles::{Ours, Peer};

fn pairs(criterion: &mut Criterion) {
    for ring in RINGS {
        let mine = tree(ring).expect("a good mesh");
        let places = places(&mine, 2).expect("good poses");
        let mut ours = Ours::new(mine, &places);
        let mut peer = Peer::new(torus(ring), &places).expect("a good mesh");
        let name = format!("{} triangles, {} places", ring.triangles(), places.len());
        let mut touching = || ours.touching().expect("good poses");
        let (mine, other) = (touching(), peer.touching());
        let walked = peer.touching_by_walk();
        println!("{name}: touching at, by boxwood {mine}, parry3d {other}, walked {walked}");
        let mut group = criterion.benchmark_group(&name);
        group.bench_function("yes or no, boxwood", |b| b.iter(&mut touching));
        group.bench_function("yes or no, parry3d", |b| b.iter(|| peer.touching()));
        group.bench_function("yes or no, parry3d walked", |b| b.iter(|| peer.touching_by_walk()));
        let mut all = || ours.pairs().expect("good poses");
        println!("  pairs of triangles by boxwood {}, parry3d {}", all(), peer.pairs());
        group.bench_function("all pairs, boxwood", |b| b.iter(&mut all));
        group.bench_function("all pairs, parry3d", |b| b.iter(|| peer.pairs()));
        group.finish();
    }
}

fn build(criterion: &mut Criterion) {
    // The finest takes seconds a build; the example times it.
    let [_, ring, _] = RINGS;
    let soup = Soup::new(ring).expect("a good mesh");
    let name = format!("build, {} triangles", ring.triangles());
    println!("{name}: in leaves by boxwood {}, parry3d {}", soup.ours(), soup.peer());
    let mut group = criterion.benchmark_group(&name);
    group.bench_function("boxwood", |b| b.iter(|| soup.ours()));
    group.bench_function("parry3d", |b| b.iter(|| soup.peer()));
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(std::time::Duration::from_millis(600)).warm_up_time(std::time::Duration::from_millis(200));
    targets = pairs, build
}
criterion_main!(benches);
