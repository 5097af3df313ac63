//! Exact overlap test of two triangles.
//!
//! Two triangles share a point iff an edge of one meets the other. The signs of fifteen
//! determinants decide that: the side of each plane on which each corner of the other lies, and the
//! side on which each edge passes each edge. Sources: Möller, A Fast Triangle-Triangle Intersection
//! Test (1997); Guigue and Devillers (2003) for the test by signs alone. Signs come from double
//! precision where its error is known to be smaller, and from exact arithmetic otherwise: Shewchuk,
//! Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates (1997).

use std::cmp::Ordering::{self, Equal};

use super::signs;
use crate::num::exact::{ExactVec, cross as exact_cross, dot as exact_dot, sub as minus};
use crate::num::linear::{Vec3, cross, dot, sub};
use crate::shape::RelativePose;

/// Corners of a triangle.
pub(crate) type TriangleCorners = [Vec3; 3];

/// Tests whether two closed triangles share a point; `None` where rounding could change the
/// verdict. `b` is in the frame of the first part, with at most the error of `relation` a
/// coordinate.
pub(crate) fn overlap_by_signs(
    a: &TriangleCorners,
    b: &TriangleCorners,
    relation: &RelativePose,
) -> Option<bool> {
    let limit = determinant_error(a, b, relation.error);
    let normal_b = cross(sub(b[1], b[0]), sub(b[2], b[0]));
    let above_b = a.map(|p| sign_beyond(dot(normal_b, sub(p, b[0])), limit));
    if same_side(&above_b) {
        return Some(false);
    }
    let normal_a = cross(sub(a[1], a[0]), sub(a[2], a[0]));
    let above_a = b.map(|p| sign_beyond(dot(normal_a, sub(p, a[0])), limit));
    if same_side(&above_a) {
        return Some(false);
    }
    let passes: [[Option<Ordering>; 3]; 3] = std::array::from_fn(|i| {
        let (p, along) = (a[i], sub(a[(i + 1) % 3], a[i]));
        std::array::from_fn(|j| {
            let (r, s) = (b[j], b[(j + 1) % 3]);
            sign_beyond(dot(along, cross(sub(r, p), sub(s, p))), limit)
        })
    });
    let [above_a, above_b] = [all_known(above_a)?, all_known(above_b)?];
    let [x, y, z] = passes.map(all_known);
    let passes = [x?, y?, z?];
    Some(
        (0..3).any(|i| pierces(&above_b, i, passes[i]) || pierces(&above_a, i, column(&passes, i))),
    )
}

/// Returns an upper bound on the error of all determinants.
///
/// Let `m` be the largest difference of coordinates and `d` the error of one difference (`2 error +
/// e m`, `e = 2^-53`). A determinant of three differences changes by at most three determinants
/// with one column replaced, `3 sqrt(3) d 3 m^2` by Hadamard, and its own rounding is under `36 e
/// m^3`: together under `32 error m^2 + 52 e m^3`.
pub(in crate::pair) fn determinant_error(
    a: &TriangleCorners,
    b: &TriangleCorners,
    error: f64,
) -> f64 {
    let corners = a.iter().chain(b);
    let (low, high) = corners.fold((a[0], a[0]), |(low, high), p| {
        let low = std::array::from_fn(|i| if p[i] < low[i] { p[i] } else { low[i] });
        (low, std::array::from_fn(|i| if p[i] > high[i] { p[i] } else { high[i] }))
    });
    let sizes: Vec3 = sub(high, low);
    let m = sizes[0].max(sizes[1]).max(sizes[2]) + 4.0 * error;
    40.0 * m * m * (error + m / (1u64 << 52) as f64)
}

pub(in crate::pair) fn sign_beyond(determinant: f64, limit: f64) -> Option<Ordering> {
    match determinant {
        d if d > limit => Some(Ordering::Greater),
        d if d < -limit => Some(Ordering::Less),
        _ => None,
    }
}

fn same_side(signs: &[Option<Ordering>; 3]) -> bool {
    signs[0].is_some() && signs[1] == signs[0] && signs[2] == signs[0]
}

fn all_known(signs: [Option<Ordering>; 3]) -> Option<[Ordering; 3]> {
    Some([signs[0]?, signs[1]?, signs[2]?])
}

fn column(passes: &[[Ordering; 3]; 3], j: usize) -> [Ordering; 3] {
    [passes[0][j], passes[1][j], passes[2][j]]
}

/// Returns `true` if edge `i` meets the triangle in a plane: it passes the three edges on one side,
/// or through them. `above` are the sides of the corners; the edge must not lie in the plane.
fn pierces(above: &[Ordering; 3], i: usize, passes: [Ordering; 3]) -> bool {
    let (from, to) = (above[i], above[(i + 1) % 3]);
    from != to && !(passes.contains(&Ordering::Less) && passes.contains(&Ordering::Greater))
}

/// Point with exact sign predicates.
pub(crate) trait ExactPoint: Sized {
    /// Returns the side of the plane of three points that `p` lies on; equal also if the three are
    /// collinear.
    fn orientation(plane: [&Self; 3], p: &Self) -> Ordering;
    /// Returns the sign of the turn of a path over three points, projected on two of the three
    /// coordinates.
    fn turn(path: [&Self; 3], view: [usize; 2]) -> Ordering;
    /// Compares two points along a coordinate axis.
    fn compare(&self, other: &Self, axis: usize) -> Ordering;
}

impl ExactPoint for ExactVec {
    fn orientation(plane: [&Self; 3], p: &Self) -> Ordering {
        let normal = exact_cross(&minus(plane[1], plane[0]), &minus(plane[2], plane[0]));
        exact_dot(&normal, &minus(p, plane[0])).sign()
    }
    fn turn([a, b, c]: [&Self; 3], [x, y]: [usize; 2]) -> Ordering {
        let left = &(&b[x] - &a[x]) * &(&c[y] - &a[y]);
        let right = &(&b[y] - &a[y]) * &(&c[x] - &a[x]);
        (&left - &right).sign()
    }
    fn compare(&self, other: &Self, axis: usize) -> Ordering {
        (&self[axis] - &other[axis]).sign()
    }
}

/// Requires coordinates that are [in range](signs::are_in_range).
impl ExactPoint for Vec3 {
    fn orientation(plane: [&Self; 3], p: &Self) -> Ordering {
        signs::orientation(plane, p)
    }
    fn turn(path: [&Self; 3], view: [usize; 2]) -> Ordering {
        signs::turn_sign(path, view)
    }
    fn compare(&self, other: &Self, axis: usize) -> Ordering {
        self[axis].partial_cmp(&other[axis]).unwrap_or(Equal)
    }
}

/// Tests exactly whether two closed triangles share a point. Coplanar triangles, slivers, segments
/// and points are allowed.
pub(crate) fn overlap_exactly<P: ExactPoint>(a: &[P; 3], b: &[P; 3]) -> bool {
    let side = |plane: &[P; 3], p: &P| P::orientation([&plane[0], &plane[1], &plane[2]], p);
    let above_b: [Ordering; 3] = std::array::from_fn(|i| side(b, &a[i]));
    let apart = |s: &[Ordering; 3]| s[0] != Equal && s[0] == s[1] && s[1] == s[2];
    if apart(&above_b) {
        return false;
    }
    let above_a: [Ordering; 3] = std::array::from_fn(|j| side(a, &b[j]));
    if apart(&above_a) {
        return false;
    }
    let passes: [[Ordering; 3]; 3] = std::array::from_fn(|i| {
        let edge = [&a[i], &a[(i + 1) % 3]];
        std::array::from_fn(|j| P::orientation([edge[0], edge[1], &b[j]], &b[(j + 1) % 3]))
    });
    (0..3).any(|i| {
        edge_overlaps(&above_b, i, passes[i], [&a[i], &a[(i + 1) % 3]], b)
            || edge_overlaps(&above_a, i, column(&passes, i), [&b[i], &b[(i + 1) % 3]], a)
    })
}

/// Like [`pierces`], but the edge may lie in the plane, and the triangle may be degenerate.
fn edge_overlaps<P: ExactPoint>(
    above: &[Ordering; 3],
    i: usize,
    passes: [Ordering; 3],
    edge: [&P; 2],
    triangle: &[P; 3],
) -> bool {
    match (above[i], above[(i + 1) % 3]) {
        // Both are coplanar iff the edge passes no other edge at a distance.
        (Equal, Equal) => {
            passes == [Equal; 3]
                && (0..3).all(|axis| flat::segment_overlaps_triangle(edge, triangle, axis))
        }
        _ => pierces(above, i, passes),
    }
}

/// Returns `true` if two closed coplanar segments share a point.
pub(crate) fn segments_overlap_in_plane<P: ExactPoint>(a: [&P; 2], b: [&P; 2]) -> bool {
    (0..3).all(|axis| flat::segments_overlap(a, b, [(axis + 1) % 3, (axis + 2) % 3]))
}

/// Coplanar segments and triangles, projected along an axis. They share a point iff all three
/// projections do: along at least one axis the projection of their plane is injective.
mod flat {
    use super::{Equal, ExactPoint};

    pub fn segment_overlaps_triangle<P: ExactPoint>(
        edge: [&P; 2],
        triangle: &[P; 3],
        axis: usize,
    ) -> bool {
        let view = [(axis + 1) % 3, (axis + 2) % 3];
        let [a, b, c] = triangle;
        let sides = [[a, b], [b, c], [c, a]];
        let turns = sides.map(|[from, to]| P::turn([from, to, edge[0]], view));
        turns[0] != Equal && turns[0] == turns[1] && turns[1] == turns[2]
            || sides.into_iter().any(|side| segments_overlap(edge, side, view))
    }

    /// Returns `true` if two closed segments share a point.
    pub fn segments_overlap<P: ExactPoint>(p: [&P; 2], q: [&P; 2], view: [usize; 2]) -> bool {
        let of_q = [P::turn([p[0], p[1], q[0]], view), P::turn([p[0], p[1], q[1]], view)];
        if of_q[0] != Equal && of_q[0] == of_q[1] {
            return false;
        }
        let of_p = [P::turn([q[0], q[1], p[0]], view), P::turn([q[0], q[1], p[1]], view)];
        let ends = (of_q[0] == Equal && is_on_segment(p, q[0], view))
            || (of_q[1] == Equal && is_on_segment(p, q[1], view))
            || (of_p[0] == Equal && is_on_segment(q, p[0], view))
            || (of_p[1] == Equal && is_on_segment(q, p[1], view));
        let apart = |s: [_; 2]| s[0] == Equal || s[1] == Equal || s[0] == s[1];
        ends || !apart(of_q) && !apart(of_p)
    }

    /// Returns `true` if a point on the line of a segment is on the segment.
    fn is_on_segment<P: ExactPoint>(segment: [&P; 2], p: &P, view: [usize; 2]) -> bool {
        view.into_iter().all(|i| {
            let (from, to) = (p.compare(segment[0], i), p.compare(segment[1], i));
            from == Equal || to == Equal || from != to
        })
    }
}
