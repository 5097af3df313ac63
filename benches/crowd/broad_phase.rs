//! Broad phase: overlapping AABBs of people of 20 boxes, beside parry3d's `Bvh`.
//!
//! People are placed outside the clock. Then both libraries start: boxwood makes the snapshot, the
//! peer the world boxes of all parts. The peer finds characters with a tree over the boxes of
//! people against itself, either rebuilt or refitted; it finds parts with a tree over all of them,
//! or with the tree over people and all pairs of their parts. Placing has a row of its own.
//!
//! Given the pairs of characters of a snapshot, the peer tests the same world boxes: every part of
//! one against every part of the other, or by trees over each person's parts, built beforehand.
//! These rows go through a ring of snapshots with more than 24,000 pairs.
//!
//! The snapshot compares boxes rounded outward to single precision: a pair may overlap in one
//! library and narrowly miss in the other.

use boxwood::{Buffers, CharacterKey, Scene, Snapshot};

use crate::support::crowd::{Body, Frames, Placed, model};
use crate::support::measure::{BenchGroups, Way, bench_group, clock, trying, way};
use crate::support::peer::broad_phase::{Peer, bounds, overlaps, overlaps_by_trees, trees};
use crate::support::peer::frames::poses;
use crate::support::peer::people::bodies;
use crate::support::peer::solids::Pose;

/// Number of people, and their spacing [m].
const CROWDS: [(usize, f64); 3] = [(1_000, 1.0), (1_000, 0.5), (10_000, 1.0)];

/// People in all snapshots of the ring.
const MOMENTS: usize = 64_000;

fn parts_near(
    now: Snapshot<'_>,
    pairs: impl Iterator<Item = (CharacterKey, CharacterKey)>,
) -> usize {
    pairs.map(|(a, b)| now.part_aabb_pairs(a, b).expect("sound keys").count()).sum()
}

fn ours<'a>(
    (people, spacing): (usize, f64),
    ask: impl Fn(&Scene, &mut Buffers) -> usize + 'a,
) -> Way<'a> {
    let mut crowd = Placed::new(&model(Body::Box, &[]), people, spacing);
    let mut buffers = Buffers::new();
    way("boxwood", move || {
        let scene = crowd.next();
        clock(|| ask(scene, &mut buffers))
    })
}

fn theirs<'a>(
    name: &str,
    (people, spacing): (usize, f64),
    ask: impl Fn(&mut Peer, &[Pose]) -> usize + 'a,
) -> Way<'a> {
    let (mut frames, mut peer) = (Frames::new(people, spacing), Peer::new(bodies(Body::Box)));
    way(name, move || {
        let poses = poses(&frames.next());
        clock(|| ask(&mut peer, &poses))
    })
}

fn from_poses(groups: &mut dyn BenchGroups, name: &str, crowd: (usize, f64)) {
    let mut row = |what: &str, ways: Vec<Way<'_>>| {
        bench_group(groups, &format!("{name}: {what}"), crowd.0, ways)
    };
    row(
        "placed, and nothing asked",
        vec![
            ours(crowd, |scene, buffers| scene.snapshot(buffers).characters().count()),
            theirs("parry3d", crowd, |peer, poses| peer.place(poses)),
        ],
    );
    row(
        "near characters, from poses",
        vec![
            ours(crowd, |scene, buffers| scene.snapshot(buffers).broad_phase_pairs().count()),
            theirs("parry3d", crowd, |peer, poses| peer.characters(poses)),
            theirs("parry3d, refitted", crowd, |peer, poses| peer.characters_refitted(poses)),
        ],
    );
    let parts = |scene: &Scene, buffers: &mut Buffers| {
        let now = scene.snapshot(buffers);
        parts_near(now, now.broad_phase_pairs())
    };
    row(
        "near parts, from poses",
        vec![
            ours(crowd, parts),
            theirs("parry3d, one tree", crowd, |peer, poses| peer.parts_by_tree(poses)),
            theirs("parry3d, people first", crowd, |peer, poses| peer.parts_by_people(poses)),
        ],
    );
}

/// Rows whose input is the broad-phase pairs.
fn of_pairs(groups: &mut dyn BenchGroups, name: &str, (people, spacing): (usize, f64)) {
    let count = if trying() { 2 } else { MOMENTS / people };
    let mut crowd = Placed::new(&model(Body::Box, &[]), people, spacing);
    let scenes: Vec<Scene> = (0..count).map(|_| crowd.next().clone()).collect();
    let mut buffers: Vec<Buffers> = scenes.iter().map(|_| Buffers::new()).collect();
    let moments: Vec<_> = scenes.iter().zip(&mut buffers).map(|(s, b)| s.snapshot(b)).collect();
    let keys = &crowd.keys;
    let pairs = |now: &Snapshot<'_>| now.broad_phase_pairs().collect::<Vec<_>>();
    let near: Vec<Vec<(CharacterKey, CharacterKey)>> = moments.iter().map(pairs).collect();
    let place = |key: CharacterKey| keys.iter().position(|&other| other == key).expect("a key");
    let places = |near: &Vec<_>| near.iter().map(|&(a, b)| [place(a), place(b)]).collect();
    let places: Vec<Vec<[usize; 2]>> = near.iter().map(places).collect();
    let boxes = |now: &Snapshot<'_>| keys.iter().map(|&key| bounds(*now, key)).collect();
    let boxes: Vec<Vec<_>> = moments.iter().map(boxes).collect();
    let trees: Vec<_> = boxes.iter().map(|people| trees(people)).collect();

    let round = || (0..count).cycle();
    let next =
        |moments: &mut std::iter::Cycle<std::ops::Range<usize>>| moments.next().expect("one");
    let [mut a, mut b, mut c] = [round(), round(), round()];
    let ways = vec![
        way("boxwood", || {
            let at = next(&mut a);
            clock(|| parts_near(moments[at], near[at].iter().copied()))
        }),
        way("parry3d", || {
            let at = next(&mut b);
            let pair = |&[a, b]: &[usize; 2]| overlaps(&boxes[at][a], &boxes[at][b]);
            clock(|| places[at].iter().map(pair).sum::<usize>())
        }),
        way("parry3d, trees", || {
            let at = next(&mut c);
            let pair = |&[a, b]: &[usize; 2]| overlaps_by_trees(&trees[at][a], &trees[at][b]);
            clock(|| places[at].iter().map(pair).sum::<usize>())
        }),
    ];
    let pairs: usize = near.iter().map(Vec::len).sum();
    println!("{pairs} pairs of people are near each other in {count} moments");
    bench_group(groups, &format!("{name}: near parts of given pairs"), pairs / count, ways);
}

pub fn near(groups: &mut dyn BenchGroups) {
    for (people, spacing) in CROWDS {
        let name = format!("{people} people, {spacing} m");
        from_poses(groups, &name, (people, spacing));
        of_pairs(groups, &name, (people, spacing));
    }
}
