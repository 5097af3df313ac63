//! Verdict on two convex bodies that are clearly disjoint or clearly overlap, by plain GJK.
//!
//! A verdict needs neither closest points nor the last bits of a distance, so directions need not
//! be accurate. A no is one direction that separates the bodies; a yes is a point of the difference
//! within the distance asked for, or a tetrahedron of its points around the origin. Both are
//! certain by [`PAD`], which is far more than the search for the distance leaves undecided: so that
//! search has the same verdict. It decides all other pairs.
//!
//! Source: Gilbert, Johnson, Keerthi (1988); regions about the newest vertex by Muratori, as
//! Ericson, Real-Time Collision Detection (2005), 9.5, describes them.

use crate::num::linear::{Vec3, add, cross, dot, scale, sub};

/// Limit of the directions. Smooth bodies that nearly touch take more; the other search is as good
/// for them.
const MAX_STEPS: usize = 24;

/// Distance that verdicts are certain beyond, as a share of the sizes.
const PAD: f64 = 1.0 / (1u64 << 30) as f64;

/// Same distance, as a multiple of the error of the second body's position, which is a share of all
/// sizes: `2^-40` of them for parts.
const ERROR_FACTOR: f64 = 32.0;

/// Volume beyond which the origin is certainly on its side of a face of a tetrahedron, as a share
/// of the cubed size: six times its volume with the face.
const FACE_VOLUME: f64 = 1.0 / (1u64 << 40) as f64;

/// Lengths whose squares and cubes neither underflow nor overflow.
const MIN_LENGTH: f64 = 1e-100;
const MAX_LENGTH: f64 = 1e100;

/// Tests whether the cores of two bodies are no further apart than `enough`; `None` if that is
/// close. `start` is a point of the difference of the cores, `support` returns one farthest along a
/// direction; with each comes a size that is no less than those of its two points. `error` is that
/// of the position of the second body.
pub(super) fn clear_verdict(
    start: (Vec3, f64),
    enough: f64,
    error: f64,
    support: impl Fn(Vec3) -> (Vec3, f64),
) -> Option<bool> {
    let mut simplex = PlainSimplex::default();
    let (mut toward, mut size) = start;
    for _ in 0..MAX_STEPS {
        let squared = dot(toward, toward);
        if !(MIN_LENGTH * MIN_LENGTH..MAX_LENGTH * MAX_LENGTH).contains(&squared) {
            return None;
        }
        let axis = scale(toward, 1.0 / squared.sqrt());
        let (point, reach) = support(scale(axis, -1.0));
        size = if reach > size { reach } else { size };
        let pad = PAD * size + ERROR_FACTOR * error;
        if dot(axis, point) > enough + pad {
            return Some(false);
        }
        // No direction gets nearer.
        if simplex.has_vertex(point) {
            return None;
        }
        match simplex.add(point, FACE_VOLUME * size * size * size) {
            NearestFeature::Inside => return Some(true),
            NearestFeature::Unclear => return None,
            NearestFeature::Toward(offset) => toward = offset,
        }
        if enough > 0.0 && simplex.has_point_within(enough - pad) {
            return Some(true);
        }
    }
    None
}

/// Point of a simplex nearest to the origin, up to rounding.
enum NearestFeature {
    Toward(Vec3),
    /// The origin is certainly inside.
    Inside,
    /// The origin is on a face up to rounding.
    Unclear,
}

/// Points of the difference of two bodies; the last is the newest.
#[derive(Default)]
struct PlainSimplex {
    points: [Vec3; 4],
    len: usize,
}

impl PlainSimplex {
    fn has_vertex(&self, point: Vec3) -> bool {
        self.points[..self.len].contains(&point)
    }

    fn keep<const N: usize>(&mut self, points: [Vec3; N]) {
        self.points[..N].copy_from_slice(&points);
        self.len = N;
    }

    /// Adds a support point, keeps the points of the feature nearest to the origin, and returns its
    /// point there. Features without the new point are nearer only by rounding.
    fn add(&mut self, a: Vec3, least_volume: f64) -> NearestFeature {
        let [p, q, r, _] = self.points;
        match self.len {
            0 => {
                self.keep([a]);
                NearestFeature::Toward(a)
            }
            1 => NearestFeature::Toward(self.keep_nearest_of_edge(a, p)),
            2 => {
                let normal = cross(sub(p, a), sub(q, a));
                NearestFeature::Toward(self.keep_nearest_of_triangle(a, [p, q], normal))
            }
            _ => self.add_to_triangle(a, [p, q, r], least_volume),
        }
    }

    fn keep_nearest_of_edge(&mut self, a: Vec3, b: Vec3) -> Vec3 {
        let edge = sub(b, a);
        let along = -dot(a, edge);
        if along > 0.0 {
            self.keep([b, a]);
            return add(a, scale(edge, along / dot(edge, edge)));
        }
        self.keep([a]);
        a
    }

    fn keep_nearest_of_triangle(&mut self, a: Vec3, [b, c]: [Vec3; 2], normal: Vec3) -> Vec3 {
        let (x, y) = (sub(b, a), sub(c, a));
        // The origin is beyond an edge if it is on the outer side of the plane across it.
        let (beyond_x, beyond_y) = (dot(cross(x, normal), a) < 0.0, dot(cross(normal, y), a) < 0.0);
        let (along_x, along_y) = (-dot(a, x), -dot(a, y));
        let (is_x, is_y) = (beyond_x && along_x > 0.0, beyond_y && along_y > 0.0);
        if is_x || is_y {
            let nears = |along: f64, edge: Vec3| along * along / dot(edge, edge);
            let is_x = is_x && !(is_y && nears(along_y, y) > nears(along_x, x));
            return self.keep_nearest_of_edge(a, if is_x { b } else { c });
        }
        if beyond_x || beyond_y {
            self.keep([a]);
            return a;
        }
        self.keep([b, c, a]);
        scale(normal, dot(normal, a) / dot(normal, normal))
    }

    fn add_to_triangle(&mut self, a: Vec3, others: [Vec3; 3], least_volume: f64) -> NearestFeature {
        let [x, y, z] = others.map(|other| sub(other, a));
        let normals = [cross(y, z), cross(z, x), cross(x, y)];
        let volume = dot(normals[0], x);
        let sign = if volume > 0.0 { 1.0 } else { -1.0 };
        // Volumes of the origin with each face through the new point, positive inside.
        let inner = normals.map(|normal| -sign * dot(normal, a));
        let opposite = sign * volume - inner[0] - inner[1] - inner[2];
        if inner.into_iter().chain([opposite]).all(|inside| inside > least_volume) {
            return NearestFeature::Inside;
        }
        let mut best = (f64::INFINITY, None);
        for side in 0..3 {
            if inner[side] < 0.0 {
                let [b, c] = [others[(side + 1) % 3], others[(side + 2) % 3]];
                let mut face = PlainSimplex::default();
                let toward = face.keep_nearest_of_triangle(a, [b, c], normals[side]);
                let squared = dot(toward, toward);
                if squared < best.0 {
                    best = (squared, Some((face, toward)));
                }
            }
        }
        match best.1 {
            Some((face, toward)) => {
                *self = face;
                NearestFeature::Toward(toward)
            }
            None => NearestFeature::Unclear,
        }
    }

    /// Returns `true` if a mean of the points, of weights that are not negative, is within a
    /// distance of the origin: the foot of the origin, unless rounding puts it outside.
    fn has_point_within(&self, distance: f64) -> bool {
        let [b, c, a, _] = self.points;
        let mean = match self.len {
            1 => b,
            2 => {
                let (newest, edge) = (c, sub(b, c));
                let share = -dot(newest, edge) / dot(edge, edge);
                if !(0.0..=1.0).contains(&share) {
                    return false;
                }
                add(newest, scale(edge, share))
            }
            _ => {
                let (x, y) = (sub(b, a), sub(c, a));
                let normal = cross(x, y);
                let square = dot(normal, normal);
                let s = dot(normal, cross(y, a)) / square;
                let t = dot(normal, cross(a, x)) / square;
                // False for weights that are not numbers: a flat triangle has no normal.
                if !(s >= 0.0 && t >= 0.0 && s + t <= 1.0) {
                    return false;
                }
                add(a, add(scale(x, s), scale(y, t)))
            }
        };
        distance > MIN_LENGTH && dot(mean, mean) < distance * distance
    }
}
