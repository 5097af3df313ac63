//! Point of a simplex nearest to the origin, in doubled precision, for simplices whose edges are so
//! nearly parallel that rounding hides their normal.
//!
//! Source: Ericson, Real-Time Collision Detection (2005), 9.5: the nearest foot on any face that
//! lies within its face. Coordinates are scaled by a power of two, so that no product overflows or
//! underflows.

use super::double_double::{
    DoubleDouble, DoubledVec, doubled, exact_difference, inner, minus, outer, plus, rounded, times,
};
use super::simplex::{Foot, Vertex};
use crate::num::linear::{Vec3, add, dot, scale};
use crate::num::scaling::power_of_two;

/// Difference of a foot by weights and by a normal below which both count as equal, as a share of
/// the vertices.
const FOOT_ERROR: f64 = 1.0 / (1u64 << 52) as f64;

/// Distance from the origin at which a mean of the vertices counts as the origin, as a share of the
/// vertices.
const ORIGIN_ERROR: f64 = 1.0 / (1u64 << 50) as f64;

/// Nearest foot so far: the weights of the vertices, and its point.
struct NearestFace<'a> {
    points: &'a [Vec3],
    squared: f64,
    weights: [f64; 4],
    foot: Vec3,
    face: u8,
}

/// Returns the point nearest to the origin in the hull of one to four vertices, over faces with the
/// last vertex.
pub(super) fn nearest(vertices: &[Vertex]) -> Foot {
    let most = vertices.iter().flat_map(|v| v.point).fold(0.0, |most: f64, x| most.max(x.abs()));
    let power = power_of_two(most);
    let unit = if power.is_normal() { power } else { 1.0 };
    let mut points = [[0.0; 3]; 4];
    for (point, vertex) in points.iter_mut().zip(vertices) {
        *point = scale(vertex.point, 1.0 / unit);
    }
    let newest = vertices.len() - 1;
    let mut nearest = NearestFace {
        points: &points[..vertices.len()],
        squared: f64::INFINITY,
        weights: [0.0; 4],
        foot: [0.0; 3],
        face: 0,
    };
    nearest.corner(newest);
    for i in 0..newest {
        nearest.edge([newest, i]);
        for j in 0..i {
            nearest.triangle([newest, i, j]);
        }
    }
    if vertices.len() == 4 {
        nearest.tetrahedron();
    }
    let on_a = vertices.iter().zip(nearest.weights).fold([0.0; 3], |sum, (vertex, weight)| {
        if weight > 0.0 { add(sum, scale(vertex.on_a, weight)) } else { sum }
    });
    let point = scale(nearest.foot, unit);
    Foot { point, on_a, squared: dot(point, point), face: nearest.face }
}

impl NearestFace<'_> {
    fn corner(&mut self, at: usize) {
        let point = doubled(self.points[at]);
        self.offer([at], [1.0.into()], &point, &point);
    }

    fn edge(&mut self, of: [usize; 2]) {
        let [p, q] = of.map(|at| self.points[at]);
        let (from, edge) = (doubled(p), exact_difference(q, p));
        let square = inner(&edge, &edge);
        if !square.is_positive() {
            return;
        }
        let share = DoubleDouble::default() - inner(&from, &edge) / square;
        let foot = plus(&from, &times(&edge, share));
        // Removes the rounded component along the edge.
        let along = inner(&foot, &edge) / square;
        let way = plus(&foot, &times(&edge, DoubleDouble::default() - along));
        self.offer(of, [one_less(&[share]), share], &foot, &way);
    }

    fn triangle(&mut self, of: [usize; 3]) {
        let [p, q, r] = of.map(|at| self.points[at]);
        let (from, x, y) = (doubled(p), exact_difference(q, p), exact_difference(r, p));
        let normal = outer(&x, &y);
        let square = inner(&normal, &normal);
        if !square.is_positive() {
            return;
        }
        let s = inner(&normal, &outer(&y, &from)) / square;
        let t = inner(&normal, &outer(&from, &x)) / square;
        let foot = plus(&from, &plus(&times(&x, s), &times(&y, t)));
        let way = times(&normal, inner(&normal, &from) / square);
        self.offer(of, [one_less(&[s, t]), s, t], &foot, &way);
    }

    /// Offers the origin if it is a mean of the four vertices.
    fn tetrahedron(&mut self) {
        let [p, q, r, s] = [0, 1, 2, 3].map(|at| doubled(self.points[at]));
        let volume = |a: &DoubledVec, b: &DoubledVec, c: &DoubledVec| inner(a, &outer(b, c));
        let volumes =
            [volume(&q, &s, &r), volume(&p, &r, &s), volume(&p, &s, &q), volume(&p, &q, &r)];
        let sum = volumes[0] + volumes[1] + volumes[2] + volumes[3];
        let weights = volumes.map(|volume| volume / sum);
        let foot = [p, q, r, s]
            .iter()
            .zip(weights)
            .fold(doubled([0.0; 3]), |sum, (point, weight)| plus(&sum, &times(point, weight)));
        let off = inner(&foot, &foot).rounded().sqrt();
        if off <= ORIGIN_ERROR {
            let origin = doubled([0.0; 3]);
            self.offer([0, 1, 2, 3], weights, &origin, &origin);
        }
    }

    /// Keeps a foot that lies within its face and is nearer than the nearest so far.
    fn offer<const N: usize>(
        &mut self,
        of: [usize; N],
        weights: [DoubleDouble; N],
        foot: &DoubledVec,
        direction: &DoubledVec,
    ) {
        let squared = inner(foot, foot).rounded();
        let is_within = weights.iter().all(|weight| weight.is_positive());
        let is_nearer = squared < self.squared;
        if !(is_within && is_nearer) {
            return;
        }
        let off = minus(foot, direction);
        let is_same = inner(&off, &off).rounded().sqrt() <= FOOT_ERROR;
        (self.squared, self.face, self.weights) = (squared, 0, [0.0; 4]);
        self.foot = rounded(if is_same { direction } else { foot });
        for (at, weight) in of.into_iter().zip(weights) {
            self.face |= 1 << at;
            self.weights[at] = weight.rounded();
        }
    }
}

/// Returns one minus the sum of the weights.
fn one_less(weights: &[DoubleDouble]) -> DoubleDouble {
    weights.iter().fold(1.0.into(), |rest: DoubleDouble, &weight| rest - weight)
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;
    use crate::num::SplitMix64;
    use crate::num::proof::cases;
    use crate::pair::convex::simplex::Simplex;

    /// Returns the nearest point of the whole hull: the least over all choices of the newest
    /// vertex.
    fn nearest_of_hull(vertices: &[Vertex], nearest: impl Fn(&[Vertex]) -> Foot) -> Foot {
        let turned = (0..vertices.len()).map(|by| {
            let mut turned = vertices.to_vec();
            turned.rotate_left(by);
            nearest(&turned)
        });
        let least = turned.min_by(|a, b| a.squared.total_cmp(&b.squared));
        least.expect("a vertex")
    }

    /// Returns the length of a foot minus the least projection of a vertex on it: zero if it is the
    /// nearest point of the hull.
    fn shortfall(vertices: &[Vertex], foot: &Foot) -> f64 {
        let far = foot.squared.sqrt();
        let along = vertices.iter().map(|vertex| dot(vertex.point, foot.point) / far);
        far - along.fold(f64::INFINITY, f64::min)
    }

    pub fn the_nearest_point_proves_itself_where_plain_precision_does_not() {
        let (mut chance, mut lost) = (SplitMix64(9), 0);
        for round in 0..cases(20_000) {
            // Needles and flakes, nearly perpendicular to a direction to the origin.
            let (way, side) = (chance.unit(), chance.unit());
            let (far, width) = (chance.decade(-13.0, -3.0), chance.decade(-9.0, 0.0));
            let mut vertex = |_| {
                let lean = scale(chance.point(1.0), width);
                let along = add(scale(side, chance.between(-1.0, 1.0)), lean);
                let across = add(along, scale(way, -dot(along, way)));
                let point = add(across, scale(way, far * chance.between(0.5, 1.5)));
                Vertex { point, on_a: point }
            };
            let vertices: Vec<Vertex> = (0..2 + round % 2).map(&mut vertex).collect();
            let fine = nearest_of_hull(&vertices, nearest);
            assert!(shortfall(&vertices, &fine) <= 1e-15, "{vertices:?} {fine:?}");
            let plain = nearest_of_hull(&vertices, |turned| {
                let mut simplex = Simplex::default();
                turned.iter().for_each(|&vertex| simplex.push(vertex));
                simplex.nearest()
            });
            lost += usize::from(shortfall(&vertices, &plain) > 1e-13);
        }
        assert!(lost > 0, "plain precision is enough");
    }
}
