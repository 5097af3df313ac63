//! Owned snapshots: the answers of the moment of the copy, whatever happens to the scene.

use boxwood::scene::{
    Buffers, CharacterKey, ClosestParts, Hits, Overlaps, OwnedSnapshot, QueryFilter, QueryShape,
    RayCast, RayHits, Scene, Snapshot, Spawn,
};
use boxwood::shape::{Aabb, Frustum, Obb, Ray, Sphere};
use boxwood::{Accuracy, CollisionGroups, Detail, Error, PairQuery, PartId, SimdLevel};

use super::brute_force::{crowd, random_model};
use support::answer_bits::{list_hits, list_pairs};
use support::brute_force::BruteForceCharacter;
use support::prelude::*;

/// Returns the answers of every query as text: debug prints the shortest digits that identify the
/// bits. Long lists of node pairs are given as bits.
pub(super) fn told<T: Scalar>(
    now: &Snapshot<'_, T>,
    keys: &[CharacterKey],
) -> (Vec<String>, Vec<u64>) {
    let (mut told, mut listed, mut hits) = (Vec::new(), Vec::new(), Hits::new());
    let mut kinds = vec![PairQuery::all()];
    kinds.extend(keys.iter().flat_map(|&key| [PairQuery::of(key), PairQuery::within(key)]));
    kinds.extend(keys.windows(2).map(|two| PairQuery::between(two[0], two[1])));
    for query in kinds {
        for accuracy in [Accuracy::Depth(2), Accuracy::Exact] {
            let query = query.clone().accuracy(accuracy).detail(Detail::Boxes);
            told.push(format!("{:?}", now.intersects(&query, hits.scratch())));
            told.push(format!("{:?}", now.pairs(&query, &mut hits)));
            list_pairs(hits.pairs(), &mut listed);
            told.push(format!("{:?}", now.contacts(&query, &mut hits)));
            list_hits(&hits, &mut listed);
            told.push(format!("{:?}", now.distance(&query, hits.scratch())));
        }
    }
    volumes(now, &mut told);
    boxes(now, keys, &mut told);
    (told, listed)
}

fn volumes<T: Scalar>(now: &Snapshot<'_, T>, told: &mut Vec<String>) {
    let (filter, t) = (QueryFilter::all(), T::nearest);
    let point = |x: f64, y: f64, z: f64| Point3::new(t(x), t(y), t(z));
    let (mut struck, mut inside) = (RayHits::new(), Overlaps::new());
    let ray = Ray::through(point(-9.0, 0.1, 0.2), point(9.0, -0.2, 0.1)).expect("points");
    let ray = RayCast::from(ray.expect("apart"));
    told.push(format!("{:?}", now.ray_cast(ray, &filter, &mut struck)));
    told.push(format!("{:?}", now.ray_cast_any(ray, &filter, &mut struck)));
    told.push(format!("{:?} {:?}", now.ray_cast_all(ray, &filter, &mut struck), &struck[..]));
    let half = Vector3::repeat(t(0.7));
    let shapes: [QueryShape<T>; 5] = [
        point(0.1, 0.2, 0.3).into(),
        Sphere::new(point(0.1, 0.2, 0.3), t(1.0)).expect("a ball").into(),
        Aabb::from_points([point(-1.0, 0.0, 0.0), point(0.5, 0.5, 2.0)]).into(),
        Obb::from_pose(&Isometry3::identity(), half).expect("a box").into(),
        Frustum::of_eye(&Isometry3::identity(), [0.5, 0.5], [0.1, 4.0]).expect("a frustum").into(),
    ];
    for shape in shapes {
        told.push(format!("{:?}", now.overlaps_any(shape, &filter, &mut inside)));
        told.push(format!("{:?} {:?}", now.overlaps(shape, &filter, &mut inside), &inside[..]));
    }
    let mut closest = ClosestParts::new();
    let near = now.closest_parts(point(0.3, 2.0, 0.1), f64::INFINITY, &filter, &mut closest);
    told.push(format!("{near:?} {:?}", &closest[..]));
    let near = now.closest_part(point(0.3, 2.0, 0.1), 9.0, &filter, &mut closest);
    told.push(format!("{near:?}"));
}

fn boxes<T: Scalar>(now: &Snapshot<'_, T>, keys: &[CharacterKey], told: &mut Vec<String>) {
    told.push(format!("{:?}", now.characters().collect::<Vec<_>>()));
    told.push(format!("{:?}", now.broad_phase_pairs().collect::<Vec<_>>()));
    for &key in keys {
        told.push(format!("{:?}", now.character_aabb(key)));
        told.push(format!("{:?}", now.part_aabb(key, PartId::new(1))));
        let near = now.part_aabb_pairs(keys[0], key).map(Iterator::collect::<Vec<_>>);
        told.push(format!("{near:?}"));
    }
}

fn keys(roster: &[BruteForceCharacter]) -> Vec<CharacterKey> {
    roster.iter().map(|living| living.key).collect()
}

/// Moves, switches, marks, removes and adds characters.
fn move_on<T: Scalar>(scene: &mut Scene<T>, roster: &[BruteForceCharacter], random: &mut Random) {
    for living in roster {
        scene.set_root(living.key, &turned(random, [0.4, 0.1, 0.0])).expect("a pose");
        scene.set_at_rest(living.key, random.chance(0.5)).expect("a key");
    }
    scene.set_part_enabled(roster[0].key, PartId::new(0), false).expect("a part");
    scene.set_all_groups(roster[1].key, CollisionGroups::NONE).expect("a key");
    scene.remove(roster[2].key).expect("a key");
    scene.insert(&random_model(random), Spawn::default()).expect("a character");
}

fn moments<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    for round in 0..16 {
        let (mut scene, roster) = crowd::<T>(&mut random, 5, [0.0, 1e3][round % 2]);
        let (keys, mut buffers) = (keys(&roster), Buffers::new());
        let mut owned = OwnedSnapshot::new(&scene);
        let expected = told(&scene.snapshot(&mut buffers), &keys);
        // Copies before and after the first query, which fills caches.
        let before = owned.clone();
        assert_eq!(told(&owned.snapshot(), &keys), expected);
        let after = owned.clone();
        let then = scene.clone();
        move_on(&mut scene, &roster, &mut random);
        for held in [&owned, &before, &after] {
            assert_eq!(told(&held.snapshot(), &keys), expected);
        }
        let same = |a: &Scene<T>, b: &Scene<T>| keys.iter().all(|&k| a.poses(k) == b.poses(k));
        assert!(same(owned.scene(), &then) && !same(owned.scene(), &scene));
        // The next moment, and back.
        owned.update(&scene);
        let left: Vec<_> = keys.iter().copied().filter(|&key| scene.user(key).is_ok()).collect();
        assert_eq!(told(&owned.snapshot(), &left), told(&scene.snapshot(&mut buffers), &left));
        let gone = PairQuery::of(roster[2].key);
        let asked = owned.snapshot().intersects(&gone, Hits::new().scratch());
        assert_eq!(asked, Err(Error::StaleKey));
        owned.update(&then);
        assert_eq!(told(&owned.snapshot(), &keys), expected);
    }
}

fn free<H: Send + Sync + 'static>(held: H) -> H {
    held
}

#[test]
fn another_thread_gets_the_same_answers_while_the_scene_moves() {
    let mut random = Random(773);
    let (mut scene, roster) = crowd::<f32>(&mut random, 5, 0.0);
    let (keys, mut buffers) = (keys(&roster), Buffers::new());
    let expected = told(&scene.snapshot(&mut buffers), &keys);
    let owned = std::sync::Arc::new(free(OwnedSnapshot::new(&scene)));
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let (owned, keys) = (owned.clone(), keys.clone());
            std::thread::spawn(move || told(&owned.snapshot(), &keys))
        })
        .collect();
    move_on(&mut scene, &roster, &mut random);
    drop(scene);
    for thread in threads {
        assert_eq!(thread.join().expect("a thread"), expected);
    }
    free(OwnedSnapshot::<f64>::new(&Scene::new()));
}

#[test]
fn buffers_determine_the_simd_level() {
    let (scene, roster) = crowd::<f32>(&mut Random(774), 5, 0.0);
    let (keys, mut buffers) = (keys(&roster), Buffers::new());
    let expected = told(&scene.snapshot(&mut buffers), &keys);
    for simd in SimdLevel::all() {
        let owned = OwnedSnapshot::with_buffers(&scene, Buffers::with_simd_level(simd));
        assert_eq!(told(&owned.snapshot(), &keys), expected);
    }
}

#[test]
fn an_empty_scene_has_an_owned_snapshot() {
    let mut owned = OwnedSnapshot::<f64>::new(&Scene::new());
    assert_eq!(owned.snapshot().characters().count(), 0);
    let (scene, roster) = crowd::<f64>(&mut Random(775), 3, 0.0);
    owned.update(&scene);
    assert_eq!(owned.snapshot().characters().count(), roster.len());
    owned.update(&Scene::new());
    assert_eq!(owned.snapshot().characters().count(), 0);
    let found = owned.snapshot().distance(&PairQuery::all(), Hits::new().scratch());
    assert_eq!(found, Ok(None));
}

/// Counts allocations: with the same characters an update makes fewer than half as many as a new
/// one.
#[test]
fn an_update_with_the_same_characters_saves_most_allocations() {
    let mut random = Random(776);
    let (mut scene, roster) = crowd::<f32>(&mut random, 40, 0.0);
    let mut owned = OwnedSnapshot::new(&scene);
    owned.update(&scene);
    scene.set_root(roster[0].key, &turned(&mut random, [0.1; 3])).expect("a pose");
    let update = allocation_counter::measure(|| owned.update(&scene)).count_total;
    let new = allocation_counter::measure(|| drop(OwnedSnapshot::new(&scene))).count_total;
    println!("{update} allocations of an update, {new} of a new one");
    assert!(2 * update < new, "{update} of {new}");
}

scalars! {
    answers_are_those_of_the_moment_of_the_copy => moments(771; 772);
}
