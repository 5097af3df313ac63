//! Characters separate, touching but for a hair, deep in each other or degenerate: every answer of
//! a scene against the exact one, which shares nothing with the crate. On random parts, the fighter
//! and real characters.

use std::sync::Arc;

use boxwood::load::{Loaded, Loader};
use boxwood::model::Model;
use boxwood::motion::{Clip, Joints};
use boxwood::num::Scalar;
use boxwood::scene::{Buffers, Hits, Scene, Spawn};
use boxwood::shape::Pose;

use super::brute_force::ask_everything;
use super::exact_answers::{Line, Moment};
use support::brute_force::BruteForceCharacter;
use support::degenerate_parts::{KINDS, awkward, whole_pose};
use support::fighter::FILE;
use support::pair_regime::{REGIMES, Regime};
use support::parry_parts::Peers;
use support::plain_box::times;
use support::posed_characters::{Actor, Way, model_of, moved, random_actor, rebuilt};
use support::proof::at_least;
use support::random::Random;
use support::random_parts::turned;
use support::regime_counts::Verdicts;

/// One snapshot: characters and poses. The first two are in the regime; there may be a third
/// nearby.
struct Shot<'a, T: Scalar> {
    cast: Vec<(&'a Actor<T>, Vec<Pose<T>>)>,
    size: f64,
}

impl<'a, T: Scalar> Shot<'a, T> {
    fn of(first: (&'a Actor<T>, Vec<Pose<T>>), second: (&'a Actor<T>, Vec<Pose<T>>)) -> Self {
        let size = first.0.standing(&first.1).size() + second.0.standing(&second.1).size();
        Shot { cast: vec![first, second], size }
    }

    /// On the way out: just started, a hair before or behind its end, or beyond.
    fn on_way(regime: Regime, way: &Way<'a, T>, inside: bool, random: &mut Random) -> Self {
        let mut share = match regime {
            Regime::Deep => 0.0,
            Regime::Apart => way.end() + random.decade(-2.0, -0.3),
            _ => {
                // Far out no less than one unit in the last place.
                let hair = random.decade(-7.0, -5.0) + way.least();
                way.end() + if inside { -hair } else { hair }
            }
        };
        while regime == Regime::Apart && way.touches(share) {
            share += 0.1;
        }
        let [a, b] = way.actors;
        Shot::of((a, way.first.clone()), (b, way.second(share)))
    }

    fn scene(
        &self,
        model: impl Fn(&'a Actor<T>) -> Arc<Model<T>>,
        pose: impl Fn(&Pose<T>) -> Pose<T>,
    ) -> (Scene<T>, Vec<BruteForceCharacter>) {
        let mut scene = Scene::new();
        let stand = |(order, (actor, poses)): (usize, &(&'a Actor<T>, Vec<Pose<T>>))| {
            let order = order as u64;
            let spawn = Spawn::default().order(order);
            let key = scene.insert(&model(actor), spawn).expect("a character");
            scene.set_parts(key, &poses.iter().map(&pose).collect::<Vec<_>>()).expect("poses");
            BruteForceCharacter { key, order, at_rest: false }
        };
        let roster = self.cast.iter().enumerate().map(stand).collect();
        (scene, roster)
    }

    /// Whether of two parts that touch one is inside the other.
    fn holds(&self, [a, b]: &Line) -> bool {
        let standing = |at: usize| self.cast[at].0.standing(&self.cast[at].1);
        standing(a.0).holds(a.1, &standing(b.0), b.1)
    }

    /// Whether any part is inside another, also within one character.
    fn hides(&self, truth: &[Line]) -> bool {
        let own = self.cast.iter().enumerate().flat_map(|(at, (actor, poses))| {
            let pairs = actor.standing(poses).with_itself(&actor.model);
            pairs.into_iter().map(move |(i, j)| [(at, i), (at, j)])
        });
        own.chain(truth.iter().copied()).any(|line| self.holds(&line))
    }

    /// All touching pairs, exactly.
    fn truth(&self) -> Vec<Line> {
        let mut truth = Vec::new();
        for (i, (a, poses_a)) in self.cast.iter().enumerate() {
            for (j, (b, poses_b)) in self.cast.iter().enumerate().skip(i + 1) {
                let touching = a.standing(poses_a).touching(&b.standing(poses_b));
                truth.extend(touching.into_iter().map(|(p, q)| [(i, p), (j, q)]));
            }
        }
        // As answers are sorted.
        truth.sort_unstable();
        truth
    }
}

/// Counts so far, and agreement with parry3d.
#[derive(Default)]
struct CaseCounts {
    verdicts: Verdicts,
    touching: usize,
    apart: usize,
    /// Too close for the other library to decide.
    close: usize,
}

impl CaseCounts {
    /// Runs all queries on a snapshot; the verdict is whether the first two touch.
    fn shot<T: Scalar>(&mut self, regime: Regime, shot: &Shot<'_, T>, random: &mut Random) {
        let truth = shot.truth();
        let (scene, roster) = shot.scene(|actor| actor.model.clone(), |pose| *pose);
        let keys: Vec<_> = roster.iter().map(|living| living.key).collect();
        let mut buffers = Buffers::new();
        let now = scene.snapshot(&mut buffers);
        let [(_, first), (_, second)] = [&shot.cast[0], &shot.cast[1]];
        let same = first.iter().any(|pose| second.contains(pose));
        let mut moment = Moment { now, keys: &keys, hits: Hits::new() };
        moment.check(&truth, shot.size, random);
        // Every two boxes without a tree, bit for bit: that test ignores the order of trees in one
        // pose, and containment in solids.
        if !same && !shot.hides(&truth) {
            ask_everything(&scene, &roster, 2_000, random);
        }
        if matches!(regime, Regime::Apart | Regime::Deep) {
            self.peers(shot, &truth);
        }
        self.verdicts.add(regime, truth.iter().any(|[a, b]| (a.0, b.0) == (0, 1)));
    }

    /// The other library on every two parts of the first two: touching pairs have no distance
    /// there, and separate ones share no point or have one, unless closer than its rounding.
    fn peers<T: Scalar>(&mut self, shot: &Shot<'_, T>, truth: &[Line]) {
        let [(a, poses_a), (b, poses_b)] = [&shot.cast[0], &shot.cast[1]];
        let (peers, band) = ([a, b].map(|actor| Peers::of(&actor.model)), 1e-6 * shot.size);
        for (i, j) in (0..poses_a.len()).flat_map(|i| (0..poses_b.len()).map(move |j| (i, j))) {
            let (one, other) = ((&peers[0], i, &poses_a[i]), (&peers[1], j, &poses_b[j]));
            let far = || Peers::distance(one, other);
            if !truth.contains(&[(0, i), (1, j)]) {
                // A distance takes far longer than a verdict.
                let Some(touching) = Peers::touch(one, other) else { continue };
                let apart = !touching || far().is_some_and(|far| far > 0.0);
                *(if apart { &mut self.apart } else { &mut self.close }) += 1;
                continue;
            }
            let Some(far) = far() else { continue };
            // Meshes are surfaces there.
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

/// Exactly the same answers after half a turn of everything about an axis, and of everything 32
/// times as large: neither rounds.
fn invariant<T: Scalar>(shot: &Shot<'_, T>, random: &mut Random) {
    let truth = shot.truth();
    let axis = random.below(3);
    let half_turn = |pose: &Pose<T>| {
        let mut q = [T::zero(); 4];
        q[axis] = T::one();
        support::random_parts::pose::<T>(q.map(T::wide), [0.0; 3]) * pose
    };
    let large = T::nearest(32.0);
    let larger = |pose: &Pose<T>| {
        let mut pose = *pose;
        pose.translation.vector *= large;
        pose
    };
    let turned = shot.scene(|actor| actor.model.clone(), half_turn);
    let enlarged = shot.scene(|actor| rebuilt(&actor.model, large, false), larger);
    for (scene, roster) in [turned, enlarged] {
        let keys: Vec<_> = roster.iter().map(|living| living.key).collect();
        let mut buffers = Buffers::new();
        let mut moment =
            Moment { now: scene.snapshot(&mut buffers), keys: &keys, hits: Hits::new() };
        let exactly = boxwood::PairQuery::all().accuracy(boxwood::Accuracy::Exact);
        assert_eq!(moment.answer(&exactly), truth);
    }
}

/// Small ones, thin ones and points.
fn awkward_actor<T: Scalar>(random: &mut Random, count: usize, size: f64) -> Actor<T> {
    let parts = (0..count).map(|_| {
        let kind = random.below(KINDS);
        awkward(random, kind, size)
    });
    let model = model_of(parts.collect());
    let stance = (0..count).map(|_| whole_pose(random, 1, size)).collect();
    Actor::new(model, stance)
}

/// Degenerate characters of hand-made parts, in the kinds that the round goes through.
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
        Shot::on_way(Regime::Degenerate, &Way::new(actors, at, random), inside, random)
    };
    let shot = match round % 5 {
        // On whole coordinates, where it touches exactly or not at all.
        0 => {
            let at = whole_pose(random, 2, 1.0);
            Shot::of((&thin, thin.stance.clone()), (&other, other.placed(&at)))
        }
        1 => hair([&thin, &b], &near, random),
        2 => hair([&a, &small], &near, random),
        3 => {
            let poses = a.placed(&near);
            Shot::of((&a, poses.clone()), (&a, poses))
        }
        _ => hair([&a, &b], &far, random),
    };
    each(&shot, random);
}

/// Three characters in a round, of which the third is a copy of the second somewhere near.
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
        // More than are compared side by side, some of the time.
        let count = if round % 12 < 3 { 70 } else { 5 };
        let (a, b) = (random_actor(&mut random, 4, 1.5), random_actor(&mut random, count, 1.5));
        let far = [0.0, 1.0, 10.0][random.below(3)];
        let at = times(random.direction(), far);
        let way = Way::new([&a, &b], &turned::<T>(&mut random, at), &mut random);
        let shot = Shot::on_way(regime, &way, round / 4 % 2 == 0, &mut random);
        let shot = with_another(shot, &mut random);
        seen.shot(regime, &shot, &mut random);
        if round % 3 == 0 {
            invariant(&shot, &mut random);
        }
    }
    seen.finish(std::any::type_name::<T>());
}

/// Given characters, and degenerate poses of them.
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
            (Regime::Degenerate, 0) => Shot::of((a, a.placed(&near)), (a, a.placed(&near))),
            (Regime::Degenerate, 1) => {
                Shot::on_way(regime, &Way::new([a, b], &far, &mut random), inside, &mut random)
            }
            (Regime::Degenerate, _) => {
                Shot::on_way(regime, &Way::new([a, &prop], &near, &mut random), inside, &mut random)
            }
            _ => Shot::on_way(regime, &Way::new([a, b], &near, &mut random), inside, &mut random),
        };
        seen.shot(regime, &shot, &mut random);
    }
    seen.finish(name);
}

/// In the middle of some of its clips; as it is bound, if it has none.
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

#[test]
fn random_parts_f32() {
    everywhere::<f32>(93, at_least(120, 40));
}

#[test]
fn random_parts_f64() {
    everywhere::<f64>(94, at_least(120, 40));
}

#[test]
fn the_fighter_f32() {
    let body: Loaded<f32> = Loader::new().gltf_bytes(FILE).expect("the fighter");
    of_actors("fighter, f32", &actors(&body, 4), at_least(48, 8));
}

#[test]
fn the_fighter_f64() {
    let body: Loaded<f64> = Loader::new().gltf_bytes(FILE).expect("the fighter");
    of_actors("fighter, f64", &actors(&body, 4), at_least(24, 8));
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
