//! SIMD lanes: generic code runs one number at a time or a register at a time.
//!
//! One trait, [`Lanes`], over the element and the width: registers of `f32` and of `f64` as wide as
//! the machine's, eight `f32`, three `f64` in a register of four, and plain numbers. The same
//! operations in the same order give the same bits in each lane, whatever the width: only
//! `+ - * / sqrt` and comparisons.
//!
//! What decides is in lanes of `f64`. A prefilter in lanes of `f32` reports only results that are
//! certain beyond rounding and leaves the rest to the deciding test: so no instruction set can
//! change an answer.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::Scalar;
use super::linear::Vec3;

/// Lanes that never mix. Comparisons with NaN are false.
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
    /// A Boolean for each lane.
    type Mask: Copy;
    /// Number of lanes; at most 16 of `f32`, [`MOST`] of `f64`.
    const LEN: usize;
    /// The bits of a mask that is set in all lanes.
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
    fn within(self, other: Self) -> Self::Mask;
    fn equals(self, other: Self) -> Self::Mask;
    fn choose(mask: Self::Mask, yes: Self, no: Self) -> Self;
    fn both(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    fn either(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    fn not(mask: Self::Mask) -> Self::Mask;
    /// The mask as bits, the first lane lowest.
    fn bits(mask: Self::Mask) -> u32;

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

    /// Whether no lane is set and that is worth a branch: always false for several lanes, where
    /// going on costs less than asking.
    #[inline(always)]
    fn idle(mask: Self::Mask) -> bool {
        Self::LEN == 1 && !Self::any(mask)
    }
}

/// Lanes of `f32`.
pub(crate) trait Floats: Lanes<Element = f32> {
    /// Interleaves the two vectors' lanes: their first halves, then their second halves.
    fn zip(self, other: Self) -> (Self, Self);
}

/// Lanes of `f64`.
pub(crate) trait Doubles: Lanes<Element = f64> {
    /// Rounds each lane to the nearest value of `T`.
    #[inline(always)]
    fn rounded<T: Scalar>(self, token: Self::Token) -> Self {
        let mut values = [0.0; MOST];
        self.store(&mut values);
        for value in &mut values[..Self::LEN] {
            *value = T::nearest(*value).wide();
        }
        Self::load(token, &values)
    }

    /// Rounds each lane up to the least value of `T` that is not below.
    #[inline(always)]
    fn rounded_up<T: Scalar>(self, token: Self::Token) -> Self {
        let mut values = [0.0; MOST];
        self.store(&mut values);
        for value in &mut values[..Self::LEN] {
            *value = T::at_least(*value).wide();
        }
        Self::load(token, &values)
    }

    /// Loads the first [`Lanes::LEN`] of the slice, exact in double precision.
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

/// The most lanes of `f64`.
pub(crate) const MOST: usize = 8;

/// Three lanes of `f64`, the coordinates of one vector, which mix only where a method says so.
pub(crate) trait Triple: Lanes<Element = f64> {
    fn of(token: Self::Token, numbers: Vec3) -> Self;
    fn numbers(self) -> Vec3;

    /// Rotates the lanes: the second, the third, the first.
    #[inline(always)]
    fn turned(self, token: Self::Token) -> Self {
        let [x, y, z] = self.numbers();
        Self::of(token, [y, z, x])
    }

    /// The sum of the lanes in their order.
    #[inline(always)]
    fn sum(self) -> f64 {
        let [x, y, z] = self.numbers();
        x + y + z
    }
}

/// A computation on lanes of `f32`, run by [`SimdLevel`](super::SimdLevel). All that a kernel calls
/// has to be `#[inline(always)]`, and no closure.
pub(crate) trait FloatKernel {
    type Output;
    fn run<L: Floats>(self, token: L::Token) -> Self::Output;
}

/// A computation on lanes of `f64`.
pub(crate) trait DoubleKernel {
    type Output;
    fn run<D: Doubles>(self, token: D::Token) -> Self::Output;
}

/// A computation on vectors of three `f64`.
pub(crate) trait TripleKernel {
    type Output;
    fn run<D: Triple>(self, token: D::Token) -> Self::Output;
}

macro_rules! plain {
    ($number:ident) => {
        impl Lanes for $number {
            type Element = $number;
            type Token = ();
            type Mask = bool;
            const LEN: usize = 1;

            #[inline(always)]
            fn splat((): (), value: $number) -> Self {
                value
            }
            #[inline(always)]
            fn load((): (), values: &[$number]) -> Self {
                values[0]
            }
            #[inline(always)]
            fn store(self, values: &mut [$number]) {
                values[0] = self;
            }
            #[inline(always)]
            fn abs(self) -> Self {
                $number::abs(self)
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                $number::sqrt(self)
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
            fn either(a: bool, b: bool) -> bool {
                a | b
            }
            #[inline(always)]
            fn not(mask: bool) -> bool {
                !mask
            }
            #[inline(always)]
            fn bits(mask: bool) -> u32 {
                u32::from(mask)
            }
        }
    };
}
plain!(f32);
plain!(f64);

impl Floats for f32 {
    #[inline(always)]
    fn zip(self, other: Self) -> (Self, Self) {
        (self, other)
    }
}

impl Doubles for f64 {}

/// Three scalars. Aligned like a register: a value kept on the stack is then aligned, and registers
/// spilled there otherwise are not.
#[derive(Debug, Clone, Copy)]
#[repr(align(32))]
pub(crate) struct PlainTriple(Vec3);

macro_rules! one_by_one {
    ($($name:ident $method:ident $op:tt),*) => {$(
        impl $name for PlainTriple {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                let (PlainTriple([x, y, z]), PlainTriple([u, v, w])) = (self, other);
                PlainTriple([x $op u, y $op v, z $op w])
            }
        }
    )*};
}
one_by_one!(Add add +, Sub sub -, Mul mul *, Div div /);

impl Neg for PlainTriple {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        let PlainTriple([x, y, z]) = self;
        PlainTriple([-x, -y, -z])
    }
}

#[inline(always)]
fn pick<X>(yes: bool, a: X, b: X) -> X {
    if yes { a } else { b }
}

impl Lanes for PlainTriple {
    type Element = f64;
    type Token = ();
    type Mask = [bool; 3];
    const LEN: usize = 3;

    #[inline(always)]
    fn splat((): (), value: f64) -> Self {
        PlainTriple([value; 3])
    }
    #[inline(always)]
    fn load((): (), values: &[f64]) -> Self {
        PlainTriple([values[0], values[1], values[2]])
    }
    #[inline(always)]
    fn store(self, values: &mut [f64]) {
        values[..3].copy_from_slice(&self.0);
    }
    #[inline(always)]
    fn abs(self) -> Self {
        let PlainTriple([x, y, z]) = self;
        PlainTriple([x.abs(), y.abs(), z.abs()])
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        let PlainTriple([x, y, z]) = self;
        PlainTriple([x.sqrt(), y.sqrt(), z.sqrt()])
    }
    #[inline(always)]
    fn above(self, other: Self) -> [bool; 3] {
        let (PlainTriple([x, y, z]), PlainTriple([u, v, w])) = (self, other);
        [x > u, y > v, z > w]
    }
    #[inline(always)]
    fn within(self, other: Self) -> [bool; 3] {
        let (PlainTriple([x, y, z]), PlainTriple([u, v, w])) = (self, other);
        [x <= u, y <= v, z <= w]
    }
    #[inline(always)]
    fn equals(self, other: Self) -> [bool; 3] {
        let (PlainTriple([x, y, z]), PlainTriple([u, v, w])) = (self, other);
        [x == u, y == v, z == w]
    }
    #[inline(always)]
    fn choose([a, b, c]: [bool; 3], yes: Self, no: Self) -> Self {
        let (PlainTriple([x, y, z]), PlainTriple([u, v, w])) = (yes, no);
        PlainTriple([pick(a, x, u), pick(b, y, v), pick(c, z, w)])
    }
    #[inline(always)]
    fn both([a, b, c]: [bool; 3], [x, y, z]: [bool; 3]) -> [bool; 3] {
        [a & x, b & y, c & z]
    }
    #[inline(always)]
    fn either([a, b, c]: [bool; 3], [x, y, z]: [bool; 3]) -> [bool; 3] {
        [a | x, b | y, c | z]
    }
    #[inline(always)]
    fn not([a, b, c]: [bool; 3]) -> [bool; 3] {
        [!a, !b, !c]
    }
    #[inline(always)]
    fn bits([a, b, c]: [bool; 3]) -> u32 {
        u32::from(a) | u32::from(b) << 1 | u32::from(c) << 2
    }
    #[inline(always)]
    fn any([a, b, c]: [bool; 3]) -> bool {
        a | b | c
    }
    #[inline(always)]
    fn all([a, b, c]: [bool; 3]) -> bool {
        a & b & c
    }
}

impl Triple for PlainTriple {
    #[inline(always)]
    fn of((): (), numbers: Vec3) -> Self {
        PlainTriple(numbers)
    }
    #[inline(always)]
    fn numbers(self) -> Vec3 {
        self.0
    }
}

#[cfg(feature = "simd")]
pub(super) mod wide {
    use fearless_simd::prelude::*;
    use fearless_simd::{Simd, f32x8, f64x4};

    use super::{Doubles, Floats, Lanes, Triple, Vec3};

    /// A register of `f32`.
    #[derive(Clone, Copy)]
    pub struct WideFloats<S: Simd>(S::f32s);

    /// Eight `f32`, whatever the width of a register.
    #[derive(Clone, Copy)]
    pub struct EightFloats<S: Simd>(f32x8<S>);

    /// A register of `f64`.
    #[derive(Clone, Copy)]
    pub struct WideDoubles<S: Simd>(S::f64s);

    /// Four `f64`, of which the fourth means nothing.
    #[derive(Clone, Copy)]
    pub struct WideTriple<S: Simd>(f64x4<S>);

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

    /// `$used`: the bits of the lanes that count.
    macro_rules! lanes {
        ($lanes:ident, $vector:ty, $element:ident, $used:expr) => {
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
                fn within(self, other: Self) -> Self::Mask {
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

    macro_rules! floats {
        ($($lanes:ident),*) => {$(
            impl<S: Simd> Floats for $lanes<S> {
                #[inline(always)]
                fn zip(self, other: Self) -> (Self, Self) {
                    let (low, high) = self.0.interleave(other.0);
                    ($lanes(low), $lanes(high))
                }
            }
        )*};
    }
    floats!(WideFloats, EightFloats);

    impl<S: Simd> Doubles for WideDoubles<S> {}

    impl<S: Simd> Triple for WideTriple<S> {
        #[inline(always)]
        fn of(token: S, [x, y, z]: Vec3) -> Self {
            WideTriple([x, y, z, x].simd_into(token))
        }
        #[inline(always)]
        fn numbers(self) -> Vec3 {
            let [x, y, z, _] = self.0.into();
            [x, y, z]
        }
    }
}
