//! Queries about a crowd whose people have all moved: one at each character, and 256 at all. Nothing
//! about a character was made by questions before them.
//!
//! Outside the clock: in boxwood the snapshot, for queries at all with its tree over the characters;
//! in the peer the world boxes of all parts, which it scans, or the tree over them.

use boxwood::nalgebra::{Point3, Unit, Vector3};
use boxwood::{
    Buffers, HitMode, Overlaps, Plane, QueryFilter, QueryScratch, QueryShape, Ray, RayCast,
    RayHits, Snapshot, Sphere,
};
use criterion::Criterion;
use parry3d::math::Pose;
use parry3d::query::Ray as Line;
use parry3d::shape::Ball;

use super::single_character::{PEOPLE, RADIUS, SPACING};
use crate::support::crowd::{Body, Frames, Placed, model, place};
use crate::support::measure::{bench_group, clock, in_order, way};
use crate::support::peer::crowd::Peer;
use crate::support::peer::frames::poses;
use crate::support::peer::people::{LinearScan, bodies, everyone};
use crate::support::peer::solids::{Vector, point, ray, vector};
use crate::support::query_places::{Place, about_people, casts, over_ground, points, rays};

/// Queries in a batch.
const QUESTIONS: usize = 256;

/// Queries in both libraries.
type Queries<M, P> = (Vec<M>, Vec<P>);

/// What is asked about the people, and how many answers a query about one of them has.
struct Row<M, P, A, B>
where
    A: FnMut(Snapshot<'_>, &M, &QueryFilter<'_>) -> usize,
    B: Fn(&LinearScan<'_>, usize, &P) -> usize,
{
    name: &'static str,
    queries: fn(&[Place]) -> Queries<M, P>,
    ours: A,
    theirs: B,
}

impl<M, P, A, B> Row<M, P, A, B>
where
    A: FnMut(Snapshot<'_>, &M, &QueryFilter<'_>) -> usize,
    B: Fn(&LinearScan<'_>, usize, &P) -> usize,
{
    fn measure(self, criterion: &mut Criterion) {
        let Row { name, queries, mut ours, theirs } = self;
        let mut crowd = Placed::new(&model(Body::Box, &[]), PEOPLE, SPACING);
        let filters: Vec<QueryFilter> =
            crowd.keys.iter().map(|&key| QueryFilter::of(key)).collect();
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
        bench_group(criterion, &format!("a new frame, at one character: {name}"), PEOPLE, ways);
    }
}

/// Queries about all people, in batches.
struct Batch<M, P, A, B>
where
    A: FnMut(Snapshot<'_>, &[M]) -> usize,
    B: Fn(&Peer, &[P]) -> usize,
{
    name: &'static str,
    queries: fn(&[Place]) -> Queries<M, P>,
    ours: A,
    theirs: B,
}

impl<M, P, A, B> Batch<M, P, A, B>
where
    A: FnMut(Snapshot<'_>, &[M]) -> usize,
    B: Fn(&Peer, &[P]) -> usize,
{
    fn measure(self, criterion: &mut Criterion) {
        let Batch { name, queries, mut ours, theirs } = self;
        let mut crowd = Placed::new(&model(Body::Box, &[]), PEOPLE, SPACING);
        let places = over_ground(QUESTIONS * 64, (PEOPLE as f64).sqrt() * SPACING);
        let (asked, others) = queries(&places);
        let (mut asked, mut others) = (in_order(&asked, QUESTIONS), in_order(&others, QUESTIONS));
        let (mut frames, mut buffers, mut hits) =
            (Frames::new(PEOPLE, SPACING), Buffers::new(), RayHits::new());
        // Up from above all people: it makes the tree.
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
        bench_group(criterion, &name, QUESTIONS, ways);
    }
}

fn at_points(places: &[Place]) -> Queries<QueryShape, Vector> {
    (points(places), places.iter().map(|place| point(place.0)).collect())
}

fn balls(places: &[Place]) -> Queries<QueryShape, Vector> {
    let ball = |place: &Place| Sphere::new(place.0, RADIUS).expect("a ball").into();
    (places.iter().map(ball).collect(), at_points(places).1)
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

/// How many parts share a point with a query shape.
fn all(now: Snapshot<'_>, shape: QueryShape, who: &QueryFilter<'_>, to: &mut Overlaps) -> usize {
    now.overlaps(shape, who, to).expect("a sound region");
    to.len()
}

/// Whether any does.
fn any(now: Snapshot<'_>, shape: QueryShape, who: &QueryFilter<'_>, to: &mut Overlaps) -> usize {
    usize::from(now.overlaps_any(shape, who, to).expect("a sound region"))
}

pub fn new_frames(criterion: &mut Criterion) {
    let (mut to, ball) = (Overlaps::new(), Ball::new(RADIUS));
    Row {
        name: "points",
        queries: at_points,
        ours: |now, &shape, who| all(now, shape, who, &mut to),
        theirs: |peer, person, &at| peer.at(person, at).count(),
    }
    .measure(criterion);
    Row {
        name: "balls",
        queries: balls,
        ours: |now, &shape, who| all(now, shape, who, &mut to),
        theirs: |peer, person, &at| peer.by(person, at, ball).count(),
    }
    .measure(criterion);
    Row {
        name: "half-spaces",
        queries: half_spaces,
        ours: |now, &shape, who| all(now, shape, who, &mut to),
        theirs: |peer, person, &(up, offset)| peer.below(person, up, offset).count(),
    }
    .measure(criterion);
    let (mut hits, mut scratch) = (RayHits::new(), QueryScratch::new());
    Row {
        name: "rays",
        queries: lines,
        ours: |now, &cast, who| {
            usize::from(now.ray_cast(cast, who, &mut hits).expect("a sound ray").is_some())
        },
        theirs: |peer, person, ray| usize::from(peer.first_hit(person, ray).is_some()),
    }
    .measure(criterion);
    Row {
        name: "moving balls",
        queries: |places| {
            let (casts, lines) = lines(places);
            let ball = |cast: &RayCast| Sphere::new(cast.ray.origin(), RADIUS).expect("a ball");
            let way = |cast: &RayCast| cast.ray.direction().into_inner() * 4.0;
            let moving = casts.iter().map(|cast| (ball(cast), way(cast))).collect();
            (moving, lines.iter().map(|ray| Line::new(ray.origin, ray.dir * 4.0)).collect())
        },
        ours: |now, &(ball, way), who| {
            let hit = now.shape_cast(ball, way, who, &mut scratch).expect("a sound cast");
            usize::from(hit.is_some())
        },
        theirs: |peer, person, ray| usize::from(peer.first_met(person, ray, ball).is_some()),
    }
    .measure(criterion);
    any_hit(criterion);
    at_all(criterion);
}

/// The same, where the first hit is enough.
fn any_hit(criterion: &mut Criterion) {
    let (mut to, ball) = (Overlaps::new(), Ball::new(RADIUS));
    Row {
        name: "any points",
        queries: at_points,
        ours: |now, &shape, who| any(now, shape, who, &mut to),
        theirs: |peer, person, &at| usize::from(peer.at(person, at).next().is_some()),
    }
    .measure(criterion);
    Row {
        name: "any balls",
        queries: balls,
        ours: |now, &shape, who| any(now, shape, who, &mut to),
        theirs: |peer, person, &at| usize::from(peer.by(person, at, ball).next().is_some()),
    }
    .measure(criterion);
    Row {
        name: "any half-spaces",
        queries: half_spaces,
        ours: |now, &shape, who| any(now, shape, who, &mut to),
        theirs: |peer, person, &(up, offset)| {
            usize::from(peer.below(person, up, offset).next().is_some())
        },
    }
    .measure(criterion);
    let mut hits = RayHits::new();
    Row {
        name: "any rays",
        queries: lines,
        ours: |now, &cast, who| {
            usize::from(now.ray_cast_any(cast, who, &mut hits).expect("a sound ray"))
        },
        theirs: |peer, person, ray| usize::from(peer.hit(person, ray).next().is_some()),
    }
    .measure(criterion);
}

/// 256 together, at all people.
fn at_all(criterion: &mut Criterion) {
    let (all, mut to, mut hits) = (QueryFilter::all(), Overlaps::new(), RayHits::new());
    Batch {
        name: "rays",
        queries: |places| {
            let all = rays(places, 0.0);
            (casts(&all), all.iter().map(ray).collect())
        },
        ours: |now, casts| {
            now.ray_cast_batch(casts, HitMode::Closest, &all, &mut hits).expect("sound rays");
            hits.len()
        },
        theirs: |peer, rays| peer.rays(rays),
    }
    .measure(criterion);
    let mut parts_in = |now: Snapshot<'_>, shapes: &[QueryShape]| {
        now.overlaps_batch(shapes, HitMode::All, &all, &mut to).expect("sound regions");
        to.len()
    };
    Batch {
        name: "points",
        queries: at_points,
        ours: &mut parts_in,
        theirs: |peer, at| peer.points(at),
    }
    .measure(criterion);
    let ball = Ball::new(RADIUS);
    Batch {
        name: "balls",
        queries: balls,
        ours: &mut parts_in,
        theirs: |peer, at| {
            let at: Vec<Pose> = at.iter().map(|&at| Pose::from_translation(at)).collect();
            peer.regions(&at, &ball)
        },
    }
    .measure(criterion);
}
