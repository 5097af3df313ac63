//! Two oriented boxes.

use super::abreast::meet;
use super::blocks;
use super::facing::Facing;
use super::glance::touch;
use super::questions::{ClosestPointsQuery, ContactQuery, IntersectsQuery};
use super::results::ClosestPoints;
use super::results::Contact;
use crate::num::{Precompiled, Scalar, precompile};
use crate::shape::{Obb, WideObb};

impl<T: Scalar> IntersectsQuery for Obb<T> {
    /// Whether the two boxes share a point; touching counts.
    ///
    /// Boxes that share a point are never called apart; boxes called touching are no
    /// further apart than the `slack` that [`Obb::contact`] states. Source: see the 15 axes in
    /// Ericson, Real-Time Collision Detection (2005), 4.4.1, with an absolute slack.
    #[inline]
    fn intersects(&self, other: &Self) -> bool {
        T::precompiled(Intersects, [self, other])
    }
}

struct Intersects;

impl Precompiled for Intersects {
    type Given<'a, T: Scalar> = [&'a Obb<T>; 2];
    type Answer<T: Scalar> = bool;

    precompile!(|Intersects, [a, b]| touch(a, b).unwrap_or_else(|| touch_closely(a, b)));
}

/// The test in double precision, which decides. (Compiled into its callers it takes nearly twice as
/// long: measured.)
#[inline(never)]
#[cfg_attr(feature = "simd", cold)]
pub(super) fn touch_closely<T: Scalar>(a: &Obb<T>, b: &Obb<T>) -> bool {
    let (first, second) = in_order(a, b).0;
    !Facing::new(&first, &second).apart(leaf_slack::<T>(&first, &second))
}

impl<T: Scalar> ContactQuery for Obb<T> {
    type Answer = Contact<T>;

    /// Where the two boxes touch; `None` if they are apart.
    ///
    /// `other.contact(self)` is the [reversed](Contact::reversed) answer, bit for bit. (Two boxes
    /// of the same bits have no order; their normal is then the same from both sides.)
    fn contact(&self, other: &Self) -> Option<Contact<T>> {
        T::precompiled(Meets, [self, other])
    }
}

struct Meets;

impl Precompiled for Meets {
    type Given<'a, T: Scalar> = [&'a Obb<T>; 2];
    type Answer<T: Scalar> = Option<Contact<T>>;

    precompile!(|Meets, [a, b]| contact(a, b));
}

fn contact<T: Scalar>(a: &Obb<T>, b: &Obb<T>) -> Option<Contact<T>> {
    let ([first, second], swapped) = ordered(a, b);
    let contact = meet(first, second)?;
    Some(if swapped { contact.reversed() } else { contact })
}

/// One axis after another: what [`meet`] has to give, bit for bit.
#[cfg(test)]
pub(super) fn meet_in_turn<T: Scalar>(first: &Obb<T>, second: &Obb<T>) -> Option<Contact<T>> {
    let (first, second) = (first.wide(), second.wide());
    let slack = leaf_slack::<T>(&first, &second);
    let facing = Facing::new(&first, &second);
    (!facing.apart(slack)).then(|| facing.contact(&first, &second, slack, 0.0))
}

impl<T: Scalar> ClosestPointsQuery for Obb<T> {
    type Scalar = T;

    fn closest_points(&self, other: &Self) -> ClosestPoints<T> {
        T::precompiled(FindPoints, [self, other])
    }

    fn distance(&self, other: &Self) -> T {
        T::precompiled(Distance, [self, other])
    }
}

struct FindPoints;

impl Precompiled for FindPoints {
    type Given<'a, T: Scalar> = [&'a Obb<T>; 2];
    type Answer<T: Scalar> = ClosestPoints<T>;

    precompile!(|FindPoints, [a, b]| {
        let (pair, swapped) = ordered(a, b);
        blocks::points(pair, swapped)
    });
}

struct Distance;

impl Precompiled for Distance {
    type Given<'a, T: Scalar> = [&'a Obb<T>; 2];
    type Answer<T: Scalar> = T;

    precompile!(|Distance, [a, b]| Scalar::at_least(blocks::distance(ordered(a, b).0)));
}

/// The two boxes in the order of their bits, and whether that swapped them. (As a call of its own
/// it doubles the time of a verdict.)
#[inline(always)]
pub(super) fn in_order<T: Scalar>(a: &Obb<T>, b: &Obb<T>) -> ((WideObb, WideObb), bool) {
    let ([first, second], swapped) = ordered(a, b);
    ((first.wide(), second.wide()), swapped)
}

/// The same as they are stored.
#[inline(always)]
fn ordered<'a, T: Scalar>(a: &'a Obb<T>, b: &'a Obb<T>) -> ([&'a Obb<T>; 2], bool) {
    let swapped = b.precedes(a);
    // Picked by number: which of them comes first is as good as chance, and a branch would be
    // guessed wrong half the time.
    let (pair, first) = ([a, b], usize::from(swapped));
    ([pair[first], pair[1 - first]], swapped)
}

pub(super) fn leaf_slack<T: Scalar>(a: &WideObb, b: &WideObb) -> f64 {
    T::LEAF_SLACK * (a.radius() + b.radius())
}
