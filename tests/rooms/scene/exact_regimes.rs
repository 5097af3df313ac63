//! Characters that are separate, touch within a hair, overlap deeply or are degenerate: every
//! answer of a scene against an exact one that shares no code with the crate. On random parts, the
//! fighter and real characters.

use boxwood::load::{Loaded, Loader};
use boxwood::motion::{Clip, Joints};
use boxwood::shape::Pose;

use super::exact_answers::Shot;
use support::degenerate_parts::{KINDS, awkward, whole_pose};
use support::fighter::FILE;
use support::pair_regime::{REGIMES, Regime};
use support::parry::Peers;
use support::posed_characters::{Actor, Way, moved, random_actor};
use support::prelude::*;
use support::regime_counts::Verdicts;

/// Places two characters along the way out of contact: at its start, a hair before or after its
/// end, or beyond.
fn on_way<'a, T: Scalar>(
    regime: Regime,
    way: &Way<'a, T>,
    inside: bool,
    random: &mut Random,
) -> Shot<'a, T> {
    let mut share = match regime {
        Regime::Deep => 0.0,
        Regime::Apart => way.end() + random.decade(-2.0, -0.3),
        _ => {
            // Far out at least one unit in the last place.
            let hair = random.decade(-7.0, -5.0) + way.least();
            way.end() + if inside { -hair } else { hair }
        }
    };
    while regime == Regime::Apart && way.touches(share) {
        share += 0.1;
    }
    let [a, b] = way.actors;
    Shot::new(vec![(a, way.first.clone()), (b, way.second(share))])
}

/// Counts and agreement with parry3d.
#[derive(Default)]
struct CaseCounts {
    verdicts: Verdicts,
    touching: usize,
    apart: usize,
    /// Pairs too close for parry3d to decide.
    close: usize,
}

impl CaseCounts {
    /// Runs all queries on a snapshot; `regime` says if the first two touch.
    fn shot<T: Scalar>(&mut self, regime: Regime, shot: &Shot<'_, T>, random: &mut Random) {
        self.verdicts.add(regime, shot.check(random));
        if matches!(regime, Regime::Apart | Regime::Deep) {
            self.peers(shot);
        }
    }

    /// Compares every two parts of the first two characters with parry3d: touching pairs have no
    /// distance there; separate pairs share no point or have a distance, unless closer than its
    /// rounding.
    fn peers<T: Scalar>(&mut self, shot: &Shot<'_, T>) {
        let ([(a, poses_a), (b, poses_b)], truth) = ([&shot.cast[0], &shot.cast[1]], shot.truth());
        let (peers, band) = ([a, b].map(|actor| Peers::of(&actor.model)), 1e-6 * shot.size);
        for (i, j) in (0..poses_a.len()).flat_map(|i| (0..poses_b.len()).map(move |j| (i, j))) {
            let (one, other) = ((&peers[0], i, &poses_a[i]), (&peers[1], j, &poses_b[j]));
            let far = || Peers::distance(one, other);
            if !truth.contains(&[(0, i), (1, j)]) {
                // Computing a distance takes far longer than a verdict.
                let Some(touching) = Peers::touch(one, other) else { continue };
                let apart = !touching || far().is_some_and(|far| far > 0.0);
                *(if apart { &mut self.apart } else { &mut self.close }) += 1;
                continue;
            }
            let Some(far) = far() else { continue };
            // Meshes are surfaces in parry3d.
            let inside = || shot.holds(&[(0, i), (1, j)]);
            assert!(far <= band || inside(), "{i} and {j} touch, but are {far} apart there");
            self.touching += 1;
        }
    }

    fn finish(&self, what: &str) {
        self.verdicts.finish(what);
        let CaseCounts { touching, apart, close, .. } = self;
        println!(
            "   parts, parry3d agrees: {touching} touching, {apart} apart; {close} too close to call"
        );
        assert!(*touching > 0 && *apart > 0 && 20 * close < touching + apart);
    }
}

/// Character of small, thin and point-like parts.
fn awkward_actor<T: Scalar>(random: &mut Random, count: usize, size: f64) -> Actor<T> {
    let parts = (0..count).map(|_| {
        let kind = random.below(KINDS);
        awkward(random, kind, size)
    });
    let model = model_of(parts.collect());
    let stance = (0..count).map(|_| whole_pose(random, 1, size)).collect();
    Actor::new(model, stance)
}

/// Returns degenerate characters of hand-made parts; the kind depends on the round.
fn degenerate<T: Scalar>(
    round: usize,
    random: &mut Random,
    mut each: impl FnMut(&Shot<'_, T>, &mut Random),
) {
    let inside = (round / 5).is_multiple_of(2);
    let single = T::ROUNDING > 1e-10;
    let tiny = if single { random.decade(-4.0, -2.0) } else { random.decade(-8.0, -2.0) };
    let (thin, other) = (awkward_actor::<T>(random, 4, 1.0), awkward_actor::<T>(random, 4, 1.0));
    let small = awkward_actor::<T>(random, 3, tiny);
    let (a, b) = (random_actor::<T>(random, 4, 1.5), random_actor::<T>(random, 5, 1.5));
    let near = turned(random, [0.5, -0.5, 2.0]);
    let out = times(random.direction(), if single { 1e4 } else { 1e9 });
    let far = turned(random, out);
    let hair = |actors, at: &Pose<T>, random: &mut Random| {
        on_way(Regime::Degenerate, &Way::new(actors, at, random), inside, random)
    };
    let shot = match round % 5 {
        // Integer coordinates: the parts touch exactly or not at all.
        0 => {
            let at = whole_pose(random, 2, 1.0);
            Shot::new(vec![(&thin, thin.stance.clone()), (&other, other.placed(&at))])
        }
        1 => hair([&thin, &b], &near, random),
        2 => hair([&a, &small], &near, random),
        3 => {
            let poses = a.placed(&near);
            Shot::new(vec![(&a, poses.clone()), (&a, poses)])
        }
        _ => hair([&a, &b], &far, random),
    };
    each(&shot, random);
}

/// Adds a third character, a copy of the second nearby.
fn with_another<'a, T: Scalar>(mut shot: Shot<'a, T>, random: &mut Random) -> Shot<'a, T> {
    let (actor, poses) = &shot.cast[1];
    let step = times(random.direction(), shot.size * random.share());
    let third = (*actor, moved(poses, step));
    shot.cast.push(third);
    shot
}

fn everywhere<T: Scalar>(seed: u64, rounds: usize) {
    let (mut random, mut seen) = (Random(seed), CaseCounts::default());
    for round in 0..rounds {
        let regime = REGIMES[round % 4];
        if regime == Regime::Degenerate {
            degenerate::<T>(round / 4, &mut random, |shot, random| {
                seen.shot(regime, shot, random);
            });
            continue;
        }
        // Sometimes more parts than one batch.
        let count = if round % 12 < 3 { 70 } else { 5 };
        let (a, b) = (random_actor(&mut random, 4, 1.5), random_actor(&mut random, count, 1.5));
        let far = [0.0, 1.0, 10.0][random.below(3)];
        let at = times(random.direction(), far);
        let at = turned::<T>(&mut random, at);
        let mut way = Way::new([&a, &b], &at, &mut random);
        // Rounding may separate two that only share a point of their surfaces.
        while regime == Regime::Deep && !way.touches(0.0) {
            way = Way::new([&a, &b], &at, &mut random);
        }
        let shot = on_way(regime, &way, round / 4 % 2 == 0, &mut random);
        let shot = with_another(shot, &mut random);
        seen.shot(regime, &shot, &mut random);
        if round % 3 == 0 {
            shot.check_moved(&mut random);
        }
    }
    seen.finish(std::any::type_name::<T>());
}

/// Checks given characters, and degenerate poses of them.
fn of_actors<T: Scalar>(name: &str, actors: &[Actor<T>], rounds: usize) {
    let (mut random, mut seen) = (Random(95), CaseCounts::default());
    for round in 0..rounds {
        let (regime, inside) = (REGIMES[round % 4], round / 4 % 2 == 0);
        let [a, b] = [0, 1].map(|_| &actors[random.below(actors.len())]);
        let size = a.standing(&a.stance).size();
        let at = times(random.direction(), size * random.share());
        let near = turned(&mut random, at);
        let far = turned(&mut random, times(at, 1e3));
        let large = size * [1e-3, 0.3, 10.0][random.below(3)];
        let prop = awkward_actor::<T>(&mut random, 1, large);
        let shot = match (regime, round / 4 % 4) {
            (Regime::Degenerate, 0) => Shot::new(vec![(a, a.placed(&near)), (a, a.placed(&near))]),
            (Regime::Degenerate, 1) => {
                on_way(regime, &Way::new([a, b], &far, &mut random), inside, &mut random)
            }
            (Regime::Degenerate, _) => {
                on_way(regime, &Way::new([a, &prop], &near, &mut random), inside, &mut random)
            }
            _ => on_way(regime, &Way::new([a, b], &near, &mut random), inside, &mut random),
        };
        seen.shot(regime, &shot, &mut random);
    }
    seen.finish(name);
}

/// Poses the characters in some of their clips, or in the bind pose without clips.
fn actors<T: Scalar>(loaded: &Loaded<T>, most: usize) -> Vec<Actor<T>> {
    let model = |clip: Option<&Clip<T>>| {
        let stance = clip.map_or_else(
            || loaded.model.bind_poses(),
            |clip| {
                let middle = clip.duration() * T::nearest(0.4);
                clip.sample(middle, &mut Joints::new()).expect("a sample").to_vec()
            },
        );
        Actor::new(loaded.model.clone(), stance)
    };
    let clips: Vec<_> = loaded.clips.iter().take(most).collect();
    if clips.is_empty() {
        vec![model(None)]
    } else {
        clips.into_iter().map(|c| model(Some(c))).collect()
    }
}

fn the_fighter<T: Scalar>(rounds: usize) {
    let body: Loaded<T> = Loader::new().gltf_bytes(FILE).expect("the fighter");
    of_actors("fighter", &actors(&body, 4), rounds);
}

#[test]
fn real_characters() {
    let Some(data) = support::data::data() else { return };
    let files = [
        ("fox/Fox", false),
        ("kaykit-knight/Knight", true),
        ("quaternius-spider/Spider", true),
        ("cesium-man/CesiumMan", false),
    ];
    for (name, solid) in files.into_iter().take(at_least(4, 1)) {
        let options = Loader::new().solid(solid);
        let file = data.join(format!("characters/{name}.glb"));
        let loaded: Loaded<f32> = options.gltf(file).expect("a character");
        of_actors(&format!("{name}, solid {solid}"), &actors(&loaded, 2), at_least(24, 8));
    }
}

scalars! {
    random_parts => everywhere(93, at_least(120, 40); 94, at_least(120, 40));
    the_fighter => the_fighter(at_least(48, 8); at_least(24, 8));
}
