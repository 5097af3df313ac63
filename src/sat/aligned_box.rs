//! SAT of boxes and frusta against an aligned box, the most common box in the frame of a part: the
//! axes of [`polytope`](super::polytope), with fewer operations.
//!
//! # Error bounds
//! The cross product of an edge and a coordinate axis consists of two coordinates of the edge, so
//! finding it rounds nothing. The error along an axis is therefore a share of its length, and the
//! pad covers it many times.
//!
//! A frustum and a box certainly share a point if a mean of the corners of the frustum lies in the
//! box grown by a quarter of the pad: no axis would separate them. Most overlaps include a point
//! near the middle of one of the two, so such a point is soon found.

use super::polytope::{FrustumHull, l1_norm};
use crate::num::linear::{Mat3, Vec3, add, cross, dot, rotate, rotate_back, scale, sub};
use crate::num::simd::Lanes;
use crate::shape::{Placement, WideObb};

const MAX_TRIES: usize = 4;

const OTHER_AXES: [[usize; 2]; 3] = [[1, 2], [2, 0], [0, 1]];

/// Returns `false` only if a separating axis of an oriented box and an aligned one (`[center,
/// half]`) is found. Like [`boxes_may_overlap`](super::polytope::boxes_may_overlap).
#[inline(always)]
pub(crate) fn box_may_overlap_aligned(own: &WideObb, [center, half]: [Vec3; 2], pad: f64) -> bool {
    let (axes, h, t) = (&own.axes, own.half_extents, sub(center, own.center));
    for i in 0..3 {
        let reach = h[0] * axes[0][i].abs() + h[1] * axes[1][i].abs() + h[2] * axes[2][i].abs();
        if t[i].abs() > half[i] + reach + pad {
            return false;
        }
    }
    for axis in axes {
        let along = rotate_back(axes, *axis);
        let reach = h[0] * along[0].abs() + h[1] * along[1].abs() + h[2] * along[2].abs();
        let across = (half[0] + pad) * axis[0].abs()
            + (half[1] + pad) * axis[1].abs()
            + (half[2] + pad) * axis[2].abs();
        if dot(*axis, t).abs() > reach + across {
            return false;
        }
    }
    !is_separated_by_edges(own, (t, half), pad)
}

#[inline(always)]
fn is_separated_by_edges(own: &WideObb, (t, half): (Vec3, Vec3), pad: f64) -> bool {
    let (axes, h) = (&own.axes, own.half_extents);
    let normals = [cross(axes[1], axes[2]), cross(axes[2], axes[0]), cross(axes[0], axes[1])];
    for (edge, [j, k]) in axes.iter().zip(OTHER_AXES) {
        for (i, [n, o]) in OTHER_AXES.into_iter().enumerate() {
            let reach = h[j] * normals[k][i].abs() + h[k] * normals[j][i].abs();
            let across = (half[n] + pad) * edge[o].abs() + (half[o] + pad) * edge[n].abs();
            if (edge[n] * t[o] - edge[o] * t[n]).abs() > reach + across {
                return true;
            }
        }
    }
    false
}

impl FrustumHull {
    /// Returns `false` only if a separating axis of the frustum and an aligned box (`[center,
    /// half]`) of a placed part is found. Like [`FrustumHull::may_overlap_box`].
    #[inline(always)]
    pub fn may_overlap_aligned(
        &self,
        place: &Placement,
        [center, half]: [Vec3; 2],
        pad: f64,
    ) -> bool {
        let out = sub(place.position, self.corners[0]);
        let middle = add(rotate(&place.rotation, center), out);
        let mut heights = [0.0; 6];
        for (face, normal) in self.normals.iter().enumerate() {
            let (along, at) = (rotate_back(&place.rotation, *normal), dot(*normal, middle));
            let reach = half[0] * along[0].abs()
                + half[1] * along[1].abs()
                + half[2] * along[2].abs()
                + pad * l1_norm(*normal);
            let [low, high] = self.spans[face];
            if at - reach > high || at + reach < low {
                return false;
            }
            heights[face] = at - low;
        }
        self.finds_common_point(heights, (&place.rotation, middle, half), pad)
            || self.no_edge_axis_separates(place, [center, half], pad)
    }

    /// Returns `true` if a common point is found by alternating projections, starting at the middle
    /// of the box.
    #[inline(always)]
    fn finds_common_point(
        &self,
        mut heights: [f64; 6],
        (axes, middle, half): (&Mat3, Vec3, Vec3),
        pad: f64,
    ) -> bool {
        for _ in 0..MAX_TRIES {
            let seen = rotate_back(axes, sub(self.weighted_corner_mean(heights), middle));
            let (mut near, mut inside) = (seen, true);
            for i in 0..3 {
                inside &= seen[i].abs() <= half[i] + 0.25 * pad;
                near[i] = seen[i].low(half[i]).high(-half[i]);
            }
            if inside {
                return true;
            }
            let point = add(rotate(axes, near), middle);
            for (face, height) in heights.iter_mut().enumerate() {
                *height = dot(self.normals[face], point) - self.spans[face][0];
            }
        }
        false
    }

    /// Returns a weighted mean of the corners, relative to the first, near the point with the given
    /// heights above the faces.
    #[inline(always)]
    fn weighted_corner_mean(&self, heights: [f64; 6]) -> Vec3 {
        let [x, y, z] = [
            fraction_between(heights[2], heights[3]),
            fraction_between(heights[4], heights[5]),
            fraction_between(heights[0], heights[1]),
        ];
        let mut between = self.corners;
        for (step, share) in [(4, z), (2, y), (1, x)] {
            for corner in 0..step {
                let (from, to) = (between[corner], between[corner + step]);
                between[corner] = add(from, scale(sub(to, from), share));
            }
        }
        sub(between[0], self.corners[0])
    }

    #[inline(never)]
    fn no_edge_axis_separates(
        &self,
        place: &Placement,
        [center, half]: [Vec3; 2],
        pad: f64,
    ) -> bool {
        let mut rows = [[0.0; 8]; 3];
        for (at, corner) in self.corners.iter().enumerate() {
            let seen = rotate_back(&place.rotation, sub(*corner, place.position));
            for i in 0..3 {
                rows[i][at] = seen[i] - center[i];
            }
        }
        for i in 0..3 {
            if all_beyond(&rows[i], half[i] + pad) {
                return false;
            }
        }
        for edge in &self.edges {
            let edge = rotate_back(&place.rotation, *edge);
            for [n, o] in OTHER_AXES {
                let mut along = [0.0; 8];
                for (at, along) in along.iter_mut().enumerate() {
                    *along = edge[n] * rows[o][at] - edge[o] * rows[n][at];
                }
                let reach = (half[n] + pad) * edge[o].abs() + (half[o] + pad) * edge[n].abs();
                if all_beyond(&along, reach) {
                    return false;
                }
            }
        }
        true
    }
}

/// Returns the position between two opposite faces, as a share, given the distances from both.
#[inline(always)]
fn fraction_between(from: f64, to: f64) -> f64 {
    let (from, to) = (from.high(0.0), to.high(0.0));
    if from + to > 0.0 { from / (from + to) } else { 0.5 }
}

#[inline(always)]
fn all_beyond(along: &[f64; 8], reach: f64) -> bool {
    let (mut low, mut high) = ([0.0; 4], [0.0; 4]);
    for i in 0..4 {
        low[i] = along[i].low(along[i + 4]);
        high[i] = along[i].high(along[i + 4]);
    }
    let ([a, b, c, d], [e, f, g, h]) = (low, high);
    a.low(b).low(c.low(d)) > reach || e.high(f).high(g.high(h)) < -reach
}
