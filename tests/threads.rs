//! Answers are the same for any number of threads, bit for bit.

use boxwood::nalgebra::{Isometry3, Point3, Unit, Vector3};
use boxwood::scene::QueryResults;
use boxwood::{
    Aabb, Accuracy, Buffers, Build, Capsule, CharacterKey, CollisionGroups, Detail, Frustum,
    Geometry, Hit, HitMode, Hits, Model, NodeRef, Obb, Overlaps, PairQuery, PartId, Plane,
    QueryFilter, QueryShape, Ray, RayCast, RayHits, Report, Scene, Segment, Spawn, Sphere,
};
use support::people::{PARTS, crowd, leaves, parts};
use support::random::Random;

/// Builds people of single boxes and of trees of boxes in turn, some at rest.
fn scene(people: usize) -> Scene {
    let model = |trees: bool| {
        let mut builder = Model::builder();
        for (index, (name, half)) in parts().into_iter().enumerate() {
            let solid = |pose: &Isometry3<f32>, half| Obb::from_pose(pose, half).expect("a box");
            let boxes = match trees {
                true => {
                    leaves(half, index as u64).iter().map(|(pose, h)| solid(pose, *h)).collect()
                }
                false => vec![solid(&Isometry3::identity(), half)],
            };
            builder = builder.part(format!("{name} {index}"), None, Geometry::Boxes(boxes));
        }
        builder.build(&Build::fast()).expect("a model")
    };
    let (models, mut scene) = ([model(false), model(true)], Scene::new());
    let poses = crowd(people, 0.6, 11);
    for (person, poses) in poses.chunks_exact(PARTS).enumerate() {
        let spawn = Spawn::default().at_rest(person % 5 == 0);
        let key = scene.insert(&models[person % 2], spawn).expect("room");
        scene.set_parts(key, poses).expect("sound poses");
    }
    scene
}

type Answer = (Report, Vec<Hit>, Vec<(NodeRef, NodeRef)>, bool);

type PredicateRef<'k> = &'k (dyn Fn(NodeRef, NodeRef) -> bool + Sync);

fn answers(
    scene: &Scene,
    queries: &[PairQuery<'_>],
    keeps: Option<PredicateRef<'_>>,
) -> Vec<Answer> {
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    let now = scene.snapshot(&mut buffers);
    let ask = |query: &PairQuery<'_>| {
        let query = &keeps.map_or(query.clone(), |keeps| query.clone().predicate(keeps));
        let any = now.intersects(query, hits.scratch()).expect("a sound query");
        now.pairs(query, &mut hits).expect("a sound query");
        let pairs = hits.pairs().to_vec();
        let report = now.contacts(query, &mut hits).expect("a sound query");
        (report, hits.to_vec(), pairs, any)
    };
    queries.iter().map(ask).collect()
}

fn queries() -> Vec<PairQuery<'static>> {
    [Detail::Bodies, Detail::DeepestBoxes, Detail::Boxes]
        .into_iter()
        .flat_map(|detail| {
            let accuracies =
                [Accuracy::Depth(0), Accuracy::default(), Accuracy::Exact, Accuracy::Budget(500)];
            accuracies.map(|accuracy| PairQuery::all().detail(detail).accuracy(accuracy))
        })
        .collect()
}

fn with(threads: usize, ask: impl Fn() -> Vec<Answer> + Send + Sync) -> Vec<Answer> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.expect("threads").install(ask)
}

/// Checks half of the parts in groups, some people excluded, and a predicate.
#[test]
fn threads_change_no_filtered_answer() {
    let mut scene = scene(700);
    let keys: Vec<CharacterKey> = scene.snapshot(&mut Buffers::new()).characters().collect();
    for (person, &key) in keys.iter().enumerate() {
        for part in (0..PARTS).step_by(2) {
            let groups = CollisionGroups { memberships: 1 << (person % 3), filter: 0b101 };
            scene.set_groups(key, PartId::new(part), groups).expect("a part");
        }
    }
    let filtered =
        |query: PairQuery<'static>| query.memberships(0b011, u64::MAX).excluding(&keys[..20]);
    let queries: Vec<PairQuery> = queries().into_iter().map(filtered).collect();
    let keeps = |a: NodeRef, b: NodeRef| !(a.part.index() + 2 * b.part.index()).is_multiple_of(7);
    let alone = with(1, || answers(&scene, &queries, Some(&keeps)));
    println!("{:?}", alone.iter().map(|a| a.1.len()).collect::<Vec<_>>());
    assert!(alone.iter().all(|answer| answer.1.len() > 300 && answer.3));
    for threads in [2, 16] {
        assert!(with(threads, || answers(&scene, &queries, Some(&keeps))) == alone, "{threads}");
    }
}

#[test]
fn threads_change_no_answer() {
    let queries = queries();
    for people in [3, 700] {
        let scene = scene(people);
        let with = |threads: usize| with(threads, || answers(&scene, &queries, None));
        let alone = with(1);
        println!("{people} people: {:?}", alone.iter().map(|a| a.1.len()).collect::<Vec<_>>());
        assert!(people < 100 || alone.iter().all(|answer| answer.1.len() > 1_000 && answer.3));
        for threads in [2, 3, 4, 16] {
            assert!(with(threads) == alone, "{people} people, {threads} threads");
        }
    }
}

/// Draws a point among people on a square of a side [m].
fn among(random: &mut Random, side: f64) -> Point3<f32> {
    let [x, y, z] = [(0.0, side), (0.0, 1.8), (0.0, side)].map(|(a, b)| random.between(a, b));
    Point3::new(x, y, z).cast()
}

fn casts(random: &mut Random, count: usize, side: f64) -> Vec<RayCast> {
    let cast = |_| {
        let ray = Ray::through(among(random, side), among(random, side));
        let length = random.chance(0.5).then(|| random.between(0.1, side) as f32);
        let mut cast = RayCast::from(ray.expect("a ray").expect("two points"));
        cast.max_length = length;
        cast
    };
    (0..count).map(cast).collect()
}

/// Draws every kind of query shape in turn.
fn regions(random: &mut Random, count: usize, side: f64) -> Vec<QueryShape> {
    let region = |at: usize| -> QueryShape {
        let (a, b) = (among(random, side), among(random, side));
        let way = Vector3::from(random.direction()).cast();
        let near = a + way * 0.5;
        let pose = Isometry3::new(a.coords, way);
        match at % 7 {
            0 => a.into(),
            1 => Sphere::new(a, 0.4).expect("a ball").into(),
            2 => {
                let middle = Segment::new(a, near).expect("ends");
                Capsule::new(middle, 0.2).expect("a capsule").into()
            }
            3 => Aabb::from_points([a, near]).into(),
            4 => Obb::from_pose(&pose, Vector3::new(0.3, 0.5, 0.2)).expect("a box").into(),
            // More than half of the people are in half-spaces: few of them suffice.
            5 if at.is_multiple_of(3) => {
                let normal = Unit::new_normalize(b - a);
                Plane::new(normal, normal.dot(&a.coords)).expect("a plane").into()
            }
            _ => Frustum::of_eye(&pose, [0.3, 0.2], [0.1, 3.0]).expect("a frustum").into(),
        }
    };
    (0..count).map(region).collect()
}

/// Scene, rays, query shapes, and filters of the queries.
type Asked<'a> =
    (&'a Scene, &'a [RayCast], &'a [QueryShape], Option<&'a (dyn Fn(NodeRef) -> bool + Sync)>);

/// Returns the answers of a number of threads, in results that are reused from call to call.
fn probed(threads: usize, (scene, casts, regions, keeps): Asked<'_>) -> Vec<(RayHits, Overlaps)> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.expect("threads").install(|| {
        let mut buffers = Buffers::new();
        let now = scene.snapshot(&mut buffers);
        let one = now.characters().nth(60).expect("one in the middle");
        let (mut ray_hits, mut overlaps, mut answered) =
            (RayHits::new(), Overlaps::new(), Vec::new());
        for query_filter in [QueryFilter::all(), QueryFilter::of(one)] {
            let query_filter = match keeps {
                Some(keeps) => query_filter.predicate(keeps),
                None => query_filter,
            };
            for (accuracy, detail) in [
                (Accuracy::Depth(0), Detail::DeepestBoxes),
                (Accuracy::default(), Detail::Boxes),
                (Accuracy::Within(0.05), Detail::DeepestBoxes),
                (Accuracy::Exact, Detail::DeepestBoxes),
            ] {
                let query_filter = query_filter.clone().accuracy(accuracy).detail(detail);
                for mode in [HitMode::Closest, HitMode::All, HitMode::Any] {
                    now.ray_cast_batch(casts, mode, &query_filter, &mut ray_hits).expect("asked");
                    now.overlaps_batch(regions, mode, &query_filter, &mut overlaps).expect("asked");
                    answered.push((ray_hits.clone(), overlaps.clone()));
                }
            }
        }
        answered
    })
}

/// Asserts equal answers; two floats print equally only if they have the same bits.
fn same<A: PartialEq + std::fmt::Debug>(
    a: &QueryResults<f32, A>,
    b: &QueryResults<f32, A>,
    what: &str,
) {
    assert_eq!(a.query_count(), b.query_count(), "{what}");
    for i in 0..a.query_count() {
        assert_eq!(format!("{:?}", a.of(i)), format!("{:?}", b.of(i)), "{what}, question {i}");
    }
    assert_eq!(a.len(), b.len(), "{what}");
    assert_eq!(format!("{:?}", a.report()), format!("{:?}", b.report()), "{what}");
}

#[test]
fn threads_change_no_ray_hit_and_no_overlap() {
    let (scene, mut random) = (scene(120), Random(12));
    let side = 0.6 * 11.0;
    let keeps = |node: NodeRef| !node.part.index().is_multiple_of(3);
    // One thread's worth, slightly more than a batch, and many.
    for count in [31, 33, 100, 400] {
        let (casts, regions) = (casts(&mut random, count, side), regions(&mut random, count, side));
        for keeps in [None, Some(&keeps as &(dyn Fn(NodeRef) -> bool + Sync))] {
            let asked = (&scene, &casts[..], &regions[..], keeps);
            let alone = probed(1, asked);
            let (hit, held): (Vec<_>, Vec<_>) =
                alone.iter().map(|a| (a.0.len(), a.1.len())).unzip();
            println!("{count} questions: {hit:?} hits, {held:?} held");
            assert!(hit[..12].iter().chain(&held[..12]).all(|&found| found > count / 4));
            for threads in [1, 2, 3, 5] {
                for (i, (one, other)) in alone.iter().zip(probed(threads, asked)).enumerate() {
                    let what = format!("{count} questions, {threads} threads, set {i}");
                    same(&one.0, &other.0, &what);
                    same(&one.1, &other.1, &what);
                }
            }
        }
    }
}
