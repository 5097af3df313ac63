//! Frames of crowds.

use boxwood::{Detail, Error};

use crate::boxes::CONTACTS;
use crate::clock::by_turns;
use crate::frames::{Body, Ours, Peer, peer_poses};
use crate::people::crowd;
use crate::table::Row;

const SEED: u64 = 1;
/// Metres between people: about two whom each touches.
pub const SPACING: f64 = 0.75;

/// People of 20 boxes.
pub fn boxes(people: usize) -> Result<Vec<Row>, Error> {
    let poses = crowd(people, SPACING, SEED);
    let theirs = peer_poses(&poses);
    let (mut ours, mut peer) = (Ours::new(people, Body::Box)?, Peer::boxes());
    ours.pairs(&poses, Detail::Parts)?;
    let pairs = by_turns(|| ours.pairs(&poses, Detail::Parts).unwrap_or(0), || peer.pairs(&theirs));
    let contacts = by_turns(|| ours.contacts(&poses).unwrap_or(0), || peer.contacts(&theirs));
    let name = format!("{people} people x 20 boxes, frame");
    Ok(vec![
        Row::new(format!("{name}: pairs"), pairs),
        Row { note: CONTACTS, ..Row::new(format!("{name}: contacts"), contacts) },
    ])
}

/// People of 20 parts of 64 boxes.
pub fn leaves(people: usize) -> Result<Vec<Row>, Error> {
    let poses = crowd(people, SPACING, SEED);
    let theirs = peer_poses(&poses);
    let (mut ours, mut peer) = (Ours::new(people, Body::Leaves)?, Peer::leaves());
    ours.pairs(&poses, Detail::Parts)?;
    let test = by_turns(|| ours.pairs(&poses, Detail::Parts).unwrap_or(0), || peer.pairs(&theirs));
    let walk =
        by_turns(|| ours.pairs(&poses, Detail::Parts).unwrap_or(0), || peer.pairs_by_walk(&theirs));
    let all =
        by_turns(|| ours.pairs(&poses, Detail::Boxes).unwrap_or(0), || peer.leaf_pairs(&theirs));
    let name = format!("{people} people x 20 trees of 64, frame");
    Ok(vec![
        Row { note: "peer: Compound", ..Row::new(format!("{name}: pairs of parts"), test) },
        Row { note: WALK, ..Row::new(format!("{name}: pairs of parts"), walk) },
        Row { note: WALK, ..Row::new(format!("{name}: all pairs of leaves"), all) },
    ])
}

/// How the peer finds what it has no query for.
pub const WALK: &str = "peer: Bvh::leaf_pairs, then each pair";
