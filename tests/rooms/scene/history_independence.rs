//! Answers depend only on orders, poses, flags and the query, not on keys, history or the order of
//! queries.

use boxwood::scene::{Buffers, CharacterKey, Hits, Scene, Spawn};
use boxwood::{Detail, PairQuery};

use super::brute_force::{answer, random_model};

use support::prelude::*;

type Bits = Vec<(usize, usize, usize, usize, Vec<u64>)>;

fn everything<T: Scalar>(scene: &Scene<T>) -> Bits {
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    let query = PairQuery::all().detail(Detail::Boxes);
    scene.snapshot(&mut buffers).contacts(&query, &mut hits).expect("a query");
    let mut bits = answer(&hits);
    scene.snapshot(&mut buffers).contacts(&PairQuery::all(), &mut hits).expect("a query");
    bits.extend(answer(&hits));
    bits
}

fn spawns<T: Scalar>(random: &mut Random) -> Vec<Spawn<T>> {
    (0..6)
        .map(|i| {
            let at = support::plain_box::times(random.direction(), random.between(0.0, 1.0));
            Spawn::at(turned(random, at)).order(100 - 7 * i).at_rest(i % 3 == 0).user(0)
        })
        .collect()
}

fn insertion<T: Scalar>() {
    let mut random = Random(111);
    for _ in 0..6 {
        let models = [random_model::<T>(&mut random), random_model(&mut random)];
        let mut spawns = spawns::<T>(&mut random);
        // Two characters at one position, so that only the order distinguishes them.
        spawns[1].at = spawns[3].at;
        let mut plain = Scene::new();
        for (i, spawn) in spawns.iter().enumerate() {
            plain.insert(&models[i % 2], *spawn).expect("a character");
        }
        let expected = everything(&plain);
        assert!(!expected.is_empty());
        let mut churned = Scene::new();
        let mut old: Vec<CharacterKey> = Vec::new();
        for i in (0..spawns.len()).rev() {
            for _ in 0..random.below(9) {
                old.push(churned.insert(&models[0], Spawn::default()).expect("a character"));
            }
            churned.insert(&models[i % 2], spawns[i]).expect("a character");
            if random.chance(0.5) && !old.is_empty() {
                let at = random.below(old.len());
                churned.remove(old.swap_remove(at)).expect("a key");
            }
        }
        old.into_iter().for_each(|key| churned.remove(key).expect("a key"));
        assert_eq!(everything(&churned), expected);
        assert_eq!(everything(&plain.clone()), expected);
    }
}

fn swapped<T: Scalar>() {
    let (mut random, mut compared) = (Random(112), 0);
    for round in 0..30 {
        let models = [random_model::<T>(&mut random), random_model(&mut random)];
        let mut scene = Scene::new();
        let mut spawns = spawns::<T>(&mut random);
        if round % 2 == 0 {
            spawns[1].at = spawns[2].at;
        }
        let a = scene.insert(&models[0], spawns[1]).expect("a character");
        let b = scene.insert(&models[round / 2 % 2], spawns[2]).expect("a character");
        let (mut buffers, mut there, mut back) = (Buffers::new(), Hits::new(), Hits::new());
        let now = scene.snapshot(&mut buffers);
        for detail in [Detail::Boxes, Detail::DeepestBoxes, Detail::Bodies] {
            now.contacts(&PairQuery::between(a, b).detail(detail), &mut there).expect("a query");
            now.contacts(&PairQuery::between(b, a).detail(detail), &mut back).expect("a query");
            let mut reversed: Vec<_> = back.iter().map(|hit| hit.reversed()).collect();
            reversed.sort_by_key(|h| (h.a.part, h.a.node, h.b.part, h.b.node));
            let mut there: Vec<_> = there.to_vec();
            there.sort_by_key(|h| (h.a.part, h.a.node, h.b.part, h.b.node));
            // Debug prints the shortest digits that identify the bits, and the sign of zero.
            assert_eq!(format!("{there:?}"), format!("{reversed:?}"), "round {round}");
            compared += there.len();
        }
    }
    println!("{compared} hits");
    assert!(compared > 500);
}

fn rewound<T: Scalar>() {
    let mut random = Random(113);
    let model = random_model::<T>(&mut random);
    let mut scene = Scene::new();
    let keys: Vec<_> = spawns::<T>(&mut random)
        .into_iter()
        .map(|spawn| scene.insert(&model, spawn.at_rest(false)).expect("a character"))
        .collect();
    let before = everything(&scene);
    let saved: Vec<_> = keys.iter().map(|&key| scene.poses(key).expect("a key").to_vec()).collect();
    for &key in &keys {
        let poses: Vec<_> = (0..model.len()).map(|_| turned(&mut random, [0.2; 3])).collect();
        scene.set_parts(key, &poses).expect("poses");
    }
    assert_ne!(everything(&scene), before);
    for (key, poses) in keys.iter().zip(&saved) {
        scene.set_parts(*key, poses).expect("poses");
    }
    assert_eq!(everything(&scene), before);
}

scalars! {
    neither_insertion_order_nor_churn_changes_a_bit => insertion();
    asked_from_the_other_side_hits_are_reversed_bit_for_bit => swapped();
    poses_are_the_whole_state => rewound();
}
