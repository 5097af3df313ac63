//! SAT of convex polytopes by their corners, their face normals as given, and their edges: frusta,
//! boxes, triangles.
//!
//! An axis separates two bodies if all corners of one lie before all of the other. That is true of
//! any axis, however it was rounded, so bodies that share a point are never separated. Two convex
//! bodies are disjoint iff a face normal of one or a cross product of their edges separates them.
//! Unlike the deciding test of two boxes this test assumes no right angles, so it needs no slack
//! but a `pad` for the error of the coordinates [length units]. Sources: Gottschalk, Lin, Manocha,
//! OBBTree (1996); Ericson, Real-Time Collision Detection (2005), 5.2.1.

use crate::num::linear::{Vec3, cross, dot, rotate_back, scale, sub};
use crate::shape::{WideObb, face_normals, normalised};

/// Candidate axes of one body: face normals and edges, of any length.
struct CandidateAxes<'a> {
    normals: &'a [Vec3],
    edges: &'a [Vec3],
}

/// Returns `true` if no axis separates the corners from a body that covers the interval `span`
/// along an axis.
#[inline(always)]
fn no_axis_separates<const N: usize>(
    corners: &[Vec3; N],
    [a, b]: [CandidateAxes<'_>; 2],
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

/// Returns `false` only if an axis separates two boxes; `t` leads from the centre of the first to
/// that of the second.
pub(crate) fn boxes_may_overlap(a: &WideObb, b: &WideObb, t: Vec3, pad: f64) -> bool {
    no_axis_separates(&[t], [axes_of_box(b), axes_of_box(a)], |axis| {
        let reach = projected_radius(a, axis) + projected_radius(b, axis) + pad * l1_norm(axis);
        [-reach, reach]
    })
}

/// Returns `false` only if an axis separates a box and a triangle.
pub(crate) fn box_may_overlap_triangle(solid: &WideObb, triangle: &[Vec3; 3], pad: f64) -> bool {
    let seen = triangle.map(|p| sub(p, solid.center));
    let sides = unit_sides(&seen);
    let normal = [cross(sides[0], sides[1])];
    let triangle = CandidateAxes { normals: &normal, edges: &sides };
    no_axis_separates(&seen, [triangle, axes_of_box(solid)], |axis| {
        padded_interval(solid, axis, pad)
    })
}

fn axes_of_box(solid: &WideObb) -> CandidateAxes<'_> {
    CandidateAxes { normals: &solid.axes, edges: &solid.axes }
}

/// Returns the interval of a box along an axis, relative to its centre, including the pad.
fn padded_interval(solid: &WideObb, axis: Vec3, pad: f64) -> [f64; 2] {
    let reach = projected_radius(solid, axis) + pad * l1_norm(axis);
    [-reach, reach]
}

/// Returns the projected radius of a box, times the length of the axis.
#[inline(always)]
fn projected_radius(solid: &WideObb, axis: Vec3) -> f64 {
    let ([x, y, z], half) = (rotate_back(&solid.axes, axis), solid.half_extents);
    half[0] * x.abs() + half[1] * y.abs() + half[2] * z.abs()
}

/// Returns the separation of two boxes along an axis, times its length; negative if they overlap.
/// `offset` leads from centre to centre.
pub(super) fn box_separation([a, b]: &[WideObb; 2], offset: Vec3, axis: Vec3) -> f64 {
    dot(axis, offset).abs() - (projected_radius(a, axis) + projected_radius(b, axis))
}

/// Returns the sum of the absolute coordinates, no less than the length.
pub(super) fn l1_norm(axis: Vec3) -> f64 {
    axis[0].abs() + axis[1].abs() + axis[2].abs()
}

fn unit_sides(triangle: &[Vec3; 3]) -> [Vec3; 3] {
    std::array::from_fn(|i| normalised(sub(triangle[(i + 1) % 3], triangle[i])))
}

/// Corners of a frustum, and the axes that may separate it from others.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FrustumHull {
    pub(super) corners: [Vec3; 8],
    /// Face normals, inward if there is an inside.
    pub(super) normals: [Vec3; 6],
    /// Edges, not of unit length.
    pub(super) edges: [Vec3; 12],
    /// Least and greatest height of all corners along each normal, relative to the first corner.
    pub(super) spans: [[f64; 2]; 6],
}

impl FrustumHull {
    pub fn corners(&self) -> &[Vec3; 8] {
        &self.corners
    }

    /// Returns each face's inward normal and the least and greatest height of all corners along it.
    pub fn faces(&self) -> [(Vec3, [f64; 2]); 6] {
        std::array::from_fn(|face| {
            let (normal, [low, high]) = (self.normals[face], self.spans[face]);
            let first = dot(normal, self.corners[0]);
            (normal, [first + low, first + high])
        })
    }

    /// Creates a hull from eight corners in the order of a [`Frustum`](crate::shape::Frustum).
    pub fn from_corners(corners: [Vec3; 8]) -> Self {
        let (mut normals, mut spans) = (face_normals(&corners), [[0.0; 2]; 6]);
        for (face, (normal, span)) in normals.iter_mut().zip(&mut spans).enumerate() {
            let of_face = if face % 2 == 0 { 0 } else { 7 };
            *span = height_span(&corners, *normal);
            let height = dot(*normal, sub(corners[of_face], corners[0]));
            if height - span[0] > span[1] - height {
                *normal = scale(*normal, -1.0);
                *span = [-span[1], -span[0]];
            }
        }
        let mut edges = [[0.0; 3]; 12];
        for (index, edge) in edges.iter_mut().enumerate() {
            let (axis, rest) = (index / 4, index % 4);
            // The two other bits of the indices of both ends.
            let low = (rest & ((1 << axis) - 1)) | (rest >> axis << (axis + 1));
            *edge = sub(corners[low | 1 << axis], corners[low]);
        }
        FrustumHull { corners, normals, edges, spans }
    }

    fn candidate_axes(&self) -> CandidateAxes<'_> {
        CandidateAxes { normals: &self.normals, edges: &self.edges }
    }

    /// Returns `false` only if an axis separates the frustum and the box.
    pub fn may_overlap_box(&self, solid: &WideObb, pad: f64) -> bool {
        let corners = self.corners.map(|p| sub(p, solid.center));
        let directions = [self.candidate_axes(), axes_of_box(solid)];
        no_axis_separates(&corners, directions, |axis| padded_interval(solid, axis, pad))
    }

    /// Returns `false` only if an axis separates the frustum and the triangle.
    pub fn may_overlap_triangle(&self, triangle: &[Vec3; 3], pad: f64) -> bool {
        let origin = triangle[0];
        let others = triangle.map(|p| sub(p, origin));
        let sides = unit_sides(&others);
        let normal = [cross(sides[0], sides[1])];
        let directions = [self.candidate_axes(), CandidateAxes { normals: &normal, edges: &sides }];
        no_axis_separates(&self.corners.map(|p| sub(p, origin)), directions, |axis| {
            let ([a, b, c], slack) = (others.map(|p| dot(axis, p)), pad * l1_norm(axis));
            [a.min(b).min(c) - slack, a.max(b).max(c) + slack]
        })
    }

    /// Returns the hull relative to another origin.
    pub fn relative_to(&self, origin: Vec3) -> Self {
        FrustumHull { corners: self.corners.map(|p| sub(p, origin)), ..*self }
    }
}

/// Returns the least and greatest height of the corners along an axis, relative to the first
/// corner.
fn height_span(corners: &[Vec3; 8], axis: Vec3) -> [f64; 2] {
    let (mut low, mut high) = (0.0, 0.0);
    for &corner in corners {
        let height = dot(axis, sub(corner, corners[0]));
        low = if height < low { height } else { low };
        high = if height > high { height } else { high };
    }
    [low, high]
}
