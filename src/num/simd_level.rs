//! SIMD levels: detection of instruction sets and dispatch of kernels to them.

use std::fmt;

#[cfg(feature = "simd")]
use fearless_simd::Level;
#[cfg(all(feature = "simd", any(target_arch = "x86", target_arch = "x86_64")))]
use fearless_simd::Simd;

#[cfg(feature = "simd")]
use super::simd::FloatTripleKernel;
use super::simd::{DoubleKernel, FloatKernel, PlainTriple, TripleKernel};

/// SIMD instruction set of the batched box tests. All levels give the same answers, bit for bit;
/// only their speed differs.
///
/// ```
/// use boxwood::{Buffers, SimdLevel};
///
/// let levels = SimdLevel::all(); // of this machine, the plainest first
/// let plain = Buffers::with_simd_level(levels[0]); // as on a machine without any
/// # let _ = plain;
/// ```
#[derive(Debug, Clone, Copy)]
pub struct SimdLevel(SimdKind);

#[derive(Debug, Clone, Copy)]
enum SimdKind {
    Plain,
    #[cfg(feature = "simd")]
    Simd(Level),
}

/// Runs a kernel on the first of the listed x86 levels that the machine has, on the one level of
/// other machines, or else as plain code. Lists only levels that pay, because each is compiled: a
/// fifth of this crate's compile time is spent on lanes. Machines without SSE4.2, from before 2009,
/// run plain code.
macro_rules! on_level {
    ([$($as_level:ident),+], $kind:expr, $run:path, $kernel:ident, $plain:expr) => {{
        #[cfg(all(feature = "simd", any(target_arch = "x86", target_arch = "x86_64")))]
        if let SimdKind::Simd(level) = $kind {
            $(if let Some(simd) = level.$as_level() {
                return simd.vectorize(#[inline(always)] move || $run(simd, $kernel));
            })+
        }
        #[cfg(all(feature = "simd", not(any(target_arch = "x86", target_arch = "x86_64"))))]
        if let SimdKind::Simd(level) = $kind {
            return fearless_simd::dispatch!(level, simd => $run(simd, $kernel));
        }
        $plain
    }};
}

impl SimdLevel {
    /// Scalar code: one number at a time.
    pub const PLAIN: SimdLevel = SimdLevel(SimdKind::Plain);

    /// The widest level this machine has; [`SimdLevel::PLAIN`] without the feature `simd`.
    pub fn best() -> Self {
        #[cfg(feature = "simd")]
        return wide::best().map_or(SimdLevel::PLAIN, |level| SimdLevel(SimdKind::Simd(level)));
        #[cfg(not(feature = "simd"))]
        SimdLevel::PLAIN
    }

    /// Every level this machine has, the plainest first.
    pub fn all() -> Vec<SimdLevel> {
        #[allow(unused_mut)]
        let mut all = vec![SimdLevel::PLAIN];
        #[cfg(feature = "simd")]
        all.extend(wide::levels().into_iter().map(|level| SimdLevel(SimdKind::Simd(level))));
        all
    }

    /// Runs a kernel on `f32` lanes as wide as the machine's registers.
    #[inline]
    pub(crate) fn run<K: FloatKernel>(self, kernel: K) -> K::Output {
        on_level!(
            [as_avx512, as_avx2, as_sse4_2],
            self.0,
            wide::native,
            kernel,
            kernel.run::<f32>(())
        )
    }

    /// Runs a kernel on eight `f32` lanes, or one.
    #[inline]
    pub(crate) fn run_eight<K: FloatKernel>(self, kernel: K) -> K::Output {
        on_level!(
            [as_avx512, as_avx2, as_sse4_2],
            self.0,
            wide::eight,
            kernel,
            kernel.run::<f32>(())
        )
    }

    /// Runs a kernel on three `f32` lanes; returns `None` on a level without lanes, where it would
    /// not pay.
    #[cfg(feature = "simd")]
    #[inline]
    pub(crate) fn run_float_triples<K: FloatTripleKernel>(self, kernel: K) -> Option<K::Output> {
        on_level!([as_avx512, as_avx2, as_sse4_2], self.0, wide::float_triples, kernel, None)
    }

    /// Runs a kernel on three `f64` lanes; as plain code with SSE4.2, which has two.
    #[inline]
    pub(crate) fn run_triples<K: TripleKernel>(self, kernel: K) -> K::Output {
        on_level!(
            [as_avx512, as_avx2],
            self.0,
            wide::triples,
            kernel,
            kernel.run::<PlainTriple>(())
        )
    }

    /// Runs a kernel on `f64` lanes as wide as the machine's registers.
    #[inline]
    pub(crate) fn run_wide_doubles<K: DoubleKernel>(self, kernel: K) -> K::Output {
        on_level!(
            [as_avx512, as_avx2, as_sse4_2],
            self.0,
            wide::doubles,
            kernel,
            kernel.run::<f64>(())
        )
    }

    /// Runs a kernel on `f64` lanes: four on x86, two on other machines. Eight are no faster.
    #[inline]
    pub(crate) fn run_doubles<K: DoubleKernel>(self, kernel: K) -> K::Output {
        on_level!([as_avx2], self.0, wide::doubles, kernel, kernel.run::<f64>(()))
    }
}

/// The best level of this machine.
impl Default for SimdLevel {
    fn default() -> Self {
        SimdLevel::best()
    }
}

impl fmt::Display for SimdLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            SimdKind::Plain => f.write_str("plain"),
            #[cfg(feature = "simd")]
            SimdKind::Simd(level) => f.write_str(wide::name(level)),
        }
    }
}

#[cfg(feature = "simd")]
mod wide {
    use fearless_simd::{Level, Simd};

    use crate::num::simd::wide::{EightFloats, SingleTriple, WideDoubles, WideFloats, WideTriple};
    use crate::num::simd::{DoubleKernel, FloatKernel, FloatTripleKernel, TripleKernel};

    #[inline(always)]
    pub fn native<S: Simd, K: FloatKernel>(simd: S, kernel: K) -> K::Output {
        kernel.run::<WideFloats<S>>(simd)
    }

    #[inline(always)]
    pub fn eight<S: Simd, K: FloatKernel>(simd: S, kernel: K) -> K::Output {
        kernel.run::<EightFloats<S>>(simd)
    }

    #[inline(always)]
    pub fn doubles<S: Simd, K: DoubleKernel>(simd: S, kernel: K) -> K::Output {
        kernel.run::<WideDoubles<S>>(simd)
    }

    #[inline(always)]
    pub fn float_triples<S: Simd, K: FloatTripleKernel>(simd: S, kernel: K) -> Option<K::Output> {
        Some(kernel.run::<SingleTriple<S>>(simd))
    }

    #[inline(always)]
    pub fn triples<S: Simd, K: TripleKernel>(simd: S, kernel: K) -> K::Output {
        kernel.run::<WideTriple<S>>(simd)
    }

    /// The widest level of this machine that kernels are compiled for.
    pub fn best() -> Option<Level> {
        let best = Level::new();
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        return best.as_sse4_2().map(|_| best);
        #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
        Some(best)
    }

    /// The levels this machine has, the narrowest first.
    pub fn levels() -> Vec<Level> {
        let best = Level::new();
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        {
            let mut levels = Vec::new();
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
