//! Every kind of scene query against brute force.

use std::sync::Arc;

use boxwood::model::Model;
use boxwood::pair::Contact;
use boxwood::scene::{Buffers, CharacterKey, Hit, Hits, Scene, Spawn};
use boxwood::tree::Geometry;
use boxwood::{Accuracy, Build, Detail, PairQuery, PartId};

use support::brute_force::{BruteForce, BruteForceCharacter, Expected, bits};
use support::prelude::*;

pub fn contact<T: Scalar>(hit: &Hit<T>) -> Contact<T> {
    let Hit { point, point_error, normal, depth, slack, .. } = *hit;
    Contact { point, point_error, normal, depth, slack }
}

/// Returns the bits of all answers, without keys.
pub fn answer<T: Scalar>(hits: &Hits<T>) -> Vec<(usize, usize, usize, usize, Vec<u64>)> {
    let line = |h: &Hit<T>| {
        let [a, b] = [h.a, h.b].map(|node| (node.part.index(), node.node.index()));
        (a.0, a.1, b.0, b.1, bits(&contact(h)))
    };
    hits.iter().map(line).collect()
}

/// Runs one query in all its forms. Returns the number of touching pairs of boxes.
pub fn ask<T: Scalar>(
    brute: &BruteForce<'_, T>,
    query: &PairQuery,
    pairs: &[(CharacterKey, CharacterKey)],
    depth: u8,
    chosen: impl Fn(PartId, PartId) -> bool,
) -> usize {
    let expected = brute.boxes(pairs, depth, chosen);
    let query = query.clone().accuracy(Accuracy::Depth(depth));
    let mut hits = Hits::new();
    let boxes = query.clone().detail(Detail::Boxes);
    let report = brute.now.contacts(&boxes, &mut hits).expect("a good query");
    assert_eq!(hits.len(), expected.len(), "depth {depth}");
    for (hit, (a, b, of_pair)) in hits.iter().zip(&expected) {
        assert_eq!((hit.a, hit.b), (*a, *b));
        assert_eq!(bits(&contact(hit)), bits(of_pair));
        assert!(hit.slack <= report.slack && report.met);
    }
    let pairs_report = brute.now.pairs(&boxes, &mut hits).expect("a good query");
    assert_eq!(pairs_report.slack, report.slack);
    assert!(
        hits.pairs().iter().eq(expected
            .iter()
            .map(|(a, b, _)| (*a, *b))
            .collect::<Vec<_>>()
            .iter())
    );
    assert!(hits.is_empty());
    parts(brute, &query, &expected);
    let any = brute.now.intersects(&query, hits.scratch()).expect("a good query");
    assert_eq!(any, !expected.is_empty());
    expected.len()
}

/// Checks `Detail::DeepestBoxes`: one hit per pair of parts, the deepest.
fn parts<T: Scalar>(brute: &BruteForce<'_, T>, query: &PairQuery, expected: &Expected<T>) {
    let mut hits = Hits::new();
    let deepest = query.clone().detail(Detail::DeepestBoxes);
    brute.now.contacts(&deepest, &mut hits).expect("a good query");
    let of_parts = |(a, b, _): &(_, _, _)| {
        let (a, b): (&boxwood::NodeRef, &boxwood::NodeRef) = (a, b);
        ((a.character, a.part), (b.character, b.part))
    };
    let mut groups: Vec<_> = Vec::new();
    for line in expected {
        let key = of_parts(line);
        match groups.iter_mut().find(|(of, _)| *of == key) {
            Some((_, lines)) => Vec::push(lines, line),
            None => groups.push((key, vec![line])),
        }
    }
    groups.sort_by_key(|(_, lines)| {
        let (a, b) = (brute.rank(&lines[0].0), brute.rank(&lines[0].1));
        ((a.0, a.1), (b.0, b.1))
    });
    assert_eq!(hits.len(), groups.len());
    assert!(hits.is_sorted_by_key(|hit| (brute.rank(&hit.a), brute.rank(&hit.b))));
    for (key, lines) in &groups {
        let of = |hit: &&Hit<T>| ((hit.a.character, hit.a.part), (hit.b.character, hit.b.part));
        let hit = hits.iter().find(|hit| of(hit) == *key).expect("a hit of every pair of parts");
        let deepest = lines.iter().map(|line| line.2.depth.wide()).fold(-1.0, f64::max);
        assert_eq!(hit.depth.wide(), deepest);
        let same = lines.iter().find(|line| (line.0, line.1) == (hit.a, hit.b)).expect("a line");
        assert_eq!(bits(&same.2), bits(&contact(hit)));
    }
    brute.now.pairs(query, &mut hits).expect("a good query");
    let found = hits.pairs().iter().map(|(a, b)| ((a.character, a.part), (b.character, b.part)));
    assert!(found.eq(groups.iter().map(|(key, _)| *key)));
    assert!(hits.pairs().iter().all(|(a, b)| a.node.index() == 0 && b.node.index() == 0));
}

/// Runs `all`, `of`, `between` and `within` at every depth whose brute force takes at most `limit`
/// tests.
pub fn ask_everything<T: Scalar>(
    scene: &Scene<T>,
    roster: &[BruteForceCharacter],
    limit: usize,
    random: &mut Random,
) -> usize {
    let mut buffers = Buffers::new();
    let brute = BruteForce { scene, now: scene.snapshot(&mut buffers), roster };
    let all = brute.all();
    let mut found = 0;
    let trees = |living: &BruteForceCharacter| -> u8 {
        let parts = scene.model(living.key).expect("a key").parts();
        parts.iter().filter_map(|part| Some(part.tree()?.depth())).max().unwrap_or(0)
    };
    let deepest = roster.iter().map(trees).max().unwrap_or(0);
    for depth in (0..33).chain([u8::MAX]) {
        // Depths below all leaves give equal answers, so one depth, the deepest and no limit stand
        // for the rest; the random numbers are still drawn.
        let again = depth > deepest.saturating_add(1) && depth < 32;
        if !again && brute.work(&all, depth) > limit {
            break;
        }
        let [a, b] = [0, 1].map(|_| roster[random.below(roster.len())].key);
        let some = |random: &mut Random, key| -> Vec<PartId> {
            let parts = scene.model(key).expect("a key").len();
            (0..parts).filter(|_| random.chance(0.5)).map(PartId::new).collect()
        };
        let lists = (a != b).then(|| [some(random, a), some(random, b)]);
        if again {
            continue;
        }
        found += ask(&brute, &PairQuery::all(), &all, depth, |_, _| true);
        ask(&brute, &PairQuery::of(a), &brute.of(a), depth, |_, _| true);
        if brute.work(&[(a, a)], depth) <= limit {
            found += ask(&brute, &PairQuery::within(a), &[(a, a)], depth, |_, _| true);
        }
        if let Some([of_a, of_b]) = lists {
            let pair: Vec<_> = brute.of(a).into_iter().filter(|pair| pair.1 == b).collect();
            ask(&brute, &PairQuery::between(a, b), &pair, depth, |_, _| true);
            let query = PairQuery::between(a, b).parts(&of_a, &of_b);
            ask(&brute, &query, &pair, depth, |i, j| of_a.contains(&i) && of_b.contains(&j));
        }
    }
    found
}

/// A chain of random parts, some of them joints without geometry.
pub fn random_model<T: Scalar>(random: &mut Random) -> Arc<Model<T>> {
    let parts = 2 + random.below(5);
    let mut builder = Model::builder().ignore_neighbours(random.below(3));
    for part in 0..parts {
        let geometry = if random.chance(0.2) { Geometry::None } else { random_part(random, part) };
        let parent = (part > 0).then(|| random.below(part).to_string());
        builder = builder.part(part.to_string(), parent.as_deref(), geometry);
        let at = times(random.direction(), random.between(0.0, 1.5));
        builder = builder.bind(turned(random, at));
    }
    builder.build(&Build::default()).expect("a model")
}

/// Returns some characters of two models around a position.
pub fn crowd<T: Scalar>(
    random: &mut Random,
    count: usize,
    far: f64,
) -> (Scene<T>, Vec<BruteForceCharacter>) {
    let models = [random_model::<T>(random), random_model(random)];
    let (mut scene, mut roster) = (Scene::new(), Vec::new());
    for _ in 0..count {
        let order = random.bits() >> random.below(60);
        let near = times(random.direction(), random.between(0.0, 2.0));
        let at = turned(random, plus([far, -far, far], near));
        let at_rest = random.chance(0.4);
        let spawn = Spawn::at(at).order(order).at_rest(at_rest).user(0);
        let Ok(key) = scene.insert(&models[random.below(2)], spawn) else { continue };
        roster.push(BruteForceCharacter { key, order, at_rest });
    }
    (scene, roster)
}
