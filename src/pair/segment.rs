//! Segments against segments and triangles.

use std::cmp::Ordering;

use super::near::{Between, Line, Near, meet_exactly, parted};
use super::point::Face;
use super::signs;
use super::triangles::{Corners, cross_in_plane, limit, side};
use crate::num::linear::{Vec3, add, cross, dot, scale, sub};
use crate::shape::clamp_to_unit;

impl Between<Line> for Line {
    /// Source: Ericson, Real-Time Collision Detection (2005), 5.1.9. The parameter on the first
    /// segment comes from cross products, which stay accurate for nearly parallel lines.
    #[inline]
    fn near(&self, other: &Line) -> Near {
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
        Near::new(add(self[0], scale(u, s)), sub(add(between, scale(v, t)), scale(u, s)))
    }

    #[inline]
    fn meets(&self, other: &Line) -> bool {
        !in_two_planes(self, other) && cross_closely(self, other).is_none()
    }

    #[inline]
    fn apart(&self, other: &Line) -> Option<Near> {
        match in_two_planes(self, other) {
            true => Some(self.near(other)),
            false => cross_closely(self, other),
        }
    }
}

#[inline]
fn inverse(x: f64) -> f64 {
    if x > 0.0 { 1.0 / x } else { 0.0 }
}

/// Returns `true` if the segments are certainly not coplanar, and so share no point.
#[inline]
fn in_two_planes(a: &Line, b: &Line) -> bool {
    signs::roughly(sub(a[1], a[0]), sub(b[1], b[0]), sub(b[0], a[0])).is_some()
}

/// Returns the closest points of two nearly coplanar segments; `None` if they share a point.
fn cross_closely(a: &Line, b: &Line) -> Option<Near> {
    let near = a.near(b);
    let apart = a.surely_apart(b, &near) || parted(a, b, &near) || !cross_exactly(a, b);
    apart.then_some(near)
}

/// Tests exactly whether two segments share a point.
fn cross_exactly(a: &Line, b: &Line) -> bool {
    if !(signs::are_in_range(a) && signs::are_in_range(b)) {
        return meet_exactly([a[0], a[1], a[1]], [b[0], b[1], b[1]]);
    }
    signs::orientation([&a[0], &a[1], &b[0]], &b[1]) == Ordering::Equal
        && cross_in_plane([&a[0], &a[1]], [&b[0], &b[1]])
}

impl Between<Corners> for Line {
    #[inline]
    fn near(&self, corners: &Corners) -> Near {
        near_face(self, &Face::new(corners))
    }

    fn meets(&self, corners: &Corners) -> bool {
        by_signs(self, corners).unwrap_or_else(|| {
            let near = self.near(corners);
            !self.surely_apart(corners, &near)
                && !parted(self, corners, &near)
                && meet_exactly([self[0], self[1], self[1]], *corners)
        })
    }
}

/// Returns the point that pierces the triangle; else the closest of three edges and of the feet of
/// both ends. Source: Ericson, Real-Time Collision Detection (2005), 5.1.10.
#[inline]
fn near_face(line: &Line, face: &Face) -> Near {
    if let Some(point) = pierced(line, face) {
        return Near::common(point);
    }
    let mut best = line.near(&face.edge(0)).or(line.near(&face.edge(1)));
    best = best.or(line.near(&face.edge(2)));
    for end in line {
        if let Some(near) = face.foot(*end) {
            best = best.or(near);
        }
    }
    best
}

/// Returns the rounded point where the segment pierces the inside of the triangle.
#[inline]
pub(crate) fn pierced(line: &Line, face: &Face) -> Option<Vec3> {
    let above = line.map(|p| dot(face.normal, sub(p, face.corners[0])));
    if above[0] > 0.0 && above[1] > 0.0 || above[0] < 0.0 && above[1] < 0.0 || above[0] == above[1]
    {
        return None;
    }
    let t = clamp_to_unit(above[0] / (above[0] - above[1]));
    let point = add(line[0], scale(sub(line[1], line[0]), t));
    (!face.outside(point).contains(&true)).then_some(point)
}

/// Tests overlap by signs of five determinants: the sides of the ends and the sides on which the
/// edges are passed. `None` where rounding could change a sign.
fn by_signs(line: &Line, corners: &Corners) -> Option<bool> {
    let limit = limit(&[line[0], line[1], line[1]], corners, 0.0);
    let normal = cross(sub(corners[1], corners[0]), sub(corners[2], corners[0]));
    let above = line.map(|p| side(dot(normal, sub(p, corners[0])), limit));
    let [from, to] = [above[0]?, above[1]?];
    if from == to {
        return Some(false);
    }
    let along = sub(line[1], line[0]);
    let passes = [0, 1, 2].map(|i| {
        let (r, s) = (sub(corners[i], line[0]), sub(corners[(i + 1) % 3], line[0]));
        side(dot(along, cross(r, s)), limit)
    });
    if passes.contains(&Some(Ordering::Less)) && passes.contains(&Some(Ordering::Greater)) {
        return Some(false);
    }
    (passes[0].is_some() && passes[0] == passes[1] && passes[1] == passes[2]).then_some(true)
}
