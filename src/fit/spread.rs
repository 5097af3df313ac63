//! How geometry is spread out: second moments and their axes.

use crate::num::linear::{IDENTITY, Mat3, Vec3, add, cross, dot, scale, sub};

/// Weighted first and second moments, gathered about a fixed point near the geometry.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spread {
    about: Vec3,
    weight: f64,
    first: Vec3,
    second: Mat3,
}

impl Spread {
    /// Nothing yet. Moments are taken about `about`, so that geometry far from the origin loses no digits.
    pub fn new(about: Vec3) -> Self {
        Spread { about, weight: 0.0, first: [0.0; 3], second: [[0.0; 3]; 3] }
    }

    pub fn add_point(&mut self, point: Vec3, weight: f64) {
        let p = sub(point, self.about);
        self.weight += weight;
        for i in 0..3 {
            self.first[i] += weight * p[i];
            for j in i..3 {
                self.second[i][j] += weight * p[i] * p[j];
            }
        }
    }

    /// Adds the surface of a triangle, so that fine tessellation weighs no more than coarse.
    /// Source: Gottschalk, Lin, Manocha (1996): the integral of `x x^T` is `area / 12 (9 m m^T + sum p p^T)`.
    pub fn add_triangle(&mut self, corners: [Vec3; 3], area: f64) {
        let [a, b, c] = corners;
        let [a, b, c] = [sub(a, self.about), sub(b, self.about), sub(c, self.about)];
        let sum = add(add(a, b), c);
        let share = area / 12.0;
        self.weight += area;
        for i in 0..3 {
            self.first[i] += 4.0 * share * sum[i];
            // The rows below the diagonal are mirrored at the end.
            for j in i..3 {
                let corners = a[i] * a[j] + b[i] * b[j] + c[i] * c[j];
                self.second[i][j] += share * (sum[i] * sum[j] + corners);
            }
        }
    }

    /// The axes of the spread, widest first, right-handed; the coordinate axes where there is no spread.
    pub fn axes(&self) -> Mat3 {
        if self.weight <= 0.0 {
            return IDENTITY;
        }
        let mean = scale(self.first, 1.0 / self.weight);
        let entry =
            |i: usize, j: usize| self.second[i.min(j)][i.max(j)] / self.weight - mean[i] * mean[j];
        eigenvectors(std::array::from_fn(|i| std::array::from_fn(|j| entry(i, j))))
    }
}

/// Turns at most; five to seven are usual.
const TURNS: usize = 36;

/// Turning ends where no square beside the diagonal is more than this share of those on it. No unit. The error of an axis is
/// the root of that over the relative gap of its eigenvalue; any axes make a sound box.
const STRAIGHT: f64 = 1e-16;

/// The eigenvectors of a symmetric matrix, greatest eigenvalue first, as a right-handed orthonormal set.
/// Source: Jacobi's rotations, as in Golub and Van Loan, Matrix Computations, 8.5.
fn eigenvectors(mut m: Mat3) -> Mat3 {
    let mut vectors = IDENTITY;
    for _ in 0..TURNS {
        let beside = [(0, 1), (0, 2), (1, 2)].map(|(p, q)| (m[p][q] * m[p][q], p, q));
        let larger = |a: (f64, usize, usize), b: (f64, usize, usize)| if b.0 > a.0 { b } else { a };
        let (most, p, q) = larger(larger(beside[0], beside[1]), beside[2]);
        if most <= STRAIGHT * (m[0][0] * m[0][0] + m[1][1] * m[1][1] + m[2][2] * m[2][2]) {
            break;
        }
        rotate(&mut m, &mut vectors, p, q);
    }
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| m[j][j].total_cmp(&m[i][i]).then(i.cmp(&j)));
    let (x, y) = (vectors[order[0]], vectors[order[1]]);
    let frame = crate::num::linear::orthonormalised(&[x, y, cross(x, y)]);
    let sound = frame.iter().flatten().all(|c| c.is_finite());
    if sound && dot(frame[2], frame[2]) > 0.5 { frame } else { IDENTITY }
}

/// One rotation that zeroes `m[p][q]`.
fn rotate(m: &mut Mat3, vectors: &mut Mat3, p: usize, q: usize) {
    if m[p][q] == 0.0 {
        return;
    }
    let theta = (m[q][q] - m[p][p]) / (2.0 * m[p][q]);
    let sign = if theta < 0.0 { -1.0 } else { 1.0 };
    let t = sign / (theta.abs() + (theta * theta + 1.0).sqrt());
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    let turn = |(a, b): (f64, f64)| (c * a - s * b, s * a + c * b);
    let turn_rows = |rows: &mut Mat3| {
        for (k, pair) in std::iter::zip(rows[p], rows[q]).enumerate() {
            (rows[p][k], rows[q][k]) = turn(pair);
        }
    };
    turn_rows(m);
    for row in m.iter_mut() {
        (row[p], row[q]) = turn((row[p], row[q]));
    }
    turn_rows(vectors);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::linear::{rotation_of, turn};

    #[test]
    fn finds_the_axes_of_a_turned_cloud() {
        let frame = rotation_of([0.5, -0.1, 0.3, 0.6]);
        let mut spread = Spread::new([100.0, 0.0, 0.0]);
        for i in 0..3 {
            for sign in [-1.0, 1.0] {
                let mut local = [0.0; 3];
                local[i] = sign * (3 - i) as f64;
                let p = turn(&frame, local);
                spread.add_point([p[0] + 100.0, p[1], p[2]], 1.0);
            }
        }
        let found = spread.axes();
        for (axis, expected) in found.iter().zip(&frame) {
            assert!((dot(*axis, *expected).abs() - 1.0).abs() < 1e-12);
        }
        assert!((dot(cross(found[0], found[1]), found[2]) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn no_spread_gives_the_coordinate_axes() {
        let mut spread = Spread::new([0.0; 3]);
        assert_eq!(spread.axes(), IDENTITY);
        spread.add_point([1.0, 2.0, 3.0], 1.0);
        assert_eq!(spread.axes(), IDENTITY);
    }
}
