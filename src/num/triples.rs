//! Three `f64` as one vector, scalar or in a SIMD register: the same operations in the same order,
//! and so the same bits.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::linear::Vec3;

/// Three lanes of `f64`, which mix only where a method says so. Comparisons with NaN are false.
pub(crate) trait Triple:
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
    fn of(token: Self::Token, numbers: Vec3) -> Self;
    fn splat(token: Self::Token, value: f64) -> Self;
    fn numbers(self) -> Vec3;
    fn abs(self) -> Self;
    fn sqrt(self) -> Self;
    fn above(self, other: Self) -> Self::Mask;
    fn within(self, other: Self) -> Self::Mask;
    fn choose(mask: Self::Mask, yes: Self, no: Self) -> Self;
    fn both(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    fn not(mask: Self::Mask) -> Self::Mask;
    fn any(mask: Self::Mask) -> bool;
    fn all(mask: Self::Mask) -> bool;
    /// The lesser number; of two zeros either, unspecified for NaN.
    fn low(self, other: Self) -> Self;
    /// The greater number; of two zeros either, unspecified for NaN.
    fn high(self, other: Self) -> Self;

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

/// Three scalars. Aligned like a register: a value kept on the stack is then aligned, and registers
/// spilled there otherwise are not.
#[derive(Debug, Clone, Copy)]
#[repr(align(32))]
pub(crate) struct Plain(Vec3);

macro_rules! one_by_one {
    ($($name:ident $method:ident $op:tt),*) => {$(
        impl $name for Plain {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                let (Plain([x, y, z]), Plain([u, v, w])) = (self, other);
                Plain([x $op u, y $op v, z $op w])
            }
        }
    )*};
}
one_by_one!(Add add +, Sub sub -, Mul mul *, Div div /);

impl Neg for Plain {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        let Plain([x, y, z]) = self;
        Plain([-x, -y, -z])
    }
}

#[inline(always)]
fn pick<X>(yes: bool, a: X, b: X) -> X {
    if yes { a } else { b }
}

impl Triple for Plain {
    type Token = ();
    type Mask = [bool; 3];

    #[inline(always)]
    fn of((): (), numbers: Vec3) -> Self {
        Plain(numbers)
    }
    #[inline(always)]
    fn splat((): (), value: f64) -> Self {
        Plain([value; 3])
    }
    #[inline(always)]
    fn numbers(self) -> Vec3 {
        self.0
    }
    #[inline(always)]
    fn abs(self) -> Self {
        let Plain([x, y, z]) = self;
        Plain([x.abs(), y.abs(), z.abs()])
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        let Plain([x, y, z]) = self;
        Plain([x.sqrt(), y.sqrt(), z.sqrt()])
    }
    #[inline(always)]
    fn above(self, other: Self) -> [bool; 3] {
        let (Plain([x, y, z]), Plain([u, v, w])) = (self, other);
        [x > u, y > v, z > w]
    }
    #[inline(always)]
    fn within(self, other: Self) -> [bool; 3] {
        let (Plain([x, y, z]), Plain([u, v, w])) = (self, other);
        [x <= u, y <= v, z <= w]
    }
    #[inline(always)]
    fn choose([a, b, c]: [bool; 3], yes: Self, no: Self) -> Self {
        let (Plain([x, y, z]), Plain([u, v, w])) = (yes, no);
        Plain([pick(a, x, u), pick(b, y, v), pick(c, z, w)])
    }
    #[inline(always)]
    fn both([a, b, c]: [bool; 3], [x, y, z]: [bool; 3]) -> [bool; 3] {
        [a & x, b & y, c & z]
    }
    #[inline(always)]
    fn not([a, b, c]: [bool; 3]) -> [bool; 3] {
        [!a, !b, !c]
    }
    #[inline(always)]
    fn any([a, b, c]: [bool; 3]) -> bool {
        a | b | c
    }
    #[inline(always)]
    fn all([a, b, c]: [bool; 3]) -> bool {
        a & b & c
    }
    #[inline(always)]
    fn low(self, other: Self) -> Self {
        Self::choose(self.above(other), other, self)
    }
    #[inline(always)]
    fn high(self, other: Self) -> Self {
        Self::choose(other.above(self), other, self)
    }
}

/// A computation over [`Triple`] vectors, run by [`SimdLevel`](super::SimdLevel). All it calls has
/// to be `#[inline(always)]`, and no closure.
pub(crate) trait Kernel {
    type Output;
    fn run<D: Triple>(self, token: D::Token) -> Self::Output;
}

#[cfg(feature = "simd")]
pub(super) mod wide {
    use fearless_simd::prelude::*;
    use fearless_simd::{Simd, f64x4, mask64x4};

    use super::{Triple, Vec3};
    use crate::num::lanewise::lanewise;

    /// A register of four lanes, of which the fourth is unused.
    #[derive(Clone, Copy)]
    pub struct Wide<S: Simd>(f64x4<S>);

    lanewise!(Wide);

    impl<S: Simd> Triple for Wide<S> {
        type Token = S;
        type Mask = mask64x4<S>;

        #[inline(always)]
        fn of(token: S, [x, y, z]: Vec3) -> Self {
            Wide([x, y, z, x].simd_into(token))
        }
        #[inline(always)]
        fn splat(token: S, value: f64) -> Self {
            Wide(f64x4::splat(token, value))
        }
        #[inline(always)]
        fn numbers(self) -> Vec3 {
            let [x, y, z, _] = self.0.into();
            [x, y, z]
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
        fn above(self, other: Self) -> mask64x4<S> {
            self.0.simd_gt(other.0)
        }
        #[inline(always)]
        fn within(self, other: Self) -> mask64x4<S> {
            self.0.simd_le(other.0)
        }
        #[inline(always)]
        fn choose(mask: mask64x4<S>, yes: Self, no: Self) -> Self {
            Wide(mask.select(yes.0, no.0))
        }
        #[inline(always)]
        fn both(a: mask64x4<S>, b: mask64x4<S>) -> mask64x4<S> {
            a & b
        }
        #[inline(always)]
        fn not(mask: mask64x4<S>) -> mask64x4<S> {
            !mask
        }
        #[inline(always)]
        fn any(mask: mask64x4<S>) -> bool {
            mask.to_bitmask() & 0b111 != 0
        }
        #[inline(always)]
        fn all(mask: mask64x4<S>) -> bool {
            mask.to_bitmask() & 0b111 == 0b111
        }
        #[inline(always)]
        fn low(self, other: Self) -> Self {
            Wide(self.0.min(other.0))
        }
        #[inline(always)]
        fn high(self, other: Self) -> Self {
            Wide(self.0.max(other.0))
        }
    }
}
