//! Robots as characters: a joint for every link, and a clip in which every actuator swings through
//! its range.

use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::sync::Arc;

use boxwood::load::{Loaded, Robot};
use boxwood::motion::{Clip, Clips, Interpolation, Joint, Keys, Skeleton, Track, Transform};
use boxwood::nalgebra::{UnitQuaternion, Vector3};
use boxwood::{Error, Pose};

/// Name of the clip.
pub const SWING: &str = "swing";

/// Duration of the clip [s], and number of its keys.
const DURATION: f64 = 8.0;
const KEYS: usize = 240;

/// Returns the robot as a character with a clip; `stand` is the pose of its roots.
pub fn character(robot: &Robot<f32>, stand: &Pose) -> Result<Loaded<f32>, Error> {
    let mut poses: Vec<Pose> = Vec::new();
    let rest: Vec<f32> = robot.mechanism.rest().iter().map(|&value| value as f32).collect();
    robot.mechanism.poses_unlimited(&rest, &mut poses)?;
    let joints = locals(robot, &poses, stand).zip(robot.mechanism.links());
    let joints =
        joints.map(|(rest, link)| Joint { name: link.name.clone(), parent: link.parent, rest });
    let skeleton = Arc::new(Skeleton::new(joints.collect())?);
    let mut moved = vec![Vec::with_capacity(KEYS); skeleton.len()];
    let times: Vec<f32> =
        (0..KEYS).map(|key| (DURATION * key as f64 / (KEYS - 1) as f64) as f32).collect();
    for &time in &times {
        robot.mechanism.poses(&values(robot, f64::from(time)), &mut poses)?;
        moved
            .iter_mut()
            .zip(locals(robot, &poses, stand))
            .for_each(|(keys, local)| keys.push(local));
    }
    let mut tracks = Vec::new();
    for (joint, keys) in moved.iter().enumerate() {
        let turns = Keys::Rotation(keys.iter().map(|key| key.rotation.into_inner()).collect());
        let shifts = Keys::Translation(keys.iter().map(|key| key.translation).collect());
        for keys in [turns, shifts] {
            tracks.push(Track::new(joint, times.clone(), keys, Interpolation::Linear)?);
        }
    }
    let clips = Clips::new(vec![Clip::new(SWING, &skeleton, tracks)?])?;
    let (model, warnings) = (Arc::clone(&robot.model), robot.warnings.clone());
    let mut loaded = Loaded::new(model, skeleton);
    (loaded.clips, loaded.warnings) = (clips, warnings);
    Ok(loaded)
}

/// Values of all actuators at a time: from the middle of the range to one end, to the other and
/// back, each actuator at its own rate.
fn values(robot: &Robot<f32>, time: f64) -> Vec<f32> {
    let actuators = robot.mechanism.actuators().iter().enumerate();
    let value = |(index, limits): (usize, Option<[f64; 2]>)| {
        // An actuator without limits makes one full turn.
        let [least, most] = limits.unwrap_or([-PI, PI]);
        let times = 1.0 + (index % 3) as f64;
        let share = 0.5 + 0.5 * (TAU * times * time / DURATION).sin();
        ((least + (most - least) * share) as f32).clamp(least as f32, most as f32)
    };
    actuators.map(|(index, actuator)| value((index, actuator.limits))).collect()
}

/// Rotation from Z up to Y up: robots have Z up, characters Y.
pub fn upright() -> Pose {
    let quarter = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), -FRAC_PI_2 as f32);
    Pose::from_parts(Vector3::zeros().into(), quarter)
}

/// Poses link -> parent, from poses link -> model.
fn locals<'a>(
    robot: &'a Robot<f32>,
    poses: &'a [Pose],
    stand: &'a Pose,
) -> impl Iterator<Item = Transform<f32>> + 'a {
    robot.mechanism.links().iter().zip(poses).map(move |(link, pose)| {
        let local = link.parent.map_or(stand * pose, |parent| poses[parent].inv_mul(pose));
        Transform {
            translation: local.translation.vector,
            rotation: local.rotation,
            ..Transform::default()
        }
    })
}
