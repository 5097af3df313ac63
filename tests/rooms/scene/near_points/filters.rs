//! What is left out: filtered answers are the unfiltered ones that pass, bit for bit.

use std::sync::Mutex;

use boxwood::num::Scalar;
use boxwood::scene::{Buffers, CharacterKey, ClosestPart, ClosestParts, QueryFilter, Snapshot};
use boxwood::{CollisionGroups, NodeId, NodeRef, PartId};
use nalgebra::Point3;

use super::bodies::{bodies, spot, stage};
use support::proof::at_least;
use support::random::Random;

/// All answers, and the one of the nearest.
fn answers<T: Scalar>(
    now: &Snapshot<'_, T>,
    (point, most): (Point3<T>, f64),
    filter: &QueryFilter<'_>,
) -> Vec<ClosestPart<T>> {
    let mut closest = ClosestParts::new();
    now.closest_parts(point, most, filter, &mut closest).expect("a question");
    let all = closest.to_vec();
    let one = now.closest_part(point, most, filter, &mut closest).expect("a question");
    assert_eq!(one.as_slice(), &closest[..]);
    assert_eq!(one.map(|one| one.distance), all.first().map(|one| one.distance));
    assert!(one.is_none_or(|one| all.contains(&one)));
    all
}

type Rule<'r, T> = Box<dyn Fn(&ClosestPart<T>) -> bool + 'r>;

/// Each kind of filter alone, and the rule it should be.
fn rules<'r, T: Scalar>(
    now: &'r Snapshot<'_, T>,
    keys: &'r [CharacterKey],
    parts: &'r [PartId],
    odd: &'r (dyn Fn(NodeRef) -> bool + Sync),
) -> Vec<(QueryFilter<'r>, Rule<'r, T>)> {
    let groups = CollisionGroups { memberships: 0b101, filter: 0b110 };
    let of = |node: NodeRef| now.scene().groups(node.character).expect("a key")[node.part.index()];
    let meets = move |node| {
        let own: CollisionGroups = of(node);
        own.memberships & groups.filter != 0 && own.filter & groups.memberships != 0
    };
    let [a, b] = [keys[0], keys[1]];
    let has = now.scene().model(a).expect("a key").len();
    let own: Vec<PartId> = parts.iter().copied().filter(|part| part.index() < has).collect();
    let listed = QueryFilter::of(a).parts(&own).groups(groups).predicate(odd);
    // Groups of everything still leave out parts in none.
    let none = move |node| of(node).memberships != 0 && of(node).filter != 0;
    vec![
        (QueryFilter::all(), Box::new(move |one| none(one.a))),
        (QueryFilter::of(a), Box::new(move |one| none(one.a) && one.a.character == a)),
        (QueryFilter::all().excluding(&[a, a]), {
            Box::new(move |one| none(one.a) && one.a.character != a)
        }),
        (QueryFilter::of(b).excluding(&[a, b]), Box::new(|_| false)),
        (QueryFilter::all().parts(parts), {
            Box::new(move |one| none(one.a) && parts.contains(&one.a.part))
        }),
        (QueryFilter::all().groups(groups), Box::new(move |one| meets(one.a))),
        (QueryFilter::all().groups(CollisionGroups::NONE), Box::new(|_| false)),
        (QueryFilter::all().predicate(odd), Box::new(move |one| none(one.a) && odd(one.a))),
        (listed, {
            let part = move |one: &ClosestPart<T>| own.contains(&one.a.part) && odd(one.a);
            Box::new(move |one| one.a.character == a && part(one) && meets(one.a))
        }),
    ]
}

fn stages<T: Scalar>(seed: u64) {
    let (mut random, mut counted) = (Random(seed), [0; 2]);
    let odd = |node: NodeRef| !(node.part.index() * 5 + 1).is_multiple_of(3);
    for _ in 0..at_least(2_000, 120) {
        let (plain, keys, off) = stage::<T>(&mut random, 0.0);
        let bodies = bodies(&plain, &off);
        if bodies.is_empty() {
            continue;
        }
        let mut scene = plain.clone();
        for body in &bodies {
            if random.chance(0.4) {
                continue;
            }
            let word = |random: &mut Random| random.bits() & random.bits() & 7;
            let groups = match random.below(3) {
                0 => CollisionGroups { memberships: 1, filter: 4 },
                _ => CollisionGroups { memberships: word(&mut random), filter: word(&mut random) },
            };
            scene.set_groups(body.key, body.part, groups).expect("a part");
        }
        let parts: Vec<PartId> =
            [0, 2, 3, 5, 999].into_iter().filter(|_| random.chance(0.6)).map(PartId::new).collect();
        let asked = (spot(&mut random, &bodies, 0.0), [f64::INFINITY, 1.5][random.below(2)]);
        let (mut buffers, mut others) = (Buffers::new(), Buffers::new());
        let all = answers(&plain.snapshot(&mut buffers), asked, &QueryFilter::all());
        let now = scene.snapshot(&mut others);
        for (filter, rule) in rules(&now, &keys, &parts, &odd) {
            let left: Vec<_> = all
                .iter()
                .filter(|one| rule(&ClosestPart { a: one.a, ..**one }))
                .copied()
                .collect();
            // The keys are those of the clone as well.
            let found = answers(&now, asked, &filter);
            assert_eq!(found, left, "{filter:?}");
            counted = [counted[0] + found.len(), counted[1] + all.len() - found.len()];
        }
    }
    println!("{counted:?} stayed and went");
    assert!(counted.iter().all(|&count| count > 1_000));
}

#[test]
fn filtered_parts_are_the_unfiltered_ones_that_pass_f32() {
    stages::<f32>(791);
}

#[test]
fn filtered_parts_are_the_unfiltered_ones_that_pass_f64() {
    stages::<f64>(792);
}

#[test]
fn a_predicate_is_asked_about_roots_once_each_and_not_of_what_is_left_out() {
    let mut random = Random(793);
    for _ in 0..60 {
        let (scene, keys, off) = stage::<f64>(&mut random, 0.0);
        let bodies = bodies(&scene, &off);
        if bodies.is_empty() {
            continue;
        }
        let (asked, point) = (Mutex::new(Vec::new()), spot(&mut random, &bodies, 0.0));
        let note = |node: NodeRef| {
            asked.lock().expect("no panic").push(node);
            true
        };
        let mut buffers = Buffers::new();
        let now = scene.snapshot(&mut buffers);
        let filter = QueryFilter::all().excluding(&keys[..1]).predicate(&note);
        let mut closest = ClosestParts::new();
        now.closest_parts(point, f64::INFINITY, &filter, &mut closest).expect("a question");
        let mut of: Vec<NodeRef> = closest.iter().map(|one| one.a).collect();
        of.iter_mut().for_each(|node| node.node = NodeId::ROOT);
        of.sort();
        let mut asked = asked.into_inner().expect("no panic");
        asked.sort();
        assert_eq!(asked, of);
        assert!(asked.iter().all(|node| node.character != keys[0]));
    }
}
