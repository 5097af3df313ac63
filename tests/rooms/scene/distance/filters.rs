//! Filters of distances: groups, memberships and predicates; against each two parts by themselves.

use std::sync::Mutex;

use boxwood::pair::ClosestPoints;
use boxwood::scene::{Buffers, CharacterKey, Hits, Scene, Snapshot, Spawn};
use boxwood::{Accuracy, CollisionGroups, NodeRef, PairQuery, PartId};

use support::random::Random;
use support::random_parts::{random_model, turned};

const PARTS: usize = 6;

fn scene(random: &mut Random) -> (Scene<f64>, [CharacterKey; 2]) {
    let mut scene = Scene::new();
    let keys = [0.0, 2.0].map(|x| {
        let model = random_model(random, PARTS);
        let key = scene.insert(&model, Spawn::default()).expect("a character");
        let poses: Vec<_> = (0..PARTS)
            .map(|i| turned(random, [x + random_step(i), 1.5 * i as f64, x - 0.4 * i as f64]))
            .collect();
        scene.set_parts(key, &poses).expect("poses");
        for part in (0..PARTS).map(PartId::new) {
            if random.chance(0.5) {
                let bits = |random: &mut Random| random.bits() & 7;
                let groups = CollisionGroups { memberships: bits(random), filter: bits(random) };
                scene.set_groups(key, part, groups).expect("a part");
            }
        }
        key
    });
    (scene, keys)
}

fn random_step(i: usize) -> f64 {
    [0.0, 0.7, -0.6, 0.2, -0.3, 0.9][i % 6]
}

/// The closest of all accepted pairs, each queried by itself.
fn each(
    now: &Snapshot<'_, f64>,
    keys: [CharacterKey; 2],
    lets: impl Fn(PartId, PartId) -> bool,
) -> Option<f64> {
    let mut hits = Hits::new();
    let mut least: Option<f64> = None;
    for (i, j) in (0..PARTS * PARTS).map(|n| (n / PARTS, n % PARTS)) {
        let (a, b) = (PartId::new(i), PartId::new(j));
        if keys[0] == keys[1] && (i >= j || !lets(a, b)) || !lets(a, b) {
            continue;
        }
        let apart = PairQuery::between(keys[0], keys[1]).parts(&[a], &[b]);
        let found = now.distance(&apart, hits.scratch()).expect("a question").map(|c| c.distance);
        least = [least, found].into_iter().flatten().reduce(f64::min);
    }
    least
}

#[test]
fn distances_respect_memberships_groups_and_predicates() {
    let (mut random, mut changed, mut none) = (Random(61), 0, 0);
    for _ in 0..60 {
        let (scene, [a, b]) = scene(&mut random);
        let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
        let now = scene.snapshot(&mut buffers);
        let groups = |key, part: PartId| scene.groups(key).expect("a key")[part.index()];
        let masks = [random.bits() & 7, random.bits() & 7];
        let odd = random.bits();
        let says = |x: PartId, y: PartId| odd >> ((x.index() * PARTS + y.index()) % 64) & 1 == 1;
        for keys in [[a, b], [b, a], [a, a]] {
            let within = keys[0] == keys[1];
            let meet = |x: PartId, y: PartId| groups(keys[0], x).interacts_with(groups(keys[1], y));
            let is = |x: PartId, y: PartId, [of_x, of_y]: [u64; 2]| {
                groups(keys[0], x).memberships & of_x != 0
                    && groups(keys[1], y).memberships & of_y != 0
            };
            let [p, q] = masks;
            let member = |x, y| meet(x, y) && (is(x, y, masks) || within && is(x, y, [q, p]));
            // The predicate gets the character of lower order first.
            let order = |x, y| if keys == [b, a] { (y, x) } else { (x, y) };
            let kept = |x, y| {
                let (x, y) = order(x, y);
                says(x, y)
            };
            let seen = Mutex::new(Vec::new());
            let keeps = |x: NodeRef, y: NodeRef| {
                seen.lock().expect("sound").push((x, y));
                says(x.part, y.part)
            };
            let ask = |now: &Snapshot<'_, f64>, apart: PairQuery<'_>, hits: &mut Hits<f64>| {
                let found: Option<ClosestPoints<f64, NodeRef>> =
                    now.distance(&apart, hits.scratch()).expect("asked");
                found.map(|found| found.distance)
            };
            let apart = PairQuery::between(keys[0], keys[1]);
            let all = ask(&now, apart.clone(), &mut hits);
            let least = each(&now, keys, meet);
            assert_eq!(all, least);
            let found = ask(&now, apart.clone().memberships(p, q), &mut hits);
            assert_eq!(found, each(&now, keys, member));
            changed += usize::from(found != all);
            let apart = apart.predicate(&keeps);
            let found = ask(&now, apart.clone(), &mut hits);
            assert_eq!(found, each(&now, keys, |x, y| meet(x, y) && kept(x, y)));
            changed += usize::from(found != all);
            let found = ask(&now, apart.accuracy(Accuracy::Exact).memberships(p, q), &mut hits);
            assert_eq!(found, each(&now, keys, |x, y| member(x, y) && kept(x, y)));
            none += usize::from(found.is_none());
            let seen = seen.into_inner().expect("sound");
            let orders: Vec<CharacterKey> = now.characters().collect();
            let place =
                |node: NodeRef| (orders.iter().position(|&key| key == node.character), node.part);
            assert!(seen.iter().all(|&(x, y)| place(x) < place(y)));
        }
    }
    println!("{changed} changed by what was left out, {none} left nothing");
    assert!(changed > 60 && none > 10);
}
