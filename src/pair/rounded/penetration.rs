//! Least translation that separates two overlapping cores.
//!
//! The difference of two convex sets is convex, and the shortest way out of it is along a normal of
//! its surface: a face normal of either set, or a cross product of their edges. Source: Ericson,
//! Real-Time Collision Detection (2005), 5.2.

use super::cores::{ClosestOnCores, CorePair, CoreSegment, CoreShape};
use super::slack_box::SlackBox;
use super::triangle_exact::TriangleCorners;
use crate::num::linear::{IDENTITY, Vec3, cross, dot, length, scale, sub, unit_perpendicular};

/// Pair of cores with a least translation.
pub(crate) trait Penetration<B>: CorePair<B> {
    /// Returns the unit direction from the first core to the second, and the translation of the
    /// second along it until the two only touch.
    fn least_translation(&self, other: &B) -> (Vec3, f64);
    /// Returns the mean of the points of the first core that lie deepest in the second.
    fn deepest_point(&self, normal: Vec3, _: &ClosestOnCores) -> Vec3
    where
        Self: CoreShape,
    {
        self.farthest(normal)
    }
}

impl Penetration<Vec3> for Vec3 {
    fn least_translation(&self, _: &Vec3) -> (Vec3, f64) {
        (IDENTITY[0], 0.0)
    }
}

impl Penetration<CoreSegment> for Vec3 {
    fn least_translation(&self, line: &CoreSegment) -> (Vec3, f64) {
        (unit_perpendicular(sub(line[1], line[0])), 0.0)
    }
}

impl Penetration<TriangleCorners> for Vec3 {
    fn least_translation(&self, corners: &TriangleCorners) -> (Vec3, f64) {
        let [a, b, c] = *corners;
        let normal = unit_cross(sub(b, a), sub(c, a));
        (normal.unwrap_or_else(|| unit_perpendicular(longest_edge(corners))), 0.0)
    }
}

impl Penetration<SlackBox> for Vec3 {
    fn least_translation(&self, block: &SlackBox) -> (Vec3, f64) {
        let (out, depth) = block.least_translation(*self);
        (scale(out, -1.0), depth)
    }
}

impl Penetration<CoreSegment> for CoreSegment {
    fn least_translation(&self, other: &CoreSegment) -> (Vec3, f64) {
        let (u, v) = (sub(self[1], self[0]), sub(other[1], other[0]));
        let longer = if dot(v, v) > dot(u, u) { v } else { u };
        (unit_cross(u, v).unwrap_or_else(|| unit_perpendicular(longer)), 0.0)
    }
    /// All points of the segment lie equally deep, so the closest point is the answer.
    fn deepest_point(&self, _: Vec3, near: &ClosestOnCores) -> Vec3 {
        near.on_a
    }
}

impl Penetration<TriangleCorners> for CoreSegment {
    fn least_translation(&self, corners: &TriangleCorners) -> (Vec3, f64) {
        let along = sub(self[1], self[0]);
        let edges = [0, 1, 2].map(|i| sub(corners[(i + 1) % 3], corners[i]));
        let normal = unit_cross(edges[0], edges[2]);
        let crossed = edges.map(|edge| unit_cross(edge, along));
        let axes = [normal, crossed[0], crossed[1], crossed[2]];
        let longer = longest_edge(corners);
        let longer = if dot(along, along) > dot(longer, longer) { along } else { longer };
        least_overlap(axes.into_iter().flatten(), self, corners)
            .unwrap_or_else(|| (unit_perpendicular(longer), 0.0))
    }
}

impl Penetration<SlackBox> for CoreSegment {
    fn least_translation(&self, block: &SlackBox) -> (Vec3, f64) {
        let along = sub(self[1], self[0]);
        let crossed = block.axes().iter().filter_map(|&axis| unit_cross(axis, along));
        let axes = block.axes().iter().copied().chain(crossed);
        least_overlap(axes, self, block).unwrap_or((IDENTITY[0], 0.0))
    }
}

/// Returns the least overlap along the axes, the first of equals.
fn least_overlap<A: CoreShape, B: CoreShape>(
    axes: impl Iterator<Item = Vec3>,
    a: &A,
    b: &B,
) -> Option<(Vec3, f64)> {
    let mut best: Option<(Vec3, f64)> = None;
    for axis in axes {
        for normal in [axis, scale(axis, -1.0)] {
            let back = scale(normal, -1.0);
            let depth = dot(normal, sub(a.farthest(normal), b.farthest(back)));
            if best.is_none_or(|(_, least)| depth < least) {
                best = Some((normal, depth));
            }
        }
    }
    best.map(|(normal, depth)| (normal, if depth > 0.0 { depth } else { 0.0 }))
}

fn longest_edge(corners: &TriangleCorners) -> Vec3 {
    let edges = [0, 1, 2].map(|i| sub(corners[(i + 1) % 3], corners[i]));
    let longer = |a: Vec3, b: Vec3| if dot(b, b) > dot(a, a) { b } else { a };
    longer(longer(edges[0], edges[1]), edges[2])
}

fn unit(v: Vec3) -> Option<Vec3> {
    let size = length(v);
    (size > 0.0).then(|| scale(v, 1.0 / size))
}

/// Returns the unit vector perpendicular to both; `None` if they are nearly parallel.
fn unit_cross(u: Vec3, v: Vec3) -> Option<Vec3> {
    let normal = cross(u, v);
    let sound = dot(normal, normal) > PARALLEL_SINE_SQUARED * dot(u, u) * dot(v, v);
    sound.then(|| unit(normal)).flatten()
}

/// Squared sine below which two directions count as parallel: their cross product is noise. Either
/// choice then changes a depth by the same share of the sizes.
const PARALLEL_SINE_SQUARED: f64 = 1e-16;
