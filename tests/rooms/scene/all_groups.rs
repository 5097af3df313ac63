//! Groups of a whole character in one call: as one part after the other.

use boxwood::num::Scalar;
use boxwood::scene::{
    Buffers, Hits, NodeRef, Overlaps, QueryFilter, QueryShape, RayCast, RayHits, Scene,
};
use boxwood::shape::{Ray, Sphere};
use boxwood::{CollisionGroups, Error, PairQuery, PartId};
use nalgebra::Point3;

use super::brute_force::{contact, crowd};
use support::brute_force::{BruteForceCharacter, bits};
use support::proof::at_least;
use support::random::Random;
use support::random_parts::vector;

#[derive(Debug, PartialEq)]
struct AllAnswers {
    hits: Vec<(NodeRef, NodeRef, Vec<u64>)>,
    pairs: Vec<(NodeRef, NodeRef)>,
    rays: Vec<String>,
    inside: Vec<NodeRef>,
}

/// Of pairs, of rays through the middle, and of a ball about it.
fn answers<T: Scalar>(scene: &Scene<T>, groups: CollisionGroups) -> AllAnswers {
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    let (mut struck, mut inside) = (RayHits::new(), Overlaps::new());
    let now = scene.snapshot(&mut buffers);
    now.contacts(&PairQuery::all(), &mut hits).expect("a query");
    let lines = hits.iter().map(|hit| (hit.a, hit.b, bits(&contact(hit)))).collect();
    let mut pairs = Vec::new();
    let own = now.characters().map(PairQuery::within);
    for query in own.chain([PairQuery::all()]) {
        now.pairs(&query, &mut hits).expect("a query");
        pairs.extend_from_slice(hits.pairs());
    }
    let (filter, mut rays, point) = (QueryFilter::all().groups(groups), Vec::new(), Point3::from);
    for k in 0..6 {
        let (mut from, mut to) = ([0.1 * k as f64; 3], [-0.1; 3]);
        (from[k % 3], to[k % 3]) = (-9.0, 9.0);
        let ray = Ray::through(point(vector(from)), point(vector(to))).expect("points");
        let ray = RayCast::from(ray.expect("apart"));
        now.ray_cast_all(ray, &filter, &mut struck).expect("a ray");
        rays.extend(struck.iter().map(|hit| format!("{hit:?}")));
    }
    let ball = Sphere::new(Point3::origin(), T::nearest(0.8)).expect("a ball");
    now.overlaps(QueryShape::from(ball), &filter, &mut inside).expect("a region");
    AllAnswers { hits: lines, pairs, rays, inside: inside.to_vec() }
}

fn one_by_one<T: Scalar>(
    scene: &mut Scene<T>,
    living: &BruteForceCharacter,
    groups: CollisionGroups,
) {
    for part in 0..scene.model(living.key).expect("a key").len() {
        scene.set_groups(living.key, PartId::new(part), groups).expect("a part");
    }
}

fn few_bits(random: &mut Random) -> CollisionGroups {
    match random.below(6) {
        0 => CollisionGroups::ALL,
        1 => CollisionGroups::NONE,
        _ => CollisionGroups { memberships: random.bits() & 7, filter: random.bits() & 7 },
    }
}

fn crowds<T: Scalar>(seed: u64) {
    let (mut random, mut less) = (Random(seed), 0);
    for _ in 0..at_least(400, 60) {
        let (plain, roster) = crowd::<T>(&mut random, 4, 0.0);
        let free = answers(&plain, CollisionGroups::ALL);
        let [mut at_once, mut looped] = [plain.clone(), plain.clone()];
        for _ in 0..3 {
            for living in &roster {
                let groups = few_bits(&mut random);
                at_once.set_all_groups(living.key, groups).expect("a key");
                one_by_one(&mut looped, living, groups);
                if random.chance(0.3) {
                    let part =
                        PartId::new(random.below(plain.model(living.key).expect("one").len()));
                    let groups = few_bits(&mut random);
                    at_once.set_groups(living.key, part, groups).expect("a part");
                    looped.set_groups(living.key, part, groups).expect("a part");
                }
                assert_eq!(at_once.groups(living.key), looped.groups(living.key));
            }
            let asked = few_bits(&mut random);
            let found = answers(&at_once, asked);
            assert_eq!(found, answers(&looped, asked));
            less += usize::from(found.pairs.len() < free.pairs.len());
        }
        // Back to all: nothing is left of it, whichever way.
        for living in &roster {
            at_once.set_all_groups(living.key, CollisionGroups::ALL).expect("a key");
            one_by_one(&mut looped, living, CollisionGroups::ALL);
        }
        assert_eq!(answers(&at_once, CollisionGroups::ALL), free);
        assert_eq!(answers(&looped, CollisionGroups::ALL), free);
    }
    assert!(less > 40, "{less}");
}

#[test]
fn groups_of_all_parts_at_once_answer_as_one_by_one_f32() {
    crowds::<f32>(751);
}

#[test]
fn groups_of_all_parts_at_once_answer_as_one_by_one_f64() {
    crowds::<f64>(752);
}

#[test]
fn bad_keys_are_refused() {
    let (mut scene, roster) = crowd::<f32>(&mut Random(753), 3, 0.0);
    let (_, foreign) = crowd::<f32>(&mut Random(753), 3, 0.0);
    let gone = roster[0].key;
    scene.remove(gone).expect("there");
    let none = CollisionGroups::NONE;
    assert_eq!(scene.set_all_groups(gone, none), Err(Error::StaleKey));
    assert_eq!(scene.set_all_groups(foreign[1].key, none), Err(Error::ForeignKey));
    assert!(scene.groups(roster[1].key).expect("there").iter().all(|g| *g != none));
}
