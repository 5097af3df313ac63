//! Self-collision of parts that are separate, touch within a hair, overlap deeply or are
//! degenerate, against an exact answer that shares no code with the crate. On random parts, the
//! fighter, real characters, and a robot.

use std::sync::Arc;

use boxwood::PartId;
use boxwood::load::{Loaded, Loader, Robot};
use boxwood::model::Model;
use boxwood::shape::Pose;

use super::brute_force::random_model;
use super::exact_answers::Shot;
use support::degenerate_parts::{KINDS, awkward, whole_pose};
use support::fighter::FILE;
use support::pair_regime::{REGIMES, Regime};
use support::posed_characters::{Actor, any_part, end, moved};
use support::prelude::*;
use support::regime_counts::Verdicts;

/// Part on a straight way out of another part of the same character.
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

    /// Returns `true` if the part touches any other that is tested.
    fn touches(&self, share: f64) -> bool {
        let poses = self.stance(share);
        let (standing, model) = (self.actor.standing(&poses), &self.actor.model);
        let counts =
            |&j: &usize| j != self.part && !model.ignores(PartId::new(self.part), PartId::new(j));
        (0..poses.len()).filter(counts).any(|j| standing.meet(self.part, &standing, j))
    }

    /// Returns the poses of a regime: at the start, a hair before or after the end of contact, or
    /// beyond.
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

/// Draws two parts with geometry that the model does not ignore.
fn two_of<T: Scalar>(actor: &Actor<T>, random: &mut Random) -> [usize; 2] {
    let solid = actor.figure.solid();
    loop {
        let [a, b] = [0, 1].map(|_| solid[random.below(solid.len())]);
        if a != b && !actor.model.ignores(PartId::new(a), PartId::new(b)) {
            return [a, b];
        }
    }
}

/// Places parts far from each other, except the first two, which are ignored and share a position.
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

/// Returns the poses with their rotations, in a lattice of the given width.
fn in_cells<T: Scalar>(poses: &[Pose<T>], width: f64) -> Vec<Pose<T>> {
    let put = |(index, pose): (usize, &Pose<T>)| {
        let cell = [index % 4, index / 4 % 4, index / 16].map(|k| width * k as f64);
        let mut pose = *pose;
        pose.translation.vector = vector(cell);
        pose
    };
    poses.iter().enumerate().map(put).collect()
}

/// Builds degenerate hand-made parts; the kind depends on the round.
fn degenerate<T: Scalar>(round: usize, random: &mut Random) -> (Actor<T>, Vec<Pose<T>>) {
    let (single, inside) = (T::ROUNDING > 1e-10, (round / 5).is_multiple_of(2));
    let thin = |random: &mut Random, size: f64| {
        let kind = random.below(KINDS);
        awkward::<T>(random, kind, size)
    };
    if round.is_multiple_of(5) {
        // Integer coordinates: the parts touch exactly or not at all.
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
                // Sometimes more parts than one batch.
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
        let shot = Shot::new(vec![(&actor, poses)]);
        verdicts.add(regime, shot.check(&mut random));
        shot.check_moved(&mut random);
    }
    verdicts.finish(std::any::type_name::<T>());
}

/// Checks a character whose parts are laid out side by side, so that only the part brought to
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
        let shot = Shot::new(vec![(&actor, poses)]);
        verdicts.add(regime, shot.check(&mut random));
    }
    verdicts.finish(name);
}

fn the_fighter<T: Scalar>() {
    let body: Loaded<T> = Loader::new().gltf_bytes(FILE).expect("the fighter");
    of_character("fighter", &body, at_least(48, 8));
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

/// Checks models with joints without geometry and ignored neighbours, in random poses.
fn random_models<T: Scalar>() {
    let (mut random, mut touching) = (Random(91), 0);
    for _ in 0..at_least(120, 60) {
        let model = random_model::<T>(&mut random);
        let pose = |random: &mut Random| {
            let at = times(random.direction(), random.between(0.0, 2.0));
            turned(random, at)
        };
        let poses: Vec<Pose<T>> = (0..model.len()).map(|_| pose(&mut random)).collect();
        let actor = Actor::new(model, poses.clone());
        touching += usize::from(Shot::new(vec![(&actor, poses)]).check(&mut random));
    }
    assert!(touching > 15, "{touching}");
}

/// Joint values of a robot, some between a configuration in self-collision and one without.
struct Joints<'a, T: Scalar> {
    robot: &'a Robot<T>,
    actor: &'a Actor<T>,
}

impl<T: Scalar> Joints<'_, T> {
    fn poses(&self, values: &[T], at: &Pose<T>) -> Vec<Pose<T>> {
        let mut poses = Vec::new();
        self.robot.mechanism.poses_unlimited(values, &mut poses).expect("finite");
        poses.iter().map(|pose| at * pose).collect()
    }

    fn touches(&self, poses: &[Pose<T>]) -> bool {
        !self.actor.standing(poses).with_itself(&self.actor.model).is_empty()
    }

    /// Returns random values within the limits, or at their ends.
    fn values(&self, ends: bool, random: &mut Random) -> Vec<T> {
        let actuators = self.robot.mechanism.actuators().iter();
        let limits = actuators.map(|actuator| actuator.limits.unwrap_or([-3.0, 3.0]));
        let share = |random: &mut Random| match ends {
            true => 0.5 * random.below(3) as f64,
            false => random.share(),
        };
        limits.map(|[low, high]| T::nearest(low + (high - low) * share(random))).collect()
    }

    /// Returns values with the given verdict.
    fn that(&self, touches: bool, ends: bool, at: &Pose<T>, random: &mut Random) -> Vec<T> {
        loop {
            let values = self.values(ends, random);
            if self.touches(&self.poses(&values, at)) == touches {
                return values;
            }
        }
    }

    fn stance(&self, regime: Regime, inside: bool, random: &mut Random) -> Vec<Pose<T>> {
        let far = if regime == Regime::Degenerate { 1e3 } else { 1.0 };
        let at = turned(random, [far, -0.3, 0.5 * far]);
        if regime != Regime::Touching {
            let (ends, touches) = match regime {
                Regime::Degenerate => (true, inside),
                regime => (false, regime == Regime::Deep),
            };
            return self.poses(&self.that(touches, ends, &at, random), &at);
        }
        let [from, to] = [true, false].map(|touches| self.that(touches, false, &at, random));
        let between = |share: f64| -> Vec<Pose<T>> {
            let pairs = from.iter().zip(&to).map(|(a, b)| (a.wide(), b.wide()));
            let values = pairs.map(|(a, b)| T::nearest(a + (b - a) * share));
            self.poses(&values.collect::<Vec<_>>(), &at)
        };
        let hair = random.decade(-7.0, -5.0) + 8.0 * T::ROUNDING;
        let share = end(|share| self.touches(&between(share)));
        between(share + if inside { -hair } else { hair })
    }
}

fn of_robot<T: Scalar>(rounds: usize) {
    let Some(data) = support::data::data() else { return };
    let file = data.join("robots/panda/urdf/panda.urdf");
    let robot: Robot<T> = Loader::new().urdf(file).expect("a robot");
    let actor = Actor::new(robot.model.clone(), robot.model.bind_poses());
    let (joints, mut random) = (Joints { robot: &robot, actor: &actor }, Random(100));
    let mut verdicts = Verdicts::default();
    for round in 0..rounds {
        let regime = REGIMES[round % 4];
        let poses = joints.stance(regime, round / 4 % 2 == 0, &mut random);
        let shot = Shot::new(vec![(&actor, poses)]);
        verdicts.add(regime, shot.check(&mut random));
    }
    verdicts.finish(&format!("panda, {}", std::any::type_name::<T>()));
}

scalars! {
    random_parts => everywhere(98, at_least(120, 40); 99, at_least(120, 40));
    the_fighter => the_fighter();
    random_models_with_ignored_pairs => random_models();
    a_robot => of_robot(at_least(48, 12));
}
