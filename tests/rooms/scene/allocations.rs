//! Queries do not allocate once their buffers are warm.

use boxwood::model::SelfQueryScratch;
use boxwood::{
    Aabb, Accuracy, Attack, Buffers, Build, Capsule, CharacterKey, ClosestParts, CollisionGroups,
    ContactEvents, Detail, Frustum, Geometry, History, HitMode, Hits, Mesh, Model, MotionBuffers,
    NodeRef, Obb, OncePer, Overlaps, PairQuery, PartId, PastScene, Plane, Pose, Push, QueryFilter,
    QueryScratch, QueryShape, Ray, RayCast, RayHits, Scene, SceneMotion, Segment, SelfQuery, Spawn,
    Sphere,
};
use std::sync::Arc;

use support::prelude::*;

/// A ball of `2 n n` triangles about the origin.
fn ball(n: u32, radius: f32) -> Geometry {
    let point = |i: u32, j: u32| {
        let (a, b) = (
            i as f32 / n as f32 * std::f32::consts::TAU,
            j as f32 / n as f32 * std::f32::consts::PI,
        );
        Point3::new(b.sin() * a.cos(), b.cos(), b.sin() * a.sin()) * radius
    };
    let vertices = (0..=n).flat_map(|i| (0..=n).map(move |j| point(i, j))).collect();
    let at = |i: u32, j: u32| i * (n + 1) + j;
    let quad = |i, j| {
        [[at(i, j), at(i + 1, j), at(i, j + 1)], [at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)]]
    };
    let triangles = (0..n).flat_map(|i| (0..n).flat_map(move |j| quad(i, j))).collect();
    Geometry::Solid(Mesh::new(vertices, triangles).unwrap().capped())
}

fn chain() -> Arc<Model> {
    Model::builder()
        .part("a", None, ball(8, 0.5))
        .part("b", Some("a"), ball(8, 0.4))
        .bind(Isometry3::translation(0.0, 0.7, 0.0))
        .part("c", Some("b"), ball(8, 0.4))
        .bind(Isometry3::translation(0.0, 0.8, 0.2))
        .build(&Build::default())
        .unwrap()
}

fn pose(frame: usize, character: usize) -> Pose {
    let t = frame as f32 * 0.1;
    let place = Vector3::new(character as f32 * 0.6, 0.05 * t.sin(), 0.05 * t.cos());
    Isometry3::new(place, Vector3::new(0.3 * t, 0.2, 0.1 * character as f32))
}

const DIAL: [Accuracy; 4] =
    [Accuracy::Depth(4), Accuracy::Within(0.01), Accuracy::Exact, Accuracy::Budget(500)];

#[test]
fn frames_do_not_allocate_after_the_first_round() {
    let model = chain();
    let joints = model.bind_poses();
    let mut scene = Scene::new();
    let keys: Vec<_> = (0..4).map(|_| scene.insert(&model, Spawn::default()).unwrap()).collect();
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    let (mut found, mut curves) = (0, 0);
    let (mut passages, mut passed) = (Vec::new(), Vec::new());
    let frames = support::proof::at_least(60, 5);
    let mut round = |scene: &mut Scene| {
        for frame in 0..frames {
            for (character, &key) in keys.iter().enumerate() {
                scene.set_joints(key, &pose(frame, character), &joints).unwrap();
            }
            let now = scene.snapshot(&mut buffers);
            let details = [Detail::Bodies, Detail::DeepestBoxes, Detail::Boxes];
            for (detail, accuracy) in details.iter().flat_map(|d| DIAL.map(|a| (*d, a))) {
                let all = PairQuery::all().detail(detail).accuracy(accuracy);
                now.contacts(&all, &mut hits).unwrap();
                found += hits.len();
                for hit in 0..hits.len() {
                    let (a, b) = (hits[hit].a, hits[hit].b);
                    curves += now.intersection_curve(a, b, hits.scratch()).unwrap().iter().count();
                }
                now.pairs(&all, &mut hits).unwrap();
                now.intersects(&PairQuery::between(keys[1], keys[0]), hits.scratch()).unwrap();
                let near = all.margin(0.2);
                now.pairs(&near, &mut hits).unwrap();
                now.intersects(&near, hits.scratch()).unwrap();
                now.contacts(&PairQuery::within(keys[2]).detail(detail), &mut hits).unwrap();
                now.contacts(&PairQuery::of(keys[3]), &mut hits).unwrap();
            }
            for accuracy in &DIAL[..3] {
                let apart = PairQuery::between(keys[0], keys[3]).accuracy(*accuracy);
                now.distance(&apart, hits.scratch()).unwrap().unwrap();
                let all = PairQuery::all().accuracy(*accuracy);
                now.distance(&all, hits.scratch()).unwrap().unwrap();
                now.distance(&PairQuery::within(keys[1]).accuracy(*accuracy), hits.scratch())
                    .unwrap();
            }
            let up = Vector3::y_axis();
            for push in [Push::least().bounded(), Push::across(up), Push::within(up, 0.5).near(up)]
            {
                let two = PairQuery::between(keys[1], keys[0]);
                found +=
                    usize::from(now.separation(&two, &push, hits.scratch()).unwrap().is_some());
                now.separation(&PairQuery::of(keys[2]), &push, hits.scratch()).unwrap();
                now.cast(&PairQuery::of(keys[0]), Vector3::x(), hits.scratch()).unwrap();
                let of = PairQuery::of(keys[0]);
                now.cast_all(&of, Vector3::x(), hits.scratch(), &mut passages).unwrap();
                let ball = Sphere::new(Point3::origin(), 0.5).unwrap();
                let all = QueryFilter::all();
                now.shape_cast_all(ball, Vector3::x(), &all, hits.scratch(), &mut passed).unwrap();
            }
        }
    };
    let first = allocation_counter::measure(|| round(&mut scene));
    let second = allocation_counter::measure(|| round(&mut scene));
    assert!(found > 16 * frames, "only {found} hits: the test shows nothing");
    assert!(curves > frames, "only {curves} curves");
    assert!(first.count_total > 0, "the counter counts nothing");
    assert_eq!(second.count_total, 0);
}

#[test]
fn motion_events_and_history_do_not_allocate_after_the_first_round() {
    let model = chain();
    let joints = model.bind_poses();
    let mut scene = Scene::new();
    let keys: Vec<_> = (0..6).map(|_| scene.insert(&model, Spawn::default()).unwrap()).collect();
    let mut before = scene.clone();
    let (mut buffers, mut scratch, mut impacts) =
        (MotionBuffers::new(), QueryScratch::new(), Vec::new());
    let (mut contacts, mut events) = (ContactEvents::new(), Vec::new());
    let (mut history, mut past) = (History::new(4), PastScene::new());
    let mut struck = Vec::new();
    let mut attacks = [Attack::new(OncePer::Part), Attack::new(OncePer::Group)];
    let (mut found, mut tick, mut hit) = (0, 0, 0);
    let mut round = |scene: &mut Scene| {
        for frame in 0..support::proof::at_least(40, 8) {
            before.clone_from(scene);
            for (character, &key) in keys.iter().enumerate() {
                scene.set_joints(key, &pose(7 * frame, character), &joints).unwrap();
            }
            let motion = SceneMotion::between(&before, scene, &mut buffers).unwrap();
            let all = PairQuery::all().accuracy(Accuracy::Within(1e-3));
            motion.impacts(&all, &mut scratch, &mut impacts).unwrap();
            found += impacts.len();
            contacts.advance(tick, scene, &impacts, &mut events).unwrap();
            for attack in &mut attacks {
                attack.clear();
                attack.strike(scene, &mut impacts).unwrap();
                hit += attack.struck().len();
            }
            for query in
                [all.clone().margin(0.01), PairQuery::of(keys[1]), PairQuery::within(keys[2])]
            {
                let query = query.accuracy(Accuracy::Within(1e-3));
                motion.first_impact(&query, &mut scratch).unwrap();
                motion.window(0.2..=0.7).unwrap().intersects(&query, &mut scratch).unwrap();
            }
            history.push(tick, scene).unwrap();
            if history.ticks().is_some_and(|ticks| *ticks.start() < tick) {
                history.at(tick - 1, 0x1234, &mut past).unwrap();
                history.at_only((tick - 1, 0x4321), &keys[..1], &mut past).unwrap();
                let replay = history.trajectory(history.ticks().unwrap()).unwrap();
                replay.impacts(&all, &mut buffers, &mut scratch, &mut struck).unwrap();
                replay.first_impact(&all, &mut buffers, &mut scratch).unwrap();
                replay.intersects(&all, &mut buffers, &mut scratch).unwrap();
            }
            tick += 1;
        }
    };
    assert!(allocation_counter::measure(|| round(&mut scene)).count_total > 0);
    // The first tick of the first round starts from other poses than that of the next ones.
    round(&mut scene);
    assert_eq!(allocation_counter::measure(|| round(&mut scene)).count_total, 0);
    assert!(found > 20 && hit > 20, "{found} {hit}");
}

#[test]
fn self_collision_does_not_allocate_after_the_first_time() {
    let model = chain();
    let poses = model.bind_poses();
    let mut scratch = SelfQueryScratch::default();
    let mut ask = || {
        for accuracy in DIAL {
            assert!(model.self_intersects(&poses, accuracy, &mut scratch).unwrap());
            assert_eq!(model.self_pairs(&poses, accuracy, &mut scratch).unwrap().len(), 1);
            let near = SelfQuery::new(accuracy).margin(0.3);
            assert!(model.self_intersects(&poses, near, &mut scratch).unwrap());
            assert!(!model.self_pairs(&poses, near, &mut scratch).unwrap().is_empty());
            if !matches!(accuracy, Accuracy::Budget(_)) {
                let found = model.self_distance(&poses, accuracy, 1.0, &mut scratch);
                assert_eq!(found.unwrap().unwrap().distance, 0.0);
            }
        }
    };
    assert!(allocation_counter::measure(&mut ask).count_total > 0);
    assert_eq!(allocation_counter::measure(&mut ask).count_total, 0);
}

#[test]
fn rays_and_query_shapes_of_new_snapshots_do_not_allocate_after_the_first_round() {
    let model = chain();
    let joints = model.bind_poses();
    let mut scene = Scene::new();
    let keys: Vec<_> = (0..60).map(|_| scene.insert(&model, Spawn::default()).unwrap()).collect();
    let (mut buffers, mut ray_hits, mut overlaps) =
        (Buffers::new(), RayHits::new(), Overlaps::new());
    let ray = Ray::through(Point3::new(-1.0, 0.2, 0.1), Point3::new(40.0, 0.3, 0.2));
    let cast = RayCast::from(ray.unwrap().unwrap());
    let ball = Sphere::new(Point3::new(9.0, 0.0, 0.0), 5.0).unwrap();
    let mut round = |scene: &mut Scene| {
        for frame in 0..support::proof::at_least(20, 4) {
            for (character, &key) in keys.iter().enumerate() {
                scene.set_joints(key, &pose(frame, character), &joints).unwrap();
            }
            let now = scene.snapshot(&mut buffers);
            assert!(now.ray_cast(cast, &QueryFilter::all(), &mut ray_hits).unwrap().is_some());
            now.ray_cast_all(cast, &QueryFilter::all(), &mut ray_hits).unwrap();
            assert!(ray_hits.len() > 20);
            now.overlaps(ball, &QueryFilter::all(), &mut overlaps).unwrap();
            assert!(overlaps.len() > 20);
        }
    };
    assert!(allocation_counter::measure(|| round(&mut scene)).count_total > 0);
    assert_eq!(allocation_counter::measure(|| round(&mut scene)).count_total, 0);
}

/// Model of `parts` parts in a row: single boxes and groups of three.
fn row(parts: usize) -> Arc<Model> {
    let mut builder = Model::builder();
    for part in 0..parts {
        let solid = |i: usize| {
            let at = Isometry3::translation(0.0, 0.1 * i as f32, 0.0);
            Obb::from_pose(&at, Vector3::new(0.04, 0.08, 0.06)).unwrap()
        };
        let boxes = (0..[1, 3][part % 2]).map(solid).collect();
        builder = builder.part(part.to_string(), None, Geometry::Boxes(boxes));
    }
    builder.build(&Build::default()).unwrap()
}

/// Characters made of rows of parts, side by side.
struct Rows {
    scene: Scene,
    keys: Vec<CharacterKey>,
    /// Filters of rays and query shapes, without and with a predicate; each excluded key has its
    /// own list.
    query_filter: [[QueryFilter<'static>; 2]; 5],
}

impl Rows {
    /// Creates one character for each number of parts.
    fn new(parts: &[usize]) -> Self {
        let mut scene = Scene::new();
        let keys = parts.iter().map(|&n| scene.insert(&row(n), Spawn::default()).unwrap());
        let keys: Vec<_> = keys.collect();
        let groups = CollisionGroups { memberships: 1, filter: 2 };
        let query_filter = [
            QueryFilter::all(),
            QueryFilter::of(keys[keys.len() / 2]),
            QueryFilter::all().groups(groups).excluding(&keys[..1]),
            QueryFilter::all().detail(Detail::Boxes).accuracy(Accuracy::Exact),
            QueryFilter::all().accuracy(Accuracy::Within(0.02)),
        ];
        let keeps: &'static (dyn Fn(NodeRef) -> bool + Sync) =
            &|node| !node.part.index().is_multiple_of(3);
        let query_filter =
            query_filter.map(|query_filter| [query_filter.clone(), query_filter.predicate(keeps)]);
        Rows { scene, keys, query_filter }
    }

    fn stand(&mut self, frame: usize) {
        for (character, &key) in self.keys.iter().enumerate() {
            let poses = (0..self.scene.poses(key).unwrap().len()).map(|part| {
                let turn = Vector3::new(0.1 * frame as f32, 0.3 * part as f32, 0.2);
                let z = (frame % 5) as f32 * 0.02;
                let at = Vector3::new(0.1 * part as f32, 0.2 * character as f32, z);
                Isometry3::new(at, turn)
            });
            let poses: Vec<Pose> = poses.collect();
            self.scene.set_parts(key, &poses).unwrap();
        }
    }

    /// Runs rays along and across the rows, every kind of query shape, and the broad phase.
    fn volume_queries(
        &self,
        buffers: &mut Buffers,
        answers: &mut (RayHits, Overlaps, ClosestParts),
        met: &mut [usize; 10],
    ) {
        let now = self.scene.snapshot(buffers);
        let (ray_hits, overlaps, closest) = answers;
        for (&a, &b) in self.keys.iter().flat_map(|a| self.keys.iter().map(move |b| (a, b))) {
            met[8] += now.part_aabb_pairs(a, b).unwrap().count();
        }
        for query_filter in self.query_filter.as_flattened() {
            now.closest_parts(Point3::new(0.4, 0.6, 0.02), 0.3, query_filter, closest).unwrap();
            met[9] += closest.len();
            let near = now.closest_part(Point3::new(0.4, 0.6, 0.9), 2.0, query_filter, closest);
            assert!(near.unwrap().is_some());
            now.closest_characters(Point3::new(0.4, 0.6, 0.9), 2.0, query_filter, closest).unwrap();
            assert!(!closest.is_empty());
            for mode in [HitMode::Closest, HitMode::All, HitMode::Any] {
                now.ray_cast_batch(&casts(), mode, query_filter, ray_hits).unwrap();
                met[7] += ray_hits.len();
                now.overlaps_batch(&regions(), mode, query_filter, overlaps).unwrap();
                (0..7).for_each(|kind| met[kind] += overlaps.of(kind).len());
                for region in regions() {
                    now.overlaps(region, query_filter, overlaps).unwrap();
                    now.overlaps_any(region, query_filter, overlaps).unwrap();
                }
            }
        }
    }
}

fn casts() -> [RayCast; 2] {
    let ray = |a, b| Ray::through(a, b).unwrap().unwrap();
    let along = ray(Point3::new(-1.0, 0.0, 0.0), Point3::new(9.0, 0.3, 0.0));
    let across = ray(Point3::new(0.4, -1.0, 0.0), Point3::new(0.4, 9.0, 0.0));
    [RayCast::from(along), RayCast::new(across, 5.0).unwrap()]
}

fn regions() -> [QueryShape; 7] {
    let middle = Point3::new(0.4, 0.6, 0.02);
    let segment = Segment::new(middle, middle + Vector3::new(0.5, 0.5, 0.0)).unwrap();
    let turned = Isometry3::new(middle.coords, Vector3::new(0.3, 0.4, 0.5));
    let up = Vector3::y_axis();
    [
        Point3::new(0.4, 0.6, 0.01).into(),
        Sphere::new(middle, 0.5).unwrap().into(),
        Capsule::new(segment, 0.2).unwrap().into(),
        Aabb::from_points([middle, Point3::new(0.9, 1.5, 0.3)]).into(),
        Obb::from_pose(&turned, Vector3::new(0.4, 0.3, 0.2)).unwrap().into(),
        Plane::new(up, 0.7).unwrap().into(),
        Frustum::of_eye(&turned, [0.5, 0.5], [0.1, 2.0]).unwrap().into(),
    ]
}

/// Asserts that no query allocates when repeated.
fn probes_do_not_allocate(parts: &[usize], moving: bool) {
    let mut rows = Rows::new(parts);
    for (at, &key) in rows.keys.iter().enumerate() {
        let groups = CollisionGroups { memberships: 2, filter: 1 + (at as u64 % 2) };
        rows.scene.set_groups(key, PartId::new(0), groups).unwrap();
    }
    rows.stand(0);
    let (mut buffers, mut answers) =
        (Buffers::new(), (RayHits::new(), Overlaps::new(), ClosestParts::new()));
    let mut met = [0; 10];
    let mut round = |rows: &mut Rows| {
        let mut count = 0;
        for frame in 0..support::proof::at_least(20, 4) {
            // Threads are not part of the crate, so their allocations are not counted.
            if moving {
                rows.stand(frame);
            }
            let ask = || rows.volume_queries(&mut buffers, &mut answers, &mut met);
            count += allocation_counter::measure(ask).count_total;
        }
        count
    };
    let (first, second) = (round(&mut rows), round(&mut rows));
    assert!(met.iter().all(|&met| met > 20), "{met:?}");
    assert!(first > 0, "the counter counts nothing");
    assert_eq!(second, 0, "{parts:?}, moving {moving}");
}

#[test]
fn no_kind_of_query_shape_allocates_after_the_first_round() {
    for moving in [false, true] {
        probes_do_not_allocate(&[20; 9], moving);
    }
}

#[test]
fn rays_and_query_shapes_at_models_of_many_parts_do_not_allocate() {
    for moving in [false, true] {
        probes_do_not_allocate(&[100; 9], moving);
        probes_do_not_allocate(&[65; 9], moving);
    }
}

#[test]
fn pairs_of_many_parts_with_groups_and_a_predicate_do_not_allocate_after_the_first_round() {
    let mut rows = Rows::new(&[100; 6]);
    for part in (0..100).step_by(7) {
        let groups = CollisionGroups { memberships: 2, filter: 1 };
        rows.scene.set_groups(rows.keys[1], PartId::new(part), groups).unwrap();
    }
    let (mut buffers, mut hits, mut scratch) =
        (Buffers::new(), Hits::new(), SelfQueryScratch::default());
    let mut round = || {
        let (mut count, mut found) = (0, 0);
        for frame in 0..support::proof::at_least(20, 4) {
            rows.stand(frame);
            let Rows { scene, keys, .. } = &rows;
            let ask = || {
                let keeps =
                    |a: NodeRef, b: NodeRef| !(a.part.index() + b.part.index()).is_multiple_of(3);
                let now = scene.snapshot(&mut buffers);
                for kept in [false, true] {
                    let put = |query: PairQuery<'static>| match kept {
                        true => query.predicate(&keeps),
                        false => query,
                    };
                    for accuracy in DIAL {
                        let all = put(PairQuery::all().accuracy(accuracy));
                        now.contacts(&all, &mut hits).unwrap();
                        found += hits.len();
                        let own = put(PairQuery::within(keys[1]).accuracy(accuracy));
                        now.pairs(&own, &mut hits).unwrap();
                        found += hits.pairs().len();
                    }
                    let apart = put(PairQuery::between(keys[0], keys[5]));
                    assert!(now.distance(&apart, hits.scratch()).unwrap().is_some());
                }
                let (model, poses) = (scene.model(keys[0]).unwrap(), scene.poses(keys[0]).unwrap());
                found += model.self_pairs(poses, Accuracy::Exact, &mut scratch).unwrap().len();
                model.self_distance(poses, Accuracy::Exact, 1.0, &mut scratch).unwrap();
            };
            count += allocation_counter::measure(ask).count_total;
        }
        (count, found)
    };
    let (first, second) = (round(), round());
    assert!(first.1 > 1_000 && first.0 > 0);
    assert_eq!(second.0, 0);
}

/// Checks that buffers warmed by one character fit any other, in any order.
#[test]
fn scenes_of_models_with_different_part_counts_do_not_allocate() {
    for moving in [false, true] {
        probes_do_not_allocate(&[1, 20, 64, 100, 20, 1, 100, 64, 20], moving);
        probes_do_not_allocate(&[100, 64, 1, 20, 20, 64, 100, 1], moving);
    }
}
