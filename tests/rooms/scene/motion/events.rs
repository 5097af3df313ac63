//! Events of contacts against sets of pairs kept by hand, the same again after a rollback, and
//! attacks that hit each target once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use boxwood::model::Model;
use boxwood::scene::{
    Buffers, CharacterKey, ContactEvent, Hits, Impact, MotionBuffers, QueryScratch, Scene,
    SceneMotion, Spawn,
};
use boxwood::{
    Accuracy, Attack, CollisionGroups, ContactChange, ContactEvents, Error, OncePer, PairQuery,
    PartOrder,
};

use support::moving_parts::{chain, tick, turn};
use support::prelude::*;

type Parts = [PartOrder; 2];

/// Some characters, and their poses by tick.
struct Fight<T: Scalar> {
    scene: Scene<T>,
    keys: Vec<CharacterKey>,
    poses: Vec<Vec<Vec<boxwood::shape::Pose<T>>>>,
}

impl<T: Scalar> Fight<T> {
    fn random(random: &mut Random, ticks: usize) -> Self {
        let mut scene = Scene::new();
        let mut poses = vec![Vec::new(); ticks];
        let keys = (0..3)
            .map(|index| {
                let model = chain::<T>(random, 2);
                for poses in poses.chunks_mut(2) {
                    let root = Isometry3::from_parts(random.vector(0.8).into(), turn(random, 3.0));
                    for (poses, end) in poses.iter_mut().zip(tick(random, &model, root, (1.0, 1.0)))
                    {
                        poses.push(end);
                    }
                }
                scene.insert(&model, Spawn::default().order(20 - 3 * index)).expect("a chain")
            })
            .collect();
        Fight { scene, keys, poses }
    }

    /// Returns the scene at a tick.
    fn at(&self, tick: usize) -> Scene<T> {
        let mut scene = self.scene.clone();
        for (&key, poses) in self.keys.iter().zip(&self.poses[tick]) {
            scene.set_parts(key, poses).expect("poses");
        }
        scene
    }

    fn impacts(&self, tick: usize) -> (Scene<T>, Vec<Impact<T>>) {
        let (before, after) = (self.at(tick - 1), self.at(tick));
        let (mut buffers, mut found) = (MotionBuffers::new(), Vec::new());
        let motion = SceneMotion::between(&before, &after, &mut buffers).expect("one scene");
        let query = PairQuery::all().accuracy(Accuracy::Within(1e-3));
        motion.impacts(&query, &mut QueryScratch::new(), &mut found).expect("a query");
        (after, found)
    }
}

fn parts<T: Scalar>(scene: &Scene<T>, nodes: [boxwood::NodeRef; 2]) -> Parts {
    let mut parts = nodes.map(|node| PartOrder {
        order: scene.order(node.character).expect("a key"),
        part: node.part,
    });
    parts.sort();
    parts
}

fn numbers(events: &[ContactEvent]) -> Vec<(ContactChange, Parts, u64, u64, u64)> {
    let of = |e: &ContactEvent| (e.change, e.parts, e.time.to_bits(), e.since, e.id);
    events.iter().map(of).collect()
}

fn events<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    let (mut begun, mut kept, mut passed) = (0, 0, 0);
    for _ in 0..at_least(60, 12) {
        let fight = Fight::<T>::random(&mut random, 12);
        let (mut contacts, mut out) = (ContactEvents::new(), Vec::new());
        let mut touching: BTreeMap<Parts, u64> = BTreeMap::new();
        let (mut states, mut lists) = (Vec::new(), Vec::new());
        for tick in 1..12 {
            states.push(contacts.clone());
            let (scene, impacts) = fight.impacts(tick);
            contacts.advance(tick as u64, &scene, &impacts, &mut out).expect("keys of the scene");
            let mut seen = BTreeSet::new();
            let mut expected = Vec::new();
            for impact in &impacts {
                let pair = parts(&scene, [impact.a, impact.b]);
                assert!(seen.insert(pair), "one impact a pair");
                let was = touching.get(&pair).copied();
                let since = was.unwrap_or(tick as u64);
                if was.is_none() {
                    expected.push((ContactChange::Begin, pair, impact.time, since));
                }
                if impact.touching_at_end {
                    touching.insert(pair, since);
                    if was.is_some() {
                        expected.push((ContactChange::Persist, pair, 1.0, since));
                        kept += 1;
                    }
                } else {
                    touching.remove(&pair);
                    expected.push((ContactChange::End, pair, 1.0, since));
                    passed += usize::from(was.is_none());
                }
                begun += usize::from(was.is_none());
            }
            for (pair, since) in touching.clone() {
                if !seen.contains(&pair) {
                    touching.remove(&pair);
                    expected.push((ContactChange::End, pair, 0.0, since));
                }
            }
            expected.sort_by(|x, y| (x.2, x.1, x.0).partial_cmp(&(y.2, y.1, y.0)).expect("times"));
            let found: Vec<_> = out
                .iter()
                .map(|event| (event.change, event.parts, event.time, event.since))
                .collect();
            assert_eq!(found, expected);
            let now: BTreeMap<Parts, u64> = contacts.touching().collect();
            assert_eq!((now.len(), &now), (contacts.len(), &touching));
            // An id is that of the pair and the tick of its begin.
            for one in &out {
                for other in lists.iter().flatten().chain(&out) {
                    let other: &ContactEvent = other;
                    let same = (one.parts, one.since) == (other.parts, other.since);
                    assert_eq!(one.id == other.id, same);
                }
            }
            lists.push(out.clone());
        }
        // Simulated again from any tick: equal events with equal ids.
        let from = random.below(11);
        let mut again = states[from].clone();
        for tick in from + 1..12 {
            let (scene, impacts) = fight.impacts(tick);
            again.advance(tick as u64, &scene, &impacts, &mut out).expect("keys of the scene");
            assert_eq!(numbers(&out), numbers(&lists[tick - 1]));
        }
        assert_eq!(again, contacts);
    }
    println!("{begun} begun, {kept} persisted, {passed} passed through");
    assert!(begun > 40 && kept > 3 && passed > 5);
}

fn by_pairs<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    let fight = Fight::<T>::random(&mut random, 12);
    let (mut contacts, mut out) = (ContactEvents::new(), Vec::new());
    let mut touching = BTreeSet::new();
    for tick in 0..12 {
        let scene = fight.at(tick);
        let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
        let query = PairQuery::all().accuracy(Accuracy::Exact);
        scene.snapshot(&mut buffers).pairs(&query, &mut hits).expect("a query");
        let pairs = hits.pairs();
        contacts.advance_by_pairs(tick as u64, &scene, pairs, &mut out).expect("keys");
        let now: BTreeSet<Parts> = pairs.iter().map(|&(a, b)| parts(&scene, [a, b])).collect();
        for event in &out {
            let (was, is) = (touching.contains(&event.parts), now.contains(&event.parts));
            let expected = match (was, is) {
                (false, true) => ContactChange::Begin,
                (true, true) => ContactChange::Persist,
                _ => ContactChange::End,
            };
            assert_eq!((event.change, was || is), (expected, true));
        }
        assert_eq!(out.len(), now.union(&touching).count());
        touching = now;
    }
    // Keys of another scene change nothing.
    let other = Fight::<T>::random(&mut random, 2);
    let impacts = other.impacts(1).1;
    if !impacts.is_empty() {
        let before = contacts.clone();
        let scene = fight.at(0);
        assert_eq!(contacts.advance(99, &scene, &impacts, &mut out), Err(Error::ForeignKey));
        assert_eq!((&contacts, out.len()), (&before, 0));
        let mut attack = Attack::new(OncePer::Part);
        assert_eq!(attack.strike(&scene, &mut impacts.clone()), Err(Error::ForeignKey));
        assert!(attack.struck().is_empty());
    }
}

/// Strikes during a fight, every third part of a character in one group; compares with a set of the
/// targets and returns the number of hits.
fn swing<T: Scalar>(fight: &Fight<T>, (once_per, attack): (OncePer, &mut Attack)) -> usize {
    let (mut struck, mut hits) = (BTreeSet::new(), 0);
    for tick in 1..10 {
        let (mut scene, all) = fight.impacts(tick);
        for impact in &all {
            let key = impact.b.character;
            for part in 0..scene.model(key).expect("a key").len() {
                let groups = CollisionGroups { memberships: 1 << (part % 3), ..Default::default() };
                scene.set_groups(key, boxwood::PartId::new(part), groups).expect("a part");
            }
        }
        let mut impacts = all.clone();
        attack.strike(&scene, &mut impacts).expect("keys of the scene");
        let mut expected = Vec::new();
        for impact in all {
            let order = scene.order(impact.b.character).expect("a key");
            let target = match once_per {
                OncePer::Character => (order, 0),
                OncePer::Part => (order, impact.b.part.index()),
                OncePer::Group => (order, impact.b.part.index() % 3),
                _ => (0, 0),
            };
            if struck.insert(target) {
                expected.push(impact);
            }
        }
        assert_eq!(impacts, expected);
        hits += impacts.len();
    }
    assert_eq!(attack.struck().len(), struck.len());
    hits
}

fn attacks<T: Scalar>(seed: u64) {
    let (mut random, mut hits) = (Random(seed), 0);
    for _ in 0..at_least(60, 12) {
        let fight = Fight::<T>::random(&mut random, 10);
        for once_per in [OncePer::Character, OncePer::Part, OncePer::Attack, OncePer::Group] {
            let mut attack = Attack::new(once_per);
            // A cleared attack is as good as a new one.
            for _ in 0..2 {
                attack.clear();
                hits += swing(&fight, (once_per, &mut attack));
            }
        }
    }
    assert!(hits > 20, "{hits}");
}

/// Successor of a character that touches another one.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Successor {
    None,
    /// A new character in its slot, under its order.
    SameSlotAndOrder,
    /// A new character under its order, in another slot.
    SameOrder,
    /// A new character in its slot, under another order.
    SameSlot,
}

/// Two characters of one part that always touch, and what is known of their contacts.
#[derive(Clone)]
struct Touching<T: Scalar> {
    scene: Scene<T>,
    contacts: ContactEvents,
}

impl<T: Scalar> Touching<T> {
    fn new(model: &Arc<Model<T>>) -> Self {
        let mut scene = Scene::new();
        for order in [3, 5] {
            scene.insert(model, Spawn::default().order(order)).expect("a place");
        }
        Touching { scene, contacts: ContactEvents::new() }
    }

    /// Simulates a tick; returns its events.
    fn tick(&mut self, tick: u64, successor: Successor, by_pairs: bool) -> Vec<ContactEvent> {
        let before = self.scene.clone();
        if successor != Successor::None {
            let old = self.scene.key_of_order(5).expect("a character");
            let model = self.scene.model(old).expect("a key").clone();
            self.scene.remove(old).expect("a key");
            let mut insert =
                |order| self.scene.insert(&model, Spawn::default().order(order)).expect("a place");
            let slot = |key: CharacterKey| key.to_bits() as u32;
            match successor {
                Successor::None => {}
                Successor::SameSlotAndOrder => assert_eq!(slot(insert(5)), slot(old)),
                Successor::SameOrder => {
                    let other = insert(9);
                    assert_ne!(slot(insert(5)), slot(old));
                    self.scene.remove(other).expect("a key");
                }
                Successor::SameSlot => assert_eq!(slot(insert(6)), slot(old)),
            }
        }
        let mut events = Vec::new();
        if by_pairs {
            let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
            let query = PairQuery::all().accuracy(Accuracy::Exact);
            self.scene.snapshot(&mut buffers).pairs(&query, &mut hits).expect("a query");
            let advanced =
                self.contacts.advance_by_pairs(tick, &self.scene, hits.pairs(), &mut events);
            advanced.expect("keys of the scene");
        } else {
            let (mut buffers, mut impacts) = (MotionBuffers::new(), Vec::new());
            let motion = SceneMotion::between(&before, &self.scene, &mut buffers).expect("one");
            let query = PairQuery::all().accuracy(Accuracy::Within(1e-3));
            motion.impacts(&query, &mut QueryScratch::new(), &mut impacts).expect("a query");
            let advanced = self.contacts.advance(tick, &self.scene, &impacts, &mut events);
            advanced.expect("keys of the scene");
        }
        events
    }
}

fn replaced_characters<T: Scalar>(seed: u64) {
    use ContactChange::{Begin, End, Persist};
    let model = chain::<T>(&mut Random(seed), 1);
    let changes = |events: &[ContactEvent]| -> Vec<(ContactChange, f64, u64, u64)> {
        events.iter().map(|e| (e.change, e.time, e.parts[1].order, e.since)).collect()
    };
    for by_pairs in [false, true] {
        let begin = f64::from(u8::from(by_pairs));
        for successor in [
            Successor::None,
            Successor::SameSlotAndOrder,
            Successor::SameOrder,
            Successor::SameSlot,
        ] {
            let mut state = Touching::new(&model);
            let first = state.tick(1, Successor::None, by_pairs);
            assert_eq!(changes(&first), [(Begin, begin, 5, 1)]);
            let second = state.tick(2, Successor::None, by_pairs);
            assert_eq!(changes(&second), [(Persist, 1.0, 5, 1)]);
            let saved = state.clone();
            // One timeline with a successor in tick 4; the same again; and without, after it.
            let order = if successor == Successor::SameSlot { 6 } else { 5 };
            let expected = [
                vec![(Persist, 1.0, 5, 1)],
                match successor {
                    Successor::None => vec![(Persist, 1.0, 5, 1)],
                    _ => vec![(End, 0.0, 5, 1), (Begin, begin, order, 4)],
                },
                match successor {
                    Successor::None => vec![(Persist, 1.0, 5, 1)],
                    _ => vec![(Persist, 1.0, order, 4)],
                },
            ];
            let mut simulate = |successor: Successor| -> Vec<Vec<ContactEvent>> {
                state.scene.clone_from(&saved.scene);
                state.contacts.clone_from(&saved.contacts);
                let at = |tick| if tick == 4 { successor } else { Successor::None };
                (3..6).map(|tick| state.tick(tick, at(tick), by_pairs)).collect()
            };
            let lists = simulate(successor);
            for (list, expected) in lists.iter().zip(&expected) {
                assert_eq!(&changes(list), expected, "{successor:?}");
            }
            assert_eq!(simulate(successor), lists, "{successor:?}, simulated again");
            for list in simulate(Successor::None) {
                assert_eq!(changes(&list), [(Persist, 1.0, 5, 1)], "without {successor:?}");
            }
            assert_eq!(simulate(successor), lists, "{successor:?}, after it was not there");
            // The begin of a successor is a contact of its own.
            if successor != Successor::None {
                assert_ne!(lists[1][0].id, lists[1][1].id);
            }
        }
        // A state that goes on elsewhere: in a scene that has the same orders under other keys, and
        // from bytes.
        let mut state = Touching::new(&model);
        state.tick(1, Successor::None, by_pairs);
        let mut other = Touching::new(&model);
        other.contacts.clone_from(&state.contacts);
        let text = serde_json::to_string(&state.contacts).expect("plain data");
        state.contacts = serde_json::from_str(&text).expect("plain data");
        let touching = |of: &ContactEvents| of.touching().collect::<Vec<_>>();
        assert_eq!(touching(&other.contacts), touching(&state.contacts));
        for mut state in [state, other] {
            let second = state.tick(2, Successor::None, by_pairs);
            assert_eq!(changes(&second), [(Persist, 1.0, 5, 1)]);
            let third = state.tick(3, Successor::SameSlotAndOrder, by_pairs);
            assert_eq!(changes(&third), [(End, 0.0, 5, 1), (Begin, begin, 5, 3)]);
        }
    }
}

/// Replaces the character of order 5 by another of its model.
fn replace<T: Scalar>(scene: &mut Scene<T>) {
    let old = scene.key_of_order(5).expect("a character");
    let model = scene.model(old).expect("a key").clone();
    scene.remove(old).expect("a key");
    scene.insert(&model, Spawn::default().order(5)).expect("a place");
}

fn attacks_on_successors<T: Scalar>(seed: u64) {
    let model = chain::<T>(&mut Random(seed), 1);
    let strike = |scene: &Scene<T>, attack: &mut Attack| {
        let (before, mut buffers) = (scene.clone(), MotionBuffers::new());
        let motion = SceneMotion::between(&before, scene, &mut buffers).expect("one scene");
        let attacker = scene.key_of_order(3).expect("a character");
        let query = PairQuery::of(attacker).accuracy(Accuracy::Within(1e-3));
        let mut impacts = Vec::new();
        motion.impacts(&query, &mut QueryScratch::new(), &mut impacts).expect("a query");
        attack.strike(scene, &mut impacts).expect("keys of the scene");
        impacts.len()
    };
    for once_per in [OncePer::Character, OncePer::Part, OncePer::Group, OncePer::Attack] {
        let again = usize::from(once_per != OncePer::Attack);
        let (mut scene, mut attack) = (Touching::new(&model).scene, Attack::new(once_per));
        assert_eq!([strike(&scene, &mut attack), strike(&scene, &mut attack)], [1, 0]);
        let (saved, before) = (attack.clone(), scene.clone());
        replace(&mut scene);
        assert_eq!([strike(&scene, &mut attack), strike(&scene, &mut attack)], [again, 0]);
        assert_eq!((&attack, attack.struck().len()), (&saved, 1));
        // Simulated again, from the saved state.
        assert_eq!(strike(&before, &mut saved.clone()), 0);
        assert_eq!(strike(&scene, &mut saved.clone()), again);
        // From bytes, orders alone are known, until the target is hit once more.
        let text = serde_json::to_string(&attack).expect("plain data");
        let mut read: Attack = serde_json::from_str(&text).expect("plain data");
        assert_eq!(read, attack);
        assert_eq!(strike(&scene, &mut read), 0);
        replace(&mut scene);
        assert_eq!([strike(&scene, &mut read), strike(&scene, &mut read)], [again, 0]);
        // Another scene has other keys under the same orders.
        assert_eq!(strike(&Touching::new(&model).scene, &mut attack), 0);
    }
}

fn equal_contacts<T: Scalar>(seed: u64) {
    let model = chain::<T>(&mut Random(seed), 1);
    // One begins at the start of the tick, the other at its end: the contacts are equal.
    let [by_impacts, by_pairs] = [false, true].map(|by_pairs| {
        let mut state = Touching::new(&model);
        let events = state.tick(1, Successor::None, by_pairs);
        (events, state.contacts)
    });
    assert_ne!(by_impacts.0, by_pairs.0);
    assert_eq!(by_impacts.1, by_pairs.1);
    assert_ne!(by_impacts.1, ContactEvents::new());
}

scalars! {
    a_character_that_replaces_another_is_a_new_target => attacks_on_successors(75);
    states_with_equal_contacts_are_equal => equal_contacts(76);
    a_character_that_replaces_another_begins_its_own_contacts => replaced_characters(74);
    events_are_the_differences_of_what_touches => events(71);
    snapshots_give_events_too => by_pairs(72);
    an_attack_hits_each_target_once => attacks(73);
}
