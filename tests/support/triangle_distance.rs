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
    if pierced(a, b) || pierced(b, a) {
        return 0.0;
    }
    let feet = (0..3).map(|i| foot(a[i], b).min(foot(b[i], a)));
    edges_apart(&edges(a), &edges(b), feet.fold(f64::MAX, f64::min))
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

/// Computes the distance of two sets of triangles. Pairs whose balls are farther apart than the
/// nearest pair so far are skipped.
pub fn sets(a: &[Triangle], b: &[Triangle]) -> f64 {
    let balls = |set: &[Triangle]| set.iter().map(|&t| ball_around(t)).collect::<Vec<_>>();
    let (around_a, around_b) = (balls(a), balls(b));
    let apart = |i: usize, j: usize| {
        let ((center, radius), (other, beyond)) = (around_a[i], around_b[j]);
        norm(minus(other, center)) - radius - beyond
    };
    let pairs = || (0..a.len()).flat_map(|i| (0..b.len()).map(move |j| (i, j)));
    let gaps = pairs().map(|(i, j)| (apart(i, j), i, j));
    // The pair with the nearest balls comes first.
    let Some((_, i, j)) = gaps.min_by(|one, other| one.0.total_cmp(&other.0)) else {
        return f64::MAX;
    };
    let mut least = triangle_triangle(a[i], b[j]);
    for (i, j) in pairs() {
        if least == 0.0 {
            break;
        }
        if apart(i, j) < least {
            least = least.min(triangle_triangle(a[i], b[j]));
        }
    }
    least
}
