//! Exact sums and products of doubles, for predicates and checks without tolerance.
//!
//! A value is an integer times a power of 2^64. Nothing is lost, nothing underflows, and nothing is
//! allocated.

use std::cmp::Ordering;
use std::ops::{Add, Mul, Neg, Sub};

/// Length of the longest product formed, in 64-bit words.
///
/// The least bit of a double is 2^-1074. A corner of a box in the frame of another part, over the
/// common denominator `|q_A|^2 |q_B|^2`, is a sum of products of six doubles (four of quaternions,
/// an axis, an extent), a direction one of five, and an axis of the test crosses two directions: 16
/// doubles, so 17,184 bits below one. Above one are three lengths under 2^251 and some sums: 800
/// bits.
const WORDS: usize = 288;

/// An exact number: `(-1)^negative * sum of words[i] 2^(64 (i + exponent))`, without zero words at
/// either end; zero has none.
#[derive(Clone)]
pub(crate) struct Exact {
    words: [u64; WORDS],
    len: usize,
    exponent: i32,
    negative: bool,
}

impl Exact {
    pub fn zero() -> Self {
        Exact { words: [0; WORDS], len: 0, exponent: 0, negative: false }
    }

    /// Converts a finite double, exactly.
    pub fn new(value: f64) -> Self {
        let bits = value.to_bits();
        let biased = (bits >> 52 & 0x7ff) as i32;
        let fraction = bits & ((1 << 52) - 1);
        let (mantissa, power) = match biased {
            0 => (fraction, -1074),
            _ => (fraction | 1 << 52, biased - 1075),
        };
        let shifted = u128::from(mantissa) << power.rem_euclid(64);
        let mut exact = Exact::zero();
        (exact.exponent, exact.negative) = (power.div_euclid(64), value.is_sign_negative());
        (exact.words[0], exact.words[1], exact.len) = (shifted as u64, (shifted >> 64) as u64, 2);
        exact.trimmed()
    }

    pub fn sign(&self) -> Ordering {
        match (self.len, self.negative) {
            (0, _) => Ordering::Equal,
            (_, true) => Ordering::Less,
            (_, false) => Ordering::Greater,
        }
    }

    pub fn abs(mut self) -> Self {
        self.negative = false;
        self
    }

    /// Removes zero words at both ends.
    fn trimmed(mut self) -> Self {
        while self.len > 0 && self.words[self.len - 1] == 0 {
            self.len -= 1;
        }
        let zeros = self.words[..self.len].iter().take_while(|&&word| word == 0).count();
        if zeros > 0 {
            self.words.copy_within(zeros..self.len, 0);
            self.words[self.len - zeros..self.len].fill(0);
            self.len -= zeros;
            self.exponent += zeros as i32;
        }
        self
    }

    /// The least power of 2^64 above the number.
    fn top(&self) -> i32 {
        self.exponent + self.len as i32
    }

    /// The word at an absolute position, zero outside the number.
    fn word(&self, position: i32) -> u64 {
        let index = position - self.exponent;
        if (0..self.len as i32).contains(&index) { self.words[index as usize] } else { 0 }
    }

    fn compare_magnitude(&self, other: &Exact) -> Ordering {
        if self.len == 0 || other.len == 0 {
            return self.len.cmp(&other.len);
        }
        let bottom = self.exponent.min(other.exponent);
        self.top().cmp(&other.top()).then_with(|| {
            let words = (bottom..self.top()).rev().map(|i| self.word(i).cmp(&other.word(i)));
            words.fold(Ordering::Equal, Ordering::then)
        })
    }

    /// `|self| + |other|`, or `|self| - |other|` where that is not negative; with the sign of
    /// `self`.
    fn combined(&self, other: &Exact, subtract: bool) -> Exact {
        let bottom = self.exponent.min(other.exponent);
        let mut sum = Exact::zero();
        (sum.exponent, sum.negative) = (bottom, self.negative);
        sum.len = (self.top().max(other.top()) - bottom) as usize;
        let mut carry = false;
        for index in 0..sum.len {
            let (a, b) = (self.word(bottom + index as i32), other.word(bottom + index as i32));
            let (x, over) = if subtract { a.overflowing_sub(b) } else { a.overflowing_add(b) };
            let carried = u64::from(carry);
            let (y, again) =
                if subtract { x.overflowing_sub(carried) } else { x.overflowing_add(carried) };
            (sum.words[index], carry) = (y, over || again);
        }
        if carry {
            sum.words[sum.len] = 1;
            sum.len += 1;
        }
        sum.trimmed()
    }
}

impl Add for &Exact {
    type Output = Exact;
    fn add(self, other: &Exact) -> Exact {
        if self.len == 0 {
            return other.clone();
        }
        if other.len == 0 {
            return self.clone();
        }
        match (self.negative == other.negative, self.compare_magnitude(other)) {
            (true, _) => self.combined(other, false),
            (false, Ordering::Less) => other.combined(self, true),
            (false, _) => self.combined(other, true),
        }
    }
}

impl Sub for &Exact {
    type Output = Exact;
    fn sub(self, other: &Exact) -> Exact {
        self + &-other.clone()
    }
}

impl Neg for Exact {
    type Output = Exact;
    fn neg(mut self) -> Exact {
        self.negative = !self.negative;
        self
    }
}

impl Mul for &Exact {
    type Output = Exact;
    fn mul(self, other: &Exact) -> Exact {
        let mut product = Exact::zero();
        product.negative = self.negative != other.negative;
        product.exponent = self.exponent + other.exponent;
        product.len = self.len + other.len;
        for (i, &a) in self.words[..self.len].iter().enumerate() {
            let mut carry = 0;
            for (j, &b) in other.words[..other.len].iter().enumerate() {
                let slot = &mut product.words[i + j];
                let sum = u128::from(a) * u128::from(b) + u128::from(*slot) + carry;
                (*slot, carry) = (sum as u64, sum >> 64);
            }
            product.words[i + other.len] = carry as u64;
        }
        product.trimmed()
    }
}

/// An exact vector or point.
pub(crate) type ExactVec = [Exact; 3];

/// Converts a vector of finite doubles, exactly.
pub(crate) fn exact(v: [f64; 3]) -> ExactVec {
    v.map(Exact::new)
}

pub(crate) fn add(a: &ExactVec, b: &ExactVec) -> ExactVec {
    std::array::from_fn(|i| &a[i] + &b[i])
}

pub(crate) fn sub(a: &ExactVec, b: &ExactVec) -> ExactVec {
    std::array::from_fn(|i| &a[i] - &b[i])
}

pub(crate) fn scale(a: &ExactVec, s: &Exact) -> ExactVec {
    std::array::from_fn(|i| &a[i] * s)
}

pub(crate) fn dot(a: &ExactVec, b: &ExactVec) -> Exact {
    &(&(&a[0] * &b[0]) + &(&a[1] * &b[1])) + &(&a[2] * &b[2])
}

pub(crate) fn cross(a: &ExactVec, b: &ExactVec) -> ExactVec {
    std::array::from_fn(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        &(&a[j] * &b[k]) - &(&a[k] * &b[j])
    })
}

/// The eight corners of the parallelepiped `center + sum of s_i half_i axes_i`, `|s_i| <= 1`; bit
/// `i` of the index selects the end of axis `i`.
pub(crate) fn corners(center: &ExactVec, axes: &[ExactVec; 3], half: [f64; 3]) -> [ExactVec; 8] {
    let steps: [ExactVec; 3] = std::array::from_fn(|k| scale(&axes[k], &Exact::new(half[k])));
    std::array::from_fn(|index| {
        (0..3).fold(center.clone(), |p, k| match index >> k & 1 {
            1 => add(&p, &steps[k]),
            _ => sub(&p, &steps[k]),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::num::chance::Chance;

    #[test]
    fn keeps_what_doubles_lose() {
        let (big, small) = (Exact::new(1e30), Exact::new(1e-30));
        let sum = &(&big + &small) - &big;
        assert_eq!((&sum - &small).sign(), Ordering::Equal);
        let third = Exact::new(1.0 / 3.0);
        let product = &(&third * &Exact::new(3.0)) - &Exact::new(1.0);
        assert_eq!(product.sign(), Ordering::Less);
        assert_eq!((-product).abs().sign(), Ordering::Greater);
    }

    #[test]
    fn binomial_formula_holds_exactly() {
        for (a, b) in [(0.1, 1e17 / 3.0), (5e-324, 1e300), (-7e-200, 3e-310), (0.0, -2.0)] {
            let (a, b) = (Exact::new(a), Exact::new(b));
            let left = &(&a + &b) * &(&a - &b);
            let right = &(&a * &a) - &(&b * &b);
            assert_eq!((&left - &right).sign(), Ordering::Equal);
        }
    }

    #[test]
    fn agrees_with_long_integers() {
        let mut chance = Chance(1);
        let mut next = || chance.below(1 << 44) as i64 - (1 << 43);
        for _ in 0..2_000 {
            let (a, b, c) = (next(), next(), next());
            let exact = |x: i64| Exact::new(x as f64);
            let found = &(&exact(a) * &exact(b)) - &(&exact(c) * &exact(1 << 40));
            let expected = i128::from(a) * i128::from(b) - (i128::from(c) << 40);
            assert_eq!(found.sign(), expected.cmp(&0));
            let halves = &exact((expected >> 50) as i64) * &exact(1 << 50);
            let rest = &exact((expected & ((1 << 50) - 1)) as i64) + &halves;
            assert_eq!((&found - &rest).sign(), Ordering::Equal);
        }
    }

    #[test]
    fn the_longest_product_fits() {
        let least = Exact::new(f64::from_bits(1));
        let wide = &Exact::new(1e75) + &least;
        let direction =
            (0..4).fold(least.clone(), |product, _| &product * &(&least + &Exact::new(1.0)));
        let corner = (0..4).fold(&wide * &(&Exact::new(1e75) + &least), |product, _| {
            &product * &(&least + &Exact::new(1.0))
        });
        let axis = &direction * &(&direction + &Exact::new(1.0));
        assert_eq!((&axis * &corner).sign(), Ordering::Greater);
    }
}
