//! Frames of crowds.

use boxwood::Detail;

use crate::alternating::{Effort, in_turn};
use crate::support::crowd::Body;
use crate::support::frames::{Crowd, ours};
use crate::support::measure::Way;
use crate::support::peer::frames::{Compound, Cuboid, Peer, theirs};
use crate::support::people::SPACING;
use crate::table::{CONTACTS, POINTLESS, Row, WALK};

fn pairs<'a>(crowd: Crowd, body: Body, detail: Detail) -> Way<'a> {
    ours("boxwood", crowd, body, move |ours, at| ours.pairs(at, detail))
}

fn contacts<'a>(crowd: Crowd, body: Body, detail: Detail) -> Way<'a> {
    ours("boxwood", crowd, body, move |ours, at| ours.contacts(at, detail))
}

/// People of 20 boxes.
pub fn boxes(effort: Effort, people: usize) -> Vec<Row> {
    let (crowd, boxes, name) = ((people, SPACING), Body::Box, "parry3d");
    let row = |what, peer: &str, ways| {
        let name = format!("{people} people, boxes: {what}");
        Row { name, timed: in_turn(effort, ways), of: 1, peer: peer.into() }
    };
    let theirs = |ask: fn(&mut _, &[_]) -> usize| theirs(name, crowd, Peer::boxes(), ask);
    vec![
        row(
            "pairs",
            "Bvh, rebuilt",
            [pairs(crowd, boxes, Detail::DeepestBoxes), theirs(Peer::<Cuboid>::pairs)],
        ),
        row(
            "contacts",
            CONTACTS,
            [contacts(crowd, boxes, Detail::DeepestBoxes), theirs(Peer::contacts)],
        ),
    ]
}

/// People of 20 parts of 64 boxes.
pub fn leaves(effort: Effort, people: usize) -> Vec<Row> {
    let (crowd, trees, name) = ((people, SPACING), Body::Leaves, "parry3d");
    let row = |what, peer: &str, ways| {
        let name = format!("{people} people, trees of 64: {what}");
        Row { name, timed: in_turn(effort, ways), of: 1, peer: peer.into() }
    };
    let theirs = |ask: fn(&mut _, &[_]) -> usize| theirs(name, crowd, Peer::leaves(), ask);
    let (parts, boxes) = (Detail::DeepestBoxes, Detail::Boxes);
    let walk = || theirs(Peer::pairs_by_walk);
    let leaf_pairs = || theirs(Peer::leaf_pairs);
    vec![
        row(
            "pairs of parts",
            "Compound",
            [pairs(crowd, trees, parts), theirs(Peer::<Compound>::pairs)],
        ),
        row("pairs of parts", WALK, [pairs(crowd, trees, parts), walk()]),
        row("all pairs of leaves", WALK, [pairs(crowd, trees, boxes), leaf_pairs()]),
        row("contacts of parts", POINTLESS, [contacts(crowd, trees, parts), walk()]),
        row("contacts of leaves", POINTLESS, [contacts(crowd, trees, boxes), leaf_pairs()]),
    ]
}

/// Frames with two threads and with one.
#[cfg(feature = "rayon")]
pub fn threads(effort: Effort, people: usize) -> Vec<Row> {
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let (Ok(two), Ok(one)) = (pool(2), pool(1)) else { return Vec::new() };
    let row = |(name, body)| {
        let by = |pool| {
            ours("boxwood", (people, SPACING), body, move |ours, at| {
                let pool: &rayon::ThreadPool = pool;
                pool.install(|| ours.contacts(at, Detail::DeepestBoxes))
            })
        };
        let timed = in_turn(effort, [by(&two), by(&one)]);
        let name = format!("{people} people, {name}: contacts, two threads");
        Row { name, timed, of: 1, peer: "boxwood, one thread".into() }
    };
    crate::support::crowd::BODIES.map(row).into()
}
