//! Order of the hits of one cast, and the rounding of their times.

use crate::num::Scalar;
use crate::num::sorting::insertion_sort;

/// Share by which a time of leaving is rounded up: more than the errors of its division, and of a
/// sum of shares.
pub(super) const LATE_SHARE: f64 = 1e-12;

/// Rounds a time of leaving up; infinite if the motion ends in contact.
pub(super) fn time_of_leaving<T: Scalar>(leave: f64) -> T {
    let late = leave + LATE_SHARE * leave.abs();
    T::at_least(if late < 1.0 { late } else { f64::INFINITY })
}

/// Sorts hits by their stated times, then by their targets.
pub(super) fn sort_by_time<H, K: Ord>(
    hits: &mut [H],
    time: impl Fn(&H) -> f64,
    target: impl Fn(&H) -> K,
) {
    hits.sort_unstable_by(|a, b| {
        time(a).total_cmp(&time(b)).then_with(|| target(a).cmp(&target(b)))
    });
}

/// Sorts hits by their times before these were rounded, then by their targets, as the casts that
/// return the first hit choose it.
///
/// The hits have only their stated times. `unrounded` computes the others anew: it is called for
/// hits of equal stated times alone.
pub(super) fn sort_by_unrounded_time<H: Copy, K: Ord>(
    hits: &mut [H],
    time: impl Fn(&H) -> f64,
    target: impl Fn(&H) -> K,
    unrounded: impl Fn(&H) -> f64,
) {
    sort_by_time(hits, &time, target);
    for equal in hits.chunk_by_mut(|a, b| time(a) == time(b)) {
        insertion_sort(equal, |a, b| unrounded(a).total_cmp(&unrounded(b)));
    }
}
