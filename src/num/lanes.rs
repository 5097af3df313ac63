//! One source for one number and for as many at once as the machine has room for.
//!
//! What runs here only ever says what is certain beyond rounding, and leaves the rest to the one double precision test
//! that decides: so no instruction set, width or order of operations can change an answer.

use std::fmt;
use std::ops::{Add, BitAnd, Mul, Sub};

/// Single precision numbers side by side that never mix. Comparisons with NaN are false.
pub(crate) trait Lanes:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self>
{
    /// Proof that the machine has the instructions.
    type Token: Copy;
    /// A yes or no for each lane.
    type Mask: Copy + BitAnd<Output = Self::Mask>;
    /// How many there are; at most 16.
    const LEN: usize;
    fn splat(token: Self::Token, value: f32) -> Self;
    /// The first [`Lanes::LEN`] of the slice.
    fn load(token: Self::Token, values: &[f32]) -> Self;
    fn abs(self) -> Self;
    fn larger(self, other: Self) -> Self;
    fn above(self, other: Self) -> Self::Mask;
    fn within(self, other: Self) -> Self::Mask;
    fn either(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// A bit for each lane, the first lowest.
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
    fn abs(self) -> Self {
        f32::abs(self)
    }
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        if other > self { other } else { self }
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
    fn bits(mask: bool) -> u32 {
        u32::from(mask)
    }
}

/// Something to be done with lanes of whatever width there is. All it calls has to be `#[inline(always)]`.
pub(crate) trait Kernel {
    type Output;
    fn run<L: Lanes>(self, token: L::Token) -> Self::Output;
}

/// The instructions used to look at many boxes at once. Every level gives the same answers, bit for bit; they differ in
/// speed alone.
#[derive(Debug, Clone, Copy)]
pub struct Level(Kind);

#[derive(Debug, Clone, Copy)]
enum Kind {
    Plain,
    #[cfg(feature = "simd")]
    Simd(fearless_simd::Level),
}

impl Level {
    /// One number at a time.
    pub const PLAIN: Level = Level(Kind::Plain);

    /// The widest this machine has; [`Level::PLAIN`] without the feature `simd`.
    pub fn best() -> Self {
        #[cfg(feature = "simd")]
        return Level(Kind::Simd(fearless_simd::Level::new()));
        #[cfg(not(feature = "simd"))]
        Level::PLAIN
    }

    /// Every level this machine has, the plainest first.
    pub fn all() -> Vec<Level> {
        #[allow(unused_mut)]
        let mut all = vec![Level::PLAIN];
        #[cfg(feature = "simd")]
        all.extend(wide::levels().into_iter().map(|level| Level(Kind::Simd(level))));
        all
    }

    /// With as many lanes as the machine has.
    #[inline]
    pub(crate) fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self.0 {
            Kind::Plain => kernel.run::<f32>(()),
            #[cfg(feature = "simd")]
            Kind::Simd(level) => wide::run(level, kernel),
        }
    }

    #[cfg(feature = "simd")]
    pub(super) fn simd(self) -> Option<fearless_simd::Level> {
        match self.0 {
            Kind::Plain => None,
            Kind::Simd(level) => Some(level),
        }
    }

    #[cfg(not(feature = "simd"))]
    pub(super) fn simd(self) -> Option<std::convert::Infallible> {
        match self.0 {
            Kind::Plain => None,
        }
    }

    /// With eight lanes, or one.
    #[inline]
    pub(crate) fn run_eight<K: Kernel>(self, kernel: K) -> K::Output {
        match self.0 {
            Kind::Plain => kernel.run::<f32>(()),
            #[cfg(feature = "simd")]
            Kind::Simd(level) => wide::run_eight(level, kernel),
        }
    }
}

/// The best.
impl Default for Level {
    fn default() -> Self {
        Level::best()
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Kind::Plain => f.write_str("plain"),
            #[cfg(feature = "simd")]
            Kind::Simd(level) => f.write_str(wide::name(level)),
        }
    }
}

#[cfg(feature = "simd")]
mod wide {
    use std::ops::{Add, Mul, Sub};

    use fearless_simd::prelude::*;
    use fearless_simd::{Level, Simd, dispatch, f32x8};

    use super::{Kernel, Lanes};

    /// As many numbers as fill a register of the level.
    #[derive(Clone, Copy)]
    struct Wide<S: Simd>(S::f32s);

    /// Eight numbers, whatever the registers.
    #[derive(Clone, Copy)]
    struct Eight<S: Simd>(f32x8<S>);

    macro_rules! lanewise {
        ($lanes:ident, $name:ident $method:ident $op:tt) => {
            impl<S: Simd> $name for $lanes<S> {
                type Output = Self;
                #[inline(always)]
                fn $method(self, other: Self) -> Self {
                    $lanes(self.0 $op other.0)
                }
            }
        };
    }

    macro_rules! lanes {
        ($lanes:ident, $vector:ty) => {
            lanewise!($lanes, Add add +);
            lanewise!($lanes, Sub sub -);
            lanewise!($lanes, Mul mul *);

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
                fn abs(self) -> Self {
                    $lanes(self.0.abs())
                }
                #[inline(always)]
                fn larger(self, other: Self) -> Self {
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
                fn either(a: Self::Mask, b: Self::Mask) -> Self::Mask {
                    a | b
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

    #[inline]
    pub fn run<K: Kernel>(level: Level, kernel: K) -> K::Output {
        dispatch!(level, simd => run_with(simd, kernel))
    }

    #[inline(always)]
    fn run_with<S: Simd, K: Kernel>(simd: S, kernel: K) -> K::Output {
        kernel.run::<Wide<S>>(simd)
    }

    #[inline]
    pub fn run_eight<K: Kernel>(level: Level, kernel: K) -> K::Output {
        dispatch!(level, simd => run_eight_with(simd, kernel))
    }

    #[inline(always)]
    fn run_eight_with<S: Simd, K: Kernel>(simd: S, kernel: K) -> K::Output {
        kernel.run::<Eight<S>>(simd)
    }

    /// Those this machine has, the narrowest first.
    pub fn levels() -> Vec<Level> {
        let best = Level::new();
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        {
            let mut levels = vec![Level::baseline()];
            levels.extend(best.as_sse4_2().map(Level::Sse4_2));
            levels.extend(best.as_avx2().map(Level::Avx2));
            levels.extend(best.as_avx512().map(Level::Avx512));
            levels
        }
        #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
        vec![best]
    }

    pub fn name(level: Level) -> &'static str {
        match level {
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Level::Sse2(_) => "SSE2",
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Level::Sse4_2(_) => "SSE4.2",
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Level::Avx2(_) => "AVX2",
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Level::Avx512(_) => "AVX-512",
            #[cfg(target_arch = "aarch64")]
            Level::Neon(_) => "NEON",
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Level::WasmSimd128(_) => "SIMD128",
            _ => "fallback",
        }
    }
}
