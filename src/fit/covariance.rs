//! Covariance of geometry: second moments and their principal axes.

use super::eigen::{eigenvectors, eigenvectors_of_one};
use crate::num::linear::{
    IDENTITY, Mat3, Vec3, add, choose_matrix, dot, rotate, scale, splat_matrix, sub,
};
use crate::num::simd::Doubles;

/// Weighted first and second moments about a fixed point near the geometry.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Covariance<D = f64> {
    pub origin: Vec3<D>,
    pub moments: Moments<D>,
}

/// Weight, first moments, second moments xx, xy, xz, yy, yz, zz.
pub(crate) type Moments<D = f64> = [D; 10];

/// Coordinate indices of each second moment.
const PRODUCTS: [(usize, usize); 6] = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];

impl<D: Doubles> Covariance<D> {
    /// The covariance of nothing. Moments are taken about `origin`, so that geometry far from the
    /// coordinate origin loses no digits.
    #[inline(always)]
    pub fn new(token: D::Token, origin: Vec3<D>) -> Self {
        Covariance { origin, moments: [D::splat(token, 0.0); 10] }
    }

    /// Adds moments about the same point.
    #[inline(always)]
    pub fn add(&mut self, moments: &Moments<D>) {
        for (sum, &moment) in self.moments.iter_mut().zip(moments) {
            *sum = *sum + moment;
        }
    }

    /// Returns the moments of a point.
    #[inline(always)]
    pub fn point_moments(&self, point: Vec3<D>, weight: D) -> Moments<D> {
        let p = sub(point, self.origin);
        let mut moments = [weight; 10];
        for (i, &x) in p.iter().enumerate() {
            moments[1 + i] = weight * x;
        }
        for (index, (i, j)) in PRODUCTS.into_iter().enumerate() {
            moments[4 + index] = weight * p[i] * p[j];
        }
        moments
    }

    /// Returns the moments of the surface of a triangle, so that fine tessellation has no more
    /// weight than coarse. Source: Gottschalk, Lin, Manocha (1996): the integral of `x x^T` is
    /// `area / 12 (9 m m^T + sum p p^T)`.
    #[inline(always)]
    pub fn triangle_moments(&self, token: D::Token, corners: [Vec3<D>; 3], area: D) -> Moments<D> {
        let [a, b, c] = corners;
        let [a, b, c] = [sub(a, self.origin), sub(b, self.origin), sub(c, self.origin)];
        let sum = add(add(a, b), c);
        let share = area / D::splat(token, 12.0);
        let mut moments = [area; 10];
        for (i, &sum) in sum.iter().enumerate() {
            moments[1 + i] = D::splat(token, 4.0) * share * sum;
        }
        for (index, (i, j)) in PRODUCTS.into_iter().enumerate() {
            let corners = a[i] * a[j] + b[i] * b[j] + c[i] * c[j];
            moments[4 + index] = share * (sum[i] * sum[j] + corners);
        }
        moments
    }

    /// Returns the principal axes, widest first, right-handed; the coordinate axes for geometry
    /// without an extent.
    #[inline(always)]
    pub fn axes(&self, token: D::Token) -> Mat3<D> {
        self.axes_or_identity(token, &eigenvectors_of_one(token, self.matrix(token)))
    }

    /// Returns [`Covariance::axes`] of two at once, faster than one after the other.
    #[inline(always)]
    pub fn axes_of_two(token: D::Token, [a, b]: [&Self; 2]) -> [Mat3<D>; 2] {
        let [first, second] = eigenvectors(token, [a.matrix(token), b.matrix(token)]);
        [a.axes_or_identity(token, &first), b.axes_or_identity(token, &second)]
    }

    /// Returns the standard deviations of two along their principal axes.
    pub fn deviations_of_two(token: D::Token, sums: [&Self; 2]) -> [Vec3<D>; 2] {
        let axes = Covariance::axes_of_two(token, sums);
        let of = |sum: &Self, axes: &Mat3<D>| {
            let (matrix, zero) = (sum.matrix(token), D::splat(token, 0.0));
            let some = sum.moments[0].above(zero);
            let along = |axis: Vec3<D>| {
                let squared = dot(axis, rotate(&matrix, axis)).greater(zero);
                D::choose(some, squared, zero).sqrt()
            };
            [along(axes[0]), along(axes[1]), along(axes[2])]
        };
        [of(sums[0], &axes[0]), of(sums[1], &axes[1])]
    }

    /// Returns the covariance matrix: second moments about the mean.
    #[inline(always)]
    fn matrix(&self, token: D::Token) -> Mat3<D> {
        let [weight, x, y, z, ..] = self.moments;
        let mean = scale([x, y, z], D::splat(token, 1.0) / weight);
        let mut m = splat_matrix(token, &IDENTITY);
        for (index, (i, j)) in PRODUCTS.into_iter().enumerate() {
            m[i][j] = self.moments[4 + index] / weight - mean[i] * mean[j];
            m[j][i] = m[i][j];
        }
        m
    }

    /// Returns `axes`, or the coordinate axes if the weight is zero.
    #[inline(always)]
    fn axes_or_identity(&self, token: D::Token, axes: &Mat3<D>) -> Mat3<D> {
        let some = self.moments[0].above(D::splat(token, 0.0));
        choose_matrix(some, axes, &splat_matrix(token, &IDENTITY))
    }
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;
    use crate::num::linear::{cross, rotation_of};

    pub fn finds_the_axes_of_a_turned_cloud() {
        let frame = rotation_of([0.5, -0.1, 0.3, 0.6]);
        let mut spread = Covariance::new((), [100.0, 0.0, 0.0]);
        for i in 0..3 {
            for sign in [-1.0, 1.0] {
                let mut local = [0.0; 3];
                local[i] = sign * (3 - i) as f64;
                let p = rotate(&frame, local);
                spread.add(&spread.point_moments([p[0] + 100.0, p[1], p[2]], 1.0));
            }
        }
        let found = spread.axes(());
        for (axis, expected) in found.iter().zip(&frame) {
            assert!((dot(*axis, *expected).abs() - 1.0).abs() < 1e-12);
        }
        assert!((dot(cross(found[0], found[1]), found[2]) - 1.0).abs() < 1e-12);
    }

    pub fn no_spread_gives_the_coordinate_axes() {
        let mut spread = Covariance::new((), [0.0; 3]);
        assert_eq!(spread.axes(()), IDENTITY);
        spread.add(&spread.point_moments([1.0, 2.0, 3.0], 1.0));
        assert_eq!(spread.axes(()), IDENTITY);
    }
}
