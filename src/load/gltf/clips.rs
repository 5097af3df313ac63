//! Animations into clips.

use std::collections::HashSet;
use std::sync::Arc;

use ::gltf::Document;
use ::gltf::animation::{Animation, Channel, Interpolation as FileInterpolation, Property};
use nalgebra::{Quaternion, Vector3};

use super::accessor::numbers;
use super::buffers::Buffers;
use super::names::Names;
use super::nodes::Nodes;
use crate::load::{Warning, warning::Warnings};
use crate::motion::{Clip, Clips, Interpolation, Joint, Keys, Skeleton, Track};
use crate::num::Scalar;

/// How far a scale may stray from the one at rest before that is worth a word. Share of it.
const SCALE: f64 = 1e-3;

/// Every animation of the document, for `skeleton`: the joints of `nodes` in another number type.
pub(super) fn read<T: Scalar>(
    document: &Document,
    buffers: &Buffers,
    nodes: &Nodes,
    skeleton: &Arc<Skeleton<T>>,
    warnings: &mut Warnings,
) -> Result<Clips<T>, String> {
    let (mut names, mut clips, mut scaled) = (Names::default(), Vec::new(), HashSet::new());
    for animation in document.animations() {
        let name =
            animation.name().map_or_else(|| format!("clip {}", animation.index()), str::to_owned);
        let name = names.unique(name);
        let at = |trouble: String| format!("clip '{name}': {trouble}");
        let tracks = tracks(&animation, &name, buffers, nodes, warnings).map_err(at)?;
        for track in &tracks {
            let Joint { name: joint, rest, .. } = &nodes.skeleton.joints()[track.joint()];
            if scales(track, &rest.scale) && scaled.insert(joint) {
                let (joint, clip) = (joint.clone(), name.clone());
                warnings.add(Warning::AnimatedScale { joint, clip });
            }
        }
        let clip = Clip::new(name.clone(), skeleton, tracks);
        clips.push(clip.map_err(|error| at(error.to_string()))?);
    }
    Clips::new(clips).map_err(|error| error.to_string())
}

fn tracks<T: Scalar>(
    animation: &Animation<'_>,
    clip: &str,
    buffers: &Buffers,
    nodes: &Nodes,
    warnings: &mut Warnings,
) -> Result<Vec<Track<T>>, String> {
    let (mut tracks, mut seen) = (Vec::new(), HashSet::new());
    for channel in animation.channels() {
        let (target, property) = (channel.target().node().index(), channel.target().property());
        if property == Property::MorphTargetWeights {
            continue; // said of the mesh already
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
    buffers: &Buffers,
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

/// Files keep x, y, z, w, often in few digits: brought to unit length. Tangents stay as they are.
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

/// Whether a track takes the scale away from that at rest.
pub(super) fn scales<T: Scalar>(track: &Track<T>, rest: &Vector3<f64>) -> bool {
    let Keys::Scale(values) = track.keys() else { return false };
    let values = values.iter().enumerate();
    let spline = track.interpolation() == Interpolation::CubicSpline;
    values
        .filter(|(index, _)| !spline || index % 3 == 1)
        .any(|(_, value)| (value.map(|x| x.wide()) - rest).amax() > SCALE * rest.amax())
}
