//! Simplices of up to four points, and their point closest to the origin.

use crate::num::linear::{Vec3, add, cross, dot, scale, sub};

/// Squared volume at which four points count as flat, as a share of the product of three squared
/// edges. In other tetrahedra rounding can report inside only for an origin no further outside than
/// `2^-28` of the size.
const FLAT_VOLUME: f64 = 1.0 / (1u64 << 40) as f64;

/// Simplex of one to four points; the last was added last.
#[derive(Debug, Clone, Copy)]
pub(super) struct Simplex {
    points: [Vec3; 4],
    len: usize,
}

/// Point of a simplex, and the indices of the corners it is a mean of.
#[derive(Clone, Copy)]
struct Foot {
    point: Vec3,
    corners: [usize; 3],
    len: usize,
}

impl Simplex {
    pub const EMPTY: Simplex = Simplex { points: [[0.0; 3]; 4], len: 0 };

    pub fn has_vertex(&self, point: Vec3) -> bool {
        self.points[..self.len].contains(&point)
    }

    /// Adds a point, and keeps only the corners whose hull contains the point closest to the
    /// origin. Returns that point: a mean of the corners with non-negative weights, up to rounding
    /// of the sum. `None` if the origin is inside.
    ///
    /// Source: Gilbert, Johnson and Keerthi (1988); regions by Ericson, Real-Time Collision
    /// Detection (2005), 5.1.
    pub fn add(&mut self, point: Vec3) -> Option<Vec3> {
        self.points[self.len] = point;
        self.len += 1;
        let foot = match self.len {
            1 => Foot { point, corners: [0; 3], len: 1 },
            2 => self.on_edge([0, 1]),
            3 => self.on_triangle([0, 1, 2]),
            _ => self.on_tetrahedron()?,
        };
        let kept = foot.corners.map(|corner| self.points[corner]);
        self.points[..foot.len].copy_from_slice(&kept[..foot.len]);
        self.len = foot.len;
        Some(foot.point)
    }

    fn at_corner(&self, corner: usize) -> Foot {
        Foot { point: self.points[corner], corners: [corner; 3], len: 1 }
    }

    fn on_edge(&self, [a, b]: [usize; 2]) -> Foot {
        let (from, along) = (self.points[a], sub(self.points[b], self.points[a]));
        let (share, squared) = (-dot(from, along), dot(along, along));
        if share <= 0.0 {
            self.at_corner(a)
        } else if share >= squared {
            self.at_corner(b)
        } else {
            let point = add(from, scale(along, share / squared));
            Foot { point, corners: [a, b, b], len: 2 }
        }
    }

    fn on_triangle(&self, [a, b, c]: [usize; 3]) -> Foot {
        let [p, q, r] = [a, b, c].map(|corner| self.points[corner]);
        let (ab, ac) = (sub(q, p), sub(r, p));
        let [d1, d2] = [-dot(ab, p), -dot(ac, p)];
        let [d3, d4] = [-dot(ab, q), -dot(ac, q)];
        let [d5, d6] = [-dot(ab, r), -dot(ac, r)];
        let [va, vb, vc] = [d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2];
        if d1 <= 0.0 && d2 <= 0.0 {
            self.at_corner(a)
        } else if d3 >= 0.0 && d4 <= d3 {
            self.at_corner(b)
        } else if d6 >= 0.0 && d5 <= d6 {
            self.at_corner(c)
        } else if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
            self.on_edge([a, b])
        } else if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
            self.on_edge([a, c])
        } else if va <= 0.0 && d4 >= d3 && d5 >= d6 {
            self.on_edge([b, c])
        } else {
            let area = va + vb + vc;
            // Clamped: rounding must not make a weight negative or their sum more than one.
            let v = (vb / area).clamp(0.0, 1.0);
            let w = (vc / area).clamp(0.0, 1.0 - v);
            match area > 0.0 {
                true => {
                    let inner = add(scale(ab, v), scale(ac, w));
                    Foot { point: add(p, inner), corners: [a, b, c], len: 3 }
                }
                false => self.on_edge([a, b]),
            }
        }
    }

    /// Returns the point of a tetrahedron closest to the origin; `None` if the origin is inside, or
    /// outside by rounding. A flat tetrahedron tests every side, because rounding decides on which
    /// side its points are.
    fn on_tetrahedron(&self) -> Option<Foot> {
        let mut best: Option<(Foot, f64)> = None;
        for [a, b, c, other] in [[0, 1, 3, 2], [0, 2, 3, 1], [1, 2, 3, 0], [0, 1, 2, 3]] {
            // The side opposite the last point counts only if no other does.
            if other == 3 && best.is_some() {
                break;
            }
            let [p, q, r, s] = [a, b, c, other].map(|corner| self.points[corner]);
            let (ab, ac, up) = (sub(q, p), sub(r, p), sub(s, p));
            let normal = cross(ab, ac);
            let (origin, height) = (-dot(normal, p), dot(normal, up));
            let flat = height * height <= FLAT_VOLUME * dot(ab, ab) * dot(ac, ac) * dot(up, up);
            if !flat && (origin > 0.0 && height > 0.0 || origin < 0.0 && height < 0.0) {
                continue;
            }
            let foot = self.on_triangle([a, b, c]);
            let squared = dot(foot.point, foot.point);
            if best.is_none_or(|(_, least)| squared < least) {
                best = Some((foot, squared));
            }
        }
        best.map(|(foot, _)| foot)
    }
}
