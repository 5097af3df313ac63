//! Exact sums and products, for checks that allow no tolerance.
//!
//! Source: Shewchuk, Adaptive Precision Floating-Point Arithmetic (1997): a number is kept as a sum of
//! non-overlapping doubles. Exact unless a product underflows (coordinates below about 1e-140).

use std::cmp::Ordering;
use std::ops::{Add, Mul, Neg, Sub};

/// A number as a sum of doubles, least first.
#[derive(Debug, Clone)]
pub(crate) struct Exact(Vec<f64>);

impl Exact {
    pub fn new(value: f64) -> Self {
        Exact(vec![value])
    }

    /// The largest component has the sign of the sum.
    pub fn sign(&self) -> Ordering {
        let largest = self.0.iter().rev().find(|&&part| part != 0.0).copied().unwrap_or(0.0);
        largest.total_cmp(&0.0)
    }

    pub fn abs(self) -> Self {
        if self.sign() == Ordering::Less { -self } else { self }
    }

    /// Adds one double: Shewchuk's grow-expansion, dropping zeros.
    fn grown(&self, value: f64) -> Self {
        let mut carry = value;
        let mut parts = Vec::with_capacity(self.0.len() + 1);
        for &part in &self.0 {
            let (sum, rest) = two_sum(carry, part);
            carry = sum;
            if rest != 0.0 {
                parts.push(rest);
            }
        }
        parts.push(carry);
        Exact(parts)
    }
}

/// `a + b` rounded, and what rounding lost. Source: Knuth's TwoSum.
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let b_part = sum - a;
    let a_part = sum - b_part;
    (sum, (a - a_part) + (b - b_part))
}

impl Add for &Exact {
    type Output = Exact;
    fn add(self, other: &Exact) -> Exact {
        other.0.iter().fold(self.clone(), |sum, &part| sum.grown(part))
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
        self.0.iter_mut().for_each(|part| *part = -*part);
        self
    }
}

impl Mul for &Exact {
    type Output = Exact;
    fn mul(self, other: &Exact) -> Exact {
        let mut sum = Exact::new(0.0);
        for &a in &self.0 {
            for &b in &other.0 {
                let product = a * b;
                // Fused on purpose: it gives what rounding lost, exactly. Nothing here decides a query.
                sum = sum.grown(a.mul_add(b, -product)).grown(product);
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let (a, b) = (Exact::new(0.1), Exact::new(1e17 / 3.0));
        let left = &(&a + &b) * &(&a - &b);
        let right = &(&a * &a) - &(&b * &b);
        assert_eq!((&left - &right).sign(), Ordering::Equal);
    }
}
