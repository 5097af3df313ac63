//! Frames of crowds.

use boxwood::{Detail, Error};

use crate::clock::by_turns;
use crate::frames::{Body, Ours};
use crate::peer_frames::{Peer, peer_poses};
use crate::people::{SPACING, crowd, seed};
use crate::table::{CONTACTS, POINTLESS, Row, WALK};

/// People of 20 boxes.
pub fn boxes(people: usize) -> Result<Vec<Row>, Error> {
    let poses = crowd(people, SPACING, seed(people));
    let theirs = peer_poses(&poses);
    let (mut ours, mut peer) = (Ours::new(people, Body::Box)?, Peer::boxes());
    ours.pairs(&poses, Detail::Parts)?;
    let pairs = by_turns(|| ours.pairs(&poses, Detail::Parts).unwrap_or(0), || peer.pairs(&theirs));
    let contacts =
        by_turns(|| ours.contacts(&poses, Detail::Parts).unwrap_or(0), || peer.contacts(&theirs));
    let row = |what, timed| Row::new(format!("{people} people, boxes: {what}"), timed);
    Ok(vec![row("pairs", pairs), Row { note: CONTACTS, ..row("contacts", contacts) }])
}

/// People of 20 parts of 64 boxes.
pub fn leaves(people: usize) -> Result<Vec<Row>, Error> {
    let poses = crowd(people, SPACING, seed(people));
    let theirs = peer_poses(&poses);
    let (mut ours, mut peer) = (Ours::new(people, Body::Leaves)?, Peer::leaves());
    ours.pairs(&poses, Detail::Parts)?;
    let mut pairs = |detail| ours.pairs(&poses, detail).unwrap_or(0);
    let test = by_turns(|| pairs(Detail::Parts), || peer.pairs(&theirs));
    let walk = by_turns(|| pairs(Detail::Parts), || peer.pairs_by_walk(&theirs));
    let all = by_turns(|| pairs(Detail::Boxes), || peer.leaf_pairs(&theirs));
    let mut contacts = |detail| ours.contacts(&poses, detail).unwrap_or(0);
    let deepest = by_turns(|| contacts(Detail::Parts), || peer.pairs_by_walk(&theirs));
    let every = by_turns(|| contacts(Detail::Boxes), || peer.leaf_pairs(&theirs));
    let row = |what, note, timed| Row {
        note,
        ..Row::new(format!("{people} people, trees of 64: {what}"), timed)
    };
    Ok(vec![
        row("pairs of parts", "Compound", test),
        row("pairs of parts", WALK, walk),
        row("all pairs of leaves", WALK, all),
        row("contacts of parts", POINTLESS, deepest),
        row("contacts of leaves", POINTLESS, every),
    ])
}

/// The same by two threads and by one.
#[cfg(feature = "rayon")]
pub fn threads(people: usize) -> Result<Vec<Row>, Error> {
    let poses = crowd(people, SPACING, seed(people));
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let (Ok(two), Ok(one)) = (pool(2), pool(1)) else { return Ok(Vec::new()) };
    let mut rows = Vec::new();
    for (name, body) in [("boxes", Body::Box), ("trees of 64", Body::Leaves)] {
        let [mut by_two, mut by_one] = [Ours::new(people, body)?, Ours::new(people, body)?];
        let timed = by_turns(
            || two.install(|| by_two.contacts(&poses, Detail::Parts).unwrap_or(0)),
            || one.install(|| by_one.contacts(&poses, Detail::Parts).unwrap_or(0)),
        );
        let name = format!("{people} people, {name}: contacts, two threads");
        rows.push(Row { note: "boxwood, one thread", ..Row::new(name, timed) });
    }
    Ok(rows)
}
