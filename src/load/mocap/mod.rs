//! Recorded motion: BVH, and ASF with AMC.

mod amc;
mod asf;
mod bvh;
mod euler;
mod flesh;

use std::path::Path;
use std::sync::Arc;

use nalgebra::{Quaternion, UnitQuaternion, Vector3};

pub use flesh::Flesh;

use super::{Warning, refused};
use crate::error::Error;
use crate::motion::{Clip, Clips, Interpolation, Joint, Keys, Skeleton, Track, Transform};
use crate::num::{Apiece, Scalar, for_both};

/// A recorded motion: joints and clips, but nothing that could collide; [`Motion::character`] puts boxes around the bones.
///
/// Joints are where bones begin. Right-handed, Y up as a rule of these formats.
#[derive(Debug, Clone)]
pub struct Motion<T: Scalar> {
    /// The joints, parents first.
    pub skeleton: Arc<Skeleton<T>>,
    /// One clip, called as the file is.
    pub clips: Clips<T>,
    /// Where the bones of joints end that nothing else hangs on: the joint, and the place in its frame.
    pub ends: Vec<(usize, Vector3<T>)>,
    /// What was left out of the file.
    pub warnings: Vec<Warning>,
}

/// What to make of a file of motion.
#[derive(Debug, Clone, PartialEq)]
pub struct MotionOptions {
    /// The factor of all lengths, skeleton and motion. 1: lengths as they are in the file.
    ///
    /// No BVH file says what its unit is, so none is guessed: 0.01 makes metres of centimetres, 0.0254 of inches,
    /// [`MotionOptions::CMU`] of CMU's files. What an ASF file says under `:units` (`length 0.45` in CMU's) is not applied either:
    /// programs that write it do not agree on what it means.
    pub scale: f64,
    /// Frames a second of AMC files, which do not say; 120 as CMU's. BVH files say.
    pub rate: f64,
}

impl MotionOptions {
    /// The [`scale`](MotionOptions::scale) that makes metres of the lengths of CMU's files, ASF, AMC and the BVH files made of them:
    /// inches times 0.45, so 0.0254 / 0.45.
    ///
    /// ```
    /// use boxwood::load::MotionOptions;
    ///
    /// let options = MotionOptions { scale: MotionOptions::CMU, ..MotionOptions::default() };
    /// assert!((options.scale - 0.0254 / 0.45).abs() < 1e-6);
    /// ```
    pub const CMU: f64 = 0.056444;
}

impl Default for MotionOptions {
    fn default() -> Self {
        MotionOptions { scale: 1.0, rate: 120.0 }
    }
}

/// A joint as the files have them, and what moves it.
struct Bone {
    name: String,
    parent: Option<usize>,
    offset: Vector3<f64>,
    /// One a frame, or none where nothing turns it.
    rotations: Vec<UnitQuaternion<f64>>,
    /// One a frame, or none where nothing shifts it.
    positions: Vec<Vector3<f64>>,
}

/// What a file says, in its own units.
struct Recording {
    bones: Vec<Bone>,
    ends: Vec<(usize, Vector3<f64>)>,
    /// Seconds from frame to frame.
    step: f64,
    warnings: Vec<Warning>,
}

/// Reading a BVH file: compiled here, as it is much.
pub(super) struct Bvh;

impl Apiece for Bvh {
    type Given<'a, T: Scalar> = (&'a Path, &'a MotionOptions);
    type Answer<T: Scalar> = Result<Motion<T>, Error>;

    for_both!(|Bvh, (path, options)| bvh(path, options));
}

/// Reading an ASF file and an AMC file.
pub(super) struct Amc;

impl Apiece for Amc {
    type Given<'a, T: Scalar> = ([&'a Path; 2], &'a MotionOptions);
    type Answer<T: Scalar> = Result<Motion<T>, Error>;

    for_both!(|Amc, ([asf, amc], options)| self::amc(asf, amc, options));
}

/// Reads a BVH file.
fn bvh<T: Scalar>(path: &Path, options: &MotionOptions) -> Result<Motion<T>, Error> {
    let read = || bvh::read(&text(path)?)?.motion(path, options);
    read().map_err(|trouble| refused(path, &trouble))
}

/// Reads an AMC file with the ASF file of its skeleton.
fn amc<T: Scalar>(asf: &Path, amc: &Path, options: &MotionOptions) -> Result<Motion<T>, Error> {
    let skeleton = || asf::read(&text(asf)?);
    let skeleton = skeleton().map_err(|trouble| refused(asf, &trouble))?;
    let motion = || amc::read(&text(amc)?, skeleton, options.rate)?.motion(amc, options);
    motion().map_err(|trouble| refused(amc, &trouble))
}

fn text(path: &Path) -> Result<String, String> {
    let kind = std::fs::metadata(path).map_err(|error| error.to_string())?;
    if !kind.is_file() {
        return Err("it is not a file".to_owned());
    }
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + good.iter().filter(|&&byte| byte == b'\n').count();
        format!("line {line}: it is not text")
    })
}

impl Recording {
    fn motion<T: Scalar>(self, path: &Path, options: &MotionOptions) -> Result<Motion<T>, String> {
        let scaled = |v: &Vector3<f64>| (v * options.scale).map(T::nearest);
        let joint = |bone: &Bone| {
            let translation = scaled(&bone.offset);
            let rest = Transform { translation, ..Transform::default() };
            Joint { name: bone.name.clone(), parent: bone.parent, rest }
        };
        let skeleton = Skeleton::new(self.bones.iter().map(joint).collect());
        let skeleton = Arc::new(skeleton.map_err(|error| error.to_string())?);
        let mut tracks = Vec::new();
        for (joint, bone) in self.bones.iter().enumerate() {
            let rotation = |q: &UnitQuaternion<f64>| Quaternion::from(q.coords.map(T::nearest));
            let rotations = Keys::Rotation(bone.rotations.iter().map(rotation).collect());
            let positions = Keys::Translation(bone.positions.iter().map(scaled).collect());
            for keys in [positions, rotations].into_iter().filter(|keys| !keys.is_empty()) {
                let times = (0..keys.len()).map(|i| T::nearest(i as f64 * self.step)).collect();
                let track = Track::new(joint, times, keys, Interpolation::Linear);
                tracks.push(track.map_err(|error| format!("joint '{}': {error}", bone.name))?);
            }
        }
        let name = path.file_stem().map_or("motion".into(), |stem| stem.to_string_lossy());
        let clip = Clip::new(name, &skeleton, tracks).map_err(|error| error.to_string())?;
        let clips = Clips::new(vec![clip]).map_err(|error| error.to_string())?;
        let ends = self.ends.iter().map(|(joint, end)| (*joint, scaled(end))).collect();
        Ok(Motion { skeleton, clips, ends, warnings: self.warnings })
    }
}
