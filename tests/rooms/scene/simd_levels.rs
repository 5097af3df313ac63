//! Every SIMD level gives the same answers, bit for bit; and the f32 prefilter of many boxes
//! decides like the f64 test of two where boxes nearly touch, are tiny, huge, flat, far out, or
//! equally rotated.

use std::sync::Arc;

use boxwood::model::{Model, SelfQueryScratch};
use boxwood::num::SimdLevel;
use boxwood::scene::{Buffers, CharacterKey, Hits, Scene, Spawn};
use boxwood::shape::Pose;
use boxwood::tree::{Build, Geometry, ObbTree, TreePair, TreeScratch};
use boxwood::{Accuracy, Detail, PairQuery, PartId};

use super::self_collision;
use super::volumes::visits::{Questions, STAGES};
use support::placed_scenes::stage_of;
use support::plain_box::UPRIGHT;
use support::prelude::*;
use support::random_parts::{pose, solid};

const PARTS: usize = 40;
/// Two characters whose parts, one with one, all but touch.
pub struct Pair<T: Scalar> {
    pub models: [Arc<Model<T>>; 2],
    pub poses: [Vec<Pose<T>>; 2],
}

fn half(random: &mut Random, size: f64) -> V {
    let kind = random.below(4);
    std::array::from_fn(|i| {
        size * match (kind, i) {
            (0, 0) => 0.0,
            (1, 1) => 1e-6,
            (2, _) => 1.0,
            _ => random.between(0.1, 1.0),
        }
    })
}

/// Builds one box or a few; along the part's frame, beside its origin, or rotated in it.
pub fn geometry<T: Scalar>(random: &mut Random, size: f64) -> Geometry<T> {
    let count = if random.chance(0.3) { 5 } else { 1 };
    let one = |random: &mut Random| {
        let half = half(random, size);
        match random.below(3) {
            0 => solid([0.0; 3], &UPRIGHT, half),
            1 => solid(times(random.direction(), size), &UPRIGHT, half),
            _ => solid(times(random.direction(), size), &random.rotation(), half),
        }
    };
    Geometry::Boxes((0..count).map(|_| one(random)).collect())
}

/// Computes the largest displacement at which the second still touches the first, by the f64 test
/// of two.
fn meeting<T: Scalar>(
    trees: &[ObbTree<T>; 2],
    first: &Pose<T>,
    second: impl Fn(f64) -> Pose<T>,
) -> f64 {
    let mut scratch = TreeScratch::default();
    let (mut near, mut far) = (
        0.0,
        1.01 * (trees[0].radius_about_origin().wide() + trees[1].radius_about_origin().wide()),
    );
    for _ in 0..50 {
        let middle = 0.5 * (near + far);
        let pair =
            TreePair::new(&trees[0], first, &trees[1], &second(middle)).expect("sound poses");
        match pair.intersects(Accuracy::default(), &mut scratch).expect("a sound depth") {
            true => near = middle,
            false => far = middle,
        }
    }
    near
}

pub fn pair<T: Scalar>(random: &mut Random, decades: f64) -> Pair<T> {
    let build = Build::fast();
    let (mut builders, mut poses) = ([Model::builder(), Model::builder()], [vec![], vec![]]);
    for part in 0..PARTS {
        let size = random.decade(-decades, decades);
        let other = size * if random.chance(0.3) { random.decade(-3.0, 3.0) } else { 1.0 };
        let both = [geometry::<T>(random, size), geometry::<T>(random, other)];
        let trees = both.each_ref().map(|g| ObbTree::build(g.clone(), &build).expect("a part"));
        let far = if random.chance(0.3) { random.decade(0.0, 8.0) } else { 1.0 };
        let at = times(random.direction(), size * far);
        let alike = random.chance(0.4);
        let (first, turn) = match alike {
            true => (upright::<T>(at), upright::<T>([0.0; 3])),
            false => (turned::<T>(random, at), turned::<T>(random, [0.0; 3])),
        };
        let direction = match random.chance(0.3) {
            true => [0.0, random.sign(), 0.0],
            false => random.direction(),
        };
        let q = turn.rotation.coords;
        let q = [q.x.wide(), q.y.wide(), q.z.wide(), q.w.wide()];
        let second = |way: f64| pose::<T>(q, plus(at, times(direction, way)));
        let way = meeting(&trees, &first, second);
        let off = [0.0, 1e-7, -1e-7, 1e-6, -1e-6, 3e-6, -3e-6, 1e-4, -1e-4, 1e-2, -1e-2];
        let way = way * (1.0 + off[random.below(off.len())]);
        poses[0].push(first);
        poses[1].push(second(way));
        builders = {
            let [a, b] = builders;
            let [one, other] = both;
            [a.part(format!("{part}"), None, one), b.part(format!("{part}"), None, other)]
        };
    }
    Pair { models: builders.map(|builder| builder.build(&build).expect("a model")), poses }
}

fn scene<T: Scalar>(pair: &Pair<T>) -> (Scene<T>, [CharacterKey; 2]) {
    let mut scene = Scene::new();
    let keys = [0, 1].map(|i| insert_posed(&mut scene, &pair.models[i], &pair.poses[i]));
    (scene, keys)
}

const ACCURACIES: [Accuracy; 7] = [
    Accuracy::Depth(0),
    Accuracy::Depth(1),
    Accuracy::Depth(2),
    Accuracy::Depth(u8::MAX),
    Accuracy::Within(0.01),
    Accuracy::Exact,
    Accuracy::Budget(50),
];

/// Numbers of touching pairs, of models without self-collision, and of distances above zero.
#[derive(Default)]
struct Counts {
    pairs: usize,
    free: usize,
    apart: usize,
}

/// Returns the answers of every kind of pair query and self query, with their reports. Two floats
/// print equally only if they have the same bits.
fn answers<T: Scalar>(scene: &Scene<T>, simd: SimdLevel, counts: &mut Counts) -> Vec<String> {
    let (mut buffers, mut hits) = (Buffers::with_simd_level(simd), Hits::new());
    let (now, mut told) = (scene.snapshot(&mut buffers), Vec::new());
    let key = scene.keys().next().expect("a character");
    for accuracy in ACCURACIES {
        let budget = matches!(accuracy, Accuracy::Budget(_));
        for query in [PairQuery::all(), PairQuery::within(key)] {
            for detail in [Detail::Bodies, Detail::DeepestBoxes, Detail::Boxes] {
                let query = query.clone().detail(detail).accuracy(accuracy);
                told.push(format!("{:?}", now.intersects(&query, hits.scratch())));
                told.push(format!("{:?}", now.pairs(&query, &mut hits)));
                counts.pairs += hits.pairs().len();
                told.push(format!("{:?}", hits.pairs()));
                told.push(format!("{:?}", now.contacts(&query, &mut hits)));
                told.push(format!("{:?}", &hits[..]));
            }
            if !budget {
                let query = query.accuracy(accuracy);
                told.push(format!("{:?}", now.distance(&query, hits.scratch())));
            }
        }
    }
    let (model, poses) = (scene.model(key).expect("a key"), scene.poses(key).expect("a key"));
    let mut scratch = SelfQueryScratch::with_simd_level(simd);
    for accuracy in ACCURACIES {
        let any = model.self_intersects(poses, accuracy, &mut scratch).expect("poses");
        told.push(format!("{any} {:?}", scratch.report()));
        let pairs = model.self_pairs(poses, accuracy, &mut scratch).expect("poses");
        assert_eq!(any, !pairs.is_empty());
        counts.free += usize::from(!any);
        told.push(format!("{pairs:?}"));
        told.push(format!("{:?}", scratch.report()));
        let far = [f64::INFINITY, 0.05];
        for most in far.into_iter().filter(|_| !matches!(accuracy, Accuracy::Budget(_))) {
            let found = model.self_distance(poses, accuracy, most, &mut scratch).expect("a query");
            counts.apart += usize::from(found.is_some_and(|two| two.distance > T::zero()));
            told.push(format!("{found:?} {:?}", scratch.report()));
        }
    }
    told
}

/// Asserts that the answers are equal at every SIMD level.
fn same_at_every_level(answers: impl Fn(SimdLevel) -> Vec<String>) {
    let plain = answers(SimdLevel::PLAIN);
    for simd in SimdLevel::all() {
        let found = answers(simd);
        let differs = found.iter().zip(&plain).find(|(found, plain)| found != plain);
        assert!(differs.is_none() && found.len() == plain.len(), "{simd}: {differs:?}");
    }
}

/// Asserts that all pair queries and self queries of a scene are equal at every SIMD level.
fn same_pairs<T: Scalar>(scene: &Scene<T>) -> Counts {
    same_at_every_level(|simd| answers(scene, simd, &mut Counts::default()));
    let mut counts = Counts::default();
    answers(scene, SimdLevel::PLAIN, &mut counts);
    counts
}

/// Returns every two parts of two characters, ascending, and `true` if they touch by the f64 test
/// of two.
pub fn one_by_one<T: Scalar>(
    scene: &Scene<T>,
    keys: [CharacterKey; 2],
    accuracy: Accuracy,
) -> Vec<([PartId; 2], bool)> {
    let mut scratch = TreeScratch::default();
    let [a, b] = keys.map(|key| {
        let (model, poses) = (scene.model(key).expect("a key"), scene.poses(key).expect("a key"));
        let parts = model.parts().iter().map(|part| part.tree().expect("a tree")).zip(poses);
        parts.enumerate().map(|(i, (tree, pose))| (PartId::new(i), tree, pose)).collect::<Vec<_>>()
    });
    let mut answer = Vec::new();
    for (part_a, tree_a, pose_a) in &a {
        for (part_b, tree_b, pose_b) in &b {
            let pair = TreePair::new(tree_a, pose_a, tree_b, pose_b).expect("sound poses");
            let touches = pair.intersects(accuracy, &mut scratch).expect("sound");
            answer.push(([*part_a, *part_b], touches));
        }
    }
    answer
}

fn all_but_touching<T: Scalar>(seed: u64, decades: f64, rounds: usize) {
    let mut random = Random(seed);
    let (mut touching, mut apart) = (0, 0);
    for _ in 0..rounds {
        let pair = pair::<T>(&mut random, decades);
        let (scene, keys) = scene(&pair);
        same_pairs(&scene);
        let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
        let now = scene.snapshot(&mut buffers);
        for accuracy in ACCURACIES.into_iter().take(6) {
            let query = PairQuery::between(keys[0], keys[1]).accuracy(accuracy);
            now.pairs(&query, &mut hits).expect("a sound query");
            let mut reported: Vec<[PartId; 2]> =
                hits.pairs().iter().map(|(a, b)| [a.part, b.part]).collect();
            reported.sort_unstable();
            let answer = one_by_one(&scene, keys, accuracy);
            if accuracy == Accuracy::Depth(0) {
                let boxes = |parts: &[PartId; 2]| {
                    [0, 1].map(|i| now.part_aabb(keys[i], parts[i]).expect("a part"))
                };
                let near = |parts: &[PartId; 2]| {
                    let [a, b] = boxes(parts);
                    parts[0] == parts[1] && a.intersects(&b)
                };
                let meant = || answer.iter().filter(|(parts, _)| near(parts));
                let yes = meant().filter(|(_, touches)| *touches).count();
                (touching, apart) = (touching + yes, apart + meant().count() - yes);
            }
            let expected = answer.iter().filter(|(_, touches)| *touches).map(|&(parts, _)| parts);
            let expected: Vec<[PartId; 2]> = expected.collect();
            let missed: Vec<_> = expected.iter().filter(|e| !reported.contains(e)).collect();
            let extra: Vec<_> = reported.iter().filter(|r| !expected.contains(r)).collect();
            assert!(missed.is_empty() && extra.is_empty(), "{accuracy:?}: {missed:?} {extra:?}");
        }
    }
    println!("{touching} touch, {apart} are apart though their world boxes overlap");
    assert!(touching > 12 * rounds && apart > 4 * rounds);
}

/// More parts than one batch holds.
#[test]
fn models_of_many_parts() {
    let mut random = Random(5);
    let chain = |random: &mut Random, count: usize| {
        let mut builder = Model::<f32>::builder();
        for part in 0..count {
            builder = builder.part(format!("{part}"), None, geometry(random, 0.3));
        }
        builder.build(&Build::fast()).expect("a model")
    };
    let models = [130, 20, 65, 64].map(|count| chain(&mut random, count));
    let mut scene = Scene::new();
    let mut keys = Vec::new();
    for model in &models {
        let key = scene.insert(model, Spawn::default()).expect("a character");
        let at = |random: &mut Random| times(random.direction(), random.between(0.0, 4.0));
        let poses: Vec<Pose<f32>> = (0..model.len())
            .map(|_| {
                let at = at(&mut random);
                turned(&mut random, at)
            })
            .collect();
        scene.set_parts(key, &poses).expect("sound poses");
        keys.push(key);
    }
    same_pairs(&scene);
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    let now = scene.snapshot(&mut buffers);
    now.pairs(&PairQuery::all().accuracy(Accuracy::Exact), &mut hits).expect("a sound query");
    assert!(hits.pairs().len() > 200 && hits.pairs().is_sorted());
    for (i, j) in (0..keys.len()).flat_map(|i| (i + 1..keys.len()).map(move |j| (i, j))) {
        let pair = [keys[i], keys[j]];
        let found = hits.pairs().iter().filter(|(a, b)| [a.character, b.character] == pair);
        let found: Vec<[PartId; 2]> = found.map(|(a, b)| [a.part, b.part]).collect();
        let answer = one_by_one(&scene, pair, Accuracy::Exact).into_iter();
        let mut expected: Vec<_> =
            answer.filter(|answer| answer.1).map(|answer| answer.0).collect();
        expected.sort_unstable();
        assert_eq!(found, expected, "{i} and {j}");
        assert!(expected.len() > 5, "{i} and {j} are far apart");
    }
}

/// Compares one character of parts that nearly touch: 60 parts use batches, 80 do not.
fn one_character<T: Scalar>() {
    let (mut random, mut pairs) = (Random(95), 0);
    for count in [30, 40, 30, 40] {
        let (model, poses) = self_collision::all_but_touching::<T>(&mut random, count);
        let mut scene = Scene::new();
        let key = insert_posed(&mut scene, &model, &poses);
        pairs += same_pairs(&scene).pairs;
        // In a row, nothing touches.
        let row = |(i, pose): (usize, &Pose<T>)| {
            let at = nalgebra::Vector3::new(T::nearest(1e3 * i as f64), T::zero(), T::zero());
            Pose::from_parts(at.into(), pose.rotation)
        };
        scene.set_parts(key, &poses.iter().enumerate().map(row).collect::<Vec<_>>()).expect("row");
        let Counts { pairs, free, apart } = same_pairs(&scene);
        assert!(pairs == 0 && free > 0 && apart > 0, "{free} {apart}");
    }
    assert!(pairs > 100, "{pairs}");
}

fn volumes<T: Scalar>(seed: u64, far: f64) {
    let mut random = Random(seed);
    for (count, spread) in STAGES {
        let at = [far, -far, 0.5 * far];
        let mut stage = stage_of::<T>(&mut random, at, count, spread);
        // One more character of the first model, in its bind pose.
        let model = stage.scene.model(stage.keys[0]).expect("a key").clone();
        let spawn = Spawn::at(turned(&mut random, at)).at_rest(true);
        stage.keys.push(stage.scene.insert(&model, spawn).expect("a character"));
        let questions = Questions::new(&stage, &mut random, at, spread);
        let plain = questions.answers(&stage.scene, SimdLevel::PLAIN);
        let lists = || plain.iter().filter(|line| line.starts_with('['));
        let empty = lists().filter(|line| *line == "[]").count();
        let seen = [empty, lists().count() - empty];
        println!("{count:?} far {far:e}: {seen:?} answers without and with something");
        assert!(seen.iter().all(|&seen| seen > 300 / step(1, 3)));
        same_at_every_level(|simd| questions.answers(&stage.scene, simd));
    }
}

#[test]
fn volume_queries_are_the_same_at_every_level_f32() {
    volumes::<f32>(191, 0.0);
    volumes::<f32>(192, 1e3);
}

#[test]
fn volume_queries_are_the_same_at_every_level_f64() {
    volumes::<f64>(193, 0.0);
    volumes::<f64>(194, 1e6);
}

scalars! {
    the_f32_prefilter_decides_as_the_f64_test => all_but_touching(1, 0.5, 12; 2, 0.5, 12);
    the_prefilter_of_tiny_and_huge_boxes_decides_as_the_f64_test
        => all_but_touching(3, 15.0, 2; 4, 40.0, 2);
    self_queries_are_the_same_at_every_level => one_character();
}
