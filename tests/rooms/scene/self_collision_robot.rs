//! Self-collision of a robot that is separate, touching but for a hair of its joints' range, deep,
//! or at its joint limits, against the exact answer.

use boxwood::load::{Loader, Robot};
use boxwood::num::Scalar;
use boxwood::shape::Pose;

use super::self_collision_exact::check;
use support::pair_regime::{REGIMES, Regime};
use support::posed_characters::{Actor, end};
use support::random::Random;
use support::random_parts::turned;
use support::regime_counts::Verdicts;

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

    /// Within the limits, or at their ends.
    fn values(&self, ends: bool, random: &mut Random) -> Vec<T> {
        let actuators = self.robot.mechanism.actuators().iter();
        let limits = actuators.map(|actuator| actuator.limits.unwrap_or([-3.0, 3.0]));
        let share = |random: &mut Random| match ends {
            true => 0.5 * random.below(3) as f64,
            false => random.share(),
        };
        limits.map(|[low, high]| T::nearest(low + (high - low) * share(random))).collect()
    }

    /// Values with that verdict.
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
        let truth = check(&actor, &poses, &mut random);
        verdicts.add(regime, !truth.is_empty());
    }
    verdicts.finish(&format!("panda, {}", std::any::type_name::<T>()));
}

#[test]
fn a_robot_f32() {
    of_robot::<f32>(48);
}

#[test]
fn a_robot_f64() {
    of_robot::<f64>(48);
}
