//! Two triangles, exactly.
//!
//! Two triangles share a point iff an edge of one meets the other, which the signs of fifteen determinants say: which
//! side of each plane the corners of the other are on, and how each edge passes each edge. Source: Möller, A Fast
//! Triangle-Triangle Intersection Test (1997), and Guigue and Devillers (2003) for doing it by signs alone. The signs are taken
//! in double precision where its error is known to be smaller, and exactly elsewhere: Shewchuk, Adaptive Precision
//! Floating-Point Arithmetic and Fast Robust Geometric Predicates (1997).

use std::cmp::Ordering::{self, Equal};

use super::relation::Relation;
use crate::num::exact::{Exact, ExactVec, cross as exact_cross, dot as exact_dot, sub as minus};
use crate::num::linear::{Vec3, cross, dot, sub};

/// Corners as stored, in the frame of the own part.
pub(crate) type Corners = [Vec3; 3];

/// Whether the closed triangles share a point, where rounding can not change that; `None` otherwise. `b` is already
/// seen from the first part, `relation.doubt` off at most.
pub(crate) fn touch(a: &Corners, b: &Corners, relation: &Relation) -> Option<bool> {
    let limit = limit(a, b, relation.doubt);
    let normal_b = cross(sub(b[1], b[0]), sub(b[2], b[0]));
    let above_b = a.map(|p| side(dot(normal_b, sub(p, b[0])), limit));
    if same_side(&above_b) {
        return Some(false);
    }
    let normal_a = cross(sub(a[1], a[0]), sub(a[2], a[0]));
    let above_a = b.map(|p| side(dot(normal_a, sub(p, a[0])), limit));
    if same_side(&above_a) {
        return Some(false);
    }
    let passes: [[Option<Ordering>; 3]; 3] = std::array::from_fn(|i| {
        let (p, along) = (a[i], sub(a[(i + 1) % 3], a[i]));
        std::array::from_fn(|j| {
            let (r, s) = (b[j], b[(j + 1) % 3]);
            side(dot(along, cross(sub(r, p), sub(s, p))), limit)
        })
    });
    let [above_a, above_b] = [known(above_a)?, known(above_b)?];
    let [x, y, z] = passes.map(known);
    let passes = [x?, y?, z?];
    Some(
        (0..3).any(|i| pierces(&above_b, i, passes[i]) || pierces(&above_a, i, column(&passes, i))),
    )
}

/// More than any of the determinants can be off.
///
/// With `m` the largest difference of coordinates and `d` the doubt of one of them (`2 doubt + e m`, `e = 2^-53`), a
/// determinant of three differences is off by at most three with one column replaced, `3 sqrt(3) d 3 m^2` by
/// Hadamard, and its own rounding is under `36 e m^3`: together under `32 doubt m^2 + 52 e m^3`.
pub(super) fn limit(a: &Corners, b: &Corners, doubt: f64) -> f64 {
    let corners = a.iter().chain(b);
    let (low, high) = corners.fold((a[0], a[0]), |(low, high), p| {
        let low = std::array::from_fn(|i| if p[i] < low[i] { p[i] } else { low[i] });
        (low, std::array::from_fn(|i| if p[i] > high[i] { p[i] } else { high[i] }))
    });
    let sizes: Vec3 = sub(high, low);
    let m = sizes[0].max(sizes[1]).max(sizes[2]) + 4.0 * doubt;
    40.0 * m * m * (doubt + m / (1u64 << 52) as f64)
}

pub(super) fn side(determinant: f64, limit: f64) -> Option<Ordering> {
    match determinant {
        d if d > limit => Some(Ordering::Greater),
        d if d < -limit => Some(Ordering::Less),
        _ => None,
    }
}

fn same_side(signs: &[Option<Ordering>; 3]) -> bool {
    signs[0].is_some() && signs[1] == signs[0] && signs[2] == signs[0]
}

fn known(signs: [Option<Ordering>; 3]) -> Option<[Ordering; 3]> {
    Some([signs[0]?, signs[1]?, signs[2]?])
}

fn column(passes: &[[Ordering; 3]; 3], j: usize) -> [Ordering; 3] {
    [passes[0][j], passes[1][j], passes[2][j]]
}

/// Whether edge `i`, whose ends lie above or below a plane as said and not both in it, meets the triangle in that
/// plane: it passes the three edges on one side, or through them.
fn pierces(above: &[Ordering; 3], i: usize, passes: [Ordering; 3]) -> bool {
    let (from, to) = (above[i], above[(i + 1) % 3]);
    from != to && !(passes.contains(&Ordering::Less) && passes.contains(&Ordering::Greater))
}

/// Whether the closed triangles share a point, whatever their shape: flat on each other, slivers, segments, points.
pub(crate) fn touch_exactly(a: &[ExactVec; 3], b: &[ExactVec; 3]) -> bool {
    let above_b: [Ordering; 3] = std::array::from_fn(|i| orientation(b, &a[i]));
    let above_a: [Ordering; 3] = std::array::from_fn(|j| orientation(a, &b[j]));
    let apart = |s: &[Ordering; 3]| s[0] != Equal && s[0] == s[1] && s[1] == s[2];
    if apart(&above_b) || apart(&above_a) {
        return false;
    }
    let passes: [[Ordering; 3]; 3] = std::array::from_fn(|i| {
        let edge = |j: usize| [a[i].clone(), a[(i + 1) % 3].clone(), b[j].clone()];
        std::array::from_fn(|j| orientation(&edge(j), &b[(j + 1) % 3]))
    });
    (0..3).any(|i| {
        edge_meets(&above_b, i, passes[i], [&a[i], &a[(i + 1) % 3]], b)
            || edge_meets(&above_a, i, column(&passes, i), [&b[i], &b[(i + 1) % 3]], a)
    })
}

/// As [`pierces`], where the edge may also lie in the plane, or the triangle be none.
fn edge_meets(
    above: &[Ordering; 3],
    i: usize,
    passes: [Ordering; 3],
    edge: [&ExactVec; 2],
    triangle: &[ExactVec; 3],
) -> bool {
    match (above[i], above[(i + 1) % 3]) {
        // One plane holds everything iff the edge passes none of the others at a distance.
        (Equal, Equal) => {
            passes == [Equal; 3] && (0..3).all(|axis| flat::meets(edge, triangle, axis))
        }
        _ => pierces(above, i, passes),
    }
}

/// Which side of the plane of the first three the last is on; equal too if they are on one line.
pub(super) fn orientation(plane: &[ExactVec; 3], p: &ExactVec) -> Ordering {
    let normal = exact_cross(&minus(&plane[1], &plane[0]), &minus(&plane[2], &plane[0]));
    exact_dot(&normal, &minus(p, &plane[0])).sign()
}

/// A segment and a triangle in one plane, looked at along an axis. They meet iff they do along all three axes: along at
/// least one no two points of their plane coincide.
mod flat {
    use super::{Equal, Exact, ExactVec, Ordering};

    /// Two of the three coordinates.
    struct View(usize, usize);

    pub fn meets(edge: [&ExactVec; 2], triangle: &[ExactVec; 3], axis: usize) -> bool {
        let view = View((axis + 1) % 3, (axis + 2) % 3);
        let [a, b, c] = triangle;
        let turns = [view.turn(a, b, edge[0]), view.turn(b, c, edge[0]), view.turn(c, a, edge[0])];
        turns[0] != Equal && turns[0] == turns[1] && turns[1] == turns[2]
            || [[a, b], [b, c], [c, a]].into_iter().any(|side| view.cross(edge, side))
    }

    impl View {
        /// Which way the path over the three points turns.
        fn turn(&self, a: &ExactVec, b: &ExactVec, c: &ExactVec) -> Ordering {
            let View(x, y) = *self;
            let left = &(&b[x] - &a[x]) * &(&c[y] - &a[y]);
            let right: Exact = &(&b[y] - &a[y]) * &(&c[x] - &a[x]);
            (&left - &right).sign()
        }

        /// Whether two closed segments share a point.
        fn cross(&self, p: [&ExactVec; 2], q: [&ExactVec; 2]) -> bool {
            let of_q = [self.turn(p[0], p[1], q[0]), self.turn(p[0], p[1], q[1])];
            let of_p = [self.turn(q[0], q[1], p[0]), self.turn(q[0], q[1], p[1])];
            let ends = (of_q[0] == Equal && self.between(p, q[0]))
                || (of_q[1] == Equal && self.between(p, q[1]))
                || (of_p[0] == Equal && self.between(q, p[0]))
                || (of_p[1] == Equal && self.between(q, p[1]));
            let apart = |s: [Ordering; 2]| s[0] == Equal || s[1] == Equal || s[0] == s[1];
            ends || !apart(of_q) && !apart(of_p)
        }

        /// Whether a point on the line of the segment is on the segment.
        fn between(&self, segment: [&ExactVec; 2], p: &ExactVec) -> bool {
            [self.0, self.1].into_iter().all(|i| {
                let from = (&p[i] - &segment[0][i]).sign();
                let to = (&p[i] - &segment[1][i]).sign();
                from == Equal || to == Equal || from != to
            })
        }
    }
}
