//! Ignored pairs of characters and of their parts: the answers are those of a predicate that says
//! the same, for every kind of pair query.

use std::collections::HashSet;

use boxwood::num::Scalar;
use boxwood::scene::{Buffers, CharacterKey, Hits, Scene, Snapshot, Spawn};
use boxwood::tree::Push;
use boxwood::{Accuracy, Detail, Error, IgnoredSide, NodeRef, PairQuery, PartId};
use nalgebra::Vector3;

use super::brute_force::{crowd, random_model};
use support::proof::at_least;
use support::random::Random;

/// What was said, read by going through all of it.
#[derive(Default)]
struct Said(HashSet<(IgnoredSide, IgnoredSide)>);

fn covers(more: IgnoredSide, less: IgnoredSide) -> bool {
    more.character == less.character && (more.part.is_none() || more.part == less.part)
}

impl Said {
    fn set(&mut self, a: IgnoredSide, b: IgnoredSide, yes: bool) {
        if yes {
            self.0.insert((a, b));
        } else {
            let within = |x, y| covers(a, x) && covers(b, y) || covers(a, y) && covers(b, x);
            self.0.retain(|&(x, y)| !within(x, y));
        }
    }

    fn holds(&self, a: IgnoredSide, b: IgnoredSide) -> bool {
        let said = |&(x, y): &_| covers(x, a) && covers(y, b) || covers(x, b) && covers(y, a);
        self.0.iter().any(said)
    }

    fn ignores(&self, a: NodeRef, b: NodeRef) -> bool {
        let side = |node: NodeRef| IgnoredSide::from((node.character, node.part));
        self.holds(side(a), side(b))
    }
}

fn side<T: Scalar>(random: &mut Random, scene: &Scene<T>, keys: &[CharacterKey]) -> IgnoredSide {
    let character = keys[random.below(keys.len())];
    let parts = scene.model(character).expect("a key").len();
    match random.chance(0.3) {
        true => character.into(),
        false => (character, PartId::new(random.below(parts))).into(),
    }
}

/// Every kind of pair query, its answers as text: debug prints the shortest digits that tell bits
/// apart. Counts are left out.
fn told<T: Scalar>(now: &Snapshot<'_, T>, query: &PairQuery<'_>) -> Vec<String> {
    let (mut told, mut hits) = (Vec::new(), Hits::new());
    told.push(format!("{:?}", now.intersects(query, hits.scratch())));
    for margin in [0.0, 0.2] {
        let near = query.clone().margin(margin);
        let report = now.pairs(&near, &mut hits).expect("a query");
        told.push(format!("{:?} {:?} {:?}", report.slack, report.met, hits.pairs()));
    }
    let report = now.contacts(query, &mut hits).expect("a query");
    told.push(format!("{:?} {:?}", report.slack, &hits[..]));
    if query_has_no_budget(query) {
        told.push(format!("{:?}", now.distance(query, hits.scratch())));
    }
    let push: Push<T> = Push::least();
    told.push(format!("{:?}", now.separation(query, &push, hits.scratch())));
    let way = Vector3::new(1.0, -2.0, 0.5).map(T::nearest);
    told.push(format!("{:?}", now.cast(query, way, hits.scratch())));
    told
}

fn query_has_no_budget(query: &PairQuery<'_>) -> bool {
    !format!("{query:?}").contains("Budget")
}

fn as_a_predicate_says<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    let mut changed = 0;
    for round in 0..at_least(150, 20) {
        let count = 2 + random.below(6);
        let (mut scene, roster) = crowd::<T>(&mut random, count, 1.5);
        let keys: Vec<_> = roster.iter().map(|one| one.key).collect();
        let free = scene.clone();
        let mut said = Said::default();
        for _ in 0..random.below(30) {
            let (a, b) = (side(&mut random, &scene, &keys), side(&mut random, &scene, &keys));
            let yes = random.chance(0.8);
            scene.set_ignored(a, b, yes).expect("keys");
            said.set(a, b, yes);
            let (a, b) = (side(&mut random, &scene, &keys), side(&mut random, &scene, &keys));
            assert_eq!(scene.is_ignored(a, b), Ok(said.holds(a, b)), "{a:?} {b:?} {:?}", said.0);
        }
        let keeps = |a: NodeRef, b: NodeRef| !said.ignores(a, b);
        let (mut buffers, mut others) = (Buffers::new(), Buffers::new());
        let (now, then) = (scene.snapshot(&mut buffers), free.snapshot(&mut others));
        let [a, b] = [keys[0], keys[1]];
        let dial = [Accuracy::Depth(1), Accuracy::Exact, Accuracy::Budget(200)];
        for who in [
            PairQuery::all(),
            PairQuery::of(a),
            PairQuery::between(a, b),
            PairQuery::between(b, a),
            PairQuery::within(a),
        ] {
            let detail = [Detail::Parts, Detail::Boxes][round % 2];
            let query = who.accuracy(dial[round % 3]).detail(detail);
            let expected = told(&then, &query.clone().predicate(&keeps));
            assert_eq!(told(&now, &query), expected, "{query:?} {:?}", said.0);
            changed += usize::from(told(&then, &query) != expected);
        }
    }
    println!("{changed} queries had other answers");
    assert!(changed > 30);
}

#[test]
fn answers_are_those_of_a_predicate_that_says_the_same() {
    as_a_predicate_says::<f32>(821);
    as_a_predicate_says::<f64>(822);
}

#[test]
fn what_was_said_can_be_written_down_and_said_again() {
    let mut random = Random(823);
    let (mut scene, roster) = crowd::<f32>(&mut random, 5, 1.0);
    let keys: Vec<_> = roster.iter().map(|one| one.key).collect();
    for _ in 0..40 {
        let (a, b) = (side(&mut random, &scene, &keys), side(&mut random, &scene, &keys));
        scene.set_ignored(a, b, true).expect("keys");
    }
    let mut again = scene.clone();
    for &key in &keys {
        for &other in &keys {
            again.set_ignored(key, other, false).expect("keys");
        }
    }
    assert_eq!(again.ignored_pairs().count(), 0);
    for (a, b) in scene.ignored_pairs() {
        again.set_ignored(b, a, true).expect("keys");
    }
    assert!(again.ignored_pairs().eq(scene.ignored_pairs()));
    assert!(scene.ignored_pairs().count() > 10);
}

#[test]
fn stale_keys_are_refused_and_removed_characters_forgotten() {
    let mut random = Random(824);
    let model = random_model::<f32>(&mut random);
    let mut scene = Scene::new();
    let [a, b, c] = [0; 3].map(|_| scene.insert(&model, Spawn::default()).expect("one"));
    scene.set_ignored(a, b, true).expect("keys");
    scene.set_ignored((b, PartId::new(0)), c, true).expect("keys");
    scene.set_ignored(a, c, true).expect("keys");
    scene.remove(b).expect("a key");
    assert!(scene.ignored_pairs().eq([(a.into(), c.into())]));
    assert_eq!(scene.set_ignored(a, b, true), Err(Error::StaleKey));
    assert_eq!(scene.is_ignored(b, a), Err(Error::StaleKey));
    // The slot is taken by another, of whom nothing was said.
    let next = scene.insert(&model, Spawn::default()).expect("one");
    assert_eq!(scene.is_ignored(a, next), Ok(false));
    let stranger = Scene::new().insert(&model, Spawn::default()).expect("one");
    assert_eq!(scene.set_ignored(stranger, a, true), Err(Error::ForeignKey));
    let found = scene.set_ignored(a, (c, PartId::new(77)), true);
    assert!(matches!(found, Err(Error::IndexOutOfRange { field: "part", target: 77, .. })));
}
