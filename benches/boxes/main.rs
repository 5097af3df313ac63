//! OBB pairs: intersection test, single and batched, and contact, beside parry3d in f32 on the same
//! data; and the naive tests of aligned boxes that the SAT replaces.
//!
//! Data: 131,072 different pairs a row, read in order, 4,096 a round. Whether the next two
//! intersect, and which axis separates them, is random: a branch predictor that has seen 1,024
//! pairs often makes a single test appear up to half again as fast. The pairs of both libraries
//! exceed the second-level cache, so the times include reading them from memory.

#[path = "../support/mod.rs"]
mod support;

use boxwood::num::SimdLevel;
use boxwood::pair::Batch;
use boxwood::shape::{Aabb, Obb};
use criterion::{Criterion, criterion_group, criterion_main};
use nalgebra::Matrix3;
use support::boxes::{MIXES, aligned_pairs, turned_pairs};
use support::measure::{
    CHUNK, bench_group, cases, clock, counted, in_order, settings, summed, way,
};
use support::naive_box_tests::{self, Counter};
use support::peer::solids as peer;
use support::plain_box::PlainBox;
use support::random::Random;

fn turned(criterion: &mut Criterion) {
    for (name, spread) in MIXES {
        let pairs = turned_pairs(cases(), spread, &mut Random(1));
        let theirs = peer::boxes(&pairs);
        let mut ways = vec![
            counted("boxwood intersects", &pairs, |[a, b]| a.intersects(b)),
            counted("parry3d intersection_test", &theirs, |[a, b]| peer::intersects(a, b)),
        ];
        for simd in SimdLevel::all() {
            let (mut batch, mut answers) = (Batch::with_simd_level(simd), Vec::new());
            let mut next = in_order(&pairs, CHUNK);
            ways.push(way(format!("boxwood batch, {simd}"), move || {
                let pairs = next();
                clock(|| {
                    batch.intersects(pairs.iter().map(|[a, b]| (a, b)), &mut answers);
                    answers.iter().filter(|&&touch| touch).count()
                })
            }));
        }
        bench_group(criterion, &format!("turned boxes, {name}"), CHUNK, ways);
        let ways = vec![
            summed("boxwood", &pairs, |[a, b]| a.contact(b).map(|contact| contact.depth)),
            summed("parry3d", &theirs, |[a, b]| peer::contact(a, b)),
        ];
        bench_group(criterion, &format!("turned boxes, {name}: contact"), CHUNK, ways);
    }
}

fn block(stored: &Aabb<f64, 3>) -> PlainBox {
    let center = stored.center().expect("not empty");
    let box_of = Obb::new(center, Matrix3::identity(), stored.half_extents());
    PlainBox::of(&box_of.expect("a box"))
}

/// Times the naive tests, which miss pairs, and prints the number of pairs that each test finds.
fn aligned(criterion: &mut Criterion) {
    let pairs = aligned_pairs(cases(), &mut Random(2));
    let blocks: Vec<[PlainBox; 2]> = pairs.iter().map(|[a, b]| [block(a), block(b)]).collect();
    type Pair = [Aabb<f64, 3>; 2];
    type Test = fn(&Aabb<f64, 3>, &Aabb<f64, 3>, &mut Counter) -> bool;
    let plain: [(&str, Test); 4] = [
        ("plain 1: corners in boxes", naive_box_tests::corners_in_box),
        ("plain 1 as printed: strict", naive_box_tests::corners_in_open_box),
        ("plain 2: edges through boxes", naive_box_tests::edges_through_box),
        ("intervals, counted", naive_box_tests::interval_test),
    ];
    let depth = |[a, b]: &Pair| a.contact(b).map(|contact| contact.depth as f32);
    let mut ways = vec![
        counted("boxwood intersects", &pairs, |[a, b]| a.intersects(b)),
        counted("boxwood intersection", &pairs, |[a, b]| a.intersection(b).is_some()),
        summed("boxwood contact", &pairs, depth),
    ];
    for (name, test) in plain {
        ways.push(counted(name, &pairs, move |[a, b]| test(a, b, &mut Counter::default())));
    }
    ways.push(counted("plain 3: edges through faces", &blocks, |[a, b]| {
        naive_box_tests::edges_through_faces(a, b, &mut Counter::default())
    }));
    ways.push(counted("plain region, counted", &pairs, |[a, b]| {
        naive_box_tests::region_test(a, b, &mut Counter::default()).is_some()
    }));
    bench_group(criterion, "aligned boxes", CHUNK, ways);
}

criterion_group! {
    name = benches;
    config = settings();
    targets = turned, aligned
}
criterion_main!(benches);
