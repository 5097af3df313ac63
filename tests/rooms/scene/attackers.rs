//! The attacker first: the same answers, told from the side whose memberships attack.

use boxwood::num::Scalar;
use boxwood::scene::{Buffers, CharacterKey, Hit, Hits, QueryScratch, Scene, Snapshot, Spawn};
use boxwood::{Accuracy, CollisionGroups, Detail, NodeRef, PairQuery, PartId};

use super::brute_force::{contact, crowd, random_model};
use support::brute_force::bits;
use support::proof::at_least;
use support::random::Random;
use support::random_parts::turned;

const SWORD: u64 = 1;
const BODY: u64 = 1 << 40;

type Line = (NodeRef, NodeRef, Vec<u64>);

fn line<T: Scalar>(hit: &Hit<T>) -> Line {
    (hit.a, hit.b, bits(&contact(hit)))
}

/// The hits, and who touches whom.
fn answers<T: Scalar>(
    now: &Snapshot<'_, T>,
    query: &PairQuery<'_>,
) -> (Vec<Hit<T>>, Vec<(NodeRef, NodeRef)>) {
    let mut hits = Hits::new();
    now.contacts(query, &mut hits).expect("a good query");
    let at = hits.to_vec();
    now.pairs(query, &mut hits).expect("a good query");
    (at, hits.pairs().to_vec())
}

/// Swords, bodies, parts that are both, and parts that are neither.
fn arm<T: Scalar>(scene: &mut Scene<T>, keys: &[CharacterKey], random: &mut Random) {
    for &key in keys {
        for part in 0..scene.model(key).expect("a key").len() {
            let memberships = [SWORD, SWORD, BODY, BODY, SWORD | BODY, 2][random.below(6)];
            let groups = CollisionGroups { memberships, filter: u64::MAX };
            scene.set_groups(key, PartId::new(part), groups).expect("a part");
        }
    }
}

/// Whether the second attacks the first, and not the other way round.
fn only_second<T: Scalar>(scene: &Scene<T>, a: NodeRef, b: NodeRef) -> bool {
    let of =
        |node: NodeRef| scene.groups(node.character).expect("a key")[node.part.index()].memberships;
    let attacks = |a: NodeRef, b: NodeRef| of(a) & SWORD != 0 && of(b) & BODY != 0;
    attacks(b, a) && !attacks(a, b)
}

/// The answers with the attacker first are those without, some of them reversed. How many were, and
/// how many were not.
fn told<T: Scalar>(now: &Snapshot<'_, T>, query: &PairQuery<'_>) -> [usize; 2] {
    let (plain, first) = (query, query.clone().attacker_first());
    let ((hits, pairs), (put_hits, put_pairs)) = (answers(now, plain), answers(now, &first));
    let swaps = |a, b| only_second(now.scene(), a, b);
    let expected: Vec<Line> = hits
        .iter()
        .map(|hit| if swaps(hit.a, hit.b) { line(&hit.reversed()) } else { line(hit) })
        .collect();
    assert_eq!(put_hits.iter().map(line).collect::<Vec<_>>(), expected);
    let expected: Vec<_> =
        pairs.iter().map(|&(a, b)| if swaps(a, b) { (b, a) } else { (a, b) }).collect();
    assert_eq!(put_pairs, expected);
    let mut scratch = QueryScratch::new();
    let [one, other] =
        [plain, &first].map(|query| now.distance(query, &mut scratch).expect("a question"));
    let turned = one.map(|found| if swaps(found.a, found.b) { found.reversed() } else { found });
    assert_eq!(other, turned);
    assert_eq!(now.intersects(plain, &mut scratch), now.intersects(&first, &mut scratch));
    let swapped = hits.iter().filter(|hit| swaps(hit.a, hit.b)).count();
    [swapped, hits.len() - swapped]
}

fn crowds<T: Scalar>(seed: u64) {
    let (mut random, mut counted) = (Random(seed), [0; 2]);
    for round in 0..at_least(400, 40) {
        let (mut scene, roster) = crowd::<T>(&mut random, 4, [0.0, 1e3][round % 2]);
        let keys: Vec<CharacterKey> = roster.iter().map(|living| living.key).collect();
        arm(&mut scene, &keys, &mut random);
        let mut buffers = Buffers::new();
        let now = scene.snapshot(&mut buffers);
        for accuracy in [Accuracy::Depth(0), Accuracy::Depth(3), Accuracy::Exact] {
            for detail in [Detail::Parts, Detail::Boxes] {
                let put = |query: PairQuery<'static>| {
                    query.memberships(SWORD, BODY).accuracy(accuracy).detail(detail)
                };
                for query in [PairQuery::all(), PairQuery::within(keys[0])] {
                    let [swapped, stayed] = told(&now, &put(query));
                    counted = [counted[0] + swapped, counted[1] + stayed];
                }
                // These name who attacks: nothing is to be reversed.
                for query in [PairQuery::of(keys[1]), PairQuery::between(keys[1], keys[0])] {
                    assert_eq!(told(&now, &put(query))[0], 0);
                }
            }
        }
    }
    println!("{counted:?} hits reversed and not");
    assert!(counted.iter().all(|&count| count > 300));
}

#[test]
fn hits_pairs_and_distances_are_told_from_the_attacker_f32() {
    crowds::<f32>(721);
}

#[test]
fn hits_pairs_and_distances_are_told_from_the_attacker_f64() {
    crowds::<f64>(722);
}

/// Who of two comes first by order must not matter once only one of them attacks.
#[test]
fn either_order_of_insertion_tells_the_same() {
    let (mut random, mut found) = (Random(723), 0);
    for _ in 0..at_least(400, 60) {
        let models = [random_model::<f32>(&mut random), random_model(&mut random)];
        let places = [0, 1].map(|_| turned(&mut random, [0.3, 0.1, 0.0]));
        let answers = [[0, 1], [1, 0]].map(|orders| {
            let mut scene = Scene::new();
            let keys = [0, 1].map(|i| {
                let spawn = Spawn::at(places[i]).order(orders[i]);
                scene.insert(&models[i], spawn).expect("a character")
            });
            for (key, memberships) in keys.into_iter().zip([SWORD, BODY]) {
                let groups = CollisionGroups { memberships, filter: u64::MAX };
                scene.set_all_groups(key, groups).expect("a key");
            }
            let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
            let now = scene.snapshot(&mut buffers);
            let query = PairQuery::all().memberships(SWORD, BODY).attacker_first();
            now.contacts(&query, &mut hits).expect("a query");
            assert!(hits.iter().all(|hit| (hit.a.character, hit.b.character) == keys.into()));
            let nodes = |h: &Hit<f32>| [h.a, h.b].map(|n| (n.part.index(), n.node.index()));
            let mut lines: Vec<_> = hits.iter().map(|hit| (nodes(hit), line(hit).2)).collect();
            lines.sort();
            let least = now.distance(&query, hits.scratch()).expect("a query");
            let named = least.map(|least| (least.a.character, least.b.character));
            assert!(named.is_none_or(|named| named == keys.into()));
            (lines, least.map(|least| least.distance))
        });
        assert_eq!(answers[0], answers[1]);
        found += answers[0].0.len();
    }
    assert!(found > 60, "{found}");
}

#[test]
fn without_memberships_and_where_both_may_attack_nothing_changes() {
    let (mut random, mut found) = (Random(724), 0);
    for _ in 0..at_least(200, 30) {
        let (mut scene, roster) = crowd::<f64>(&mut random, 3, 0.0);
        let keys: Vec<CharacterKey> = roster.iter().map(|living| living.key).collect();
        arm(&mut scene, &keys, &mut random);
        let mut both = scene.clone();
        for &key in &keys {
            let groups = CollisionGroups { memberships: SWORD | BODY, filter: u64::MAX };
            both.set_all_groups(key, groups).expect("a key");
        }
        let kinds = [
            PairQuery::all(),
            PairQuery::of(keys[1]),
            PairQuery::between(keys[1], keys[0]),
            PairQuery::within(keys[0]),
        ];
        let asked = kinds.iter().map(|query| (&scene, query.clone()));
        let of_both = kinds.iter().map(|query| (&both, query.clone().memberships(SWORD, BODY)));
        for (scene, query) in asked.chain(of_both) {
            let (mut buffers, mut scratch) = (Buffers::new(), QueryScratch::new());
            let now = scene.snapshot(&mut buffers);
            let first = query.clone().attacker_first();
            assert_eq!(answers(&now, &query), answers(&now, &first));
            let [one, other] = [&query, &first].map(|query| now.distance(query, &mut scratch));
            assert_eq!(one, other);
            found += answers(&now, &query).0.len();
        }
    }
    assert!(found > 200, "{found}");
}
