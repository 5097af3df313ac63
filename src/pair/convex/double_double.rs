//! Numbers of 106 bits, as unevaluated sums of two doubles, for the rare simplices that 53 bits
//! cannot resolve.
//!
//! Source: Dekker, A Floating-Point Technique for Extending the Available Precision (1971). An
//! operation has an error of at most some `2^-102` of its result.

use std::ops::{Add, Div, Mul, Sub};

use crate::num::linear::Vec3;
use crate::pair::rounded::signs::{two_product, two_sum};

/// Sum `high + low`, where `low` is less than half the last digit of `high`.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct DoubleDouble {
    high: f64,
    low: f64,
}

impl DoubleDouble {
    /// Returns the nearest double.
    pub fn rounded(self) -> f64 {
        self.high
    }

    /// Returns the exact difference of two doubles.
    fn difference(a: f64, b: f64) -> Self {
        let (high, low) = two_sum(a, -b);
        DoubleDouble { high, low }
    }

    /// Normalizes a sum whose second number is far smaller.
    fn normalized(high: f64, low: f64) -> Self {
        let sum = high + low;
        DoubleDouble { high: sum, low: low - (sum - high) }
    }

    pub fn is_positive(self) -> bool {
        self.high > 0.0
    }
}

impl From<f64> for DoubleDouble {
    fn from(high: f64) -> Self {
        DoubleDouble { high, low: 0.0 }
    }
}

impl Add for DoubleDouble {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let (high, low) = two_sum(self.high, other.high);
        let (carry, rest) = two_sum(self.low, other.low);
        let sum = Self::normalized(high, low + carry);
        Self::normalized(sum.high, sum.low + rest)
    }
}

impl Sub for DoubleDouble {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + DoubleDouble { high: -other.high, low: -other.low }
    }
}

impl Mul for DoubleDouble {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let (high, low) = two_product(self.high, other.high);
        Self::normalized(high, low + (self.high * other.low + self.low * other.high))
    }
}

impl Div for DoubleDouble {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let first = self.high / other.high;
        let rest = self - other * first.into();
        let second = rest.high / other.high;
        let rest = rest - other * second.into();
        Self::normalized(first, second) + (rest.high / other.high).into()
    }
}

pub(super) type DoubledVec = [DoubleDouble; 3];

/// Returns the exact difference of two points.
pub(super) fn exact_difference(a: Vec3, b: Vec3) -> DoubledVec {
    [0, 1, 2].map(|i| DoubleDouble::difference(a[i], b[i]))
}

pub(super) fn doubled(a: Vec3) -> DoubledVec {
    a.map(DoubleDouble::from)
}

pub(super) fn rounded(a: &DoubledVec) -> Vec3 {
    a.map(DoubleDouble::rounded)
}

pub(super) fn plus(a: &DoubledVec, b: &DoubledVec) -> DoubledVec {
    [0, 1, 2].map(|i| a[i] + b[i])
}

pub(super) fn minus(a: &DoubledVec, b: &DoubledVec) -> DoubledVec {
    [0, 1, 2].map(|i| a[i] - b[i])
}

pub(super) fn times(a: &DoubledVec, s: DoubleDouble) -> DoubledVec {
    a.map(|x| x * s)
}

pub(super) fn inner(a: &DoubledVec, b: &DoubledVec) -> DoubleDouble {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn outer(a: &DoubledVec, b: &DoubledVec) -> DoubledVec {
    let minor = |i: usize, j: usize| a[i] * b[j] - a[j] * b[i];
    [minor(1, 2), minor(2, 0), minor(0, 1)]
}
