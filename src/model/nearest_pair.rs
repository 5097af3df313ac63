//! Closest of some pairs of parts, by ascending distance of their world boxes.

use std::cmp::Ordering;

use crate::broad_phase::{Aabb16, AabbF32, within_mask};
use crate::num::{Scalar, SimdLevel};
use crate::pair::ClosestPoints;
use crate::shape::Aabb;
use crate::tree::NodeId;

/// An enumeration of part pairs with the distance of their world boxes.
pub(crate) trait BoundedPairs {
    /// The pair; pairs at equal distance are evaluated in its order.
    type Pair: Copy + Ord;

    /// Calls `visit` with each pair whose boxes are at most `limit` apart, in any order; its result
    /// is the limit from then on. Returns the number of box pairs compared.
    fn visit_pairs(&self, limit: f64, visit: impl FnMut(PairCandidate<Self::Pair>) -> f64) -> u64;
}

/// A pair of parts with a lower bound on their distance, that of their world boxes. World units.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PairCandidate<P> {
    pub lower_bound: f64,
    pub pair: P,
}

impl<P: Ord> PairCandidate<P> {
    /// Compares by distance, then by pair.
    fn order(&self, other: &Self) -> Ordering {
        self.lower_bound.total_cmp(&other.lower_bound).then_with(|| self.pair.cmp(&other.pair))
    }
}

/// Finds the closest of some pairs. Evaluates them by ascending distance of their boxes, each with
/// the best distance found as limit, until no pair can be closer. Adds the number of box pairs
/// compared; leaves `ranked` unspecified.
pub(crate) fn closest_pair<G: BoundedPairs, T: Scalar>(
    pairs: &G,
    max_distance: f64,
    (ranked, compared): (&mut Vec<PairCandidate<G::Pair>>, &mut u64),
    mut look: impl FnMut(&G::Pair, f64) -> Option<ClosestPoints<T, NodeId>>,
) -> Option<(G::Pair, ClosestPoints<T, NodeId>)> {
    let mut first: Option<PairCandidate<G::Pair>> = None;
    *compared += pairs.visit_pairs(max_distance, |one| {
        let nearest = first.filter(|first| first.order(&one).is_lt()).unwrap_or(one);
        first = Some(nearest);
        nearest.lower_bound
    });
    let first = first?.pair;
    let mut best = look(&first, max_distance).map(|found| (first, found));
    // Collects only boxes within the distance found, which are few to sort.
    let most = best.map_or(max_distance, |(_, found)| found.distance.wide().min(max_distance));
    if most == 0.0 && best.is_some() {
        return best;
    }
    ranked.clear();
    *compared += pairs.visit_pairs(most, |one| {
        if one.pair != first {
            ranked.push(one);
        }
        most
    });
    ranked.sort_unstable_by(PairCandidate::order);
    for PairCandidate { lower_bound, pair } in ranked {
        let max_distance = best.map_or(max_distance, |(_, best)| best.distance.wide());
        if *lower_bound > max_distance || max_distance == 0.0 && best.is_some() {
            break;
        }
        if let Some(found) = look(pair, max_distance)
            && best.is_none_or(|(_, best)| found.distance < best.distance)
        {
            best = Some((*pair, found));
        }
    }
    best
}

/// An upper limit on the distance of boxes, prepared for comparison. World units.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DistanceLimit<T> {
    limit: f64,
    /// A squared distance of boxes above this, computed in `T`, is beyond the limit.
    limit_squared: T,
    /// Like `limit_squared`, in single precision.
    limit_squared_f32: f32,
}

impl<T: Scalar> DistanceLimit<T> {
    pub fn new(limit: f64) -> Self {
        // Covers the rounding of two products, two sums and a difference, each less than `2^-23`.
        let squared = limit * limit * (1.0 + 1.0 / (1 << 18) as f64);
        DistanceLimit {
            limit,
            limit_squared: T::at_least(squared),
            limit_squared_f32: f32::at_least(squared),
        }
    }

    /// Returns the lower bound [`distance_lower_bound`] on the boxes' distance, if within the
    /// limit.
    #[inline(always)]
    pub fn lower_bound_within(&self, a: &Aabb<T, 3>, b: &Aabb<T, 3>) -> Option<f64> {
        let least = distance_lower_bound(a, b);
        if least <= self.limit { Some(least) } else { None }
    }

    /// Returns `true` if the boxes are further apart. Rejects most pairs without a square root, and
    /// in single precision.
    #[inline(always)]
    pub fn exceeded_by(&self, a: &Aabb<T, 3>, b: &Aabb<T, 3>) -> bool {
        let ([p, q, r], [x, y, z]): ([T; 3], [T; 3]) = (a.min.coords.into(), a.max.coords.into());
        let ([i, j, k], [u, v, w]): ([T; 3], [T; 3]) = (b.min.coords.into(), b.max.coords.into());
        let (x, y, z) = (
            interval_distance(p, u, i, x),
            interval_distance(q, v, j, y),
            interval_distance(r, w, k, z),
        );
        x * x + y * y + z * z > self.limit_squared
    }

    /// Mask of the boxes, at most 64, that may be within the limit; they are rounded outward.
    #[inline]
    pub fn within_mask(&self, simd: SimdLevel, one: AabbF32, others: (&[Aabb16], usize)) -> u64 {
        within_mask(simd, one, others, self.limit_squared_f32)
    }
}

/// Lower bound on the distance of two boxes.
fn distance_lower_bound<T: Scalar>(a: &Aabb<T, 3>, b: &Aabb<T, 3>) -> f64 {
    let gap = |i: usize| {
        interval_distance(a.min[i].wide(), b.max[i].wide(), b.min[i].wide(), a.max[i].wide())
    };
    let (x, y, z) = (gap(0), gap(1), gap(2));
    (x * x + y * y + z * z).sqrt() * (1.0 - 1.0 / (1u64 << 48) as f64)
}

/// Distance of two intervals, `[a, d]` and `[c, b]`, along a coordinate; 0 if they overlap.
#[inline(always)]
fn interval_distance<T: Scalar>(a: T, b: T, c: T, d: T) -> T {
    let (above, below) = (a - b, c - d);
    let most = if below > above { below } else { above };
    if most > T::zero() { most } else { T::zero() }
}
