//! Queries to a crowd whose people have all moved: one at each character, and 256 at all. No
//! earlier query has built any data of a character.
//!
//! Outside the clock: in boxwood the snapshot, and its tree over the characters for queries at all;
//! in the peer the world boxes of all parts, which it scans, or the tree over them.

use boxwood::nalgebra::{Point3, Unit, Vector3};
use boxwood::{
    Buffers, HitMode, Overlaps, Plane, QueryFilter, QueryScratch, QueryShape, Ray, RayCast,
    RayHits, Snapshot, Sphere,
};
use parry3d::math::Pose;
use parry3d::query::Ray as Line;
use parry3d::shape::Ball;

use super::single_character::{PEOPLE, RADIUS, SPACING};
use crate::support::crowd::{Body, Frames, Placed, model, place};
use crate::support::measure::{BenchGroups, bench_group, clock, in_order, way};
use crate::support::peer::crowd::Peer;
use crate::support::peer::frames::poses;
use crate::support::peer::people::{LinearScan, bodies, everyone};
use crate::support::peer::query_shapes::{self, Kind};
use crate::support::peer::solids::{Vector, point, ray, vector};
use crate::support::query_places::{Place, about_people, casts, over_ground, points, rays};

/// Queries in a batch.
const QUESTIONS: usize = 256;

type Queries<M, P> = (Vec<M>, Vec<P>);

/// Function that makes the queries of both libraries from positions.
type Made<M, P> = fn(&[Place]) -> Queries<M, P>;

/// Times one query at each person; counts its answers.
fn at_each<M, P>(
    groups: &mut dyn BenchGroups,
    (name, queries): (&str, Made<M, P>),
    mut ours: impl FnMut(Snapshot<'_>, &M, &QueryFilter<'_>) -> usize,
    theirs: impl Fn(&LinearScan<'_>, usize, &P) -> usize,
) {
    let mut crowd = Placed::new(&model(Body::Box, &[]), PEOPLE, SPACING);
    let filters: Vec<QueryFilter> = crowd.keys.iter().map(|&key| QueryFilter::of(key)).collect();
    let (mut frames, mut others, mut buffers) =
        (Frames::new(PEOPLE, SPACING), Frames::new(PEOPLE, SPACING), Buffers::new());
    let (mut frame, mut other, bodies) = (0, 0, bodies(Body::Box));
    let ways = vec![
        way("boxwood", || {
            let poses = frames.next();
            place(&mut crowd.scene, &crowd.keys, &poses);
            frame += 1;
            let (asked, _) = queries(&about_people(&poses, 1, frame));
            let now = crowd.scene.snapshot(&mut buffers);
            let each = asked.iter().zip(&filters);
            clock(|| each.map(|(query, filter)| ours(now, query, filter)).sum::<usize>())
        }),
        way("parry3d", || {
            let frame = others.next();
            other += 1;
            let (_, asked) = queries(&about_people(&frame, 1, other));
            let poses = poses(&frame);
            let peer = LinearScan::new(everyone(&poses, &bodies));
            let each = asked.iter().enumerate();
            clock(|| each.map(|(person, query)| theirs(&peer, person, query)).sum::<usize>())
        }),
    ];
    bench_group(groups, &format!("a new frame, at one character: {name}"), PEOPLE, ways);
}

/// Times queries at all people, in batches.
fn at_all<M, P>(
    groups: &mut dyn BenchGroups,
    (name, queries): (&str, Made<M, P>),
    mut ours: impl FnMut(Snapshot<'_>, &[M]) -> usize,
    theirs: impl Fn(&Peer, &[P]) -> usize,
) {
    let mut crowd = Placed::new(&model(Body::Box, &[]), PEOPLE, SPACING);
    let places = over_ground(QUESTIONS * 64, (PEOPLE as f64).sqrt() * SPACING);
    let (asked, others) = queries(&places);
    let (mut asked, mut others) = (in_order(&asked, QUESTIONS), in_order(&others, QUESTIONS));
    let (mut frames, mut buffers, mut hits) =
        (Frames::new(PEOPLE, SPACING), Buffers::new(), RayHits::new());
    // An upward ray from above all people makes the snapshot build its tree.
    let up = Ray::new(Point3::new(0.0, 1e3, 0.0), Vector3::y_axis()).expect("a ray");
    let ways = vec![
        way("boxwood", || {
            let now = crowd.next().snapshot(&mut buffers);
            let is_hit = now.ray_cast_any(up, &QueryFilter::all(), &mut hits);
            assert!(!is_hit.expect("a sound ray"));
            let asked = asked();
            clock(|| ours(now, asked))
        }),
        way("parry3d", || {
            let peer = Peer::new(&frames.next());
            let others = others();
            clock(|| theirs(&peer, others))
        }),
    ];
    let name = format!("a new frame, {QUESTIONS} at {PEOPLE} people: {name}");
    bench_group(groups, &name, QUESTIONS, ways);
}

fn at_points(places: &[Place]) -> Queries<QueryShape, Vector> {
    (points(places), places.iter().map(|place| point(place.0)).collect())
}

fn balls(places: &[Place]) -> Queries<QueryShape, Pose> {
    let Kind { mine, poses, .. } = query_shapes::balls(places, RADIUS);
    (mine, poses)
}

fn half_spaces(places: &[Place]) -> Queries<QueryShape, (Vector, f32)> {
    let plane = |&(at, way): &Place| Plane::through(at, Unit::new_normalize(way)).expect("a plane");
    let planes: Vec<Plane> = places.iter().map(plane).collect();
    let other = |plane: &Plane| (vector(plane.normal().into_inner()), plane.offset());
    (planes.iter().map(|&plane| plane.into()).collect(), planes.iter().map(other).collect())
}

fn lines(places: &[Place]) -> Queries<RayCast, Line> {
    let all = rays(places, 2.0);
    (casts(&all), all.iter().map(ray).collect())
}

/// Number of parts that share a point with a query shape.
fn all(now: Snapshot<'_>, shape: QueryShape, who: &QueryFilter<'_>, to: &mut Overlaps) -> usize {
    now.overlaps(shape, who, to).expect("a sound region");
    to.len()
}

/// One if any part shares a point with a query shape, otherwise zero.
fn any(now: Snapshot<'_>, shape: QueryShape, who: &QueryFilter<'_>, to: &mut Overlaps) -> usize {
    usize::from(now.overlaps_any(shape, who, to).expect("a sound region"))
}

pub fn new_frames(groups: &mut dyn BenchGroups) {
    let (mut to, ball) = (Overlaps::new(), Ball::new(RADIUS));
    at_each(
        groups,
        ("points", at_points),
        |now, &shape, who| all(now, shape, who, &mut to),
        |peer, person, &at| peer.at(person, at).count(),
    );
    at_each(
        groups,
        ("balls", balls),
        |now, &shape, who| all(now, shape, who, &mut to),
        |peer, person, at| peer.by(person, at.translation, ball).count(),
    );
    at_each(
        groups,
        ("half-spaces", half_spaces),
        |now, &shape, who| all(now, shape, who, &mut to),
        |peer, person, &(up, offset)| peer.below(person, up, offset).count(),
    );
    let (mut hits, mut scratch) = (RayHits::new(), QueryScratch::new());
    at_each(
        groups,
        ("rays", lines),
        |now, &cast, who| {
            usize::from(now.ray_cast(cast, who, &mut hits).expect("a sound ray").is_some())
        },
        |peer, person, ray| usize::from(peer.first_hit(person, ray).is_some()),
    );
    at_each(
        groups,
        ("moving balls", |places| {
            let (casts, lines) = lines(places);
            let ball = |cast: &RayCast| Sphere::new(cast.ray.origin(), RADIUS).expect("a ball");
            let way = |cast: &RayCast| cast.ray.direction().into_inner() * 4.0;
            let moving = casts.iter().map(|cast| (ball(cast), way(cast))).collect();
            (moving, lines.iter().map(|ray| Line::new(ray.origin, ray.dir * 4.0)).collect())
        }),
        |now, &(ball, way), who| {
            let hit = now.shape_cast(ball, way, who, &mut scratch).expect("a sound cast");
            usize::from(hit.is_some())
        },
        |peer, person, ray| usize::from(peer.first_met(person, ray, ball).is_some()),
    );
    any_hit(groups);
    batches(groups);
}

/// Times queries that stop at the first hit.
fn any_hit(groups: &mut dyn BenchGroups) {
    let (mut to, ball) = (Overlaps::new(), Ball::new(RADIUS));
    at_each(
        groups,
        ("any points", at_points),
        |now, &shape, who| any(now, shape, who, &mut to),
        |peer, person, &at| usize::from(peer.at(person, at).next().is_some()),
    );
    at_each(
        groups,
        ("any balls", balls),
        |now, &shape, who| any(now, shape, who, &mut to),
        |peer, person, at| usize::from(peer.by(person, at.translation, ball).next().is_some()),
    );
    at_each(
        groups,
        ("any half-spaces", half_spaces),
        |now, &shape, who| any(now, shape, who, &mut to),
        |peer, person, &(up, offset)| usize::from(peer.below(person, up, offset).next().is_some()),
    );
    let mut hits = RayHits::new();
    at_each(
        groups,
        ("any rays", lines),
        |now, &cast, who| usize::from(now.ray_cast_any(cast, who, &mut hits).expect("a sound ray")),
        |peer, person, ray| usize::from(peer.hit(person, ray).next().is_some()),
    );
}

/// Times batches of 256 queries at all people.
fn batches(groups: &mut dyn BenchGroups) {
    let (all, mut to, mut hits) = (QueryFilter::all(), Overlaps::new(), RayHits::new());
    at_all(
        groups,
        ("rays", |places| {
            let all = rays(places, 0.0);
            (casts(&all), all.iter().map(ray).collect())
        }),
        |now, casts| {
            now.ray_cast_batch(casts, HitMode::Closest, &all, &mut hits).expect("sound rays");
            hits.len()
        },
        |peer, rays| peer.rays(rays),
    );
    let mut parts_in = |now: Snapshot<'_>, shapes: &[QueryShape]| {
        now.overlaps_batch(shapes, HitMode::All, &all, &mut to).expect("sound regions");
        to.len()
    };
    at_all(groups, ("points", at_points), &mut parts_in, |peer, at| peer.points(at));
    let ball = Ball::new(RADIUS);
    at_all(groups, ("balls", balls), &mut parts_in, |peer, at| peer.regions(at, &ball));
}
