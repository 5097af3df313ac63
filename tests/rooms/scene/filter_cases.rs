//! Filters of pair queries: swapped arguments, budgets, restored groups, calls of predicates,
//! models against themselves, ignored pairs of removed characters, user data.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use boxwood::model::{Model, SelfQueryScratch};
use boxwood::scene::{Buffers, CharacterKey, Hit, Hits, QueryScratch, Scene, Snapshot, Spawn};
use boxwood::tree::Geometry;
use boxwood::{Build, CollisionGroups, Detail, NodeId, NodeRef, PairQuery, PartId};

use super::brute_force::{crowd, random_model};
use super::filters::{BUDGETS, EACH, answers, line, mark, odd, random_groups, side};
use support::brute_force::{BruteForce, BruteForceCharacter};
use support::prelude::*;

fn keys(roster: &[BruteForceCharacter]) -> Vec<CharacterKey> {
    roster.iter().map(|one| one.key).collect()
}

/// Chain of boxes that overlap their neighbours.
pub fn chain(parts: usize) -> Arc<Model<f32>> {
    let mut builder = Model::builder();
    for part in 0..parts {
        let solid = upright_solid([0.0, -0.2, -0.2], [0.5, 0.2, 0.2]);
        builder = builder.part(part.to_string(), None, Geometry::Boxes(vec![solid]));
        builder = builder.bind(upright([0.4 * part as f64, 0.0, 0.0]));
    }
    builder.build(&Build::default()).expect("a model")
}

fn swapped<T: Scalar>() {
    let (mut random, mut compared) = (Random(503), 0);
    for round in 0..20 {
        let (mut scene, roster) = crowd::<T>(&mut random, 3, 0.0);
        if roster.len() < 2 {
            continue;
        }
        mark(&mut scene, &keys(&roster), &mut random);
        let (mut buffers, mut there, mut back) = (Buffers::new(), Hits::new(), Hits::new());
        let now = scene.snapshot(&mut buffers);
        let [a, b] = [roster[0].key, roster[1].key];
        let dial = EACH.into_iter().chain(BUDGETS);
        for (accuracy, detail) in
            dial.flat_map(|a| [Detail::Bodies, Detail::DeepestBoxes, Detail::Boxes].map(|d| (a, d)))
        {
            let put = |query: PairQuery<'static>, [x, y]: [u64; 2]| {
                let query = if round % 2 == 0 { query.predicate(&odd) } else { query };
                query.memberships(x, y).accuracy(accuracy).detail(detail)
            };
            let [one, other] =
                [put(PairQuery::between(a, b), [3, 6]), put(PairQuery::between(b, a), [6, 3])];
            let one = now.contacts(&one, &mut there).expect("a query");
            let other = now.contacts(&other, &mut back).expect("a query");
            assert_eq!((one.slack, one.met), (other.slack, other.met));
            let mut reversed: Vec<_> = back.iter().map(|hit| hit.reversed()).collect();
            reversed.sort_by_key(|h| (h.a.part, h.a.node, h.b.part, h.b.node));
            assert!(there.iter().map(line).eq(reversed.iter().map(line)));
            compared += there.len();
        }
    }
    println!("{compared} hits");
    assert!(compared > 500);
}

/// A part in no group is as good as disabled, and an excluded character as good as removed: at any
/// excluded character a removed one.
fn budgets<T: Scalar>() {
    let (mut random, mut found) = (Random(504), 0);
    for _ in 0..16 {
        let (scene, roster) = crowd::<T>(&mut random, 4, 0.0);
        if roster.len() < 3 {
            continue;
        }
        let (mut off, mut alone, gone) = (scene.clone(), scene.clone(), roster[2].key);
        for living in &roster {
            for part in (0..scene.model(living.key).expect("a key").len()).map(PartId::new) {
                if random.chance(0.3) {
                    off.set_part_enabled(living.key, part, false).expect("a part");
                    alone.set_groups(living.key, part, CollisionGroups::NONE).expect("a part");
                }
            }
        }
        let mut without = off.clone();
        without.remove(gone).expect("a key");
        let mut buffers: [Buffers<T>; 3] = Default::default();
        let [x, y, z] = &mut buffers;
        let (off, alone, without) = (off.snapshot(x), alone.snapshot(y), without.snapshot(z));
        let [a, b] = [roster[0].key, roster[1].key];
        for accuracy in BUDGETS.into_iter().chain(EACH) {
            for query in
                [PairQuery::all(), PairQuery::of(a), PairQuery::between(b, a), PairQuery::within(b)]
            {
                let query = query.accuracy(accuracy).detail(Detail::Boxes);
                found += same(&alone, &query, &off, &query);
                same(&alone, &query.clone().excluding(&[gone]), &without, &query);
                let not = |p: NodeRef, q: NodeRef| p.character != gone && q.character != gone;
                same(&alone, &query.clone().predicate(&not), &without, &query);
            }
        }
    }
    println!("{found} hits");
    assert!(found > 500);
}

/// Asserts equal hits, slack and numbers of tests; returns the number of hits.
fn same<T: Scalar>(
    one: &Snapshot<'_, T>,
    q: &PairQuery,
    other: &Snapshot<'_, T>,
    r: &PairQuery,
) -> usize {
    let ask = |now: &Snapshot<'_, T>, query: &PairQuery| {
        let mut hits = Hits::new();
        let report = now.contacts(query, &mut hits).expect("a query");
        let answer = format!("{:?}", hits.to_vec());
        let counts = (report.counts.boxes, report.counts.oriented, report.counts.primitives);
        (answer, report.slack.bits(), report.met, counts, hits.len())
    };
    let (a, b) = (ask(one, q), ask(other, r));
    assert_eq!(a, b, "{q:?}");
    a.4
}

fn switched<T: Scalar>() {
    let mut random = Random(505);
    let (mut scene, roster) = crowd::<T>(&mut random, 4, 0.0);
    let everything = |scene: &Scene<T>| {
        let mut buffers = Buffers::new();
        let query = PairQuery::all().detail(Detail::Boxes);
        let (hits, pairs) = answers(&scene.snapshot(&mut buffers), &query);
        (hits.iter().map(line).collect::<Vec<_>>(), pairs)
    };
    let before = everything(&scene);
    assert!(!before.1.is_empty());
    let mut differed = 0;
    for _ in 0..10 {
        mark(&mut scene, &keys(&roster), &mut random);
        let saved: Vec<Vec<CollisionGroups>> =
            roster.iter().map(|l| scene.groups(l.key).expect("a key").to_vec()).collect();
        let marked = everything(&scene);
        differed += usize::from(marked != before);
        for living in &roster {
            scene.set_all_groups(living.key, CollisionGroups::ALL).expect("a key");
        }
        assert_eq!(everything(&scene), before);
        for (living, groups) in roster.iter().zip(saved) {
            for (part, groups) in groups.into_iter().enumerate() {
                scene.set_groups(living.key, PartId::new(part), groups).expect("a part");
            }
        }
        assert_eq!(everything(&scene), marked);
    }
    assert!(differed > 5);
}

/// Random model without and with groups, and the groups.
fn twice(seed: u64) -> ([Arc<Model<f32>>; 2], Vec<CollisionGroups>) {
    let groups: Vec<CollisionGroups> = {
        let mut random = Random(seed ^ 0xff);
        (0..12).map(|_| random_groups(&mut random)).collect()
    };
    let build = |grouped: bool| {
        let mut random = Random(seed);
        let mut builder = Model::builder().ignore_neighbours(0);
        for (part, &groups) in groups.iter().enumerate() {
            let low = [-random.share(), -random.share(), -random.share()];
            let solid = upright_solid(low, [random.share(), random.share(), random.share()]);
            builder = builder.part(part.to_string(), None, Geometry::Boxes(vec![solid]));
            builder = builder.user(part as u64 + 100);
            if grouped {
                builder = builder.groups(groups);
            }
        }
        builder.build(&Build::default()).expect("a model")
    };
    ([build(false), build(true)], groups)
}

#[test]
fn a_model_against_itself_is_filtered_by_its_groups_as_are_its_characters() {
    let (mut random, mut stayed, mut went) = (Random(506), 0, 0);
    for seed in 0..20 {
        let ([plain, grouped], groups) = twice(seed);
        assert_ne!(plain.fingerprint(), grouped.fingerprint());
        let poses: Vec<_> = (0..plain.len())
            .map(|_| {
                let at = support::plain_box::times(random.direction(), random.between(0.0, 1.5));
                turned(&mut random, at)
            })
            .collect();
        let mut scratch = SelfQueryScratch::default();
        let meet = |&(a, b): &(PartId, PartId)| groups[a.index()].interacts_with(groups[b.index()]);
        for accuracy in EACH {
            let all = plain.self_pairs(&poses, accuracy, &mut scratch).expect("poses").to_vec();
            let left: Vec<_> = all.iter().copied().filter(meet).collect();
            (stayed, went) = (stayed + left.len(), went + all.len() - left.len());
            let found = grouped.self_pairs(&poses, accuracy, &mut scratch).expect("poses").to_vec();
            assert_eq!(found, left);
            let any = grouped.self_intersects(&poses, accuracy, &mut scratch).expect("poses");
            assert_eq!(any, !left.is_empty());
            let mut scene = Scene::new();
            let key = insert_posed(&mut scene, &grouped, &poses);
            let query = PairQuery::within(key).accuracy(accuracy);
            let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
            scene.snapshot(&mut buffers).pairs(&query, &mut hits).expect("a query");
            assert!(hits.pairs().iter().map(|(a, b)| (a.part, b.part)).eq(left));
            // The character may have other groups.
            (0..plain.len()).for_each(|part| {
                scene.set_groups(key, PartId::new(part), CollisionGroups::ALL).expect("a part");
            });
            scene.snapshot(&mut buffers).pairs(&query, &mut hits).expect("a query");
            assert!(hits.pairs().iter().map(|(a, b)| (a.part, b.part)).eq(all));
        }
    }
    assert!(stayed > 300 && went > 300, "{stayed} {went}");
}

#[test]
fn predicates_are_called_for_near_parts_with_the_lesser_first() {
    let mut random = Random(507);
    let (scene, roster) = crowd::<f32>(&mut random, 4, 0.0);
    let order = |key| roster.iter().find(|l| l.key == key).expect("in the roster").order;
    let mut buffers = Buffers::new();
    let now = scene.snapshot(&mut buffers);
    let near = |a: NodeRef, b: NodeRef| {
        let [p, q] = [a, b]
            .map(|node_ref| now.part_aabb(node_ref.character, node_ref.part).expect("a part"));
        p.intersects(&q)
    };
    let asked = AtomicUsize::new(0);
    let check = |a: NodeRef, b: NodeRef| {
        asked.fetch_add(1, Ordering::Relaxed);
        assert!((order(a.character), a.part) < (order(b.character), b.part) && near(a, b));
        assert!(a.node == NodeId::ROOT && b.node == NodeId::ROOT);
        true
    };
    // Number of overlapping world boxes of parts: the bound on predicate calls.
    let brute = BruteForce { scene: &scene, now, roster: &roster };
    let overlaps = |pairs: &[(CharacterKey, CharacterKey)]| {
        let parts = |key| (0..scene.model(key).expect("a key").len()).map(PartId::new);
        let node_ref = |character, part| NodeRef { character, part, node: NodeId::ROOT };
        let mut count = 0;
        for &(a, b) in pairs {
            for (i, j) in parts(a).flat_map(|i| parts(b).map(move |j| (i, j))) {
                let own = a == b && (i >= j || scene.model(a).expect("a key").ignores(i, j));
                count += usize::from(!own && near(node_ref(a, i), node_ref(b, j)));
            }
        }
        count
    };
    let mut hits = Hits::new();
    let mut of_all = 0;
    for a in roster.iter().map(|living| living.key) {
        let others = brute.of(a);
        let mut kinds = vec![(PairQuery::all(), brute.all()), (PairQuery::within(a), vec![(a, a)])];
        kinds.push((PairQuery::of(a), others.clone()));
        kinds.extend(others.iter().map(|&(_, b)| (PairQuery::between(b, a), vec![(a, b)])));
        for (query, pairs) in kinds {
            let query = query.detail(Detail::Boxes).predicate(&check);
            now.pairs(&query, &mut hits).expect("a query");
            let asked = asked.swap(0, Ordering::Relaxed);
            assert_eq!(asked, overlaps(&pairs), "{query:?}");
            of_all += asked;
        }
    }
    assert!(of_all > 20, "{of_all}");
}

#[test]
fn user_data_is_returned_and_changes_no_answer() {
    let ([plain, _], _) = twice(3);
    let mut scene = Scene::new();
    let spawn = |user| Spawn::default().user(user);
    let keys = [7, u64::MAX].map(|user| scene.insert(&plain, spawn(user)).expect("a character"));
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    scene.snapshot(&mut buffers).pairs(&PairQuery::all(), &mut hits).expect("a query");
    assert!(!hits.pairs().is_empty());
    for (a, b) in hits.pairs() {
        assert_eq!((scene.user(a.character), scene.user(b.character)), (Ok(7), Ok(u64::MAX)));
        let part = scene.part(b.character, b.part).expect("a part");
        assert_eq!((part.user(), part.name()), (b.part.index() as u64 + 100, &*b.part.to_string()));
    }
    assert_eq!(scene.user(keys[0]), Ok(7));
    let before = hits.pairs().to_vec();
    scene.set_user(keys[0], 8).expect("there");
    assert_eq!((scene.user(keys[0]), scene.user(keys[1])), (Ok(8), Ok(u64::MAX)));
    scene.snapshot(&mut buffers).pairs(&PairQuery::all(), &mut hits).expect("a query");
    assert_eq!(hits.pairs(), before);
}

#[test]
fn ignored_pairs_are_listed_and_can_be_set_again() {
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
fn ignored_pairs_of_removed_characters_are_removed() {
    let mut random = Random(824);
    let model = random_model::<f32>(&mut random);
    let mut scene = Scene::new();
    let [a, b, c] = [0; 3].map(|_| scene.insert(&model, Spawn::default()).expect("one"));
    scene.set_ignored(a, b, true).expect("keys");
    scene.set_ignored((b, PartId::new(0)), c, true).expect("keys");
    scene.set_ignored(a, c, true).expect("keys");
    scene.remove(b).expect("a key");
    assert!(scene.ignored_pairs().eq([(a.into(), c.into())]));
    // Another character, without ignored pairs, takes the slot.
    let next = scene.insert(&model, Spawn::default()).expect("one");
    assert_eq!(scene.is_ignored(a, next), Ok(false));
}

#[test]
fn listed_parts_missing_from_an_unnamed_character_are_skipped() {
    let (mut scene, [short, long]) = (Scene::new(), [chain(3), chain(70)]);
    let [a, b] = [short, long].map(|m| scene.insert(&m, Spawn::default()).expect("a character"));
    let mut buffers = Buffers::new();
    let (now, mut hits) = (scene.snapshot(&mut buffers), Hits::new());
    let (here, there, far) = ([PartId::new(2)], [PartId::new(69)], [PartId::new(1 << 20)]);
    // An unnamed character is tested with the listed parts it has; ids it lacks change nothing.
    let both = |parts: [PartId; 1]| [parts[0], there[0], far[0]];
    let [x, y] = [both([PartId::new(1)]), both(here)];
    for (few, more) in [
        (PairQuery::of(b).parts(&here, &y[..1]), PairQuery::of(b).parts(&here, &[y[0], far[0]])),
        (PairQuery::all().parts(&x[..2], &y[..2]), PairQuery::all().parts(&x, &y)),
    ] {
        assert_eq!(answers(&now, &few), answers(&now, &more));
        assert!(!answers(&now, &few).0.is_empty());
        assert_eq!(now.distance(&few, hits.scratch()), now.distance(&more, hits.scratch()));
    }
    for query in [PairQuery::all(), PairQuery::of(a), PairQuery::within(b)] {
        for lists in [[&[][..], &[]], [&here, &[]], [&[], &here]] {
            let query = query.clone().parts(lists[0], lists[1]);
            assert_eq!(answers(&now, &query), (vec![], vec![]));
            assert_eq!(now.distance(&query, hits.scratch()), Ok(None));
        }
    }
}

/// Checks that the order of two characters does not matter if only one of them attacks.
#[test]
fn the_attacker_comes_first_in_either_order_of_insertion() {
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
            for (key, memberships) in keys.into_iter().zip([1, 1 << 40]) {
                let groups = CollisionGroups { memberships, filter: u64::MAX };
                scene.set_all_groups(key, groups).expect("a key");
            }
            let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
            let now = scene.snapshot(&mut buffers);
            let query = PairQuery::all().memberships(1, 1 << 40).attacker_first();
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
fn parts_disabled_without_geometry_or_too_far_have_no_distance() {
    let solid = || Geometry::Boxes(vec![upright_solid([-1.0; 3], [1.0; 3])]);
    let model = model_of(vec![solid(), Geometry::None]);
    let (mut scene, mut random) = (Scene::<f32>::new(), Random(2));
    let (mut buffers, mut scratch) = (Buffers::new(), QueryScratch::new());
    let [one, other] = [0.0, 9.0].map(|x| {
        let spawn = Spawn::at(turned(&mut random, [x, 0.0, 0.0]));
        scene.insert(&model, spawn).expect("a character")
    });
    let two = PairQuery::between(one, other);
    let now = scene.snapshot(&mut buffers);
    let mut found = |query: &PairQuery| now.distance(query, &mut scratch).expect("a query");
    assert!(found(&two).is_some());
    let [solid, empty] = [0, 1].map(|part| [PartId::new(part)]);
    for query in
        [two.clone().max_distance(1.0), two.clone().parts(&solid, &empty), PairQuery::within(one)]
    {
        assert_eq!(found(&query), None);
    }
    scene.set_part_enabled(one, PartId::new(0), false).expect("a part");
    assert_eq!(scene.snapshot(&mut buffers).distance(&two, &mut scratch), Ok(None));
}

scalars! {
    swapped_arguments_give_the_reversed_answer => swapped();
    a_budget_is_not_spent_on_what_is_left_out => budgets();
    groups_switched_and_switched_back_give_the_same_bits => switched();
}
