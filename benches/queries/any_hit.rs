//! Any-hit queries: rays, points and query shapes at a crowd and at one character, one query a
//! call. All return at the first hit. Counts are queries with a hit.

use boxwood::{Buffers, Overlaps, QueryFilter, QueryShape, RayCast, RayHits, Snapshot};

use super::single_character::{PEOPLE, SPACING, theirs, times};
use crate::support::crowd::{Body, Frames, Placed, model};
use crate::support::measure::{BenchGroups, Way, bench_group, clock, in_order, way};
use crate::support::peer::crowd::Peer;
use crate::support::peer::frames::poses;
use crate::support::peer::people::{LinearScan, bodies, everyone};
use crate::support::peer::query_shapes::{Kind, kinds};
use crate::support::peer::solids::{Vector, point, ray};
use crate::support::query_places::{about_people, casts, over_ground, points, rays};

/// Number of query shapes, each with its filter, that overlap any part.
fn overlaps<'a>(
    now: Snapshot<'a>,
    regions: &'a [QueryShape],
    filter: &'a [QueryFilter],
) -> Way<'a> {
    let (mut next, mut overlaps) = (in_order(regions, PEOPLE), Overlaps::default());
    way("boxwood", move || {
        let regions = next();
        let mut any = |&(&region, who): &(&QueryShape, &QueryFilter)| {
            now.overlaps_any(region, who, &mut overlaps).expect("a sound region")
        };
        clock(|| regions.iter().zip(filter.iter().cycle()).filter(&mut any).count())
    })
}

/// Number of rays, each with its filter, that hit any part.
fn hit<'a>(now: Snapshot<'a>, casts: &'a [RayCast], filter: &'a [QueryFilter]) -> Way<'a> {
    let (mut next, mut ray_hits) = (in_order(casts, PEOPLE), RayHits::default());
    way("boxwood", move || {
        let casts = next();
        let mut any = |&(&cast, who): &(&RayCast, &QueryFilter)| {
            now.ray_cast_any(cast, who, &mut ray_hits).expect("a sound ray")
        };
        clock(|| casts.iter().zip(filter.iter().cycle()).filter(&mut any).count())
    })
}

/// Times queries over all characters in the peer.
fn to_all<'a, Q>(asked: &'a [Q], ask: impl Fn(&[Q]) -> usize + 'a) -> Way<'a> {
    let mut next = in_order(asked, PEOPLE);
    way("parry3d", move || {
        let asked = next();
        clock(|| ask(asked))
    })
}

pub fn among_a_crowd(groups: &mut dyn BenchGroups) {
    let mut crowd = Placed::new(&model(Body::Box, &[]), PEOPLE, SPACING);
    let mut buffers = Buffers::new();
    let now = crowd.next().snapshot(&mut buffers);
    let peer = Peer::new(&Frames::new(PEOPLE, SPACING).next());
    let (all, side) = ([QueryFilter::all()], (PEOPLE as f64).sqrt() * SPACING);
    let places = over_ground(PEOPLE * times(), side);
    let mut row = |what: &str, ways: Vec<Way<'_>>| {
        bench_group(groups, &format!("any of a crowd: {what}"), PEOPLE, ways);
    };
    let lines = rays(&places, 0.0);
    let (mine, others) = (casts(&lines), lines.iter().map(ray).collect::<Vec<_>>());
    row("rays", vec![hit(now, &mine, &all), to_all(&others, |rays| peer.any_hit(rays))]);
    let at: Vec<Vector> = places.iter().map(|place| point(place.0)).collect();
    let mine = points(&places);
    row("points", vec![overlaps(now, &mine, &all), to_all(&at, |at| peer.any_at(at))]);
    for Kind { name, mine, shape, poses } in kinds(&places, 1.0) {
        let other = to_all(&poses, |at| peer.any_in(at, &*shape));
        row(name, vec![overlaps(now, &mine, &all), other]);
    }
}

pub fn of_one(groups: &mut dyn BenchGroups) {
    let frame = Frames::new(PEOPLE, SPACING).next();
    let mut crowd = Placed::new(&model(Body::Box, &[]), PEOPLE, SPACING);
    let mut buffers = Buffers::new();
    let now = crowd.next().snapshot(&mut buffers);
    let (placed, bodies) = (poses(&frame), bodies(Body::Box));
    let peer = &LinearScan::new(everyone(&placed, &bodies));
    let filter: Vec<QueryFilter> = now.characters().map(QueryFilter::of).collect();
    let places = about_people(&frame, times(), 11);
    let mut row = |what: &str, ways: Vec<Way<'_>>| {
        bench_group(groups, &format!("any of one character: {what}"), PEOPLE, ways);
    };
    let lines = rays(&places, 2.0);
    let (mine, others) = (casts(&lines), lines.iter().map(ray).collect::<Vec<_>>());
    let any = |person, ray: &_| usize::from(peer.hit(person, ray).next().is_some());
    row("rays", vec![hit(now, &mine, &filter), theirs("parry3d", &others, 1, any)]);
    let at: Vec<Vector> = places.iter().map(|place| point(place.0)).collect();
    let mine = points(&places);
    let any = |person, &at: &Vector| usize::from(peer.at(person, at).next().is_some());
    row("points", vec![overlaps(now, &mine, &filter), theirs("parry3d", &at, 1, any)]);
    for Kind { name, mine, shape, poses } in kinds(&places, 0.3) {
        let any = |person, at: &_| usize::from(peer.within(person, (at, &*shape)).next().is_some());
        row(name, vec![overlaps(now, &mine, &filter), theirs("parry3d", &poses, 1, any)]);
    }
}
