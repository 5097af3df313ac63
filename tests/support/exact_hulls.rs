//! Exact intersection of two convex hulls.
//!
//! They intersect iff the origin is in the hull of all differences of their corners, and then it is
//! in the hull of at most four of those (Carathéodory). So every tetrahedron, triangle, segment and
//! point of them is tried, by signs of determinants. Slow, and unlike the crate's method.

use std::cmp::Ordering::{self, Equal, Greater, Less};

use num_bigint::{BigInt, Sign};

use crate::placed_corners::{Corner, Placed, cross, difference, dot};
use crate::plain_box::{V, inner, outer};

/// Returns `true` if the hulls of two primitives' corners share a point.
pub fn touch(placed: &Placed, a: &[Corner], b: &[Corner]) -> bool {
    let pairs: Vec<(usize, usize)> =
        (0..a.len()).flat_map(|i| (0..b.len()).map(move |j| (i, j))).collect();
    let rounded: Vec<(V, f64)> =
        pairs.iter().map(|&(i, j)| placed.difference(&a[i], &b[j])).collect();
    let doubt = rounded.iter().map(|r| r.1).fold(0.0, f64::max);
    let apart = |axis: usize| {
        rounded.iter().all(|r| r.0[axis] > doubt) || rounded.iter().all(|r| r.0[axis] < -doubt)
    };
    if (0..3).any(apart) {
        return false;
    }
    let mut exactly = None;
    let mut exact = || {
        let points = exactly.get_or_insert_with(|| {
            let (x, y) = placed.whole(a, b);
            pairs.iter().map(|&(i, j)| difference(&x[i], &y[j])).collect::<Vec<_>>()
        });
        points.clone()
    };
    let signs = Signs::new(&rounded, doubt, &mut exact);
    signs.some_tetrahedron() || signs.zero && flat(&signs, &exact())
}

/// Signs of the determinants of every three points.
struct Signs {
    count: usize,
    signs: Vec<Ordering>,
    /// `true` if some determinant is zero.
    zero: bool,
}

impl Signs {
    fn new(points: &[(V, f64)], doubt: f64, exact: &mut impl FnMut() -> Vec<[BigInt; 3]>) -> Self {
        let n = points.len();
        let largest = points.iter().flat_map(|p| p.0).fold(0.0, |m: f64, x| m.max(x.abs()));
        let m = largest + 2.0 * doubt;
        // Three columns with their errors, and rounding; generous.
        let limit = 100.0 * m * m * (doubt + 1e-15 * m);
        let mut signs = Signs { count: n, signs: vec![Equal; n * n * n], zero: false };
        for (i, j, k) in triples(n) {
            let rounded = inner(points[i].0, outer(points[j].0, points[k].0));
            let sign = match rounded {
                d if d > limit => Greater,
                d if d < -limit => Less,
                _ => {
                    let points = exact();
                    sign(&dot(&points[i], &cross(&points[j], &points[k])))
                }
            };
            signs.zero |= sign == Equal;
            signs.signs[(i * n + j) * n + k] = sign;
        }
        signs
    }

    fn of(&self, i: usize, j: usize, k: usize) -> Ordering {
        self.signs[(i * self.count + j) * self.count + k]
    }

    /// Returns `true` if the origin is in a tetrahedron that is not flat.
    fn some_tetrahedron(&self) -> bool {
        triples(self.count).any(|(i, j, k)| {
            (k + 1..self.count).any(|l| {
                let shares = [
                    self.of(j, k, l),
                    self.of(i, k, l).reverse(),
                    self.of(i, j, l),
                    self.of(i, j, k).reverse(),
                ];
                let (less, greater) = (shares.contains(&Less), shares.contains(&Greater));
                less != greater
            })
        })
    }
}

/// Returns `true` if the origin is in a triangle, on a segment or one of the points.
fn flat(signs: &Signs, points: &[[BigInt; 3]]) -> bool {
    let on_segment = |p: &[BigInt; 3], q: &[BigInt; 3]| {
        cross(p, q).iter().all(|x| sign(x) == Equal) && sign(&dot(p, q)) != Greater
    };
    if points.iter().enumerate().any(|(i, p)| points[i..].iter().any(|q| on_segment(p, q))) {
        return true;
    }
    let mut zeros = triples(points.len()).filter(|&(i, j, k)| signs.of(i, j, k) == Equal);
    zeros.any(|(i, j, k)| {
        let [p, q, r] = [&points[i], &points[j], &points[k]];
        let normal = cross(&difference(q, p), &difference(r, p));
        let shares = [(p, q), (q, r), (r, p)].map(|(x, y)| sign(&dot(&cross(x, y), &normal)));
        normal.iter().any(|x| sign(x) != Equal) && !shares.contains(&Less)
    })
}

fn triples(n: usize) -> impl Iterator<Item = (usize, usize, usize)> {
    let pairs = (0..n).flat_map(move |i| (i + 1..n).map(move |j| (i, j)));
    pairs.flat_map(move |(i, j)| (j + 1..n).map(move |k| (i, j, k)))
}

pub fn sign(x: &BigInt) -> Ordering {
    match x.sign() {
        Sign::Minus => Less,
        Sign::NoSign => Equal,
        Sign::Plus => Greater,
    }
}
