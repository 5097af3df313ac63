//! Parts that clips stretch. Poses are rigid, so a part whose shape a clip changes becomes one box
//! that contains it at every size.

use std::collections::{BTreeSet, HashMap};

use nalgebra::{Matrix3, Point3, Vector3};

use super::clips::scales;
use super::geometry::JointTriangles;
use super::nodes::{SceneNodes, is_uniform};
use super::skins::{rest_scales, rigid_linear};
use crate::error::Error;
use crate::fit::AxisBounds;
use crate::load::{
    Warning,
    warning::{SeverityList, Warnings},
};
use crate::motion::{Clip, Clips, Joint, Joints};
use crate::num::Scalar;
use crate::num::linear::{length, sub};
use crate::shape::Obb;

/// Displacement of a corner relative to its joint that counts as stretching, as a share of the
/// part's size.
const MIN_STRETCH: f64 = 1e-3;

/// Samples between two keys. Scales change linearly there and are covered by the keys; geometry
/// that rotates below a scale that is not uniform moves on arcs.
const SAMPLES_PER_KEY: usize = 16;

/// Largest number of joint poses sampled in one file.
const MAX_POSES: usize = 1 << 24;

/// Pad of a box for the arcs between samples, as a share of its size: enough below a sixteenth of a
/// quarter turn.
const ARC_PAD: f64 = 2e-3;

/// Finds the stretched parts by joint, with the bounds of their geometry over all clips, in the
/// joint's rigid frame. Warns of each.
pub(super) fn stretched_parts<T: Scalar>(
    nodes: &SceneNodes,
    clips: &Clips<T>,
    by_joint: &[JointTriangles<T>],
    warnings: &mut Warnings,
) -> Result<HashMap<usize, AxisBounds>, String> {
    let joints = nodes.skeleton.joints();
    let skewed = joints.iter().any(|joint| !is_uniform(&joint.rest.scale));
    let mut samples = 0;
    let rest = by_joint.iter().zip(rest_scales(nodes));
    let mut parts: Vec<_> =
        rest.map(|(triangles, s)| PartExtent::new(&triangles.unscaled, &s)).collect();
    let mut buffer = Joints::new();
    for clip in clips.iter().filter(|clip| skewed || any_scales(clip, joints)) {
        let times = times(clip);
        samples += times.len().saturating_mul(parts.len());
        if samples > MAX_POSES {
            return Err(format!(
                "clip '{}': too many keys to bound the parts that it scales",
                clip.name()
            ));
        }
        for t in times {
            clip.sample(t, &mut buffer).map_err(|error| error.to_string())?;
            let now = buffer.poses().iter().zip(buffer.linear());
            for (part, (pose, linear)) in parts.iter_mut().zip(now) {
                let turn = pose.rotation.to_rotation_matrix().into_inner();
                part.add(&rigid_linear(&turn.map(T::wide), &linear.map(T::wide)), clip.name());
            }
        }
    }
    let (mut found, mut worst) = (HashMap::new(), SeverityList::new());
    for (index, part) in parts.into_iter().enumerate() {
        let Some(clip) = part.clip else { continue };
        worst.add(part.most, (nodes.name(index).to_owned(), clip));
        found.insert(index, part.ends);
    }
    if let Some((percent, parts)) = worst.sorted() {
        warnings.add(Warning::Stretched { parts, percent });
    }
    Ok(found)
}

/// Returns `true` if a track of the clip changes a scale.
fn any_scales<T: Scalar>(clip: &Clip<T>, joints: &[Joint<f64>]) -> bool {
    clip.tracks().iter().any(|track| scales(track, &joints[track.joint()].rest.scale))
}

/// The times of all keys and of the samples between them, ascending.
fn times<T: Scalar>(clip: &Clip<T>) -> Vec<T> {
    let keys = clip.tracks().iter().flat_map(|track| track.times());
    // Times are not negative, so their bits have the same order.
    let keys: BTreeSet<u64> = keys.map(|t| t.wide().abs().to_bits()).collect();
    let keys: Vec<f64> = keys.into_iter().map(f64::from_bits).collect();
    let between = keys.windows(2).flat_map(|pair| {
        let step = (pair[1] - pair[0]) / SAMPLES_PER_KEY as f64;
        (0..SAMPLES_PER_KEY).map(move |sample| pair[0] + step * sample as f64)
    });
    between.chain(keys.last().copied()).map(T::nearest).collect()
}

/// The extent of a part while the clips are sampled.
struct PartExtent {
    corners: Vec<Vector3<f64>>,
    rest: Vec<Vector3<f64>>,
    size: f64,
    ends: AxisBounds,
    /// The first clip that stretches it.
    clip: Option<String>,
    /// The largest displacement, as a share of the part's size.
    most: f64,
}

impl PartExtent {
    fn new(unscaled: &AxisBounds, scale: &Matrix3<f64>) -> Self {
        let corners = corners(unscaled);
        let rest: Vec<_> = corners.iter().map(|corner| scale * corner).collect();
        let ends = AxisBounds::from_points(rest.iter().map(|&corner| corner.into()));
        let size = if rest.is_empty() { 0.0 } else { length(sub(ends.high, ends.low)) };
        PartExtent { corners, rest, size, ends, clip: None, most: 0.0 }
    }

    /// Adds the corners under a scale.
    fn add(&mut self, scale: &Matrix3<f64>, clip: &str) {
        for (corner, rest) in self.corners.iter().zip(&self.rest) {
            let now = scale * corner;
            self.ends.add(now.into());
            let moved = (now - rest).norm();
            if moved <= MIN_STRETCH * self.size {
                continue;
            }
            // A part without size at rest counts as stretched by all of its size.
            self.most = self.most.max(if self.size > 0.0 { moved / self.size } else { 1.0 });
            self.clip.get_or_insert_with(|| clip.to_owned());
        }
    }
}

/// The corners of a box; none if it is empty.
fn corners(ends: &AxisBounds) -> Vec<Vector3<f64>> {
    let AxisBounds { low, high } = *ends;
    let corner = |c: usize| Vector3::from_fn(|i, _| if c >> i & 1 == 1 { high[i] } else { low[i] });
    (0..8).filter(|_| low[0] <= high[0]).map(corner).collect()
}

/// The box that contains a part in every clip.
pub(super) fn bounding_box<T: Scalar>(ends: &AxisBounds) -> Result<Obb<T>, Error> {
    let (low, high) = (Vector3::from(ends.low), Vector3::from(ends.high));
    let pad = ARC_PAD * (high - low).norm();
    let center = Point3::from((low + high) * 0.5).map(T::nearest);
    let half = ((high - low) * 0.5).map(|half| T::nearest(half + pad));
    Obb::new(center, Matrix3::identity(), half)
}
