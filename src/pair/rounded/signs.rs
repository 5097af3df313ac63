//! Exact signs of determinants of point differences, by sums of doubles that do not overlap. Much
//! faster than [`exact`](crate::num::exact), for numbers that are neither tiny nor huge.
//!
//! Sources: Dekker, A Floating-Point Technique for Extending the Available Precision (1971);
//! Shewchuk, Adaptive Precision Floating-Point Arithmetic and Fast Robust Geometric Predicates
//! (1997), whose expansions these are.

use std::cmp::Ordering;

use crate::num::linear::{Vec3, cross, dot, sub};

/// Length of an expansion: six products of three differences of two doubles each, every product
/// with four doubles.
const MAX_TERMS: usize = 6 * 8 * 4;

/// Least magnitude of a number, zero excepted: the last digit of a product of three must be a
/// double [length units].
const MIN_MAGNITUDE: f64 = 1e-90;

/// Greatest magnitude of a number [length units].
const MAX_MAGNITUDE: f64 = 1e75;

/// Returns `true` if no determinant of these coordinates overflows or underflows.
pub(crate) fn are_in_range(points: &[Vec3]) -> bool {
    points.iter().flatten().all(|x| *x == 0.0 || (MIN_MAGNITUDE..=MAX_MAGNITUDE).contains(&x.abs()))
}

/// Sum of doubles in ascending order that share no digit; zeros are left out.
struct ExactSum {
    terms: [f64; MAX_TERMS],
    len: usize,
}

impl ExactSum {
    fn zero() -> Self {
        ExactSum { terms: [0.0; MAX_TERMS], len: 0 }
    }

    /// Adds `x` by Shewchuk's grow-expansion, without zeros.
    fn add(&mut self, x: f64) {
        if x == 0.0 {
            return;
        }
        let (mut sum, mut kept) = (x, 0);
        for i in 0..self.len {
            let (high, low) = two_sum(sum, self.terms[i]);
            sum = high;
            if low != 0.0 {
                (self.terms[kept], kept) = (low, kept + 1);
            }
        }
        if sum != 0.0 {
            (self.terms[kept], kept) = (sum, kept + 1);
        }
        self.len = kept;
    }

    fn add_product(&mut self, x: f64, y: f64) {
        let (high, low) = two_product(x, y);
        self.add(low);
        self.add(high);
    }

    /// Adds the product of three sums of two doubles.
    fn add_triple(&mut self, a: [f64; 2], b: [f64; 2], c: [f64; 2]) {
        let some = |x: &f64| *x != 0.0;
        for x in a.into_iter().filter(some) {
            for y in b.into_iter().filter(some) {
                let (high, low) = two_product(x, y);
                for z in c.into_iter().filter(some) {
                    self.add_product(low, z);
                    self.add_product(high, z);
                }
            }
        }
    }

    /// Returns the sign of the last term, which outweighs all others.
    fn sign(&self) -> Ordering {
        let last = if self.len > 0 { self.terms[self.len - 1] } else { 0.0 };
        if last > 0.0 {
            Ordering::Greater
        } else if last < 0.0 {
            Ordering::Less
        } else {
            Ordering::Equal
        }
    }
}

/// Returns the rounded sum and its error. Source: Knuth, The Art of Computer Programming 2, 4.2.2.
#[inline]
pub(in crate::pair) fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let of_b = sum - a;
    (sum, (a - (sum - of_b)) + (b - of_b))
}

/// Returns the rounded product and its error.
#[inline]
pub(in crate::pair) fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    let ((a, c), (b, d)) = (split_digits(a), split_digits(b));
    (product, c * d - (((product - a * b) - c * b) - a * d))
}

/// Splits a double into two of half the digits.
#[inline]
fn split_digits(x: f64) -> (f64, f64) {
    let far = x * ((1u64 << 27) + 1) as f64;
    let high = far - (far - x);
    (high, x - high)
}

/// Returns `a - b` as two doubles, the larger first.
#[inline]
fn two_difference(a: f64, b: f64) -> [f64; 2] {
    let (high, low) = two_sum(a, -b);
    [high, low]
}

/// Returns the sign of the determinant of three point differences; `None` where rounding could
/// change it.
#[inline]
pub(crate) fn filtered_orientation(u: Vec3, v: Vec3, w: Vec3) -> Option<Ordering> {
    let size = |a: Vec3| a.map(f64::abs);
    let (most_u, most_v) = (size(u), size(v));
    let most = [0, 1, 2].map(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        most_u[j] * most_v[k] + most_u[k] * most_v[j]
    });
    sign_beyond(dot(cross(u, v), w), DETERMINANT_ERROR * dot(most, size(w)) + UNDERFLOW_ERROR)
}

/// Error of a determinant of two or three rows, as a share of the sum of its absolute products: `16
/// e`. Bound: `(7 + 56 e) e` (Shewchuk, 4.2).
const DETERMINANT_ERROR: f64 = 1.0 / (1u64 << 49) as f64;

/// Error by underflow of products [cubes of units].
const UNDERFLOW_ERROR: f64 = 1e-240;

#[inline]
fn sign_beyond(determinant: f64, limit: f64) -> Option<Ordering> {
    if determinant > limit {
        Some(Ordering::Greater)
    } else if determinant < -limit {
        Some(Ordering::Less)
    } else {
        None
    }
}

/// Returns the side of the plane of three points that `p` lies on; equal also if the three are
/// collinear. The points must be [in range](are_in_range).
pub(crate) fn orientation(plane: [&Vec3; 3], p: &Vec3) -> Ordering {
    let from = |q: &Vec3| sub(*q, *plane[0]);
    filtered_orientation(from(plane[1]), from(plane[2]), from(p))
        .unwrap_or_else(|| exact_orientation(plane, p))
}

#[cold]
fn exact_orientation(plane: [&Vec3; 3], p: &Vec3) -> Ordering {
    let from = |q: &Vec3| [0, 1, 2].map(|i| two_difference(q[i], plane[0][i]));
    let (u, v, w) = (from(plane[1]), from(plane[2]), from(p));
    let mut sum = ExactSum::zero();
    for (i, w) in w.into_iter().enumerate() {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        sum.add_triple(u[j], v[k], w);
        sum.add_triple(u[k], v[j], w.map(|z| -z));
    }
    sum.sign()
}

/// Returns the sign of the turn of a path over three points, projected on the coordinates `x` and
/// `y`. The points must be [in range](are_in_range).
pub(crate) fn turn_sign([a, b, c]: [&Vec3; 3], [x, y]: [usize; 2]) -> Ordering {
    let (left, right) = ((b[x] - a[x]) * (c[y] - a[y]), (b[y] - a[y]) * (c[x] - a[x]));
    sign_beyond(left - right, DETERMINANT_ERROR * (left.abs() + right.abs())).unwrap_or_else(|| {
        let way = |p: &Vec3, i: usize| two_difference(p[i], a[i]);
        let mut sum = ExactSum::zero();
        for (i, j, sign) in [(x, y, 1.0), (y, x, -1.0)] {
            let (u, v) = (way(b, i), way(c, j));
            for (u, v) in [(u[0], v[0]), (u[0], v[1]), (u[1], v[0]), (u[1], v[1])] {
                sum.add_product(sign * u, v);
            }
        }
        sum.sign()
    })
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;
    use crate::num::SplitMix64;
    use crate::num::exact::{cross as exact_cross, dot as exact_dot, exact, sub as minus};

    /// Returns numbers of few or many digits, near each other or far apart.
    fn points(count: usize, chance: &mut SplitMix64) -> Vec<Vec3> {
        let kind = chance.below(5);
        let mut below = |count: usize| chance.below(count) as f64;
        let mut number = || match kind {
            0 => below(5),
            1 => below(9) / 3.0,
            2 => f64::from(below(7) as f32 / 7.0),
            3 => 1e30 + below(3) * 2e14,
            _ => below(3) * 1e-80 + below(2) * 1e60,
        };
        (0..count).map(|_| [number(), number(), number()]).collect()
    }

    pub fn signs_are_those_of_long_arithmetic() {
        let (mut chance, mut found) = (SplitMix64(1), [0; 3]);
        for _ in 0..4_000 {
            let p = points(4, &mut chance);
            assert!(are_in_range(&p));
            let e: Vec<_> = p.iter().map(|p| exact(*p)).collect();
            let [u, v, w] = [1, 2, 3].map(|i| minus(&e[i], &e[0]));
            let expected = exact_dot(&exact_cross(&u, &v), &w).sign();
            let plane = [&p[0], &p[1], &p[2]];
            assert_eq!(orientation(plane, &p[3]), expected, "{p:?}");
            assert_eq!(exact_orientation(plane, &p[3]), expected, "{p:?}");
            found[(expected as i8 + 1) as usize] += 1;
            for (x, y) in [(0, 1), (2, 0)] {
                let across = &(&u[x] * &v[y]) - &(&u[y] * &v[x]);
                assert_eq!(turn_sign(plane, [x, y]), across.sign(), "{p:?}");
            }
        }
        assert!(found.iter().all(|&count| count > 400), "{found:?}");
    }

    pub fn tiny_and_huge_numbers_are_out_of_range() {
        assert!(are_in_range(&[[0.0, -0.0, 1e-90]]) && are_in_range(&[[1e75, -3.0, 7.0]]));
        assert!(
            !are_in_range(&[[0.0, 1e-91, 0.0]])
                && !are_in_range(&[[0.0, -2e75, 0.0]])
                && !are_in_range(&[[f64::NAN; 3]])
        );
    }
}
