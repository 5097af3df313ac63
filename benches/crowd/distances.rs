//! Distances of characters or of their parts: neighbours among people of 20 parts, each a box or a
//! tree of 64 boxes (a `Compound` in parry3d).
//!
//! Both libraries start with the world boxes of all parts. The peer sorts the pairs of parts by the
//! distance of their world boxes and tests, in that order, those nearer than the best so far. Its
//! test is `query::distance`, or `query::closest_points` with the best so far as the margin, which
//! returns the points too, as boxwood always does. For trees, each leaf of one that is near enough
//! is tested against the tree of the other, bounded by the best so far.
//!
//! The peer's GJK for closest points of boxes runs in single precision and stops slightly early, so
//! the report before the times gives both the number of answers and their sum.

use std::hint::black_box;

use boxwood::{Buffers, CharacterKey, Hits, PairQuery, PartId};

use crate::support::crowd::{BODIES, Body, Frames, Placed, model};
use crate::support::measure::{BenchGroups, Found, Way, bench_group, clock, way};
use crate::support::peer::distances::{DistanceFn, Peer, by_distance, by_leaves, by_points};
use crate::support::peer::frames::poses;
use crate::support::peer::people::{Person, bodies, everyone};
use crate::support::people::PARTS;

/// Pairs of neighbours.
const PEOPLE: usize = 100;
/// Spacing of people [m].
const SPACING: f64 = 1.0;
/// Largest distance of the queries for close parts [m].
const CLOSE: f32 = 0.1;

struct Asked {
    name: &'static str,
    parts: [Vec<usize>; 2],
    max_distance: f32,
}

fn asked() -> [Asked; 4] {
    let all = || (0..PARTS).collect::<Vec<_>>();
    let of = |name, parts, max_distance| Asked { name, parts, max_distance };
    // The arms are a forearm and a hand on each side; the trunk is the waist to the head.
    let (arms, trunk) = (vec![8, 9, 15, 16], vec![1, 2, 3, 4, 5]);
    [
        of("all parts", [all(), all()], f32::INFINITY),
        of("all parts, within 10 cm", [all(), all()], CLOSE),
        of("forearms and hands, and the trunk", [arms, trunk], f32::INFINITY),
        of("a hand and a chest", [vec![9], vec![3]], f32::INFINITY),
    ]
}

fn questions(keys: &[CharacterKey], asked: &Asked) -> Vec<PairQuery<'static>> {
    let parts = asked.parts.each_ref().map(|of| of.iter().map(|&part| PartId::new(part)));
    let parts: [Vec<PartId>; 2] = parts.map(Iterator::collect);
    let of = |pair: &[CharacterKey]| {
        let apart = PairQuery::between(pair[0], pair[1]).max_distance(asked.max_distance);
        let all = asked.parts[0].len() == PARTS;
        if all { apart } else { apart.parts(&parts[0], &parts[1]) }
    };
    keys.windows(2).map(of).collect()
}

fn ours<'a>(body: Body, asked: &Asked) -> Way<'a> {
    let mut crowd = Placed::new(&model(body, &[]), PEOPLE, SPACING);
    let questions = questions(&crowd.keys, asked);
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    way("boxwood", move || {
        let now = crowd.next().snapshot(&mut buffers);
        clock(|| {
            let apart = |apart: &PairQuery| {
                let found = now.distance(apart, hits.scratch()).expect("a sound question");
                found.map(|found| black_box(found).distance)
            };
            questions.iter().filter_map(apart).collect::<Found>()
        })
    })
}

fn theirs<'a>(name: &str, body: Body, asked: &'a Asked, by: DistanceFn) -> Way<'a> {
    let (mut frames, bodies) = (Frames::new(PEOPLE, SPACING), bodies(body));
    let mut ranked = Vec::new();
    way(name, move || {
        let poses = poses(&frames.next());
        let people = everyone(&poses, &bodies);
        let bounds = people.iter().map(Person::bounds).collect();
        let peer = Peer { people, bounds };
        let of = (asked.parts.each_ref().map(Vec::as_slice), asked.max_distance);
        clock(|| {
            let apart = |next| peer.apart([next - 1, next], of, &mut ranked, by);
            (1..PEOPLE).filter_map(apart).collect::<Found>()
        })
    })
}

pub fn distances(groups: &mut dyn BenchGroups) {
    for (kind, body) in BODIES {
        for asked in &asked() {
            let mut ways = vec![
                ours(body, asked),
                theirs("parry3d, distance", body, asked, by_distance),
                theirs("parry3d, closest_points", body, asked, by_points),
            ];
            if body == Body::Leaves {
                ways.push(theirs("parry3d, leaf by leaf", body, asked, by_leaves));
            }
            let name = format!("distance of two people, {kind}: {}", asked.name);
            bench_group(groups, &name, PEOPLE - 1, ways);
        }
    }
}
