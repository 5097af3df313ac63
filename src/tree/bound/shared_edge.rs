//! Farthest point of a box from two triangles that share an edge, in closed form.
//!
//! A plane through the shared edge divides the box into two convex pieces. A point of a piece is no
//! further from the pair than from that piece's own triangle, and the distance from a triangle is
//! convex: over a piece it is largest at a vertex of the piece. Vertices are corners of the box and
//! crossings of its edges with the plane. Any plane gives an upper bound. The plane between the
//! triangles has points at equal distances from both, so that the bound is nearly always attained.

use super::prepared::{PreparedTriangle, TriangleRecord};
use crate::num::SimdLevel;
use crate::num::linear::{Vec3, absolute_values, add, coordinate_sum, dot, length, scale, sub};
use crate::num::simd::{DoubleKernel, Doubles};
use crate::num::vectors::load;

/// Corners of a box, and crossings of its edges with a plane, filled up to whole registers.
const MAX_POINTS: usize = 24;

/// Largest distance of two vertices that count as one, as a share of the extent: corners of
/// triangles are sums of edges here, and rounded.
const VERTEX_ERROR: f64 = 1.0 / (1u64 << 44) as f64;

/// Upper bound on the error of a height above the plane, as a share of the extent: some 60
/// roundings of products of a normal, of length 2 at most, and a difference of points.
const HEIGHT_ERROR: f64 = 1.0 / (1u64 << 46) as f64;

/// Least length of the plane's normal, a difference of two unit vectors. Triangles at a sharper
/// fold have no such plane.
const MIN_NORMAL: f64 = 1.0 / 256.0;

/// Point of a box that is farthest from two triangles, up to the bound's error.
pub(super) struct FarthestPoint {
    /// Upper bound on the distance of any point of the box.
    pub upper_bound: f64,
    pub point: Vec3,
    /// Distance of `point` from the nearer triangle.
    pub distance: f64,
}

/// Two triangles and a plane through their shared edge.
pub(super) struct SharedEdge<'a> {
    triangles: [&'a TriangleRecord; 2],
    origin: Vec3,
    /// Normal of the plane, towards the first triangle.
    normal: Vec3,
    /// Upper bound on the distance of the box from the origin.
    extent: f64,
}

impl<'a> SharedEdge<'a> {
    /// Finds the plane between two triangles within `extent` of the origin; `None` if they share no
    /// edge or lie on each other.
    pub fn new(triangles: [&'a TriangleRecord; 2], extent: f64) -> Option<Self> {
        let [first, second] = triangles.map(TriangleRecord::corners);
        let near =
            |a: Vec3, b: Vec3| coordinate_sum(absolute_values(sub(a, b))) <= VERTEX_ERROR * extent;
        let partner = first.map(|vertex| second.iter().position(|&other| near(vertex, other)));
        let (apex, p, q) = match partner {
            [Some(p), Some(q), None] => (2, p, q),
            [None, Some(p), Some(q)] => (0, p, q),
            [Some(p), None, Some(q)] => (1, p, q),
            _ => return None,
        };
        if p == q {
            return None;
        }
        let [start, end] = [first[(apex + 1) % 3], first[(apex + 2) % 3]];
        let edge = sub(end, start);
        let squared = dot(edge, edge);
        let aside = |apex: Vec3| {
            let way = sub(apex, start);
            let across = sub(way, scale(edge, dot(way, edge) / squared));
            scale(across, 1.0 / length(across))
        };
        let normal = sub(aside(first[apex]), aside(second[3 - p - q]));
        // False for NaN, too: of an edge without a length.
        let is_sound = dot(normal, normal) >= MIN_NORMAL * MIN_NORMAL;
        is_sound.then_some(SharedEdge { triangles, origin: start, normal, extent })
    }

    /// Returns the farthest point of a box with these corners, and half axes `half_axes`.
    pub fn farthest_point(
        &self,
        corners: &[Vec3; 8],
        half_axes: &[Vec3; 3],
        simd: SimdLevel,
    ) -> FarthestPoint {
        let error = HEIGHT_ERROR * self.extent;
        let heights = corners.map(|corner| dot(self.normal, sub(corner, self.origin)));
        let mut points = [corners[0]; MAX_POINTS];
        points[..8].copy_from_slice(corners);
        // Length by which a crossing may be off along its edge.
        let (mut pads, mut count) = ([0.0; MAX_POINTS], 8);
        for (axis, &half) in half_axes.iter().enumerate() {
            let slope = dot(self.normal, half).abs();
            for low in (0..8usize).filter(|corner| corner >> axis & 1 == 0) {
                let [a, b] = [heights[low], heights[low | 1 << axis]];
                // If both ends count for both triangles, so does what is between them.
                let may_cross = a.min(b) <= error && a.max(b) >= -error;
                if may_cross && (a - b).abs() > 4.0 * error {
                    let share = (a / (a - b)).clamp(0.0, 1.0);
                    points[count] = add(corners[low], scale(half, 2.0 * share));
                    pads[count] = error + 4.0 * error * length(half) / slope;
                    count += 1;
                }
            }
        }
        let last = points[count - 1];
        points[count..].fill(last);
        let distances = simd.run_doubles(PairDistanceKernel {
            triangles: self.triangles,
            points: &points,
            count,
        });
        let mut farthest = FarthestPoint { upper_bound: 0.0, point: corners[0], distance: 0.0 };
        for (index, &point) in points[..count].iter().enumerate() {
            let [first, second] = [distances[0][index], distances[1][index]];
            let reach = match heights.get(index) {
                Some(&height) if height > 8.0 * error => first,
                Some(&height) if height < -8.0 * error => second,
                _ => first.max(second) + pads[index],
            };
            // NaN is no bound.
            let reach = if reach >= 0.0 { reach } else { f64::INFINITY };
            if reach > farthest.upper_bound {
                let distance = first.min(second);
                farthest = FarthestPoint { upper_bound: reach, point, distance };
            }
        }
        farthest
    }
}

/// Kernel of the distances of some points from two triangles.
struct PairDistanceKernel<'s> {
    triangles: [&'s TriangleRecord; 2],
    points: &'s [Vec3; MAX_POINTS],
    count: usize,
}

impl DoubleKernel for PairDistanceKernel<'_> {
    type Output = [[f64; MAX_POINTS]; 2];

    #[inline(always)]
    fn run<D: Doubles>(self, token: D::Token) -> Self::Output {
        let mut found = [[0.0; MAX_POINTS]; 2];
        let mut rows = [[0.0; MAX_POINTS]; 3];
        for (index, point) in self.points.iter().enumerate() {
            (rows[0][index], rows[1][index], rows[2][index]) = (point[0], point[1], point[2]);
        }
        for (found, triangle) in found.iter_mut().zip(self.triangles) {
            let triangle = PreparedTriangle::<D>::splat(token, triangle);
            let mut at = 0;
            while at < self.count {
                let point: Vec3<D> = load(token, &rows, at);
                triangle.distances(token, point).store(&mut found[at..]);
                at += D::LEN;
            }
        }
        found
    }
}
