//! Rays, points and query shapes at crowds, in batches of 256, beside parry3d's `Bvh` over all
//! parts. Rebuilt after people have moved: in boxwood the snapshot, or the snapshot and the first
//! ray, which builds the tree; in parry3d the world boxes of all parts and the tree, built by
//! binning as for the queries.

use boxwood::{
    Buffers, HitMode, Overlaps, QueryFilter, QueryShape, Ray, RayCast, RayHits, Snapshot,
};

use crate::support::crowd::{Body, Frames, Placed, model};
use crate::support::measure::{BenchGroups, Way, bench_group, cases, clock, in_order, way};
use crate::support::peer::crowd::Peer;
use crate::support::peer::query_shapes::{Kind, kinds};
use crate::support::peer::solids::{Line, Vector, point, ray};
use crate::support::query_places::{Place, casts, middles, over_ground, points, rays};

/// Spacing of people [m].
const SPACING: f64 = 1.0;
/// Queries in a batch.
const QUESTIONS: usize = 256;

fn hit<'a>(now: Snapshot<'a>, casts: &'a [RayCast], mode: HitMode) -> Way<'a> {
    let (mut next, mut ray_hits, all) =
        (in_order(casts, QUESTIONS), RayHits::default(), QueryFilter::all());
    way("boxwood", move || {
        let casts = next();
        clock(|| {
            now.ray_cast_batch(casts, mode, &all, &mut ray_hits).expect("sound rays");
            ray_hits.len()
        })
    })
}

pub fn parts_in<'a>(now: Snapshot<'a>, regions: &'a [QueryShape]) -> Way<'a> {
    let (mut next, mut overlaps, all) =
        (in_order(regions, QUESTIONS), Overlaps::default(), QueryFilter::all());
    way("boxwood", move || {
        let regions = next();
        clock(|| {
            now.overlaps_batch(regions, HitMode::All, &all, &mut overlaps).expect("sound regions");
            overlaps.len()
        })
    })
}

/// Times the peer, with a batch of queries a round.
pub fn theirs<'a, Q>(asked: &'a [Q], ask: impl Fn(&[Q]) -> usize + 'a) -> Way<'a> {
    let mut next = in_order(asked, QUESTIONS);
    way("parry3d", move || {
        let asked = next();
        clock(|| ask(asked))
    })
}

fn made_anew(groups: &mut dyn BenchGroups, name: &str, people: usize) {
    let crowd = || Placed::new(&model(Body::Box, &[]), people, SPACING);
    let (mut one, mut other, mut frames) = (crowd(), crowd(), Frames::new(people, SPACING));
    let (mut buffers, mut spare, mut ray_hits) =
        (Buffers::new(), Buffers::new(), RayHits::default());
    let cast = casts(&rays(&over_ground(1, 1.0), 0.0))[0];
    let ways = vec![
        way("boxwood: snapshot", || {
            let scene = one.next();
            clock(|| scene.snapshot(&mut buffers).characters().count())
        }),
        way("boxwood: snapshot and tree", || {
            let scene = other.next();
            clock(|| {
                let now = scene.snapshot(&mut spare);
                usize::from(
                    now.ray_cast_any(cast, &QueryFilter::all(), &mut ray_hits)
                        .expect("a sound ray"),
                )
            })
        }),
        way("parry3d: boxes and tree", || {
            let mut peer = Peer::placed(&frames.next());
            clock(|| {
                peer.tree = peer.tree();
                peer.tree.leaf_count() as usize
            })
        }),
    ];
    bench_group(groups, &format!("{name}: made anew"), 1, ways);
}

fn at_rays(groups: &mut dyn BenchGroups, name: &str, now: Snapshot<'_>, peer: &Peer, all: &[Ray]) {
    let mine = casts(all);
    let theirs_ = all.iter().map(ray).collect::<Vec<_>>();
    type Ask = fn(&Peer, &[Line]) -> usize;
    let asked: [(_, _, Ask); 3] = [
        ("rays", HitMode::Closest, Peer::rays),
        ("all hit by rays", HitMode::All, Peer::all_hit),
        ("any hit", HitMode::Any, Peer::any_hit),
    ];
    for (what, mode, ask) in asked {
        let ways = vec![hit(now, &mine, mode), theirs(&theirs_, |rays| ask(peer, rays))];
        bench_group(groups, &format!("{name}: {what}"), QUESTIONS, ways);
    }
}

fn at_regions(
    groups: &mut dyn BenchGroups,
    name: &str,
    now: Snapshot<'_>,
    peer: &Peer,
    places: &[Place],
) {
    for Kind { name: what, mine, shape, poses } in kinds(places, 1.0) {
        let other = theirs(&poses, |at| peer.regions(at, &*shape));
        let ways = vec![parts_in(now, &mine), other];
        bench_group(groups, &format!("{name}: {what}"), QUESTIONS, ways);
    }
}

pub fn queries(groups: &mut dyn BenchGroups) {
    for people in [100, 1_000, 10_000] {
        let poses = Frames::new(people, SPACING).next();
        let side = (people as f64).sqrt() * SPACING;
        let mut crowd = Placed::new(&model(Body::Box, &[]), people, SPACING);
        let (peer, mut buffers) = (Peer::new(&poses), Buffers::new());
        let (now, places) = (crowd.next().snapshot(&mut buffers), over_ground(cases(), side));
        let name = format!("{people} people, {QUESTIONS} at once");
        made_anew(groups, &name, people);
        at_rays(groups, &name, now, &peer, &rays(&places, 0.0));
        at_regions(groups, &name, now, &peer, &places);

        let middles = middles(&poses, cases());
        let mine = points(&middles);
        let at: Vec<Vector> = middles.iter().map(|place| point(place.0)).collect();
        let ways = vec![parts_in(now, &mine), theirs(&at, |at| peer.points(at))];
        bench_group(groups, &format!("{name}: points"), QUESTIONS, ways);
    }
}
