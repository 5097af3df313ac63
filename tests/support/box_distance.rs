//! Distance of two boxes that share no point, by brute force over their features.

use crate::plain_box::{PlainBox, V, inner, minus, norm, outer, plus, times};

/// Computes the least distance over corners to faces and edges to edges, in both orders. Below the
/// true distance by rounding at most. Meaningless if one box contains the other.
pub fn distance(a: &PlainBox, b: &PlainBox) -> f64 {
    let origin = a.center;
    let least = corners_faces(a, b, origin).min(corners_faces(b, a, origin));
    edges_apart(&a.edges(origin), &b.edges(origin), least)
}

/// Computes the least distance of an edge of `a` from one of `b`, or `least` if that is less. Edges
/// whose bounding balls are farther apart than the nearest so far are skipped; the nearest balls
/// come first.
pub fn edges_apart<const M: usize, const N: usize>(
    a: &[[V; 2]; M],
    b: &[[V; 2]; N],
    mut least: f64,
) -> f64 {
    let ball = |edge: &[V; 2]| {
        let half = times(minus(edge[1], edge[0]), 0.5);
        (plus(edge[0], half), norm(half))
    };
    let (of_a, of_b) = (a.each_ref().map(ball), b.each_ref().map(ball));
    let mut apart = [[0.0; N]; M];
    let mut nearest = (f64::INFINITY, 0, 0);
    for (i, (middle, half)) in of_a.iter().enumerate() {
        for (j, (other, beyond)) in of_b.iter().enumerate() {
            apart[i][j] = norm(minus(*other, *middle)) - half - beyond;
            if apart[i][j] < nearest.0 {
                nearest = (apart[i][j], i, j);
            }
        }
    }
    if nearest.0 >= least {
        return least;
    }
    least = least.min(segment_segment(a[nearest.1], b[nearest.2]));
    for (p, apart) in a.iter().zip(&apart) {
        for (q, &apart) in b.iter().zip(apart) {
            if apart < least {
                least = least.min(segment_segment(*p, *q));
            }
        }
    }
    least
}

/// Computes the distance of a point from the nearest of some boxes.
pub fn nearest_to(point: V, boxes: &[PlainBox]) -> f64 {
    boxes.iter().map(|b| b.distance(point)).fold(f64::INFINITY, f64::min)
}

/// Computes the least distance of a corner of one box from the inside of a face of the other.
fn corners_faces(corners: &PlainBox, faces: &PlainBox, origin: V) -> f64 {
    let mut least = f64::MAX;
    for corner in corners.corners(origin) {
        let from = minus(corner, minus(faces.center, origin));
        for i in 0..3 {
            for side in [-1.0, 1.0] {
                let center = times(faces.axes[i], side * faces.half[i]);
                least = least.min(point_face(minus(from, center), faces, i));
            }
        }
    }
    least
}

/// Computes the distance to the plane of face `i`, if the foot is in the face; edges cover the
/// rest.
fn point_face(from: V, faces: &PlainBox, i: usize) -> f64 {
    let (j, k) = ((i + 1) % 3, (i + 2) % 3);
    let (u, v) = (faces.axes[j], faces.axes[k]);
    let (uu, uv, vv) = (inner(u, u), inner(u, v), inner(v, v));
    let (fu, fv) = (inner(from, u), inner(from, v));
    let determinant = uu * vv - uv * uv;
    let s = (fu * vv - fv * uv) / determinant;
    let t = (fv * uu - fu * uv) / determinant;
    if s.abs() > faces.half[j] || t.abs() > faces.half[k] {
        return f64::MAX;
    }
    norm(minus(from, plus(times(u, s), times(v, t))))
}

/// Computes the distance of two segments: both ends of both, and the lines' closest points,
/// improved alternately.
pub fn segment_segment(p: [V; 2], q: [V; 2]) -> f64 {
    let square = |a: V, b: V| {
        let way = minus(a, b);
        inner(way, way)
    };
    let ends = [(p[0], q), (p[1], q), (q[0], p), (q[1], p)];
    let mut least = f64::INFINITY;
    for (end, other) in ends {
        least = least.min(square(end, nearest(end, other)));
    }
    let (u, v, w) = (minus(p[1], p[0]), minus(q[1], q[0]), minus(q[0], p[0]));
    let normal = outer(u, v);
    let squared = inner(normal, normal);
    if squared > 0.0 {
        let mut on_p = plus(p[0], times(u, (inner(outer(w, v), normal) / squared).clamp(0.0, 1.0)));
        for _ in 0..3 {
            let on_q = nearest(on_p, q);
            on_p = nearest(on_q, p);
            least = least.min(square(on_p, on_q));
        }
    }
    least.sqrt()
}

/// Computes the distance of a point from a segment, which may be a point.
pub fn point_segment(point: V, segment: [V; 2]) -> f64 {
    norm(minus(point, nearest(point, segment)))
}

fn nearest(point: V, [a, b]: [V; 2]) -> V {
    let along = minus(b, a);
    let squared = inner(along, along);
    let share = if squared > 0.0 { inner(minus(point, a), along) / squared } else { 0.0 };
    plus(a, times(along, share.clamp(0.0, 1.0)))
}
