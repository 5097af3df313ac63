//! One triangle in double precision: what fitting and bounding ask of it.

use nalgebra::Point3;

use crate::num::Scalar;
use crate::num::linear::{Vec3, add, cross, dot, length, scale, sub};

/// Three corners, possibly on one line or in one point.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Triangle {
    pub corners: [Vec3; 3],
}

impl Triangle {
    pub fn new<T: Scalar>(corners: [Point3<T>; 3]) -> Self {
        Triangle { corners: corners.map(|p| [p.x.wide(), p.y.wide(), p.z.wide()]) }
    }

    pub fn area(&self) -> f64 {
        let [a, b, c] = self.corners;
        0.5 * length(cross(sub(b, a), sub(c, a)))
    }

    /// An upper bound, tight but for rounding, on the distance from `p` to the triangle: the distance to a
    /// point that certainly lies in it. Source: Ericson, Real-Time Collision Detection (2005), 5.1.5.
    pub fn distance(&self, p: Vec3) -> f64 {
        let [a, b, c] = self.corners;
        let (ab, ac) = (sub(b, a), sub(c, a));
        let normal = cross(ab, ac);
        let area = dot(normal, normal);
        if area > 0.0 {
            let v = dot(normal, cross(sub(p, a), ac)) / area;
            let w = dot(normal, cross(ab, sub(p, a))) / area;
            if v >= 0.0 && w >= 0.0 && v + w <= 1.0 {
                let inside = add(a, add(scale(ab, v), scale(ac, w)));
                return length(sub(p, inside));
            }
        }
        let edge = |s: Vec3, e: Vec3| segment_distance(p, s, e);
        edge(a, b).min(edge(b, c)).min(edge(c, a))
    }
}

/// The distance from `p` to the segment from `s` to `e`, which may be a point.
fn segment_distance(p: Vec3, s: Vec3, e: Vec3) -> f64 {
    let along = sub(e, s);
    let squared = dot(along, along);
    let t = if squared > 0.0 { (dot(sub(p, s), along) / squared).clamp(0.0, 1.0) } else { 0.0 };
    length(sub(p, add(s, scale(along, t))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distance(corners: [Vec3; 3], p: Vec3) -> f64 {
        Triangle { corners }.distance(p)
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
