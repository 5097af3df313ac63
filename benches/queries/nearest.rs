//! Queries for one best answer among a crowd of people of 20 boxes: the closest part to a point,
//! beside parry3d's `Bvh::find_best` over all parts; the closest pair of all people, beside the
//! query for all pairs; the pairs, the cast and the separation of one person, in crowds of growing
//! size.
//!
//! The closest pair is that of people 3 m apart, and of people so dense that many touch. A query
//! for one person asks about another person each time; casts are measured as the first query of a
//! frame, which builds the trees over the characters, and as one more.

use boxwood::nalgebra::{Point3, Vector3};
use boxwood::{Buffers, ClosestParts, Hits, PairQuery, Push, QueryFilter, Snapshot};

use crate::support::crowd::{Body, Frames, Placed, model};
use crate::support::measure::{BenchGroups, Found, Way, bench_group, cases, clock, in_order, way};
use crate::support::peer::crowd::Peer;
use crate::support::peer::solids::{Vector, point};
use crate::support::query_places::{Place, over_ground};

/// Points in a round.
const POINTS: usize = 512;

fn closest<'a>(now: Snapshot<'a>, places: &'a [Place], max_distance: f64) -> Way<'a> {
    let (mut next, mut closest) = (in_order(places, POINTS), ClosestParts::new());
    way("boxwood", move || {
        let places = next();
        clock(|| {
            let distance = |&(at, _): &(Point3<f32>, _)| {
                let all = QueryFilter::all();
                let near = now.closest_part(at, max_distance, &all, &mut closest);
                near.expect("a sound point").map(|near| near.distance)
            };
            places.iter().filter_map(distance).collect::<Found>()
        })
    })
}

pub fn points(groups: &mut dyn BenchGroups, people: usize) {
    let side = (people as f64).sqrt();
    let mut crowd = Placed::new(&model(Body::Box, &[]), people, 1.0);
    let (peer, mut buffers) = (Peer::new(&Frames::new(people, 1.0).next()), Buffers::new());
    let (now, places) = (crowd.next().snapshot(&mut buffers), over_ground(cases(), side));
    let theirs: Vec<Vector> = places.iter().map(|place| point(place.0)).collect();
    for max_distance in [0.5, 15.0, f32::INFINITY] {
        let mut next = in_order(&theirs, POINTS);
        let ways = vec![
            closest(now, &places, max_distance.into()),
            way("parry3d", || {
                let points = next();
                clock(|| {
                    let near = |&at: &Vector| peer.closest(at, max_distance);
                    points.iter().filter_map(near).collect::<Found>()
                })
            }),
        ];
        let name = match max_distance {
            f32::INFINITY => format!("{people} people: closest part at any distance"),
            _ => format!("{people} people: closest part within {max_distance} m"),
        };
        bench_group(groups, &name, POINTS, ways);
    }
}

/// The closest pair of all, beside all pairs that touch.
fn all_pairs(groups: &mut dyn BenchGroups, people: usize, spacing: f64) {
    for (what, max_distance) in [("within 1 m", 1.0), ("any distance", f64::INFINITY)] {
        let crowd = || Placed::new(&model(Body::Box, &[]), people, spacing);
        let (mut one, mut other) = (crowd(), crowd());
        let (mut buffers, mut spare, mut hits, mut others) =
            (Buffers::new(), Buffers::new(), Hits::new(), Hits::new());
        let ways = vec![
            way("boxwood: snapshot and distance", || {
                let scene = one.next();
                clock(|| {
                    let query = PairQuery::all().max_distance(max_distance);
                    let now = scene.snapshot(&mut buffers);
                    let near = now.distance(&query, hits.scratch()).expect("a sound query");
                    near.map(|near| near.distance).into_iter().collect::<Found>()
                })
            }),
            way("boxwood: snapshot and pairs", || {
                let scene = other.next();
                clock(|| {
                    let now = scene.snapshot(&mut spare);
                    now.pairs(&PairQuery::all(), &mut others).expect("a sound query");
                    others.pairs().len()
                })
            }),
        ];
        let name = format!("{people} people {spacing} m apart: distance of all, {what}");
        bench_group(groups, &name, 1, ways);
    }
}

/// Query that comes before the measured one in a new frame.
#[derive(Clone, Copy)]
enum Earlier {
    None,
    /// A cast of another person.
    OfAnother,
    Same,
}

/// A cast of one person in every new frame.
fn cast<'a>(name: &str, mut crowd: Placed, who: Vec<usize>, earlier: Earlier) -> Way<'a> {
    let (mut buffers, mut hits, mut next) = (Buffers::new(), Hits::new(), 0);
    way(name, move || {
        let of = |index: usize| PairQuery::of(crowd.keys[who[index % who.len()]]);
        let (query, another) = (of(next), of(next + who.len() / 2));
        next += 1;
        let now = crowd.next().snapshot(&mut buffers);
        let mut ask = |query: &PairQuery<'_>| {
            let met = now.cast(query, Vector3::new(0.0, 0.0, 1.0), hits.scratch());
            met.expect("a sound query").map(|met| met.shift)
        };
        match earlier {
            Earlier::None => None,
            Earlier::OfAnother => ask(&another),
            Earlier::Same => ask(&query),
        };
        clock(|| ask(&query).into_iter().collect::<Found>())
    })
}

/// Pairs, casts and separations of one person against all others, in new frames: of the person in
/// the middle of 9, or of people inside a larger crowd, who have as many neighbours.
///
/// The first cast of a frame builds the trees over the characters, which all queries of the frame
/// share. The others are one query more: after one about another person (of 9 people the same), or
/// after the same query, when caches and branch predictors know its data.
fn of_one(groups: &mut dyn BenchGroups, people: usize) {
    let crowd = |spacing| Placed::new(&model(Body::Box, &[]), people, spacing);
    let (mut pushed, mut paired) = (crowd(0.5), crowd(0.5));
    let (mut buffers, mut spare, mut hits, mut others) =
        (Buffers::new(), Buffers::new(), Hits::new(), Hits::new());
    let side = (people as f64).sqrt().ceil() as usize;
    let inner =
        |&index: &usize| [index / side, index % side].iter().all(|i| (1..side - 1).contains(i));
    let who: Vec<usize> = (0..people).filter(inner).collect();
    let queries = |crowd: &Placed| -> Vec<PairQuery<'static>> {
        who.iter().map(|&index| PairQuery::of(crowd.keys[index])).collect()
    };
    let (pushes, pairs) = (queries(&pushed), queries(&paired));
    let (mut next_push, mut next_pairs) = (in_order(&pushes, 1), in_order(&pairs, 1));
    let casts = |name: &str, earlier| cast(name, crowd(1.0), who.clone(), earlier);
    let ways = vec![
        way("pairs", || {
            let now = paired.next().snapshot(&mut buffers);
            now.intersects(&pairs[0], hits.scratch()).expect("a sound query");
            let query = &next_pairs()[0];
            clock(|| {
                now.pairs(query, &mut hits).expect("a sound query");
                hits.pairs().len()
            })
        }),
        casts("cast, the first of a frame", Earlier::None),
        casts("cast, one more", Earlier::OfAnother),
        casts("cast, the same again", Earlier::Same),
        way("separation", || {
            let now = pushed.next().snapshot(&mut spare);
            now.intersects(&pushes[0], others.scratch()).expect("a sound query");
            let query = &next_push()[0];
            clock(|| {
                let push = Push::along(Vector3::z_axis());
                let way = now.separation(query, &push, others.scratch());
                way.expect("a sound query").map(|way| way.depth).into_iter().collect::<Found>()
            })
        }),
    ];
    bench_group(groups, &format!("one of {people} people, against all"), 1, ways);
}

pub fn nearest(groups: &mut dyn BenchGroups) {
    [500, 1_000, 10_000].into_iter().for_each(|people| points(groups, people));
    for (people, spacing) in [(1_000, 3.0), (10_000, 3.0), (1_000, 0.5), (10_000, 0.5)] {
        all_pairs(groups, people, spacing);
    }
    [9, 1_000, 10_000].into_iter().for_each(|people| of_one(groups, people));
}
