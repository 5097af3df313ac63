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

/// The eigenvectors of symmetric matrices, greatest eigenvalue first, as right-handed orthonormal sets; the coordinate axes
/// where one is not made of numbers. Two at a time, because each waits for itself most of the time.
/// Source: Jacobi's rotations, as in Golub and Van Loan, Matrix Computations, 8.5.
#[inline(always)]
pub(super) fn eigenvectors<D: Doubles>(token: D::Token, [a, b]: [Mat3<D>; 2]) -> [Mat3<D>; 2] {
    let (mut first, mut second) = (Turning::new(token, a), Turning::new(token, b));
    for _ in 0..TURNS {
        let turned = [first.turn(token), second.turn(token)];
        if D::none(turned[0]) && D::none(turned[1]) {
            break;
        }
    }
    [first.axes(token), second.axes(token)]
}

/// A matrix on its way to be diagonal.
struct Turning<D> {
    m: Mat3<D>,
    /// As rows.
    vectors: Mat3<D>,
}

impl<D: Doubles> Turning<D> {
    #[inline(always)]
    fn new(token: D::Token, m: Mat3<D>) -> Self {
        Turning { m, vectors: splat_all(token, &IDENTITY) }
    }

    /// Makes the largest number beside the diagonal zero, the first of equals, and says where it was worth it.
    #[inline(always)]
    fn turn(&mut self, token: D::Token) -> D::Mask {
        let m = &self.m;
        let squares = [m[0][1] * m[0][1], m[0][2] * m[0][2], m[1][2] * m[1][2]];
        let second = squares[1].above(squares[0]);
        let most = D::choose(second, squares[1], squares[0]);
        let third = squares[2].above(most);
        let most = D::choose(third, squares[2], most);
        let on = m[0][0] * m[0][0] + m[1][1] * m[1][1] + m[2][2] * m[2][2];
        let crooked = most.above(D::splat(token, STRAIGHT) * on);
        let pivot = Pivot { second, third };
        // The rows and columns that turn come first.
        let mut there = pivot.there(&self.m);
        let mut vectors = pivot.rows(&self.vectors);
        let turn = Turn::new(token, [there[0][0], there[0][1], there[1][1]]);
        for k in 0..3 {
            (there[0][k], there[1][k]) = turn.turned(there[0][k], there[1][k]);
            (vectors[0][k], vectors[1][k]) = turn.turned(vectors[0][k], vectors[1][k]);
        }
        for row in &mut there {
            (row[0], row[1]) = turn.turned(row[0], row[1]);
        }
        self.m = choose_all(crooked, &pivot.back(&there), &self.m);
        self.vectors = choose_all(crooked, &pivot.rows_back(&vectors), &self.vectors);
        crooked
    }

    /// The axes, widest first.
    #[inline(always)]
    fn axes(&self, token: D::Token) -> Mat3<D> {
        let m = &self.m;
        let [x, y] = widest([m[0][0], m[1][1], m[2][2]], self.vectors);
        let frame = orthonormalised_at(token, &[x, y, cross(x, y)]);
        let sound = dot(frame[2], frame[2]).above(D::splat(token, 0.5));
        choose_all(sound, &frame, &splat_all(token, &IDENTITY))
    }
}

/// Which two rows turn: the first and the second, where `second` says so the first and the third, where `third` says so
/// the last two.
struct Pivot<D: Doubles> {
    second: D::Mask,
    third: D::Mask,
}

impl<D: Doubles> Pivot<D> {
    /// The rows that turn, and the one that stays.
    #[inline(always)]
    fn rows(&self, rows: &Mat3<D>) -> Mat3<D> {
        let (second, third) = (self.second, self.third);
        let last = choose(second, rows[1], rows[2]);
        let other = choose(second, rows[2], rows[1]);
        [
            choose(third, rows[1], rows[0]),
            choose(third, rows[2], other),
            choose(third, rows[0], last),
        ]
    }

    /// [`Pivot::rows`] back where they belong.
    #[inline(always)]
    fn rows_back(&self, rows: &Mat3<D>) -> Mat3<D> {
        let (second, third) = (self.second, self.third);
        let middle = choose(second, rows[2], rows[1]);
        let last = choose(second, rows[1], rows[2]);
        [
            choose(third, rows[2], rows[0]),
            choose(third, rows[0], middle),
            choose(third, rows[1], last),
        ]
    }

    /// The same for rows and columns.
    #[inline(always)]
    fn there(&self, m: &Mat3<D>) -> Mat3<D> {
        transposed(&self.rows(&transposed(&self.rows(m))))
    }

    #[inline(always)]
    fn back(&self, m: &Mat3<D>) -> Mat3<D> {
        transposed(&self.rows_back(&transposed(&self.rows_back(m))))
    }
}

#[inline(always)]
fn transposed<D: Doubles>(m: &Mat3<D>) -> Mat3<D> {
    [[m[0][0], m[1][0], m[2][0]], [m[0][1], m[1][1], m[2][1]], [m[0][2], m[1][2], m[2][2]]]
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

    /// Two numbers turned.
    #[inline(always)]
    fn turned(&self, a: D, b: D) -> (D, D) {
        (self.cosine * a - self.sine * b, self.sine * a + self.cosine * b)
    }
}
