//! Two trees at all depths: two chests of the fighter of the examples, which overlap by half and
//! are rotated against each other.

use std::ops::ControlFlow;

use boxwood::tree::{TreePair, TreeScratch};
use boxwood::{Accuracy, ObbTree, Pose};
use criterion::Criterion;

use crate::support::fighter;
use crate::support::measure::{Round, bench_group, clock, in_order, way};
use crate::support::moving_boxes::clinch;
use crate::support::random::Random;

/// Poses of the second chest, in order.
const PLACES: usize = 512;

/// Distance of the centres of the chests [m].
const REACH: f32 = 0.24;

fn pairs<'a>(chest: &'a ObbTree, places: &[Pose]) -> Vec<TreePair<'a, f32>> {
    let pair = |place| TreePair::new(chest, &Pose::identity(), chest, place).expect("good poses");
    places.iter().map(pair).collect()
}

fn all(pair: &TreePair<'_, f32>, depth: u8, scratch: &mut TreeScratch) -> usize {
    let mut found = 0;
    let visited = pair.visit(Accuracy::Depth(depth), scratch, |_| {
        found += 1;
        ControlFlow::Continue(())
    });
    visited.map_or(0, |_| found)
}

pub fn chests(criterion: &mut Criterion) {
    let model = fighter::fighter().model;
    let chest = model.parts()[fighter::skeleton::CHEST].tree().expect("a chest");
    let mut random = Random(3);
    let places: Vec<Pose> = (0..PLACES).map(|_| clinch(REACH, &mut random)).collect();
    let pairs = &pairs(chest, &places);
    let mut ways = Vec::new();
    for depth in [0, 2, 4, 6, 8, 32] {
        let (mut next, mut scratch) = (in_order(pairs, 1), TreeScratch::default());
        ways.push(way(format!("all pairs, depth {depth}"), move || -> Round {
            let pair = &next()[0];
            clock(|| all(pair, depth, &mut scratch))
        }));
    }
    let (mut next, mut scratch) = (in_order(pairs, 1), TreeScratch::default());
    ways.push(way("yes or no, leaves", move || {
        let pair = &next()[0];
        clock(|| {
            usize::from(pair.intersects(Accuracy::Depth(32), &mut scratch).expect("a sound depth"))
        })
    }));
    bench_group(criterion, "two chests", 1, ways);
}
