//! Recorded motion: as a character of boxes around its bones, and on characters whose joints have
//! the same names.

use std::path::{Path, PathBuf};

use boxwood::load::{BoneBoxes, Loaded, Loader, Recording};
use boxwood::motion::{Clip, Retarget, Skeleton};
use boxwood::nalgebra::Point3;
use boxwood::{Aabb, Pose};

use super::standard_input::load;

/// Time between the keys of a retargeted clip [s].
const STEP: f32 = 1.0 / 60.0;

/// Returns `true` for files of recorded motion.
pub fn is_recording(file: &Path) -> bool {
    ["bvh", "amc"].contains(&super::ending::ending(file).as_str())
}

/// Loads a character with the proportions in the file, scaled by `scale`.
pub fn character(file: &Path, scale: Option<f64>) -> Result<Loaded<f32>, String> {
    let motion = motion(file, scale.unwrap_or(1.0))?;
    motion.character(&BoneBoxes::default()).map_err(|error| error.to_string())
}

/// Retargets the motion in the file to a character. Lengths are multiplied by `scale`; without it,
/// by the factor that makes the bones that both have as long as the character's, whatever the unit
/// of the file.
pub fn onto(loaded: &Loaded<f32>, file: &Path, scale: Option<f64>) -> Result<Clip<f32>, String> {
    let motion = motion(file, 1.0)?;
    let scale = scale.map_or_else(|| fitting(&motion.skeleton, &loaded.skeleton), |s| s as f32);
    let retarget = Retarget::new(&motion.skeleton, &loaded.skeleton, scale);
    let clip = retarget.and_then(|retarget| retarget.clip(&motion.clips[0], STEP));
    clip.map_err(|error| error.to_string())
}

/// Ratio of the bone lengths of `to` to those of `from`: the distances of joints with equal names
/// from their nearest ancestor that both have.
fn fitting(from: &Skeleton<f32>, to: &Skeleton<f32>) -> f32 {
    let (joints, shared) = (from.joints(), |joint: usize| to.find(&from.joints()[joint].name));
    let (here, there) = (from.rest_poses(), to.rest_poses());
    let apart = |poses: &[Pose], a: usize, b: usize| {
        (poses[a].translation.vector - poses[b].translation.vector).norm()
    };
    let mut sums = [0.0; 2];
    for joint in 0..joints.len() {
        let above = std::iter::successors(joints[joint].parent, |&above| joints[above].parent);
        let above = { above }.find_map(|above| Some((above, shared(above)?)));
        let (Some(own), Some((above, other))) = (shared(joint), above) else { continue };
        sums[0] += apart(&here, joint, above);
        sums[1] += apart(&there, own, other);
    }
    if sums[0] > 0.0 && sums[1] > 0.0 { sums[1] / sums[0] } else { 1.0 }
}

/// Hint for a recording without a scale whose figure is no person in metres.
pub fn hint(file: &Path, loaded: &Loaded<f32>, scale: Option<f64>) -> Option<String> {
    let poses = loaded.skeleton.rest_poses();
    let joints = poses.iter().map(|pose| Point3::from(pose.translation.vector));
    let size = Aabb::from_points(joints).sizes().norm();
    let odd = is_recording(file) && scale.is_none() && !(0.3..3.0).contains(&size);
    odd.then(|| {
        let cmu = boxwood::Loader::CMU;
        format!(
            "the joints span {size:.1} units; a scale converts units to metres: {cmu} for CMU's \
             files, 0.01 for centimetres, 0.0254 for inches"
        )
    })
}

/// Loads a `.bvh` file, or an `.amc` file with the skeleton beside it.
fn motion(file: &Path, scale: f64) -> Result<Recording<f32>, String> {
    let options = Loader::new().scale(scale);
    match super::ending::ending(file).as_str() {
        "bvh" => load(file, &options, |l, file| l.bvh(file), |l, bytes| l.bvh_bytes(bytes)),
        _ => options.amc(skeleton(file), file).map_err(|error| error.to_string()),
    }
}

/// Path of the skeleton: `SUBJECT.asf` for `SUBJECT_TAKE.amc`.
fn skeleton(amc: &Path) -> PathBuf {
    let stem = amc.file_stem().unwrap_or_default().to_string_lossy();
    let subject = stem.rsplit_once('_').map_or(&*stem, |(subject, _)| subject);
    amc.with_file_name(format!("{subject}.asf"))
}
