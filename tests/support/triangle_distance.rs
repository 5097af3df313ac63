//! Brute force on triangles, in double precision: distances from points and from each other.

use crate::box_distance::{edges_apart, point_segment, segment_segment};
use crate::plain_box::{V, inner, minus, norm, outer, plus, times};

pub type Triangle = [V; 3];

fn edges([a, b, c]: Triangle) -> [[V; 2]; 3] {
    [[a, b], [b, c], [c, a]]
}

/// Computes the distance of a point from a triangle, degenerate or not.
pub fn point_triangle(p: V, triangle: Triangle) -> f64 {
    let to_edges = edges(triangle).map(|edge| point_segment(p, edge));
    let least = to_edges.into_iter().fold(f64::MAX, f64::min);
    least.min(foot(p, triangle))
}

/// Computes the solid angle of a triangle from a point: of a closed surface 4 pi inside, 0 outside.
/// Source: Van Oosterom, Strackee, The Solid Angle of a Plane Triangle (1983).
pub fn solid_angle(from: V, triangle: Triangle) -> f64 {
    let [a, b, c] = triangle.map(|corner| minus(corner, from));
    let [x, y, z] = [a, b, c].map(norm);
    let below = x * y * z + inner(a, b) * z + inner(b, c) * x + inner(c, a) * y;
    2.0 * inner(a, outer(b, c)).atan2(below)
}

/// Computes the distance from the plane if the foot is inside; edges cover the rest.
fn foot(p: V, [a, b, c]: Triangle) -> f64 {
    let normal = outer(minus(b, a), minus(c, a));
    let squared = inner(normal, normal);
    if squared == 0.0 {
        return f64::MAX;
    }
    let inside = [[a, b], [b, c], [c, a]]
        .iter()
        .all(|[from, to]| inner(outer(minus(*to, *from), minus(p, *from)), normal) >= 0.0);
    if inside { inner(minus(p, a), normal).abs() / squared.sqrt() } else { f64::MAX }
}

/// Computes the distance of two triangles; zero if an edge of one crosses the other.
pub fn triangle_triangle(a: Triangle, b: Triangle) -> f64 {
    below(a, b, f64::MAX)
}

/// Computes the distance of two triangles, or `most` if that is less.
pub fn below(a: Triangle, b: Triangle, most: f64) -> f64 {
    if pierced(a, b) || pierced(b, a) {
        return 0.0;
    }
    let feet = (0..3).map(|i| foot(a[i], b).min(foot(b[i], a)));
    edges_apart(&edges(a), &edges(b), feet.fold(most, f64::min))
}

/// Computes the distance of a segment, which may be a point, and a triangle; zero if it crosses it.
pub fn segment_triangle(segment: [V; 2], triangle: Triangle) -> f64 {
    if crosses(segment, triangle) {
        return 0.0;
    }
    let to_edges = edges(triangle).map(|edge| segment_segment(segment, edge));
    let feet = segment.map(|end| foot(end, triangle));
    to_edges.into_iter().chain(feet).fold(f64::MAX, f64::min)
}

/// Returns `true` if an edge of `a` crosses the inside of `b`.
fn pierced(a: Triangle, b: Triangle) -> bool {
    edges(a).iter().any(|&edge| crosses(edge, b))
}

/// Returns `true` if a segment crosses the inside of a triangle.
fn crosses([from, to]: [V; 2], b: Triangle) -> bool {
    let normal = outer(minus(b[1], b[0]), minus(b[2], b[0]));
    let (d, e) = (inner(minus(from, b[0]), normal), inner(minus(to, b[0]), normal));
    if d * e >= 0.0 {
        return false;
    }
    let crossing = plus(from, times(minus(to, from), d / (d - e)));
    edges(b).iter().all(|&[s, t]| inner(outer(minus(t, s), minus(crossing, s)), normal) >= 0.0)
}

/// Returns the centre and radius of a ball around a triangle.
pub fn ball_around(triangle: Triangle) -> (V, f64) {
    let [a, b, c] = triangle;
    let center = [0, 1, 2].map(|k| (a[k] + b[k] + c[k]) / 3.0);
    (center, triangle.map(|corner| norm(minus(corner, center))).into_iter().fold(0.0, f64::max))
}

/// Computes the distance of two sets of triangles.
pub fn sets(a: &[Triangle], b: &[Triangle]) -> f64 {
    sets_below(a, b, f64::MAX)
}

/// Computes the distance of two sets of triangles, or `most` if that is less. Pairs whose bounds
/// are farther apart than the nearest pair so far are skipped; the nearest bounds come first.
pub fn sets_below(a: &[Triangle], b: &[Triangle], most: f64) -> f64 {
    let bounds =
        |set: &[Triangle]| set.iter().map(|corners| Bounds::new(corners)).collect::<Vec<_>>();
    let (around_a, around_b) = (bounds(a), bounds(b));
    let mut nearest = (most * most, None);
    for (i, one) in around_a.iter().enumerate() {
        for (j, other) in around_b.iter().enumerate() {
            let apart = one.squared_distance(other);
            if apart <= nearest.0 {
                nearest = (apart, Some((i, j)));
            }
        }
    }
    let (_, Some((i, j))) = nearest else { return most };
    let mut least = below(a[i], b[j], most);
    if least == 0.0 {
        return 0.0;
    }
    for (p, one) in a.iter().zip(&around_a) {
        for (q, other) in b.iter().zip(&around_b) {
            if one.squared_distance(other) <= least * least {
                least = below(*p, *q, least);
            }
        }
    }
    least
}

/// Aligned bounds of points.
pub struct Bounds {
    low: V,
    high: V,
}

impl Bounds {
    pub fn new(points: &[V]) -> Self {
        let mut bounds = Bounds { low: points[0], high: points[0] };
        for point in &points[1..] {
            for (k, &x) in point.iter().enumerate() {
                bounds.low[k] = bounds.low[k].min(x);
                bounds.high[k] = bounds.high[k].max(x);
            }
        }
        bounds
    }

    /// Returns the square of the distance of two bounds.
    pub fn squared_distance(&self, other: &Bounds) -> f64 {
        let mut sum = 0.0;
        for k in 0..3 {
            let apart = (other.low[k] - self.high[k]).max(self.low[k] - other.high[k]).max(0.0);
            sum += apart * apart;
        }
        sum
    }
}
