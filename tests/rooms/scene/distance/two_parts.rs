//! Distances of two parts that a query names, which take no search, against the search of a query
//! whose predicate selects the same two: bit for bit, whatever else the query and the scene say.

use boxwood::pair::ClosestPoints;
use boxwood::scene::{Buffers, NodeRef, QueryScratch, Scene, Spawn};
use boxwood::tree::Accuracy;
use boxwood::{CollisionGroups, PairQuery};

use support::prelude::*;
use support::random_parts::random_model;

type Bits = ([NodeRef; 2], Vec<u64>);

fn bits<T: Scalar>(found: Option<ClosestPoints<T, NodeRef>>) -> Option<Bits> {
    let found = found?;
    let points = found.on_a.iter().chain(found.on_b.iter()).copied();
    let numbers = points.chain([found.distance, found.slack]).map(T::bits).collect();
    Some(([found.a, found.b], numbers))
}

fn as_searched<T: Scalar>(seed: u64) {
    let (mut random, mut found, mut missing) = (Random(seed), 0, 0);
    for round in 0..support::proof::at_least(200, 40) {
        let models = [random_model::<T>(&mut random, 5), random_model::<T>(&mut random, 3)];
        let mut scene = Scene::new();
        let keys = models.each_ref().map(|model| {
            let key = scene.insert(model, Spawn::default()).expect("a character");
            let mut pose = |_| {
                let at = times(random.direction(), 6.0 * random.share());
                turned(&mut random, at)
            };
            let poses: Vec<_> = (0..model.len()).map(&mut pose).collect();
            scene.set_parts(key, &poses).expect("poses");
            key
        });
        let ids = [0, 1].map(|i| models[i].parts()[random.below(models[i].len())].id());
        match round % 8 {
            1 => scene.set_part_enabled(keys[1], ids[1], false).expect("a part"),
            2 => {
                let none = CollisionGroups { memberships: 0, filter: 0 };
                scene.set_groups(keys[0], ids[0], none).expect("a part");
            }
            3 => scene.set_ignored((keys[0], ids[0]), (keys[1], ids[1]), true).expect("parts"),
            4 => scene.set_ignored(keys[0], keys[1], true).expect("characters"),
            6 => {
                // The second attacks the first.
                for (key, memberships) in [(keys[0], 2), (keys[1], 1)] {
                    let groups = CollisionGroups { memberships, ..CollisionGroups::ALL };
                    scene.set_all_groups(key, groups).expect("a key");
                }
            }
            _ => {}
        }
        let (mut buffers, mut scratch) = (Buffers::new(), QueryScratch::new());
        let now = scene.snapshot(&mut buffers);
        let selects = |a: NodeRef, b: NodeRef| {
            let is = |node: NodeRef| {
                keys.iter().zip(ids).any(|(&key, id)| (node.character, node.part) == (key, id))
            };
            is(a) && is(b)
        };
        let excluded = if round % 8 == 5 { &keys[..1] } else { &[] };
        for accuracy in [Accuracy::Exact, Accuracy::Depth(1), Accuracy::Within(0.2)] {
            for [a, b] in [[0, 1], [1, 0]] {
                let query = PairQuery::between(keys[a], keys[b]).accuracy(accuracy);
                let query = query.excluding(excluded).attacker_first();
                let query = if round % 8 == 6 { query.memberships(1, 2) } else { query };
                let of_all = query.clone().predicate(&selects);
                let named = query.parts(&[ids[a]], &[ids[b]]);
                let mut ask = |query: PairQuery<'_>, limit: f64| {
                    let query = query.max_distance(limit);
                    bits(now.distance(&query, &mut scratch).expect("a question"))
                };
                let distance = ask(named.clone(), f64::INFINITY);
                assert_eq!(distance, ask(of_all.clone(), f64::INFINITY), "{round} {accuracy:?}");
                for limit in [0.0, 0.1, 1.0, 4.0] {
                    let near = ask(named.clone(), limit);
                    assert_eq!(near, ask(of_all.clone(), limit), "{round} {accuracy:?} {limit}");
                }
                match distance {
                    Some(_) => found += 1,
                    None => missing += 1,
                }
            }
        }
    }
    assert!(found > 50 && missing > 50, "{found} {missing}");
}
scalars! {
    two_parts_as_searched => as_searched(83);
}
