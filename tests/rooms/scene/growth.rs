//! Queries about one character, or for one best answer, count hardly more tests in a crowd that is
//! sixteen or forty times as large.

use boxwood::nalgebra::{Isometry3, Point3, Translation3, Vector3};
use boxwood::tree::Push;
use boxwood::{
    Accuracy, Buffers, Build, CharacterKey, ClosestParts, Counts, Geometry, Model, MotionBuffers,
    Obb, PairQuery, QueryFilter, QueryScratch, Ray, RayHits, Scene, SceneMotion, Snapshot, Spawn,
    Sphere,
};

use support::people::{PARTS, crowd, parts};
use support::random::Random;

/// Distance between people in both directions of the ground. [m]
const SPACING: f64 = 0.6;

/// Number of queries of a kind.
const QUERIES: usize = 60;

/// Returns people of single boxes.
fn people(count: usize) -> (Scene, Vec<CharacterKey>) {
    let mut builder = Model::builder();
    for (index, (name, half)) in parts().into_iter().enumerate() {
        let solid = Obb::from_pose(&Isometry3::identity(), half);
        let solid = Geometry::Boxes(vec![solid.expect("a box")]);
        builder = builder.part(format!("{name} {index}"), None, solid);
    }
    let (model, mut scene) = (builder.build(&Build::fast()).expect("a model"), Scene::new());
    let poses = crowd(count, SPACING, 5);
    let keys = poses.chunks_exact(PARTS).map(|poses| {
        let key = scene.insert(&model, Spawn::default()).expect("room");
        scene.set_parts(key, poses).expect("sound poses");
        key
    });
    let keys = keys.collect();
    (scene, keys)
}

/// Returns the number of tests of all kinds, of boxes of characters per 16: those of a node of the
/// tree over them are tested together.
fn tests(counts: &Counts) -> u64 {
    counts.characters / 16 + counts.parts + counts.tests() + counts.hulls + counts.primitives
}

/// A query about one of the people, or about a place among them.
type Asked = fn(&Snapshot<'_, f32>, CharacterKey, Point3<f32>, &mut Memory) -> Counts;

#[derive(Default)]
struct Memory {
    scratch: QueryScratch<f32>,
    closest: ClosestParts<f32>,
    rays: RayHits<f32>,
}

/// The queries, by name.
const ASKED: [(&str, Asked); 9] = [
    ("intersects", |now, one, _, memory| {
        let query = PairQuery::of(one).accuracy(Accuracy::Exact).margin(0.001);
        now.intersects(&query, &mut memory.scratch).expect("a query");
        *memory.scratch.counts()
    }),
    ("distance", |now, one, _, memory| {
        now.distance(&PairQuery::of(one), &mut memory.scratch).expect("a query");
        *memory.scratch.counts()
    }),
    ("cast", |now, one, _, memory| {
        let way = Vector3::new(1.0, 0.1, 0.5);
        now.cast(&PairQuery::of(one), way, &mut memory.scratch).expect("a query");
        *memory.scratch.counts()
    }),
    ("cast up", |now, one, _, memory| {
        now.cast(&PairQuery::of(one), Vector3::y() * 9.0, &mut memory.scratch).expect("a query");
        *memory.scratch.counts()
    }),
    ("separation", |now, one, _, memory| {
        let query = PairQuery::of(one);
        now.separation(&query, &Push::least(), &mut memory.scratch).expect("a query");
        *memory.scratch.counts()
    }),
    ("closest part", |now, _, at, memory| {
        let (all, most) = (QueryFilter::all(), f64::INFINITY);
        now.closest_part(at, most, &all, &mut memory.closest).expect("a query");
        *memory.closest.counts()
    }),
    ("closest characters", |now, _, at, memory| {
        let all = QueryFilter::all();
        now.closest_characters(at, 1, &all, &mut memory.closest).expect("a query");
        *memory.closest.counts()
    }),
    ("shape cast", |now, _, at, memory| {
        let ball = Sphere::new(at, 0.1).expect("a ball");
        let (all, way) = (QueryFilter::all(), Vector3::new(1.0, -0.2, 1.0));
        now.shape_cast(ball, way, &all, &mut memory.scratch).expect("a query");
        *memory.scratch.counts()
    }),
    ("ray", |now, _, at, memory| {
        let target = at + Vector3::new(1.0, -0.2, 1.0);
        let ray = Ray::through(at, target).expect("two points").expect("apart");
        now.ray_cast(ray, &QueryFilter::all(), &mut memory.rays).expect("a query");
        memory.rays.report().counts
    }),
];

/// Returns the tests of each kind of query, a mean.
fn means(count: usize) -> Vec<f64> {
    let (scene, keys) = people(count);
    let (mut buffers, mut memory) = (Buffers::new(), Memory::default());
    let now = scene.snapshot(&mut buffers);
    // Away from the edge of the crowd, where there are fewer neighbours.
    let side = (count as f64).sqrt().ceil();
    let mean = |asked: Asked| {
        let mut random = Random(71);
        let all = (0..QUERIES).map(|_| {
            let [x, z] = [0, 1].map(|_| random.between(2.0, side - 3.0));
            let one = keys[x as usize + z as usize * side as usize];
            let height = random.between(1.9, 2.2);
            let at = Point3::new(x * SPACING, height, z * SPACING).cast();
            tests(&asked(&now, one, at, &mut memory))
        });
        all.sum::<u64>() as f64 / QUERIES as f64
    };
    ASKED.map(|(_, asked)| asked).map(mean).to_vec()
}

#[test]
fn a_larger_crowd_takes_hardly_more_tests() {
    let [few, many, most] = [256, 4_096, 10_000].map(means);
    let mut grown = Vec::new();
    for (((name, _), few), larger) in ASKED.iter().zip(few).zip(many.into_iter().zip(most)) {
        let (many, most) = larger;
        println!("{name}: {few:.1} tests of 256 people, {many:.1} of 4,096, {most:.1} of 10,000");
        // A larger tree over the characters has one or two levels more.
        if few < 1.0 || many.max(most) > 1.3 * few + 4.0 {
            grown.push(name);
        }
    }
    assert!(grown.is_empty(), "{grown:?}");
}

/// All distances within a limit, all pairs, and all impacts of a tick: sixteen times the people, sixteen times the tests.
#[test]
fn tests_of_all_grow_with_the_crowd() {
    let of_person = [256, 4_096].map(|count| {
        let (scene, keys) = people(count);
        let (mut buffers, mut memory) = (Buffers::new(), Memory::default());
        let now = scene.snapshot(&mut buffers);
        let scratch = &mut memory.scratch;
        let near = PairQuery::all().max_distance(1.0);
        now.distance(&near, scratch).expect("a query");
        let distance = tests(scratch.counts());
        let apart = PairQuery::all().accuracy(Accuracy::Exact).predicate(&|_, _| false);
        now.intersects(&apart, scratch).expect("a query");
        let pairs = tests(scratch.counts());
        let mut after = scene.clone();
        for &key in &keys {
            let poses = scene.poses(key).expect("a key").iter();
            let shift = Translation3::new(0.01, 0.0, 0.02);
            let poses: Vec<_> = poses.map(|pose| shift * pose).collect();
            after.set_parts(key, &poses).expect("sound poses");
        }
        let mut buffers = MotionBuffers::new();
        let motion = SceneMotion::between(&scene, &after, &mut buffers).expect("one scene");
        let apart = apart.accuracy(Accuracy::Within(0.001));
        assert_eq!(motion.intersects(&apart, scratch), Ok(false));
        [distance, pairs, tests(scratch.counts())].map(|all| all as f64 / count as f64)
    });
    let [few, many] = of_person;
    for (name, (few, many)) in
        ["distance", "pairs", "impacts"].iter().zip(few.into_iter().zip(many))
    {
        println!("{name}: {few:.2} tests a person of 256, {many:.2} of 4,096");
        assert!(many < 2.0 * few, "{name}: {few} {many}");
    }
}
