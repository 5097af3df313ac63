//! Eigenvectors of symmetric 3x3 matrices in SIMD lanes: the Jacobi method.

use crate::num::linear::{
    IDENTITY, Mat3, Vec3, choose, choose_matrix, cross, dot, orthonormalised_at, splat_matrix,
};
use crate::num::simd::Doubles;

/// Largest number of rotations of one matrix; five to seven are usual.
const MAX_ROTATIONS: usize = 36;

/// Largest squared off-diagonal entry at which rotations end, as a share of the squared diagonal.
/// The error of an axis is the root of that over the relative gap of its eigenvalue; any axes make
/// a valid box.
const MAX_OFF_DIAGONAL: f64 = 1e-16;

/// Indices of the two rows that rotate and of the third row, for each off-diagonal entry.
const ROW_ORDERS: [[usize; 3]; 3] = [[0, 1, 2], [0, 2, 1], [1, 2, 0]];

/// Returns the eigenvectors of two symmetric matrices, greatest eigenvalue first, as right-handed
/// orthonormal frames; the coordinate axes for a matrix with entries that are not numbers. Two at a
/// time, because each mostly waits for its own results. Source: Jacobi's rotations, as in Golub and
/// Van Loan, Matrix Computations, 8.5.
#[inline(always)]
pub(super) fn eigenvectors<D: Doubles>(token: D::Token, [a, b]: [Mat3<D>; 2]) -> [Mat3<D>; 2] {
    let (mut first, mut second) = (Jacobi::new(token, a), Jacobi::new(token, b));
    for _ in 0..MAX_ROTATIONS {
        let rotated = [first.rotate(token), second.rotate(token)];
        if !D::any(rotated[0]) && !D::any(rotated[1]) {
            break;
        }
    }
    [first.axes(token), second.axes(token)]
}

/// Returns [`eigenvectors`] of one matrix.
#[inline(always)]
pub(super) fn eigenvectors_of_one<D: Doubles>(token: D::Token, matrix: Mat3<D>) -> Mat3<D> {
    let mut jacobi = Jacobi::new(token, matrix);
    for _ in 0..MAX_ROTATIONS {
        if !D::any(jacobi.rotate(token)) {
            break;
        }
    }
    jacobi.axes(token)
}

/// The state of the Jacobi method: a matrix that becomes diagonal, and its eigenvectors.
struct Jacobi<D> {
    m: Mat3<D>,
    /// Eigenvectors, as rows.
    vectors: Mat3<D>,
}

impl<D: Doubles> Jacobi<D> {
    #[inline(always)]
    fn new(token: D::Token, m: Mat3<D>) -> Self {
        Jacobi { m, vectors: splat_matrix(token, &IDENTITY) }
    }

    /// Rotates the largest off-diagonal entry to zero, the first for a tie; returns the lanes that
    /// needed the rotation.
    #[inline(always)]
    fn rotate(&mut self, token: D::Token) -> D::Mask {
        let pivot = Pivot::new(token, &self.m);
        let (mut permuted, mut vectors) = self.permuted(&pivot);
        let rotation = Rotation::new(token, [permuted[0][0], permuted[0][1], permuted[1][1]]);
        for k in 0..3 {
            (permuted[0][k], permuted[1][k]) = rotation.rotated(permuted[0][k], permuted[1][k]);
            (vectors[0][k], vectors[1][k]) = rotation.rotated(vectors[0][k], vectors[1][k]);
        }
        for row in &mut permuted {
            (row[0], row[1]) = rotation.rotated(row[0], row[1]);
        }
        self.write_back(token, &pivot, (&permuted, &vectors));
        pivot.rotates
    }

    /// Returns the matrix and its vectors, permuted so that the rows and columns that rotate come
    /// first.
    #[inline(always)]
    fn permuted(&self, &Pivot { second, third, .. }: &Pivot<D>) -> (Mat3<D>, Mat3<D>) {
        let (m, vectors) = (&self.m, &self.vectors);
        let (mut permuted, mut rows, [a, b, c]) = (*m, *vectors, ROW_ORDERS);
        for i in 0..3 {
            for j in 0..3 {
                let other = D::choose(second, m[b[i]][b[j]], m[a[i]][a[j]]);
                permuted[i][j] = D::choose(third, m[c[i]][c[j]], other);
                let other = D::choose(second, vectors[b[i]][j], vectors[a[i]][j]);
                rows[i][j] = D::choose(third, vectors[c[i]][j], other);
            }
        }
        (permuted, rows)
    }

    /// Writes the rotated rows and columns back in the lanes that needed the rotation.
    #[inline(always)]
    fn write_back(
        &mut self,
        token: D::Token,
        pivot: &Pivot<D>,
        (permuted, vectors): (&Mat3<D>, &Mat3<D>),
    ) {
        let (index, pairs) = pivot.index(token);
        for (pair, at) in ROW_ORDERS.into_iter().enumerate() {
            let here = index.equals(pairs[pair]);
            for i in 0..3 {
                for j in 0..3 {
                    if i.min(j) < 2 {
                        let to = &mut self.m[at[i]][at[j]];
                        *to = D::choose(here, permuted[i][j], *to);
                    }
                    if i < 2 {
                        let to = &mut self.vectors[at[i]][j];
                        *to = D::choose(here, vectors[i][j], *to);
                    }
                }
            }
        }
    }

    /// Returns the eigenvectors, greatest eigenvalue first, right-handed.
    #[inline(always)]
    fn axes(&self, token: D::Token) -> Mat3<D> {
        let m = &self.m;
        let [x, y] = greatest_two([m[0][0], m[1][1], m[2][2]], self.vectors);
        let frame = orthonormalised_at(token, &[x, y, cross(x, y)]);
        let sound = dot(frame[2], frame[2]).above(D::splat(token, 0.5));
        choose_matrix(sound, &frame, &splat_matrix(token, &IDENTITY))
    }
}

/// The position of the largest off-diagonal entry, the first for a tie.
struct Pivot<D: Doubles> {
    /// Lanes whose pivot is the second of [`ROW_ORDERS`], unless it is the third.
    second: D::Mask,
    third: D::Mask,
    /// Lanes that need a rotation.
    rotates: D::Mask,
}

impl<D: Doubles> Pivot<D> {
    #[inline(always)]
    fn new(token: D::Token, m: &Mat3<D>) -> Self {
        let squares = [m[0][1] * m[0][1], m[0][2] * m[0][2], m[1][2] * m[1][2]];
        let second = squares[1].above(squares[0]);
        let most = D::choose(second, squares[1], squares[0]);
        let third = squares[2].above(most);
        let most = D::choose(third, squares[2], most);
        let on = m[0][0] * m[0][0] + m[1][1] * m[1][1] + m[2][2] * m[2][2];
        let rotates = most.above(D::splat(token, MAX_OFF_DIAGONAL) * on);
        Pivot { second, third, rotates }
    }

    /// Returns the index of the pivot's order, minus one where no rotation is needed, and the
    /// indices of all three orders.
    #[inline(always)]
    fn index(&self, token: D::Token) -> (D, [D; 3]) {
        let pairs = [D::splat(token, 0.0), D::splat(token, 1.0), D::splat(token, 2.0)];
        let index = D::choose(self.third, pairs[2], D::choose(self.second, pairs[1], pairs[0]));
        (D::choose(self.rotates, index, D::splat(token, -1.0)), pairs)
    }
}

/// Returns the vectors of the two greatest values, the first for a tie.
#[inline(always)]
fn greatest_two<D: Doubles>(mut values: Vec3<D>, mut vectors: Mat3<D>) -> [Vec3<D>; 2] {
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

/// A Jacobi rotation of two rows.
struct Rotation<D> {
    cosine: D,
    sine: D,
}

impl<D: Doubles> Rotation<D> {
    /// Computes the rotation that makes `b` zero in a symmetric matrix of rows `a, b` and `b, d`.
    #[inline(always)]
    fn new(token: D::Token, [a, b, d]: [D; 3]) -> Self {
        let (zero, one) = (D::splat(token, 0.0), D::splat(token, 1.0));
        let theta = (d - a) / (D::splat(token, 2.0) * b);
        let sign = D::choose(zero.above(theta), -one, one);
        let tangent = sign / (theta.abs() + (theta * theta + one).sqrt());
        let cosine = one / (tangent * tangent + one).sqrt();
        Rotation { cosine, sine: tangent * cosine }
    }

    /// Rotates two numbers.
    #[inline(always)]
    fn rotated(&self, a: D, b: D) -> (D, D) {
        (self.cosine * a - self.sine * b, self.sine * a + self.cosine * b)
    }
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;
    use crate::num::SimdLevel;
    use crate::num::linear::{Vec3, pack, unpack};
    use crate::num::simd::{DoubleKernel, MAX_DOUBLES};

    /// Finds the eigenvectors of matrices on the lanes of a SIMD level.
    struct EigenvectorKernel<'a> {
        matrices: &'a [Mat3],
        found: &'a mut Vec<Mat3>,
    }

    impl DoubleKernel for EigenvectorKernel<'_> {
        type Output = ();

        #[inline(always)]
        fn run<D: Doubles>(self, token: D::Token) {
            for matrices in self.matrices.chunks(D::LEN) {
                let mut columns = [[[0.0; 3]; MAX_DOUBLES]; 3];
                for (lane, m) in matrices.iter().enumerate() {
                    (0..3).for_each(|i| columns[i][lane] = m[i]);
                }
                let [x, y, z] = &columns;
                let m = [pack(token, x), pack(token, y), pack(token, z)];
                let [axes, again] = eigenvectors::<D>(token, [m, m]);
                for axes in [axes, again] {
                    let [x, y, z]: [[Vec3; MAX_DOUBLES]; 3] =
                        [unpack(axes[0]), unpack(axes[1]), unpack(axes[2])];
                    let one = |lane: usize| [x[lane], y[lane], z[lane]];
                    self.found.extend((0..matrices.len()).map(one));
                }
            }
        }
    }

    fn matrices() -> Vec<Mat3> {
        let number = |i: usize| ((i * 7919 + i * i * 104_729) % 2001) as f64 / 1000.0 - 1.0;
        let whole = |i: usize| number(i).round();
        let symmetric = |at: &dyn Fn(usize) -> f64| {
            [[at(0), at(1), at(2)], [at(1), at(3), at(4)], [at(2), at(4), at(5)]]
        };
        let mut all: Vec<Mat3> = (0..64).map(|n| symmetric(&|i| number(6 * n + i))).collect();
        // Ties of all kinds, zeros, and a matrix of NaN.
        all.extend((0..64).map(|n| symmetric(&|i| whole(5 * n + i))));
        all.extend([symmetric(&|_| 0.0), symmetric(&|_| f64::NAN), symmetric(&|_| 1e-300)]);
        all
    }

    pub fn every_level_finds_the_same_axes() {
        let at = |simd: SimdLevel| {
            let mut found = Vec::new();
            // One matrix at a time, so that the order does not depend on the width.
            for m in matrices() {
                let matrices = &[m; MAX_DOUBLES][..];
                let mut same = Vec::new();
                simd.run_doubles(EigenvectorKernel { matrices, found: &mut same });
                assert!(same.iter().all(|axes| *axes == same[0]), "{simd}: {m:?}");
                found.push(same[0]);
            }
            found
        };
        let plain = at(SimdLevel::PLAIN);
        SimdLevel::all().into_iter().for_each(|simd| assert_eq!(at(simd), plain, "{simd}"));
    }

    pub fn lanes_do_not_mix() {
        let all = matrices();
        for simd in SimdLevel::all() {
            let mut together = Vec::new();
            simd.run_doubles(EigenvectorKernel { matrices: &all, found: &mut together });
            for m in &all {
                let mut alone = Vec::new();
                SimdLevel::PLAIN
                    .run_doubles(EigenvectorKernel { matrices: &[*m], found: &mut alone });
                assert!(together.contains(&alone[0]), "{simd}: {m:?}");
            }
        }
    }

    pub fn eigenvectors_keep_their_direction_and_the_widest_comes_first() {
        for m in matrices().into_iter().take(128) {
            let [axes, _] = eigenvectors((), [m, m]);
            let image = |v: Vec3| [0, 1, 2].map(|i| dot(m[i], v));
            let values = axes.map(|v| dot(v, image(v)));
            for (v, value) in axes.into_iter().zip(values) {
                let off = (0..3).map(|i| (image(v)[i] - value * v[i]).abs()).fold(0.0, f64::max);
                assert!(off < 1e-7, "{m:?}: {off:e}");
            }
            assert!(values[0] >= values[1] - 1e-12 && values[1] >= values[2] - 1e-12, "{values:?}");
        }
    }
}
