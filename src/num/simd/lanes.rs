//! Vectors of lanes: traits of kernels, and the plain lanes.

use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::num::Scalar;

/// Independent lanes. Comparisons with NaN are false.
pub(crate) trait Lanes:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// `f32` or `f64`.
    type Element: Copy;
    /// Proof that the machine has the instructions.
    type Token: Copy;
    /// One Boolean a lane.
    type Mask: Copy;
    /// Number of lanes: at most [`MAX_FLOATS`] of `f32`, [`MAX_DOUBLES`] of `f64`.
    const LEN: usize;
    /// Bits of the mask that is set in all lanes.
    const ALL: u32 = (1 << Self::LEN) - 1;

    fn splat(token: Self::Token, value: Self::Element) -> Self;
    /// Loads the first [`Lanes::LEN`] of the slice.
    fn load(token: Self::Token, values: &[Self::Element]) -> Self;
    /// Writes the first [`Lanes::LEN`] of the slice.
    fn store(self, values: &mut [Self::Element]);
    fn abs(self) -> Self;
    /// The square root, correctly rounded.
    fn sqrt(self) -> Self;
    fn above(self, other: Self) -> Self::Mask;
    fn at_most(self, other: Self) -> Self::Mask;
    fn equals(self, other: Self) -> Self::Mask;
    fn choose(mask: Self::Mask, yes: Self, no: Self) -> Self;
    fn both(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    fn either(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    fn not(mask: Self::Mask) -> Self::Mask;
    /// The mask as bits, the first lane lowest.
    fn bits(mask: Self::Mask) -> u32;

    /// Returns `self * by + more`. Only three lanes of `f32`, which prefilter single pairs, may
    /// fuse the two operations. All others round twice: verdicts are equal on all machines, and so
    /// are counts of tests, which depend on what a prefilter decides.
    #[inline(always)]
    fn times_plus(self, by: Self, more: Self) -> Self {
        self * by + more
    }

    /// The lesser number; of two zeros either, unspecified for NaN.
    #[inline(always)]
    fn low(self, other: Self) -> Self {
        self.lesser(other)
    }

    /// The greater number; of two zeros either, unspecified for NaN.
    #[inline(always)]
    fn high(self, other: Self) -> Self {
        self.greater(other)
    }

    /// The lesser number; `self` if the other is NaN.
    #[inline(always)]
    fn lesser(self, other: Self) -> Self {
        Self::choose(self.above(other), other, self)
    }

    /// The greater number; `self` if the other is NaN.
    #[inline(always)]
    fn greater(self, other: Self) -> Self {
        Self::choose(other.above(self), other, self)
    }

    #[inline(always)]
    fn any(mask: Self::Mask) -> bool {
        Self::bits(mask) != 0
    }

    #[inline(always)]
    fn all(mask: Self::Mask) -> bool {
        Self::bits(mask) == Self::ALL
    }

    /// Returns `true` if no lane is set and a branch pays: always `false` for several lanes, where
    /// continuing is cheaper than branching.
    #[inline(always)]
    fn can_skip(mask: Self::Mask) -> bool {
        Self::LEN == 1 && !Self::any(mask)
    }
}

/// Lanes that can be interleaved.
pub(crate) trait Zip: Lanes {
    /// Interleaves the two vectors' lanes: their first halves, then their second halves.
    fn zip(self, other: Self) -> (Self, Self);
}

/// Lanes of `f32`.
pub(crate) trait Floats: Zip<Element = f32> {}

/// Lanes of `f64`.
pub(crate) trait Doubles: Zip<Element = f64> {
    /// Rounds each lane to the nearest value of `T`.
    #[inline(always)]
    fn rounded<T: Scalar>(self, token: Self::Token) -> Self {
        let mut values = [0.0; MAX_DOUBLES];
        self.store(&mut values);
        for value in &mut values[..Self::LEN] {
            *value = T::nearest(*value).wide();
        }
        Self::load(token, &values)
    }

    /// Rounds each lane up, to the least value of `T` that is not below it.
    #[inline(always)]
    fn rounded_up<T: Scalar>(self, token: Self::Token) -> Self {
        let mut values = [0.0; MAX_DOUBLES];
        self.store(&mut values);
        for value in &mut values[..Self::LEN] {
            *value = T::at_least(*value).wide();
        }
        Self::load(token, &values)
    }

    /// Loads the first [`Lanes::LEN`] values of the slice, converted exactly.
    #[inline(always)]
    fn widened<T: Scalar>(token: Self::Token, values: &[T]) -> Self {
        let mut wide = [0.0; MAX_DOUBLES];
        for (wide, value) in wide[..Self::LEN].iter_mut().zip(&values[..Self::LEN]) {
            *wide = value.wide();
        }
        Self::load(token, &wide)
    }

    /// Loads every `step`-th value of the slice, converted exactly; zeros beyond its end.
    #[inline(always)]
    fn sampled<T: Scalar>(token: Self::Token, values: &[T], step: usize) -> Self {
        let mut wide = [0.0; MAX_DOUBLES];
        for (wide, value) in wide[..Self::LEN].iter_mut().zip(values.iter().step_by(step)) {
            *wide = value.wide();
        }
        Self::load(token, &wide)
    }
}

/// Largest number of lanes of `f32`.
pub(crate) const MAX_FLOATS: usize = 16;

/// Largest number of lanes of `f64`.
pub(crate) const MAX_DOUBLES: usize = 8;

/// Three lanes, the coordinates of one vector. Only the methods of this trait mix lanes.
pub(crate) trait Coordinates: Lanes {
    fn from_numbers(token: Self::Token, numbers: [Self::Element; 3]) -> Self;
    fn numbers(self) -> [Self::Element; 3];

    /// Rotates the lanes: returns the second, the third, the first.
    #[inline(always)]
    fn rotate_lanes(self, token: Self::Token) -> Self {
        let [x, y, z] = self.numbers();
        Self::from_numbers(token, [y, z, x])
    }

    /// Rotates the lanes backward: returns the third, the first, the second.
    #[inline(always)]
    fn rotate_lanes_back(self, token: Self::Token) -> Self {
        let [x, y, z] = self.numbers();
        Self::from_numbers(token, [z, x, y])
    }

    /// Transposes a matrix.
    #[inline(always)]
    fn transposed(token: Self::Token, rows: [Self; 3]) -> [Self; 3] {
        let [[a, b, c], [d, e, f], [g, h, i]] = rows.map(Self::numbers);
        [
            Self::from_numbers(token, [a, d, g]),
            Self::from_numbers(token, [b, e, h]),
            Self::from_numbers(token, [c, f, i]),
        ]
    }
}

/// Three lanes of `f64`.
pub(crate) trait DoubleTriple: Coordinates<Element = f64> {}

impl<D: Coordinates<Element = f64>> DoubleTriple for D {}

/// A computation on lanes of `f32`, run by [`SimdLevel`](super::SimdLevel). Everything that a
/// kernel calls has to be `#[inline(always)]`, without closures.
pub(crate) trait FloatKernel {
    type Output;
    fn run<L: Floats>(self, token: L::Token) -> Self::Output;
}

/// A computation on lanes of `f64`.
pub(crate) trait DoubleKernel {
    type Output;
    fn run<D: Doubles>(self, token: D::Token) -> Self::Output;
}

/// A computation on vectors of three `f32`.
#[cfg(feature = "simd")]
pub(crate) trait FloatTripleKernel {
    type Output;
    fn run<V: Coordinates<Element = f32>>(self, token: V::Token) -> Self::Output;
}

/// A computation on vectors of three `f64`.
pub(crate) trait TripleKernel {
    type Output;
    fn run<D: DoubleTriple>(self, token: D::Token) -> Self::Output;
}
