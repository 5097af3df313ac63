//! Search for the best of many candidates - the closest, the first along a direction - that
//! evaluates few of them: in ascending order of a lower bound that is cheap to compute.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A candidate with a lower bound on its value. Compares by lower bound, then by key, in descending
/// order: the least is on top of a heap.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BoundedCandidate<K> {
    pub lower_bound: f64,
    pub key: K,
    /// `true` once an evaluation has returned a [greater lower bound](Evaluation::LowerBound).
    pub is_refined: bool,
}

impl<K> BoundedCandidate<K> {
    pub fn new(lower_bound: f64, key: K) -> Self {
        BoundedCandidate { lower_bound, key, is_refined: false }
    }
}

/// Result of the evaluation of a candidate.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Evaluation<A> {
    /// The value is above the limit, or the candidate does not count.
    Beyond,
    /// Lower bound that took little to compute. The candidate is evaluated again in its turn, as
    /// refined.
    LowerBound(f64),
    /// The value, and an answer.
    Value(f64, A),
}

impl<A> Evaluation<A> {
    /// Returns the value if there is an answer, otherwise [`Evaluation::Beyond`].
    #[inline(always)]
    pub fn new(answer: Option<A>, value: impl FnOnce(&A) -> f64) -> Self {
        answer.map_or(Evaluation::Beyond, |answer| Evaluation::Value(value(&answer), answer))
    }
}

impl<K: Ord> Ord for BoundedCandidate<K> {
    fn cmp(&self, other: &Self) -> Ordering {
        other.lower_bound.total_cmp(&self.lower_bound).then_with(|| other.key.cmp(&self.key))
    }
}

impl<K: Ord> PartialOrd for BoundedCandidate<K> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<K: Ord> PartialEq for BoundedCandidate<K> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<K: Ord> Eq for BoundedCandidate<K> {}

/// The best candidate: least value, of equal values least key.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BestCandidate<K, A> {
    pub value: f64,
    pub key: K,
    pub answer: A,
}

/// An enumeration of candidates with lower bounds.
pub(crate) trait Candidates {
    /// Identifies a candidate, and decides between equal values.
    type Key: Copy + Ord;

    /// Calls `visit` with each candidate whose lower bound is at most `limit`, in any order; its
    /// result, no greater, is the limit from then on. Candidates above the limit may be passed too.
    fn visit(&mut self, limit: f64, visit: impl FnMut(BoundedCandidate<Self::Key>) -> f64);
}

/// Finds the best of some candidates. `evaluate` gets a candidate and a limit. Any candidate whose
/// value is at most `stop_at` ends the search. Leaves `candidates` unspecified.
pub(crate) fn best_first<K: Copy + Ord, A>(
    candidates: &mut Vec<BoundedCandidate<K>>,
    limits: [f64; 2],
    evaluate: impl FnMut(BoundedCandidate<K>, f64) -> Evaluation<A>,
) -> Option<BestCandidate<K, A>> {
    let mut best = None;
    improve(&mut best, candidates, limits, evaluate);
    best
}

/// Like [`best_first`], for some candidates and an incumbent whose value is at most the limit: a
/// better candidate replaces it.
pub(crate) fn improve<K: Copy + Ord, A>(
    best: &mut Option<BestCandidate<K, A>>,
    candidates: &mut Vec<BoundedCandidate<K>>,
    [limit, stop_at]: [f64; 2],
    mut evaluate: impl FnMut(BoundedCandidate<K>, f64) -> Evaluation<A>,
) {
    // Most candidates are never evaluated and need no order: many are a heap, few are searched for
    // the least.
    let are_few = candidates.len() <= MAX_COLLECTED;
    let mut heap = match are_few {
        true => BinaryHeap::new(),
        false => BinaryHeap::from(std::mem::take(candidates)),
    };
    while let Some(candidate) = if are_few { take_least(candidates) } else { heap.pop() } {
        let BoundedCandidate { lower_bound, key, .. } = candidate;
        let limit = best.as_ref().map_or(limit, |best| best.value);
        // All others have greater bounds, or this bound and greater keys.
        let is_last = |best: &BestCandidate<K, A>| {
            best.value <= stop_at || lower_bound == best.value && key > best.key
        };
        if lower_bound > limit || best.as_ref().is_some_and(is_last) {
            break;
        }
        let mut evaluation = evaluate(candidate, limit);
        if let Evaluation::LowerBound(refined) = evaluation {
            let is_greater = refined > lower_bound;
            let lower_bound = if is_greater { refined } else { lower_bound };
            let refined = BoundedCandidate { lower_bound, key, is_refined: true };
            if is_greater {
                if are_few {
                    candidates.push(refined)
                } else {
                    heap.push(refined)
                }
                continue;
            }
            evaluation = evaluate(refined, limit);
        }
        if let Evaluation::Value(value, answer) = evaluation
            && best.as_ref().is_none_or(|best| (value, key) < (best.value, best.key))
        {
            *best = Some(BestCandidate { value, key, answer });
            // Each evaluation searches all that are left.
            if are_few && candidates.len() > MIN_PRUNED {
                candidates.retain(|one| one.lower_bound <= value);
            }
        }
    }
    if !are_few {
        *candidates = heap.into_vec();
    }
}

/// Number of candidates from which those above a new limit are dropped: fewer are searched in less.
const MIN_PRUNED: usize = 8;

/// Removes and returns the candidate of the least bound, of equal bounds the least key.
#[inline]
fn take_least<K: Copy + Ord>(
    candidates: &mut Vec<BoundedCandidate<K>>,
) -> Option<BoundedCandidate<K>> {
    let (mut least, mut first) = (0, *candidates.first()?);
    for (index, &one) in candidates.iter().enumerate().skip(1) {
        // Keys take long to compare, and most bounds differ.
        let is_less = match one.lower_bound == first.lower_bound {
            true => one > first,
            false => one.lower_bound < first.lower_bound,
        };
        (least, first) = if is_less { (index, one) } else { (least, first) };
    }
    candidates.swap_remove(least);
    Some(first)
}

/// Number of candidates that are collected before a limit is sought: sorting so few costs less than
/// a second enumeration.
const MAX_COLLECTED: usize = 32;

/// Finds the best of an enumeration. Few candidates are evaluated in the order of their lower
/// bounds. Of more, those with the least are evaluated; the best value among them is the limit of a
/// second enumeration, of all others. Leaves `memory` unspecified.
pub(crate) fn best_of_all<C: Candidates, A>(
    candidates: &mut C,
    limit: f64,
    memory: &mut Vec<BoundedCandidate<C::Key>>,
    mut evaluate: impl FnMut(BoundedCandidate<C::Key>, f64) -> Evaluation<A>,
) -> Option<BestCandidate<C::Key, A>> {
    memory.clear();
    let (mut least, mut are_few) = (limit, true);
    candidates.visit(limit, |one| {
        if are_few {
            memory.push(one);
            if memory.len() <= MAX_COLLECTED {
                return limit;
            }
            are_few = false;
            least = memory.iter().fold(limit, |least, one| least.min(one.lower_bound));
            memory.retain(|one| one.lower_bound == least);
            return least;
        }
        if one.lower_bound < least {
            memory.clear();
            least = one.lower_bound;
        }
        if one.lower_bound == least {
            memory.push(one);
        }
        least
    });
    let mut best = best_first(memory, [limit, f64::NEG_INFINITY], &mut evaluate);
    let within = best.as_ref().map_or(limit, |best| best.value);
    if are_few || within <= least {
        return best;
    }
    memory.clear();
    candidates.visit(within, |one| {
        if one.lower_bound > least {
            memory.push(one);
        }
        within
    });
    improve(&mut best, memory, [within, f64::NEG_INFINITY], &mut evaluate);
    best
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;
    use crate::num::SplitMix64;

    /// Candidates by key: lower bound and value.
    struct Listed(Vec<(f64, f64)>);

    impl Candidates for Listed {
        type Key = usize;

        fn visit(&mut self, mut limit: f64, mut visit: impl FnMut(BoundedCandidate<usize>) -> f64) {
            for (key, &(lower_bound, _)) in self.0.iter().enumerate() {
                if lower_bound <= limit {
                    limit = visit(BoundedCandidate::new(lower_bound, key));
                }
            }
        }
    }

    /// Values are small whole numbers, so that many are equal.
    pub fn the_least_value_of_least_key_is_found_and_few_are_evaluated() {
        let (mut random, mut evaluated, mut all) = (SplitMix64(7), 0, 0);
        for round in 0..2_000 {
            let listed: Vec<(f64, f64)> = (0..random.below(90))
                .map(|_| {
                    let value = random.below(12) as f64 - 4.0;
                    (value - random.below(4) as f64, value)
                })
                .collect();
            let limit = if round % 3 == 0 { f64::INFINITY } else { random.below(9) as f64 - 4.0 };
            let within = listed.iter().enumerate().filter(|(_, one)| one.1 <= limit);
            let expected = within.min_by(|a, b| (a.1.1, a.0).partial_cmp(&(b.1.1, b.0)).unwrap());
            let expected = expected.map(|(key, one)| (one.1, key));
            // Half of the rounds have second lower bounds, which may be less than the first.
            let mut evaluate = |one: BoundedCandidate<usize>, limit: f64| {
                let value = listed[one.key].1;
                if round % 2 == 1 && !one.is_refined {
                    return Evaluation::LowerBound(value - (one.key % 3) as f64);
                }
                evaluated += 1;
                Evaluation::new((value <= limit).then_some(()), |()| value)
            };
            let found =
                best_of_all(&mut Listed(listed.clone()), limit, &mut Vec::new(), &mut evaluate);
            assert_eq!(found.map(|best| (best.value, best.key)), expected);
            let all_bounded = || -> Vec<_> {
                let listed = listed.iter().enumerate();
                listed.map(|(key, one)| BoundedCandidate::new(one.0, key)).collect()
            };
            let limits = [limit, f64::NEG_INFINITY];
            let found = best_first(&mut all_bounded(), limits, &mut evaluate);
            assert_eq!(found.map(|best| (best.value, best.key)), expected);
            let found = best_first(&mut all_bounded(), [limit, -2.0], &mut evaluate);
            let is_enough = |value: f64| value == expected.unwrap().0 || value <= -2.0;
            assert!(found.is_none_or(|best| is_enough(best.value)));
            assert_eq!(found.is_some(), expected.is_some());
            all += 3 * listed.len();
        }
        assert!(2 * evaluated < all, "{evaluated} of {all}");
    }
}
