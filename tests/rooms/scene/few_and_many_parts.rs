//! Characters of few parts, and of so many that neighbours share a box: pairs of two characters and
//! of one against the test of two parts.

use boxwood::model::{Model, SelfQueryScratch};
use boxwood::scene::{
    Buffers, CharacterKey, Hits, Overlaps, QueryFilter, QueryShape, Scene, Spawn,
};
use boxwood::shape::{Aabb, Pose};
use boxwood::tree::{Build, TreePair, TreeScratch};
use boxwood::{Accuracy, Detail, PairQuery, PartId, SelfQuery};

use super::exact_answers::{Line, Moment, sided};
use super::simd_levels::{geometry, one_by_one};

use support::prelude::*;

const ACCURACIES: [Accuracy; 3] = [Accuracy::Depth(0), Accuracy::Depth(u8::MAX), Accuracy::Exact];

/// Builds a crowd with the given numbers of parts, spread so that most parts are near few others.
fn crowd(random: &mut Random, counts: &[usize], spread: f64) -> (Scene<f32>, Vec<CharacterKey>) {
    let mut scene = Scene::new();
    let mut keys = Vec::new();
    for &count in counts {
        let parts = 0..count;
        let builder = parts.clone().fold(Model::<f32>::builder(), |builder, part| {
            builder.part(format!("{part}"), None, geometry(random, 0.3))
        });
        let model = builder.build(&Build::fast()).expect("a model");
        let key = scene.insert(&model, Spawn::default()).expect("a character");
        let middle = times(random.direction(), spread * random.share());
        let pose = |_| -> Pose<f32> {
            let beside = times(random.direction(), 0.4);
            turned(random, std::array::from_fn(|i| middle[i] + beside[i]))
        };
        scene.set_parts(key, &parts.map(pose).collect::<Vec<_>>()).expect("sound poses");
        keys.push(key);
    }
    (scene, keys)
}

fn expected(scene: &Scene<f32>, keys: &[CharacterKey], accuracy: Accuracy) -> Vec<Line> {
    let mut all = Vec::new();
    for (i, j) in (0..keys.len()).flat_map(|i| (i + 1..keys.len()).map(move |j| (i, j))) {
        let answer = one_by_one(scene, [keys[i], keys[j]], accuracy);
        let touching = answer.into_iter().filter(|(_, touches)| *touches);
        all.extend(touching.map(|([a, b], _)| [(i, a.index()), (j, b.index())]));
    }
    all.sort_unstable();
    all
}

/// Compares every two characters, and each with all others; returns the number that touch.
fn check(scene: &Scene<f32>, keys: &[CharacterKey]) -> usize {
    let mut buffers = Buffers::new();
    let mut moment = Moment { now: scene.snapshot(&mut buffers), keys, hits: Hits::new() };
    let mut touching = 0;
    for accuracy in ACCURACIES {
        let all = expected(scene, keys, accuracy);
        assert_eq!(moment.answer(&PairQuery::all().accuracy(accuracy)), all, "{accuracy:?}");
        for (i, &key) in keys.iter().enumerate() {
            let of_one = all.iter().filter(|two| two.iter().any(|part| part.0 == i));
            let found = moment.answer(&PairQuery::of(key).accuracy(accuracy));
            assert_eq!(found, sided(of_one, i), "{accuracy:?} of {i}");
        }
        touching += all.len();
    }
    touching
}

#[test]
fn characters_of_few_and_of_many_parts_together() {
    let mut random = Random(31);
    let mut touching = 0;
    for round in 0..12 {
        let counts: Vec<usize> = (0..9).map(|_| [1, 1, 2, 3, 20, 65][random.below(6)]).collect();
        let (scene, keys) = crowd(&mut random, &counts, [2.0, 4.0, 8.0][round % 3]);
        touching += check(&scene, &keys);
    }
    println!("{touching} touch");
    assert!(touching > 500);
}

/// Checks that an incomplete batch of few parts is tested when a character of many parts follows.
#[test]
fn three_of_which_the_last_has_many_parts() {
    let mut random = Random(32);
    let mut touching = 0;
    for _ in 0..40 {
        let (scene, keys) = crowd(&mut random, &[1, 1, 65], 0.8);
        touching += check(&scene, &keys);
    }
    println!("{touching} touch");
    assert!(touching > 300);
}

/// Two parts of one character each.
type Pairs = Vec<(PartId, PartId)>;

/// Scene of one character, with its enabled parts.
struct Alone<T: Scalar> {
    scene: Scene<T>,
    key: CharacterKey,
    on: Vec<bool>,
}

/// Builds one character of `count` parts with some ignored pairs; every second time some parts are
/// disabled.
fn alone<T: Scalar>(random: &mut Random, count: usize) -> Alone<T> {
    let mut builder = Model::<T>::builder();
    for part in 0..count {
        builder = builder.part(format!("{part}"), None, geometry(random, 0.2));
    }
    for _ in 0..count {
        let [a, b] = [0; 2].map(|_| random.below(count).to_string());
        builder = builder.ignore(a, b);
    }
    let (model, mut scene) = (builder.build(&Build::fast()).expect("a model"), Scene::new());
    let key = scene.insert(&model, Spawn::default()).expect("a character");
    let spread = 0.3 * (count as f64).cbrt();
    let poses: Vec<Pose<T>> = (0..count)
        .map(|_| {
            let at = times(random.direction(), spread * random.share().cbrt());
            turned(random, at)
        })
        .collect();
    scene.set_parts(key, &poses).expect("sound poses");
    let mut on = vec![true; count];
    for _ in 0..if random.chance(0.5) { count / 4 } else { 0 } {
        let part = random.below(count);
        on[part] = random.chance(0.2);
        scene.set_part_enabled(key, PartId::new(part), on[part]).expect("a part");
    }
    Alone { scene, key, on }
}

/// Returns every two parts of the character within the margin by the test of two parts, among the
/// enabled ones or all; and the least distance.
fn own_pairs<T: Scalar>(
    Alone { scene, key, on }: &Alone<T>,
    (accuracy, margin): (Accuracy, f64),
    all: bool,
) -> (Pairs, f64) {
    let key = *key;
    let (model, poses) = (scene.model(key).expect("a key"), scene.poses(key).expect("a key"));
    let parts: Vec<PartId> = (0..model.len()).map(PartId::new).collect();
    let is_on = |part: PartId| all || on[part.index()];
    let tree = |part: PartId| model.parts()[part.index()].tree().expect("a tree");
    let (mut scratch, mut near, mut least) = (TreeScratch::default(), Vec::new(), f64::INFINITY);
    for (i, &a) in parts.iter().enumerate().filter(|&(_, &a)| is_on(a)) {
        for &b in parts[i + 1..].iter().filter(|&&b| is_on(b) && !model.ignores(a, b)) {
            let (one, other) = (&poses[a.index()], &poses[b.index()]);
            let pair = TreePair::new(tree(a), one, tree(b), other).expect("sound poses");
            let far = pair.distance(accuracy, least, &mut scratch).expect("a cut-off");
            least = far.map_or(least, |found| found.distance.wide().min(least));
            let pair = pair.margin(margin).expect("a margin");
            if pair.intersects(accuracy, &mut scratch).expect("an accuracy") {
                near.push((a, b));
            }
        }
    }
    (near, least)
}

/// Compares self-collision of one character. Returns the number of near pairs.
fn check_alone<T: Scalar>(alone: &Alone<T>) -> usize {
    let (scene, key) = (&alone.scene, alone.key);
    let model = scene.model(key).expect("a key").clone();
    let poses = scene.poses(key).expect("a key");
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    let now = scene.snapshot(&mut buffers);
    let (mut own, mut count) = (SelfQueryScratch::default(), 0);
    for (accuracy, margin) in
        [(Accuracy::Depth(0), 0.0), (Accuracy::Exact, 0.0), (Accuracy::Exact, 0.05)]
    {
        let (expected, least) = own_pairs(alone, (accuracy, margin), true);
        let query = SelfQuery::new(accuracy).margin(margin);
        assert_eq!(model.self_pairs(poses, query, &mut own).expect("poses"), expected);
        let any = model.self_intersects(poses, query, &mut own).expect("poses");
        assert_eq!(any, !expected.is_empty());
        let found = model.self_distance(poses, accuracy, f64::INFINITY, &mut own).expect("poses");
        let found = found.map_or(f64::INFINITY, |found| found.distance.wide());
        assert_eq!(found, least, "{accuracy:?}");

        let (expected, least) = own_pairs(alone, (accuracy, margin), false);
        let query =
            PairQuery::within(key).detail(Detail::DeepestBoxes).accuracy(accuracy).margin(margin);
        now.pairs(&query, &mut hits).expect("a sound query");
        let found: Pairs = hits.pairs().iter().map(|(a, b)| (a.part, b.part)).collect();
        assert_eq!(found, expected, "{accuracy:?} within {margin}");
        let query = PairQuery::within(key).accuracy(accuracy);
        let found = now.distance(&query, hits.scratch()).expect("a sound query");
        let found = found.map_or(f64::INFINITY, |found| found.distance.wide());
        assert_eq!(found, least, "{accuracy:?}");
        count += expected.len();
    }
    // A box that contains everything, so that only disabled parts are missing.
    let all = Aabb::new([T::nearest(-1e3); 3].into(), [T::nearest(1e3); 3].into());
    let mut met = Overlaps::new();
    let roots = QueryFilter::all().accuracy(Accuracy::Depth(0));
    now.overlaps(QueryShape::Aabb(all), &roots, &mut met).expect("a box");
    let met: Vec<usize> = met.iter().map(|node| node.part.index()).collect();
    assert_eq!(met, (0..model.len()).filter(|&part| alone.on[part]).collect::<Vec<_>>());
    count
}

fn one_of_any_number<T: Scalar>(seed: u64) {
    let (mut random, mut near) = (Random(seed), 0);
    for count in [1, 2, 20, 63, 64, 65, 66, 130, 300] {
        for _ in 0..4 {
            near += check_alone(&alone::<T>(&mut random, count));
        }
    }
    println!("{near} near");
    assert!(near > 2_000, "{near}");
}

scalars! {
    one_of_any_number_of_parts => one_of_any_number(33; 34);
}
