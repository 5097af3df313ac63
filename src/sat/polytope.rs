//! SAT of convex polytopes by their corners, their face normals as given, and their edges: frusta,
//! boxes, triangles.
//!
//! An axis separates where all corners of the one come before all of the other; so any axis may be
//! tried, whatever rounding made of it, and no shared point is ever called apart. Two convex bodies
//! are apart iff they are along a face normal of one or a cross product of their edges. Unlike the
//! deciding test of two boxes this takes no right angles for granted, so it needs no slack but a
//! `pad` for what the coordinates are off, in units. Sources: Gottschalk, Lin, Manocha, OBBTree
//! (1996); Ericson, Real-Time Collision Detection (2005), 5.2.1.

use crate::num::linear::{Vec3, cross, dot, scale, sub, turn_back};
use crate::shape::{WideObb, face_normals, unit};

/// The axes of one body: face normals and edges, of any length.
struct Directions<'a> {
    normals: &'a [Vec3],
    edges: &'a [Vec3],
}

/// Whether no axis separates some corners from a body which covers the interval `span` along an
/// axis.
#[inline(always)]
fn no_axis_separates<const N: usize>(
    corners: &[Vec3; N],
    [a, b]: [Directions<'_>; 2],
    span: impl Fn(Vec3) -> [f64; 2],
) -> bool {
    let apart = |axis: Vec3| {
        let ([low, high], along) = (span(axis), corners.map(|p| dot(axis, p)));
        along.iter().all(|&x| x < low) || along.iter().all(|&x| x > high)
    };
    let crossed = |edge: &Vec3| b.edges.iter().any(|&other| apart(cross(*edge, other)));
    !(b.normals.iter().copied().any(apart)
        || a.normals.iter().copied().any(apart)
        || a.edges.iter().any(crossed))
}

/// Whether two boxes may share a point, the second as far from the first as `t` says.
pub(crate) fn boxes_meet(a: &WideObb, b: &WideObb, t: Vec3, pad: f64) -> bool {
    no_axis_separates(&[t], [of_box(b), of_box(a)], |axis| {
        let reach = reach(a, axis) + reach(b, axis) + pad * size(axis);
        [-reach, reach]
    })
}

/// Whether a box and a triangle may share a point.
pub(crate) fn box_meets_triangle(solid: &WideObb, triangle: &[Vec3; 3], pad: f64) -> bool {
    let seen = triangle.map(|p| sub(p, solid.center));
    let sides = sides(&seen);
    let normal = [cross(sides[0], sides[1])];
    let triangle = Directions { normals: &normal, edges: &sides };
    no_axis_separates(&seen, [triangle, of_box(solid)], |axis| around(solid, axis, pad))
}

fn of_box(solid: &WideObb) -> Directions<'_> {
    Directions { normals: &solid.axes, edges: &solid.axes }
}

/// The interval that a box covers along an axis, seen from its centre, with the pad.
fn around(solid: &WideObb, axis: Vec3, pad: f64) -> [f64; 2] {
    let reach = reach(solid, axis) + pad * size(axis);
    [-reach, reach]
}

/// How far a box reaches along an axis, times the length of that.
#[inline(always)]
fn reach(solid: &WideObb, axis: Vec3) -> f64 {
    let ([x, y, z], half) = (turn_back(&solid.axes, axis), solid.half_extents);
    half[0] * x.abs() + half[1] * y.abs() + half[2] * z.abs()
}

/// How far an axis shows two boxes to be apart, whose centres are that far from each other, times
/// its length; negative if they overlap along it.
pub(super) fn excess([a, b]: &[WideObb; 2], offset: Vec3, axis: Vec3) -> f64 {
    dot(axis, offset).abs() - (reach(a, axis) + reach(b, axis))
}

/// The sum of the sizes of the coordinates: no less than the length.
pub(super) fn size(axis: Vec3) -> f64 {
    axis[0].abs() + axis[1].abs() + axis[2].abs()
}

/// The sides of a triangle, of length one.
fn sides(triangle: &[Vec3; 3]) -> [Vec3; 3] {
    std::array::from_fn(|i| unit(sub(triangle[(i + 1) % 3], triangle[i])))
}

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

    /// The normal of each face, inward, and between which heights along it all corners lie.
    pub fn faces(&self) -> [(Vec3, [f64; 2]); 6] {
        std::array::from_fn(|face| {
            let (normal, [low, high]) = (self.normals[face], self.spans[face]);
            let first = dot(normal, self.corners[0]);
            (normal, [first + low, first + high])
        })
    }

    /// Eight corners ordered as those of a [`Frustum`](crate::shape::Frustum).
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

    fn directions(&self) -> Directions<'_> {
        Directions { normals: &self.normals, edges: &self.edges }
    }

    /// Whether it may share a point with the box.
    pub fn meets_box(&self, solid: &WideObb, pad: f64) -> bool {
        let corners = self.corners.map(|p| sub(p, solid.center));
        let directions = [self.directions(), of_box(solid)];
        no_axis_separates(&corners, directions, |axis| around(solid, axis, pad))
    }

    /// Whether it may share a point with the triangle.
    pub fn meets_triangle(&self, triangle: &[Vec3; 3], pad: f64) -> bool {
        let origin = triangle[0];
        let others = triangle.map(|p| sub(p, origin));
        let sides = sides(&others);
        let normal = [cross(sides[0], sides[1])];
        let directions = [self.directions(), Directions { normals: &normal, edges: &sides }];
        no_axis_separates(&self.corners.map(|p| sub(p, origin)), directions, |axis| {
            let ([a, b, c], slack) = (others.map(|p| dot(axis, p)), pad * size(axis));
            [a.min(b).min(c) - slack, a.max(b).max(c) + slack]
        })
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
