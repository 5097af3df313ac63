//! Shared sorts. A sort of the standard library is about 5 KB of machine code for every type and
//! order, so sorts that need not be the fastest share these.

use std::cmp::Ordering;

/// A value and the index of its item.
pub(crate) type KeyedIndex = (f64, u32);

/// Total order by value, then by index: the result of a sort or selection does not depend on its
/// algorithm.
pub(crate) fn compare_by_value(a: &KeyedIndex, b: &KeyedIndex) -> Ordering {
    a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
}

/// Sorts [by value and index](compare_by_value).
#[inline(never)]
pub(crate) fn sort_by_value(keyed: &mut [KeyedIndex]) {
    keyed.sort_unstable_by(compare_by_value);
}

/// Returns the indices of values in ascending order of the values, then of the indices.
pub(crate) fn ascending_indices(values: impl Iterator<Item = f64>) -> impl Iterator<Item = usize> {
    let mut keyed: Vec<KeyedIndex> = values.zip(0..).collect();
    sort_by_value(&mut keyed);
    keyed.into_iter().map(|(_, index)| index as usize)
}

/// Sorts points of a plane by their first coordinates, then by their second.
#[inline(never)]
pub(crate) fn sort_points(points: &mut [[f64; 2]]) {
    points.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
}

/// Returns the indices below `len` in an order; ascending for equal items.
#[inline(never)]
pub(crate) fn sorted_indices(len: usize, order: &dyn Fn(usize, usize) -> Ordering) -> Vec<u32> {
    let mut indices: Vec<u32> = (0..len as u32).collect();
    indices.sort_unstable_by(|a, b| order(*a as usize, *b as usize).then(a.cmp(b)));
    indices
}

/// Returns bits that ascend with the number; those of -0.0 and 0.0 are equal.
#[inline(always)]
pub(crate) fn ascending_bits(x: f32) -> u32 {
    let bits = (x + 0.0).to_bits();
    // Bits of negative numbers descend.
    bits ^ (((bits as i32) >> 31) as u32 | 1 << 31)
}

/// Returns the number of these [bits](ascending_bits).
#[inline(always)]
pub(crate) fn from_ascending_bits(bits: u32) -> f32 {
    let is_negative = bits >> 31 == 0;
    f32::from_bits(if is_negative { !bits } else { bits ^ 1 << 31 })
}

/// Swaps the element with the least key, of equal ones the first, with the last. No key is NaN.
#[inline]
pub(crate) fn move_least_to_end<S, K: PartialOrd>(elements: &mut [S], key: impl Fn(&S) -> K) {
    let Some(last) = elements.len().checked_sub(1) else { return };
    let (mut first, mut least) = (0, key(&elements[0]));
    for (index, element) in elements.iter().enumerate().skip(1) {
        let own = key(element);
        (first, least) = if own < least { (index, own) } else { (first, least) };
    }
    elements.swap(first, last);
}

/// Inserts the last item of a list into the others, which are sorted, after equal ones. Returns the
/// number of items that made room for it.
#[inline(always)]
fn insert_last<S: Copy>(list: &mut [S], order: impl Fn(&S, &S) -> Ordering) -> usize {
    let last = list.len() - 1;
    let (item, mut at) = (list[last], last);
    while at > 0 && order(&item, &list[at - 1]).is_lt() {
        list[at] = list[at - 1];
        at -= 1;
    }
    list[at] = item;
    last - at
}

/// Sorts a short list by insertion, stable; the time is the square of the length.
pub(crate) fn insertion_sort<S: Copy>(few: &mut [S], order: impl Fn(&S, &S) -> Ordering) {
    for end in 2..=few.len() {
        insert_last(&mut few[..end], &order);
    }
}

/// Sorts by insertion while the input is nearly sorted, otherwise by a general sort.
pub(crate) fn sort_nearly_sorted(order: &mut [KeyedIndex]) {
    let mut moves = 8 * order.len();
    for end in 2..=order.len() {
        moves = moves.saturating_sub(insert_last(&mut order[..end], compare_by_value));
        if moves == 0 {
            return sort_by_value(order);
        }
    }
}

#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod tests {
    use super::*;
    use crate::num::SplitMix64;

    pub fn orders_are_those_of_a_stable_sort() {
        let mut chance = SplitMix64(5);
        for len in 0..40 {
            // Many are equal, and zeros of both signs are not.
            let values = [-1.0, -0.0, 0.0, 1.0, f64::INFINITY];
            let of = |chance: &mut SplitMix64| values[chance.below(values.len())];
            let list: Vec<[f64; 2]> = (0..len).map(|_| [0; 2].map(|_| of(&mut chance))).collect();
            let first = |a: &[f64; 2], b: &[f64; 2]| a[0].total_cmp(&b[0]);
            let mut places: Vec<usize> = (0..len).collect();
            places.sort_by(|&a, &b| first(&list[a], &list[b]));
            assert!(ascending_indices(list.iter().map(|x| x[0])).eq(places.iter().copied()));
            let told = sorted_indices(len, &|a, b| first(&list[a], &list[b]));
            assert!(told.iter().map(|&place| place as usize).eq(places.iter().copied()));

            let sorted: Vec<[f64; 2]> = places.iter().map(|&place| list[place]).collect();
            let mut few = list.clone();
            insertion_sort(&mut few, first);
            let bits =
                |list: &[[f64; 2]]| list.iter().map(|x| x.map(f64::to_bits)).collect::<Vec<_>>();
            assert_eq!(bits(&few), bits(&sorted));

            let (mut points, mut both) = (list.clone(), list);
            sort_points(&mut points);
            both.sort_by(|a, b| first(a, b).then(a[1].total_cmp(&b[1])));
            assert_eq!(bits(&points), bits(&both));
        }
    }
}
