//! Scenes: setters, pair queries and volume queries with invalid keys, parts, poses, lengths and
//! accuracies.

use boxwood::model::Model;
use boxwood::scene::{
    Buffers, CharacterKey, ClosestParts, HitMode, Hits, Overlaps, QueryFilter, RayCast, RayHits,
    Scene, Snapshot, Spawn,
};
use boxwood::shape::{Aabb, Pose, Ray};
use boxwood::tree::Geometry;
use boxwood::{Accuracy, Build, CollisionGroups, Error, PairQuery, PartId};

use crate::scene::brute_force::{answer, random_model};
use support::prelude::*;
use support::random_parts::pose;
use support::refuses;

/// Two characters of a scene, the key of a third that was removed, and one of another scene.
struct Stage<T: Scalar> {
    scene: Scene<T>,
    keys: [CharacterKey; 2],
    bad: [(CharacterKey, Error); 2],
    parts: usize,
}

impl<T: Scalar> Stage<T> {
    fn new(seed: u64) -> Stage<T> {
        let model = random_model::<T>(&mut Random(seed));
        let mut scene = Scene::new();
        let add = |scene: &mut Scene<T>, order| {
            scene.insert(&model, Spawn::default().order(order)).expect("a character")
        };
        let gone = add(&mut scene, 3);
        let keys = [7, 8].map(|order| add(&mut scene, order));
        scene.remove(gone).expect("a key");
        let again = scene.insert(&model, Spawn::default().order(8));
        assert_eq!(again, Err(Error::DuplicateOrder { order: 8 }));
        let foreign = add(&mut Scene::new(), 3);
        let bad = [(gone, Error::StaleKey), (foreign, Error::ForeignKey)];
        Stage { scene, keys, bad, parts: model.len() }
    }

    /// Returns everything that a refused call must not change.
    fn state(&self) -> String {
        let (mut buffers, mut hits, scene) = (Buffers::new(), Hits::new(), &self.scene);
        scene.snapshot(&mut buffers).contacts(&PairQuery::all(), &mut hits).expect("a query");
        let of = |key| (scene.poses(key).expect("a key"), scene.groups(key).expect("a key"));
        let characters = self.keys.map(of);
        let ignored: Vec<_> = scene.ignored_pairs().collect();
        format!("{} {characters:?} {ignored:?} {:?}", scene.len(), answer(&hits))
    }
}

fn setters<T: Scalar>() {
    let mut stage = Stage::<T>::new(121);
    let (before, n, [key, other]) = (stage.state(), stage.parts, stage.keys);
    let (good, here, beyond) = (vec![upright::<T>([0.5; 3]); n], upright([0.0; 3]), PartId::new(n));
    let (none, first) = (CollisionGroups::NONE, PartId::new(0));
    let model = stage.scene.model(key).expect("a key").clone();
    for (bad, error) in stage.bad.clone() {
        let scene = &mut stage.scene;
        refuses! {
            all error;
            scene.remove(bad),
            scene.set_parts(bad, &good),
            scene.set_joints(bad, &good[0], &good),
            scene.set_at_rest(bad, true),
            scene.set_part_enabled(bad, first, false),
            scene.set_groups(bad, first, none),
            scene.set_all_groups(bad, none),
            scene.set_user(bad, 9),
            scene.set_ignored(key, bad, true),
            scene.set_ignored(bad, key, true),
            scene.is_ignored(bad, key),
            scene.pose(bad, first),
            scene.poses(bad),
            scene.groups(bad),
            scene.user(bad),
            scene.part(bad, first),
            scene.snapshot(&mut Buffers::new()).part_aabb(bad, first),
            scene.snapshot(&mut Buffers::new()).character_aabb(bad),
        }
    }
    let scene = &mut stage.scene;
    for count in [0, n - 1, n + 1] {
        let poses = vec![here; count];
        refuses! {
            all Error::WrongCount { field: "poses", expected: n, found: count };
            scene.set_parts(key, &poses),
            scene.set_joints(key, &here, &poses),
        }
    }
    refuses! {
        all Error::IndexOutOfRange { field: "part", index: 0, target: n, len: n };
        scene.set_part_enabled(key, beyond, false),
        scene.set_groups(key, beyond, none),
        scene.set_ignored(other, (key, beyond), true),
        scene.pose(key, beyond),
        scene.part(key, beyond),
        scene.snapshot(&mut Buffers::new()).part_aabb(key, beyond),
    }
    refuses! { model.part("nobody") => Error::UnknownName { kind: "part", .. } }
    poses(scene, key, n);
    assert_eq!(stage.state(), before, "something has changed");
}

/// Checks that invalid poses are refused with the index of the part, also when a whole character is
/// placed.
fn poses<T: Scalar>(scene: &mut Scene<T>, key: CharacterKey, n: usize) {
    let (unit, here, last) = ([0.0, 0.0, 0.0, 1.0], upright([0.0; 3]), n - 1);
    let (good, model) = (vec![here; n], scene.model(key).expect("a key").clone());
    let bad = [
        pose::<T>(unit, [f64::NAN, 0.0, 0.0]),
        pose(unit, [0.0, f64::INFINITY, 0.0]),
        pose([0.0, f64::NAN, 0.0, 1.0], [0.0; 3]),
        pose([0.0; 4], [0.0; 3]),
        pose([0.0, 0.0, 0.0, 1.1], [0.0; 3]),
        pose(unit, [0.0, 0.0, 1.1 * T::MAX_COORDINATE]),
    ];
    let with = |bad: Pose<T>| {
        let mut poses = good.clone();
        poses[last] = bad;
        poses
    };
    let named = |error: &Error| match error {
        Error::NotFinite { index, .. }
        | Error::NotUnit { index, .. }
        | Error::OutOfRange { index, .. } => *index,
        other => panic!("{other:?}"),
    };
    for bad in bad {
        refuses! {
            scene.set_parts(key, &with(bad)) => error if named(error) == last,
            scene.set_joints(key, &here, &with(bad)) => error if named(error) == last,
            scene.set_joints(key, &bad, &good)
                => Error::NotFinite { .. } | Error::NotUnit { .. } | Error::OutOfRange { .. },
            scene.insert(&model, Spawn::at(bad))
                => Error::NotFinite { .. } | Error::NotUnit { .. } | Error::OutOfRange { .. },
        }
    }
    // Each is in range, their sum is not.
    let far = pose::<T>(unit, [0.8 * T::MAX_COORDINATE, 0.0, 0.0]);
    refuses! {
        all Error::OutOfRange { field: "place of pose", index: last, limit: T::MAX_COORDINATE };
        scene.set_joints(key, &far, &with(far)),
    }
}

/// Asserts that every kind of pair query is refused with that error, and that no earlier answers
/// remain in the buffers.
fn pairs_refuse<T: Scalar>(now: &Snapshot<'_, T>, query: &PairQuery<'_>, error: &Error) {
    let mut hits = Hits::new();
    now.contacts(&PairQuery::all(), &mut hits).expect("a query");
    refuses! { all *error; now.contacts(query, &mut hits) }
    assert!(hits.is_empty() && hits.pairs().is_empty(), "earlier answers");
    now.pairs(&PairQuery::all(), &mut hits).expect("a query");
    refuses! { all *error; now.pairs(query, &mut hits) }
    assert!(hits.is_empty() && hits.pairs().is_empty(), "earlier answers");
    refuses! {
        all *error;
        now.intersects(query, hits.scratch()),
        now.distance(query, hits.scratch()),
    }
}

fn past(target: usize, len: usize) -> Error {
    Error::IndexOutOfRange { field: "part", index: 0, target, len }
}

fn pair_queries<T: Scalar>() {
    let Stage { scene, keys: [a, b], bad, parts } = Stage::<T>::new(122);
    let (mut buffers, mut hits) = (Buffers::new(), Hits::new());
    let now = scene.snapshot(&mut buffers);
    for (bad, error) in bad {
        for query in [
            PairQuery::of(bad),
            PairQuery::within(bad),
            PairQuery::between(a, bad),
            PairQuery::between(bad, a).parts(&[], &[]),
            PairQuery::within(a).excluding(&[a, bad]),
        ] {
            pairs_refuse(&now, &query, &error);
        }
    }
    let (first, beyond) = ([PartId::new(0)], [PartId::new(parts)]);
    let listed = [PartId::new(0), PartId::new(parts)];
    for query in [
        PairQuery::between(a, b).parts(&[], &listed),
        PairQuery::of(a).parts(&beyond, &first),
        PairQuery::within(a).parts(&beyond, &first),
        PairQuery::between(a, a).parts(&beyond, &first),
        PairQuery::between(a, b).parts(&first, &beyond),
    ] {
        pairs_refuse(&now, &query, &past(parts, parts));
    }
    let two = PairQuery::between(a, b);
    let mut distance = |query: &PairQuery<'_>| now.distance(query, hits.scratch());
    refuses! {
        distance(&two.clone().accuracy(Accuracy::Budget(1))) => Error::BadQuery { .. },
        distance(&two.clone().max_distance(f64::NAN)) => Error::NotFinite { .. },
        distance(&PairQuery::within(a).max_distance(f64::NAN)) => Error::NotFinite { .. },
    }
}

#[test]
fn listed_parts_that_a_named_character_does_not_have_are_refused() {
    let chain = |parts: usize| {
        let mut builder = Model::<f32>::builder();
        for part in 0..parts {
            let solid = upright_solid([0.0, -0.2, -0.2], [0.5, 0.2, 0.2]);
            builder = builder.part(part.to_string(), None, Geometry::Boxes(vec![solid]));
        }
        builder.build(&Build::default()).expect("a model")
    };
    let mut scene = Scene::new();
    let [a, b] = [3, 70].map(|n| scene.insert(&chain(n), Spawn::default()).expect("a character"));
    let mut buffers = Buffers::new();
    let now = scene.snapshot(&mut buffers);
    let [here, there, far] = [2, 69, 1 << 20].map(|part| [PartId::new(part)]);
    for (query, error) in [
        (PairQuery::of(a).parts(&there, &here), past(69, 3)),
        (PairQuery::between(a, b).parts(&there, &here), past(69, 3)),
        (PairQuery::between(b, a).parts(&here, &there), past(69, 3)),
        (PairQuery::between(a, b).parts(&here, &far), past(1 << 20, 70)),
        (PairQuery::within(a).parts(&here, &there), past(69, 3)),
        (PairQuery::within(b).parts(&far, &here), past(1 << 20, 70)),
    ] {
        pairs_refuse(&now, &query, &error);
    }
}

fn ray<T: Scalar>() -> Ray<T> {
    Ray::new(Point3::origin(), Vector3::x_axis()).expect("a ray")
}

/// Asserts that every kind of volume query is refused with such an error, and that no earlier
/// answers remain in the buffers.
fn volumes_refuse<T: Scalar>(
    now: &Snapshot<'_, T>,
    filter: &QueryFilter<'_>,
    is: impl Fn(&Error) -> bool,
) {
    let (origin, all, far) = (Point3::origin(), QueryFilter::all(), f64::INFINITY);
    let (mut rays, mut overlaps) = (RayHits::new(), Overlaps::new());
    now.ray_cast_all(ray(), &all, &mut rays).expect("a query");
    refuses! { now.ray_cast_any(ray(), filter, &mut rays) => error if is(error) }
    assert!(rays.is_empty(), "earlier answers");
    now.overlaps(Aabb::new([-T::one(); 3].into(), [T::one(); 3].into()), &all, &mut overlaps)
        .expect("a query");
    refuses! { now.overlaps_any(origin, filter, &mut overlaps) => error if is(error) }
    assert!(overlaps.is_empty(), "earlier answers");
    closest_refuse(now, (origin, far), filter, is);
}

/// Like [`volumes_refuse`], for the nearest parts and the nearest one.
fn closest_refuse<T: Scalar>(
    now: &Snapshot<'_, T>,
    (point, most): (Point3<T>, f64),
    filter: &QueryFilter<'_>,
    is: impl Fn(&Error) -> bool,
) {
    let mut closest = ClosestParts::new();
    let fill = |closest: &mut ClosestParts<T>| {
        let all = QueryFilter::all();
        now.closest_parts(Point3::origin(), f64::INFINITY, &all, closest).expect("a query");
        assert!(!closest.is_empty());
    };
    fill(&mut closest);
    refuses! { now.closest_parts(point, most, filter, &mut closest) => error if is(error) }
    assert!(closest.is_empty(), "earlier answers");
    fill(&mut closest);
    refuses! { now.closest_part(point, most, filter, &mut closest) => error if is(error) }
    assert!(closest.is_empty(), "earlier answers");
    fill(&mut closest);
    refuses! { now.closest_characters(point, most, filter, &mut closest) => error if is(error) }
    assert!(closest.is_empty(), "earlier answers");
}

fn volume_queries<T: Scalar>(seed: u64) {
    let Stage { scene, keys: [a, _], bad, parts } = Stage::<T>::new(seed);
    let mut buffers = Buffers::new();
    let now = scene.snapshot(&mut buffers);
    for (key, error) in bad {
        volumes_refuse(&now, &QueryFilter::of(key), |e| *e == error);
        volumes_refuse(&now, &QueryFilter::all().excluding(&[a, key]), |e| *e == error);
        let (all, mut rays) = (QueryFilter::all(), RayHits::new());
        now.ray_cast_all(ray(), &all, &mut rays).expect("a query");
        let casts = [RayCast::from(ray()).excluding(a), RayCast::from(ray()).excluding(key)];
        let batch = now.ray_cast_batch(&casts, HitMode::All, &all, &mut rays);
        assert_eq!(batch.err(), Some(error));
        assert!(rays.is_empty(), "earlier answers");
    }
    for target in [parts, 64, 256, 100_000] {
        let filter = QueryFilter::of(a).parts(&[PartId::new(0), PartId::new(target)]);
        volumes_refuse(&now, &filter, |e| *e == past(target, parts));
    }
    let at = |accuracy| QueryFilter::all().accuracy(accuracy);
    for tolerance in [f64::NAN, f64::INFINITY] {
        let is = |e: &Error| matches!(e, Error::NotFinite { field: "tolerance", .. });
        volumes_refuse(&now, &at(Accuracy::Within(tolerance)), is);
    }
    let negative = |e: &Error| matches!(e, Error::Negative { .. });
    volumes_refuse(&now, &at(Accuracy::Within(-0.1)), negative);
    for budget in [0, 5, 100, u32::MAX] {
        let is = |e: &Error| matches!(e, Error::BadQuery { .. });
        volumes_refuse(&now, &at(Accuracy::Budget(budget)), is);
    }
    let (all, far, origin) = (QueryFilter::all(), f64::INFINITY, Point3::origin());
    let (mut rays, mut overlaps) = (RayHits::new(), Overlaps::new());
    for (bad, k) in
        [f64::NAN, f64::INFINITY, -far].into_iter().flat_map(|x| (0..3).map(move |k| (x, k)))
    {
        let mut point = origin;
        point[k] = T::nearest(bad);
        let is = |e: &Error| matches!(e, Error::NotFinite { field: "point", index: 0 });
        refuses! { now.overlaps_any(point, &all, &mut overlaps) => error if is(error) }
        closest_refuse(&now, (point, far), &all, is);
    }
    let out = Point3::new(T::zero(), T::nearest(T::MAX_COORDINATE * 1.5), T::zero());
    let beyond = |e: &Error| matches!(e, Error::OutOfRange { field: "point", .. });
    closest_refuse(&now, (out, far), &all, beyond);
    closest_refuse(&now, (origin, f64::NAN), &all, |e| matches!(e, Error::NotFinite { .. }));
    for most in [-1.0, -f64::MIN_POSITIVE, f64::NEG_INFINITY] {
        closest_refuse(&now, (origin, most), &all, negative);
    }
    let mut endless = RayCast::from(ray());
    endless.max_length = Some(T::nearest(f64::NAN));
    refuses! {
        RayCast::new(ray::<T>(), -1.0) => Error::Negative { .. },
        now.ray_cast_any(endless, &all, &mut rays) => Error::NotFinite { .. },
    }
    assert_eq!(now.overlaps_any(Aabb::empty(), &all, &mut overlaps), Ok(false));
}

scalars! {
    refused_setters_name_the_fault_and_change_nothing => setters();
    invalid_pair_queries_are_refused_and_leave_no_answers => pair_queries();
    invalid_volume_queries_are_refused_and_leave_no_answers => volume_queries(796; 797);
}
