//! Round and long meshes whose hulls nearly touch, and which move within a tick by about the gap
//! between them: no contact of a sample is missed, none is late.

use boxwood::model::Model;
use boxwood::scene::{MotionBuffers, QueryScratch, Scene, SceneMotion, Spawn};
use boxwood::{Accuracy, Build, PairQuery};

use support::closed_meshes::{sphere, surface};
use support::moving_parts::{between, distance, stored, turn, widened};
use support::prelude::*;

/// Samples of a tick.
const SAMPLES: usize = 60;

/// Draws two poses of a body whose points move by about `way`: a shift roughly along a direction or
/// back, a turn, or both.
fn tick(
    random: &mut Random,
    at: Isometry3<f64>,
    (way, along): (f64, Vector3<f64>),
    kind: usize,
) -> [Isometry3<f64>; 2] {
    let aside = Vector3::from(random.direction()) * 0.7;
    let shift = (along * random.sign() + aside).normalize() * if kind != 1 { way } else { 0.0 };
    let axis = Vector3::from(random.direction());
    let angle = if kind != 0 { 1.6 * way } else { 0.0 };
    let half = UnitQuaternion::new(axis * (0.5 * angle));
    let end = |sign: f64| {
        let half = if sign < 0.0 { half.inverse() } else { half };
        let place = at.translation.vector + shift * (0.5 * sign);
        Isometry3::from_parts(place.into(), half * at.rotation)
    };
    [end(-1.0), end(1.0)]
}

fn near_misses<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    let models = [[1.0, 1.0, 1.0], [1.0, 0.3, 0.2], [0.25, 0.25, 1.0]].map(|sizes| {
        let (mut corners, triangles) = sphere(1.0, 6);
        corners.iter_mut().for_each(|at| (0..3).for_each(|i| at[i] *= sizes[i]));
        let model = Model::<T>::builder().part("body", None, surface((corners, triangles)));
        model.build(&Build::default()).expect("a mesh")
    });
    let (mut buffers, mut scratch) = (MotionBuffers::new(), QueryScratch::new());
    let (mut hits, mut passing) = (0, 0);
    for round in 0..at_least(3_000, 60) {
        let bodies = [round % 3, round / 3 % 3].map(|kind| &models[kind]);
        let trees = bodies.map(|body| body.parts()[0].tree().expect("a mesh"));
        let first = Isometry3::from_parts(Vector3::zeros().into(), turn(&mut random, 3.0));
        let way = random.between(0.1, 0.9);
        // Distance in the middle of the tick: about that by which the two approach.
        let direction = Vector3::from(random.direction());
        let rotation = turn(&mut random, 3.0);
        let second = |away: f64| Isometry3::from_parts((direction * away).into(), rotation);
        let margin = [0.0, 0.2][round % 2];
        let gap = margin + way * random.between(0.05, 0.4);
        let (mut near, mut far) = (0.0, 4.0);
        for _ in 0..16 {
            let middle = 0.5 * (near + far);
            match distance([(trees[0], &first), (trees[1], &second(middle))], gap) < gap {
                true => near = middle,
                false => far = middle,
            }
        }
        let ends = [
            tick(&mut random, first, (0.5 * way, direction), round % 3),
            tick(&mut random, second(far), (0.5 * way, direction), round / 2 % 3),
        ];
        let mut before = Scene::new();
        let keys = bodies.map(|body| before.insert(body, Spawn::default()).expect("a body"));
        let mut after = before.clone();
        for (key, [start, end]) in keys.iter().zip(&ends) {
            before.set_parts(*key, &[stored(start)]).expect("a pose");
            after.set_parts(*key, &[stored(end)]).expect("a pose");
        }
        let kept = keys.map(|key| {
            [&before, &after].map(|scene| widened(&scene.poses(key).expect("a key")[0]))
        });
        let at = |time: f64, most: f64| {
            let [a, b] = [0, 1].map(|side| between([&kept[side][0], &kept[side][1]], time));
            distance([(trees[0], &a), (trees[1], &b)], most)
        };
        let motion = SceneMotion::between(&before, &after, &mut buffers).expect("one scene");
        let query = PairQuery::between(keys[0], keys[1]).accuracy(Accuracy::Within(1e-3));
        let query = query.margin(margin);
        let impact = motion.first_impact(&query, &mut scratch).expect("a query");
        let until = impact.map_or(1.0, |impact| impact.clear_until);
        let doubt = 1e3 * T::ROUNDING;
        let nearest = margin - if margin > 0.0 { doubt } else { 0.0 };
        // No point of either moves faster than a half of `way` by the shift and 0.8 of it by the
        // turn, so that a sample proves some of those after it.
        let (speed, mut apart_until) = (2.7 * way, 0.0);
        for sample in 0..=SAMPLES {
            let time = until * sample as f64 / SAMPLES as f64;
            if time < apart_until {
                continue;
            }
            let found = at(time, nearest + 0.5 * way);
            let is_apart = found > nearest || time == until && impact.is_some();
            assert!(is_apart, "{round}: touches at {time}, {impact:?}");
            apart_until = time + (found - nearest) / speed;
        }
        let Some(impact) = impact else {
            passing += 1;
            continue;
        };
        assert!(
            at(impact.time, 4.0) <= margin + impact.slack.wide() + doubt,
            "{round}: {impact:?}"
        );
        hits += 1;
    }
    println!("{hits} hits, {passing} pass");
    assert!(hits > 10 && passing > 10, "{hits} {passing}");
}

scalars! {
    meshes_that_move_by_their_gap_are_not_missed => near_misses(5807);
}
