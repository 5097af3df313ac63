//! Contact of two overlapping convex bodies, by EPA.
//!
//! EPA, the expanding polytope algorithm: a polytope of points of the difference of the bodies
//! grows across its face nearest to the origin, until no point of the difference lies beyond that
//! face. Source: van den Bergen, Proximity Queries and Penetration Depth Computation on 3D Game
//! Objects (2001). The polytope may begin without the origin inside and then grows to contain it:
//! its faces have signed distances.
//!
//! # What is certain
//! The overlap along a direction comes from support points. So a depth is always sufficient, up to
//! rounding, whatever the polytope. It is minimal up to [`DEPTH_TOLERANCE`] of the size where the
//! polytope converges; round bodies with many similar directions would take more than
//! [`MAX_VERTICES`] and remain somewhat deeper.

use super::gjk::ConvexPair;
use super::simplex::Vertex;
use crate::num::linear::{IDENTITY, Vec3, add, cross, dot, length, scale, sub};
use crate::pair::rounded::rounded_shape::WideContact;

/// Limit of the vertices of the polytope.
const MAX_VERTICES: usize = 128;

/// Limit of the faces: twice the vertices, minus four.
const MAX_FACES: usize = 2 * MAX_VERTICES;

/// Gap between polytope and surface at which the search ends, as a share of the sizes.
const DEPTH_TOLERANCE: f64 = 1.0 / (1u64 << 42) as f64;

/// Thickness below which a difference counts as flat, as a share of the sizes: it has no depth
/// along its normal.
const FLAT_THICKNESS: f64 = 1.0 / (1u64 << 44) as f64;

/// Distance below which cores count as overlapping, as a share of the sizes: the direction of their
/// offset is noise.
const OFFSET_ERROR: f64 = 1.0 / (1u64 << 36) as f64;

/// Limit of the refinements of a direction.
const MAX_REFINEMENTS: usize = 32;

/// Distance that the refinement moves the second body beyond the least translation, as a share of
/// the sizes.
const OVERSHOOT: f64 = 1.0 / (1u64 << 10) as f64;

/// Distance of two unit vectors that count as equal.
const DIRECTION_TOLERANCE: f64 = 1.0 / (1u64 << 30) as f64;

/// Distance of two unit vectors whose deepest points may be exchanged.
const DEEPEST_POINT_TOLERANCE: f64 = 1.0 / (1u64 << 16) as f64;

/// Returns the contact of two touching bodies: the point half way between the deepest points, the
/// normal from the first to the second, the depth.
pub(super) fn deepest_contact(pair: &ConvexPair<'_>) -> WideContact {
    let radii = pair.bodies.map(|body| body.radius());
    let found = pair.search_nearest();
    let far = found.closest.squared.sqrt();
    let (on_a, normal, depth) = match far > OFFSET_ERROR * found.size {
        true => (found.closest.on_a, scale(found.closest.offset, 1.0 / far), -far),
        false => refine_direction(
            pair,
            ExpandingPolytope::initial_tetrahedron(pair).least_overlap(pair),
            found.size,
        ),
    };
    let depth = (depth + (radii[0] + radii[1])).max(0.0);
    (add(on_a, scale(normal, radii[0] - 0.5 * depth)), normal, depth)
}

impl ConvexPair<'_> {
    /// Returns the unit direction of least overlap of two touching bodies, from the first to the
    /// second, and the overlap along it.
    pub fn least_overlap(&self) -> (Vec3, f64) {
        let (_, normal, depth) = deepest_contact(self);
        (normal, depth)
    }

    /// Returns a lower bound on the depth of two bodies: they still overlap after every motion that
    /// displaces no point of the one against a point of the other by as much. Negative if they are
    /// apart.
    ///
    /// Such a motion changes the overlap along any direction by less than the bound, and every
    /// overlap is at least that of the polytope, which lies within the difference.
    pub fn depth_at_least(&self) -> f64 {
        let radii = self.bodies.map(|body| body.radius());
        let found = self.search_nearest();
        let far = found.closest.squared.sqrt();
        let cores = match far > OFFSET_ERROR * found.size {
            true => -far,
            false => ExpandingPolytope::initial_tetrahedron(self).inner_radius(self),
        };
        cores + (radii[0] + radii[1]) - (DEPTH_TOLERANCE * found.size + self.error)
    }
}

/// Refines a direction: moves the second body out along it and slightly beyond, and takes the
/// offset of the closest points as the next direction.
///
/// Let `s(n)` be the overlap along `n`, and let the second body be moved by `t n`. Its distance `d`
/// is the maximum of `t n.m - s(m)` over unit vectors `m`, and at least `t - s(n)`. So the offset
/// `m` has the overlap `t n.m - d <= s(n) - t (1 - n.m)`: never more, and less unless it is `n`.
fn refine_direction(pair: &ConvexPair<'_>, from: DeepestContact, size: f64) -> DeepestContact {
    let ((mut on_a, mut normal, mut depth), mut stride) = (from, 1.0);
    let overlap = |n: Vec3| dot(n, pair.support_vertex(n).0.point);
    for _ in 0..MAX_REFINEMENTS {
        let offset = add(pair.offset, scale(normal, depth + OVERSHOOT * size));
        let near = ConvexPair { offset, ..*pair }.search_nearest().closest;
        let far = near.squared.sqrt();
        if far.is_nan() || far <= 0.0 {
            break;
        }
        let next = scale(near.offset, 1.0 / far);
        let (turn, less) = (sub(next, normal), overlap(next));
        if length(turn) <= DEEPEST_POINT_TOLERANCE || less < depth {
            on_a = near.on_a;
        }
        let is_last = length(turn) <= DIRECTION_TOLERANCE || less >= depth;
        if less < depth {
            (normal, depth) = (next, less);
        }
        if is_last {
            break;
        }
        // Steps are short where many directions are similar, so longer ones are tried while they
        // gain.
        let ahead = add(next, scale(turn, stride));
        let ahead = scale(ahead, 1.0 / length(ahead));
        let less = overlap(ahead);
        let gains = less < depth;
        stride = if gains { 2.0 * stride } else { (0.5 * stride).max(1.0) };
        if gains {
            (normal, depth) = (ahead, less);
        }
    }
    (on_a, normal, depth.max(0.0))
}

/// Triangle of the polytope, counterclockwise from outside.
#[derive(Debug, Clone, Copy, Default)]
struct PolytopeFace {
    vertices: [u8; 3],
    normal: Vec3,
    /// Height of the plane above the origin; positive if the origin is behind the face.
    height: f64,
}

struct ExpandingPolytope {
    vertices: [Vertex; MAX_VERTICES],
    len: usize,
    faces: [PolytopeFace; MAX_FACES],
    count: usize,
    /// Size that errors are a share of.
    size: f64,
}

/// Point of the first core, unit normal, depth of the cores.
type DeepestContact = (Vec3, Vec3, f64);

impl ExpandingPolytope {
    /// Returns a tetrahedron of points far apart; flat if the difference is.
    fn initial_tetrahedron(pair: &ConvexPair<'_>) -> Self {
        let faces = [PolytopeFace::default(); MAX_FACES];
        let vertices = [Vertex::default(); MAX_VERTICES];
        let mut new = ExpandingPolytope { vertices, len: 0, faces, count: 0, size: 0.0 };
        let spans =
            IDENTITY.map(|axis| [axis, scale(axis, -1.0)].map(|way| new.support_vertex(pair, way)));
        let wide = |[p, q]: &[Vertex; 2]| length(sub(p.point, q.point));
        let longest = spans.iter().fold(&spans[0], |a, b| if wide(b) > wide(a) { b } else { a });
        let [a, b] = *longest;
        let along = sub(b.point, a.point);
        let [x, y] = perpendiculars(along);
        let sides = [x, y, scale(x, -1.0), scale(y, -1.0)].map(|way| new.support_vertex(pair, way));
        let off = |v: &Vertex| length(cross(sub(v.point, a.point), along));
        let c = sides.iter().fold(sides[0], |c, d| if off(d) > off(&c) { *d } else { c });
        let normal = cross(along, sub(c.point, a.point));
        let ends = if length(normal) > 0.0 { normal } else { x };
        let [up, down] = [ends, scale(ends, -1.0)].map(|way| new.support_vertex(pair, way));
        let height = |v: &Vertex| dot(sub(v.point, a.point), normal);
        let (d, is_up) = match height(&up) > -height(&down) {
            true => (up, true),
            false => (down, false),
        };
        let [b, c] = if is_up { [c, b] } else { [b, c] };
        new.vertices[..4].copy_from_slice(&[a, b, c, d]);
        new.len = 4;
        for of in [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]] {
            new.add_face(of);
        }
        new
    }

    /// Returns the support point of the difference along a direction.
    fn support_vertex(&mut self, pair: &ConvexPair<'_>, way: Vec3) -> Vertex {
        let (vertex, reach) = pair.support_vertex(way);
        self.size = if reach > self.size { reach } else { self.size };
        vertex
    }

    fn corners(&self, of: [u8; 3]) -> [Vec3; 3] {
        of.map(|at| self.vertices[usize::from(at)].point)
    }

    /// Adds a face; `false` if the list is full or the face has no normal.
    fn add_face(&mut self, vertices: [u8; 3]) -> bool {
        let [a, b, c] = self.corners(vertices);
        let normal = cross(sub(b, a), sub(c, a));
        let size = length(normal);
        if size.is_nan() || size <= 0.0 || self.count == MAX_FACES {
            return false;
        }
        let normal = scale(normal, 1.0 / size);
        // The least of three heights that differ by rounding: it gives no smaller depth.
        let height = dot(normal, a).min(dot(normal, b)).min(dot(normal, c));
        self.faces[self.count] = PolytopeFace { vertices, normal, height };
        self.count += 1;
        true
    }

    /// Returns the direction of least overlap.
    fn least_overlap(&mut self, pair: &ConvexPair<'_>) -> DeepestContact {
        let (best, _) = self.expand(pair);
        best.filter(|_| !self.is_flat()).unwrap_or_else(|| self.flat_overlap(pair))
    }

    /// Returns the radius of a ball about the origin within the difference, 0 if that is flat.
    fn inner_radius(&mut self, pair: &ConvexPair<'_>) -> f64 {
        let (_, height) = self.expand(pair);
        if self.is_flat() { 0.0 } else { height }
    }

    /// Grows the polytope; returns the direction of least overlap that was found, and the least
    /// height of the faces, at least 0.
    fn expand(&mut self, pair: &ConvexPair<'_>) -> (Option<DeepestContact>, f64) {
        let (mut best, mut height): (Option<DeepestContact>, f64) = (None, 0.0);
        while self.len < MAX_VERTICES && self.count > 0 {
            let faces = &self.faces[..self.count];
            let nearest =
                faces.iter().fold(faces[0], |a, b| if b.height < a.height { *b } else { a });
            let vertex = self.support_vertex(pair, nearest.normal);
            let depth = dot(nearest.normal, vertex.point);
            height = height.max(nearest.height);
            if best.is_none_or(|(_, _, least)| depth < least) {
                best = Some((self.under_origin(&nearest), nearest.normal, depth));
            }
            if depth - nearest.height <= DEPTH_TOLERANCE * self.size || !self.grow(vertex) {
                break;
            }
        }
        (best, height)
    }

    /// Adds a vertex in place of the faces that it lies above by more than rounding; `false` if
    /// rounding leaves no outline. Without that margin only some of the faces in the vertex's own
    /// plane would be removed, and the hole could have several outlines.
    fn grow(&mut self, vertex: Vertex) -> bool {
        let (at, mut kept) = (self.len as u8, 0);
        let (mut edges, mut count) = ([[0u8; 2]; 3 * MAX_FACES], 0);
        for i in 0..self.count {
            let face = self.faces[i];
            let from = self.corners(face.vertices)[0];
            if dot(face.normal, sub(vertex.point, from)) <= FLAT_THICKNESS * self.size {
                (self.faces[kept], kept) = (face, kept + 1);
                continue;
            }
            let [a, b, c] = face.vertices;
            for edge in [[a, b], [b, c], [c, a]] {
                // An edge of two removed faces is no part of the outline.
                let other = edges[..count].iter().position(|&[p, q]| [q, p] == edge);
                match other {
                    Some(index) => (edges[index], count) = (edges[count - 1], count - 1),
                    None => (edges[count], count) = (edge, count + 1),
                }
            }
        }
        (self.vertices[self.len], self.len, self.count) = (vertex, self.len + 1, kept);
        count >= 3 && edges[..count].iter().all(|&[a, b]| self.add_face([a, b, at]))
    }

    /// Returns the point of the first body at the foot of the origin on a face, clamped to the
    /// face.
    fn under_origin(&self, face: &PolytopeFace) -> Vec3 {
        let [a, b, c] = self.corners(face.vertices);
        let foot = scale(face.normal, face.height);
        let area = |p: Vec3, q: Vec3| dot(face.normal, cross(sub(p, foot), sub(q, foot))).max(0.0);
        let weights = [area(b, c), area(c, a), area(a, b)];
        let sum = weights[0] + weights[1] + weights[2];
        let points = face.vertices.map(|at| self.vertices[usize::from(at)].on_a);
        let each = points.iter().zip(weights);
        match sum > 0.0 {
            true => each.fold([0.0; 3], |mean, (p, w)| add(mean, scale(*p, w / sum))),
            false => points[0],
        }
    }

    /// Returns `true` if the first four points are coplanar, so that there is no inside.
    fn is_flat(&self) -> bool {
        let [a, b, c, d] = [0, 1, 2, 3].map(|at| self.vertices[at].point);
        let normal = cross(sub(b, a), sub(c, a));
        dot(normal, sub(d, a)).abs() <= FLAT_THICKNESS * self.size * length(normal)
    }

    /// Returns the lesser overlap across a flat difference.
    fn flat_overlap(&mut self, pair: &ConvexPair<'_>) -> DeepestContact {
        let [a, b, c] = self.corners([0, 1, 2]);
        let normal = cross(sub(b, a), sub(c, a));
        let size = length(normal);
        let normal = match size > 0.0 {
            true => scale(normal, 1.0 / size),
            false => perpendiculars(sub(b, a))[0],
        };
        let back = scale(normal, -1.0);
        let [up, down] = [normal, back].map(|way| self.support_vertex(pair, way));
        let depths = [dot(normal, up.point), dot(back, down.point)];
        let (on_a, normal, depth) = match depths[1] < depths[0] {
            true => (down.on_a, back, depths[1]),
            false => (up.on_a, normal, depths[0]),
        };
        (on_a, normal, depth.max(0.0))
    }
}

/// Returns two unit vectors perpendicular to `v` and to each other.
fn perpendiculars(v: Vec3) -> [Vec3; 2] {
    let [x, y, _] = super::convex_kind::axes_along(v);
    [x, y]
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;
    use crate::num::SplitMix64;
    use crate::num::linear::rotate;
    use crate::pair::convex::{RoundedPoints, Support};

    /// Returns a triangle, a tetrahedron or a hull of eight points within the unit ball.
    fn random_points(chance: &mut SplitMix64, kind: usize) -> Vec<Vec3> {
        (0..[3, 4, 8][kind % 3]).map(|_| chance.point(1.0)).collect()
    }

    /// Bodies that touch still do after every motion by less than the bound on their depth, turns
    /// among them, and a motion by more than the least overlap parts them.
    pub fn bodies_touch_after_motions_within_their_depth() {
        let (mut chance, mut deep) = (SplitMix64(77), 0);
        for round in 0..3_000 {
            let points = [round, round / 3].map(|kind| random_points(&mut chance, kind));
            let radii =
                [0, 1].map(|_| if round % 5 == 0 { chance.decade(-3.0, -1.0) } else { 0.0 });
            let bodies = [0, 1].map(|i| RoundedPoints { points: &points[i], radius: radii[i] });
            let offset = chance.point(0.8);
            let bodies = [&bodies[0] as &dyn Support, &bodies[1]];
            let pair = ConvexPair { offset, ..ConvexPair::in_one_frame(bodies) };
            let depth = pair.depth_at_least();
            if !pair.touches(0.0) {
                let distance = pair.search_nearest().closest.squared.sqrt() - radii[0] - radii[1];
                assert!((depth + distance).abs() < 1e-9, "{depth} {distance}");
                continue;
            }
            let (normal, least) = pair.least_overlap();
            assert!(depth <= least + 1e-12 && depth >= least - 1e-6, "{depth} {least}");
            let out = add(offset, scale(normal, least + 1e-6));
            assert!(!ConvexPair { offset: out, ..pair }.touches(0.0), "{least}");
            deep += usize::from(depth > 1e-3);
            for _ in 0..20 {
                // A turn about the origin of the second moves its points by less than the angle
                // times their distance, which is at most 1 and the radius.
                let share = chance.decade(-2.0, 0.0).min(0.999);
                let shift = scale(chance.unit(), (1.0 - share) * depth * 0.999);
                let rotation = small_turn(&mut chance, share * depth / (1.0 + radii[1]));
                let moved = ConvexPair { offset: add(offset, shift), rotation, ..pair };
                assert!(depth <= 0.0 || moved.touches(0.0), "{depth} {share}");
            }
        }
        assert!(deep > 800, "{deep}");
    }

    /// Returns a rotation by an angle of at most `angle`, about a random axis.
    fn small_turn(chance: &mut SplitMix64, angle: f64) -> crate::num::linear::Mat3 {
        let axis = chance.unit();
        let (sine, cosine) = (0.99 * angle).min(1.0).sin_cos();
        IDENTITY.map(|v| {
            // Rodrigues' formula.
            let along = scale(axis, dot(axis, v) * (1.0 - cosine));
            add(add(scale(v, cosine), scale(cross(axis, v), sine)), along)
        })
    }

    /// Boxes overlap by the least of three differences; the bound is that.
    pub fn the_depth_of_boxes_is_that_of_their_faces() {
        let corners = |half: Vec3| -> Vec<Vec3> {
            let sign = |bit: usize| if bit == 0 { -1.0 } else { 1.0 };
            (0..8).map(|i| [0, 1, 2].map(|axis| sign(i >> axis & 1) * half[axis])).collect()
        };
        let mut chance = SplitMix64(78);
        for _ in 0..500 {
            let half = [0, 1].map(|_| [0, 1, 2].map(|_: usize| chance.decade(-2.0, 0.5)));
            let share = chance.point(0.99);
            let offset = [0, 1, 2].map(|i| share[i] * (half[0][i] + half[1][i]));
            let turn = chance.rotation();
            let turned = |half: Vec3| corners(half).into_iter().map(|p| rotate(&turn, p)).collect();
            let points: [Vec<Vec3>; 2] = half.map(turned);
            let bodies = [0, 1].map(|i| RoundedPoints { points: &points[i], radius: 0.0 });
            let bodies = [&bodies[0] as &dyn Support, &bodies[1]];
            let pair =
                ConvexPair { offset: rotate(&turn, offset), ..ConvexPair::in_one_frame(bodies) };
            let overlap = |i: usize| half[0][i] + half[1][i] - offset[i].abs();
            let known = overlap(0).min(overlap(1)).min(overlap(2));
            let found = pair.depth_at_least();
            assert!(found <= known + 1e-13 && found > known - 1e-9, "{found} {known}");
        }
    }
}
