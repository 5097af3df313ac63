//! Exact sums and products of doubles, for predicates and checks without tolerance.
//!
//! A value is an integer times a power of 2^64. Nothing is lost and nothing underflows. Numbers of
//! more than [`INLINE_WORDS`] words reuse buffers that each thread pools.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::ops::{Add, Deref, DerefMut, Mul, Neg, Sub};

/// Length of the longest product formed, in 64-bit words.
///
/// The least bit of a double is 2^-1074. A corner of a box in the frame of another part, over the
/// common denominator `|q_A|^2 |q_B|^2`, is a sum of products of six doubles (four of quaternions,
/// an axis, an extent); a direction is one of five. An axis of the test crosses two directions:
/// with 16 doubles, 17,184 bits are below one. Above one are three lengths under 2^251 and some
/// sums: 800 bits.
const MAX_WORDS: usize = 288;

/// Words stored without a buffer. The triangles of characters need 8 at most.
const INLINE_WORDS: usize = 12;

/// An exact number: `(-1)^negative * sum of words[i] 2^(64 (i + exponent))`, without zero words at
/// either end; zero has none.
pub(crate) struct Exact {
    /// The first `len` words count; others are not read.
    words: WordStorage,
    len: usize,
    exponent: i32,
    negative: bool,
}

/// Storage of the words of a number. Inline when short: most numbers are, and they are moved and
/// copied often.
enum WordStorage {
    Inline([u64; INLINE_WORDS]),
    Pooled(PooledWords),
}

impl WordStorage {
    /// Returns at least `len` words of zero.
    fn zeros(len: usize) -> Self {
        if len <= INLINE_WORDS {
            WordStorage::Inline([0; INLINE_WORDS])
        } else {
            WordStorage::Pooled(PooledWords::zeros(len))
        }
    }
}

impl Deref for WordStorage {
    type Target = [u64];
    fn deref(&self) -> &[u64] {
        match self {
            WordStorage::Inline(words) => words,
            WordStorage::Pooled(long) => &long.0,
        }
    }
}

impl DerefMut for WordStorage {
    fn deref_mut(&mut self) -> &mut [u64] {
        match self {
            WordStorage::Inline(words) => words,
            WordStorage::Pooled(long) => &mut long.0,
        }
    }
}

thread_local! {
    /// Buffers of dropped long numbers, for reuse.
    static POOLED_BUFFERS: RefCell<Vec<Box<[u64]>>> = const { RefCell::new(Vec::new()) };
}

/// A buffer of [`MAX_WORDS`] words, from the pool of the thread and returned to it.
struct PooledWords(Box<[u64]>);

impl PooledWords {
    /// Takes a buffer whose first `len` words are zero.
    fn zeros(len: usize) -> Self {
        match POOLED_BUFFERS.try_with(|spare| spare.borrow_mut().pop()) {
            Ok(Some(mut words)) => {
                // A number has some twenty words: clearing all of the buffer would take longer
                // than the arithmetic.
                words[..len].fill(0);
                PooledWords(words)
            }
            _ => PooledWords(vec![0; MAX_WORDS].into_boxed_slice()),
        }
    }
}

impl Drop for PooledWords {
    fn drop(&mut self) {
        let words = std::mem::take(&mut self.0);
        // The pool is gone while a thread ends; the buffer is freed then.
        let _ = POOLED_BUFFERS.try_with(|spare| spare.borrow_mut().push(words));
    }
}

impl Clone for Exact {
    fn clone(&self) -> Self {
        let mut copy = Exact::zeros(self.len);
        (copy.exponent, copy.negative) = (self.exponent, self.negative);
        copy.words[..self.len].copy_from_slice(&self.words[..self.len]);
        copy
    }
}

impl Exact {
    pub fn zero() -> Self {
        Exact::zeros(0)
    }

    /// Creates a number of `len` zero words, to be filled and trimmed.
    fn zeros(len: usize) -> Self {
        Exact { words: WordStorage::zeros(len), len, exponent: 0, negative: false }
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
        exact.trim();
        exact
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
    fn trim(&mut self) {
        let words = &mut *self.words;
        let len = words[..self.len].iter().rposition(|&word| word != 0).map_or(0, |last| last + 1);
        let zeros = words[..len].iter().take_while(|&&word| word == 0).count();
        if zeros > 0 {
            words.copy_within(zeros..len, 0);
        }
        self.len = len - zeros;
        self.exponent += zeros as i32;
    }

    /// Exponent of the least power of 2^64 above the number.
    fn top_exponent(&self) -> i32 {
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
        self.top_exponent().cmp(&other.top_exponent()).then_with(|| {
            let mut words =
                (bottom..self.top_exponent()).rev().map(|i| self.word(i).cmp(&other.word(i)));
            words.find(|word| word.is_ne()).unwrap_or(Ordering::Equal)
        })
    }

    /// Returns the sum with a number of the magnitude of `other` and the given sign.
    fn signed_sum(&self, other: &Exact, negative: bool) -> Exact {
        match (self.len, other.len) {
            (_, 0) => self.clone(),
            (0, _) => Exact { negative, ..other.clone() },
            _ if self.negative == negative => self.combined_magnitude(other, false),
            _ if self.compare_magnitude(other).is_lt() => {
                Exact { negative, ..other.combined_magnitude(self, true) }
            }
            _ => self.combined_magnitude(other, true),
        }
    }

    /// Returns `|self| + |other|`, or `|self| - |other|` if that is not negative, with the sign of
    /// `self`.
    fn combined_magnitude(&self, other: &Exact, subtract: bool) -> Exact {
        let bottom = self.exponent.min(other.exponent);
        let len = (self.top_exponent().max(other.top_exponent()) - bottom) as usize;
        let mut sum = Exact::zeros(len + 1);
        (sum.exponent, sum.negative) = (bottom, self.negative);
        let words = &mut sum.words[..=len];
        let place = |number: &Exact| (number.exponent - bottom) as usize;
        words[place(self)..][..self.len].copy_from_slice(&self.words[..self.len]);
        let combine = if subtract { u64::overflowing_sub } else { u64::overflowing_add };
        let mut carry = false;
        let (beside, above) = words[place(other)..].split_at_mut(other.len);
        for (word, &b) in beside.iter_mut().zip(&other.words[..other.len]) {
            let (x, over) = combine(*word, b);
            let (y, again) = combine(x, u64::from(carry));
            (*word, carry) = (y, over || again);
        }
        for word in above {
            (*word, carry) = combine(*word, u64::from(carry));
        }
        sum.trim();
        sum
    }
}

impl Add for &Exact {
    type Output = Exact;
    fn add(self, other: &Exact) -> Exact {
        self.signed_sum(other, other.negative)
    }
}

impl Sub for &Exact {
    type Output = Exact;
    fn sub(self, other: &Exact) -> Exact {
        self.signed_sum(other, !other.negative)
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
        let mut product = Exact::zeros(self.len + other.len);
        product.negative = self.negative != other.negative;
        product.exponent = self.exponent + other.exponent;
        let (words, factor) = (&mut *product.words, &other.words[..other.len]);
        for (i, &a) in self.words[..self.len].iter().enumerate() {
            let mut carry = 0;
            let (slots, above) = words[i..].split_at_mut(factor.len());
            for (slot, &b) in slots.iter_mut().zip(factor) {
                let sum = u128::from(a) * u128::from(b) + u128::from(*slot) + carry;
                (*slot, carry) = (sum as u64, sum >> 64);
            }
            above[0] = carry as u64;
        }
        product.trim();
        product
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

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;
    use crate::num::SplitMix64;

    pub fn keeps_what_doubles_lose() {
        let (big, small) = (Exact::new(1e30), Exact::new(1e-30));
        let sum = &(&big + &small) - &big;
        assert_eq!((&sum - &small).sign(), Ordering::Equal);
        let third = Exact::new(1.0 / 3.0);
        let product = &(&third * &Exact::new(3.0)) - &Exact::new(1.0);
        assert_eq!(product.sign(), Ordering::Less);
        assert_eq!((-product).abs().sign(), Ordering::Greater);
    }

    pub fn binomial_formula_holds_exactly() {
        for (a, b) in [(0.1, 1e17 / 3.0), (5e-324, 1e300), (-7e-200, 3e-310), (0.0, -2.0)] {
            let (a, b) = (Exact::new(a), Exact::new(b));
            let left = &(&a + &b) * &(&a - &b);
            let right = &(&a * &a) - &(&b * &b);
            assert_eq!((&left - &right).sign(), Ordering::Equal);
        }
    }

    pub fn agrees_with_long_integers() {
        let mut chance = SplitMix64(1);
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

    pub fn the_longest_product_fits() {
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

    pub fn long_numbers_use_the_room_of_those_that_are_no_more() {
        let spare = || POOLED_BUFFERS.with(|spare| spare.borrow().len());
        let ask = || {
            let long = &Exact::new(1e300) + &Exact::new(f64::from_bits(1));
            let square = &(&long * &long) - &(&long * &Exact::new(1e300));
            assert_eq!(
                (&square - &(&long * &Exact::new(f64::from_bits(1)))).sign(),
                Ordering::Equal
            );
        };
        ask();
        let first = spare();
        (0..10).for_each(|_| ask());
        assert!(first > 0 && spare() == first, "{first}, then {}", spare());
    }
}
