//! Plain numbers as lanes: one `f32`, one `f64`, three `f64`.

use std::ops::{Add, Div, Mul, Neg, Sub};

use super::{Coordinates, Doubles, Floats, Lanes, Zip};

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
            fn at_most(self, other: Self) -> bool {
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

        impl Zip for $number {
            #[inline(always)]
            fn zip(self, other: Self) -> (Self, Self) {
                (self, other)
            }
        }
    };
}
plain!(f32);
plain!(f64);

impl Floats for f32 {}
impl Doubles for f64 {}

/// Three scalars. Aligned like a register, so that values spilled to the stack are aligned.
#[derive(Debug, Clone, Copy)]
#[repr(align(32))]
pub(crate) struct PlainTriple([f64; 3]);

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
    fn at_most(self, other: Self) -> [bool; 3] {
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

impl Coordinates for PlainTriple {
    #[inline(always)]
    fn from_numbers((): (), numbers: [f64; 3]) -> Self {
        PlainTriple(numbers)
    }
    #[inline(always)]
    fn numbers(self) -> [f64; 3] {
        self.0
    }
}
