//! Clips of glTF files, sampled by the `gltf` crate and nalgebra's own interpolation, independent
//! of boxwood.

use std::collections::HashMap;

use gltf::Document;
use gltf::animation::util::ReadOutputs;
use gltf::animation::{Channel, Interpolation};
use nalgebra::{Matrix4, Quaternion, Rotation3, Translation3, UnitQuaternion, Vector3, Vector4};

use crate::skinning::Locals;

/// Translation, rotation and scale.
type Parts = (Vector3<f64>, UnitQuaternion<f64>, Vector3<f64>);

/// Returns node-to-parent matrices for every node that a clip moves, at a time of that clip.
pub fn locals(document: &Document, blob: &[u8], clip: usize, t: f64) -> Locals {
    let mut moved: HashMap<usize, Parts> = HashMap::new();
    let animation = document.animations().nth(clip).expect("a clip");
    for channel in animation.channels() {
        let node = channel.target().node();
        let parts = moved.entry(node.index()).or_insert_with(|| {
            let (p, [x, y, z, w], s) = node.transform().decomposed();
            let turn = Quaternion::new(w, x, y, z).cast::<f64>();
            let wide = |v: [f32; 3]| Vector3::from(v.map(f64::from));
            (wide(p), UnitQuaternion::from_quaternion(turn), wide(s))
        });
        apply(&channel, blob, t, parts);
    }
    moved.into_iter().map(|(node, parts)| (node, matrix(&parts))).collect()
}

fn matrix((p, q, s): &Parts) -> Matrix4<f64> {
    let turn = Rotation3::from(*q).to_homogeneous();
    Translation3::from(*p).to_homogeneous() * turn * Matrix4::new_nonuniform_scaling(s)
}

fn apply(channel: &Channel<'_>, blob: &[u8], t: f64, (p, q, s): &mut Parts) {
    let reader = channel.reader(|_| Some(blob));
    let times: Vec<f64> = reader.read_inputs().expect("times").map(f64::from).collect();
    let how = channel.sampler().interpolation();
    let three = |[x, y, z]: [f32; 3]| Vector4::new(x, y, z, 0.0).cast();
    match reader.read_outputs().expect("values") {
        ReadOutputs::Translations(v) => *p = value(&times, t, how, v.map(three).collect()).xyz(),
        ReadOutputs::Scales(v) => *s = value(&times, t, how, v.map(three).collect()).xyz(),
        ReadOutputs::Rotations(v) => {
            let values: Vec<Vector4<f64>> =
                v.into_f32().map(|q| Vector4::from(q.map(f64::from))).collect();
            *q = match (how, span(&times, t)) {
                (Interpolation::Linear, (key, share, _)) => {
                    let at = |key: usize| UnitQuaternion::from_quaternion(values[key].into());
                    at(key).slerp(&at((key + 1).min(times.len() - 1)), share)
                }
                _ => UnitQuaternion::from_quaternion(value(&times, t, how, values).into()),
            };
        }
        ReadOutputs::MorphTargetWeights(_) => {}
    }
}

/// Returns the key at or before `t`, the fraction of the way to the next one, and the seconds
/// between the two.
fn span(times: &[f64], t: f64) -> (usize, f64, f64) {
    let Some(key) = times.iter().rposition(|&time| time <= t) else { return (0, 0.0, 0.0) };
    match times.get(key + 1) {
        Some(next) => (key, (t - times[key]) / (next - times[key]), next - times[key]),
        None => (key, 0.0, 0.0),
    }
}

fn value(times: &[f64], t: f64, how: Interpolation, values: Vec<Vector4<f64>>) -> Vector4<f64> {
    let (key, s, seconds) = span(times, t);
    match how {
        _ if s == 0.0 && how == Interpolation::CubicSpline => values[3 * key + 1],
        _ if s == 0.0 || how == Interpolation::Step => values[key],
        Interpolation::CubicSpline => {
            let [a, leaving, arriving, b] = [1, 2, 3, 4].map(|i| values[3 * key + i]);
            a * (1.0 + 2.0 * s) * (1.0 - s) * (1.0 - s)
                + leaving * seconds * s * (1.0 - s) * (1.0 - s)
                + b * s * s * (3.0 - 2.0 * s)
                + arriving * seconds * s * s * (s - 1.0)
        }
        _ => values[key].lerp(&values[key + 1], s),
    }
}
