//! Keys as numbers and as values of `serde`: only a valid key of the scene is restored.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use boxwood::model::Model;
use boxwood::scene::{Buffers, CharacterKey, Hits, Scene, Spawn};
use boxwood::tree::Geometry;
use boxwood::{Build, Error, NodeId, NodeRef, PairQuery, PartId};

use support::prelude::*;

fn cube() -> Arc<Model<f32>> {
    let solid = upright_solid([0.0; 3], [1.0; 3]);
    let model = Model::builder().part("cube", None, Geometry::Boxes(vec![solid]));
    model.build(&Build::default()).expect("a model")
}

/// Checks keys while characters are inserted and removed in reused slots.
#[test]
fn bits_of_a_key_identify_its_character_only() {
    let (mut random, mut scene, cube) = (Random(761), Scene::new(), cube());
    let (mut living, mut gone) = (HashMap::new(), HashMap::new());
    for user in 0..600_u64 {
        if random.chance(0.55) {
            let key = scene.insert(&cube, Spawn::default().user(user)).expect("a character");
            assert!(living.insert(key.to_bits(), (key, user)).is_none(), "bits given twice");
            assert!(!gone.contains_key(&key.to_bits()), "bits given again");
        } else if let Some(&bits) = living.keys().min_by_key(|bits| bits.wrapping_mul(user | 1)) {
            let (key, user) = living.remove(&bits).expect("there");
            scene.remove(key).expect("there");
            gone.insert(bits, user);
        }
        let keys: HashSet<CharacterKey> = scene.keys().collect();
        assert_eq!(keys, living.values().map(|(key, _)| *key).collect());
        assert_eq!(scene.keys().count(), scene.len());
    }
    for (bits, (key, user)) in &living {
        assert_eq!(scene.key_from_bits(*bits), Ok(*key));
        assert_eq!(scene.user(*key), Ok(*user));
    }
    assert!(living.len() > 20 && gone.len() > 150);
    for bits in gone.into_keys() {
        assert_eq!(scene.key_from_bits(bits), Err(Error::StaleKey));
    }
}

/// Checks orders while characters are inserted with orders of the caller or without, and removed.
#[test]
fn orders_lead_to_their_characters_and_back() {
    let (mut random, mut scene, cube) = (Random(763), Scene::new(), cube());
    let (mut living, mut gone) = (HashMap::new(), HashSet::new());
    for round in 0..600_u64 {
        if random.chance(0.55) {
            let order = random.chance(0.5).then(|| random.bits() >> [0, 50, 56][random.below(3)]);
            let mut spawn = Spawn::default();
            spawn.order = order;
            let key = match order.filter(|order| living.contains_key(order)) {
                Some(order) => {
                    let refused = scene.insert(&cube, spawn);
                    assert_eq!(refused, Err(Error::DuplicateOrder { order }));
                    continue;
                }
                None => scene.insert(&cube, spawn).expect("a character"),
            };
            let given = scene.order(key).expect("a key");
            assert!(order.is_none_or(|order| order == given));
            assert!(living.insert(given, key).is_none(), "an order given twice");
            gone.remove(&given);
        } else if let Some(&order) = living.keys().min_by_key(|key| key.wrapping_mul(round | 1)) {
            let key = living.remove(&order).expect("there");
            scene.remove(key).expect("there");
            assert_eq!(scene.order(key), Err(Error::StaleKey));
            gone.insert(order);
        }
    }
    assert!(living.len() > 20 && gone.len() > 100);
    let copy = scene.clone();
    let mut target = Scene::new();
    target.clone_from(&scene);
    for (&order, &key) in &living {
        for scene in [&scene, &copy, &target] {
            assert_eq!((scene.order(key), scene.key_of_order(order)), (Ok(order), Some(key)));
        }
    }
    assert!(gone.iter().all(|&order| target.key_of_order(order).is_none()));
    let mut buffers = Buffers::new();
    let listed =
        scene.snapshot(&mut buffers).characters().map(|key| scene.order(key).expect("a key"));
    assert!(listed.is_sorted(), "the order of answers");
    let other = Scene::<f32>::new();
    let key = living.values().next().copied().expect("one");
    assert_eq!((other.order(key), other.key_of_order(0)), (Err(Error::ForeignKey), None));
}

/// Checks numbers that no key has: a wrong number must not find a character by accident.
#[test]
fn numbers_that_no_key_has_are_stale() {
    let (mut scene, cube) = (Scene::new(), cube());
    let keys = [(); 4].map(|()| scene.insert(&cube, Spawn::default()).expect("a character"));
    scene.remove(keys[1]).expect("there");
    scene.insert(&cube, Spawn::default()).expect("in the same slot");
    let good: BTreeSet<u64> = scene.keys().map(CharacterKey::to_bits).collect();
    let near = (0..8).flat_map(|version| (0..8).map(move |slot| version << 32 | slot));
    let random = {
        let mut random = Random(762);
        (0..1_000).map(move |_| random.bits() >> random.below(64))
    };
    for bits in near.chain([u64::MAX, u64::from(u32::MAX), 1 << 63]).chain(random) {
        let found = scene.key_from_bits(bits).map(CharacterKey::to_bits);
        let expected = if good.contains(&bits) { Ok(bits) } else { Err(Error::StaleKey) };
        assert_eq!(found, expected, "{bits:#x}");
    }
}

#[test]
fn bits_are_valid_in_clones_and_independent_of_the_scene() {
    let (mut scene, cube) = (Scene::new(), cube());
    let key = scene.insert(&cube, Spawn::default()).expect("a character");
    let mut copy = scene.clone();
    assert_eq!(copy.key_from_bits(key.to_bits()), Ok(key));
    copy.remove(key).expect("there");
    assert_eq!(copy.key_from_bits(key.to_bits()), Err(Error::StaleKey));
    assert_eq!(scene.key_from_bits(key.to_bits()), Ok(key));
    // Another scene makes its own key of the same bits.
    let mut other = Scene::new();
    let own = other.insert(&cube, Spawn::default()).expect("a character");
    assert_eq!(own.to_bits(), key.to_bits());
    assert_eq!(other.key_from_bits(key.to_bits()), Ok(own));
    assert_ne!(own, key);
    assert_eq!(other.user(key), Err(Error::ForeignKey));
    assert_eq!(Scene::<f32>::new().key_from_bits(key.to_bits()), Err(Error::StaleKey));
    assert_eq!(Scene::<f32>::new().keys().count(), 0);
}

/// Serializes to text and back.
macro_rules! through_text {
    ($kind:ty, $value:expr) => {{
        let value: $kind = $value;
        let text = serde_json::to_string(&value).expect("text");
        assert_eq!(serde_json::from_str::<$kind>(&text).expect("a value"), value, "{text}");
        let tree = serde_json::to_value(&value).expect("a tree");
        assert_eq!(serde_json::from_value::<$kind>(tree).expect("a value"), value);
    }};
}

#[test]
fn keys_parts_nodes_and_hit_sides_survive_text() {
    let (mut scene, cube) = (Scene::new(), cube());
    for round in 0..20 {
        let key = scene.insert(&cube, Spawn::default()).expect("a character");
        through_text!(CharacterKey, key);
        if round % 3 > 0 {
            scene.remove(key).expect("there");
        }
    }
    for index in [0, 1, 255, 70_000, u32::MAX as usize] {
        through_text!(PartId, PartId::new(index));
        through_text!(NodeId, NodeId::new(index));
        for character in scene.keys() {
            let (part, node) = (PartId::new(index), NodeId::new(index / 2));
            through_text!(NodeRef, NodeRef { character, part, node });
        }
    }
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    scene.snapshot(&mut buffers).pairs(&PairQuery::all(), &mut hits).expect("a query");
    assert!(!hits.pairs().is_empty());
    through_text!(Vec<(NodeRef, NodeRef)>, hits.pairs().to_vec());
    let key: CharacterKey = scene.keys().next().expect("one");
    let text = serde_json::to_string(&key).expect("text");
    let read: CharacterKey = serde_json::from_str(&text).expect("a key");
    assert_eq!(scene.user(read), scene.user(key));
    assert_eq!(Scene::<f32>::new().user(read), Err(Error::ForeignKey));
}

#[test]
fn text_that_is_no_key_is_refused() {
    for text in [
        "{}",
        "7",
        r#"{"slot":-1,"scene":0}"#,
        r#"{"slot":"a","scene":0}"#,
        "null",
        r#"{"slot":1,"scene":0}"#,
    ] {
        assert!(serde_json::from_str::<CharacterKey>(text).is_err(), "{text}");
    }
    for text in ["-1", "4294967296", "1.5", "\"1\""] {
        assert!(serde_json::from_str::<PartId>(text).is_err(), "{text}");
        assert!(serde_json::from_str::<NodeId>(text).is_err(), "{text}");
    }
}
