//! Frusta against boxes and triangles: separating axes; and boxes against each other by the same.
//! Against what is round: by faces.
//!
//! An axis separates where all corners of the one come before all of the other; so any axis may be
//! tried, whatever rounding made of it, and no shared point is ever called apart. Two convex bodies
//! are apart iff they are along a face normal of one or a cross product of their edges. Source:
//! Gottschalk, Lin, Manocha, OBBTree (1996); Ericson, Real-Time Collision Detection (2005), 5.2.1.

use nalgebra::Point3;

use super::IntersectsQuery;
use super::triangles::Corners;
use crate::num::Scalar;
use crate::num::linear::{IDENTITY, Vec3, add, cross, dot, scale, sub, turn_back};
use crate::shape::{
    Aabb, Capsule, Frustum, Obb, Segment, Sphere, Triangle, WideObb, face_normals, unit, wide_point,
};

/// A frustum's corners, and the axes that may separate it from others.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hull {
    pub(super) corners: [Vec3; 8],
    /// Inward, as far as there is an inside.
    pub(super) normals: [Vec3; 6],
    /// As long as they are.
    pub(super) edges: [Vec3; 12],
    /// Between which heights along each normal all corners lie, seen from the first.
    pub(super) spans: [[f64; 2]; 6],
}

impl Hull {
    pub fn corners(&self) -> &[Vec3; 8] {
        &self.corners
    }

    /// Eight corners ordered as those of a [`Frustum`].
    pub fn frustum(corners: [Vec3; 8]) -> Self {
        let (mut normals, mut spans) = (face_normals(&corners), [[0.0; 2]; 6]);
        for (face, (normal, span)) in normals.iter_mut().zip(&mut spans).enumerate() {
            // A corner of the face.
            let of_face = if face % 2 == 0 { 0 } else { 7 };
            *span = span_of(&corners, *normal);
            let height = dot(*normal, sub(corners[of_face], corners[0]));
            if height - span[0] > span[1] - height {
                *normal = scale(*normal, -1.0);
                *span = [-span[1], -span[0]];
            }
        }
        let mut edges = [[0.0; 3]; 12];
        for (index, edge) in edges.iter_mut().enumerate() {
            let (axis, rest) = (index / 4, index % 4);
            // The two other bits of the ends.
            let low = (rest & ((1 << axis) - 1)) | (rest >> axis << (axis + 1));
            *edge = sub(corners[low | 1 << axis], corners[low]);
        }
        Hull { corners, normals, edges, spans }
    }

    /// Whether it may share a point with the box. `pad` covers what the coordinates are off. Units.
    pub fn meets_box(&self, solid: &WideObb, pad: f64) -> bool {
        let corners = self.corners.map(|p| sub(p, solid.center));
        let apart = |axis: Vec3| {
            let reach = along(solid, axis) + pad * size(axis);
            beyond(&corners, axis, [-reach, reach])
        };
        let crossed = |edge: &Vec3| solid.axes.iter().any(|&axis| apart(cross(*edge, axis)));
        !(solid.axes.iter().copied().any(apart)
            || self.normals.iter().copied().any(apart)
            || self.edges.iter().any(crossed))
    }

    /// Whether it may share a point with the triangle.
    pub fn meets_triangle(&self, triangle: &Corners, pad: f64) -> bool {
        let origin = triangle[0];
        let (corners, others) =
            (self.corners.map(|p| sub(p, origin)), triangle.map(|p| sub(p, origin)));
        let apart = |axis: Vec3| {
            let [a, b, c] = others.map(|p| dot(axis, p));
            let slack = pad * size(axis);
            beyond(&corners, axis, [a.min(b).min(c) - slack, a.max(b).max(c) + slack])
        };
        let sides = sides(&others);
        let crossed = |edge: &Vec3| sides.iter().any(|&side| apart(cross(*edge, side)));
        !(self.normals.iter().copied().any(apart)
            || apart(cross(sides[0], sides[1]))
            || self.edges.iter().any(crossed))
    }

    /// The same from another origin.
    pub fn seen_from(&self, origin: Vec3) -> Self {
        Hull { corners: self.corners.map(|p| sub(p, origin)), ..*self }
    }
}

/// Between which heights along an axis corners lie, seen from the first.
fn span_of(corners: &[Vec3; 8], axis: Vec3) -> [f64; 2] {
    let (mut low, mut high) = (0.0, 0.0);
    for &corner in corners {
        let height = dot(axis, sub(corner, corners[0]));
        low = if height < low { height } else { low };
        high = if height > high { height } else { high };
    }
    [low, high]
}

pub(super) fn size(axis: Vec3) -> f64 {
    axis[0].abs() + axis[1].abs() + axis[2].abs()
}

/// Whether all corners lie before or all lie behind the interval.
fn beyond(corners: &[Vec3; 8], axis: Vec3, [low, high]: [f64; 2]) -> bool {
    let along = corners.map(|p| dot(axis, p));
    along.iter().all(|&x| x < low) || along.iter().all(|&x| x > high)
}

/// Whether no axis tells two boxes apart, the second as far from the first as `t` says; `pad` as in
/// [`Hull::meets_box`]. Unlike the verdict of two boxes this takes no right angles for granted: so
/// it needs no other slack.
pub(crate) fn boxes_meet(a: &WideObb, b: &WideObb, t: Vec3, pad: f64) -> bool {
    let apart =
        |axis: Vec3| dot(axis, t).abs() > along(a, axis) + along(b, axis) + pad * size(axis);
    let crossed = |axis: &Vec3| b.axes.iter().any(|&other| apart(cross(*axis, other)));
    !(a.axes.iter().copied().any(apart)
        || b.axes.iter().copied().any(apart)
        || a.axes.iter().any(crossed))
}

/// The same of a box and a triangle.
pub(crate) fn box_meets_triangle(solid: &WideObb, triangle: &Corners, pad: f64) -> bool {
    let seen = triangle.map(|p| sub(p, solid.center));
    let apart = |axis: Vec3| {
        let ([a, b, c], reach) =
            (seen.map(|p| dot(axis, p)), along(solid, axis) + pad * size(axis));
        a.min(b).min(c) > reach || a.max(b).max(c) < -reach
    };
    let sides = sides(&seen);
    let crossed = |axis: &Vec3| sides.iter().any(|&side| apart(cross(*axis, side)));
    !(solid.axes.iter().copied().any(apart)
        || apart(cross(sides[0], sides[1]))
        || solid.axes.iter().any(crossed))
}

fn sides(triangle: &Corners) -> Corners {
    std::array::from_fn(|i| unit(sub(triangle[(i + 1) % 3], triangle[i])))
}

/// How far a box reaches along an axis, times the length of that.
#[inline(always)]
fn along(solid: &WideObb, axis: Vec3) -> f64 {
    let ([x, y, z], half) = (turn_back(&solid.axes, axis), solid.half_extents);
    half[0] * x.abs() + half[1] * y.abs() + half[2] * z.abs()
}

/// Rounding of differences and products of coordinates of that size: `64 e`.
fn rounding(corners: &[Vec3; 8], others: &[Vec3]) -> f64 {
    let far = corners.iter().chain(others).flatten().fold(0.0, |far: f64, x| far.max(x.abs()));
    far / (1u64 << 47) as f64
}

fn of<T: Scalar>(frustum: &Frustum<T>) -> Hull {
    Hull::frustum(frustum.corners().map(wide_point))
}

macro_rules! both_ways {
    ($($kind:ty, $meets:expr;)*) => {$(
        impl<T: Scalar> IntersectsQuery<$kind> for Frustum<T> {
            fn intersects(&self, other: &$kind) -> bool {
                let meets: fn(&Hull, &$kind) -> bool = $meets;
                meets(&of(self), other)
            }
        }
        impl<T: Scalar> IntersectsQuery<Frustum<T>> for $kind {
            fn intersects(&self, other: &Frustum<T>) -> bool {
                IntersectsQuery::intersects(other, self)
            }
        }
    )*};
}

both_ways! {
    Aabb<T, 3>, |hull, other| {
        let end = 4.0 * f64::MAX_COORDINATE;
        let [low, high] = [other.min, other.max].map(|p| wide_point(p).map(|x| x.clamp(-end, end)));
        if !(0..3).all(|i| low[i] <= high[i]) {
            return false;
        }
        let (center, half_extents) = (scale(add(low, high), 0.5), scale(sub(high, low), 0.5));
        let pad = rounding(&hull.corners, &[low, high]);
        hull.meets_box(&WideObb { center, axes: IDENTITY, half_extents }, pad)
    };
    Obb<T>, |hull, other| {
        let other = other.wide();
        let pad = rounding(&hull.corners, &other.corners());
        hull.meets_box(&other, pad)
    };
    Triangle<T>, |hull, other| {
        let corners = other.corners().map(wide_point);
        hull.meets_triangle(&corners, rounding(&hull.corners, &corners))
    };
}

macro_rules! both_ways_by_faces {
    ($($kind:ty, $point:expr;)*) => {$(
        impl<T: Scalar> IntersectsQuery<$kind> for Frustum<T> {
            /// They share a point of a face, or all of the other is inside.
            fn intersects(&self, other: &$kind) -> bool {
                let point: fn(&$kind) -> Point3<T> = $point;
                self.contains(point(other)) || self.face_triangles().any(|face| other.intersects(&face))
            }
        }
        impl<T: Scalar> IntersectsQuery<Frustum<T>> for $kind {
            fn intersects(&self, other: &Frustum<T>) -> bool {
                IntersectsQuery::intersects(other, self)
            }
        }
    )*};
}

both_ways_by_faces! {
    Sphere<T, 3>, |ball| ball.center();
    Capsule<T>, |capsule| capsule.segment().a();
    Segment<T>, |segment| segment.a();
}
