//! Sorts that rooms share. A sort of the standard library is some 5 KB of machine code for every
//! type and order: what need not be the fastest is sorted by one of these.

use std::cmp::Ordering;

/// A value, and the place it is of.
pub(crate) type Keyed = (f64, u32);

/// A total order, the first places first of equal values: what comes of a sort or a selection does
/// not depend on its algorithm.
pub(crate) fn by_value(a: &Keyed, b: &Keyed) -> Ordering {
    a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
}

/// Sorts [by value](by_value).
#[inline(never)]
pub(crate) fn sort_by_value(keyed: &mut [Keyed]) {
    keyed.sort_unstable_by(by_value);
}

/// The places of values, the least first; of equal values in their order.
pub(crate) fn ascending(values: impl Iterator<Item = f64>) -> impl Iterator<Item = usize> {
    let mut keyed: Vec<Keyed> = values.zip(0..).collect();
    sort_by_value(&mut keyed);
    keyed.into_iter().map(|(_, place)| place as usize)
}

/// Sorts points of a plane by their first coordinates, then by their second.
#[inline(never)]
pub(crate) fn sort_points(points: &mut [[f64; 2]]) {
    points.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
}

/// The places of so many things in some order; of equal ones ascending.
#[inline(never)]
pub(crate) fn places_in_order(len: usize, order: &dyn Fn(usize, usize) -> Ordering) -> Vec<u32> {
    let mut places: Vec<u32> = (0..len as u32).collect();
    places.sort_unstable_by(|a, b| order(*a as usize, *b as usize).then(a.cmp(b)));
    places
}

/// Sorts a handful, for more takes the square of their number; what is equal keeps its order.
pub(crate) fn sort_few<S>(few: &mut [S], order: impl Fn(&S, &S) -> Ordering) {
    for next in 1..few.len() {
        let mut at = next;
        while at > 0 && order(&few[at], &few[at - 1]).is_lt() {
            few.swap(at, at - 1);
            at -= 1;
        }
    }
}
