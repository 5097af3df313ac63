//! SIMD lanes of `f32`: generic code runs one number at a time or a register at a time.
//!
//! A prefilter in lanes reports only results that are certain beyond rounding and leaves the rest
//! to the deciding double precision test: so no instruction set, width or order of operations can
//! change an answer.

use std::ops::{Add, BitAnd, Div, Mul, Sub};

/// Lanes of `f32` that never mix. Comparisons with NaN are false.
pub(crate) trait Lanes:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    /// Proof that the machine has the instructions.
    type Token: Copy;
    /// A Boolean for each lane.
    type Mask: Copy + BitAnd<Output = Self::Mask>;
    /// Number of lanes; at most 16.
    const LEN: usize;
    fn splat(token: Self::Token, value: f32) -> Self;
    /// Loads the first [`Lanes::LEN`] of the slice.
    fn load(token: Self::Token, values: &[f32]) -> Self;
    /// Writes the first [`Lanes::LEN`] of the slice.
    fn store(self, values: &mut [f32]);
    fn abs(self) -> Self;
    /// The square root, correctly rounded.
    fn sqrt(self) -> Self;
    fn larger(self, other: Self) -> Self;
    fn smaller(self, other: Self) -> Self;
    fn above(self, other: Self) -> Self::Mask;
    fn within(self, other: Self) -> Self::Mask;
    fn either(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    fn choose(mask: Self::Mask, yes: Self, no: Self) -> Self;
    /// Interleaves the two vectors' lanes: their first halves, then their second halves.
    fn zip(self, other: Self) -> (Self, Self);
    /// The mask as bits, the first lane lowest.
    fn bits(mask: Self::Mask) -> u32;
}

impl Lanes for f32 {
    type Token = ();
    type Mask = bool;
    const LEN: usize = 1;

    #[inline(always)]
    fn splat((): (), value: f32) -> Self {
        value
    }
    #[inline(always)]
    fn load((): (), values: &[f32]) -> Self {
        values[0]
    }
    #[inline(always)]
    fn store(self, values: &mut [f32]) {
        values[0] = self;
    }
    #[inline(always)]
    fn abs(self) -> Self {
        f32::abs(self)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        f32::sqrt(self)
    }
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        if other > self { other } else { self }
    }
    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        if other < self { other } else { self }
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
    fn either(a: bool, b: bool) -> bool {
        a | b
    }
    #[inline(always)]
    fn choose(mask: bool, yes: Self, no: Self) -> Self {
        if mask { yes } else { no }
    }
    #[inline(always)]
    fn zip(self, other: Self) -> (Self, Self) {
        (self, other)
    }
    #[inline(always)]
    fn bits(mask: bool) -> u32 {
        u32::from(mask)
    }
}

/// A computation generic over the number of lanes, run by [`SimdLevel`](super::SimdLevel). All it
/// calls has to be `#[inline(always)]`.
pub(crate) trait Kernel {
    type Output;
    fn run<L: Lanes>(self, token: L::Token) -> Self::Output;
}

#[cfg(feature = "simd")]
pub(super) mod wide {
    use fearless_simd::prelude::*;
    use fearless_simd::{Simd, f32x8};

    use super::Lanes;
    use crate::num::lanewise::lanewise;

    /// A native register of the SIMD level.
    #[derive(Clone, Copy)]
    pub struct Wide<S: Simd>(S::f32s);

    /// Eight lanes, whatever the width of a register.
    #[derive(Clone, Copy)]
    pub struct Eight<S: Simd>(f32x8<S>);

    macro_rules! lanes {
        ($lanes:ident, $vector:ty) => {
            lanewise!($lanes);

            impl<S: Simd> Lanes for $lanes<S> {
                type Token = S;
                type Mask = <$vector as SimdBase<S>>::Mask;
                const LEN: usize = <$vector>::LEN;

                #[inline(always)]
                fn splat(token: S, value: f32) -> Self {
                    $lanes(<$vector>::splat(token, value))
                }
                #[inline(always)]
                fn load(token: S, values: &[f32]) -> Self {
                    $lanes(<$vector>::from_slice(token, &values[..<$vector>::LEN]))
                }
                #[inline(always)]
                fn store(self, values: &mut [f32]) {
                    self.0.store_slice(&mut values[..<$vector>::LEN]);
                }
                #[inline(always)]
                fn abs(self) -> Self {
                    $lanes(self.0.abs())
                }
                #[inline(always)]
                fn sqrt(self) -> Self {
                    $lanes(self.0.sqrt())
                }
                #[inline(always)]
                fn larger(self, other: Self) -> Self {
                    $lanes(self.0.max(other.0))
                }
                #[inline(always)]
                fn smaller(self, other: Self) -> Self {
                    $lanes(self.0.min(other.0))
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
                fn either(a: Self::Mask, b: Self::Mask) -> Self::Mask {
                    a | b
                }
                #[inline(always)]
                fn choose(mask: Self::Mask, yes: Self, no: Self) -> Self {
                    $lanes(mask.select(yes.0, no.0))
                }
                #[inline(always)]
                fn zip(self, other: Self) -> (Self, Self) {
                    let (low, high) = self.0.interleave(other.0);
                    ($lanes(low), $lanes(high))
                }
                #[inline(always)]
                fn bits(mask: Self::Mask) -> u32 {
                    mask.to_bitmask() as u32
                }
            }
        };
    }
    lanes!(Wide, S::f32s);
    lanes!(Eight, f32x8<S>);
}
