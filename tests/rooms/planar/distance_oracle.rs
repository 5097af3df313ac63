//! Distance of two planar shapes by brute force over corners and edges, and its minimum along a
//! motion.

use support::planar::any_shape::{P, RoundedCore, inner, minus, norm, outer, plus, times};

fn edges(of: &RoundedCore) -> impl Iterator<Item = [P; 2]> + '_ {
    let count = of.corners.len();
    (0..count).map(move |i| [of.corners[i], of.corners[(i + 1) % count]])
}

fn point_segment(p: P, [a, b]: [P; 2]) -> f64 {
    let along = minus(b, a);
    let square = inner(along, along);
    let share =
        if square > 0.0 { (inner(minus(p, a), along) / square).clamp(0.0, 1.0) } else { 0.0 };
    norm(minus(p, plus(a, times(along, share))))
}

fn crossing([a, b]: [P; 2], [c, d]: [P; 2]) -> bool {
    let (u, v) = (minus(b, a), minus(d, c));
    let (p, q) = (outer(u, minus(c, a)), outer(u, minus(d, a)));
    let (r, s) = (outer(v, minus(a, c)), outer(v, minus(b, c)));
    p * q < 0.0 && r * s < 0.0
}

fn holds(of: &RoundedCore, p: P) -> bool {
    of.corners.len() > 2 && edges(of).all(|[a, b]| outer(minus(b, a), minus(p, a)) > 0.0)
}

/// Computes the distance, 0 if they overlap.
pub fn distance(a: &RoundedCore, b: &RoundedCore) -> f64 {
    let cross = || edges(a).any(|e| edges(b).any(|f| crossing(e, f)));
    if holds(a, b.corners[0]) || holds(b, a.corners[0]) || cross() {
        return 0.0;
    }
    let one_way = |from: &RoundedCore, to: &RoundedCore| {
        let of = |&p: &P| edges(to).map(|e| point_segment(p, e)).fold(f64::MAX, f64::min);
        from.corners.iter().map(of).fold(f64::MAX, f64::min)
    };
    (one_way(a, b).min(one_way(b, a)) - a.round - b.round).max(0.0)
}

/// Returns the time of 0..=1 at which they are nearest, and the distance then: the distance of
/// convex shapes is convex in time.
pub fn nearest(a: &RoundedCore, b: &RoundedCore, by: P) -> (f64, f64) {
    let at = |t: f64| distance(&a.moved(times(by, t)), b);
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..200 {
        let (p, q) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        // In an interval of zeros any point is a minimum.
        let (x, y) = (at(p), at(q));
        if x == 0.0 {
            return (p, 0.0);
        }
        if y == 0.0 {
            return (q, 0.0);
        }
        if x < y { high = q } else { low = p }
    }
    [0.0, low, 1.0].map(|t| (t, at(t))).into_iter().min_by(|p, q| p.1.total_cmp(&q.1)).expect("one")
}

/// Returns the first time of `0..=within` at which the distance is 0, for one that is 0 at
/// `within`.
pub fn first_touch(a: &RoundedCore, b: &RoundedCore, by: P, within: f64) -> f64 {
    let at = |t: f64| distance(&a.moved(times(by, t)), b);
    if at(0.0) == 0.0 {
        return 0.0;
    }
    let (mut low, mut high) = (0.0, within);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if at(middle) == 0.0 { high = middle } else { low = middle }
    }
    high
}
