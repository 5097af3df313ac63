//! Exact SAT of two polytopes: in rounded numbers where those decide, in integers elsewhere.
//!
//! The points of the first minus those of the second form a polytope whose edges are edges of the
//! two. It misses the origin iff a plane spanned by one of its faces separates it, within the span
//! of its edges: space, a plane, a line or nothing. So the rank of the edges is found first, and
//! segments, points and coplanar triangles need no special case.

use num_bigint::BigInt;

use crate::plain_box::{V, inner, norm, outer};
use crate::rational_points::{W, cross, dot, is_zero, minus, sign};

/// Rounded corners and edge directions.
#[derive(Clone, Debug)]
pub struct RoundedPolytope {
    pub points: Vec<V>,
    pub edges: [V; 3],
    /// Bound on the numbers from which the coordinates were computed.
    pub size: f64,
}

/// Exact corners and edge directions.
#[derive(Clone, Debug)]
pub struct Whole {
    pub points: Vec<W>,
    pub edges: [W; 3],
}

/// Two of the six edges, 0-2 of the first, 3-5 of the second; their cross product is the axis.
type Axis = (usize, usize);

const AXES: [Axis; 15] = [
    (0, 1),
    (3, 4),
    (0, 3),
    (0, 4),
    (0, 5),
    (1, 3),
    (1, 4),
    (1, 5),
    (2, 3),
    (2, 4),
    (2, 5),
    (1, 2),
    (2, 0),
    (4, 5),
    (5, 3),
];

/// Verdict of rounded coordinates.
enum Guess {
    Apart,
    /// The edges span space, and only these axes may separate.
    Space(Vec<Axis>),
    Nothing,
}

/// Returns `true` if they share a point. `exactly` returns the same two without rounding.
pub fn share_a_point(
    a: &RoundedPolytope,
    b: &RoundedPolytope,
    exactly: impl FnOnce() -> [Whole; 2],
) -> bool {
    match guess(a, b) {
        Guess::Apart => false,
        Guess::Space(axes) if axes.is_empty() => true,
        Guess::Space(axes) => {
            let [a, b] = exactly();
            !axes.into_iter().any(|axis| apart_on(&a, &b, &crossed(&a, &b, axis)))
        }
        Guess::Nothing => {
            let [a, b] = exactly();
            !apart(&a, &b)
        }
    }
}

fn guess(a: &RoundedPolytope, b: &RoundedPolytope) -> Guess {
    let edges = [a.edges[0], a.edges[1], a.edges[2], b.edges[0], b.edges[1], b.edges[2]];
    let origin = a.points[0];
    let points = |rough: &RoundedPolytope| -> Vec<V> {
        rough.points.iter().map(|&p| crate::plain_box::minus(p, origin)).collect()
    };
    let (first, second) = (points(a), points(b));
    let wide = first.iter().chain(&second).map(|&p| norm(p)).fold(0.0, f64::max);
    let size = a.size + b.size;
    let (mut doubtful, mut sure) = (Vec::new(), false);
    for (i, j) in AXES {
        let axis = outer(edges[i], edges[j]);
        let (long, short) = (norm(edges[i]), norm(edges[j]));
        let doubt = 1e-13 * size * (long * short + wide * (long + short)) + f64::MIN_POSITIVE;
        let (low_a, high_a) = interval(&first, axis);
        let (low_b, high_b) = interval(&second, axis);
        let gap = (low_b - high_a).max(low_a - high_b);
        match gap {
            _ if doubt.is_nan() || doubt >= 1e250 => doubtful.push((i, j)),
            gap if gap > doubt => return Guess::Apart,
            gap if gap < -doubt => sure = true,
            _ => doubtful.push((i, j)),
        }
    }
    if sure { Guess::Space(doubtful) } else { Guess::Nothing }
}

fn interval(points: &[V], axis: V) -> (f64, f64) {
    let along = points.iter().map(|&p| inner(p, axis));
    along.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
}

fn crossed(a: &Whole, b: &Whole, (i, j): Axis) -> W {
    let edge = |k: usize| if k < 3 { &a.edges[k] } else { &b.edges[k - 3] };
    cross(edge(i), edge(j))
}

fn apart_on(a: &Whole, b: &Whole, axis: &W) -> bool {
    let range = |points: &[W]| -> (BigInt, BigInt) {
        let along: Vec<BigInt> = points.iter().map(|p| dot(p, axis)).collect();
        let (low, high) = (along.iter().min(), along.iter().max());
        (low.expect("a point").clone(), high.expect("a point").clone())
    };
    let (p, q) = (range(&a.points), range(&b.points));
    p.1 < q.0 || q.1 < p.0
}

/// Returns `true` if the two share no point, in integers only.
pub fn apart(a: &Whole, b: &Whole) -> bool {
    let edges: Vec<&W> = a.edges.iter().chain(&b.edges).filter(|e| !is_zero(e)).collect();
    let between = minus(&b.points[0], &a.points[0]);
    let Some(&along) = edges.first() else { return !is_zero(&between) };
    let Some(normal) = edges.iter().map(|e| cross(along, e)).find(|n| !is_zero(n)) else {
        return !is_zero(&cross(along, &between)) || apart_on(a, b, along);
    };
    if edges.iter().all(|e| sign(&dot(e, &normal)) == 0) {
        let beside = || edges.iter().any(|e| apart_on(a, b, &cross(&normal, e)));
        return sign(&dot(&between, &normal)) != 0 || beside();
    }
    AXES.into_iter().any(|axis| apart_on(a, b, &crossed(a, b, axis)))
}
