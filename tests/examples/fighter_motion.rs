//! The fighter as examples load it: proportions, planted feet, joints that bend the right way,
//! blows that land.

use std::sync::Arc;

use boxwood::motion::{Clip, Clips, Joints, Skeleton};
use boxwood::shape::{Mesh, Pose};
use nalgebra::{Isometry3, Point3, Vector3};
use support::fighter::proportions::{self as share, metres};
use support::fighter::skeleton::{self as joint, LEFT, RIGHT};
use support::fighter::{clips, walk};
use support::triangle_distance::solid_angle;

/// Bones, the part of the skin at each, and clips.
struct Body {
    skeleton: Arc<Skeleton<f32>>,
    meshes: Vec<Mesh<f32>>,
    clips: Clips<f32>,
}

fn body() -> Body {
    let loaded = support::fighter::fighter();
    assert_eq!(loaded.warnings, []);
    Body { skeleton: loaded.skeleton, meshes: support::fighter::meshes(), clips: loaded.clips }
}

/// Sampling step [s]: not a multiple of the key frames' step.
const STEP: f32 = 0.007;

fn times(clip: &Clip<f32>) -> impl Iterator<Item = f32> {
    let duration = clip.duration();
    (0..=(duration / STEP) as usize).map(|i| i as f32 * STEP).chain([duration])
}

fn sampled(clip: &Clip<f32>, t: f32) -> Vec<Pose<f32>> {
    clip.sample(t, &mut Joints::new()).expect("a good time").to_vec()
}

fn mesh(body: &Body, joint: usize) -> &Mesh<f32> {
    &body.meshes[joint]
}

fn posed(body: &Body, joint: usize, poses: &[Pose<f32>]) -> Vec<Point3<f32>> {
    mesh(body, joint).vertices().iter().map(|v| poses[joint] * v).collect()
}

fn everything(body: &Body, poses: &[Pose<f32>]) -> Vec<Point3<f32>> {
    (0..joint::COUNT).flat_map(|joint| posed(body, joint, poses)).collect()
}

fn lowest(points: &[Point3<f32>]) -> f32 {
    points.iter().map(|p| p.y).fold(f32::INFINITY, f32::min)
}

/// Computes six times the signed volume.
fn volume(mesh: &Mesh<f32>) -> f32 {
    let six = |t| {
        let [a, b, c] = mesh.corners(t).map(|p| p.coords);
        a.dot(&b.cross(&c))
    };
    (0..mesh.triangles().len()).map(six).sum()
}

/// Returns `true` if a point of the mesh's frame lies inside: the solid angle around it is that of
/// a sphere.
fn inside(mesh: &Mesh<f32>, point: Point3<f32>) -> bool {
    let far = mesh.vertices().iter().map(|v| v.coords.norm()).fold(0.0, f32::max);
    if point.coords.norm() > far {
        return false;
    }
    let wide = |p: Point3<f32>| p.coords.map(f64::from).into();
    let angle = |t| solid_angle(wide(point), mesh.corners(t).map(wide));
    let total: f64 = (0..mesh.triangles().len()).map(angle).sum();
    total > 2.0 * std::f64::consts::PI
}

#[test]
fn bones_have_the_lengths_of_the_table() {
    let rest = body().skeleton.rest_poses();
    let length = |a: usize, b: usize| {
        f64::from((rest[a].translation.vector - rest[b].translation.vector).norm())
    };
    for side in [LEFT, RIGHT] {
        let bones = [
            (joint::UPPER_ARM, joint::FOREARM, share::UPPER_ARM),
            (joint::FOREARM, joint::HAND, share::FOREARM),
            (joint::THIGH, joint::SHIN, share::THIGH),
            (joint::SHIN, joint::FOOT, share::SHANK),
        ];
        for (upper, lower, table) in bones {
            assert!((length(upper[side], lower[side]) - metres(table)).abs() < 1e-6);
        }
        let ankle = rest[joint::FOOT[side]].translation.y;
        assert!((f64::from(ankle) - metres(share::FOOT_HEIGHT)).abs() < 1e-6);
    }
    let shoulders = length(joint::UPPER_ARM[LEFT], joint::UPPER_ARM[RIGHT]);
    assert!((shoulders - 2.0 * metres(share::HALF_SHOULDERS)).abs() < 1e-6);
    assert!((length(joint::HIPS, joint::NECK) - metres(share::TRUNK)).abs() < 1e-6);
    assert!((length(joint::NECK, joint::HEAD) - metres(share::NECK)).abs() < 1e-6);
}

#[test]
fn the_fighter_has_the_stated_height_and_length_of_feet() {
    let body = body();
    let rest = body.skeleton.rest_poses();
    let points = everything(&body, &rest);
    let top = points.iter().map(|p| p.y).fold(0.0, f32::max);
    assert!((f64::from(top) - share::STATURE).abs() < 2e-3, "{top}");
    assert!(lowest(&points).abs() < 2e-3);
    for side in [LEFT, RIGHT] {
        let mut foot = posed(&body, joint::FOOT[side], &rest);
        foot.extend(posed(&body, joint::TOES[side], &rest));
        let front = foot.iter().map(|p| p.z).fold(f32::NEG_INFINITY, f32::max);
        let back = foot.iter().map(|p| p.z).fold(f32::INFINITY, f32::min);
        let length = f64::from(front - back);
        assert!((length - metres(share::FOOT_LENGTH)).abs() < 8e-3, "{length}");
    }
}

#[test]
fn every_joint_has_a_part_of_the_skin_that_faces_outward() {
    let body = body();
    assert_eq!(body.meshes.len(), joint::COUNT);
    for (part, mesh) in body.meshes.iter().enumerate() {
        assert!(volume(mesh) / 6.0 > 5e-5, "part {part}: {}", volume(mesh));
    }
    let total: usize = body.meshes.iter().map(|mesh| mesh.triangles().len()).sum();
    assert!((6_000..=12_000).contains(&total), "{total} triangles");
}

#[test]
fn left_and_right_are_mirror_images_at_rest() {
    let body = body();
    let rest = body.skeleton.rest_poses();
    let across = |p: &Point3<f32>| Point3::new(-p.x, p.y, p.z);
    let pairs = [joint::CLAVICLE, joint::UPPER_ARM, joint::FOREARM, joint::HAND];
    let legs = [joint::THIGH, joint::SHIN, joint::FOOT, joint::TOES];
    let middle = [joint::HIPS, joint::SPINE, joint::CHEST, joint::NECK, joint::HEAD];
    for [left, right] in pairs.into_iter().chain(legs).chain(middle.map(|j| [j, j])) {
        let right = posed(&body, right, &rest);
        for point in posed(&body, left, &rest) {
            let gap = right.iter().map(|r| (r - across(&point)).norm()).fold(1.0, f32::min);
            assert!(gap < 1e-5, "joint {left}: {gap}");
        }
    }
}

#[test]
fn planted_feet_stay_in_place_on_the_floor() {
    let body = body();
    for plant in clips::plants() {
        let clip = body.clips.get(plant.clip).expect("named in the table");
        let (toes, foot) = (joint::TOES[plant.side], joint::FOOT[plant.side]);
        let still: &[usize] = if plant.flat { &[toes, foot] } else { &[toes] };
        let mut start: Option<Vec<Point3<f32>>> = None;
        for t in times(clip).filter(|&t| (plant.from..=plant.until).contains(&f64::from(t))) {
            let poses = sampled(clip, t);
            let now: Vec<_> = still.iter().flat_map(|&j| posed(&body, j, &poses)).collect();
            assert!(lowest(&now).abs() < 0.02, "{} {t}: {}", plant.clip, lowest(&now));
            let start = start.get_or_insert_with(|| now.clone());
            for (a, b) in start.iter().zip(&now) {
                assert!((a - b).norm() < 0.02, "{} {t}: {}", plant.clip, (a - b).norm());
            }
        }
        assert!(start.is_some(), "{} is planted for no time", plant.clip);
    }
}

#[test]
fn a_fighter_touches_the_floor_unless_it_jumps_and_never_sinks_in() {
    let body = body();
    for clip in body.clips.iter() {
        for t in times(clip) {
            let low = lowest(&everything(&body, &sampled(clip, t)));
            assert!(low.abs() < 0.02, "{} {t}: {low}", clip.name());
        }
    }
}

#[test]
fn loops_close_and_fighting_clips_begin_and_end_on_guard() {
    let body = body();
    let guard = sampled(&body.clips["guard"], 0.0);
    for motion in &clips::MOTIONS {
        let clip = &body.clips[motion.name];
        let stride = if motion.name == "walk" { walk::STRIDE as f32 } else { 0.0 };
        let on = Isometry3::translation(0.0, 0.0, stride);
        let (first, last) = (sampled(clip, 0.0), sampled(clip, clip.duration()));
        let ends: &[_] = if motion.loops { &[&first] } else { &[&first, &guard] };
        for part in 0..joint::COUNT {
            for end in ends {
                let gap = (on * end[part]).inverse() * last[part];
                assert!(gap.translation.vector.norm() < 1e-4, "{} {part}", motion.name);
                assert!(gap.rotation.angle() < 2e-3, "{} {part}", motion.name);
            }
        }
    }
}

#[test]
fn motion_is_continuous_between_samples() {
    let body = body();
    for clip in body.clips.iter() {
        let mut before: Option<Vec<Point3<f32>>> = None;
        for t in times(clip) {
            let now = everything(&body, &sampled(clip, t));
            for (a, b) in before.iter().flatten().zip(&now) {
                // 15 m/s: faster than any fist or foot.
                assert!((a - b).norm() < 15.0 * STEP, "{} {t}", clip.name());
            }
            before = Some(now);
        }
    }
}

#[test]
fn knees_and_elbows_are_hinges_that_bend_one_way() {
    let body = body();
    for clip in body.clips.iter() {
        for t in times(clip) {
            let poses = sampled(clip, t);
            for side in [LEFT, RIGHT] {
                let limbs = [
                    (joint::THIGH[side], joint::SHIN[side], 1.0),
                    (joint::UPPER_ARM[side], joint::FOREARM[side], -1.0),
                ];
                for (upper, lower, sign) in limbs {
                    let bend = poses[upper].rotation.inverse() * poses[lower].rotation;
                    let bend: Vector3<f32> = sign * bend.scaled_axis();
                    let name = clip.name();
                    assert!(bend.x > 0.0 && bend.x < 2.7, "{name} {t} {lower}: {bend}");
                    assert!(bend.y.abs().max(bend.z.abs()) < 0.02, "{name} {t} {lower}: {bend}");
                }
            }
        }
    }
}

/// Returns `true` if a striking part enters one of the parts of an opponent on guard, who is at
/// `distance` and faces this way.
fn lands(body: &Body, clip: &str, striking: &[usize], targets: &[usize], distance: f32) -> bool {
    let half_turn = Vector3::y() * std::f32::consts::PI;
    let opposite = Isometry3::new(Vector3::new(0.0, 0.0, distance), half_turn);
    let guard = sampled(&body.clips["guard"], 0.0);
    let clip = &body.clips[clip];
    times(clip).step_by(4).any(|t| {
        let poses = sampled(clip, t);
        striking.iter().flat_map(|&part| posed(body, part, &poses)).any(|point| {
            targets.iter().any(|&part| {
                let seen = (opposite * guard[part]).inverse() * point;
                inside(mesh(body, part), seen)
            })
        })
    })
}

#[test]
fn blows_land_at_their_distance_and_not_beyond() {
    let body = body();
    let jab = |distance| {
        lands(&body, "jab", &[joint::HAND[LEFT]], &[joint::HEAD, joint::CHEST], distance)
    };
    let foot = [joint::FOOT[RIGHT], joint::TOES[RIGHT]];
    let torso = [joint::HIPS, joint::SPINE, joint::CHEST];
    let kick = |distance| lands(&body, "kick", &foot, &torso, distance);
    for distance in [0.75, 0.9, 1.05, 1.2] {
        assert!(jab(distance), "jab at {distance}");
    }
    for distance in [0.95, 1.1, 1.25] {
        assert!(kick(distance), "kick at {distance}");
    }
    assert!(!jab(1.4) && !kick(1.45));
}
