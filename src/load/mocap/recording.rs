//! Recorded motion, and its assembly from bones.

use std::sync::Arc;

use nalgebra::{Quaternion, UnitQuaternion, Vector3};

use super::bones::{Bone, RecordedBones};
use crate::error::Error;
use crate::load::options::Options;
use crate::load::source::{FileSource, plain_text, report_all_read, without_byte_order_mark};
use crate::load::{Warning, Watch};
use crate::motion::{Clip, Clips, Interpolation, Joint, Keys, Skeleton, Track, Transform};
use crate::num::{Scalar, precompiled};

/// A recorded motion: joints and clips without collision geometry; [`Recording::character`] adds
/// boxes around the bones.
///
/// Joints are the beginnings of bones. Right-handed; Y is usually up in these formats.
///
/// ```
/// use boxwood::{Loader, load::BoneBoxes};
///
/// let text = "HIERARCHY\nROOT hips\n{\nOFFSET 0 0 0\nCHANNELS 1 Yrotation\n\
///     End Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 1\nFrame Time: 0.5\n0\n";
/// let recording = Loader::new().bvh_bytes(text.as_bytes())?;
/// let character = recording.character(&BoneBoxes::default().share(0.2))?;
/// let bounds = character.model.parts()[0].tree().expect("a bone").node(boxwood::NodeId::ROOT);
/// assert!((bounds.aligned().sizes().x - 0.4).abs() < 1e-6); // half as thick as 0.2 of its length
/// # Ok::<(), boxwood::Error>(())
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Recording<T: Scalar> {
    /// The joints, parents first.
    pub skeleton: Arc<Skeleton<T>>,
    /// The only clip, named after the file.
    pub clips: Clips<T>,
    /// The ends of bones without child joints: the joint, and the point in its frame.
    pub ends: Vec<(usize, Vector3<T>)>,
    /// Features of the file that were left out.
    pub warnings: Vec<Warning>,
}

precompiled! {
    /// Reads a BVH file.
    pub(in crate::load) fn read_bvh<'a, T>(
        source: &'a FileSource<'a>,
        options: &'a Options,
        watch: &'a mut Watch<'a>,
    ) -> Result<Recording<T>, Error> {
        bvh(source, options, watch)
    }
}

precompiled! {
    /// Reads an ASF file and an AMC file.
    pub(in crate::load) fn read_amc<'a, T>(
        sources: &'a [FileSource<'a>; 2],
        options: &'a Options,
        watch: &'a mut Watch<'a>,
    ) -> Result<Recording<T>, Error> {
        amc(sources, options, watch)
    }
}

/// Reads the text of a file: UTF-8, else Latin-1, which names of joints may be written in.
pub(super) fn text(source: &FileSource<'_>) -> Result<String, String> {
    Ok(plain_text(without_byte_order_mark(&source.bytes()?)?))
}

/// Loads a BVH file.
pub(super) fn bvh<T: Scalar>(
    source: &FileSource<'_>,
    options: &Options,
    watch: &mut Watch<'_>,
) -> Result<Recording<T>, Error> {
    let read = || super::bvh::read(&text(source)?)?.motion(source, options);
    let recording = read().map_err(|trouble| source.error(&trouble))?;
    report_all_read(watch)?;
    Ok(recording)
}

/// Loads an AMC file with the ASF file of its skeleton.
pub(super) fn amc<T: Scalar>(
    [asf, amc]: &[FileSource<'_>; 2],
    options: &Options,
    watch: &mut Watch<'_>,
) -> Result<Recording<T>, Error> {
    let skeleton = || super::asf::read(&text(asf)?);
    let skeleton = skeleton().map_err(|trouble| asf.error(&trouble))?;
    let motion =
        || super::amc::read(&text(amc)?, skeleton, options.frame_rate)?.motion(amc, options);
    let recording = motion().map_err(|trouble| amc.error(&trouble))?;
    report_all_read(watch)?;
    Ok(recording)
}

impl RecordedBones {
    fn motion<T: Scalar>(
        self,
        source: &FileSource<'_>,
        options: &Options,
    ) -> Result<Recording<T>, String> {
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
        let name = source.name("motion");
        let clip = Clip::new(name, &skeleton, tracks).map_err(|error| error.to_string())?;
        let clips = Clips::new(vec![clip]).map_err(|error| error.to_string())?;
        let ends = self.ends.iter().map(|(joint, end)| (*joint, scaled(end))).collect();
        Ok(Recording { skeleton, clips, ends, warnings: self.warnings })
    }
}
