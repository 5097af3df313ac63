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

    /// A point of the triangle, the nearest to `p` but for rounding. Source: Ericson, Real-Time Collision Detection
    /// (2005), 5.1.5.
    pub fn nearest(&self, p: Vec3) -> Vec3 {
        let [a, b, c] = self.corners;
        let (ab, ac) = (sub(b, a), sub(c, a));
        let normal = cross(ab, ac);
        let area = dot(normal, normal);
        let edges = [(a, b), (b, c), (c, a)].map(|(s, e)| nearest_on_segment(p, s, e));
        let rim = nearer(p, nearer(p, edges[0], edges[1]), edges[2]);
        if area > 0.0 {
            let v = dot(normal, cross(sub(p, a), ac)) / area;
            let w = dot(normal, cross(ab, sub(p, a))) / area;
            if v >= 0.0 && w >= 0.0 && v + w <= 1.0 {
                let inside = add(a, add(scale(ab, v), scale(ac, w)));
                // The two shares of a sliver are noise, so that an edge may be nearer.
                return nearer(p, inside, rim);
            }
        }
        rim
    }
}

/// The nearer of two points, the first of equals.
fn nearer(p: Vec3, a: Vec3, b: Vec3) -> Vec3 {
    let (to_a, to_b) = (sub(a, p), sub(b, p));
    if dot(to_b, to_b) < dot(to_a, to_a) { b } else { a }
}

/// The point nearest to `p` of the segment from `s` to `e`, which may be a point.
pub(crate) fn nearest_on_segment(p: Vec3, s: Vec3, e: Vec3) -> Vec3 {
    let along = sub(e, s);
    let squared = dot(along, along);
    let t = if squared > 0.0 { dot(sub(p, s), along) / squared } else { 0.0 };
    // The ends themselves, not sums that come near them.
    if t >= 1.0 {
        e
    } else if t > 0.0 {
        add(s, scale(along, t))
    } else {
        s
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
