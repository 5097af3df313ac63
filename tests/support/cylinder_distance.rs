//! Distance of an upright cylinder from a convex brush in double precision, by its definition.
//!
//! The brush is clipped to the cylinder's heights and projected along z; the result is the distance
//! of the axis from the convex hull of the projected corners. No planes and arcs of the offset body
//! are used. Corners come from triples of planes by Cramer's rule. Errors are about `1e-12` of the
//! coordinates where no three planes are nearly dependent; `exact_cylinder` decides closer cases.

use crate::plain_box::{V, inner, minus, norm, outer, plus, times};

/// Point of the plane.
pub type V2 = [f64; 2];

/// Half-space `normal . x <= offset`; the normal need not be unit.
pub type HalfSpace = (V, f64);

/// Fraction of the coordinates by which a corner may be in front of a plane that contains it.
const ON: f64 = 1e-9;

/// Fraction of the coordinates within which two corners are one.
const SAME: f64 = 1e-13;

/// Sine of two faces, or of a face and an edge, below which they have no corner.
const DEPENDENT: f64 = 1e-10;

/// Upright cylinder: all points at most `radius` from the axis (along z through the centre) and at
/// most `half_height` above or below the centre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cylinder {
    pub radius: f64,
    pub half_height: f64,
}

/// Corners of a bounded brush, and pairs of them: all its edges, and possibly other segments in it.
#[derive(Clone, Debug)]
pub struct Corners {
    pub points: Vec<V>,
    pub edges: Vec<(usize, usize)>,
    pub low: f64,
    pub high: f64,
    /// Largest coordinate.
    pub size: f64,
}

impl Corners {
    /// Computes the corners from triples of planes; `None` if none remains. The brush must be
    /// bounded.
    pub fn of_planes(planes: &[HalfSpace]) -> Option<Corners> {
        let unit: Vec<HalfSpace> =
            planes.iter().map(|&(n, o)| (times(n, 1.0 / norm(n)), o / norm(n))).collect();
        let mut found = Vec::new();
        for i in 0..unit.len() {
            for j in i + 1..unit.len() {
                found.extend((j + 1..unit.len()).filter_map(|k| corner(&unit, [i, j, k])));
            }
        }
        let size = found.iter().flatten().fold(0.0, |m: f64, x| m.max(x.abs()));
        let height = |p: V, &(n, o): &HalfSpace| inner(n, p) - o;
        let inside = |p: &V| unit.iter().all(|plane| height(*p, plane) <= ON * (1.0 + norm(*p)));
        found.retain(inside);
        let on = |p: V| -> Vec<bool> {
            unit.iter().map(|plane| height(p, plane).abs() <= 1e3 * ON * (1.0 + size)).collect()
        };
        let mut once: Vec<V> = Vec::new();
        for p in found {
            if once.iter().all(|&q| norm(minus(p, q)) > SAME * norm(p)) {
                once.push(p);
            }
        }
        let found = once;
        let tight: Vec<Vec<bool>> = found.iter().map(|&p| on(p)).collect();
        Corners::new(found, |i, j| {
            tight[i].iter().zip(&tight[j]).filter(|(a, b)| **a && **b).count() >= 2
        })
    }

    /// Builds the brush from its corners, and a predicate for two that share an edge.
    pub fn new(points: Vec<V>, joined: impl Fn(usize, usize) -> bool) -> Option<Corners> {
        let pairs = (0..points.len()).flat_map(|i| (i + 1..points.len()).map(move |j| (i, j)));
        let edges = pairs.filter(|&(i, j)| joined(i, j)).collect();
        let heights = || points.iter().map(|p| p[2]);
        let low = heights().reduce(f64::min)?;
        let high = heights().reduce(f64::max)?;
        let size = points.iter().flatten().fold(0.0, |m: f64, x| m.max(x.abs()));
        Some(Corners { points, edges, low, high, size })
    }

    /// Returns the projected corners of the slice between two heights; empty without a slice.
    pub fn cut(&self, bottom: f64, top: f64) -> Vec<V2> {
        let plan = |p: V| [p[0], p[1]];
        let between = |p: &&V| p[2] >= bottom && p[2] <= top;
        let mut cut: Vec<V2> = self.points.iter().filter(between).map(|&p| plan(p)).collect();
        for &(i, j) in &self.edges {
            let (p, q) = (self.points[i], self.points[j]);
            for height in [bottom, top] {
                if (p[2] < height) != (q[2] < height) && p[2] != height && q[2] != height {
                    let share = ((height - p[2]) / (q[2] - p[2])).clamp(0.0, 1.0);
                    cut.push(plan(plus(p, times(minus(q, p), share))));
                }
            }
        }
        cut
    }

    /// Computes the horizontal distance of the axis from the slice at the cylinder's heights, less
    /// the radius; infinite if they share no height.
    pub fn in_plan(&self, cylinder: &Cylinder, centre: V) -> f64 {
        let (bottom, top) = (centre[2] - cylinder.half_height, centre[2] + cylinder.half_height);
        if bottom > self.high || top < self.low {
            return f64::INFINITY;
        }
        hull_distance(self.cut(bottom, top), [centre[0], centre[1]]) - cylinder.radius
    }

    /// Computes the least gap along a straight way: a gap is a convex function of the position, so
    /// a search by thirds finds it. Where chords prove that it is above `enough` everywhere,
    /// returns their bound.
    pub fn least_gap(&self, cylinder: &Cylinder, start: V, way: V, enough: f64) -> f64 {
        let gap = |time: f64| self.gap(cylinder, plus(start, times(way, time)));
        let mut ends = [0.0, 1.0];
        let mut outer = ends.map(gap);
        let least = outer[0].min(outer[1]);
        for _ in 0..60 {
            let third = (ends[1] - ends[0]) / 3.0;
            let times = [ends[0] + third, ends[1] - third];
            let inner = times.map(gap);
            // Far more than the effect of rounding on the chords.
            let below = below_convex([outer[0], inner[0], inner[1], outer[1]]);
            if below > enough + 1e-3 * (outer[0].abs() + outer[1].abs()) {
                return least.min(below);
            }
            let nearer = usize::from(inner[0] < inner[1]);
            (ends[nearer], outer[nearer]) = (times[nearer], inner[nearer]);
        }
        least.min(gap(0.5 * (ends[0] + ends[1])))
    }

    /// Computes the growth of both radius and half height at which the cylinder touches the brush;
    /// negative if they overlap, and then at least minus the lesser of the two.
    ///
    /// `g` is found by bisection: the horizontal distance less `R + g` falls with `g`, at least as
    /// fast as `g` grows.
    pub fn gap(&self, cylinder: &Cylinder, centre: V) -> f64 {
        let Cylinder { radius, half_height } = *cylinder;
        let upright = (self.low - centre[2]).max(centre[2] - self.high) - half_height;
        let mut low = upright.max(-radius.min(half_height));
        let at = |growth: f64| {
            let (bottom, top) = (centre[2] - half_height, centre[2] + half_height);
            // Growth found from heights may fall short of them by rounding.
            let cut = self.cut((bottom - growth).min(self.high), (top + growth).max(self.low));
            hull_distance(cut, [centre[0], centre[1]]) - radius - growth
        };
        let first = at(low);
        if first <= 0.0 {
            return low;
        }
        let mut high = low + first;
        for _ in 0..64 {
            let middle = 0.5 * (low + high);
            if middle <= low || middle >= high {
                break;
            }
            *(if at(middle) > 0.0 { &mut low } else { &mut high }) = middle;
        }
        high
    }
}

/// Computes [`Corners::gap`] of a brush given by its planes.
///
/// # Panics
/// If the planes leave no corner.
pub fn gap(planes: &[HalfSpace], radius: f64, half_height: f64, centre: V) -> f64 {
    let corners = Corners::of_planes(planes).expect("a bounded brush");
    corners.gap(&Cylinder { radius, half_height }, centre)
}

/// Computes the intersection point of three planes, if there is one.
fn corner(unit: &[HalfSpace], [i, j, k]: [usize; 3]) -> Option<V> {
    let ((a, p), (b, q), (c, r)) = (unit[i], unit[j], unit[k]);
    let (bc, ca, ab) = (outer(b, c), outer(c, a), outer(a, b));
    let volume = inner(a, bc);
    let least = norm(bc).min(norm(ca)).min(norm(ab));
    let sum = plus(plus(times(bc, p), times(ca, q)), times(ab, r));
    (least > DEPENDENT && volume.abs() > DEPENDENT * least).then(|| times(sum, 1.0 / volume))
}

/// Returns a lower bound of a convex function, given its values at both ends and at the thirds:
/// each chord, extended, is below the function in the neighbouring thirds.
pub fn below_convex([a, b, c, d]: [f64; 4]) -> f64 {
    let beside = |near: f64, far: f64| near.min(2.0 * near - far);
    let middle = beside(b, a).max(beside(c, d));
    beside(b, c).min(middle).min(beside(c, b))
}

/// Computes the distance of a point from the convex hull of points of the plane, 0 inside; infinite
/// for no points.
///
/// Outside, the nearest point of the hull is on a segment between two of the points: all are tried.
/// The point is outside iff none of them lies beyond that nearest point in its direction. No hull
/// is built, so nearly equal or collinear points do no harm.
pub fn hull_distance(mut points: Vec<V2>, point: V2) -> f64 {
    // Equal points are merged, in any order.
    points.sort_unstable_by(|a, b| a.partial_cmp(b).expect("numbers"));
    points.dedup();
    let square = |v: V2| v[0] * v[0] + v[1] * v[1];
    let mut out = [f64::INFINITY; 2];
    for (i, &a) in points.iter().enumerate() {
        for &b in &points[i..] {
            let way = way_from(a, b, point);
            if square(way) < square(out) {
                out = way;
            }
        }
    }
    // Relative to the point: outside, the hull ends at minus its distance; inside, it extends
    // further.
    let along = |p: &V2| (p[0] - point[0]) * out[0] + (p[1] - point[1]) * out[1];
    let beyond = points.iter().any(|p| along(p) > -0.5 * square(out));
    if beyond { 0.0 } else { out[0].hypot(out[1]) }
}

/// Returns the vector to a point from the nearest point of a segment.
fn way_from(a: V2, b: V2, point: V2) -> V2 {
    let (edge, way) = ([b[0] - a[0], b[1] - a[1]], [point[0] - a[0], point[1] - a[1]]);
    let square = edge[0] * edge[0] + edge[1] * edge[1];
    let along = edge[0] * way[0] + edge[1] * way[1];
    let share = if square > 0.0 { (along / square).clamp(0.0, 1.0) } else { 0.0 };
    [way[0] - share * edge[0], way[1] - share * edge[1]]
}
