//! Queries at one character of a scene: one a call, and 64 a call. Times and counts are sums over
//! all people, each queried in turn.
//!
//! The peer scans the world boxes of the 20 parts of the person, with no key to resolve and nothing
//! to validate, or traverses a tree over them. One against all: the peer queries a tree over the
//! parts of all people with the world box of each part.

use boxwood::nalgebra::{Unit, Vector3};
use boxwood::{
    Accuracy, Buffers, CharacterKey, HitMode, Hits, Overlaps, PairQuery, Plane, QueryFilter,
    QueryScratch, QueryShape, RayCast, RayHits, Snapshot, Sphere,
};
use parry3d::query::Ray;
use parry3d::shape::Ball;

use crate::support::crowd::{Body, Frames, Placed, model};
use crate::support::measure::{BenchGroups, Way, bench_group, cases, clock, in_order, way};
use crate::support::peer::frames::poses;
use crate::support::peer::people::{LinearScan, bodies, everyone};
use crate::support::peer::query_shapes::{Kind, balls, kinds};
use crate::support::peer::solids::{Vector, point, ray, vector};
use crate::support::query_places::{Place, about_people, casts, many_about_people, points, rays};

pub const PEOPLE: usize = 1_000;
/// Spacing of people [m].
pub const SPACING: f64 = 1.0;
/// Radius of balls [m].
pub const RADIUS: f32 = 0.1;
/// Number of queries at a person in one call.
const QUERIES_PER_CALL: usize = 64;

/// Number of different queries per person before the first repeats.
pub fn times() -> usize {
    cases().div_ceil(PEOPLE).min(128)
}

/// Times `many` queries in a row at each person; counts their answers.
pub fn theirs<'a, Q>(
    name: &str,
    asked: &'a [Q],
    many: usize,
    put: impl Fn(usize, &Q) -> usize + 'a,
) -> Way<'a> {
    let mut next = in_order(asked, PEOPLE * many);
    way(name, move || {
        let asked = next();
        clock(|| {
            let put = |(index, question)| put(index / many, question);
            asked.iter().enumerate().map(put).sum::<usize>()
        })
    })
}

/// Times `many` query shapes a call at each person; counts the parts that overlap them.
fn parts_in<'a>(now: Snapshot<'a>, regions: &'a [QueryShape], many: usize) -> Way<'a> {
    let (mut next, mut overlaps) = (in_order(regions, PEOPLE * many), Overlaps::default());
    let filter: Vec<QueryFilter> = now.characters().map(QueryFilter::of).collect();
    way("boxwood", move || {
        let regions = next();
        clock(|| {
            let of = |(regions, who): (&[QueryShape], &QueryFilter)| {
                now.overlaps_batch(regions, HitMode::All, who, &mut overlaps)
                    .expect("sound regions");
                overlaps.len()
            };
            regions.chunks_exact(many).zip(&filter).map(of).sum::<usize>()
        })
    })
}

/// Points and balls, `many` for each person.
fn points_and_balls(
    groups: &mut dyn BenchGroups,
    (now, peer): (Snapshot<'_>, &LinearScan),
    places: &[Place],
    many: usize,
) {
    let name = |what: &str| match many {
        1 => format!("{what} at one character"),
        _ => format!("{many} {what} at one character"),
    };
    let trees = peer.trees();
    let at: Vec<Vector> = places.iter().map(|place| point(place.0)).collect();
    let mine = points(places);
    let ways = vec![
        parts_in(now, &mine, many),
        theirs("parry3d", &at, many, |person, &at| peer.at(person, at).count()),
        theirs("parry3d, a tree", &at, many, |person, &at| {
            peer.at_by_tree(&trees[person], person, at)
        }),
    ];
    bench_group(groups, &name("points"), PEOPLE * many, ways);
    let Kind { mine, shape, .. } = balls(places, RADIUS);
    let ball = *shape.as_ball().expect("a ball");
    let ways = vec![
        parts_in(now, &mine, many),
        theirs("parry3d", &at, many, |person, &at| peer.by(person, at, ball).count()),
    ];
    bench_group(groups, &name("balls"), PEOPLE * many, ways);
}

/// Capsules, boxes and frusta, and half-spaces that contain some of a person or more.
fn regions(
    groups: &mut dyn BenchGroups,
    (now, peer): (Snapshot<'_>, &LinearScan),
    places: &[Place],
) {
    for Kind { name, mine, shape, poses } in kinds(places, 0.3).into_iter().skip(1) {
        let ways = vec![
            parts_in(now, &mine, 1),
            theirs("parry3d", &poses, 1, |of, at| peer.within(of, (at, &*shape)).count()),
        ];
        bench_group(groups, &format!("{name} at one character"), PEOPLE, ways);
    }
    let plane = |&(at, way): &Place| Plane::through(at, Unit::new_normalize(way)).expect("a plane");
    let planes: Vec<Plane> = places.iter().map(plane).collect();
    let mine: Vec<QueryShape> = planes.iter().map(|&plane| plane.into()).collect();
    let ways = vec![
        parts_in(now, &mine, 1),
        theirs("parry3d", &planes, 1, |person, plane| {
            peer.below(person, vector(plane.normal().into_inner()), plane.offset()).count()
        }),
    ];
    bench_group(groups, "half-spaces at one character", PEOPLE, ways);
}

/// Closest hits of rays that start two metres from their target points.
fn at_rays(
    groups: &mut dyn BenchGroups,
    (now, peer): (Snapshot<'_>, &LinearScan),
    places: &[Place],
) {
    let all = rays(places, 2.0);
    let (ours, others) = (casts(&all), all.iter().map(ray).collect::<Vec<_>>());
    let filter: Vec<QueryFilter> = now.characters().map(QueryFilter::of).collect();
    let (mut next, mut ray_hits) = (in_order(&ours, PEOPLE), RayHits::default());
    let ways = vec![
        way("boxwood", move || {
            let casts = next();
            clock(|| {
                let of = |(&cast, who): (&RayCast, &QueryFilter)| {
                    let hit = now.ray_cast(cast, who, &mut ray_hits).expect("a sound ray");
                    usize::from(hit.is_some())
                };
                casts.iter().zip(&filter).map(of).sum::<usize>()
            })
        }),
        theirs("parry3d", &others, 1, |person, ray| {
            usize::from(peer.first_hit(person, ray).is_some())
        }),
    ];
    bench_group(groups, "rays at one character", PEOPLE, ways);
}

/// First hits of balls that start two metres from their target points and move by four metres.
fn moving_balls(
    groups: &mut dyn BenchGroups,
    (now, peer): (Snapshot<'_>, &LinearScan),
    places: &[Place],
) {
    let all: Vec<(Sphere, Vector3<f32>)> = rays(places, 2.0)
        .iter()
        .map(|ray| {
            let ball = Sphere::new(ray.origin(), RADIUS).expect("a ball");
            (ball, ray.direction().into_inner() * 4.0)
        })
        .collect();
    let ways = all.iter().map(|(ball, way)| Ray::new(point(ball.center()), vector(*way)));
    let others: Vec<Ray> = ways.collect();
    let filter: Vec<QueryFilter> = now.characters().map(QueryFilter::of).collect();
    let (mut next, mut scratch) = (in_order(&all, PEOPLE), QueryScratch::new());
    let ways = vec![
        way("boxwood", move || {
            let casts = next();
            clock(|| {
                let of = |(&(ball, way), who): (&(Sphere, Vector3<f32>), &QueryFilter)| {
                    let hit = now.shape_cast(ball, way, who, &mut scratch).expect("a sound cast");
                    usize::from(hit.is_some())
                };
                casts.iter().zip(&filter).map(of).sum::<usize>()
            })
        }),
        theirs("parry3d", &others, 1, |person, ray| {
            usize::from(peer.first_met(person, ray, Ball::new(RADIUS)).is_some())
        }),
    ];
    bench_group(groups, "moving balls at one character", PEOPLE, ways);
}

/// Each person against all others; all people move in every round.
fn against_all(groups: &mut dyn BenchGroups) {
    let mut crowd = Placed::new(&model(Body::Box, &[]), PEOPLE, SPACING);
    let query = |&key: &CharacterKey| PairQuery::of(key).accuracy(Accuracy::Exact);
    let queries: Vec<PairQuery> = crowd.keys.iter().map(query).collect();
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    let (mut frames, bodies) = (Frames::new(PEOPLE, SPACING), bodies(Body::Box));
    let ways = vec![
        way("boxwood", || {
            let now = crowd.next().snapshot(&mut buffers);
            let mut of = |query: &PairQuery| {
                now.pairs(query, &mut hits).expect("a sound question");
                hits.pairs().len()
            };
            // Data of the snapshot built for a first query is cached, as is the tree of the others.
            of(&queries[0]);
            clock(|| queries.iter().map(&mut of).sum::<usize>())
        }),
        way("parry3d", || {
            let poses = poses(&frames.next());
            let peer = LinearScan::new(everyone(&poses, &bodies));
            let tree = peer.tree();
            clock(|| (0..PEOPLE).map(|of| peer.against_everyone(&tree, of)).sum::<usize>())
        }),
    ];
    bench_group(groups, "one against all", PEOPLE, ways);
}

pub fn one(groups: &mut dyn BenchGroups) {
    let frame = Frames::new(PEOPLE, SPACING).next();
    let mut crowd = Placed::new(&model(Body::Box, &[]), PEOPLE, SPACING);
    let mut buffers = Buffers::new();
    let now = crowd.next().snapshot(&mut buffers);
    let (theirs, bodies) = (poses(&frame), bodies(Body::Box));
    let peer = LinearScan::new(everyone(&theirs, &bodies));
    let both = (now, &peer);
    let places = about_people(&frame, times(), 11);
    points_and_balls(groups, both, &places, 1);
    points_and_balls(
        groups,
        both,
        &many_about_people(&frame, QUERIES_PER_CALL, 2),
        QUERIES_PER_CALL,
    );
    regions(groups, both, &places);
    at_rays(groups, both, &places);
    moving_balls(groups, both, &places);
    against_all(groups);
}
