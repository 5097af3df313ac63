//! Queries about motion: who is asked about, what is refused, and what snapshots at both ends see.

use boxwood::scene::{
    Buffers, CharacterKey, Hits, Impact, MotionBuffers, MotionPath, QueryScratch, Scene,
    SceneMotion, Spawn,
};
use boxwood::{Accuracy, CollisionGroups, Error, PairQuery, PartId};

use support::moving_parts::{chain, tick, turn};
use support::prelude::*;

/// Draws a crowd before and after a tick.
fn crowd<T: Scalar>(random: &mut Random, count: usize) -> (Scene<T>, Scene<T>, Vec<CharacterKey>) {
    let mut before = Scene::new();
    let mut ends = Vec::new();
    let keys: Vec<CharacterKey> = (0..count)
        .map(|index| {
            let parts = 1 + random.below(4);
            let model = chain::<T>(random, parts);
            let root = Isometry3::from_parts(random.vector(1.6).into(), turn(random, 3.0));
            ends.push(tick(random, &model, root, (1.0, 1.5)));
            let order = (index as u64 * 7) % 11;
            before.insert(&model, Spawn::default().order(order)).expect("a chain")
        })
        .collect();
    let mut after = before.clone();
    for (&key, [first, last]) in keys.iter().zip(&ends) {
        before.set_parts(key, first).expect("poses");
        after.set_parts(key, last).expect("poses");
    }
    (before, after, keys)
}

fn find<T: Scalar>(motion: SceneMotion<'_, T>, query: &PairQuery<'_>) -> Vec<Impact<T>> {
    let (mut scratch, mut found) = (QueryScratch::new(), Vec::new());
    motion.impacts(query, &mut scratch, &mut found).expect("a query");
    assert_eq!(motion.first_impact(query, &mut scratch), Ok(found.first().copied()));
    assert_eq!(motion.intersects(query, &mut scratch), Ok(!found.is_empty()));
    found
}

fn scopes<T: Scalar>(seed: u64) {
    let (mut random, mut hits, mut ends_seen, mut own) = (Random(seed), 0, 0, 0);
    for round in 0..at_least(150, 20) {
        let (before, after, keys) = crowd::<T>(&mut random, 2 + round % 9);
        let mut buffers = MotionBuffers::new();
        let motion = SceneMotion::between(&before, &after, &mut buffers).expect("one scene");
        let margin = [0.0, 0.05][round % 2];
        let with =
            |query: PairQuery<'static>| query.accuracy(Accuracy::Within(1e-3)).margin(margin);
        let all = find(motion, &with(PairQuery::all()));
        let order = |key| after.order(key).expect("a key");
        let key = |one: &Impact<T>| {
            let side = |node: boxwood::NodeRef| (order(node.character), node.part);
            (one.clear_until.to_bits(), side(one.a), side(one.b))
        };
        assert!(all.is_sorted_by_key(key), "sorted by time, then by order");
        // One by one.
        let mut pairs = Vec::new();
        for &a in &keys {
            for &b in keys.iter().filter(|&&b| order(a) < order(b)) {
                pairs.extend(find(motion, &with(PairQuery::between(a, b))));
            }
        }
        pairs.sort_by_key(key);
        assert_eq!(all, pairs);
        for &a in &keys {
            let own_side = |one: &Impact<T>| match one.a.character == a {
                true => *one,
                false => one.reversed(),
            };
            let is_own = |one: &&Impact<T>| [one.a.character, one.b.character].contains(&a);
            let mut expected: Vec<_> = all.iter().filter(is_own).map(own_side).collect();
            expected.sort_by_key(key);
            assert_eq!(find(motion, &with(PairQuery::of(a))), expected);
            let within = find(motion, &with(PairQuery::within(a)));
            assert!(within.iter().all(|one| one.a.part < one.b.part && one.a.character == a));
            own += within.len();
        }
        // Pairs that a snapshot at either end reports.
        for scene in [&before, &after] {
            let (mut place, mut found) = (Buffers::new(), Hits::new());
            let now = scene.snapshot(&mut place);
            let query = PairQuery::all().accuracy(Accuracy::Exact).margin(margin);
            now.pairs(&query, &mut found).expect("a query");
            for (a, b) in found.pairs() {
                let parts = |one: &Impact<T>| {
                    let of = |node: boxwood::NodeRef| (node.character, node.part);
                    [of(one.a), of(one.b)] == [(a.character, a.part), (b.character, b.part)]
                };
                let impact = all.iter().find(|one| parts(one)).expect("an impact");
                match std::ptr::eq(scene, &before) {
                    true => assert!(impact.touching_at_start && impact.clear_until == 0.0),
                    false => assert!(impact.touching_at_end),
                }
                ends_seen += 1;
            }
        }
        hits += all.len();
    }
    println!("{hits} impacts, {ends_seen} seen at an end, {own} of own parts");
    assert!(hits > 40 && ends_seen > 20 && own > 5);
}

fn filters<T: Scalar>(seed: u64) {
    let (mut random, mut kept) = (Random(seed), 0);
    for _ in 0..at_least(100, 20) {
        let (before, mut after, keys) = crowd::<T>(&mut random, 6);
        let query = || PairQuery::all().accuracy(Accuracy::Within(1e-3));
        let found = |after: &Scene<T>, query: &PairQuery<'_>| {
            let mut buffers = MotionBuffers::new();
            find(SceneMotion::between(&before, after, &mut buffers).expect("one scene"), query)
        };
        let all = found(&after, &query());
        let out = keys[random.below(keys.len())];
        let without: Vec<_> = all
            .iter()
            .filter(|one| ![one.a.character, one.b.character].contains(&out))
            .copied()
            .collect();
        assert_eq!(found(&after, &query().excluding(&[out])), without);
        let keeps =
            |a: boxwood::NodeRef, b: boxwood::NodeRef| a.character != out && b.character != out;
        assert_eq!(found(&after, &query().predicate(&keeps)), without);
        // Groups of the later scene count.
        for part in 0..after.model(out).expect("a key").len() {
            after.set_groups(out, PartId::new(part), CollisionGroups::NONE).expect("a part");
        }
        assert_eq!(found(&after, &query()), without);
        kept += all.len() - without.len();
    }
    assert!(kept > 5, "{kept}");
}

#[test]
fn what_motion_cannot_answer_is_refused() {
    let mut random = Random(63);
    let (before, after, keys) = crowd::<f32>(&mut random, 3);
    let mut buffers = MotionBuffers::new();
    let (mut scratch, mut found) = (QueryScratch::new(), Vec::new());
    let motion = SceneMotion::between(&before, &after, &mut buffers).expect("one scene");
    let all = PairQuery::all();
    for accuracy in
        [Accuracy::Exact, Accuracy::Depth(3), Accuracy::Budget(9), Accuracy::Within(0.0)]
    {
        let query = all.clone().accuracy(accuracy);
        let refused = motion.first_impact(&query, &mut scratch);
        assert!(matches!(refused, Err(Error::BadQuery { .. })), "{accuracy:?}: {refused:?}");
        assert!(motion.impacts(&query, &mut scratch, &mut found).is_err() && found.is_empty());
    }
    let bad = |query: &PairQuery<'_>, scratch: &mut QueryScratch<f32>| {
        motion.intersects(query, scratch).expect_err("a bad query")
    };
    let within = all.clone().accuracy(Accuracy::Within(1e-3));
    let nan = all.clone().accuracy(Accuracy::Within(f64::NAN));
    assert!(matches!(bad(&nan, &mut scratch), Error::NotFinite { .. }));
    let negative = within.clone().margin(-1.0);
    assert!(matches!(bad(&negative, &mut scratch), Error::Negative { .. }));
    let far = [PartId::new(99)];
    let parts = PairQuery::of(keys[0]).parts(&far, &[]).accuracy(Accuracy::Within(1e-3));
    assert!(matches!(bad(&parts, &mut scratch), Error::IndexOutOfRange { .. }));
    // Keys of other scenes, and of characters that are gone.
    let mut without = after.clone();
    without.remove(keys[1]).expect("a key");
    let mut buffers = MotionBuffers::new();
    let stale = [(keys[1], MotionPath::Jump)];
    let refused = SceneMotion::with_paths(&before, &without, &stale, &mut buffers);
    assert_eq!(refused.err(), Some(Error::StaleKey));
    let motion = SceneMotion::between(&before, &without, &mut buffers).expect("one scene");
    let query = PairQuery::of(keys[1]).accuracy(Accuracy::Within(1e-3));
    assert_eq!(motion.first_impact(&query, &mut scratch), Err(Error::StaleKey));
    let other = crowd::<f32>(&mut random, 2).0;
    let mut buffers = MotionBuffers::new();
    let refused = SceneMotion::between(&before, &other, &mut buffers);
    assert!(matches!(refused, Err(Error::BadQuery { .. })));
}

scalars! {
    every_scope_finds_the_same_impacts => scopes(64);
    filters_are_those_of_pairs => filters(65);
}
