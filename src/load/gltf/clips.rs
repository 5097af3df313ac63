//! glTF animations into clips.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use ::gltf::Document;
use ::gltf::animation::{Animation, Channel, Interpolation as FileInterpolation, Property};
use nalgebra::{Quaternion, Vector3};

use super::accessor::numbers;
use super::buffers::GltfBuffers;
use super::document::POINTER_EXTENSION;
use super::names::UniqueNames;
use super::nodes::SceneNodes;
use crate::load::{
    Warning,
    warning::{SeverityList, Warnings},
};
use crate::motion::{Clip, Clips, Interpolation, Keys, Skeleton, Track};
use crate::num::Scalar;

/// Deviation of a scale from its rest value that causes a warning, as a share of the rest value.
const MIN_SCALE_CHANGE: f64 = 1e-3;

/// Reads every animation of the document, for `skeleton`: the joints of `nodes` in the model's
/// number type.
pub(super) fn read<T: Scalar>(
    document: &Document,
    buffers: &GltfBuffers,
    nodes: &SceneNodes,
    skeleton: &Arc<Skeleton<T>>,
    warnings: &mut Warnings,
) -> Result<Clips<T>, String> {
    let (mut names, mut clips) = (UniqueNames::default(), Vec::new());
    // Deviation of each joint's scale, and the first clip that changes it.
    let mut scaled: BTreeMap<usize, (f64, String)> = BTreeMap::new();
    for animation in document.animations() {
        let name =
            animation.name().map_or_else(|| format!("clip {}", animation.index()), str::to_owned);
        let name = names.unique(name);
        let at = |trouble: String| format!("clip '{name}': {trouble}");
        let tracks = tracks(&animation, &name, buffers, nodes, warnings).map_err(at)?;
        for track in &tracks {
            let scale = &nodes.skeleton.joints()[track.joint()].rest.scale;
            if scales(track, scale) {
                let (most, _) = scaled.entry(track.joint()).or_insert((0.0, name.clone()));
                *most = most.max(max_scale_deviation(track, scale));
            }
        }
        let clip = Clip::new(name.clone(), skeleton, tracks);
        clips.push(clip.map_err(|error| at(error.to_string()))?);
    }
    if document.extensions_used().any(|name| name == POINTER_EXTENSION) && !clips.is_empty() {
        let (file, element) =
            ("clips".to_owned(), format!("tracks without a node ({POINTER_EXTENSION})"));
        warnings.add(Warning::Skipped { file, element, count: clips.len() });
    }
    let mut worst = SeverityList::new();
    for (joint, (most, clip)) in scaled {
        worst.add(most, (nodes.name(joint).to_owned(), clip));
    }
    if let Some((percent, joints)) = worst.sorted() {
        warnings.add(Warning::AnimatedScale { joints, percent });
    }
    Clips::new(clips).map_err(|error| error.to_string())
}

fn tracks<T: Scalar>(
    animation: &Animation<'_>,
    clip: &str,
    buffers: &GltfBuffers,
    nodes: &SceneNodes,
    warnings: &mut Warnings,
) -> Result<Vec<Track<T>>, String> {
    let (mut tracks, mut seen) = (Vec::new(), HashSet::new());
    for channel in animation.channels() {
        let (target, property) = (channel.target().node().index(), channel.target().property());
        if property == Property::MorphTargetWeights {
            continue; // the mesh has its own warning
        }
        let Some(joint) = nodes.joint_of[target] else {
            warnings.add(Warning::StrayTrack { clip: clip.to_owned(), node: target });
            continue;
        };
        let name = nodes.name(joint);
        if !seen.insert((joint, property as u8)) {
            let (clip, joint) = (clip.to_owned(), name.to_owned());
            warnings.add(Warning::RepeatedTrack { clip, joint });
        }
        let track = track(&channel, joint, buffers);
        let track = track.map_err(|trouble| format!("{property:?} of '{name}': {trouble}"))?;
        tracks.push(track);
    }
    Ok(tracks)
}

fn track<T: Scalar>(
    channel: &Channel<'_>,
    joint: usize,
    buffers: &GltfBuffers,
) -> Result<Track<T>, String> {
    let sampler = channel.sampler();
    let times = numbers::<1>(buffers, &sampler.input())?;
    let times = times.into_iter().map(|[t]| T::nearest(t)).collect();
    let (interpolation, values_a_key) = match sampler.interpolation() {
        FileInterpolation::Linear => (Interpolation::Linear, 1),
        FileInterpolation::Step => (Interpolation::Step, 1),
        FileInterpolation::CubicSpline => (Interpolation::CubicSpline, 3),
    };
    let vectors = || -> Result<Vec<Vector3<T>>, String> {
        let values = numbers::<3>(buffers, &sampler.output())?;
        Ok(values.into_iter().map(|value| Vector3::from(value).map(T::nearest)).collect())
    };
    let keys = match channel.target().property() {
        Property::Translation => Keys::Translation(vectors()?),
        Property::Scale => Keys::Scale(vectors()?),
        _ => {
            let values = numbers::<4>(buffers, &sampler.output())?;
            let turns = values.iter().enumerate();
            let tangent = |index: usize| values_a_key == 3 && index % 3 != 1;
            Keys::Rotation(
                turns.map(|(i, q)| rotation(q, i, tangent(i))).collect::<Result<_, String>>()?,
            )
        }
    };
    Track::new(joint, times, keys, interpolation).map_err(|error| error.to_string())
}

/// Normalises rotations, which are often stored with few digits, from the order x, y, z, w.
/// Tangents are unchanged.
fn rotation<T: Scalar>(
    &[x, y, z, w]: &[f64; 4],
    index: usize,
    tangent: bool,
) -> Result<Quaternion<T>, String> {
    let q = Quaternion::new(w, x, y, z);
    let length = if tangent { 1.0 } else { q.norm() };
    if length < 1e-6 {
        return Err(format!("key value {index} has no length"));
    }
    let q = q / length;
    Ok(Quaternion::from(q.coords.map(T::nearest)))
}

/// Returns `true` if a track changes the scale from its rest value.
pub(super) fn scales<T: Scalar>(track: &Track<T>, rest: &Vector3<f64>) -> bool {
    scale_deviations(track, rest).any(|off| off > MIN_SCALE_CHANGE * rest.amax())
}

/// The largest deviation of a track's scales from the rest value, as a share of that.
fn max_scale_deviation<T: Scalar>(track: &Track<T>, rest: &Vector3<f64>) -> f64 {
    let size = rest.amax();
    scale_deviations(track, rest).fold(0.0, f64::max) / if size > 0.0 { size } else { 1.0 }
}

/// The deviation of each scale of a track from the rest value.
fn scale_deviations<T: Scalar>(track: &Track<T>, rest: &Vector3<f64>) -> impl Iterator<Item = f64> {
    let values = match track.keys() {
        Keys::Scale(values) => &values[..],
        _ => &[],
    };
    let spline = track.interpolation() == Interpolation::CubicSpline;
    let values = values.iter().enumerate().filter(move |(index, _)| !spline || index % 3 == 1);
    values.map(move |(_, value)| (value.map(|x| x.wide()) - rest).amax())
}
