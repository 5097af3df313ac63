//! Queries for one best answer among a crowd of people of 20 boxes: the closest part to a point,
//! beside parry3d's `Bvh::find_best` over all parts; the closest pair of all people, beside the
//! query for all pairs; the pairs, the cast and the separation of one person, in crowds of growing
//! size.
//!
//! The closest pair is that of people 3 m apart, and of people so dense that many touch. A query
//! for one person asks about another person each time; the trees over the characters are built
//! before the clock starts.

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

/// Pairs, casts and separations of one person against all others, one in every new frame: of the
/// person in the middle of 9, or of people inside a larger crowd, who have as many neighbours.
fn of_one(groups: &mut dyn BenchGroups, people: usize) {
    let crowd = |spacing| Placed::new(&model(Body::Box, &[]), people, spacing);
    let (mut one, mut other) = (crowd(1.0), crowd(0.5));
    let (mut buffers, mut spare, mut hits, mut others) =
        (Buffers::new(), Buffers::new(), Hits::new(), Hits::new());
    let (all, mut closest) = (QueryFilter::all(), ClosestParts::new());
    let side = (people as f64).sqrt().ceil() as usize;
    let inner =
        |index: usize| [index / side, index % side].iter().all(|i| (1..side - 1).contains(i));
    let queries = |crowd: &Placed| -> Vec<PairQuery<'static>> {
        let inside = (0..people).filter(|&index| inner(index)).collect::<Vec<_>>();
        inside.iter().map(|&index| PairQuery::of(crowd.keys[index])).collect()
    };
    let mut third = crowd(0.5);
    let (casts, pushes, pairs) = (queries(&one), queries(&other), queries(&third));
    let (mut next_cast, mut next_push, mut next_pairs) =
        (in_order(&casts, 1), in_order(&pushes, 1), in_order(&pairs, 1));
    let (mut own, mut found) = (Buffers::new(), Hits::new());
    let ways = vec![
        way("pairs", || {
            let now = third.next().snapshot(&mut own);
            now.intersects(&pairs[0], found.scratch()).expect("a sound query");
            let query = &next_pairs()[0];
            clock(|| {
                now.pairs(query, &mut found).expect("a sound query");
                found.pairs().len()
            })
        }),
        way("cast", || {
            let now = one.next().snapshot(&mut buffers);
            let _ = now.closest_part(Point3::origin(), 0.0, &all, &mut closest);
            let query = &next_cast()[0];
            clock(|| {
                let met = now.cast(query, Vector3::new(0.0, 0.0, 1.0), hits.scratch());
                met.expect("a sound query").map(|met| met.shift).into_iter().collect::<Found>()
            })
        }),
        way("separation", || {
            let now = other.next().snapshot(&mut spare);
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
