//! Two chains of parts whose joints turn within a tick, against the distance of all primitives at
//! many times: no sample touches before [`Impact::clear_until`] or without an impact, and at
//! [`Impact::time`] the two are no further apart than the slack.

use boxwood::scene::{
    CharacterKey, Impact, MotionBuffers, QueryScratch, Scene, SceneMotion, Spawn,
};
use boxwood::{Accuracy, PairQuery, PartId};

use support::moving_parts::{chain, distance, joint_poses, solid_parts, tick, turn};
use support::prelude::*;

/// Two chains before and after a tick.
pub struct Duel<T: Scalar> {
    pub before: Scene<T>,
    pub after: Scene<T>,
    pub keys: [CharacterKey; 2],
}

impl<T: Scalar> Duel<T> {
    /// Draws chains whose joints turn by up to an angle, far from the origin by a length.
    pub fn random(random: &mut Random, angle: f64, far: f64) -> Self {
        let mut before = Scene::new();
        let mut motions = Vec::new();
        let keys = [0, 1].map(|side| {
            let parts = 1 + random.below(4);
            let model = chain::<T>(random, parts);
            let place =
                random.vector(0.5).add_scalar(far) + nalgebra::Vector3::x() * (0.5 * side as f64);
            let root = Isometry3::from_parts(place.into(), turn(random, 3.0));
            let way = random.between(0.0, 2.0);
            motions.push(tick(random, &model, root, (angle, way)));
            before.insert(&model, Spawn::default()).expect("a chain")
        });
        let mut after = before.clone();
        for (key, [first, last]) in keys.into_iter().zip(&motions) {
            before.set_parts(key, first).expect("poses");
            after.set_parts(key, last).expect("poses");
        }
        Duel { before, after, keys }
    }

    /// Returns the poses of a character's parts at a time.
    pub fn poses(&self, side: usize, time: f64) -> Vec<Isometry3<f64>> {
        let key = self.keys[side];
        let ends = [&self.before, &self.after].map(|scene| scene.poses(key).expect("a key"));
        joint_poses(self.after.model(key).expect("a key"), ends, None, time)
    }

    /// Computes the distance of two parts at a time, at most `most`.
    pub fn distance(&self, parts: [PartId; 2], time: f64, most: f64) -> f64 {
        let of = [0, 1].map(|side| (self.poses(side, time), parts[side].index()));
        let tree = |side: usize| {
            let model = self.after.model(self.keys[side]).expect("a key");
            model[parts[side]].tree().expect("geometry")
        };
        distance([(tree(0), &of[0].0[of[0].1]), (tree(1), &of[1].0[of[1].1])], most)
    }

    pub fn query(&self, tolerance: f64) -> PairQuery<'static> {
        PairQuery::between(self.keys[0], self.keys[1]).accuracy(Accuracy::Within(tolerance))
    }
}

/// Rounding of positions at that distance from the origin.
pub fn rounding<T: Scalar>(far: f64) -> f64 {
    40.0 * T::ROUNDING * (10.0 + far) + 1e-11 * (10.0 + far)
}

/// Finds the impacts of a motion.
pub fn impacts<T: Scalar>(duel: &Duel<T>, query: &PairQuery<'_>) -> Vec<Impact<T>> {
    let (mut buffers, mut scratch) = (MotionBuffers::new(), QueryScratch::new());
    let motion = SceneMotion::between(&duel.before, &duel.after, &mut buffers).expect("one scene");
    let mut impacts = Vec::new();
    motion.impacts(query, &mut scratch, &mut impacts).expect("a query");
    let first = motion.first_impact(query, &mut scratch).expect("a query");
    assert_eq!(first.as_ref(), impacts.first());
    assert_eq!(motion.intersects(query, &mut scratch), Ok(!impacts.is_empty()));
    impacts
}

fn sampled<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    let (mut hits, mut passes, mut misses, mut touching) = (0, 0, 0, 0);
    let rounds = at_least(150, 30);
    for round in 0..rounds {
        let far = [0.0, 0.0, 30.0][round % 3];
        let angle = [0.2, 1.0, 3.0][round / 3 % 3];
        let duel = Duel::<T>::random(&mut random, angle, far);
        let tolerance = [1e-3, 1e-2][round % 2];
        let found = impacts(&duel, &duel.query(tolerance));
        let doubt = rounding::<T>(far);
        let parts = duel.keys.map(|key| solid_parts(duel.after.model(key).expect("a key")));
        for pair in parts[0].iter().flat_map(|&a| parts[1].iter().map(move |&b| [a, b])) {
            let impact = found.iter().find(|one| [one.a.part, one.b.part] == pair);
            let until = impact.map_or(1.0, |impact| impact.clear_until);
            let samples = at_least(64, 24);
            for sample in 0..=samples {
                let time = until * sample as f64 / samples as f64;
                let apart = duel.distance(pair, time, 0.1);
                let is_clear = apart > 0.0 || impact.is_some() && time == until;
                // Surfaces that all but touch may count as touching at the time itself.
                assert!(
                    is_clear || apart + doubt > 0.0 && time == until,
                    "{round}: {pair:?} {time}"
                );
            }
            let Some(impact) = impact else {
                misses += 1;
                continue;
            };
            assert!(impact.met, "{round}: {impact:?}");
            assert!(impact.slack.wide() <= tolerance && impact.clear_until <= impact.time);
            let apart = duel.distance(pair, impact.time, 1.0);
            assert!(apart <= impact.slack.wide() + doubt, "{round}: {apart} {impact:?}");
            let between = (impact.on_b - impact.on_a).norm().wide();
            assert!(between <= tolerance + 1e-2 + doubt, "{round}: {impact:?}");
            let is_unit = |n: Vector3<T>| (n.norm().wide() - 1.0).abs() < 1e-5;
            assert_eq!(impact.normal.map(is_unit), (!impact.touching_at_start).then_some(true));
            hits += 1;
            touching += usize::from(impact.touching_at_start);
            passes += usize::from(!impact.touching_at_start && !impact.touching_at_end);
        }
    }
    println!("{hits} impacts, {touching} from the start, {passes} pass through, {misses} misses");
    assert!(
        3 * hits > 2 * rounds
            && passes > rounds / 7
            && misses > 3 * rounds / 2
            && touching > rounds / 6
    );
}

scalars! {
    no_sample_touches_before_an_impact_or_without_one => sampled(51);
}
