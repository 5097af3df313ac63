//! The recorded motion of a man applied to the CMU humanoid: against the text of both files, and
//! against its own hinges.

use std::collections::HashMap;
use std::sync::Arc;

use boxwood::Error;
use boxwood::load::{Loader, Recording, Robot};
use boxwood::motion::{Joint, Joints, Retarget, Skeleton, Transform};
use nalgebra::Matrix4;

use super::humanoid::{humanoid, links};
use super::text_oracle;
use crate::load::mocap::matrix_oracle::{read_amc, read_asf};
use support::data::data;
use support::prelude::*;

/// Returns the links of a robot as joints whose rest pose has all actuators at zero.
fn skeleton(robot: &Robot<f64>) -> Arc<Skeleton<f64>> {
    let mut poses = Vec::new();
    let zero = vec![0.0; robot.mechanism.actuators().len()];
    robot.mechanism.poses_unlimited(&zero, &mut poses).expect("numbers");
    let joint = |(index, link): (usize, &boxwood::motion::Link)| {
        let local = link.parent.map_or(poses[index], |parent| poses[parent].inv_mul(&poses[index]));
        let translation = local.translation.vector;
        let rest = Transform { translation, rotation: local.rotation, ..Transform::default() };
        Joint { name: link.name.clone(), parent: link.parent, rest }
    };
    let joints = robot.mechanism.links().iter().enumerate().map(joint).collect();
    Arc::new(Skeleton::new(joints).expect("links"))
}

const SCALE: f64 = 0.056444;

fn recorded() -> Option<(Recording<f64>, String, String)> {
    let folder = data()?.join("mocap/cmu-02-05");
    let (asf, amc) = (folder.join("02.asf"), folder.join("02_05.amc"));
    let motion = Loader::new().amc(&asf, &amc).expect("a motion");
    let text = |path| std::fs::read_to_string(path).expect("a file");
    Some((motion, text(asf), text(amc)))
}

fn turn(matrix: &Matrix4<f64>) -> Matrix3<f64> {
    matrix.fixed_view::<3, 3>(0, 0).into_owned()
}

fn place(matrix: &Matrix4<f64>) -> Vector3<f64> {
    matrix.fixed_view::<3, 1>(0, 3).into_owned()
}

#[test]
fn every_body_rotates_with_the_bone_of_its_name_and_keeps_its_length() {
    let (Some((robot, bodies)), Some((motion, asf, amc))) = (humanoid(), recorded()) else {
        return;
    };
    let to = skeleton(&robot);
    let retarget = Retarget::new(&motion.skeleton, &to, SCALE).expect("the same names");
    let (asf, frames) = (read_asf(&asf), read_amc(&amc));
    let rest = text_oracle::poses(&bodies, &HashMap::new());
    let links = links(&robot, &bodies);
    let (mut joints, mut poses) = (Joints::new(), Vec::new());
    for frame in (0..frames.len()).step_by(103) {
        let from = motion.clips[0].sample(frame as f64 / 120.0, &mut joints).expect("a time");
        retarget.poses(from, &mut poses).expect("poses");
        let mut at: Vec<Vector3<f64>> = Vec::new();
        for (index, body) in bodies.iter().enumerate() {
            let bone = asf.matrix(&body.name, &frames[frame]);
            at.push(match body.parent {
                None => place(&bone) * SCALE,
                Some(parent) => {
                    let above = asf.matrix(&bodies[parent].name, &frames[frame]);
                    at[parent] + turn(&above) * (place(&rest[index]) - place(&rest[parent]))
                }
            });
            let found = poses[links[index]].to_homogeneous();
            assert!((place(&found) - at[index]).norm() < 1e-9, "{} in {frame}", body.name);
            let expected = turn(&bone) * turn(&rest[index]);
            assert!((turn(&found) - expected).norm() < 1e-9, "{} in {frame}", body.name);
        }
        // Bones have the lengths of the humanoid, not of the recorded man.
        let femur = (at[bodies.iter().position(|b| b.name == "ltibia").expect("it")]
            - at[bodies.iter().position(|b| b.name == "lfemur").expect("it")])
        .norm();
        assert!((femur - 0.404945).abs() < 1e-6, "{femur}");
    }
}

#[test]
fn hinges_at_the_recorded_angles_give_the_same_poses() {
    let (Some((robot, bodies)), Some((motion, _, amc))) = (humanoid(), recorded()) else { return };
    let retarget = Retarget::new(&motion.skeleton, &skeleton(&robot), SCALE).expect("names");
    let frames = read_amc(&amc);
    // The numbers of a bone are in the order of its axes in the skeleton's file: the present ones
    // of x, y, z.
    let degrees = |bone: &str| -> Vec<String> {
        let named = |axis: &char| format!("{bone}r{axis}");
        let known = |name: &String| {
            robot.mechanism.actuators().iter().any(|actuator| actuator.name == *name)
        };
        ['x', 'y', 'z'].iter().map(named).filter(known).collect()
    };
    let links = links(&robot, &bodies);
    let (mut joints, mut driven, mut followed) = (Joints::new(), Vec::new(), Vec::new());
    let mut most = 0.0_f64;
    for frame in (0..frames.len()).step_by(57) {
        let mut angles: HashMap<String, f64> = HashMap::new();
        for (bone, values) in &frames[frame] {
            let names = degrees(bone);
            if names.len() == values.len() {
                let values = values.iter().map(|value| value.to_radians());
                angles.extend(names.into_iter().zip(values));
            }
        }
        let actuators = robot.mechanism.actuators().iter();
        let values: Vec<f64> =
            actuators.map(|actuator| angles.get(&actuator.name).copied().unwrap_or(0.0)).collect();
        assert!(values.iter().filter(|value| **value != 0.0).count() > 40);
        robot.mechanism.poses_unlimited(&values, &mut driven).expect("numbers");
        let from = motion.clips[0].sample(frame as f64 / 120.0, &mut joints).expect("a time");
        retarget.poses(from, &mut followed).expect("poses");
        let root = links[0];
        for (&link, body) in links.iter().zip(&bodies) {
            // The humanoid's root is fixed; the recorded man's root walks.
            let of_root = followed[root].inv_mul(&followed[link]);
            let off = (driven[root].inv_mul(&driven[link]).translation.vector
                - of_root.translation.vector)
                .norm();
            most = most.max(off);
            assert!(off < 0.002, "{} in {frame}: {off} m", body.name);
        }
    }
    println!("farthest apart: {most} m");
}

#[test]
fn retargeted_clips_have_the_retargeted_poses() {
    let (Some((robot, _)), Some((motion, ..))) = (humanoid(), recorded()) else { return };
    let to = skeleton(&robot);
    let retarget = Retarget::new(&motion.skeleton, &to, SCALE).expect("names");
    let clip = retarget.clip(&motion.clips[0], 1.0 / 120.0).expect("a clip");
    assert_eq!((clip.name(), clip.duration()), ("02_05", motion.clips[0].duration()));
    let (mut from, mut ours, mut poses) = (Joints::new(), Joints::new(), Vec::new());
    for frame in (0..1854).step_by(41) {
        let t = f64::from(frame) / 120.0;
        retarget
            .poses(motion.clips[0].sample(t, &mut from).expect("t"), &mut poses)
            .expect("poses");
        for (a, b) in clip.sample(t, &mut ours).expect("t").iter().zip(&poses) {
            assert!((a.to_homogeneous() - b.to_homogeneous()).norm() < 1e-7, "{frame}");
        }
    }
}

fn joint(name: &str, parent: Option<usize>, at: [f64; 3], turn: [f64; 3]) -> Joint<f64> {
    let rotation = UnitQuaternion::from_scaled_axis(Vector3::from(turn));
    let rest = Transform { translation: at.into(), rotation, ..Transform::default() };
    Joint { name: name.to_owned(), parent, rest }
}

#[test]
fn joints_without_a_counterpart_rest_and_roots_may_be_anywhere() {
    let from = vec![
        joint("hips", None, [1.0, 2.0, 3.0], [0.1, 0.2, 0.3]),
        joint("head", Some(0), [0.0, 1.0, 0.0], [0.0; 3]),
    ];
    let from = Skeleton::new(from).expect("joints");
    let to = vec![
        joint("world", None, [5.0, 0.0, 0.0], [0.0, 0.4, 0.0]),
        joint("hips", Some(0), [0.0, 1.0, 0.0], [0.3, 0.0, 0.0]),
        joint("neck", Some(1), [0.0, 2.0, 0.0], [0.0, 0.0, 0.5]),
        joint("head", Some(2), [0.0, 0.5, 0.0], [0.0; 3]),
    ];
    let to = Arc::new(Skeleton::new(to).expect("joints"));
    let retarget = Retarget::new(&from, &to, 2.0).expect("names");
    let (rest, mut poses) = (from.rest_poses(), Vec::new());
    // Joints at rest stay at rest.
    retarget.poses(&rest, &mut poses).expect("poses");
    let mut expected = to.rest_poses();
    let shift = Vector3::new(2.0, 4.0, 6.0) - expected[1].translation.vector;
    expected[1..].iter_mut().for_each(|pose| pose.translation.vector += shift);
    for (a, b) in poses.iter().zip(&expected) {
        assert!((a.to_homogeneous() - b.to_homogeneous()).norm() < 1e-12);
    }
    // A rotation of the whole rotates everything but the world, which rests.
    let whole = UnitQuaternion::from_scaled_axis(Vector3::new(0.7, -0.2, 0.4));
    let turned: Vec<_> = rest.iter().map(|pose| whole * pose).collect();
    retarget.poses(&turned, &mut poses).expect("poses");
    let middle = expected[1].translation.vector;
    let moved = turned[0].translation.vector * 2.0;
    for (a, b) in poses[1..].iter().zip(&expected[1..]) {
        let place = moved + whole * (b.translation.vector - middle);
        assert!((a.translation.vector - place).norm() < 1e-12);
        assert!((a.rotation.inverse() * (whole * b.rotation)).angle() < 1e-7);
    }
    assert_eq!(poses[0], expected[0]);
}

#[test]
fn skeletons_that_do_not_match_are_refused() {
    let skeleton =
        |name: &str| Skeleton::new(vec![joint(name, None, [0.0; 3], [0.0; 3])]).expect("one");
    let (a, b) = (skeleton("a"), Arc::new(skeleton("b")));
    let nothing = Error::Empty { field: "list of joints with the same name" };
    assert_eq!(Retarget::new(&a, &b, 1.0), Err(nothing));
    let own = Arc::new(a.clone());
    let nan = Error::NotFinite { field: "scale", index: 0 };
    assert_eq!(Retarget::new(&a, &own, f64::NAN), Err(nan));
    let retarget = Retarget::new(&a, &own, 1.0).expect("itself");
    let mut poses = vec![nalgebra::Isometry3::identity()];
    let count = Error::WrongCount { field: "poses", expected: 1, found: 0 };
    assert_eq!(retarget.poses(&[], &mut poses), Err(count));
    assert_eq!(poses.len(), 1);
    let clip = boxwood::motion::Clip::new("still", &own, Vec::new()).expect("a clip");
    assert!(retarget.clip(&clip, 0.1).is_ok());
    assert!(retarget.clip(&clip, 0.0).is_err() && retarget.clip(&clip, -1.0).is_err());
}
