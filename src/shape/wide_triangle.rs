//! One triangle in double precision: what fitting and bounding ask of it.

use nalgebra::Point3;

use crate::num::Scalar;
use crate::num::linear::{Vec3, add, cross, dot, length, scale, sub};

/// Three corners, possibly on one line or in one point.
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

    /// An upper bound, tight but for rounding, on the distance from `p` to the triangle: the distance to a
    /// point that certainly lies in it.
    pub fn distance(&self, p: Vec3) -> f64 {
        length(sub(p, self.nearest(p)))
    }

    /// A point of the triangle, the nearest to `p` but for rounding.
    ///
    /// Where the foot of `p` is outside, the nearest point can be seen from there, so it is on an edge that faces it: one of
    /// those with a negative share. Source of the shares: Ericson, Real-Time Collision Detection (2005), 3.4.
    #[inline]
    pub fn nearest(&self, p: Vec3) -> Vec3 {
        let [a, b, c] = self.corners;
        let (ab, ac, ap) = (sub(b, a), sub(c, a), sub(p, a));
        let normal = cross(ab, ac);
        let area = dot(normal, normal);
        // Shares of the corners times `area`.
        let (v, w) = (dot(normal, cross(ap, ac)), dot(normal, cross(ab, ap)));
        let u = area - (v + w);
        // The shares of a sliver are noise, and those of none no numbers: all its edges count.
        let sliver = area <= SLIVER * dot(ab, ab) * dot(ac, ac);
        let inside = !sliver && u >= 0.0 && v >= 0.0 && w >= 0.0;
        // Near an edge too, so that what is on it is found there, exactly.
        let rim = RIM * area;
        let facing = [sliver || w < rim, sliver || v < rim, sliver || u < rim];
        let mut best = (a, f64::INFINITY);
        if inside {
            let foot = add(a, add(scale(ab, v / area), scale(ac, w / area)));
            if !facing.contains(&true) {
                return foot;
            }
            best = (foot, squared(sub(foot, p)));
        }
        for (faces, [s, e]) in facing.into_iter().zip([[a, b], [a, c], [b, c]]) {
            if faces {
                let found = nearest_on_segment(p, s, e);
                let far = squared(sub(found, p));
                best = if far < best.1 { (found, far) } else { best };
            }
        }
        best.0
    }
}

/// Shares below this may be those of points on an edge, rounded. No unit.
const RIM: f64 = 1e-9;

/// Squares of sines below this make a sliver. No unit.
const SLIVER: f64 = 1e-6;

#[inline]
fn squared(v: Vec3) -> f64 {
    dot(v, v)
}

/// The point nearest to `p` of the segment from `s` to `e`, which may be a point.
/// Source: Ericson, Real-Time Collision Detection (2005), 5.1.2.
#[inline]
pub(crate) fn nearest_on_segment(p: Vec3, s: Vec3, e: Vec3) -> Vec3 {
    let along = sub(e, s);
    let t = closest_parameter(sub(p, s), along);
    // The end itself, not a sum that comes near it.
    if t == 1.0 { e } else { add(s, scale(along, t)) }
}

/// Which share of `along`, from 0 to 1, comes closest to `to`; 0 if there is no way along.
#[inline]
pub(crate) fn closest_parameter(to: Vec3, along: Vec3) -> f64 {
    let length = squared(along);
    if length > 0.0 { clamp_to_unit(dot(to, along) / length) } else { 0.0 }
}

/// `t` cut to `0..=1`; 0 of what is not a number. By branches, so that what follows need not wait for a quotient: measured.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn distance(corners: [Vec3; 3], p: Vec3) -> f64 {
        WideTriangle { corners }.distance(p)
    }

    #[test]
    fn distance_to_face_edge_and_corner() {
        let t = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
        assert_eq!(distance(t, [1.0, 1.0, 3.0]), 3.0);
        assert_eq!(distance(t, [2.0, -3.0, 4.0]), 5.0);
        assert_eq!(distance(t, [-3.0, 0.0, 4.0]), 5.0);
        assert!((distance(t, [4.0, 4.0, 0.0]) - 8f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn degenerate_triangles_are_segments_and_points() {
        let line = [[0.0; 3], [2.0, 0.0, 0.0], [1.0, 0.0, 0.0]];
        assert_eq!(distance(line, [1.5, 0.0, 2.0]), 2.0);
        assert_eq!(distance([[1.0; 3]; 3], [1.0, 1.0, 3.0]), 2.0);
    }
}
