//! Segments against segments and triangles.

use std::cmp::Ordering;

use super::cores::{
    ClosestOnCores, CorePair, CoreSegment, is_separating_offset, triangles_overlap_exactly,
};
use super::point::Face;
use super::signs;
use super::triangle_exact::{
    TriangleCorners, determinant_error, segments_overlap_in_plane, sign_beyond,
};
use crate::num::linear::{Vec3, add, cross, dot, scale, sub};
use crate::shape::clamp_to_unit;

impl CorePair<CoreSegment> for CoreSegment {
    /// Source: Ericson, Real-Time Collision Detection (2005), 5.1.9. The parameter on the first
    /// segment comes from cross products, which stay accurate for nearly parallel lines.
    #[inline]
    fn closest(&self, other: &CoreSegment) -> ClosestOnCores {
        let (u, v) = (sub(self[1], self[0]), sub(other[1], other[0]));
        let between = sub(other[0], self[0]);
        let normal = cross(u, v);
        let squared = dot(normal, normal);
        // Both quotients at once, so that neither waits for the other.
        let (inverse_u, inverse_v) = (inverse(dot(u, u)), inverse(dot(v, v)));
        let s = if squared > 0.0 {
            clamp_to_unit(dot(cross(between, v), normal) / squared)
        } else {
            0.0
        };
        let t = clamp_to_unit(dot(sub(scale(u, s), between), v) * inverse_v);
        let s = clamp_to_unit(dot(add(between, scale(v, t)), u) * inverse_u);
        // Once more, for a first step that was clamped to an end.
        let t = clamp_to_unit(dot(sub(scale(u, s), between), v) * inverse_v);
        ClosestOnCores::new(add(self[0], scale(u, s)), sub(add(between, scale(v, t)), scale(u, s)))
    }

    #[inline]
    fn overlaps(&self, other: &CoreSegment) -> bool {
        !are_not_coplanar(self, other) && closest_unless_crossing(self, other).is_none()
    }

    #[inline]
    fn closest_if_disjoint(&self, other: &CoreSegment) -> Option<ClosestOnCores> {
        match are_not_coplanar(self, other) {
            true => Some(self.closest(other)),
            false => closest_unless_crossing(self, other),
        }
    }
}

#[inline]
fn inverse(x: f64) -> f64 {
    if x > 0.0 { 1.0 / x } else { 0.0 }
}

/// Returns `true` if the segments are certainly not coplanar, and so share no point.
#[inline]
fn are_not_coplanar(a: &CoreSegment, b: &CoreSegment) -> bool {
    signs::filtered_orientation(sub(a[1], a[0]), sub(b[1], b[0]), sub(b[0], a[0])).is_some()
}

/// Returns the closest points of two nearly coplanar segments; `None` if they share a point.
fn closest_unless_crossing(a: &CoreSegment, b: &CoreSegment) -> Option<ClosestOnCores> {
    let near = a.closest(b);
    let apart = a.is_surely_disjoint(b, &near)
        || is_separating_offset(a, b, &near)
        || !segments_overlap_exactly(a, b);
    apart.then_some(near)
}

/// Tests exactly whether two segments share a point.
fn segments_overlap_exactly(a: &CoreSegment, b: &CoreSegment) -> bool {
    if !(signs::are_in_range(a) && signs::are_in_range(b)) {
        return triangles_overlap_exactly([a[0], a[1], a[1]], [b[0], b[1], b[1]]);
    }
    signs::orientation([&a[0], &a[1], &b[0]], &b[1]) == Ordering::Equal
        && segments_overlap_in_plane([&a[0], &a[1]], [&b[0], &b[1]])
}

impl CorePair<TriangleCorners> for CoreSegment {
    #[inline]
    fn closest(&self, corners: &TriangleCorners) -> ClosestOnCores {
        closest_on_face(self, &Face::new(corners))
    }

    fn overlaps(&self, corners: &TriangleCorners) -> bool {
        overlap_by_signs(self, corners).unwrap_or_else(|| {
            let near = self.closest(corners);
            !self.is_surely_disjoint(corners, &near)
                && !is_separating_offset(self, corners, &near)
                && triangles_overlap_exactly([self[0], self[1], self[1]], *corners)
        })
    }
}

/// Returns the point that pierces the triangle; else the closest of three edges and of the feet of
/// both ends. Source: Ericson, Real-Time Collision Detection (2005), 5.1.10.
#[inline]
fn closest_on_face(line: &CoreSegment, face: &Face) -> ClosestOnCores {
    if let Some(point) = piercing_point(line, face) {
        return ClosestOnCores::common(point);
    }
    let mut best = line.closest(&face.edge(0)).nearer(line.closest(&face.edge(1)));
    best = best.nearer(line.closest(&face.edge(2)));
    for end in line {
        if let Some(near) = face.foot(*end) {
            best = best.nearer(near);
        }
    }
    best
}

/// Returns the rounded point where the segment pierces the inside of the triangle.
#[inline]
pub(crate) fn piercing_point(line: &CoreSegment, face: &Face) -> Option<Vec3> {
    let above = line.map(|p| dot(face.normal, sub(p, face.corners[0])));
    if above[0] > 0.0 && above[1] > 0.0 || above[0] < 0.0 && above[1] < 0.0 || above[0] == above[1]
    {
        return None;
    }
    let t = clamp_to_unit(above[0] / (above[0] - above[1]));
    let point = add(line[0], scale(sub(line[1], line[0]), t));
    (!face.outer_edges(point).contains(&true)).then_some(point)
}

/// Tests overlap by signs of five determinants: the sides of the ends and the sides on which the
/// edges are passed. `None` where rounding could change a sign.
fn overlap_by_signs(line: &CoreSegment, corners: &TriangleCorners) -> Option<bool> {
    let limit = determinant_error(&[line[0], line[1], line[1]], corners, 0.0);
    let normal = cross(sub(corners[1], corners[0]), sub(corners[2], corners[0]));
    let above = line.map(|p| sign_beyond(dot(normal, sub(p, corners[0])), limit));
    let [from, to] = [above[0]?, above[1]?];
    if from == to {
        return Some(false);
    }
    let along = sub(line[1], line[0]);
    let passes = [0, 1, 2].map(|i| {
        let (r, s) = (sub(corners[i], line[0]), sub(corners[(i + 1) % 3], line[0]));
        sign_beyond(dot(along, cross(r, s)), limit)
    });
    if passes.contains(&Some(Ordering::Less)) && passes.contains(&Some(Ordering::Greater)) {
        return Some(false);
    }
    (passes[0].is_some() && passes[0] == passes[1] && passes[1] == passes[2]).then_some(true)
}
