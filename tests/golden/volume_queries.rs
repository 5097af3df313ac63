//! Ray hits and overlaps of query shapes: exactly, without nodes, and at every accuracy, with them.

use boxwood::nalgebra::{Point3, Unit};
use boxwood::pair::RayHit;
use boxwood::scene::{HitMode, NodeRef, QueryFilter, QueryShape, RayCast};
use boxwood::shape::{Aabb, Capsule, Frustum, Obb, Plane, Segment, Sphere};
use boxwood::{Accuracy, CollisionGroups, Detail};

use crate::answers::{AsText, Number};
use crate::buffers::Tools;
use crate::digest::Row;
use crate::random::{Random, matrix, plus, point, pose, times, vector};
use crate::scene_queries::{casts, reported};
use crate::test_scenes::{DETAILS, TestScene};

/// Returns the exact filter of all characters.
fn exactly() -> QueryFilter<'static> {
    QueryFilter::all().detail(Detail::Bodies).accuracy(Accuracy::Exact)
}

fn ray_hits<T: Number>(stage: &TestScene<T>, hit: &RayHit<T, NodeRef>) -> String {
    let at = (hit.distance, hit.point, hit.normal, hit.started_inside);
    (stage.part(&hit.target), at).said()
}

fn described<T: Number>(cast: &RayCast<T>) -> String {
    let (from, along) = (cast.ray.origin(), cast.ray.direction().into_inner());
    format!("from {} along {} for {:?}", from.said(), along.said(), cast.max_length)
}

/// Returns each ray alone: the first, all, any; and the first of one character.
pub fn rays<T: Number>(stage: &TestScene<T>, tools: &mut Tools<T>) -> Row {
    let mut row = stage.row("geometry", "rays");
    tools.renew();
    let now = stage.scene.snapshot(&mut tools.buffers);
    let (all, out) = (exactly(), &mut tools.ray_hits);
    for (at, cast) in casts(stage, 61, 40).into_iter().enumerate() {
        let one = stage.keys[at % stage.keys.len()];
        let alone = QueryFilter::of(one).detail(Detail::Bodies).accuracy(Accuracy::Exact);
        let closest = now.ray_cast(cast, &all, out).expect("asked");
        let of_one = now.ray_cast(cast, &alone, out).expect("asked");
        let any = now.ray_cast_any(cast, &all, out).expect("asked");
        now.ray_cast_all(cast, &all, out).expect("asked");
        let every: Vec<_> = out.iter().map(|hit| ray_hits(stage, hit)).collect();
        let answer = [closest, of_one].map(|found| found.map(|hit| ray_hits(stage, &hit)));
        row.ask(described(&cast), (answer, any, every).said());
    }
    row
}

/// Returns the first hit of a cast shape of every kind, of all and of one character.
pub fn shape_casts<T: Number>(stage: &TestScene<T>, tools: &mut Tools<T>) -> Row {
    let mut row = stage.row("geometry", "shape_casts");
    tools.renew();
    let Tools { buffers, hits, .. } = tools;
    let now = stage.scene.snapshot(buffers);
    let all = exactly();
    for (kind, name) in KINDS.iter().enumerate().take(5) {
        let shapes = some_regions(stage, kind, 12).into_iter();
        for (at, (shape, cast)) in shapes.zip(casts(stage, 71 + kind as u64, 12)).enumerate() {
            let one = QueryFilter::of(stage.keys[at % stage.keys.len()]);
            let way = cast.ray.direction().into_inner() * T::nearest(4.0);
            let answer = [&all, &one].map(|filter| {
                let hit = now.shape_cast(shape, way, filter, hits.scratch()).expect("asked");
                hit.map(|hit| {
                    // For a start inside, any of the overlapping primitives is valid.
                    let met = (!hit.started_inside).then_some((hit.point, hit.normal, hit.slack));
                    (stage.part(&hit.target), hit.time_of_impact, met.map(|met| met.said())).said()
                })
            });
            row.ask(format!("{name} {at} along {}", way.said()), answer.said());
        }
    }
    row
}

/// Returns every part that a cast shape of every kind touches, of all characters and of one.
pub fn shape_passages<T: Number>(stage: &TestScene<T>, tools: &mut Tools<T>) -> Row {
    let mut row = stage.row("geometry", "shape_passages");
    tools.renew();
    let Tools { buffers, hits, .. } = tools;
    let (now, mut passages) = (stage.scene.snapshot(buffers), Vec::new());
    let all = exactly();
    for (kind, name) in KINDS.iter().enumerate().take(5) {
        let shapes = some_regions(stage, kind, 8).into_iter();
        for (at, (shape, cast)) in shapes.zip(casts(stage, 91 + kind as u64, 8)).enumerate() {
            let one = QueryFilter::of(stage.keys[at % stage.keys.len()]);
            let way = cast.ray.direction().into_inner() * T::nearest([4.0, 0.5][at % 2]);
            let answer = [&all, &one].map(|filter| {
                let done = now.shape_cast_all(shape, way, filter, hits.scratch(), &mut passages);
                let one = passages.iter().map(|hit| {
                    // For a start inside, any of the overlapping primitives is valid.
                    let met = (!hit.started_inside).then_some((hit.point, hit.normal, hit.slack));
                    let times = (hit.time_of_impact, hit.time_of_leaving);
                    (stage.part(&hit.target), times, met.map(|met| met.said()))
                });
                (done.is_ok(), one.collect::<Vec<_>>()).said()
            });
            row.ask(format!("{name} {at} along {}", way.said()), answer.said());
        }
    }
    row
}

/// The kinds of query shapes.
const KINDS: [&str; 7] =
    ["points", "balls", "capsules", "aligned_boxes", "boxes", "half_spaces", "frusta"];

/// Draws a query shape of a kind around a spot; some of them large.
fn region<T: Number>(
    random: &mut Random,
    kind: usize,
    (spot, far): ([f64; 3], f64),
) -> QueryShape<T> {
    let away = if kind == 0 { 0.2 } else { 0.6 };
    let at = plus(spot, times(random.inside(away), far));
    let size = far * random.between(0.02, 0.5);
    let place: Point3<T> = point(at);
    let half = [0; 3].map(|_| size * random.between(0.1, 1.0));
    let end = plus(at, times(random.direction(), size));
    let round = T::nearest(0.3 * size);
    match kind {
        0 => place.into(),
        1 => Sphere::new(place, T::nearest(size)).expect("a ball").into(),
        2 => {
            let middle = Segment::new(place, point(end)).expect("a segment");
            Capsule::new(middle, round).expect("a capsule").into()
        }
        3 => Aabb::new(point(plus(at, times(half, -1.0))), point(plus(at, half))).into(),
        4 => Obb::new(place, matrix(random.turn()), vector(half)).expect("a box").into(),
        5 => {
            let normal = Unit::new_unchecked(vector(random.direction()));
            Plane::through(place, normal).expect("a plane").into()
        }
        _ => {
            let tangents = [0.6, 0.4];
            let depths = [0.2 * size, 3.0 * size];
            let eye = pose(random.turn(), at);
            Frustum::of_eye(&eye, tangents, depths).expect("a frustum").into()
        }
    }
}

fn some_regions<T: Number>(stage: &TestScene<T>, kind: usize, count: usize) -> Vec<QueryShape<T>> {
    let mut random = Random(67 + kind as u64);
    (0..count).map(|at| region(&mut random, kind, stage.spot(at))).collect()
}

/// Returns a row for each kind of query shape: all overlaps, and any.
pub fn regions<T: Number>(stage: &TestScene<T>, tools: &mut Tools<T>) -> Vec<Row> {
    let rows = KINDS.iter().enumerate().map(|(kind, name)| {
        let mut row = stage.row("geometry", &format!("regions_{name}"));
        tools.renew();
        let now = stage.scene.snapshot(&mut tools.buffers);
        let (all, out) = (exactly(), &mut tools.overlaps);
        for (at, region) in some_regions(stage, kind, 16).into_iter().enumerate() {
            let one = QueryFilter::of(stage.keys[at % stage.keys.len()]);
            let one = one.detail(Detail::Bodies).accuracy(Accuracy::Exact);
            let any = now.overlaps_any(region, &all, out).expect("asked");
            now.overlaps(region, &one, out).expect("asked");
            let of_one: Vec<_> = out.iter().map(|node_ref| stage.part(node_ref)).collect();
            now.overlaps(region, &all, out).expect("asked");
            let every: Vec<_> = out.iter().map(|node_ref| stage.part(node_ref)).collect();
            row.ask(format!("{region:?}"), (any, of_one, every).said());
        }
        row
    });
    rows.collect()
}

/// Returns filters of the batches.
fn query_filter<T: Number>(
    stage: &TestScene<T>,
    accuracy: Accuracy,
    detail: Detail,
) -> [QueryFilter<'static>; 3] {
    let groups = CollisionGroups { memberships: 1, filter: u64::MAX };
    let some = QueryFilter::all().excluding(&stage.keys[..1]).groups(groups);
    [QueryFilter::all(), QueryFilter::of(stage.keys[1]), some]
        .map(|query_filter| query_filter.detail(detail).accuracy(accuracy))
}

/// Returns batched rays, with nodes and slack.
pub fn many_rays<T: Number>(stage: &TestScene<T>, tools: &mut Tools<T>) -> Vec<Row> {
    let casts = casts(stage, 71, 36);
    let rows = stage.accuracies().into_iter().map(|(which, accuracy)| {
        let mut row = stage.row("volumes", &format!("rays_{which}"));
        tools.renew();
        let now = stage.scene.snapshot(&mut tools.buffers);
        for (name, detail) in DETAILS {
            for (who, query_filter) in query_filter(stage, accuracy, detail).iter().enumerate() {
                for mode in [HitMode::Closest, HitMode::All] {
                    let out = &mut tools.ray_hits;
                    let report =
                        now.ray_cast_batch(&casts, mode, query_filter, out).map(|r| reported(&r));
                    let of = |at: usize| {
                        let answer = |hit: &RayHit<T, NodeRef>| {
                            let node = stage.node(&hit.target).2;
                            (ray_hits(stage, hit), node, hit.slack)
                        };
                        out.of(at).iter().map(answer).collect::<Vec<_>>()
                    };
                    let answers: Vec<_> = (0..casts.len()).map(of).collect();
                    let question = format!("36 rays, {name}, targets {who}, {mode:?}");
                    row.ask(question, (report, answers).said());
                }
                let any =
                    now.ray_cast_batch(&casts, HitMode::Any, query_filter, &mut tools.ray_hits);
                any.expect("asked");
                let any = (0..casts.len()).map(|at| !tools.ray_hits.of(at).is_empty());
                let question = format!("whether 36 rays hit, {name}, targets {who}");
                row.ask(question, any.collect::<Vec<_>>().said());
            }
        }
        row
    });
    rows.collect()
}

/// Returns batched query shapes, with nodes and slack.
pub fn many_regions<T: Number>(stage: &TestScene<T>, tools: &mut Tools<T>) -> Vec<Row> {
    let kinds = (0..KINDS.len()).map(|kind| some_regions(stage, kind, 5));
    let kinds: Vec<Vec<QueryShape<T>>> = kinds.collect();
    let rows = stage.accuracies().into_iter().map(|(which, accuracy)| {
        let mut row = stage.row("volumes", &format!("regions_{which}"));
        tools.renew();
        let now = stage.scene.snapshot(&mut tools.buffers);
        for (name, detail) in DETAILS {
            for (who, query_filter) in query_filter(stage, accuracy, detail).iter().enumerate() {
                for (kind, regions) in KINDS.iter().zip(&kinds) {
                    let out = &mut tools.overlaps;
                    let report = now.overlaps_batch(regions, HitMode::All, query_filter, out);
                    let report = report.map(|report| reported(&report));
                    let of = |at: usize| out.of(at).iter().map(|node_ref| stage.node(node_ref));
                    let answers = (0..regions.len()).map(|at| of(at).collect::<Vec<_>>());
                    let question = format!("5 {kind}, {name}, targets {who}");
                    row.ask(question, (report, answers.collect::<Vec<_>>()).said());
                }
            }
        }
        row
    });
    rows.collect()
}
