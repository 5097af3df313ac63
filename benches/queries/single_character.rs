//! What is put to one character of a scene: one question a call; and 64 in one. All are told for
//! all people together, each asked in turn.
//!
//! Theirs looks through the world boxes of the 20 parts of the person, with no key to look up and
//! nothing to check; or through a tree over them. One against all: theirs puts the world box of
//! each part to a tree over the parts of everyone.

use boxwood::nalgebra::Unit;
use boxwood::{
    Accuracy, Buffers, CharacterKey, HitMode, Hits, Overlaps, PairQuery, Plane, QueryFilter,
    QueryShape, RayCast, RayHits, Snapshot,
};
use criterion::Criterion;

use crate::support::crowd::{Body, Frames, Placed, model};
use crate::support::measure::{Way, bench_group, cases, clock, in_order, way};
use crate::support::peer::frames::poses;
use crate::support::peer::people::{LinearScan, bodies, everyone};
use crate::support::peer::query_shapes::{Kind, balls, kinds};
use crate::support::peer::solids::{Vector, point, ray, vector};
use crate::support::query_places::{Place, about_people, beams, many_about_people, points, rays};

pub const PEOPLE: usize = 1_000;
/// Metres between people.
pub const SPACING: f64 = 1.0;
/// Metres.
const RADIUS: f32 = 0.1;
/// Questions to a person in one call.
const MANY: usize = 64;

/// How often everyone is asked something else before the first question comes again.
pub fn times() -> usize {
    cases().div_ceil(PEOPLE).min(128)
}

/// A question to each person: which of them, and how many answers. So many questions to each in a
/// row.
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

/// How many parts are in regions, so many put to each person in a call.
fn parts_in<'a>(now: Snapshot<'a>, regions: &'a [QueryShape], many: usize) -> Way<'a> {
    let (mut next, mut inside) = (in_order(regions, PEOPLE * many), Overlaps::default());
    let targets: Vec<QueryFilter> = now.characters().map(QueryFilter::of).collect();
    way("boxwood", move || {
        let regions = next();
        clock(|| {
            let of = |(regions, who): (&[QueryShape], &QueryFilter)| {
                now.overlaps_batch(regions, HitMode::All, who, &mut inside).expect("sound regions");
                inside.len()
            };
            regions.chunks_exact(many).zip(&targets).map(of).sum::<usize>()
        })
    })
}

/// Points and balls at places that many for each person.
fn points_and_balls(
    criterion: &mut Criterion,
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
    bench_group(criterion, &name("points"), PEOPLE * many, ways);
    let Kind { mine, shape, .. } = balls(places, RADIUS);
    let ball = *shape.as_ball().expect("a ball");
    let ways = vec![
        parts_in(now, &mine, many),
        theirs("parry3d", &at, many, |person, &at| peer.by(person, at, ball).count()),
    ];
    bench_group(criterion, &name("balls"), PEOPLE * many, ways);
}

/// Capsules, boxes and frusta, and half-spaces that hold some of a person or more.
fn regions(criterion: &mut Criterion, (now, peer): (Snapshot<'_>, &LinearScan), places: &[Place]) {
    for Kind { name, mine, shape, poses } in kinds(places, 0.3).into_iter().skip(1) {
        let ways = vec![
            parts_in(now, &mine, 1),
            theirs("parry3d", &poses, 1, |of, at| peer.within(of, (at, &*shape)).count()),
        ];
        bench_group(criterion, &format!("{name} at one character"), PEOPLE, ways);
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
    bench_group(criterion, "half-spaces at one character", PEOPLE, ways);
}

/// Rays from two metres off at the places: whom they hit first.
fn at_rays(criterion: &mut Criterion, (now, peer): (Snapshot<'_>, &LinearScan), places: &[Place]) {
    let all = rays(places, 2.0);
    let (ours, others) = (beams(&all), all.iter().map(ray).collect::<Vec<_>>());
    let targets: Vec<QueryFilter> = now.characters().map(QueryFilter::of).collect();
    let (mut next, mut struck) = (in_order(&ours, PEOPLE), RayHits::default());
    let ways = vec![
        way("boxwood", move || {
            let beams = next();
            clock(|| {
                let of = |(&beam, who): (&RayCast, &QueryFilter)| {
                    let hit = now.ray_cast(beam, who, &mut struck).expect("a sound ray");
                    usize::from(hit.is_some())
                };
                beams.iter().zip(&targets).map(of).sum::<usize>()
            })
        }),
        theirs("parry3d", &others, 1, |person, ray| {
            usize::from(peer.first_hit(person, ray).is_some())
        }),
    ];
    bench_group(criterion, "rays at one character", PEOPLE, ways);
}

/// Each person against everyone else; everyone has moved in every round.
fn against_all(criterion: &mut Criterion) {
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
            // What the snapshot finds when it is first asked for is kept, as is the tree of the
            // others.
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
    bench_group(criterion, "one against all", PEOPLE, ways);
}

pub fn one(criterion: &mut Criterion) {
    let frame = Frames::new(PEOPLE, SPACING).next();
    let mut crowd = Placed::new(&model(Body::Box, &[]), PEOPLE, SPACING);
    let mut buffers = Buffers::new();
    let now = crowd.next().snapshot(&mut buffers);
    let (theirs, bodies) = (poses(&frame), bodies(Body::Box));
    let peer = LinearScan::new(everyone(&theirs, &bodies));
    let both = (now, &peer);
    let places = about_people(&frame, times());
    points_and_balls(criterion, both, &places, 1);
    points_and_balls(criterion, both, &many_about_people(&frame, MANY, 2), MANY);
    regions(criterion, both, &places);
    at_rays(criterion, both, &places);
    against_all(criterion);
}
