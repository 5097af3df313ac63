//! Nearness of world boxes in a broad phase: overlap, or distance within a margin.

use crate::num::Scalar;
use crate::num::simd::{FloatKernel, Floats};
use crate::shape::Aabb;

/// Condition for two boxes to be near: overlapping, or no further apart than a margin.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Nearness {
    /// Margin, rounded up. [world units]
    pub(super) margin: f32,
    /// Upper bound on the squared distance of near boxes, by any arithmetic.
    pub(super) squared: f32,
    squared_f64: f64,
}

impl Nearness {
    pub const OVERLAP: Self = Nearness { margin: 0.0, squared: 0.0, squared_f64: 0.0 };

    /// Creates the condition from a valid margin; 0 means overlap. [world units]
    pub fn from_margin(margin: f64) -> Self {
        if margin == 0.0 {
            return Nearness::OVERLAP;
        }
        // Covers the rounding of three products, two sums and a difference, each at most `2^-24`. A
        // distance that underflows counts as none.
        let squared_f64 = margin * margin * (1.0 + 1.0 / (1 << 18) as f64);
        let squared = f32::at_least(squared_f64);
        let squared = if squared > f32::MIN_POSITIVE { squared } else { f32::MIN_POSITIVE };
        Nearness { margin: f32::at_least(margin), squared, squared_f64 }
    }

    /// Returns `true` if near boxes may be disjoint.
    #[inline(always)]
    pub fn may_be_apart(&self) -> bool {
        self.squared != 0.0
    }

    /// Returns `true` if two boxes are near.
    #[inline]
    pub fn are_near<T: Scalar>(&self, a: &Aabb<T, 3>, b: &Aabb<T, 3>) -> bool {
        if self.squared == 0.0 {
            return a.intersects(b);
        }
        let gap = |i: usize| {
            let above = a.min[i].wide() - b.max[i].wide();
            let below = b.min[i].wide() - a.max[i].wide();
            above.max(below).max(0.0)
        };
        let (x, y, z) = (gap(0), gap(1), gap(2));
        !a.is_empty()
            && !b.is_empty()
            && x * x + y * y + z * z <= self.squared_f64.max(f64::MIN_POSITIVE)
    }
}

/// A kernel compiled twice: for boxes that overlap, and for near boxes that may be disjoint.
pub(crate) trait NearKernel {
    type Output;
    /// Returns the condition for its boxes.
    fn nearness(&self) -> Nearness;
    /// Runs the kernel. `APART`: near boxes may be disjoint.
    fn find<L: Floats, const APART: bool>(self, token: L::Token) -> Self::Output;
}

/// Dispatches a [`NearKernel`] by its nearness.
pub(crate) struct NearnessDispatch<K>(pub K);

impl<K: NearKernel> FloatKernel for NearnessDispatch<K> {
    type Output = K::Output;

    #[inline(always)]
    fn run<L: Floats>(self, token: L::Token) -> K::Output {
        match self.0.nearness().may_be_apart() {
            true => self.0.find::<L, true>(token),
            false => self.0.find::<L, false>(token),
        }
    }
}
