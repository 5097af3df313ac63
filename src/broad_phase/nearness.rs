//! How near world boxes have to be for a broad phase: with a margin, or without.

use crate::num::Scalar;
use crate::num::simd::{FloatKernel, Floats};
use crate::shape::Aabb;

/// How near two boxes have to be: overlapping, or no further apart than a margin.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Nearness {
    /// Rounded up. World units.
    pub(super) margin: f32,
    /// Boxes whose squared distance is more than this, by any arithmetic, are further apart.
    pub(super) squared: f32,
    wide: f64,
}

impl Nearness {
    pub const OVERLAP: Self = Nearness { margin: 0.0, squared: 0.0, wide: 0.0 };

    /// No further apart than a margin, which is checked; overlapping for 0.
    pub fn within(margin: f64) -> Self {
        if margin == 0.0 {
            return Nearness::OVERLAP;
        }
        // Three products, two sums and a difference are rounded, each by at most `2^-24`; what
        // vanishes is no gap.
        let wide = margin * margin * (1.0 + 1.0 / (1 << 18) as f64);
        let squared = f32::at_least(wide);
        let squared = if squared > f32::MIN_POSITIVE { squared } else { f32::MIN_POSITIVE };
        Nearness { margin: f32::at_least(margin), squared, wide }
    }

    /// Whether boxes that are near may be apart.
    #[inline(always)]
    pub fn may_be_apart(&self) -> bool {
        self.squared != 0.0
    }

    /// Whether these two boxes are.
    #[inline]
    pub fn holds<T: Scalar>(&self, a: &Aabb<T, 3>, b: &Aabb<T, 3>) -> bool {
        if self.squared == 0.0 {
            return a.intersects(b);
        }
        let gap = |i: usize| {
            let above = a.min[i].wide() - b.max[i].wide();
            let below = b.min[i].wide() - a.max[i].wide();
            above.max(below).max(0.0)
        };
        let (x, y, z) = (gap(0), gap(1), gap(2));
        !a.is_empty() && !b.is_empty() && x * x + y * y + z * z <= self.wide.max(f64::MIN_POSITIVE)
    }
}

/// A kernel compiled twice: for boxes that overlap, and for boxes that may be apart.
pub(crate) trait NearKernel {
    type Output;
    /// How near its boxes have to be.
    fn nearness(&self) -> Nearness;
    /// The kernel; `APART`: whether boxes that are near may be apart.
    fn find<L: Floats, const APART: bool>(self, token: L::Token) -> Self::Output;
}

/// Runs a [`NearKernel`] as its nearness asks.
pub(crate) struct ByNearness<K>(pub K);

impl<K: NearKernel> FloatKernel for ByNearness<K> {
    type Output = K::Output;

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) -> K::Output {
        match self.0.nearness().may_be_apart() {
            true => self.0.find::<L, true>(token),
            false => self.0.find::<L, false>(token),
        }
    }
}
