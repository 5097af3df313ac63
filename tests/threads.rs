//! However many threads there are, the answers are the same, bit for bit: those of one.

#[path = "support/block.rs"]
#[allow(dead_code)]
mod block;
#[path = "../examples/speed/people.rs"]
#[allow(dead_code)]
mod people;
#[path = "support/random.rs"]
#[allow(dead_code)]
mod random;

use boxwood::nalgebra::Isometry3;
use boxwood::{
    Accuracy, Buffers, Build, CharacterKey, Detail, Geometry, Groups, Hit, Hits, Model, Obb,
    PartId, Query, Report, Scene, Site, Spawn,
};
use people::{PARTS, crowd, leaves, parts};

/// People of single boxes and of trees of boxes by turns, some at rest.
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
        let spawn = Spawn { at_rest: person % 5 == 0, ..Spawn::default() };
        let key = scene.insert(&models[person % 2], spawn).expect("room");
        scene.set_parts(key, poses).expect("sound poses");
    }
    scene
}

type Answer = (Report, Vec<Hit>, Vec<(Site, Site)>, bool);

type Keeps<'k> = &'k (dyn Fn(Site, Site) -> bool + Sync);

fn answers(scene: &Scene, queries: &[Query], keeps: Option<Keeps<'_>>) -> Vec<Answer> {
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    let now = scene.snapshot(&mut buffers);
    let now = keeps.map_or(now, |keeps| now.keeping(keeps));
    let ask = |query: &Query| {
        let any = now.intersects(query, &mut hits).expect("a sound query");
        now.pairs(query, &mut hits).expect("a sound query");
        let pairs = hits.pairs().to_vec();
        let report = now.contacts(query, &mut hits).expect("a sound query");
        (report, hits.to_vec(), pairs, any)
    };
    queries.iter().map(ask).collect()
}

fn queries() -> Vec<Query> {
    [Detail::Parts, Detail::Boxes]
        .into_iter()
        .flat_map(|detail| {
            let accuracies =
                [Accuracy::Depth(0), Accuracy::default(), Accuracy::Exact, Accuracy::Budget(500)];
            accuracies.map(|accuracy| Query::all().detail(detail).accuracy(accuracy))
        })
        .collect()
}

fn with(threads: usize, ask: impl Fn() -> Vec<Answer> + Send + Sync) -> Vec<Answer> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.expect("threads").install(ask)
}

/// Half of the parts in groups, some people excluded, and a predicate.
#[test]
fn threads_leave_out_the_same() {
    let mut scene = scene(700);
    let keys: Vec<CharacterKey> = scene.snapshot(&mut Buffers::new()).characters().collect();
    for (person, &key) in keys.iter().enumerate() {
        for part in (0..PARTS).step_by(2) {
            let groups = Groups { member: 1 << (person % 3), mask: 0b101 };
            scene.set_groups(key, PartId::new(part), groups).expect("a part");
        }
    }
    let filtered = |query: Query| query.members(0b011, u64::MAX).excluding(&keys[..20]);
    let queries: Vec<Query> = queries().into_iter().map(filtered).collect();
    let keeps = |a: Site, b: Site| !(a.part.index() + 2 * b.part.index()).is_multiple_of(7);
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
