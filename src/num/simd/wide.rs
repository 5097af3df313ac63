//! Machine registers as lanes.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x4, f32x8, f64x4};

use super::{Coordinates, Doubles, Floats, Lanes, Zip};

/// A register of `f32`.
#[derive(Clone, Copy)]
pub struct WideFloats<S: Simd>(S::f32s);

/// Eight `f32`, independent of the width of a register.
#[derive(Clone, Copy)]
pub struct EightFloats<S: Simd>(f32x8<S>);

/// A register of `f64`.
#[derive(Clone, Copy)]
pub struct WideDoubles<S: Simd>(S::f64s);

/// Four `f64`, of which the fourth is unused; mostly zero, which is cheap to load.
#[derive(Clone, Copy)]
pub struct WideTriple<S: Simd>(f64x4<S>);

/// Four `f32`, of which the fourth is unused.
#[derive(Clone, Copy)]
pub struct SingleTriple<S: Simd>(f32x4<S>);

macro_rules! lanewise {
    ($lanes:ident: $($name:ident $method:ident $op:tt),*) => {$(
        impl<S: Simd> std::ops::$name for $lanes<S> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                $lanes(self.0 $op other.0)
            }
        }
    )*};
}

/// Implements [`Lanes`]. `$used`: bits of the lanes in use; `$fused`: method of the vector for
/// [`Lanes::times_plus`].
macro_rules! lanes {
    ($lanes:ident, $vector:ty, $element:ident, $used:expr $(, $fused:ident)?) => {
        lanewise!($lanes: Add add +, Sub sub -, Mul mul *, Div div /);

        impl<S: Simd> std::ops::Neg for $lanes<S> {
            type Output = Self;
            #[inline(always)]
            fn neg(self) -> Self {
                $lanes(-self.0)
            }
        }

        impl<S: Simd> Lanes for $lanes<S> {
            type Element = $element;
            type Token = S;
            type Mask = <$vector as SimdBase<S>>::Mask;
            const LEN: usize = <$vector>::LEN;
            const ALL: u32 = ((1 << <$vector>::LEN) - 1) & $used;

            #[inline(always)]
            fn splat(token: S, value: $element) -> Self {
                $lanes(<$vector>::splat(token, value))
            }
            #[inline(always)]
            fn load(token: S, values: &[$element]) -> Self {
                $lanes(<$vector>::from_slice(token, &values[..<$vector>::LEN]))
            }
            #[inline(always)]
            fn store(self, values: &mut [$element]) {
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
            $(
                #[inline(always)]
                fn times_plus(self, by: Self, more: Self) -> Self {
                    $lanes(self.0.$fused(by.0, more.0))
                }
            )?
            #[inline(always)]
            fn low(self, other: Self) -> Self {
                $lanes(self.0.min(other.0))
            }
            #[inline(always)]
            fn high(self, other: Self) -> Self {
                $lanes(self.0.max(other.0))
            }
            #[inline(always)]
            fn above(self, other: Self) -> Self::Mask {
                self.0.simd_gt(other.0)
            }
            #[inline(always)]
            fn at_most(self, other: Self) -> Self::Mask {
                self.0.simd_le(other.0)
            }
            #[inline(always)]
            fn equals(self, other: Self) -> Self::Mask {
                self.0.simd_eq(other.0)
            }
            #[inline(always)]
            fn choose(mask: Self::Mask, yes: Self, no: Self) -> Self {
                $lanes(mask.select(yes.0, no.0))
            }
            #[inline(always)]
            fn both(a: Self::Mask, b: Self::Mask) -> Self::Mask {
                a & b
            }
            #[inline(always)]
            fn either(a: Self::Mask, b: Self::Mask) -> Self::Mask {
                a | b
            }
            #[inline(always)]
            fn not(mask: Self::Mask) -> Self::Mask {
                !mask
            }
            #[inline(always)]
            fn bits(mask: Self::Mask) -> u32 {
                mask.to_bitmask() as u32 & $used
            }
        }
    };
}
lanes!(WideFloats, S::f32s, f32, u32::MAX);
lanes!(EightFloats, f32x8<S>, f32, u32::MAX);
lanes!(WideDoubles, S::f64s, f64, u32::MAX);
lanes!(WideTriple, f64x4<S>, f64, 0b111);
lanes!(SingleTriple, f32x4<S>, f32, 0b111, mul_add);

macro_rules! zip {
    ($($lanes:ident),*) => {$(
        impl<S: Simd> Zip for $lanes<S> {
            #[inline(always)]
            fn zip(self, other: Self) -> (Self, Self) {
                let (low, high) = self.0.interleave(other.0);
                ($lanes(low), $lanes(high))
            }
        }
    )*};
}
zip!(WideFloats, EightFloats, WideDoubles);

impl<S: Simd> Floats for WideFloats<S> {}
impl<S: Simd> Floats for EightFloats<S> {}
impl<S: Simd> Doubles for WideDoubles<S> {}

macro_rules! triples {
    ($($lanes:ident, $element:ident;)*) => {$(
        impl<S: Simd> Coordinates for $lanes<S> {
            #[inline(always)]
            fn from_numbers(token: S, [x, y, z]: [$element; 3]) -> Self {
                $lanes([x, y, z, 0.0].simd_into(token))
            }
            #[inline(always)]
            fn numbers(self) -> [$element; 3] {
                let [x, y, z, _] = self.0.into();
                [x, y, z]
            }
            #[inline(always)]
            fn rotate_lanes(self, token: S) -> Self {
                let [x, y, z, other]: [$element; 4] = self.0.into();
                $lanes([y, z, x, other].simd_into(token))
            }
            #[inline(always)]
            fn rotate_lanes_back(self, token: S) -> Self {
                let [x, y, z, other]: [$element; 4] = self.0.into();
                $lanes([z, x, y, other].simd_into(token))
            }
            #[inline(always)]
            fn transposed(_: S, [x, y, z]: [Self; 3]) -> [Self; 3] {
                let (x, y, z) = (x.0, y.0, z.0);
                let low = [x.zip_low(z), y.zip_low(x)];
                let high = [x.zip_high(z), y.zip_high(x)];
                [
                    $lanes(low[0].zip_low(low[1])),
                    $lanes(low[0].zip_high(low[1])),
                    $lanes(high[0].zip_low(high[1])),
                ]
            }
        }
    )*};
}
triples!(WideTriple, f64; SingleTriple, f32;);
