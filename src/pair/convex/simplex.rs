//! The point of a simplex nearest to the origin.
//!
//! Every face that has the newest vertex is tried of which the foot lies within it. Feet are found
//! along normals: how far a direction leans along a face it is square to decides what GJK can
//! certify, and of a difference of nearly equal points it would lean by far more than rounding.
//! Source: Ericson, Real-Time Collision Detection (2005), 9.5.

use crate::num::linear::{Vec3, add, cross, dot, length, scale, sub};

/// A point of the difference of two bodies, and the point of the first it comes from.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Vertex {
    pub point: Vec3,
    pub on_a: Vec3,
}

/// The foot of the origin on a face: where, and the point of the first there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Foot {
    pub point: Vec3,
    pub on_a: Vec3,
    pub squared: f64,
    /// The vertices of the face, as bits.
    pub face: u8,
}

/// Up to four vertices; the last is the newest.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Simplex {
    vertices: [Vertex; 4],
    len: usize,
}

/// How far a foot by weights and the same by a normal may be apart, as a share of the vertices.
const SAME: f64 = 1.0 / (1u64 << 42) as f64;

impl Simplex {
    /// The face of four vertices.
    pub const ALL: u8 = 0b1111;

    /// Adds a vertex; there are at most three before.
    pub fn push(&mut self, vertex: Vertex) {
        self.vertices[self.len] = vertex;
        self.len += 1;
    }

    pub fn vertices(&self) -> &[Vertex] {
        &self.vertices[..self.len]
    }

    pub fn has(&self, point: Vec3) -> bool {
        self.vertices[..self.len].iter().any(|vertex| vertex.point == point)
    }

    /// Keeps the vertices of a face.
    pub fn keep(&mut self, face: u8) {
        let mut kept = 0;
        for at in 0..self.len {
            if face >> at & 1 == 1 {
                self.vertices[kept] = self.vertices[at];
                kept += 1;
            }
        }
        self.len = kept;
    }

    /// The point nearest to the origin, of the faces with the newest vertex.
    ///
    /// Which of the feet it is, says not how near they are, but how far along them the vertices are
    /// at least: of the nearest that is its own length, of others less, and by more than rounding,
    /// where lengths differ by the square of what directions do.
    pub fn nearest(&self) -> Foot {
        if let Some(held) = (self.len == 4).then(|| self.inside()).flatten() {
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

    /// How far the vertices are along a direction at least, times its length.
    fn least_along(&self, direction: Vec3) -> f64 {
        let along = self.vertices[..self.len].iter().map(|vertex| dot(vertex.point, direction));
        along.fold(f64::INFINITY, |least, x| if x < least { x } else { least })
    }

    /// A face's vertices with weights.
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
        // What rounding left along the edge.
        let straight = |v: Vec3| sub(v, scale(edge, dot(v, edge) / square));
        Some(self.replaced(foot, straight(straight(foot.point)), self.size(of)))
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
        Some(self.replaced(foot, scale(normal, dot(normal, p) / square), self.size(of)))
    }

    /// The same foot with a point that is straighter, unless that is another.
    fn replaced(&self, foot: Foot, point: Vec3, size: f64) -> Foot {
        let same = length(sub(point, foot.point)) <= SAME * size;
        if same { Foot { point, squared: dot(point, point), ..foot } } else { foot }
    }

    /// The origin, if the four vertices hold it: if it is their mean by weights none of which is
    /// negative.
    fn inside(&self) -> Option<Foot> {
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
        (length(foot.point) <= SAME * self.size(of)).then_some(foot)
    }
}
