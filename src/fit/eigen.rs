//! The axes of symmetric matrices, as many at once as there is room for.

use crate::num::doubles::Doubles;
use crate::num::linear::{
    IDENTITY, Mat3, Vec3, choose, choose_all, cross, dot, orthonormalised_at, splat_all,
};

/// Turns at most; five to seven are usual.
const TURNS: usize = 36;

/// Turning ends where no square beside the diagonal is more than this share of those on it. No unit. The error of an axis is
/// the root of that over the relative gap of its eigenvalue; any axes make a sound box.
const STRAIGHT: f64 = 1e-16;

/// The places beside the diagonal.
const PAIRS: [(usize, usize); 3] = [(0, 1), (0, 2), (1, 2)];

/// The eigenvectors of a symmetric matrix, greatest eigenvalue first, as a right-handed orthonormal set; the coordinate
/// axes where it is not made of numbers.
/// Source: Jacobi's rotations, as in Golub and Van Loan, Matrix Computations, 8.5.
#[inline(always)]
pub(super) fn eigenvectors<D: Doubles>(token: D::Token, mut m: Mat3<D>) -> Mat3<D> {
    let upright = splat_all(token, &IDENTITY);
    let mut vectors = upright;
    for _ in 0..TURNS {
        let (most, place) = largest(token, &m);
        let on = m[0][0] * m[0][0] + m[1][1] * m[1][1] + m[2][2] * m[2][2];
        let crooked = most.above(D::splat(token, STRAIGHT) * on);
        if D::none(crooked) {
            break;
        }
        let places = [place.equals(D::splat(token, 1.0)), place.equals(D::splat(token, 2.0))];
        let turn = Turn::new(token, pivot(places, &m));
        for (pair, at) in PAIRS.into_iter().enumerate() {
            let here = D::both(crooked, place.equals(D::splat(token, pair as f64)));
            if !D::none(here) {
                turn_rows(&turn, here, &mut m, at);
                turn_columns(&turn, here, &mut m, at);
                turn_rows(&turn, here, &mut vectors, at);
            }
        }
    }
    let [x, y] = widest([m[0][0], m[1][1], m[2][2]], vectors);
    let frame = orthonormalised_at(token, &[x, y, cross(x, y)]);
    let sound = dot(frame[2], frame[2]).above(D::splat(token, 0.5));
    choose_all(sound, &frame, &upright)
}

/// The largest square beside the diagonal, and its place among the pairs, the first of equals.
#[inline(always)]
fn largest<D: Doubles>(token: D::Token, m: &Mat3<D>) -> (D, D) {
    let (mut most, mut place) = (m[0][1] * m[0][1], D::splat(token, 0.0));
    for (pair, (p, q)) in PAIRS.into_iter().enumerate().skip(1) {
        let square = m[p][q] * m[p][q];
        let larger = square.above(most);
        most = D::choose(larger, square, most);
        place = D::choose(larger, D::splat(token, pair as f64), place);
    }
    (most, place)
}

/// The number beside the diagonal that is to become zero, between those on it.
#[inline(always)]
fn pivot<D: Doubles>([second, third]: [D::Mask; 2], m: &Mat3<D>) -> [D; 3] {
    [
        D::choose(third, m[1][1], m[0][0]),
        D::choose(third, m[1][2], D::choose(second, m[0][2], m[0][1])),
        D::choose(third, m[2][2], D::choose(second, m[2][2], m[1][1])),
    ]
}

/// The vectors with the two greatest values, the first of equals first.
#[inline(always)]
fn widest<D: Doubles>(mut values: Vec3<D>, mut vectors: Mat3<D>) -> [Vec3<D>; 2] {
    for (i, j) in [(0, 1), (1, 2), (0, 1)] {
        let swap = values[j].above(values[i]);
        let (low, high) = (values[i].lesser(values[j]), values[i].greater(values[j]));
        (values[i], values[j]) = (high, low);
        let (first, second) = (vectors[i], vectors[j]);
        vectors[i] = choose(swap, second, first);
        vectors[j] = choose(swap, first, second);
    }
    [vectors[0], vectors[1]]
}

/// A rotation in a plane.
struct Turn<D> {
    cosine: D,
    sine: D,
}

impl<D: Doubles> Turn<D> {
    /// That which makes `b` zero in a symmetric matrix of rows `a, b` and `b, d`.
    #[inline(always)]
    fn new(token: D::Token, [a, b, d]: [D; 3]) -> Self {
        let (zero, one) = (D::splat(token, 0.0), D::splat(token, 1.0));
        let theta = (d - a) / (D::splat(token, 2.0) * b);
        let sign = D::choose(zero.above(theta), -one, one);
        let tangent = sign / (theta.abs() + (theta * theta + one).sqrt());
        let cosine = one / (tangent * tangent + one).sqrt();
        Turn { cosine, sine: tangent * cosine }
    }

    /// Two numbers turned, where the mask says so.
    #[inline(always)]
    fn turned(&self, here: D::Mask, a: D, b: D) -> (D, D) {
        let first = self.cosine * a - self.sine * b;
        let second = self.sine * a + self.cosine * b;
        (D::choose(here, first, a), D::choose(here, second, b))
    }
}

#[inline(always)]
fn turn_rows<D: Doubles>(
    turn: &Turn<D>,
    here: D::Mask,
    rows: &mut Mat3<D>,
    (p, q): (usize, usize),
) {
    for k in 0..3 {
        (rows[p][k], rows[q][k]) = turn.turned(here, rows[p][k], rows[q][k]);
    }
}

#[inline(always)]
fn turn_columns<D: Doubles>(
    turn: &Turn<D>,
    here: D::Mask,
    rows: &mut Mat3<D>,
    (p, q): (usize, usize),
) {
    for row in rows {
        (row[p], row[q]) = turn.turned(here, row[p], row[q]);
    }
}
