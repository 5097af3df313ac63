//! Triangles in double precision: area, closest point, distance.

use nalgebra::Point3;

use crate::num::Scalar;
use crate::num::linear::{Vec3, add, cross, dot, length, scale, sub};

/// A triangle in double precision, possibly degenerate to a segment or a point.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WideTriangle {
    pub corners: [Vec3; 3],
}

impl WideTriangle {
    pub fn new<T: Scalar>(corners: [Point3<T>; 3]) -> Self {
        WideTriangle { corners: corners.map(|p| [p.x.wide(), p.y.wide(), p.z.wide()]) }
    }

    pub fn area(&self) -> f64 {
        let [a, b, c] = self.corners;
        0.5 * length(cross(sub(b, a), sub(c, a)))
    }

    /// Upper bound on the distance from `p` to the triangle, tight up to rounding: the distance to
    /// a point that is certainly in the triangle.
    pub fn distance(&self, p: Vec3) -> f64 {
        length(sub(p, self.closest_point(p)))
    }

    /// The closest point of the triangle to `p`, up to rounding; always a point of the triangle.
    ///
    /// If the projection of `p` is outside, the closest point is on an edge that faces it: one with
    /// a negative barycentric coordinate. Source of the coordinates: Ericson, Real-Time Collision
    /// Detection (2005), 3.4.
    #[inline]
    pub fn closest_point(&self, p: Vec3) -> Vec3 {
        let [a, b, c] = self.corners;
        let (ab, ac, ap) = (sub(b, a), sub(c, a), sub(p, a));
        let normal = cross(ab, ac);
        let area = dot(normal, normal);
        // Barycentric coordinates times `area`.
        let (v, w) = (dot(normal, cross(ap, ac)), dot(normal, cross(ab, ap)));
        let u = area - (v + w);
        // The coordinates of a sliver may be noise, so all its edges are tested too; a degenerate
        // triangle has only its edges.
        let sliver = area <= SLIVER_SINE_SQUARED * dot(ab, ab) * dot(ac, ac);
        let inside = area > 0.0 && u >= 0.0 && v >= 0.0 && w >= 0.0;
        // Edges close by are tested as well, so that a point on an edge is found exactly.
        let rim = EDGE_COORDINATE * area;
        let facing = [sliver || w < rim, sliver || v < rim, sliver || u < rim];
        let mut best = (a, f64::INFINITY);
        if inside {
            let foot = add(a, add(scale(ab, v / area), scale(ac, w / area)));
            if !facing.contains(&true) {
                return foot;
            }
            best = (foot, squared_length(sub(foot, p)));
        }
        for (faces, [s, e]) in facing.into_iter().zip([[a, b], [a, c], [b, c]]) {
            if faces {
                let found = closest_on_segment(p, s, e);
                let far = squared_length(sub(found, p));
                best = if far < best.1 { (found, far) } else { best };
            }
        }
        best.0
    }
}

/// Barycentric coordinates below this may be those of points on an edge, rounded.
const EDGE_COORDINATE: f64 = 1e-9;

/// A triangle is a sliver if the squared sine of its angle is below this.
const SLIVER_SINE_SQUARED: f64 = 1e-6;

#[inline]
fn squared_length(v: Vec3) -> f64 {
    dot(v, v)
}

/// The closest point to `p` on the segment from `s` to `e`, which may be one point. Source:
/// Ericson, Real-Time Collision Detection (2005), 5.1.2.
#[inline]
pub(crate) fn closest_on_segment(p: Vec3, s: Vec3, e: Vec3) -> Vec3 {
    let along = sub(e, s);
    let t = closest_parameter(sub(p, s), along);
    // The end itself, not a sum close to it.
    if t == 1.0 { e } else { add(s, scale(along, t)) }
}

/// The parameter from 0 to 1 of the point of `along` closest to `to`; 0 if `along` is zero.
#[inline]
pub(crate) fn closest_parameter(to: Vec3, along: Vec3) -> f64 {
    let length = squared_length(along);
    if length > 0.0 { clamp_to_unit(dot(to, along) / length) } else { 0.0 }
}

/// Clamps `t` to `0..=1`; 0 for NaN. Branches, so that the code after it need not wait for a
/// quotient: measured.
#[inline]
pub(crate) fn clamp_to_unit(t: f64) -> f64 {
    if t > 1.0 {
        1.0
    } else if t > 0.0 {
        t
    } else {
        0.0
    }
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;

    fn distance(corners: [Vec3; 3], p: Vec3) -> f64 {
        WideTriangle { corners }.distance(p)
    }

    pub fn distance_to_face_edge_and_corner() {
        let t = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
        assert_eq!(distance(t, [1.0, 1.0, 3.0]), 3.0);
        assert_eq!(distance(t, [2.0, -3.0, 4.0]), 5.0);
        assert_eq!(distance(t, [-3.0, 0.0, 4.0]), 5.0);
        assert!((distance(t, [4.0, 4.0, 0.0]) - 8f64.sqrt()).abs() < 1e-15);
    }

    pub fn the_inside_of_a_needle_counts() {
        // The edges are 1e-4 from the foot across the needle; the point is as far above.
        let needle = [[0.0, 0.0, 0.0], [1.0, 1e-4, 0.0], [1.0, -1e-4, 0.0]];
        assert!((distance(needle, [0.5, 0.0, 1e-4]) - 1e-4).abs() < 1e-18);
        assert!((distance(needle, [0.999, 5e-5, -1e-6]) - 1e-6).abs() < 1e-18);
    }

    pub fn degenerate_triangles_are_segments_and_points() {
        let line = [[0.0; 3], [2.0, 0.0, 0.0], [1.0, 0.0, 0.0]];
        assert_eq!(distance(line, [1.5, 0.0, 2.0]), 2.0);
        assert_eq!(distance([[1.0; 3]; 3], [1.0, 1.0, 3.0]), 2.0);
    }
}
