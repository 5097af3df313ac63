//! Frames of crowds at three densities, from the poses of all parts to the touching pairs. Every
//! row prints the number of pairs that each library finds in the first frame.

use boxwood::Detail;
use boxwood::nalgebra::Isometry3;
use criterion::Criterion;

use crate::support::crowd::{Body, Frames};
use crate::support::frames::{Crowd, Ours, ours};
use crate::support::measure::{Way, bench_group, trying};
use crate::support::peer::frames::{Peer, poses, theirs};
use crate::support::people::SPACING;

/// Densities: name, and spacing of people [m].
const DENSITIES: [(&str, f64); 3] = [("sparse", 1.0), ("middling", 0.7), ("dense", SPACING)];

pub fn crowds(criterion: &mut Criterion) {
    // Small crowds are enough to try every row.
    let all = [10, 100, 1_000, 10_000];
    for &people in if trying() { &all[..2] } else { &all[..] } {
        for (density, spacing) in DENSITIES {
            let name = format!("{people} people, {density}");
            print_density(&name, (people, spacing));
            boxes(criterion, &name, (people, spacing));
            trees(criterion, &name, (people, spacing));
        }
    }
}

/// Prints the density of the first frame.
fn print_density(name: &str, (people, spacing): Crowd) {
    let frame = Frames::new(people, spacing).next();
    let mut ours = Ours::new(people, Body::Box);
    let touching = ours.pairs(&frame, Detail::DeepestBoxes);
    println!(
        "{name}: {} pairs of parts with world boxes that overlap, {touching} touch, of {} pairs of people",
        Peer::boxes().candidates(&poses(&frame)),
        ours.meetings()
    );
}

/// People of 20 boxes.
fn boxes(criterion: &mut Criterion, name: &str, crowd: Crowd) {
    let ours =
        |ask: fn(&mut Ours, &[Isometry3<f32>]) -> usize| ours("boxwood", crowd, Body::Box, ask);
    let boxes = Peer::boxes;
    let mut row = |what: &str, ways: Vec<Way<'_>>| {
        bench_group(criterion, &format!("{name}: boxes, {what}"), 1, ways)
    };
    // The counts differ: boxwood counts near pairs of people, the peer near pairs of parts.
    row(
        "update",
        vec![ours(Ours::update), theirs("parry3d", crowd, boxes(), |peer, at| peer.update(at))],
    );
    row(
        "pairs",
        vec![
            ours(|ours, at| ours.pairs(at, Detail::DeepestBoxes)),
            theirs("parry3d", crowd, boxes(), |peer, at| peer.pairs(at)),
        ],
    );
    row(
        "contacts",
        vec![
            ours(|ours, at| ours.contacts(at, Detail::DeepestBoxes)),
            theirs("parry3d", crowd, boxes(), |peer, at| peer.contacts(at)),
        ],
    );
    row(
        "intersects",
        vec![
            ours(|ours, at| usize::from(ours.intersects(at))),
            theirs("parry3d", crowd, boxes(), |peer, at| usize::from(peer.intersects(at))),
        ],
    );
}

/// People of 20 trees of 64 boxes.
fn trees(criterion: &mut Criterion, name: &str, crowd: Crowd) {
    let ours =
        |ask: fn(&mut Ours, &[Isometry3<f32>]) -> usize| ours("boxwood", crowd, Body::Leaves, ask);
    let leaves = Peer::leaves;
    let mut row = |what: &str, ways: Vec<Way<'_>>| {
        bench_group(criterion, &format!("{name}: trees, {what}"), 1, ways)
    };
    row(
        "pairs of parts",
        vec![
            ours(|ours, at| ours.pairs(at, Detail::DeepestBoxes)),
            theirs("parry3d", crowd, leaves(), |peer, at| peer.pairs(at)),
            theirs("parry3d walked", crowd, leaves(), |peer, at| peer.pairs_by_walk(at)),
        ],
    );
    row(
        "pairs of leaves",
        vec![
            ours(|ours, at| ours.pairs(at, Detail::Boxes)),
            theirs("parry3d", crowd, leaves(), |peer, at| peer.leaf_pairs(at)),
        ],
    );
    row(
        "intersects",
        vec![
            ours(|ours, at| usize::from(ours.intersects(at))),
            theirs("parry3d", crowd, leaves(), |peer, at| usize::from(peer.intersects(at))),
        ],
    );
    // Contacts of trees: the deepest of each pair of parts, or those of all leaves, for which the
    // peer has no query.
    let mut deepest = vec![ours(|ours, at| ours.contacts(at, Detail::DeepestBoxes))];
    // Ten frames of a larger crowd take a minute.
    if crowd.0 <= 1_000 {
        deepest.push(theirs("parry3d", crowd, leaves(), |peer, at| peer.contacts(at)));
    }
    row("contacts of parts", deepest);
    row("contacts of leaves", vec![ours(|ours, at| ours.contacts(at, Detail::Boxes))]);
}
