//! Questions about lists of parts: the unfiltered answer, filtered; and a character asked against
//! itself.

use std::sync::Arc;

use boxwood::model::Model;
use boxwood::num::Scalar;
use boxwood::scene::{Buffers, CharacterKey, Hits, QueryScratch, Scene, Snapshot, Spawn};
use boxwood::tree::Geometry;
use boxwood::{Accuracy, Build, Detail, Error, NodeRef, PairQuery, PartId};

use super::brute_force::{contact, crowd};
use super::every_pair::{closest, lines, told_from};
use support::brute_force::{BruteForceCharacter, bits};
use support::proof::at_least;
use support::random::Random;
use support::random_parts::{turned, upright, upright_solid};

type Hit = (NodeRef, NodeRef, Vec<u64>);

/// Pairs, hits with all their bits, and whether there are any.
fn answers<T: Scalar>(now: &Snapshot<'_, T>, query: &PairQuery<'_>) -> [Vec<Hit>; 2] {
    let mut hits = Hits::new();
    now.contacts(query, &mut hits).expect("a good query");
    let at: Vec<Hit> = hits.iter().map(|hit| (hit.a, hit.b, bits(&contact(hit)))).collect();
    now.pairs(query, &mut hits).expect("a good query");
    let pairs: Vec<Hit> = hits.pairs().iter().map(|&(a, b)| (a, b, vec![])).collect();
    assert_eq!(now.intersects(query, hits.scratch()), Ok(!pairs.is_empty()));
    [pairs, at]
}

/// Two lists, and whether either may be of the first character.
#[derive(Clone, Copy)]
struct Lists<'l> {
    of_a: &'l [PartId],
    of_b: &'l [PartId],
    either: bool,
}

impl Lists<'_> {
    fn hold(&self, a: PartId, b: PartId) -> bool {
        let one_way = |a, b| self.of_a.contains(&a) && self.of_b.contains(&b);
        one_way(a, b) || self.either && one_way(b, a)
    }
}

/// Every kind of question, and whether its lists hold either way round.
fn kinds(a: CharacterKey, b: CharacterKey) -> [(PairQuery<'static>, bool); 5] {
    [
        (PairQuery::all(), true),
        (PairQuery::within(a), true),
        (PairQuery::of(b), false),
        (PairQuery::between(b, a), false),
        (PairQuery::between(a, b), false),
    ]
}

const DIAL: [Accuracy; 4] =
    [Accuracy::Depth(0), Accuracy::Depth(u8::MAX), Accuracy::Within(0.1), Accuracy::Exact];

/// Overlaps by lists are the overlaps without, those of listed parts. How many stayed and went.
fn overlaps<T: Scalar>(
    now: &Snapshot<'_, T>,
    [a, b]: [CharacterKey; 2],
    [of_a, of_b]: [&[PartId]; 2],
) -> [usize; 2] {
    let mut counted = [0; 2];
    for (query, either) in kinds(a, b) {
        let lists = Lists { of_a, of_b, either };
        for accuracy in DIAL {
            for detail in [Detail::Parts, Detail::Boxes] {
                let query = query.clone().accuracy(accuracy).detail(detail);
                let some = answers(now, &query.clone().parts(of_a, of_b));
                for (some, all) in some.iter().zip(answers(now, &query)) {
                    let left = all.iter().filter(|hit| lists.hold(hit.0.part, hit.1.part));
                    assert!(some.iter().eq(left), "{query:?}");
                    counted[0] += some.len();
                    counted[1] += all.len() - some.len();
                }
            }
        }
    }
    counted
}

/// Distances by lists are the least over listed parts.
fn distances<T: Scalar>(
    now: &Snapshot<'_, T>,
    roster: &[BruteForceCharacter],
    [of_a, of_b]: [&[PartId]; 2],
) -> usize {
    let (lines, mut scratch, mut found) = (lines(now, roster), QueryScratch::new(), 0);
    let either = Lists { of_a, of_b, either: true };
    let listed = lines.iter().filter(|l| either.hold(l.found.a.part, l.found.b.part));
    let all = now.distance(&PairQuery::all().parts(of_a, of_b), &mut scratch);
    assert_eq!(all, Ok(closest(listed)));
    for living in roster {
        let (key, lists) = (living.key, Lists { either: false, ..either });
        let own = lines.iter().filter(|l| {
            let told = told_from(key, l.found);
            told.a.character == key && lists.hold(told.a.part, told.b.part)
        });
        let expected = closest(own).map(|found| told_from(key, found));
        // The first list has to be of parts the character has.
        let has = now.scene().model(key).expect("a key").len();
        let of_one: Vec<PartId> = of_a.iter().copied().filter(|p| p.index() < has).collect();
        let of = PairQuery::of(key).parts(&of_one, of_b);
        assert_eq!(now.distance(&of, &mut scratch), Ok(expected));
        found += usize::from(expected.is_some());
    }
    found
}

/// Some of the parts that both have.
fn some<T: Scalar>(random: &mut Random, scene: &Scene<T>, keys: [CharacterKey; 2]) -> Vec<PartId> {
    let count = keys.map(|key| scene.model(key).expect("a key").len());
    let share = [0.15, 0.5, 0.9][random.below(3)];
    let all = (0..count[0].min(count[1])).filter(|_| random.chance(share));
    all.map(PartId::new).collect()
}

fn crowds<T: Scalar>(seed: u64) {
    let (mut random, mut counted, mut found) = (Random(seed), [0; 2], 0);
    for _ in 0..at_least(400, 40) {
        let (scene, roster) = crowd::<T>(&mut random, 4, 0.0);
        let mut buffers = Buffers::new();
        let now = scene.snapshot(&mut buffers);
        let keys = [roster[0].key, roster[1].key];
        let [of_a, of_b] = [(); 2].map(|()| some(&mut random, &scene, keys));
        let [stayed, went] = overlaps(&now, keys, [&of_a, &of_b]);
        counted = [counted[0] + stayed, counted[1] + went];
        found += distances(&now, &roster, [&of_a, &of_b]);
    }
    println!("{counted:?} hits stayed and went, {found} distances");
    assert!(counted.iter().all(|&count| count > 1_000) && found > 40);
}

#[test]
fn answers_by_lists_are_the_unfiltered_ones_of_those_parts_f32() {
    crowds::<f32>(711);
}

#[test]
fn answers_by_lists_are_the_unfiltered_ones_of_those_parts_f64() {
    crowds::<f64>(712);
}

/// A chain of boxes that overlap their neighbours.
fn chain(parts: usize) -> Arc<Model<f32>> {
    let mut builder = Model::builder();
    for part in 0..parts {
        let solid = upright_solid([0.0, -0.2, -0.2], [0.5, 0.2, 0.2]);
        builder = builder.part(part.to_string(), None, Geometry::Boxes(vec![solid]));
        builder = builder.bind(upright([0.4 * part as f64, 0.0, 0.0]));
    }
    builder.build(&Build::default()).expect("a model")
}

/// Around every border of a word of 64 bits, and behind the words a set holds.
const BORDERS: [usize; 14] = [0, 1, 62, 63, 64, 65, 127, 128, 191, 255, 256, 257, 299, 318];

fn long_models(parts: [usize; 2], seed: u64) {
    let (mut random, mut scene) = (Random(seed), Scene::new());
    let keys = parts.map(|parts| {
        let at = turned(&mut random, [0.1, 0.0, 0.2]);
        let near = Spawn::at(at.lerp_slerp(&upright([0.0; 3]), 0.97));
        scene.insert(&chain(parts), near).expect("a character")
    });
    let roster = keys.map(|key| BruteForceCharacter { key, order: 0, at_rest: false });
    let mut buffers = Buffers::new();
    let now = scene.snapshot(&mut buffers);
    let least = parts[0].min(parts[1]);
    for round in 0..4 {
        let mut pick = || -> Vec<PartId> {
            let borders = BORDERS.into_iter().filter(|_| random.chance(0.6));
            let near = borders.filter(|&part| part < least).map(PartId::new);
            near.collect()
        };
        let [of_a, of_b] = [pick(), pick()];
        let [_, went] = overlaps(&now, keys, [&of_a, &of_b]);
        assert!(went > 100, "round {round}: {went} went");
        of_pairs_one_by_one(&now, &roster, [&of_a, &of_b]);
    }
}

/// Of long models only the listed pairs are asked one by one.
fn of_pairs_one_by_one(
    now: &Snapshot<'_, f32>,
    roster: &[BruteForceCharacter; 2],
    [of_a, of_b]: [&[PartId]; 2],
) {
    let ([a, b], mut scratch) = (roster.clone().map(|living| living.key), QueryScratch::new());
    let mut least: [Option<f32>; 2] = [None; 2];
    for (&i, &j) in of_a.iter().flat_map(|i| of_b.iter().map(move |j| (i, j))) {
        for (way, [i, j]) in [[i, j], [j, i]].into_iter().enumerate() {
            let query = PairQuery::between(a, b).parts(&[i], &[j]);
            let found = now.distance(&query, &mut scratch).expect("a question").expect("boxes");
            least[way] = Some(least[way].map_or(found.distance, |least| least.min(found.distance)));
        }
    }
    let mut ask = |query: PairQuery<'_>| {
        let found = now.distance(&query.parts(of_a, of_b), &mut scratch).expect("a question");
        found.map(|found| found.distance)
    };
    assert_eq!(ask(PairQuery::between(a, b)), least[0]);
    assert_eq!(ask(PairQuery::of(a)), least[0]);
    assert_eq!(ask(PairQuery::between(b, a)), least[1]);
    let either = least[0].zip(least[1]).map(|(x, y)| x.min(y));
    assert_eq!(ask(PairQuery::all()), either);
}

#[test]
fn models_of_more_than_64_and_more_than_256_parts_are_listed_alike() {
    long_models([70, 130], 713);
    long_models([300, 260], 714);
    long_models([319, 319], 715);
}

#[test]
fn of_characters_named_parts_they_do_not_have_are_refused_of_others_left_out() {
    let (mut scene, [short, long]) = (Scene::new(), [chain(3), chain(70)]);
    let [a, b] = [short, long].map(|m| scene.insert(&m, Spawn::default()).expect("a character"));
    let mut buffers = Buffers::new();
    let (now, mut hits) = (scene.snapshot(&mut buffers), Hits::new());
    let past = |target, len| Error::IndexOutOfRange { field: "part", index: 0, target, len };
    let (here, there, far) = ([PartId::new(2)], [PartId::new(69)], [PartId::new(1 << 20)]);
    let refused = [
        (PairQuery::of(a).parts(&there, &here), past(69, 3)),
        (PairQuery::between(a, b).parts(&there, &here), past(69, 3)),
        (PairQuery::between(b, a).parts(&here, &there), past(69, 3)),
        (PairQuery::between(a, b).parts(&here, &far), past(1 << 20, 70)),
        (PairQuery::within(a).parts(&here, &there), past(69, 3)),
        (PairQuery::within(b).parts(&far, &here), past(1 << 20, 70)),
    ];
    for (query, error) in refused {
        assert_eq!(now.intersects(&query, hits.scratch()), Err(error.clone()));
        assert_eq!(now.contacts(&query, &mut hits).map(|_| ()), Err(error.clone()));
        assert_eq!(now.pairs(&query, &mut hits).map(|_| ()), Err(error.clone()));
        assert_eq!(now.distance(&query, hits.scratch()), Err(error));
    }
    // Of those not named, the parts they have: with such ids and without is the same.
    let both = |parts: [PartId; 1]| [parts[0], there[0], far[0]];
    let [x, y] = [both([PartId::new(1)]), both(here)];
    for (few, more) in [
        (PairQuery::of(b).parts(&here, &y[..1]), PairQuery::of(b).parts(&here, &[y[0], far[0]])),
        (PairQuery::all().parts(&x[..2], &y[..2]), PairQuery::all().parts(&x, &y)),
    ] {
        assert_eq!(answers(&now, &few), answers(&now, &more));
        assert!(!answers(&now, &few)[1].is_empty());
        assert_eq!(now.distance(&few, hits.scratch()), now.distance(&more, hits.scratch()));
    }
    for query in [PairQuery::all(), PairQuery::of(a), PairQuery::within(b)] {
        for lists in [[&[][..], &[]], [&here, &[]], [&[], &here]] {
            let query = query.clone().parts(lists[0], lists[1]);
            assert!(answers(&now, &query).iter().all(Vec::is_empty));
            assert_eq!(now.distance(&query, hits.scratch()), Ok(None));
        }
    }
}

#[test]
fn a_character_and_itself_is_as_within() {
    let (mut random, mut found) = (Random(716), 0);
    for _ in 0..at_least(400, 40) {
        let (scene, roster) = crowd::<f64>(&mut random, 3, 0.0);
        let (mut buffers, mut scratch) = (Buffers::new(), QueryScratch::new());
        let (now, key) = (scene.snapshot(&mut buffers), roster[0].key);
        let [of_a, of_b] = [(); 2].map(|()| some(&mut random, &scene, [key, key]));
        for accuracy in DIAL {
            let put = |query: PairQuery<'static>| {
                [query.clone(), query.clone().parts(&of_a, &of_b), query.memberships(1, 6)]
                    .map(|query| query.accuracy(accuracy))
            };
            let (twice, within) = (put(PairQuery::between(key, key)), put(PairQuery::within(key)));
            for (twice, within) in twice.iter().zip(&within) {
                assert_eq!(answers(&now, twice), answers(&now, within));
                let [one, other] = [twice, within].map(|q| now.distance(q, &mut scratch));
                assert_eq!(one, other);
                found += usize::from(one.expect("a question").is_some());
            }
        }
    }
    assert!(found > 40, "{found}");
}
