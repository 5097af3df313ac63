//! Rays and query shapes that are separate, touch within a hair, overlap deeply or are degenerate:
//! the hit parts by parry3d. On random parts, the fighter and real characters.

use boxwood::Accuracy;
use boxwood::scene::{Buffers, Overlaps, QueryFilter, QueryShape, RayHits, Report, Snapshot};
use boxwood::shape::Ray;

use super::rays::{CaseCounts, judge};
use super::touching_shapes::{KINDS, NAMES, region};
use support::pair_regime::{REGIMES, Regime, Tally};
use support::parry::Peer;
use support::placed_scenes::{TestScene, pair_of, random_stage};
use support::prelude::*;
use support::volume_world::World;

fn regions<T: Scalar>(
    stage: &TestScene<T>,
    rounds: usize,
    tallies: &mut [Tally; KINDS],
    random: &mut Random,
) {
    let world = World::of(stage);
    let (size, band) = (world.size, 2e-6 * world.size);
    let (mut buffers, mut overlaps) = (Buffers::new(), Overlaps::new());
    let now = stage.scene.snapshot(&mut buffers);
    let filter = QueryFilter::all().accuracy(Accuracy::Exact);
    let (mut met, mut apart, mut close) = (0, 0, 0);
    for (round, kind) in (0..rounds).flat_map(|r| (0..KINDS).map(move |k| (r, k))) {
        let regime = REGIMES[round % 4];
        let (at, out) = world.spot(random);
        let about = 0.1 * size;
        let hair = size * random.sign() * random.decade(-5.0, -3.0);
        let (way, gap) = match regime {
            Regime::Apart => (out, size * random.decade(-1.5, 0.5)),
            Regime::Touching => (out, hair),
            Regime::Deep => (random.direction(), -0.05 * size * random.share()),
            Regime::Degenerate => (
                random.direction(),
                if random.chance(0.5) { hair } else { -about * random.share() },
            ),
        };
        // A half-space is separate only beyond all parts, and touches only the farthest one.
        let at = match (kind, regime) {
            (5, Regime::Apart | Regime::Touching) => times(way, world.end(way)),
            // A point is deep only in solids.
            (0, Regime::Deep) if !world.solids.is_empty() => {
                world.solids[random.below(world.solids.len())].1.center
            }
            _ => at,
        };
        let (region, point) =
            region::<T>((kind, regime == Regime::Degenerate), (at, way, gap, about), random);
        let peer = Peer::query_shape(&region, 1e-12 * about);
        let expected = world.meets(&peer, point, band);
        if regime == Regime::Apart && expected.values().any(|met| *met != Some(false)) {
            continue;
        }
        now.overlaps(region, &filter, &mut overlaps).expect("a question");
        let found: Vec<(usize, usize)> =
            overlaps.iter().map(|node| stage.place(node)).map(|(at, part, _)| (at, part)).collect();
        assert!(found.is_sorted());
        for (part, answer) in &expected {
            let Some(answer) = answer else {
                close += 1;
                continue;
            };
            *(if *answer { &mut met } else { &mut apart }) += 1;
            assert_eq!(
                found.contains(part),
                *answer,
                "{} {regime:?} {part:?} {region:?}",
                NAMES[kind]
            );
        }
        assert_eq!(
            now.overlaps_any(region, &filter, &mut overlaps).expect("a question"),
            !found.is_empty()
        );
        // The hits of one character alone.
        let one = random.below(stage.keys.len());
        let his: Vec<_> = found.iter().copied().filter(|&(at, _)| at == one).collect();
        let of_one = QueryFilter::of(stage.keys[one]).accuracy(Accuracy::Exact);
        assert_eq!(parts(stage, &now, region, &of_one).0, his, "{} {region:?}", NAMES[kind]);
        // Coarser accuracies find no fewer parts, and none further than stated.
        let most = size * random.decade(-3.0, -1.0);
        for accuracy in [Accuracy::Depth(random.below(5) as u8), Accuracy::Within(most)] {
            let (coarse, report) = parts(stage, &now, region, &filter.clone().accuracy(accuracy));
            assert!(found.iter().all(|part| coarse.contains(part)), "{accuracy:?} {region:?}");
            let slack = report.slack.wide();
            assert!(accuracy != Accuracy::Within(most) || report.met && slack <= most * 1.000_001);
            for &part in coarse.iter().filter(|part| expected[part] == Some(false)) {
                let away = world.away(part, &peer);
                assert!(away <= slack + band, "{accuracy:?} {part:?} {away} {slack} {region:?}");
            }
        }
        tallies[kind].add(regime);
    }
    println!("parts met {met}, apart {apart}, too close to tell {close}");
    assert!(20 * met > apart && 20 * close < met + apart, "{met} {apart} {close}");
}

/// Returns the parts that overlap a query shape, in the order of the answer, and the report.
fn parts<T: Scalar>(
    stage: &TestScene<T>,
    now: &Snapshot<'_, T>,
    region: QueryShape<T>,
    filter: &QueryFilter,
) -> (Vec<(usize, usize)>, Report<T>) {
    let mut overlaps = Overlaps::new();
    let report = now.overlaps(region, filter, &mut overlaps).expect("a question");
    let places = overlaps.iter().map(|node| stage.place(node));
    (places.map(|(at, part, _)| (at, part)).collect(), report)
}

fn rays<T: Scalar>(stage: &TestScene<T>, rounds: usize, tally: &mut Tally, random: &mut Random) {
    let world = World::of(stage);
    let size = world.size;
    let (mut buffers, mut ray_hits) = (Buffers::new(), RayHits::new());
    let now = stage.scene.snapshot(&mut buffers);
    for round in 0..rounds {
        let regime = REGIMES[round % 4];
        let (at, out) = world.spot(random);
        let way = random.direction();
        let hair = 4.0 * 300.0 * T::LEAF_SLACK * size * random.between(1.0, 9.0);
        let (goal, way) = match regime {
            Regime::Apart => (plus(at, times(out, size * random.decade(-1.0, 1.0))), way),
            // Past a corner, by a hair, on either side.
            Regime::Touching => {
                match world.triangles.get(random.below(world.triangles.len().max(1))) {
                    Some((_, corners)) => {
                        (plus(corners[random.below(3)], times(random.direction(), hair)), way)
                    }
                    None => (plus(at, times(out, hair)), way),
                }
            }
            Regime::Deep => (at, way),
            // Along an axis, or from far away.
            Regime::Degenerate => {
                (at, [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]][random.below(3)])
            }
        };
        let back = if regime == Regime::Degenerate {
            size * random.decade(0.0, 2.0)
        } else {
            size * random.share()
        };
        let origin = Point3::from(minus(goal, times(way, back)).map(T::nearest));
        let along = Vector3::from(way).map(T::nearest);
        let ray = Ray::new(origin, Unit::new_unchecked(along)).expect("a ray");
        let line =
            (std::array::from_fn(|i| origin[i].wide()), std::array::from_fn(|i| along[i].wide()));
        let mut seen = CaseCounts::default();
        judge(
            stage,
            (&now, &mut ray_hits),
            ((&world.triangles, &world.solids), size),
            (ray, line),
            &mut seen,
        );
        // A query meant to miss everything that hits something is not counted.
        if regime != Regime::Apart || seen.hit + seen.grazing == 0 {
            tally.add(regime);
        }
    }
}

fn everywhere<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    let (mut tallies, mut of_rays): ([Tally; KINDS], Tally) = Default::default();
    for far in [0.0, 0.0, 0.0, 50.0, 50.0] {
        let stage = random_stage::<T>(&mut random, [far, -far, 0.5 * far]);
        regions(&stage, at_least(48, 12), &mut tallies, &mut random);
        rays(&stage, at_least(160, 40), &mut of_rays, &mut random);
    }
    tallies.iter().zip(NAMES).for_each(|(tally, name)| tally.finish(name));
    of_rays.finish("ray");
}

fn of_model(name: &str, model: &std::sync::Arc<boxwood::Model>, rounds: usize) {
    let mut random = Random(93);
    let mut alone = boxwood::Scene::new();
    let key = alone.insert(model, boxwood::Spawn::default()).expect("a character");
    let mut buffers = Buffers::new();
    let bounds = alone.snapshot(&mut buffers).character_aabb(key).expect("a key");
    let stage = pair_of(model, &mut random, 0.4 * f64::from(bounds.diagonal()));
    let (mut tallies, mut of_rays): ([Tally; KINDS], Tally) = Default::default();
    regions(&stage, rounds, &mut tallies, &mut random);
    rays(&stage, 4 * rounds, &mut of_rays, &mut random);
    tallies.iter().zip(NAMES).for_each(|(tally, kind)| tally.finish(&format!("{name}: {kind}")));
    of_rays.finish(&format!("{name}: ray"));
}

#[test]
fn the_fighter() {
    of_model("fighter", &support::fighter::fighter().model, at_least(40, 12));
}

#[test]
fn real_characters() {
    let Some(data) = support::data::data() else { return };
    let names = ["fox/Fox", "kaykit-knight/Knight", "quaternius-spider/Spider"];
    for name in names.into_iter().take(at_least(3, 2)) {
        let path = data.join(format!("characters/{name}.glb"));
        let loaded: boxwood::Loaded = boxwood::load::gltf(path).expect("a character");
        of_model(name, &loaded.model, 24);
    }
}

scalars! {
    random_parts => everywhere(91; 92);
}
