//! SIMD lanes of `f64`: generic code runs one number at a time or a register at a time. The same
//! operations in the same order give the same bits in each lane, whatever the width.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::Scalar;

/// Lanes of `f64` that never mix. Comparisons with NaN are false.
pub(crate) trait Doubles:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// Proof that the machine has the instructions.
    type Token: Copy;
    /// A Boolean for each lane.
    type Mask: Copy;
    /// Number of lanes; at most [`MOST`].
    const LEN: usize;
    fn splat(token: Self::Token, value: f64) -> Self;
    /// Loads the first [`Doubles::LEN`] of the slice.
    fn load(token: Self::Token, values: &[f64]) -> Self;
    fn store(self, values: &mut [f64]);
    fn abs(self) -> Self;
    fn sqrt(self) -> Self;
    fn above(self, other: Self) -> Self::Mask;
    fn within(self, other: Self) -> Self::Mask;
    fn equals(self, other: Self) -> Self::Mask;
    fn choose(mask: Self::Mask, yes: Self, no: Self) -> Self;
    fn both(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    fn none(mask: Self::Mask) -> bool;
    /// Whether no lane is set and that is worth a branch: always false for several lanes, where
    /// going on costs less than asking.
    fn idle(mask: Self::Mask) -> bool;

    /// The lesser number; of two zeros either.
    #[inline(always)]
    fn low(self, other: Self) -> Self {
        self.lesser(other)
    }

    /// The greater number; of two zeros either.
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

    /// Rounds each lane to the nearest value of `T`.
    #[inline(always)]
    fn rounded<T: Scalar>(self, token: Self::Token) -> Self {
        let mut values = [0.0; MOST];
        self.store(&mut values);
        for value in &mut values {
            *value = T::nearest(*value).wide();
        }
        Self::load(token, &values)
    }

    /// Rounds each lane up to the least value of `T` that is not below.
    #[inline(always)]
    fn rounded_up<T: Scalar>(self, token: Self::Token) -> Self {
        let mut values = [0.0; MOST];
        self.store(&mut values);
        for value in &mut values {
            *value = T::at_least(*value).wide();
        }
        Self::load(token, &values)
    }

    /// Loads the first [`Doubles::LEN`] of the slice, exact in double precision.
    #[inline(always)]
    fn widened<T: Scalar>(token: Self::Token, values: &[T]) -> Self {
        let mut wide = [0.0; MOST];
        for (wide, value) in wide[..Self::LEN].iter_mut().zip(&values[..Self::LEN]) {
            *wide = value.wide();
        }
        Self::load(token, &wide)
    }

    /// Loads every `step`-th value of the slice, exact in double precision; zeros beyond its end.
    #[inline(always)]
    fn sampled<T: Scalar>(token: Self::Token, values: &[T], step: usize) -> Self {
        let mut wide = [0.0; MOST];
        for (wide, value) in wide[..Self::LEN].iter_mut().zip(values.iter().step_by(step)) {
            *wide = value.wide();
        }
        Self::load(token, &wide)
    }
}

/// The most lanes of any [`Doubles`].
pub(crate) const MOST: usize = 8;

impl Doubles for f64 {
    type Token = ();
    type Mask = bool;
    const LEN: usize = 1;

    #[inline(always)]
    fn splat((): (), value: f64) -> Self {
        value
    }
    #[inline(always)]
    fn load((): (), values: &[f64]) -> Self {
        values[0]
    }
    #[inline(always)]
    fn store(self, values: &mut [f64]) {
        values[0] = self;
    }
    #[inline(always)]
    fn abs(self) -> Self {
        f64::abs(self)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        f64::sqrt(self)
    }
    #[inline(always)]
    fn above(self, other: Self) -> bool {
        self > other
    }
    #[inline(always)]
    fn within(self, other: Self) -> bool {
        self <= other
    }
    #[inline(always)]
    fn equals(self, other: Self) -> bool {
        self == other
    }
    #[inline(always)]
    fn choose(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }
    #[inline(always)]
    fn both(a: bool, b: bool) -> bool {
        a & b
    }
    #[inline(always)]
    fn none(mask: bool) -> bool {
        !mask
    }
    #[inline(always)]
    fn idle(mask: bool) -> bool {
        !mask
    }
    #[inline(always)]
    fn rounded<T: Scalar>(self, (): ()) -> Self {
        T::nearest(self).wide()
    }
    #[inline(always)]
    fn rounded_up<T: Scalar>(self, (): ()) -> Self {
        T::at_least(self).wide()
    }
}

/// A computation generic over the number of lanes, run by [`SimdLevel`](super::SimdLevel). All it
/// calls has to be `#[inline(always)]`, and no closure.
pub(crate) trait Kernel {
    fn run<D: Doubles>(self, token: D::Token);
}

#[cfg(feature = "simd")]
pub(super) mod wide {
    use fearless_simd::Simd;
    use fearless_simd::prelude::*;

    use super::Doubles;
    use crate::num::lanewise::lanewise;

    #[derive(Clone, Copy)]
    pub struct Wide<S: Simd>(S::f64s);

    lanewise!(Wide);

    impl<S: Simd> Doubles for Wide<S> {
        type Token = S;
        type Mask = <S::f64s as SimdBase<S>>::Mask;
        const LEN: usize = S::f64s::LEN;

        #[inline(always)]
        fn splat(token: S, value: f64) -> Self {
            Wide(S::f64s::splat(token, value))
        }
        #[inline(always)]
        fn load(token: S, values: &[f64]) -> Self {
            Wide(S::f64s::from_slice(token, &values[..S::f64s::LEN]))
        }
        #[inline(always)]
        fn store(self, values: &mut [f64]) {
            self.0.store_slice(&mut values[..S::f64s::LEN]);
        }
        #[inline(always)]
        fn abs(self) -> Self {
            Wide(self.0.abs())
        }
        #[inline(always)]
        fn sqrt(self) -> Self {
            Wide(self.0.sqrt())
        }
        #[inline(always)]
        fn low(self, other: Self) -> Self {
            Wide(self.0.min(other.0))
        }
        #[inline(always)]
        fn high(self, other: Self) -> Self {
            Wide(self.0.max(other.0))
        }
        #[inline(always)]
        fn above(self, other: Self) -> Self::Mask {
            self.0.simd_gt(other.0)
        }
        #[inline(always)]
        fn within(self, other: Self) -> Self::Mask {
            self.0.simd_le(other.0)
        }
        #[inline(always)]
        fn equals(self, other: Self) -> Self::Mask {
            self.0.simd_eq(other.0)
        }
        #[inline(always)]
        fn choose(mask: Self::Mask, yes: Self, no: Self) -> Self {
            Wide(mask.select(yes.0, no.0))
        }
        #[inline(always)]
        fn both(a: Self::Mask, b: Self::Mask) -> Self::Mask {
            a & b
        }
        #[inline(always)]
        fn none(mask: Self::Mask) -> bool {
            mask.to_bitmask() == 0
        }
        #[inline(always)]
        fn idle(_: Self::Mask) -> bool {
            false
        }
    }
}
