//! Filtered pair queries answer with the unfiltered answers that pass: groups of parts, ignored
//! pairs, memberships, lists of parts, excluded characters, predicates, and combinations; with the
//! attacker first if requested.

use std::collections::{HashMap, HashSet};

use boxwood::pair::ClosestPoints;
use boxwood::scene::{Buffers, CharacterKey, Hit, Hits, QueryScratch, Scene, Snapshot, Spawn};
use boxwood::tree::Push;
use boxwood::{Accuracy, CollisionGroups, Detail, IgnoredSide, NodeId, NodeRef, PairQuery, PartId};

use super::brute_force::{contact, crowd};
use super::every_pair::{self, closest, told_from};
use super::filter_cases::chain;
use support::brute_force::{BruteForceCharacter, bits};
use support::prelude::*;

/// Accuracies whose answer for two parts does not depend on other parts.
pub const EACH: [Accuracy; 7] = [
    Accuracy::Depth(0),
    Accuracy::Depth(2),
    Accuracy::Depth(u8::MAX),
    Accuracy::Within(0.2),
    Accuracy::Within(0.0),
    Accuracy::Exact,
    Accuracy::Budget(u32::MAX),
];

pub const BUDGETS: [Accuracy; 4] =
    [Accuracy::Budget(0), Accuracy::Budget(3), Accuracy::Budget(40), Accuracy::Budget(1_000)];

/// Two nodes and the bits of their answer.
pub type Line = (NodeRef, NodeRef, Vec<u64>);

pub fn line<T: Scalar>(hit: &Hit<T>) -> Line {
    (hit.a, hit.b, bits(&contact(hit)))
}

/// Returns hits and touching pairs of a query, and asserts that `intersects` agrees.
pub fn answers<T: Scalar>(
    now: &Snapshot<'_, T>,
    query: &PairQuery<'_>,
) -> (Vec<Hit<T>>, Vec<(NodeRef, NodeRef)>) {
    let mut hits = Hits::new();
    now.contacts(query, &mut hits).expect("a query");
    let at = hits.to_vec();
    now.pairs(query, &mut hits).expect("a query");
    assert_eq!(now.intersects(query, hits.scratch()), Ok(!hits.pairs().is_empty()));
    (at, hits.pairs().to_vec())
}

/// Kind of pair query with the characters that it names; one key twice for self-collision.
struct Kind {
    query: PairQuery<'static>,
    named: [Option<CharacterKey>; 2],
}

fn kinds(a: CharacterKey, b: CharacterKey) -> [Kind; 6] {
    [
        (PairQuery::all(), [None, None]),
        (PairQuery::within(a), [Some(a), Some(a)]),
        (PairQuery::between(a, a), [Some(a), Some(a)]),
        (PairQuery::of(b), [Some(b), None]),
        (PairQuery::between(b, a), [Some(b), Some(a)]),
        (PairQuery::between(a, b), [Some(a), Some(b)]),
    ]
    .map(|(query, named)| Kind { query, named })
}

impl Kind {
    fn at(&self, accuracy: Accuracy, detail: Detail) -> Kind {
        Kind { query: self.query.clone().accuracy(accuracy).detail(detail), ..*self }
    }

    /// Character that is first in answers; `None` if either may be.
    fn first(&self) -> Option<CharacterKey> {
        self.named[0].filter(|_| self.named[0] != self.named[1])
    }

    fn is_about(&self, [a, b]: [NodeRef; 2]) -> bool {
        let (a, b) = (Some(a.character), Some(b.character));
        match self.named {
            [None, _] => a != b,
            [one, None] => a != b && (a == one || b == one),
            two => two == [a, b] || two == [b, a],
        }
    }
}

/// Ignored pairs as they were set, found by a search through all of them.
#[derive(Default)]
struct Ignored(HashSet<(IgnoredSide, IgnoredSide)>);

fn covers(more: IgnoredSide, less: IgnoredSide) -> bool {
    more.character == less.character && (more.part.is_none() || more.part == less.part)
}

impl Ignored {
    fn set(&mut self, a: IgnoredSide, b: IgnoredSide, yes: bool) {
        if yes {
            self.0.insert((a, b));
        } else {
            let within = |x, y| covers(a, x) && covers(b, y) || covers(a, y) && covers(b, x);
            self.0.retain(|&(x, y)| !within(x, y));
        }
    }

    fn has(&self, a: IgnoredSide, b: IgnoredSide) -> bool {
        let has = |&(x, y): &_| covers(x, a) && covers(y, b) || covers(x, b) && covers(y, a);
        self.0.iter().any(has)
    }
}

pub fn side<T: Scalar>(
    random: &mut Random,
    scene: &Scene<T>,
    keys: &[CharacterKey],
) -> IgnoredSide {
    let character = keys[random.below(keys.len())];
    let parts = scene.model(character).expect("a key").len();
    match random.chance(0.3) {
        true => character.into(),
        false => (character, PartId::new(random.below(parts))).into(),
    }
}

/// Returns groups with few bits, so that some parts interact, and the highest bit, which has no
/// special meaning.
pub fn random_groups(random: &mut Random) -> CollisionGroups {
    let word = |random: &mut Random| {
        (random.bits() & random.bits() & 0b111) | (random.bits() & 1) << 63 | random.bits() & 1
    };
    CollisionGroups { memberships: word(random), filter: word(random) }
}

/// Gives some parts other groups, one by one or all of a character at once.
///
/// Every other time all parts accept all others, so that only memberships filter.
pub fn mark<T: Scalar>(scene: &mut Scene<T>, keys: &[CharacterKey], random: &mut Random) {
    let open = random.chance(0.5);
    let random_groups = |random: &mut Random| match open {
        true => CollisionGroups { filter: u64::MAX, ..random_groups(random) },
        false => random_groups(random),
    };
    for &key in keys {
        let all = if random.chance(0.3) { random_groups(random) } else { CollisionGroups::ALL };
        scene.set_all_groups(key, all).expect("a key");
        let share = [0.0, 0.5, 1.0][random.below(3)];
        let mut expected = vec![all; scene.model(key).expect("a key").len()];
        for (part, groups) in expected.iter_mut().enumerate() {
            if random.chance(share) {
                *groups = random_groups(random);
                scene.set_groups(key, PartId::new(part), *groups).expect("a part");
            }
        }
        assert_eq!(scene.groups(key), Ok(&expected[..]));
    }
}

/// Predicate that is neither symmetric nor simple.
pub fn odd(a: NodeRef, b: NodeRef) -> bool {
    (a.part.index() * 7 + b.part.index() * 3) % 5 < 3
}

const RULES: [&str; 6] = ["groups", "ignored", "memberships", "lists", "excluded", "predicate"];

/// All filters that a scene and a query can have, as tables that are read bit by bit.
struct Filter {
    groups: HashMap<(CharacterKey, PartId), CollisionGroups>,
    ignored: Ignored,
    memberships: Option<[u64; 2]>,
    lists: Option<[Vec<PartId>; 2]>,
    excluded: Vec<CharacterKey>,
    odd: bool,
    order: HashMap<CharacterKey, u64>,
}

impl Filter {
    /// Draws a filter of some rules at random, and sets its groups and ignored pairs in the scene.
    fn draw<T: Scalar>(
        scene: &mut Scene<T>,
        roster: &[BruteForceCharacter],
        mut list: impl FnMut(&mut Random) -> Vec<PartId>,
        random: &mut Random,
    ) -> Filter {
        let keys: Vec<CharacterKey> = roster.iter().map(|one| one.key).collect();
        if random.chance(0.5) {
            mark(scene, &keys, random);
        }
        let of = |&key: &_| scene.groups(key).expect("a key").iter().copied().enumerate();
        let groups = keys.iter().flat_map(|key| of(key).map(|(i, g)| ((*key, PartId::new(i)), g)));
        let groups = groups.collect();
        let mut ignored = Ignored::default();
        for _ in 0..if random.chance(0.5) { random.below(30) } else { 0 } {
            let [a, b, c, d] = [(); 4].map(|()| side(random, scene, &keys));
            let yes = random.chance(0.8);
            scene.set_ignored(a, b, yes).expect("keys");
            ignored.set(a, b, yes);
            assert_eq!(scene.is_ignored(c, d), Ok(ignored.has(c, d)), "{c:?} {d:?}");
        }
        Filter {
            groups,
            ignored,
            memberships: random
                .chance(0.6)
                .then(|| [[0b001 | 1 << 63, 0b110], [1, 1 << 63]][random.below(2)]),
            lists: random.chance(0.4).then(|| [list(random), list(random)]),
            excluded: if random.chance(0.3) { vec![keys[2], keys[1], keys[1]] } else { vec![] },
            odd: random.chance(0.5),
            order: roster.iter().map(|one| (one.key, one.order)).collect(),
        }
    }

    fn query<'q>(&'q self, query: PairQuery<'static>) -> PairQuery<'q> {
        let mut query: PairQuery<'q> = query.excluding(&self.excluded);
        if let Some([x, y]) = self.memberships {
            query = query.memberships(x, y);
        }
        if let Some([of_a, of_b]) = &self.lists {
            query = query.parts(of_a, of_b);
        }
        if self.odd { query.predicate(&odd) } else { query }
    }

    fn of(&self, node: &NodeRef) -> CollisionGroups {
        self.groups[&(node.character, node.part)]
    }

    /// Returns `true` if memberships accept `a` first and `b` second.
    fn attacks(&self, a: &NodeRef, b: &NodeRef) -> bool {
        let [x, y] = self.memberships.unwrap_or([u64::MAX; 2]);
        self.memberships.is_none()
            || shares(self.of(a).memberships, x) && shares(self.of(b).memberships, y)
    }

    /// Returns the verdict of each of [`RULES`] for two nodes, the first one first; `either` may be
    /// the first.
    fn verdicts(&self, either: bool, a: &NodeRef, b: &NodeRef) -> [bool; 6] {
        let (first, second) = (self.of(a), self.of(b));
        let listed = |[of_a, of_b]: &[Vec<PartId>; 2]| {
            let lists = |a: &NodeRef, b: &NodeRef| of_a.contains(&a.part) && of_b.contains(&b.part);
            lists(a, b) || either && lists(b, a)
        };
        let rank = |node: &NodeRef| (self.order[&node.character], node.part);
        let (least, most) = if rank(a) < rank(b) { (*a, *b) } else { (*b, *a) };
        let whole = |node: &NodeRef| IgnoredSide::from((node.character, node.part));
        let excluded = |key| self.excluded.contains(&key);
        [
            shares(first.memberships, second.filter) && shares(second.memberships, first.filter),
            !self.ignored.has(whole(a), whole(b)),
            self.attacks(a, b) || either && self.attacks(b, a),
            self.lists.as_ref().is_none_or(listed),
            !excluded(a.character) && !excluded(b.character),
            !self.odd || odd(least, most),
        ]
    }

    fn passes(&self, either: bool, a: &NodeRef, b: &NodeRef) -> bool {
        self.verdicts(either, a, b) == [true; 6]
    }

    /// Returns `true` if only the second node attacks, so that it is first in the answer.
    fn swaps(&self, a: &NodeRef, b: &NodeRef) -> bool {
        self.memberships.is_some() && self.attacks(b, a) && !self.attacks(a, b)
    }
}

fn shares(x: u64, y: u64) -> bool {
    (0..64).any(|i| x >> i & y >> i & 1 == 1)
}

/// Numbers of hits that passed, that each rule alone rejected, and that were reversed; and of
/// distances between different parts than without a filter.
#[derive(Default, Debug)]
struct Counts {
    passed: usize,
    left_out: [usize; 6],
    reversed: usize,
    distances: usize,
}

/// Compares hits, pairs and intersections of one query with the answers of `plain` that pass, with
/// and without the attacker first.
fn overlaps<T: Scalar>(
    [plain, now]: [&Snapshot<'_, T>; 2],
    kind: &Kind,
    filter: &Filter,
    counts: &mut Counts,
) {
    let either = kind.first().is_none();
    let (hits, pairs) = answers(plain, &kind.query);
    for hit in &hits {
        let verdicts = filter.verdicts(either, &hit.a, &hit.b);
        counts.passed += usize::from(verdicts == [true; 6]);
        for (rule, verdict) in verdicts.into_iter().enumerate() {
            let alone = !verdict && verdicts.iter().filter(|&&verdict| !verdict).count() == 1;
            counts.left_out[rule] += usize::from(alone);
        }
    }
    let hits: Vec<&Hit<T>> = hits.iter().filter(|h| filter.passes(either, &h.a, &h.b)).collect();
    let passes = |(a, b): &&(NodeRef, NodeRef)| filter.passes(either, a, b);
    let pairs: Vec<_> = pairs.iter().filter(passes).copied().collect();
    let query = filter.query(kind.query.clone());
    for attacker_first in [false, true] {
        let swaps = |a: &_, b: &_| attacker_first && filter.swaps(a, b);
        let query = if attacker_first { query.clone().attacker_first() } else { query.clone() };
        let found = answers(now, &query);
        let told = |hit: &&Hit<T>| match swaps(&hit.a, &hit.b) {
            true => line(&hit.reversed()),
            false => line(hit),
        };
        let expected: Vec<Line> = hits.iter().map(told).collect();
        counts.reversed += hits.iter().filter(|hit| swaps(&hit.a, &hit.b)).count();
        assert_eq!(found.0.iter().map(line).collect::<Vec<_>>(), expected, "{query:?}");
        let told = |&(a, b): &_| if swaps(&a, &b) { (b, a) } else { (a, b) };
        assert!(found.1.iter().copied().eq(pairs.iter().map(told)), "{query:?}");
    }
}

/// Compares the distance of a query with the least of the lines that pass.
fn distance<T: Scalar>(
    now: &Snapshot<'_, T>,
    lines: &[every_pair::Line<T>],
    kind: &Kind,
    filter: &Filter,
    counts: &mut Counts,
) {
    let told = |found| kind.first().map_or(found, |key| told_from(key, found));
    let meant = || lines.iter().filter(|l| kind.is_about([l.found.a, l.found.b]));
    let passing = meant().filter(|l| {
        let found = told(l.found);
        filter.passes(kind.first().is_none(), &found.a, &found.b)
    });
    let expected = closest(passing).map(told);
    counts.distances += usize::from(expected != closest(meant()).map(told));
    let (query, mut scratch) = (filter.query(kind.query.clone()), QueryScratch::new());
    assert_eq!(now.distance(&query, &mut scratch), Ok(expected), "{query:?}");
    let swaps = |found: &ClosestPoints<T, NodeRef>| filter.swaps(&found.a, &found.b);
    let swapped = expected.map(|found| if swaps(&found) { found.reversed() } else { found });
    assert_eq!(now.distance(&query.attacker_first(), &mut scratch), Ok(swapped));
}

/// Returns the answers of every kind of pair query as text, without counts. Debug prints the
/// shortest digits that identify the bits.
fn every_query<T: Scalar>(
    now: &Snapshot<'_, T>,
    query: &PairQuery<'_>,
    budget: bool,
) -> Vec<String> {
    let (mut told, mut hits) = (Vec::new(), Hits::new());
    told.push(format!("{:?}", now.intersects(query, hits.scratch())));
    for margin in [0.0, 0.2] {
        let near = query.clone().margin(margin);
        let report = now.pairs(&near, &mut hits).expect("a query");
        told.push(format!("{:?} {:?} {:?}", report.slack, report.met, hits.pairs()));
    }
    let report = now.contacts(query, &mut hits).expect("a query");
    told.push(format!("{:?} {:?} {:?}", report.slack, report.met, &hits[..]));
    if !budget {
        told.push(format!("{:?}", now.distance(query, hits.scratch())));
    }
    told.push(format!("{:?}", now.separation(query, &Push::least(), hits.scratch())));
    let way = Vector3::new(1.0, -2.0, 0.5).map(T::nearest);
    told.push(format!("{:?}", now.cast(query, way, hits.scratch())));
    told
}

/// Compares every kind of pair query with the same query of the plain scene and one predicate that
/// has the filter's verdict.
fn as_one_predicate<T: Scalar>(
    [plain, now]: [&Snapshot<'_, T>; 2],
    kind: &Kind,
    filter: &Filter,
    budget: bool,
) {
    let says = |a: NodeRef, b: NodeRef| {
        assert!(a.node == NodeId::ROOT && b.node == NodeId::ROOT);
        match kind.first() {
            Some(key) if key == b.character => filter.passes(false, &b, &a),
            Some(_) => filter.passes(false, &a, &b),
            None => filter.passes(true, &a, &b),
        }
    };
    let expected = every_query(plain, &kind.query.clone().predicate(&says), budget);
    let query = filter.query(kind.query.clone());
    assert_eq!(every_query(now, &query, budget), expected, "{query:?}");
}

fn crowds<T: Scalar>(seed: u64) {
    let (mut random, mut counts) = (Random(seed), Counts::default());
    for round in 0..at_least(400, 24) {
        let (plain, roster) = crowd::<T>(&mut random, 4, [0.0, 10.0, 1e3][round % 3]);
        if roster.len() < 3 {
            continue;
        }
        let keys = roster.iter().map(|one| plain.model(one.key).expect("a key").len());
        let most = keys.min().expect("some");
        let list = |random: &mut Random| {
            let share = [0.15, 0.5, 0.9][random.below(3)];
            (0..most).filter(|_| random.chance(share)).map(PartId::new).collect()
        };
        let (mut buffers, mut others) = (Buffers::new(), Buffers::new());
        let all = plain.snapshot(&mut buffers);
        let own = every_pair::own_lines(&all, &roster[0], |_, _| true);
        let lines = [every_pair::lines(&all, &roster), own].concat();
        for _ in 0..4 {
            let mut marked = plain.clone();
            let filter = Filter::draw(&mut marked, &roster, list, &mut random);
            let now = marked.snapshot(&mut others);
            for kind in kinds(roster[0].key, roster[1].key) {
                distance(&now, &lines, &kind, &filter, &mut counts);
                let detail = [Detail::DeepestBoxes, Detail::Boxes][random.below(2)];
                let accuracy = EACH[random.below(EACH.len())];
                let each = kind.at(accuracy, detail);
                overlaps([&all, &now], &each, &filter, &mut counts);
                let spent = Accuracy::Budget(random.below(200) as u32);
                let (kind, budget) = match random.chance(0.4) {
                    true => (kind.at(spent, detail), true),
                    false => (each, matches!(accuracy, Accuracy::Budget(_))),
                };
                as_one_predicate([&all, &now], &kind, &filter, budget);
            }
        }
    }
    println!("{counts:?}, left out by {RULES:?}");
    assert!(counts.passed > 1_000 && counts.reversed > 20 && counts.distances > 100, "{counts:?}");
    assert!(counts.left_out.iter().all(|&count| count > 50), "{counts:?}");
}

/// Parts around every border of a word of 64 bits, and behind the words that a set has inline.
const BORDERS: [usize; 14] = [0, 1, 62, 63, 64, 65, 127, 128, 191, 255, 256, 257, 299, 318];

fn long_chains(parts: [usize; 3], seed: u64) {
    let (mut random, mut plain) = (Random(seed), Scene::<f32>::new());
    let roster = [9, 8, 7].map(|order| {
        let at = turned(&mut random, [0.1, 0.0, 0.2]);
        let near = Spawn::at(at.lerp_slerp(&upright([0.0; 3]), 0.97)).order(order);
        let key = plain.insert(&chain(parts[9 - order as usize]), near).expect("a character");
        BruteForceCharacter { key, order, at_rest: false }
    });
    // The third character lacks most of the listed parts, and only `against` all others includes
    // it.
    let most = parts[0].min(parts[1]);
    let list = |random: &mut Random| {
        let borders = BORDERS.into_iter().filter(|&part| part < most);
        borders.filter(|_| random.chance(0.6)).map(PartId::new).collect::<Vec<_>>()
    };
    let (mut buffers, mut others, mut counts) = (Buffers::new(), Buffers::new(), Counts::default());
    let all = plain.snapshot(&mut buffers);
    for _ in 0..6 {
        let mut marked = plain.clone();
        let mut filter = Filter::draw(&mut marked, &roster, list, &mut random);
        let [of_a, of_b] = [list(&mut random), list(&mut random)];
        let one_way = |a, b| of_a.contains(&a) && of_b.contains(&b);
        let listed = |a, b| one_way(a, b) || one_way(b, a);
        let own = every_pair::own_lines(&all, &roster[0], listed);
        let lines = [every_pair::lines_of(&all, &roster, listed), own].concat();
        filter.lists = Some([of_a.clone(), of_b.clone()]);
        let now = marked.snapshot(&mut others);
        for kind in kinds(roster[0].key, roster[1].key) {
            distance(&now, &lines, &kind, &filter, &mut counts);
            let fine = [Accuracy::Depth(u8::MAX), Accuracy::Within(0.1), Accuracy::Exact];
            for accuracy in [Accuracy::Depth(0), fine[random.below(3)]] {
                let detail = [Detail::DeepestBoxes, Detail::Boxes][random.below(2)];
                overlaps([&all, &now], &kind.at(accuracy, detail), &filter, &mut counts);
            }
        }
    }
    println!("{counts:?}, left out by {RULES:?}");
    assert!(counts.passed > 50 && counts.left_out[3] > 100, "{counts:?}");
}

#[test]
fn models_of_more_than_64_and_more_than_256_parts_are_filtered() {
    long_chains([70, 130, 5], 713);
    long_chains([300, 260, 70], 714);
    long_chains([319, 319, 3], 715);
}

scalars! {
    filtered_answers_are_the_unfiltered_ones_that_pass => crowds(501; 711);
}
