//! Rays against every node of the cuts, and against every triangle by parry3d.

use std::collections::BTreeMap;

use boxwood::scene::{Buffers, QueryFilter, RayCast, RayHits, Snapshot};
use boxwood::shape::Ray;
use boxwood::{Accuracy, Build, Detail};

use support::parry_volumes::{Primitives, is_inside, piece, ray_hits_of};
use support::placed_scenes::{Place, TestScene, pair_of, random_stage};
use support::prelude::*;

/// Draws a ray as stored.
fn ray<T: Scalar>(random: &mut Random, at: V, size: f64) -> (Ray<T>, V, V) {
    let from = plus(at, times(random.direction(), size * random.between(0.0, 3.0)));
    let to = plus(at, times(random.direction(), size * random.between(0.0, 1.0)));
    let origin = Point3::from(from.map(T::nearest));
    let along = Vector3::from(minus(to, from)).normalize().map(T::nearest);
    let ray = Ray::new(origin, Unit::new_unchecked(along)).expect("a ray");
    (ray, std::array::from_fn(|i| origin[i].wide()), std::array::from_fn(|i| along[i].wide()))
}

#[derive(Default, Debug)]
pub struct CaseCounts {
    pub hit: usize,
    pub missed: usize,
    pub grazing: usize,
    pub inside: usize,
}

pub fn against_nodes<T: Scalar>(
    stage: &TestScene<T>,
    random: &mut Random,
    at: V,
    size: f64,
    seen: &mut CaseCounts,
) {
    let (mut buffers, mut ray_hits) = (Buffers::new(), RayHits::new());
    let now = stage.scene.snapshot(&mut buffers);
    let far = at.iter().fold(size, |far, x| far.max(x.abs()));
    let band = size * 300.0 * T::LEAF_SLACK + 1e-12 * far;
    for _ in 0..80 {
        let depth = random.below(7) as u8;
        let boxes = stage.boxes(depth);
        let (ray, origin, along) = ray::<T>(random, at, size);
        let length = random.chance(0.3).then(|| T::nearest(size * random.between(0.5, 3.0)));
        let end = length.map_or(f64::INFINITY, T::wide);
        let mut cast = RayCast::from(ray);
        cast.max_length = length;
        let filter = QueryFilter::all().detail(Detail::Boxes).accuracy(Accuracy::Depth(depth));
        now.ray_cast_all(cast, &filter, &mut ray_hits).expect("a question");
        let found: BTreeMap<Place, f64> =
            ray_hits.iter().map(|hit| (stage.place(&hit.target), hit.distance.wide())).collect();
        assert_eq!(found.len(), ray_hits.len(), "a box twice");
        assert!(ray_hits.is_sorted_by_key(|hit| (hit.distance.bits(), stage.place(&hit.target))));
        for (place, both) in &boxes {
            let (from, to) = piece(origin, along, both);
            let margin = (to - from).min(to).min(end - from);
            if margin.abs() < band {
                seen.grazing += 1;
                continue;
            }
            assert_eq!(found.contains_key(place), margin > 0.0, "{place:?} {margin:e} {origin:?}");
            if margin > 0.0 {
                seen.hit += 1;
                seen.inside += usize::from(from < 0.0);
                let off = (found[place] - from.max(0.0)).abs();
                // Shallow faces magnify the tolerance.
                assert!(off < 1e4 * band, "{off:e}");
            } else {
                seen.missed += 1;
            }
        }
        let first = ray_hits.first().map(|hit| (hit.distance.bits(), stage.place(&hit.target)));
        let closest = now.ray_cast(cast, &filter, &mut ray_hits).expect("a question");
        assert_eq!(closest.map(|hit| (hit.distance.bits(), stage.place(&hit.target))), first);
        assert_eq!(
            now.ray_cast_any(cast, &filter, &mut ray_hits).expect("a question"),
            first.is_some()
        );
        let filter = filter.detail(Detail::Bodies);
        now.ray_cast_all(cast, &filter, &mut ray_hits).expect("a question");
        let mut parts: BTreeMap<(usize, usize), f64> = BTreeMap::new();
        for (&(at, part, _), &t) in &found {
            let least = parts.entry((at, part)).or_insert(f64::INFINITY);
            *least = least.min(t);
        }
        let answer: BTreeMap<_, _> = ray_hits
            .iter()
            .map(|hit| (stage.place(&hit.target), hit.distance.wide()))
            .map(|((at, part, _), t)| ((at, part), t))
            .collect();
        assert_eq!(answer, parts);
    }
}

fn nodes<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    for far in [0.0, 1e3, 1e5] {
        let mut seen = CaseCounts::default();
        for _ in 0..12 {
            let at = [far, -far, 0.5 * far];
            let stage = random_stage::<T>(&mut random, at);
            against_nodes(&stage, &mut random, at, 3.0, &mut seen);
        }
        println!("far {far:e}: {seen:?}");
        assert!(seen.hit > 1_500 && seen.missed > 3_000 && seen.inside > 20);
        assert!(seen.grazing * 20 < seen.hit + seen.missed);
    }
}

/// Every triangle and box by parry3d: no miss, no false hit, and the closest hit is the closest.
pub fn exactly<T: Scalar>(
    stage: &TestScene<T>,
    random: &mut Random,
    (at, size): (V, f64),
    seen: &mut CaseCounts,
) {
    let (mut buffers, mut ray_hits) = (Buffers::new(), RayHits::new());
    let now = stage.scene.snapshot(&mut buffers);
    let (triangles, solids) = (stage.triangles(), stage.solids());
    for _ in 0..150 {
        let (ray, origin, along) = ray::<T>(random, at, size);
        let there = ((&triangles[..], &solids[..]), size);
        judge(stage, (&now, &mut ray_hits), there, (ray, (origin, along)), seen);
    }
}

/// Checks one ray.
pub fn judge<T: Scalar>(
    stage: &TestScene<T>,
    (now, ray_hits): (&Snapshot<'_, T>, &mut RayHits<T>),
    ((triangles, solids), size): (Primitives<'_>, f64),
    (ray, (origin, along)): (Ray<T>, (V, V)),
    seen: &mut CaseCounts,
) {
    let far = origin.iter().fold(size, |far, x| far.max(x.abs()));
    let band = size * 300.0 * T::LEAF_SLACK + 1e-12 * far;
    let (expected, close) = ray_hits_of((triangles, solids), (origin, along), (size, band));
    let filter = QueryFilter::all().detail(Detail::Boxes).accuracy(Accuracy::Exact);
    now.ray_cast_all(ray, &filter, ray_hits).expect("a question");
    let found: BTreeMap<Place, f64> =
        ray_hits.iter().map(|hit| (stage.place(&hit.target), hit.distance.wide())).collect();
    for (place, t) in &expected {
        if close.contains(place) {
            seen.grazing += 1;
            continue;
        }
        let ours = found.get(place).unwrap_or_else(|| panic!("missed {place:?} at {t}"));
        assert!((ours - t).abs() < 1e-3 * size, "{ours} {t}");
        seen.hit += 1;
        seen.inside += usize::from(*t == 0.0);
    }
    let starts_in = |(at, part, _): Place| is_inside(origin, (at, part), triangles);
    for hit in &ray_hits[..] {
        let place = stage.place(&hit.target);
        let near = expected.contains_key(&place) || close.contains(&place);
        if !near {
            assert!(hit.started_inside && starts_in(place), "invented {place:?}");
            seen.inside += 1;
        }
    }
    seen.missed += usize::from(expected.is_empty());
    let first = ray_hits.first().map(|hit| (hit.distance.bits(), stage.place(&hit.target)));
    let closest = now.ray_cast(ray, &filter, ray_hits).expect("a question");
    assert_eq!(closest.map(|hit| (hit.distance.bits(), stage.place(&hit.target))), first);
    let within = filter.clone().accuracy(Accuracy::Within(0.05 * size));
    let report = now.ray_cast_all(ray, &within, ray_hits).expect("a question");
    assert!(report.met && report.slack.wide() <= 0.05 * size);
    let parts: Vec<(usize, usize)> = ray_hits
        .iter()
        .map(|hit| stage.place(&hit.target))
        .map(|(at, part, _)| (at, part))
        .collect();
    let missed = found.keys().find(|(at, part, _)| !parts.contains(&(*at, *part)));
    assert_eq!(missed, None, "within a tolerance nothing is missed");
}

fn primitives<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    for far in [0.0, 1e3] {
        let mut seen = CaseCounts::default();
        for _ in 0..12 {
            let at = [far, -far, 0.5 * far];
            let stage = random_stage::<T>(&mut random, at);
            exactly(&stage, &mut random, (at, 3.0), &mut seen);
        }
        println!("exactly, far {far:e}: {seen:?}");
        assert!(seen.hit > 1_000 && seen.missed > 30);
    }
}

#[test]
fn fighters_by_themselves_and_by_parry() {
    let fighter = support::fighter::fighter().model;
    let mut builder = boxwood::Model::builder();
    for part in fighter.parts() {
        let mesh = part.tree().and_then(|tree| tree.geometry().mesh()).cloned();
        let geometry = mesh.map_or(boxwood::Geometry::None, boxwood::Geometry::Surface);
        builder = builder.part(part.name(), None, geometry).bind(*part.bind());
    }
    let model = builder.build(&Build::default()).expect("a model");
    let mut random = Random(31);
    let stage = pair_of(&model, &mut random, 1.0);
    let (mut seen, mut exact) = (CaseCounts::default(), CaseCounts::default());
    against_nodes(&stage, &mut random, [0.5, 0.0, 0.0], 1.0, &mut seen);
    exactly(&stage, &mut random, ([0.5, 0.0, 0.0], 1.0), &mut exact);
    println!("fighters: {seen:?}, exactly {exact:?}");
    assert!(seen.hit > 50 && exact.hit > 30);
}

#[test]
fn rays_at_real_characters_agree_with_nodes_and_parry() {
    let Some(data) = support::data::data() else { return };
    for name in ["kaykit-knight/Knight", "fox/Fox", "quaternius-spider/Spider"] {
        let path = data.join(format!("characters/{name}.glb"));
        let loaded: boxwood::Loaded = boxwood::load::gltf(path).expect("a character");
        let mut random = Random(41);
        let mut alone = boxwood::Scene::new();
        let key = alone.insert(&loaded.model, boxwood::Spawn::default()).expect("a character");
        let mut buffers = Buffers::new();
        let bounds = alone.snapshot(&mut buffers).character_aabb(key).expect("a key");
        let size = f64::from((bounds.max - bounds.min).norm());
        let stage = pair_of(&loaded.model, &mut random, 0.4 * size);
        let (mut seen, mut exact) = (CaseCounts::default(), CaseCounts::default());
        against_nodes(&stage, &mut random, [0.2 * size, 0.0, 0.0], 0.5 * size, &mut seen);
        exactly(&stage, &mut random, ([0.2 * size, 0.0, 0.0], 0.5 * size), &mut exact);
        println!("{name}: {seen:?}, exactly {exact:?}");
        assert!(seen.hit > 50 && exact.hit > 10);
    }
}

scalars! {
    every_node_by_itself => nodes(11; 12);
    every_primitive_by_parry => primitives(21; 22);
}
