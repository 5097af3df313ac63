//! Two k-DOPs of one kind, by their intervals.

use crate::num::Scalar;
use crate::pair::queries::traits::IntersectsQuery;
use crate::shape::{Kdop, Slabs};

impl<T: Scalar, const D: usize, const N: usize> IntersectsQuery for Kdop<T, D, N>
where
    Self: Slabs<D, N>,
{
    /// Compares all intervals, at most `2 N` comparisons; touching counts.
    #[inline]
    fn intersects(&self, other: &Self) -> bool {
        let ([low, high], [lows, highs]) = ([self.low(), self.high()], [other.low(), other.high()]);
        (0..N).all(|i| low[i] <= highs[i] && lows[i] <= high[i])
    }
}
