//! Parts of one box along their frame, which a query shape tests without traversal: against each
//! box alone.

use std::sync::Arc;

use boxwood::model::{CollisionGroups, Model, PartId};
use boxwood::scene::{
    Buffers, CharacterKey, HitMode, NodeRef, Overlaps, QueryFilter, QueryShape, Scene, Snapshot,
    Spawn,
};
use boxwood::shape::{Aabb, Capsule, Frustum, Mesh, Obb, Segment, Sphere};
use boxwood::tree::{Accuracy, Build, Geometry};
use nalgebra::Translation3;

use support::placed_solid::PlacedSolid;
use support::prelude::*;

const CHARACTERS: usize = 60;
const PARTS: usize = 20;

fn vector(random: &mut Random, low: f64, high: f64) -> Vector3<f64> {
    Vector3::from_fn(|_, _| random.between(low, high))
}

/// Builds characters of boxes: thin, long, and some off the origin of their parts.
fn crowd<T: Scalar>(random: &mut Random, far: f64) -> (Scene<T>, Vec<PlacedSolid>) {
    let (mut builder, mut boxes) = (Model::<T>::builder(), Vec::new());
    for index in 0..PARTS {
        let center = Point3::from(vector(random, -0.2, 0.2).map(T::nearest));
        let half = Vector3::from_fn(|_, _| T::nearest(0.3 * random.decade(-2.0, 0.0)));
        let stored = Obb::from_pose(&Translation3::from(center.coords).into(), half);
        builder =
            builder.part(format!("{index}"), None, Geometry::Boxes(vec![stored.expect("a box")]));
        boxes.push((center.map(T::wide), half.map(T::wide)));
    }
    let model = builder.build(&Build::fast()).expect("a model");
    let (mut scene, mut solids) = (Scene::<T>::new(), Vec::new());
    for _ in 0..CHARACTERS {
        let key = scene.insert(&model, Spawn::default()).expect("room");
        let poses: Vec<Isometry3<T>> = (0..PARTS)
            .map(|_| {
                let at = vector(random, -1.5, 1.5).add_scalar(far);
                turned(random, at)
            })
            .collect();
        scene.set_parts(key, &poses).expect("sound poses");
        for (pose, &(center, half)) in poses.iter().zip(&boxes) {
            // Exactly by q / |q|, as the contract says.
            let turn = UnitQuaternion::new_normalize(pose.rotation.coords.map(T::wide).into());
            let at = Translation3::from(pose.translation.vector.map(T::wide));
            solids.push(PlacedSolid { pose: Isometry3::from_parts(at, turn), center, half });
        }
    }
    (scene, solids)
}

fn turned<T: Scalar>(random: &mut Random, at: Vector3<f64>) -> Isometry3<T> {
    let turn = UnitQuaternion::new(vector(random, -2.0, 2.0));
    Isometry3::from_parts(
        Translation3::from(at.map(T::nearest)),
        UnitQuaternion::new_unchecked(turn.coords.map(T::nearest).into()),
    )
}

/// Checks overlaps of points, balls and capsules without length against each box alone. Returns
/// counts of contained, undecided and separate.
fn compare<T: Scalar>(far: f64, seed: u64) -> [usize; 3] {
    let mut random = Random(seed);
    let (scene, solids) = crowd::<T>(&mut random, far);
    let (mut buffers, mut overlaps) = (Buffers::new(), Overlaps::new());
    let now = scene.snapshot(&mut buffers);
    let keys: Vec<_> = now.characters().collect();
    let (mut regions, mut balls) = (Vec::new(), Vec::new());
    for case in 0..600 {
        let size = 0.3 * random.decade(-6.0, 0.0);
        let radius = T::nearest([0.0, 0.05, 0.5][case % 3] * random.share());
        let off = if random.chance(0.5) { size } else { -size } + radius.wide();
        let at = solids[random.below(solids.len())].beside(&mut random, off).map(T::nearest);
        let ball = Sphere::new(at, radius).expect("a ball");
        regions.push(match case % 4 {
            _ if radius == T::zero() => at.into(),
            0 => Capsule::new(Segment::new(at, at).expect("ends"), radius).expect("one").into(),
            _ => QueryShape::from(ball),
        });
        balls.push((at.map(T::wide), radius.wide()));
    }
    regions.push(Aabb::empty().into());
    let report =
        now.overlaps_batch(&regions, Default::default(), &QueryFilter::all(), &mut overlaps);
    let slack = report.expect("sound regions").slack.wide();
    assert!(slack < 1e-5 * (1.0 + far), "{slack:e}");
    assert!(overlaps.of(balls.len()).is_empty(), "an empty box holds something");
    alone_as_among_all(&keys, &regions, |regions, query_filter| {
        let mut overlaps = Overlaps::new();
        now.overlaps_batch(regions, Default::default(), query_filter, &mut overlaps)
            .expect("sound regions");
        overlaps
    });
    let [mut held, mut close, mut out] = [0; 3];
    for (question, &(at, radius)) in balls.iter().enumerate() {
        let found = overlaps.of(question);
        for (place, solid) in solids.iter().enumerate() {
            let key = keys[place / PARTS];
            let says = found
                .iter()
                .any(|node| node.character == key && node.part.index() == place % PARTS);
            // In double precision the test has its own rounding.
            let (away, rounding) = (solid.away(at) - radius, 1e-13 * (1.0 + far));
            assert!(says || away > -rounding, "{question} misses {place}: {away:e}");
            assert!(!says || away <= slack + rounding, "{question} finds {place}: {away:e}");
            let band = slack + rounding;
            *(if away.abs() <= band {
                &mut close
            } else if away < 0.0 {
                &mut held
            } else {
                &mut out
            }) += 1;
        }
    }
    [held, close, out]
}

/// Checks that the any-overlap of a frustum is one of all its overlaps, with no larger slack.
/// Returns counts of frusta with and without overlaps.
fn any_in_frusta<T: Scalar>(far: f64, seed: u64) -> [usize; 2] {
    let mut random = Random(seed);
    let (scene, solids) = crowd::<T>(&mut random, far);
    let (mut buffers, mut overlaps) = (Buffers::new(), Overlaps::new());
    let now = scene.snapshot(&mut buffers);
    let (keys, mut counts): (Vec<_>, _) = (now.characters().collect(), [0; 2]);
    for case in 0..6_000 {
        let (place, size) = (random.below(solids.len()), random.decade(-3.0, 0.5));
        let off = random.between(-0.2, 0.4);
        let at = solids[place].beside(&mut random, off).coords;
        let depths = [0.1 * random.share() * size, size];
        let tangents = [0.5, 0.3].map(|x| x * random.share());
        let frustum = Frustum::of_eye(&turned(&mut random, at), tangents, depths);
        let region = [QueryShape::from(frustum.expect("a frustum"))];
        let mut who = QueryFilter::of(keys[place / PARTS]);
        if case % 5 == 0 {
            let odd: Vec<_> = (0..PARTS / 2).map(|part| PartId::new(2 * part + 1)).collect();
            who = who.parts(&odd);
        }
        if case % 7 == 0 {
            who = who.accuracy(Accuracy::Within([1e-12, 1e-5][case % 2]));
        }
        let all =
            now.overlaps_batch(&region, HitMode::All, &who, &mut overlaps).expect("sound").slack;
        let nodes = overlaps.to_vec();
        let any =
            now.overlaps_batch(&region, HitMode::Any, &who, &mut overlaps).expect("sound").slack;
        assert_eq!(overlaps.len(), nodes.len().min(1), "{region:?}");
        assert!(overlaps.iter().all(|node| nodes.contains(node)), "{region:?}");
        assert!(any <= all && (any > T::zero()) != nodes.is_empty(), "{region:?}");
        counts[usize::from(nodes.is_empty())] += 1;
    }
    counts
}

#[test]
fn any_overlap_of_a_frustum_is_one_of_all_overlaps() {
    for far in [0.0, 1e4] {
        let counts = [any_in_frusta::<f32>(far, 31), any_in_frusta::<f64>(far, 32)];
        println!("{counts:?} with and without anything");
        assert!(counts.as_flattened().iter().all(|&count| count > 500));
    }
}

/// Checks that queries of each character alone find its overlaps among all.
fn alone_as_among_all<T: Scalar>(
    keys: &[CharacterKey],
    regions: &[QueryShape<T>],
    ask: impl Fn(&[QueryShape<T>], &QueryFilter) -> Overlaps<T>,
) {
    let (among, mut found) = (ask(regions, &QueryFilter::all()), 0);
    for &key in keys {
        let alone = ask(regions, &QueryFilter::of(key));
        for question in 0..regions.len() {
            let theirs = among.of(question).iter().filter(|node| node.character == key);
            assert!(alone.of(question).iter().eq(theirs), "{question} at {key:?}");
            found += alone.of(question).len();
        }
    }
    assert!(found > 1_000, "{found}");
}

/// Model of a row of boxes, one per part.
fn row(parts: usize) -> Arc<Model<f32>> {
    let solid = Obb::from_pose(&Isometry3::identity(), Vector3::repeat(0.25)).expect("a box");
    let one = || Geometry::Boxes(vec![solid]);
    let builder = (0..parts)
        .fold(Model::builder(), |builder, index| builder.part(format!("{index}"), None, one()));
    builder.build(&Build::fast()).expect("a model")
}

#[test]
fn a_ball_around_everything_finds_every_part_however_many() {
    for parts in [1, 15, 16, 17, 63, 64, 65, 130] {
        let (mut scene, model) = (Scene::<f32>::new(), row(parts));
        let poses: Vec<_> =
            (0..parts).map(|part| Isometry3::translation(part as f32, 0.0, 0.0)).collect();
        let keys = [(); 3].map(|()| scene.insert(&model, Spawn::default()).expect("room"));
        keys.iter().for_each(|&key| scene.set_parts(key, &poses).expect("sound poses"));
        let (mut buffers, mut overlaps) = (Buffers::new(), Overlaps::new());
        let now = scene.snapshot(&mut buffers);
        let ball = Sphere::new(Point3::new(0.0, 0.0, 0.0), 1000.0).expect("a ball");
        for (query_filter, people) in [(QueryFilter::all(), 3), (QueryFilter::of(keys[1]), 1)] {
            now.overlaps(ball, &query_filter, &mut overlaps).expect("a sound ball");
            assert_eq!(overlaps.len(), people * parts, "{parts} parts, {people} people");
        }
        // Only one end of the row.
        let end = Point3::new(parts as f32 - 1.0, 0.0, 0.0);
        now.overlaps(end, &QueryFilter::of(keys[2]), &mut overlaps).expect("a sound point");
        assert!(matches!(overlaps[..], [node] if node.part.index() == parts - 1), "{overlaps:?}");
    }
}

#[test]
fn single_boxes_are_filtered_by_part_group_and_predicate() {
    let (mut scene, model) = (Scene::<f32>::new(), row(20));
    let poses = [Isometry3::identity(); 20];
    let keys = [(); 2].map(|()| scene.insert(&model, Spawn::default()).expect("room"));
    keys.iter().for_each(|&key| scene.set_parts(key, &poses).expect("sound poses"));
    let odd = CollisionGroups { memberships: 2, filter: 2 };
    scene.set_groups(keys[0], PartId::new(7), odd).expect("a part");
    let (mut buffers, mut overlaps) = (Buffers::new(), Overlaps::new());
    let now = scene.snapshot(&mut buffers);
    for (who, people) in [(QueryFilter::all(), 2), (QueryFilter::of(keys[0]), 1)] {
        let mut count = |now: Snapshot<f32>, query_filter: &QueryFilter<'_>| {
            now.overlaps(Point3::origin(), query_filter, &mut overlaps).expect("a sound point");
            overlaps.len()
        };
        assert_eq!(count(now, &who), 20 * people);
        assert_eq!(count(now, &who.clone().parts(&[3, 7, 19].map(PartId::new))), 3 * people);
        let even = CollisionGroups { memberships: 1, filter: 1 };
        assert_eq!(count(now, &who.clone().groups(even)), 20 * people - 1);
        assert_eq!(count(now, &who.clone().excluding(&keys[..1])), 20 * (people - 1));
        let keeps = |node: NodeRef| node.part.index() < 5;
        assert_eq!(count(now, &who.clone().predicate(&keeps)), 5 * people);
    }
}

#[test]
fn at_accuracy_exact_the_geometry_of_the_only_box_decides() {
    let corners: Vec<Point3<f32>> =
        Aabb::new(Point3::origin(), Point3::new(1.0, 1.0, 1.0)).corners().into();
    let sides =
        [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]];
    let cut = |[a, b, c, d]: [u32; 4]| [[a, b, c], [a, c, d]];
    let mesh = Mesh::new(corners, sides.into_iter().flat_map(cut).collect()).expect("a cube");
    let build = Build::fast().leaf_primitives(12);
    let model = Model::builder().part("cube", None, Geometry::Surface(mesh)).build(&build);
    let mut scene = Scene::<f32>::new();
    let key = scene.insert(&model.expect("a model"), Spawn::default()).expect("room");
    let (mut buffers, mut overlaps) = (Buffers::new(), Overlaps::new());
    let now = scene.snapshot(&mut buffers);
    let ball =
        |x: f32| QueryShape::from(Sphere::new(Point3::new(x, 0.5, 0.5), 0.25).expect("a ball"));
    for who in [QueryFilter::all(), QueryFilter::of(key)] {
        let mut finds = |region: QueryShape<f32>, accuracy: Accuracy| {
            let query_filter = who.clone().accuracy(accuracy);
            now.overlaps_any(region, &query_filter, &mut overlaps).expect("a sound ball")
        };
        let cases = [(0.5, true, false), (0.1, true, true), (1.2, true, true), (1.3, false, false)];
        for (x, by_box, exactly) in cases {
            assert_eq!(finds(ball(x), Accuracy::Depth(0)), by_box, "{x}");
            assert_eq!(finds(ball(x), Accuracy::Exact), exactly, "{x}");
            assert_eq!(finds(ball(x), Accuracy::Within(1e-3)), exactly, "{x}");
            assert_eq!(finds(ball(x), Accuracy::Within(10.0)), by_box, "{x}");
        }
    }
}

#[test]
fn points_and_balls_find_boxes_along_their_frames() {
    for far in [0.0, 1.0e3] {
        let found = [compare::<f32>(far, 31), compare::<f64>(far, 32)];
        println!("far {far:e}: held, close, out: {found:?}");
        assert!(found.iter().all(|&[held, _, out]| held > 1_000 && out > 100_000), "{found:?}");
    }
}
