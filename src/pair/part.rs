//! Least translation that separates two overlapping cores.
//!
//! The difference of two convex sets is convex, and the shortest way out of it is along a normal of
//! its surface: a face normal of either set, or a cross product of their edges. Source: Ericson,
//! Real-Time Collision Detection (2005), 5.2.

use super::block::Block;
use super::near::{Between, Line, Middle, Near};
use super::triangles::Corners;
use crate::num::linear::{IDENTITY, Vec3, cross, dot, least_axis, length, scale, sub};

/// Pair of cores with a least translation.
pub(crate) trait Parting<B>: Between<B> {
    /// Returns the unit direction from the first core to the second, and the translation of the
    /// second along it until the two only touch.
    fn way(&self, other: &B) -> (Vec3, f64);
    /// Returns the mean of the points of the first core that lie deepest in the second.
    fn deepest(&self, normal: Vec3, _: &Near) -> Vec3
    where
        Self: Middle,
    {
        self.farthest(normal)
    }
}

impl Parting<Vec3> for Vec3 {
    fn way(&self, _: &Vec3) -> (Vec3, f64) {
        (IDENTITY[0], 0.0)
    }
}

impl Parting<Line> for Vec3 {
    fn way(&self, line: &Line) -> (Vec3, f64) {
        (across(sub(line[1], line[0])), 0.0)
    }
}

impl Parting<Corners> for Vec3 {
    fn way(&self, corners: &Corners) -> (Vec3, f64) {
        let [a, b, c] = *corners;
        let normal = crossed(sub(b, a), sub(c, a));
        (normal.unwrap_or_else(|| across(longest(corners))), 0.0)
    }
}

impl Parting<Block> for Vec3 {
    fn way(&self, block: &Block) -> (Vec3, f64) {
        let (out, depth) = block.way_out(*self);
        (scale(out, -1.0), depth)
    }
}

impl Parting<Line> for Line {
    fn way(&self, other: &Line) -> (Vec3, f64) {
        let (u, v) = (sub(self[1], self[0]), sub(other[1], other[0]));
        let longer = if dot(v, v) > dot(u, u) { v } else { u };
        (crossed(u, v).unwrap_or_else(|| across(longer)), 0.0)
    }
    /// All points of the segment lie equally deep, so the closest point is the answer.
    fn deepest(&self, _: Vec3, near: &Near) -> Vec3 {
        near.on_a
    }
}

impl Parting<Corners> for Line {
    fn way(&self, corners: &Corners) -> (Vec3, f64) {
        let along = sub(self[1], self[0]);
        let edges = [0, 1, 2].map(|i| sub(corners[(i + 1) % 3], corners[i]));
        let normal = crossed(edges[0], edges[2]);
        let crossed = edges.map(|edge| crossed(edge, along));
        let axes = [normal, crossed[0], crossed[1], crossed[2]];
        let longer = longest(corners);
        let longer = if dot(along, along) > dot(longer, longer) { along } else { longer };
        least(axes.into_iter().flatten(), self, corners).unwrap_or_else(|| (across(longer), 0.0))
    }
}

impl Parting<Block> for Line {
    fn way(&self, block: &Block) -> (Vec3, f64) {
        let along = sub(self[1], self[0]);
        let crossed = block.axes().iter().filter_map(|&axis| crossed(axis, along));
        let axes = block.axes().iter().copied().chain(crossed);
        least(axes, self, block).unwrap_or((IDENTITY[0], 0.0))
    }
}

/// Returns the least overlap along the axes, the first of equals.
fn least<A: Middle, B: Middle>(
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

fn longest(corners: &Corners) -> Vec3 {
    let edges = [0, 1, 2].map(|i| sub(corners[(i + 1) % 3], corners[i]));
    let longer = |a: Vec3, b: Vec3| if dot(b, b) > dot(a, a) { b } else { a };
    longer(longer(edges[0], edges[1]), edges[2])
}

fn unit(v: Vec3) -> Option<Vec3> {
    let size = length(v);
    (size > 0.0).then(|| scale(v, 1.0 / size))
}

/// Returns the unit vector perpendicular to both; `None` if they are nearly parallel.
fn crossed(u: Vec3, v: Vec3) -> Option<Vec3> {
    let normal = cross(u, v);
    let sound = dot(normal, normal) > PARALLEL * dot(u, u) * dot(v, v);
    sound.then(|| unit(normal)).flatten()
}

/// Squared sine below which two directions count as parallel: their cross product is noise. Either
/// choice then changes a depth by the same share of the sizes.
const PARALLEL: f64 = 1e-16;

/// Returns a unit vector perpendicular to `v`, and to the coordinate axis that `v` is least along.
fn across(v: Vec3) -> Vec3 {
    unit(cross(v, IDENTITY[least_axis(v)])).unwrap_or(IDENTITY[0])
}
