//! Segment in which two triangles cross: a piece of the intersection curve of two surfaces.
//!
//! Each triangle is cut by the plane of the other. Both sections lie on the common line of the
//! planes; their overlap there is the segment. Source: Möller, A Fast Triangle-Triangle
//! Intersection Test (1997), section 2, with points instead of intervals of numbers.

use std::cmp::Ordering::{self, Equal};

use super::triangle_exact::{TriangleCorners, determinant_error, sign_beyond};
use crate::num::linear::{Vec3, add, cross, dot, scale, sub};

/// Segment that two triangles share.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TriangleCrossing {
    /// Ends of the segment, in the direction of the cross product of the normals, first by second.
    pub ends: [Vec3; 2],
    /// Weight of its length. An edge of one triangle in the plane of the other belongs to two
    /// triangles and counts half for each.
    pub weight: f64,
}

/// Returns the segment in which two triangles cross; `None` where they share at most a point or lie
/// in one plane. Corners within rounding of the other plane count as in it. The coordinates of `b`
/// have an error of at most `error`.
pub(crate) fn crossing(
    a: &TriangleCorners,
    b: &TriangleCorners,
    error: f64,
) -> Option<TriangleCrossing> {
    let limit = determinant_error(a, b, error);
    let [normal_a, normal_b] = [a, b].map(|t| cross(sub(t[1], t[0]), sub(t[2], t[0])));
    let (cut_a, share_a) = plane_section(a, a.map(|p| dot(normal_b, sub(p, b[0]))), limit)?;
    let (cut_b, share_b) = plane_section(b, b.map(|p| dot(normal_a, sub(p, a[0]))), limit)?;
    let along = cross(normal_a, normal_b);
    let most = along.iter().fold(0.0, |most: f64, x| if x.abs() > most { x.abs() } else { most });
    if most == 0.0 {
        return None;
    }
    // Scaled, or the next product might overflow; only the direction is used.
    let along = along.map(|x| x / most);
    let placed = |cut: [Vec3; 2]| {
        let [p, q] = cut.map(|p| (dot(along, sub(p, b[0])), p));
        if q.0 < p.0 { [q, p] } else { [p, q] }
    };
    let ([from_a, to_a], [from_b, to_b]) = (placed(cut_a), placed(cut_b));
    let from = if from_b.0 > from_a.0 { from_b } else { from_a };
    let to = if to_b.0 < to_a.0 { to_b } else { to_a };
    let weight = share_a * share_b;
    (to.0 > from.0).then_some(TriangleCrossing { ends: [from.1, to.1], weight })
}

/// Returns the two points where a plane cuts the edges of a triangle with these heights above it,
/// and the weight: one half if the points are the ends of an edge. `None` where the plane cuts off
/// at most one corner or contains all three.
fn plane_section(
    corners: &TriangleCorners,
    heights: [f64; 3],
    limit: f64,
) -> Option<([Vec3; 2], f64)> {
    let sides = heights.map(|height| sign_beyond(height, limit).unwrap_or(Equal));
    let (mut points, mut count, mut flat) = ([[0.0; 3]; 2], 0, 0);
    let mut put = |p: Vec3| {
        if let Some(slot) = points.get_mut(count) {
            *slot = p;
        }
        count += 1;
    };
    for i in 0..3 {
        let j = (i + 1) % 3;
        if sides[i] == Equal {
            flat += 1;
            put(corners[i]);
        } else if sides[j] != Equal && sides[j] != sides[i] {
            put(edge_plane_point([corners[i], corners[j]], [heights[i], heights[j]], sides[i]));
        }
    }
    (count == 2).then_some((points, if flat == 2 { 0.5 } else { 1.0 }))
}

/// Returns the point where an edge crosses a plane. The computation starts at the upper end, so
/// that both triangles of the edge get the same point.
fn edge_plane_point([p, q]: [Vec3; 2], [height_p, height_q]: [f64; 2], side_p: Ordering) -> Vec3 {
    let way = |from: Vec3, to: Vec3, share: f64| add(from, scale(sub(to, from), share));
    match side_p {
        Ordering::Greater => way(p, q, height_p / (height_p - height_q)),
        _ => way(q, p, height_q / (height_q - height_p)),
    }
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;

    const FLOOR: TriangleCorners = [[-4.0, -4.0, 0.0], [4.0, -4.0, 0.0], [0.0, 8.0, 0.0]];

    fn ends(a: &TriangleCorners, b: &TriangleCorners) -> Option<([Vec3; 2], f64)> {
        crossing(a, b, 0.0).map(|crossing| (crossing.ends, crossing.weight))
    }

    pub fn the_segment_is_what_both_cuts_share() {
        let blade = [[-1.0, 0.0, -1.0], [3.0, 0.0, -1.0], [1.0, 0.0, 1.0]];
        assert_eq!(ends(&FLOOR, &blade), Some(([[0.0, 0.0, 0.0], [2.0, 0.0, 0.0]], 1.0)));
        assert_eq!(ends(&blade, &FLOOR), Some(([[2.0, 0.0, 0.0], [0.0, 0.0, 0.0]], 1.0)));
        let moved = blade.map(|p| add(p, [2.0, 0.0, 0.0]));
        let beyond = blade.map(|p| add(p, [4.0, 0.0, 0.0]));
        // The floor's edge at y = 0 is x = 8 / 3.
        let ([from, to], weight) = ends(&FLOOR, &moved).expect("a piece");
        assert_eq!((from, weight), ([2.0, 0.0, 0.0], 1.0));
        assert!((to[0] - 8.0 / 3.0).abs() < 1e-15, "{to:?}");
        assert_eq!(ends(&FLOOR, &beyond), None);
    }

    pub fn an_edge_in_the_plane_counts_half_and_a_corner_not_at_all() {
        let stands = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
        assert_eq!(ends(&FLOOR, &stands).map(|(_, weight)| weight), Some(0.5));
        let tip = [[0.0, 0.0, 0.0], [1.0, 0.0, 1.0], [0.0, 0.0, 1.0]];
        assert_eq!(ends(&FLOOR, &tip), None);
        let through = [[0.0, 0.0, 0.0], [1.0, 0.0, 1.0], [1.0, 0.0, -1.0]];
        assert_eq!(ends(&through, &FLOOR), Some(([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]], 1.0)));
        let edges = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        assert_eq!(ends(&edges, &stands).map(|(_, weight)| weight), Some(0.25));
    }

    pub fn one_plane_degenerate_triangles_and_huge_numbers_end_in_an_answer() {
        let flat = FLOOR.map(|p| add(p, [0.5, 0.25, 0.0]));
        assert_eq!(ends(&FLOOR, &flat), None);
        let line = [[0.0, 0.0, -1.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.5]];
        let point = [[0.0; 3]; 3];
        assert_eq!((ends(&FLOOR, &line), ends(&point, &FLOOR)), (None, None));
        let blade = [[-1.0, 0.0, -1.0], [3.0, 0.0, -1.0], [1.0, 0.0, 1.0]];
        for size in [1e75, 1e-70] {
            let [a, b] = [&FLOOR, &blade].map(|t| t.map(|p| scale(p, size)));
            let ([from, to], _) = ends(&a, &b).expect("a segment");
            assert!((to[0] / size - 2.0).abs() < 1e-12 && from[0].abs() < 1e-12 * size);
        }
        assert_eq!(ends(&[[f64::NAN; 3]; 3], &FLOOR), None);
    }
}
