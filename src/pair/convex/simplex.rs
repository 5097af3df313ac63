//! Point of a simplex nearest to the origin.
//!
//! Every face with the newest vertex is tried; its foot counts if it lies within the face. Feet are
//! computed along normals: the error of a direction along its face limits what GJK can certify, and
//! a difference of nearly equal points would have far more of it than rounding. Source: Ericson,
//! Real-Time Collision Detection (2005), 9.5.

use crate::num::linear::{Vec3, add, cross, dot, length, scale, sub};

/// Point of the difference of two bodies, and the point of the first that it comes from.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Vertex {
    pub point: Vec3,
    pub on_a: Vec3,
}

/// Foot of the origin on a face, with the point of the first body there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Foot {
    pub point: Vec3,
    pub on_a: Vec3,
    pub squared: f64,
    /// Bits of the vertices of the face.
    pub face: u8,
}

/// Simplex of up to four vertices; the last is the newest.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Simplex {
    vertices: [Vertex; 4],
    len: usize,
}

/// Difference of a foot by weights and by a normal below which both count as equal, as a share of
/// the vertices.
const FOOT_ERROR: f64 = 1.0 / (1u64 << 42) as f64;

impl Simplex {
    /// Bits of all four vertices.
    pub const ALL: u8 = 0b1111;

    /// Adds a vertex to at most three.
    pub fn push(&mut self, vertex: Vertex) {
        self.vertices[self.len] = vertex;
        self.len += 1;
    }

    pub fn vertices(&self) -> &[Vertex] {
        &self.vertices[..self.len]
    }

    pub fn has_vertex(&self, point: Vec3) -> bool {
        self.vertices[..self.len].iter().any(|vertex| vertex.point == point)
    }

    /// Keeps only the vertices of a face.
    pub fn retain_face(&mut self, face: u8) {
        let mut kept = 0;
        for at in 0..self.len {
            if face >> at & 1 == 1 {
                self.vertices[kept] = self.vertices[at];
                kept += 1;
            }
        }
        self.len = kept;
    }

    /// Returns the point nearest to the origin over the faces with the newest vertex.
    ///
    /// Feet are compared by the least projection of the vertices on them, not by their lengths. The
    /// nearest foot has its own length there and the others less, by more than rounding; lengths
    /// differ only by the square of the difference of directions.
    pub fn nearest(&self) -> Foot {
        if let Some(held) = (self.len == 4).then(|| self.containing_origin()).flatten() {
            return held;
        }
        let newest = self.len - 1;
        let corner = self.weighted([newest], [1.0]);
        let mut best = (f64::NEG_INFINITY, corner);
        let mut take = |foot: Option<Foot>| {
            let Some(foot) = foot else { return };
            let along = self.least_along(foot.point) / foot.squared.sqrt();
            best = if along > best.0 { (along, foot) } else { best };
        };
        take(Some(corner));
        for i in 0..newest {
            take(self.on_edge([newest, i]));
            for j in 0..i {
                take(self.on_triangle([newest, i, j]));
            }
        }
        best.1
    }

    /// Returns the least product of a vertex with `direction`.
    fn least_along(&self, direction: Vec3) -> f64 {
        let along = self.vertices[..self.len].iter().map(|vertex| dot(vertex.point, direction));
        along.fold(f64::INFINITY, |least, x| if x < least { x } else { least })
    }

    /// Returns the weighted mean of the vertices of a face.
    fn weighted<const N: usize>(&self, of: [usize; N], weights: [f64; N]) -> Foot {
        let (mut point, mut on_a, mut face) = ([0.0; 3], [0.0; 3], 0);
        for (at, weight) in of.into_iter().zip(weights) {
            point = add(point, scale(self.vertices[at].point, weight));
            on_a = add(on_a, scale(self.vertices[at].on_a, weight));
            face |= 1 << at;
        }
        Foot { point, on_a, squared: dot(point, point), face }
    }

    fn size<const N: usize>(&self, of: [usize; N]) -> f64 {
        of.iter().map(|&at| length(self.vertices[at].point)).fold(0.0, f64::max)
    }

    fn on_edge(&self, of: [usize; 2]) -> Option<Foot> {
        let [p, q] = of.map(|at| self.vertices[at].point);
        let edge = sub(q, p);
        let square = dot(edge, edge);
        let share = -dot(p, edge) / square;
        if !(share > 0.0 && share < 1.0) {
            return None;
        }
        let foot = self.weighted(of, [1.0 - share, share]);
        // Removes the rounded component along the edge.
        let straight = |v: Vec3| sub(v, scale(edge, dot(v, edge) / square));
        Some(self.with_accurate_point(foot, straight(straight(foot.point)), self.size(of)))
    }

    fn on_triangle(&self, of: [usize; 3]) -> Option<Foot> {
        let [p, q, r] = of.map(|at| self.vertices[at].point);
        let (x, y) = (sub(q, p), sub(r, p));
        let normal = cross(x, y);
        let square = dot(normal, normal);
        if square.is_nan() || square <= 0.0 {
            return None;
        }
        let s = dot(normal, cross(y, p)) / square;
        let t = dot(normal, cross(p, x)) / square;
        if !(s > 0.0 && t > 0.0 && s + t < 1.0) {
            return None;
        }
        let foot = self.weighted(of, [1.0 - s - t, s, t]);
        Some(self.with_accurate_point(foot, scale(normal, dot(normal, p) / square), self.size(of)))
    }

    /// Replaces the point of a foot by a more accurate one, unless the two differ.
    fn with_accurate_point(&self, foot: Foot, point: Vec3, size: f64) -> Foot {
        let same = length(sub(point, foot.point)) <= FOOT_ERROR * size;
        if same { Foot { point, squared: dot(point, point), ..foot } } else { foot }
    }

    /// Returns the origin if it is a mean of the four vertices with non-negative weights.
    fn containing_origin(&self) -> Option<Foot> {
        let [p, q, r, s] = [0, 1, 2, 3].map(|at| self.vertices[at].point);
        let volume = |a: Vec3, b: Vec3, c: Vec3| dot(a, cross(b, c));
        let weights = [volume(q, s, r), volume(p, r, s), volume(p, s, q), volume(p, q, r)];
        let sum = weights[0] + weights[1] + weights[2] + weights[3];
        let shares = weights.map(|weight| weight / sum);
        if !shares.iter().all(|&share| share >= 0.0) {
            return None;
        }
        let of = [0, 1, 2, 3];
        let foot = self.weighted(of, shares);
        (length(foot.point) <= FOOT_ERROR * self.size(of)).then_some(foot)
    }
}
