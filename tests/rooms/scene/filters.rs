//! Filters: filtered answers are the unfiltered ones that pass, from both sides and independent of
//! history.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use boxwood::model::{Model, SelfQueryScratch};
use boxwood::num::Scalar;
use boxwood::scene::{Buffers, CharacterKey, Hits, Scene, Snapshot, Spawn};
use boxwood::tree::Geometry;
use boxwood::{Accuracy, Build, CollisionGroups, Detail, Error, NodeRef, PairQuery, PartId};

use super::brute_force::{contact, crowd, random_model};
use support::brute_force::{BruteForce, BruteForceCharacter, bits};
use support::random::Random;
use support::random_parts::{turned, upright, upright_solid};

/// Accuracies whose answer about two parts does not depend on other parts.
const EACH: [Accuracy; 7] = [
    Accuracy::Depth(0),
    Accuracy::Depth(2),
    Accuracy::Depth(u8::MAX),
    Accuracy::Within(0.2),
    Accuracy::Within(0.0),
    Accuracy::Exact,
    Accuracy::Budget(u32::MAX),
];

const BUDGETS: [Accuracy; 4] =
    [Accuracy::Budget(0), Accuracy::Budget(3), Accuracy::Budget(40), Accuracy::Budget(1_000)];

type Place = (CharacterKey, PartId);
type Line = (NodeRef, NodeRef, Vec<u64>);

/// All answers of a query: pairs, and hits with all their bits.
fn answers<T: Scalar>(now: &Snapshot<'_, T>, query: &PairQuery) -> (Vec<Line>, Vec<Line>) {
    let mut hits = Hits::new();
    now.pairs(query, &mut hits).expect("a good query");
    let pairs: Vec<Line> = hits.pairs().iter().map(|&(a, b)| (a, b, vec![])).collect();
    now.contacts(query, &mut hits).expect("a good query");
    let at = hits.iter().map(|hit| (hit.a, hit.b, bits(&contact(hit)))).collect();
    assert_eq!(now.intersects(query, hits.scratch()), Ok(!pairs.is_empty()));
    (pairs, at)
}

/// The filter of a test: a table, read bit by bit.
struct Rule<'r> {
    groups: &'r HashMap<Place, CollisionGroups>,
    /// Of the first and of the second, and whether either may be the first.
    asked: Option<(u64, u64, bool)>,
    excluded: Vec<CharacterKey>,
    odd: Option<&'r (dyn Fn(NodeRef, NodeRef) -> bool + Sync)>,
    order: &'r dyn Fn(CharacterKey) -> u64,
}

impl Rule<'_> {
    fn passes(&self, a: &NodeRef, b: &NodeRef) -> bool {
        let of = |node_ref: &NodeRef| self.groups[&(node_ref.character, node_ref.part)];
        let (first, second) = (of(a), of(b));
        let bit = |word: u64, i: u64| word / (1 << i) % 2 == 1;
        let shares = |x: u64, y: u64| (0..64).any(|i| bit(x, i) && bit(y, i));
        let asked = self.asked.is_none_or(|(x, y, either)| {
            shares(first.memberships, x) && shares(second.memberships, y)
                || either && shares(second.memberships, x) && shares(first.memberships, y)
        });
        let rank = |node_ref: &NodeRef| ((self.order)(node_ref.character), node_ref.part);
        let (least, most) = if rank(a) < rank(b) { (*a, *b) } else { (*b, *a) };
        let whole = |node_ref: NodeRef| NodeRef { node: boxwood::NodeId::ROOT, ..node_ref };
        shares(first.memberships, second.filter)
            && shares(second.memberships, first.filter)
            && asked
            && !self.excluded.iter().any(|key| *key == a.character || *key == b.character)
            && self.odd.is_none_or(|odd| odd(whole(least), whole(most)))
    }
}

fn random_groups(random: &mut Random) -> CollisionGroups {
    // Few bits, so that much is left out and much is not; and the highest, which is one like
    // others.
    let word = |random: &mut Random| {
        (random.bits() & random.bits() & 0b111) | (random.bits() & 1) << 63 | random.bits() & 1
    };
    CollisionGroups { memberships: word(random), filter: word(random) }
}

/// Marks some of the parts at random; returns the groups of every part.
fn mark<T: Scalar>(
    scene: &mut Scene<T>,
    roster: &[BruteForceCharacter],
    random: &mut Random,
) -> HashMap<Place, CollisionGroups> {
    let mut table = HashMap::new();
    for living in roster {
        let share = [0.0, 0.5, 1.0][random.below(3)];
        for part in (0..scene.model(living.key).expect("a key").len()).map(PartId::new) {
            let groups = if random.chance(share) {
                random_groups(random)
            } else {
                CollisionGroups::default()
            };
            scene.set_groups(living.key, part, groups).expect("a part");
            table.insert((living.key, part), groups);
        }
        let found = scene.groups(living.key).expect("a key");
        assert!(found.iter().enumerate().all(|(i, g)| table[&(living.key, PartId::new(i))] == *g));
    }
    table
}

/// A predicate that is neither symmetric nor simple.
fn odd(a: NodeRef, b: NodeRef) -> bool {
    (a.part.index() * 7 + b.part.index() * 3) % 5 < 3
}

/// Every kind of query with every filter, against the unfiltered answers. Returns the numbers of
/// accepted and rejected lines.
fn filter<T: Scalar>(
    plain: &Scene<T>,
    roster: &[BruteForceCharacter],
    random: &mut Random,
) -> (usize, usize) {
    let mut marked = plain.clone();
    let groups = mark(&mut marked, roster, random);
    let (mut buffers, mut others) = (Buffers::new(), Buffers::new());
    let (all, now) = (plain.snapshot(&mut buffers), marked.snapshot(&mut others));
    let order = |key| roster.iter().find(|l| l.key == key).expect("in the roster").order;
    let [a, b] = [roster[0].key, roster[1].key];
    let kinds = [
        (PairQuery::all(), true),
        (PairQuery::within(a), true),
        (PairQuery::of(b), false),
        (PairQuery::between(b, a), false),
        (PairQuery::between(a, b), false),
    ];
    let (mut stayed, mut went) = (0, 0);
    for (query, either) in kinds {
        for accuracy in EACH {
            let detail = if random.chance(0.5) { Detail::Parts } else { Detail::Boxes };
            let query = query.clone().accuracy(accuracy).detail(detail);
            let (pairs, at) = answers(&all, &query);
            for filters in 0..8 {
                let asked = (filters & 1 != 0).then_some((0b011 | 1 << 63, 0b110, either));
                let excluded = if filters & 2 != 0 { vec![roster[2].key, b, b] } else { vec![] };
                let odd = (filters & 4 != 0).then_some(&odd as &(dyn Fn(_, _) -> _ + Sync));
                let mut query = query.clone().excluding(&excluded);
                if let Some((x, y, _)) = asked {
                    query = query.memberships(x, y);
                }
                if let Some(odd) = odd {
                    query = query.predicate(odd);
                }
                let rule = Rule { groups: &groups, asked, excluded, odd, order: &order };
                let left = |lines: &[Line]| -> Vec<Line> {
                    lines.iter().filter(|line| rule.passes(&line.0, &line.1)).cloned().collect()
                };
                let found = answers(&now, &query);
                assert_eq!(found.0, left(&pairs), "{query:?}");
                assert_eq!(found.1, left(&at), "{query:?}");
                (stayed, went) = (stayed + found.1.len(), went + at.len() - found.1.len());
            }
        }
    }
    (stayed, went)
}

fn crowds<T: Scalar>() {
    let (mut random, mut stayed, mut went) = (Random(501), 0, 0);
    for round in 0..12 {
        let far = [0.0, 10.0, 1e3][round % 3];
        let (scene, roster) = crowd::<T>(&mut random, 4, far);
        if roster.len() > 2 {
            let (s, w) = filter(&scene, &roster, &mut random);
            (stayed, went) = (stayed + s, went + w);
        }
    }
    println!("{stayed} hits stayed, {went} went");
    assert!(stayed > 1_000 && went > 1_000);
}

#[test]
fn filtered_answers_are_the_unfiltered_ones_that_pass_f32() {
    crowds::<f32>();
}

#[test]
fn filtered_answers_are_the_unfiltered_ones_that_pass_f64() {
    crowds::<f64>();
}

/// A chain long enough for a tree over its parts.
fn centipede(parts: usize) -> Arc<Model<f32>> {
    let mut builder = Model::builder();
    for part in 0..parts {
        let x = 0.4 * part as f64;
        let solid = upright_solid([0.0, -0.2, -0.2], [0.5, 0.2, 0.2]);
        builder = builder.part(part.to_string(), None, Geometry::Boxes(vec![solid]));
        builder = builder.bind(upright([x, 0.0, 0.0]));
    }
    builder.build(&Build::default()).expect("a model")
}

#[test]
fn models_of_many_parts_are_filtered_alike() {
    let (mut random, many) = (Random(502), centipede(70));
    let models = [many.clone(), random_model::<f32>(&mut random), many];
    let (mut scene, mut roster) = (Scene::new(), Vec::new());
    for (order, model) in models.iter().enumerate() {
        let at = turned(&mut random, [0.1, 0.0, 0.2]);
        let order = 9 - order as u64;
        let spawn = Spawn::at(at).order(order);
        let key = scene.insert(model, spawn).expect("a character");
        roster.push(BruteForceCharacter { key, order, at_rest: false });
    }
    let (stayed, went) = filter(&scene, &roster, &mut random);
    assert!(stayed > 100 && went > 100, "{stayed} {went}");
}

/// The answers to one query from both sides, the second expressed from the first.
fn both_ways<'f, T: Scalar>(
    now: &Snapshot<'_, T>,
    [a, b]: [CharacterKey; 2],
    put: impl Fn(PairQuery<'static>, bool) -> PairQuery<'f>,
) -> (usize, Vec<String>) {
    let (mut there, mut back) = (Hits::new(), Hits::new());
    let one = now.contacts(&put(PairQuery::between(a, b), false), &mut there).expect("a query");
    let other = now.contacts(&put(PairQuery::between(b, a), true), &mut back).expect("a query");
    assert_eq!((one.slack, one.met), (other.slack, other.met));
    let mut reversed: Vec<_> = back.iter().map(|hit| hit.reversed()).collect();
    reversed.sort_by_key(|h| (h.a.part, h.a.node, h.b.part, h.b.node));
    // Debug prints the shortest digits that tell the bits apart, and the sign of zero.
    let answer: Vec<String> = there.iter().map(|hit| format!("{hit:?}")).collect();
    assert_eq!(answer, reversed.iter().map(|hit| format!("{hit:?}")).collect::<Vec<_>>());
    (there.len(), answer)
}

fn swapped<T: Scalar>() {
    let (mut random, mut compared) = (Random(503), 0);
    for round in 0..20 {
        let (mut scene, roster) = crowd::<T>(&mut random, 3, 0.0);
        if roster.len() < 2 {
            continue;
        }
        mark(&mut scene, &roster, &mut random);
        let mut buffers = Buffers::new();
        let now = scene.snapshot(&mut buffers);
        let keys = [roster[0].key, roster[1].key];
        for accuracy in EACH.into_iter().chain(BUDGETS) {
            for detail in [Detail::Parts, Detail::Boxes] {
                let put = |query: PairQuery<'static>, back: bool| {
                    let (x, y) = if back { (6, 3) } else { (3, 6) };
                    let query = if round % 2 == 0 { query.predicate(&odd) } else { query };
                    query.memberships(x, y).accuracy(accuracy).detail(detail)
                };
                compared += both_ways(&now, keys, put).0;
            }
        }
    }
    println!("{compared} hits");
    assert!(compared > 500);
}

#[test]
fn swapped_arguments_give_the_reversed_answer() {
    swapped::<f32>();
    swapped::<f64>();
}

/// A part in no group is as good as disabled, and an excluded character as good as removed: at any
/// budget, to the last count.
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

/// The same hits, slack and tests of boxes.
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

#[test]
fn a_budget_is_not_spent_on_what_is_left_out() {
    budgets::<f32>();
    budgets::<f64>();
}

fn switched<T: Scalar>() {
    let mut random = Random(505);
    let (mut scene, roster) = crowd::<T>(&mut random, 4, 0.0);
    let everything = |scene: &Scene<T>| {
        let mut buffers = Buffers::new();
        answers(&scene.snapshot(&mut buffers), &PairQuery::all().detail(Detail::Boxes))
    };
    let before = everything(&scene);
    assert!(!before.1.is_empty());
    let mut differed = 0;
    for _ in 0..10 {
        mark(&mut scene, &roster, &mut random);
        let saved: Vec<Vec<CollisionGroups>> =
            roster.iter().map(|l| scene.groups(l.key).expect("a key").to_vec()).collect();
        let marked = everything(&scene);
        differed += usize::from(marked != before);
        for groups in [None, Some(saved)] {
            for (index, living) in roster.iter().enumerate() {
                for part in 0..scene.model(living.key).expect("a key").len() {
                    let to = groups.as_ref().map_or(CollisionGroups::ALL, |g| g[index][part]);
                    scene.set_groups(living.key, PartId::new(part), to).expect("a part");
                }
            }
            let expected = if groups.is_some() { &marked } else { &before };
            assert_eq!(&everything(&scene), expected);
        }
    }
    assert!(differed > 5);
}

#[test]
fn groups_switched_and_switched_back_give_the_same_bits() {
    switched::<f32>();
    switched::<f64>();
}

/// The same random model twice, the second time with groups.
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
fn a_model_against_itself_keeps_to_its_groups_and_so_do_its_characters() {
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
            let key = scene.insert(&grouped, Spawn::default()).expect("a character");
            scene.set_parts(key, &poses).expect("poses");
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
        assert!(a.node.index() == 0 && b.node.index() == 0);
        true
    };
    // Number of overlapping world boxes of parts, the bound of predicate calls.
    let brute = BruteForce { scene: &scene, now, roster: &roster };
    let overlaps = |pairs: &[(CharacterKey, CharacterKey)]| {
        let parts = |key| (0..scene.model(key).expect("a key").len()).map(PartId::new);
        let node_ref = |character, part| NodeRef { character, part, node: boxwood::NodeId::ROOT };
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
fn user_data_comes_back_and_changes_nothing() {
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
    scene.remove(keys[0]).expect("there");
    assert_eq!(scene.set_user(keys[0], 9), Err(Error::StaleKey));
}

#[test]
fn bad_keys_and_parts_are_refused_and_change_nothing() {
    let ([_, grouped], groups) = twice(4);
    let (mut scene, mut other) = (Scene::<f32>::new(), Scene::new());
    let [key, gone] = [0, 1].map(|_| scene.insert(&grouped, Spawn::default()).expect("one"));
    let foreign = other.insert(&grouped, Spawn::default()).expect("a character");
    scene.remove(gone).expect("a key");
    let part = PartId::new(0);
    for (bad, error) in [(gone, Error::StaleKey), (foreign, Error::ForeignKey)] {
        assert_eq!(scene.set_groups(bad, part, CollisionGroups::NONE), Err(error.clone()));
        assert_eq!(scene.groups(bad), Err(error.clone()));
        assert_eq!(scene.user(bad), Err(error.clone()));
        assert_eq!(scene.part(bad, part), Err(error.clone()));
        let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
        let query = PairQuery::within(key).excluding(&[key, bad]);
        let now = scene.snapshot(&mut buffers);
        assert_eq!(now.intersects(&query, hits.scratch()), Err(error.clone()));
        assert_eq!(now.pairs(&query, &mut hits).map(|_| ()), Err(error.clone()));
        assert_eq!(now.contacts(&query, &mut hits).map(|_| ()), Err(error));
    }
    let (beyond, n) = (PartId::new(grouped.len()), grouped.len());
    let past = Error::IndexOutOfRange { field: "part", index: 0, target: n, len: n };
    assert_eq!(scene.set_groups(key, beyond, CollisionGroups::NONE), Err(past.clone()));
    assert_eq!(scene.part(key, beyond), Err(past));
    assert_eq!(scene.groups(key).expect("a key"), groups);
}
