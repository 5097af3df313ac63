//! Intersection and closest points of every pair with a cylinder, an ellipsoid or a convex hull,
//! and of convex primitives whatever they are.

use super::ConvexShape;
use super::gjk::ConvexPair;
use super::kind::ConvexKind;
use super::penetration::contact;
use super::support::Support;
use crate::num::{Fingerprint, Scalar};
use crate::pair::questions::{ClosestPointsQuery, ContactQuery, IntersectsQuery};
use crate::pair::results::{ClosestPoints, Contact};
use crate::pair::round::WideClosest;
use crate::shape::{Capsule, ConvexHull, Cylinder, Ellipsoid, Obb, Segment, Sphere, Triangle};

fn pair<'a>(first: &'a dyn Support, second: &'a dyn Support) -> ConvexPair<'a> {
    ConvexPair::here([first, second])
}

pub(super) fn closest(first: &dyn Support, second: &dyn Support) -> WideClosest {
    let (near, apart) = pair(first, second).nearest();
    let distance = if apart { near.squared.sqrt().max(f64::MIN_POSITIVE) } else { 0.0 };
    let on_b = if apart { near.on_b() } else { near.on_a };
    (near.on_a, on_b, distance)
}

/// An order of shapes of one kind that depends on nothing but the stored bits.
fn bits(each: impl FnOnce(&mut dyn FnMut(u64))) -> u64 {
    let mut hash = Fingerprint::default();
    each(&mut |bits| hash.add(bits));
    hash.value()
}

/// Two kinds, both ways.
macro_rules! convex_pairs {
    ($($first:ty, $second:ty;)*) => {$(
        impl<T: Scalar> IntersectsQuery<$second> for $first {
            fn intersects(&self, other: &$second) -> bool {
                pair(self, other).touches(0.0)
            }
        }
        impl<T: Scalar> IntersectsQuery<$first> for $second {
            fn intersects(&self, other: &$first) -> bool {
                pair(other, self).touches(0.0)
            }
        }
        impl<T: Scalar> ClosestPointsQuery<$second> for $first {
            type Scalar = T;
            fn closest_points(&self, other: &$second) -> ClosestPoints<T> {
                ClosestPoints::of(closest(self, other))
            }
            fn distance(&self, other: &$second) -> T {
                self.closest_points(other).distance
            }
        }
        impl<T: Scalar> ClosestPointsQuery<$first> for $second {
            type Scalar = T;
            fn closest_points(&self, other: &$first) -> ClosestPoints<T> {
                ClosestPoints::of(closest(other, self)).reversed()
            }
            fn distance(&self, other: &$first) -> T {
                self.closest_points(other).distance
            }
        }
    )*};
}

/// Contacts of two kinds, both ways: of solid ones.
macro_rules! convex_contacts {
    ($($first:ty, $second:ty;)*) => {$(
        impl<T: Scalar> ContactQuery<$second> for $first {
            type Answer = Contact<T>;
            fn contact(&self, other: &$second) -> Option<Contact<T>> {
                contact(&pair(self, other)).map(Contact::of)
            }
        }
        impl<T: Scalar> ContactQuery<$first> for $second {
            type Answer = Contact<T>;
            fn contact(&self, other: &$first) -> Option<Contact<T>> {
                contact(&pair(other, self)).map(|touch| Contact::of(touch).reversed())
            }
        }
    )*};
}

/// All questions about two kinds.
macro_rules! convex_pairs_with_contacts {
    ($($first:ty, $second:ty;)*) => {
        convex_pairs! { $($first, $second;)* }
        convex_contacts! { $($first, $second;)* }
    };
}

convex_pairs! {
    Cylinder<T>, Segment<T>;
    Ellipsoid<T>, Segment<T>;
    ConvexHull<T>, Segment<T>;
}

convex_pairs_with_contacts! {
    Cylinder<T>, Sphere<T, 3>;
    Cylinder<T>, Capsule<T>;
    Cylinder<T>, Triangle<T>;
    Cylinder<T>, Obb<T>;
    Cylinder<T>, Ellipsoid<T>;
    Cylinder<T>, ConvexHull<T>;
    Ellipsoid<T>, Sphere<T, 3>;
    Ellipsoid<T>, Capsule<T>;
    Ellipsoid<T>, Triangle<T>;
    Ellipsoid<T>, Obb<T>;
    Ellipsoid<T>, ConvexHull<T>;
    ConvexHull<T>, Sphere<T, 3>;
    ConvexHull<T>, Capsule<T>;
    ConvexHull<T>, Triangle<T>;
    ConvexHull<T>, Obb<T>;
}

/// Of two of one kind, which goes first by its bits, and whether that is the second.
fn in_order<K>(a: K, b: K, bits: impl Fn(&K) -> u64) -> ([K; 2], bool) {
    let swapped = bits(&b) < bits(&a);
    (if swapped { [b, a] } else { [a, b] }, swapped)
}

/// The contact of two of one kind.
fn contact_in_order<T: Scalar>(
    a: &dyn Support,
    b: &dyn Support,
    swapped: bool,
) -> Option<Contact<T>> {
    let found = contact(&pair(a, b)).map(Contact::of);
    if swapped { found.map(|contact| contact.reversed()) } else { found }
}

/// Two of one kind, in the order of their bits.
macro_rules! convex_equals {
    ($($kind:ty;)*) => {$(
        impl<T: Scalar> IntersectsQuery for $kind {
            fn intersects(&self, other: &$kind) -> bool {
                let ([a, b], _) = in_order(self, other, |k| bits(|each| k.for_each_bits(each)));
                pair(a, b).touches(0.0)
            }
        }
        impl<T: Scalar> ClosestPointsQuery for $kind {
            type Scalar = T;
            fn closest_points(&self, other: &$kind) -> ClosestPoints<T> {
                let ([a, b], swapped) =
                    in_order(self, other, |k| bits(|each| k.for_each_bits(each)));
                let found = ClosestPoints::of(closest(a, b));
                if swapped { found.reversed() } else { found }
            }
            fn distance(&self, other: &$kind) -> T {
                ClosestPointsQuery::closest_points(self, other).distance
            }
        }
        impl<T: Scalar> ContactQuery for $kind {
            type Answer = Contact<T>;
            fn contact(&self, other: &$kind) -> Option<Contact<T>> {
                let ([a, b], swapped) =
                    in_order(self, other, |k| bits(|each| k.for_each_bits(each)));
                contact_in_order(a, b, swapped)
            }
        }
    )*};
}

convex_equals! {
    Cylinder<T>;
    Ellipsoid<T>;
    ConvexHull<T>;
}

impl<T: Scalar> IntersectsQuery for ConvexShape<T> {
    fn intersects(&self, other: &ConvexShape<T>) -> bool {
        let ([a, b], _) = in_order(self, other, |k| bits(|each| k.for_each_bits(each)));
        pair(a.body(), b.body()).touches(0.0)
    }
}

impl<T: Scalar> ClosestPointsQuery for ConvexShape<T> {
    type Scalar = T;
    fn closest_points(&self, other: &ConvexShape<T>) -> ClosestPoints<T> {
        let ([a, b], swapped) = in_order(self, other, |k| bits(|each| k.for_each_bits(each)));
        let found = ClosestPoints::of(closest(a.body(), b.body()));
        if swapped { found.reversed() } else { found }
    }
    fn distance(&self, other: &ConvexShape<T>) -> T {
        ClosestPointsQuery::closest_points(self, other).distance
    }
}

impl<T: Scalar> ContactQuery for ConvexShape<T> {
    type Answer = Contact<T>;
    fn contact(&self, other: &ConvexShape<T>) -> Option<Contact<T>> {
        let ([a, b], swapped) = in_order(self, other, |k| bits(|each| k.for_each_bits(each)));
        contact_in_order(a.body(), b.body(), swapped)
    }
}
