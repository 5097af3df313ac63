//! Characters of few parts, whose boxes are tested in batches, among those of many parts, which
//! have a tree over them: every pair against the test of two parts.

use boxwood::model::Model;
use boxwood::scene::{Buffers, CharacterKey, Hits, NodeRef, Scene, Snapshot, Spawn};
use boxwood::shape::Pose;
use boxwood::tree::Build;
use boxwood::{Accuracy, Detail, PairQuery, PartId};

use super::simd_levels::{geometry, one_by_one};
use support::plain_box::times;
use support::random::Random;
use support::random_parts::turned;

/// Two parts of two characters, those by number.
type Two = [(usize, PartId); 2];

const ACCURACIES: [Accuracy; 3] = [Accuracy::Depth(0), Accuracy::Depth(u8::MAX), Accuracy::Exact];

/// A crowd of so many parts each, spread so far that most are near few others.
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

fn expected(scene: &Scene<f32>, keys: &[CharacterKey], accuracy: Accuracy) -> Vec<Two> {
    let mut all = Vec::new();
    for (i, j) in (0..keys.len()).flat_map(|i| (i + 1..keys.len()).map(move |j| (i, j))) {
        let answer = one_by_one(scene, [keys[i], keys[j]], accuracy);
        let touching = answer.into_iter().filter(|(_, touches)| *touches);
        all.extend(touching.map(|([a, b], _)| [(i, a), (j, b)]));
    }
    all.sort_unstable();
    all
}

/// The two parts of each answer, sorted; by `pairs` and by `contacts`, which agree.
fn asked(
    now: &Snapshot<'_, f32>,
    keys: &[CharacterKey],
    query: &PairQuery,
    hits: &mut Hits<f32>,
) -> Vec<Two> {
    let number = |key: CharacterKey| keys.iter().position(|&k| k == key).expect("one of them");
    let any = now.intersects(query, hits.scratch()).expect("a sound query");
    now.contacts(query, hits).expect("a sound query");
    let two = |a: NodeRef, b: NodeRef| [a, b].map(|node| (number(node.character), node.part));
    let mut contacts: Vec<Two> = hits.iter().map(|hit| two(hit.a, hit.b)).collect();
    now.pairs(query, hits).expect("a sound query");
    let mut pairs: Vec<Two> = hits.pairs().iter().map(|&(a, b)| two(a, b)).collect();
    // Contacts are in the order of the boxes they are of.
    contacts.sort_unstable();
    pairs.sort_unstable();
    assert_eq!(pairs, contacts);
    assert_eq!(any, !pairs.is_empty());
    pairs
}

/// Returns how many touch.
fn check(scene: &Scene<f32>, keys: &[CharacterKey]) -> usize {
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    let now = scene.snapshot(&mut buffers);
    let mut touching = 0;
    for accuracy in ACCURACIES {
        let all = expected(scene, keys, accuracy);
        let found = asked(
            &now,
            keys,
            &PairQuery::all().detail(Detail::Parts).accuracy(accuracy),
            &mut hits,
        );
        assert_eq!(found, all, "{accuracy:?}");
        for (i, &key) in keys.iter().enumerate() {
            let query = PairQuery::of(key).detail(Detail::Parts).accuracy(accuracy);
            let mut found = asked(&now, keys, &query, &mut hits);
            found.iter_mut().for_each(|two| two.sort_unstable());
            found.sort_unstable();
            let of_one = all.iter().filter(|two| two.iter().any(|part| part.0 == i));
            assert_eq!(found, of_one.copied().collect::<Vec<_>>(), "{accuracy:?} of {i}");
        }
        touching += all.len();
    }
    touching
}

#[test]
fn few_parts_among_many() {
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

/// An incomplete batch of few parts is pending when a character of many parts follows.
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
