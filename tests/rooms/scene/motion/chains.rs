//! Balls at the end of a chain of two joints, whose path is a formula: one that slides outward along
//! a beam that turns, and one at the end of a beam that turns. A ball in their way is placed so that
//! the two all but touch. What the terms of the acceleration are for shows in long intervals alone,
//! in which the path leaves its tangent by a great deal.

use std::sync::Arc;

use boxwood::model::Model;
use boxwood::pair::ConvexShape;
use boxwood::scene::{Impact, MotionBuffers, QueryScratch, Scene, SceneMotion, Spawn};
use boxwood::shape::{Pose, Sphere};
use boxwood::tree::Geometry;
use boxwood::{Accuracy, Build, PairQuery};

use super::samples::rounding;
use support::moving_parts::{joint_poses, stored};
use support::prelude::*;

const RADIUS: f64 = 1.0 / 64.0;

fn ball<T: Scalar>() -> Geometry<T> {
    let ball = Sphere::new(point([0.0; 3]), T::nearest(RADIUS)).expect("a ball");
    Geometry::Convex(vec![ConvexShape::from(ball)])
}

/// Poses of beam and ball before and after the tick.
type Ends<T> = [Vec<Pose<T>>; 2];

/// Draws a beam that turns by a constant rate, and a ball that slides along it from one distance to
/// another.
fn ends<T: Scalar>(random: &mut Random, slides: bool) -> Ends<T> {
    let axis = Vector3::from(random.direction());
    let root = Isometry3::from_parts(random.vector(0.5).into(), UnitQuaternion::identity());
    let angle = random.between(0.2, 2.5);
    // Across the axis, where it goes fastest.
    let along = axis.cross(&Vector3::from(random.direction())).normalize();
    let reach = match slides {
        true => [random.between(-0.1, 0.1), random.between(0.8, 2.0)],
        false => [random.between(0.8, 2.0); 2],
    };
    [0, 1].map(|end| {
        let turn = UnitQuaternion::new(axis * (angle * end as f64));
        let beam = root * Isometry3::from_parts(Vector3::zeros().into(), turn);
        let slid = Isometry3::from_parts((along * reach[end]).into(), UnitQuaternion::identity());
        vec![stored(&beam), stored(&(beam * slid))]
    })
}

/// Returns where the ball is at a time.
fn center<T: Scalar>(model: &Model<T>, ends: &Ends<T>, time: f64) -> Vector3<f64> {
    joint_poses(model, [&ends[0], &ends[1]], None, time)[1].translation.vector
}

/// Returns the least distance of the two balls during the tick, and its time, by samples and thirds.
fn least(distance: impl Fn(f64) -> f64) -> (f64, f64) {
    const SAMPLES: usize = 40;
    let all = (0..=SAMPLES).map(|sample| sample as f64 / SAMPLES as f64);
    let all = all.map(|time| (distance(time), time));
    let mut least =
        all.fold((f64::MAX, 0.0), |least, one| if one.0 < least.0 { one } else { least });
    let step = 1.0 / SAMPLES as f64;
    let (mut low, mut high) = ((least.1 - step).max(0.0), (least.1 + step).min(1.0));
    for _ in 0..40 {
        let thirds = [low + (high - low) / 3.0, high - (high - low) / 3.0];
        let [a, b] = thirds.map(|time| (distance(time), time));
        least =
            [a, b].into_iter().fold(least, |least, one| if one.0 < least.0 { one } else { least });
        (low, high) = if a.0 < b.0 { (low, thirds[1]) } else { (thirds[0], high) };
    }
    least
}

fn first_impact<T: Scalar>(
    model: &Arc<Model<T>>,
    (ends, at): (&Ends<T>, Vector3<f64>),
    tolerance: f64,
) -> Option<Impact<T>> {
    let mut before = Scene::new();
    let mover = before.insert(model, Spawn::default()).expect("a chain");
    let target = Model::builder().part("ball", None, ball()).build(&Build::default());
    let place: Pose<T> = stored(&Isometry3::from_parts(at.into(), UnitQuaternion::identity()));
    let target = before.insert(&target.expect("a ball"), Spawn::at(place)).expect("a ball");
    let mut after = before.clone();
    before.set_parts(mover, &ends[0]).expect("poses");
    after.set_parts(mover, &ends[1]).expect("poses");
    let (mut buffers, mut scratch) = (MotionBuffers::new(), QueryScratch::new());
    let motion = SceneMotion::between(&before, &after, &mut buffers).expect("one scene");
    let query = PairQuery::between(mover, target).accuracy(Accuracy::Within(tolerance));
    motion.first_impact(&query, &mut scratch).expect("a query")
}

fn beside_paths<T: Scalar>(seed: u64) {
    let mut random = Random(seed);
    let (mut hits, mut clear) = (0, 0);
    let doubt = rounding::<T>(0.0);
    let parts = Model::builder().part("beam", None, Geometry::None);
    let model = parts.part("ball", Some("beam"), ball::<T>()).build(&Build::default());
    let model = model.expect("a chain");
    let radii = 2.0 * T::nearest(RADIUS).wide();
    for round in 0..at_least(10_000, 500) {
        let ends = ends::<T>(&mut random, round % 2 == 0);
        // Beside the middle of the tick, inside of the curve: at its ends the path comes nearer.
        let middle = center(&model, &ends, 0.5);
        let chord = (center(&model, &ends, 1.0) + center(&model, &ends, 0.0)) * 0.5 - middle;
        let sides = [random.between(-0.2, 1.2), random.between(-0.3, 0.3)];
        let at =
            middle + chord * sides[0] + chord.cross(&Vector3::from(random.direction())) * sides[1];
        let at = at.map(|x| T::nearest(x).wide());
        let (least, time) = least(|time| (center(&model, &ends, time) - at).norm() - radii);
        let tolerance = 1e-3;
        let found = first_impact(&model, (&ends, at), tolerance);
        let case = || format!("{round}: {least} at {time}, {found:?}");
        match &found {
            None => {
                assert!(least > -doubt, "{}", case());
                clear += 1;
            }
            Some(impact) => {
                assert!(impact.met && least <= tolerance + doubt, "{}", case());
                hits += 1;
            }
        }
    }
    println!("{hits} impacts, {clear} clear");
    assert!(hits > 20 && clear > 20);
}

scalars! {
    a_ball_on_a_beam_that_turns_misses_nothing_in_its_way => beside_paths(86);
}
