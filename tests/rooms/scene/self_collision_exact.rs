//! Self-collision of parts that are separate, touching but for a hair, deep in each other or
//! degenerate, against the exact answer, which shares nothing with the crate. On random parts, the
//! fighter and real characters.

use std::sync::Arc;

use boxwood::Accuracy;
use boxwood::load::{Loaded, Loader};
use boxwood::model::{Model, SelfQueryScratch};
use boxwood::num::Scalar;
use boxwood::scene::{Buffers, Hits, Scene, Spawn};
use boxwood::shape::Pose;
use boxwood::{PairQuery, PartId};

use super::brute_force::ask_everything;
use super::exact_answers::Moment;
use support::brute_force::BruteForceCharacter;
use support::degenerate_parts::{KINDS, awkward, whole_pose};
use support::fighter::FILE;
use support::pair_regime::{REGIMES, Regime};
use support::plain_box::{V, minus, times};
use support::posed_characters::{Actor, any_part, end, model_of, moved, rebuilt};
use support::proof::at_least;
use support::random::Random;
use support::random_parts::{turned, vector};
use support::regime_counts::Verdicts;

type Pairs = Vec<(usize, usize)>;

/// Runs all queries on one set of poses; returns the exact touching pairs.
pub fn check<T: Scalar>(actor: &Actor<T>, poses: &[Pose<T>], random: &mut Random) -> Pairs {
    let (model, standing) = (&actor.model, actor.standing(poses));
    let truth = standing.with_itself(model);
    let (mut scene, mut buffers) = (Scene::new(), Buffers::new());
    let key = scene.insert(model, Spawn::default()).expect("a character");
    scene.set_parts(key, poses).expect("poses");
    let now = scene.snapshot(&mut buffers);
    let mut moment = Moment { now, keys: &[key], hits: Hits::new() };
    let mut scratch = SelfQueryScratch::default();
    let depths = [0, 1 + random.below(4) as u8, u8::MAX].map(Accuracy::Depth);
    let most = standing.size() * random.decade(-4.0, -0.5);
    let lax = [Accuracy::Within(most), Accuracy::Budget(random.below(200) as u32)];
    let exact = [Accuracy::Exact, Accuracy::Within(0.0), Accuracy::Budget(u32::MAX)];
    for accuracy in exact.into_iter().chain(depths).chain(lax) {
        let found = alone(model, poses, accuracy, &mut scratch);
        let there = moment.answer(&PairQuery::within(key).accuracy(accuracy));
        let there: Pairs = there.into_iter().map(|[a, b]| (a.1, b.1)).collect();
        if exact.contains(&accuracy) {
            assert_eq!(found, truth, "{accuracy:?}");
        }
        assert!(truth.iter().all(|pair| found.contains(pair)), "{accuracy:?} misses");
        assert!(accuracy == lax[1] || there == found, "{accuracy:?}: else in a scene");
        assert!(truth.iter().all(|pair| there.contains(pair)), "{accuracy:?} misses in a scene");
    }
    // The same by every two boxes without a tree, bit for bit. In one pose it does not know which
    // part comes first, and of what lies inside a solid, and touches none of its boxes, it knows
    // nothing.
    let inside = truth.iter().any(|&(i, j)| standing.holds(i, &standing, j));
    if !inside && (1..poses.len()).all(|i| !poses[..i].contains(&poses[i])) {
        let roster = [BruteForceCharacter { key, order: 0, at_rest: false }];
        ask_everything(&scene, &roster, 2_000, random);
    }
    truth
}

fn alone<T: Scalar>(
    model: &Model<T>,
    poses: &[Pose<T>],
    accuracy: Accuracy,
    scratch: &mut SelfQueryScratch<T>,
) -> Pairs {
    let found = model.self_pairs(poses, accuracy, scratch).expect("poses").to_vec();
    let any = model.self_intersects(poses, accuracy, scratch).expect("poses");
    assert_eq!(any, !found.is_empty(), "{accuracy:?}");
    found.iter().map(|(a, b)| (a.index(), b.index())).collect()
}

/// The same of the parts in reverse, after half a turn of everything, and 32 times as large: none
/// of it rounds.
fn invariant<T: Scalar>(model: &Model<T>, poses: &[Pose<T>], truth: &Pairs, random: &mut Random) {
    let (mut scratch, last) = (SelfQueryScratch::default(), model.len() - 1);
    let backwards: Vec<Pose<T>> = poses.iter().rev().copied().collect();
    let reversed = rebuilt(model, T::one(), true);
    let found = alone(&reversed, &backwards, Accuracy::Exact, &mut scratch);
    let mut found: Pairs = found.into_iter().map(|(a, b)| (last - b, last - a)).collect();
    found.sort_unstable();
    assert_eq!(found, *truth);
    let mut q = [0.0; 4];
    q[random.below(3)] = 1.0;
    let turn = support::random_parts::pose::<T>(q, [0.0; 3]);
    let turned: Vec<Pose<T>> = poses.iter().map(|pose| turn * pose).collect();
    assert_eq!(alone(model, &turned, Accuracy::Exact, &mut scratch), *truth);
    let mut large = poses.to_vec();
    large.iter_mut().for_each(|pose| pose.translation.vector *= T::nearest(32.0));
    let model = rebuilt(model, T::nearest(32.0), false);
    assert_eq!(alone(&model, &large, Accuracy::Exact, &mut scratch), *truth);
}

/// A part on a straight way out of another of the same character.
struct Limb<'a, T: Scalar> {
    actor: &'a Actor<T>,
    poses: Vec<Pose<T>>,
    part: usize,
    way: V,
}

impl<'a, T: Scalar> Limb<'a, T> {
    /// Moves two parts that the model does not ignore so that a point of one is on the other.
    fn new(
        actor: &'a Actor<T>,
        stance: &[Pose<T>],
        [part, other]: [usize; 2],
        random: &mut Random,
    ) -> Self {
        let standing = actor.standing(stance);
        let step = minus(standing.spot(other, random), standing.spot(part, random));
        let length = 2.0 * (standing.part_size(part) + standing.part_size(other));
        let (way, mut poses) = (times(random.direction(), length), stance.to_vec());
        poses[part] = moved(&poses[part..=part], step)[0];
        Limb { actor, poses, part, way }
    }

    fn stance(&self, share: f64) -> Vec<Pose<T>> {
        let mut poses = self.poses.clone();
        poses[self.part] = moved(&poses[self.part..=self.part], times(self.way, share))[0];
        poses
    }

    /// Whether the part touches any other that is tested.
    fn touches(&self, share: f64) -> bool {
        let poses = self.stance(share);
        let (standing, model) = (self.actor.standing(&poses), &self.actor.model);
        let counts =
            |&j: &usize| j != self.part && !model.ignores(PartId::new(self.part), PartId::new(j));
        (0..poses.len()).filter(counts).any(|j| standing.meet(self.part, &standing, j))
    }

    /// The poses of a regime: at the start, a hair before or behind the end of contact, or beyond.
    fn of(&self, regime: Regime, inside: bool, random: &mut Random) -> Vec<Pose<T>> {
        if regime == Regime::Deep {
            return self.stance(0.0);
        }
        let touching = end(|share| self.touches(share));
        if regime == Regime::Apart {
            let mut share = touching + random.decade(-2.0, -0.3);
            while self.touches(share) {
                share += 0.1;
            }
            return self.stance(share);
        }
        let far = self.poses[self.part].translation.vector.map(T::wide).norm();
        let least = 8.0 * T::ROUNDING * far / support::plain_box::norm(self.way);
        let hair = random.decade(-7.0, -5.0) + least;
        self.stance(touching + if inside { -hair } else { hair })
    }
}

/// Two parts with geometry that the model does not ignore.
fn two_of<T: Scalar>(actor: &Actor<T>, random: &mut Random) -> [usize; 2] {
    let solid = actor.figure.solid();
    loop {
        let [a, b] = [0, 1].map(|_| solid[random.below(solid.len())]);
        if a != b && !actor.model.ignores(PartId::new(a), PartId::new(b)) {
            return [a, b];
        }
    }
}

/// Parts far from each other, but for the first two, which do not count: they are in one place.
fn spread<T: Scalar>(
    parts: Vec<boxwood::tree::Geometry<T>>,
    from: V,
    random: &mut Random,
) -> Actor<T> {
    let count = parts.len();
    let mut builder = Model::builder().ignore("0", "1");
    for (index, geometry) in parts.into_iter().enumerate() {
        builder = builder.part(index.to_string(), None, geometry);
    }
    let model: Arc<Model<T>> = builder.build(&boxwood::Build::default()).expect("a model");
    let stance: Vec<Pose<T>> = (0..count).map(|_| turned(random, [0.0; 3])).collect();
    let mut stance = in_cells(&stance, 8.0);
    stance[0].translation = stance[1].translation;
    Actor::new(model, moved(&stance, from))
}

/// As they are turned, in a lattice of that width.
fn in_cells<T: Scalar>(poses: &[Pose<T>], width: f64) -> Vec<Pose<T>> {
    let put = |(index, pose): (usize, &Pose<T>)| {
        let cell = [index % 4, index / 4 % 4, index / 16].map(|k| width * k as f64);
        let mut pose = *pose;
        pose.translation.vector = vector(cell);
        pose
    };
    poses.iter().enumerate().map(put).collect()
}

/// Hand-made parts in the ways that are degenerate, as the round goes.
fn degenerate<T: Scalar>(round: usize, random: &mut Random) -> (Actor<T>, Vec<Pose<T>>) {
    let (single, inside) = (T::ROUNDING > 1e-10, (round / 5).is_multiple_of(2));
    let thin = |random: &mut Random, size: f64| {
        let kind = random.below(KINDS);
        awkward::<T>(random, kind, size)
    };
    if round.is_multiple_of(5) {
        // On whole coordinates, where it touches exactly or not at all.
        let parts: Vec<_> = (0..4).map(|_| thin(random, 1.0)).collect();
        let poses = (0..4).map(|_| whole_pose(random, 3, 1.0)).collect::<Vec<_>>();
        return (Actor::new(model_of(parts), poses.clone()), poses);
    }
    let tiny = random.decade(if single { -4.0 } else { -8.0 }, -2.0);
    let mut parts: Vec<_> = (0..6).map(|kind| any_part(random, kind)).collect();
    let far = times(random.direction(), if single { 1e4 } else { 1e9 });
    let (size, from) = match round % 5 {
        1 => (1.0, [0.0; 3]),
        2 => (tiny, [0.0; 3]),
        _ => (1.0, far),
    };
    parts[5] = thin(random, size);
    let actor = spread(parts, from, random);
    let poses = match round % 5 {
        3 => vec![turned(random, [0.3, -0.2, 0.1]); 6],
        _ => {
            let limb = Limb::new(&actor, &actor.stance, [5, 2 + random.below(3)], random);
            limb.of(Regime::Degenerate, inside, random)
        }
    };
    (actor, poses)
}

fn everywhere<T: Scalar>(seed: u64, rounds: usize) {
    let (mut random, mut verdicts) = (Random(seed), Verdicts::default());
    for round in 0..rounds {
        let (regime, inside) = (REGIMES[round % 4], round / 4 % 2 == 0);
        let (actor, poses) = match regime {
            Regime::Degenerate => degenerate::<T>(round / 4, &mut random),
            _ => {
                // More than are compared side by side, some of the time.
                let count = if round % 12 < 3 { 70 } else { 6 };
                let parts = (0..count).map(|kind| any_part(&mut random, kind)).collect();
                let actor = spread(parts, [0.0; 3], &mut random);
                let two = loop {
                    let two = two_of(&actor, &mut random);
                    if two[0] > 1 {
                        break two;
                    }
                };
                let limb = Limb::new(&actor, &actor.stance, two, &mut random);
                let poses = limb.of(regime, inside, &mut random);
                (actor, poses)
            }
        };
        let truth = check(&actor, &poses, &mut random);
        invariant(&actor.model, &poses, &truth, &mut random);
        verdicts.add(regime, !truth.is_empty());
    }
    verdicts.finish(std::any::type_name::<T>());
}

/// A character whose parts are laid out side by side, so that only the one that is brought to
/// another may touch it.
fn of_character<T: Scalar>(name: &str, loaded: &Loaded<T>, rounds: usize) {
    let (mut random, mut verdicts) = (Random(97), Verdicts::default());
    let bind = Actor::new(loaded.model.clone(), loaded.model.bind_poses());
    let there = bind.standing(&bind.stance);
    let largest = (0..bind.stance.len()).map(|part| there.part_size(part)).fold(0.0, f64::max);
    let actor = Actor::new(loaded.model.clone(), in_cells(&bind.stance, 5.0 * largest));
    for round in 0..rounds {
        let (regime, inside) = (REGIMES[round % 4], round / 4 % 2 == 0);
        let size = actor.standing(&actor.stance).size();
        let far = if regime == Regime::Degenerate { 1e3 * size } else { size };
        let at = turned(&mut random, [far, -far, 0.5 * far]);
        let stance = actor.placed(&at);
        let two = two_of(&actor, &mut random);
        let poses = match (regime, round / 4 % 4) {
            (Regime::Degenerate, 0) => vec![at; stance.len()],
            _ => Limb::new(&actor, &stance, two, &mut random).of(regime, inside, &mut random),
        };
        let truth = check(&actor, &poses, &mut random);
        verdicts.add(regime, !truth.is_empty());
    }
    verdicts.finish(name);
}

#[test]
fn random_parts_f32() {
    everywhere::<f32>(98, at_least(120, 24));
}

#[test]
fn random_parts_f64() {
    everywhere::<f64>(99, at_least(120, 24));
}

#[test]
fn the_fighter_f32() {
    let body: Loaded<f32> = Loader::new().gltf_bytes(FILE).expect("the fighter");
    of_character("fighter, f32", &body, at_least(48, 8));
}

#[test]
fn the_fighter_f64() {
    let body: Loaded<f64> = Loader::new().gltf_bytes(FILE).expect("the fighter");
    of_character("fighter, f64", &body, at_least(48, 8));
}

#[test]
fn real_characters() {
    let Some(data) = support::data::data() else { return };
    let files =
        [("fox/Fox", false), ("kaykit-knight/Knight", true), ("quaternius-spider/Spider", true)];
    for (name, solid) in files.into_iter().take(at_least(3, 2)) {
        let options = Loader::new().solid(solid);
        let file = data.join(format!("characters/{name}.glb"));
        let loaded: Loaded<f32> = options.gltf(file).expect("a character");
        of_character(&format!("{name}, solid {solid}"), &loaded, at_least(24, 8));
    }
}
