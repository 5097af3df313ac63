//! Query impls for pairs that are decided by support mappings alone.

use super::ConvexShape;
use super::body::{BodyBounds, ConvexBody, with_pair, with_whole_pair};
use super::convex_kind::{ConvexKind, for_each_number_bits};
use super::penetration::deepest_contact;
use super::support::Support;
use crate::num::{Fingerprint, Scalar};
use crate::pair::queries::traits::{ClosestPointsQuery, ContactQuery, IntersectsQuery};
use crate::pair::results::{ClosestPoints, Contact};
use crate::pair::rounded::cores::ClosestOnCores;
use crate::pair::rounded::rounded_shape::{EMPTY_CLOSEST, WideClosest};
use crate::shape::{
    Aabb, Capsule, ConvexHull, Cylinder, Dop14, Dop18, Ellipsoid, Frustum, Obb, Polygon3, Segment,
    SpaceDop8, Sphere, Triangle,
};

impl<T: Scalar> ConvexBody for ConvexShape<T> {
    fn body_bounds(&self) -> BodyBounds {
        BodyBounds::from_aabb(&self.aabb())
    }
    fn with_support<A>(
        &self,
        _: &impl ConvexBody,
        ask: impl FnOnce(&dyn Support) -> A,
    ) -> Option<A> {
        Some(ask(self.body()))
    }
}

fn intersect(first: &impl ConvexBody, second: &impl ConvexBody) -> bool {
    with_pair(first, second, |pair| pair.touches(0.0)).unwrap_or(false)
}

fn closest(first: &impl ConvexBody, second: &impl ConvexBody) -> WideClosest {
    with_pair(first, second, |pair| surface_points(pair.closest_points())).unwrap_or(EMPTY_CLOSEST)
}

/// Returns the closest points of a pair whose own test decided whether it is disjoint.
fn closest_with_verdict(
    first: &impl ConvexBody,
    second: &impl ConvexBody,
    apart: bool,
) -> WideClosest {
    with_pair(first, second, |pair| surface_points((pair.closest_points().0, apart)))
        .unwrap_or(EMPTY_CLOSEST)
}

fn surface_points((near, apart): (ClosestOnCores, bool)) -> WideClosest {
    let distance = if apart { near.squared.sqrt().max(f64::MIN_POSITIVE) } else { 0.0 };
    let on_b = if apart { near.on_b() } else { near.on_a };
    (near.on_a, on_b, distance)
}

/// Implements intersection and closest points of one kind with some others, in both orders.
macro_rules! convex_pairs {
    ($($first:ty: $($second:ty),*;)*) => { $($(convex_pairs!(@ $first, $second);)*)* };
    (@ $first:ty, $second:ty) => {
        impl<T: Scalar> IntersectsQuery<$second> for $first {
            fn intersects(&self, other: &$second) -> bool {
                intersect(self, other)
            }
        }
        impl<T: Scalar> IntersectsQuery<$first> for $second {
            fn intersects(&self, other: &$first) -> bool {
                intersect(other, self)
            }
        }
        impl<T: Scalar> ClosestPointsQuery<$second> for $first {
            type Scalar = T;
            fn closest_points(&self, other: &$second) -> ClosestPoints<T> {
                ClosestPoints::from_wide(closest(self, other))
            }
        }
        impl<T: Scalar> ClosestPointsQuery<$first> for $second {
            type Scalar = T;
            fn closest_points(&self, other: &$first) -> ClosestPoints<T> {
                ClosestPoints::from_wide(closest(other, self)).reversed()
            }
        }
    };
}

/// Implements closest points of one kind with some others that have their own intersection test.
macro_rules! closest_beside_own_test {
    ($first:ty: $($second:ty),*) => {$(
        impl<T: Scalar> ClosestPointsQuery<$second> for $first {
            type Scalar = T;
            fn closest_points(&self, other: &$second) -> ClosestPoints<T> {
                ClosestPoints::from_wide(closest_with_verdict(self, other, !self.intersects(other)))
            }
        }
        impl<T: Scalar> ClosestPointsQuery<$first> for $second {
            type Scalar = T;
            fn closest_points(&self, other: &$first) -> ClosestPoints<T> {
                ClosestPointsQuery::closest_points(other, self).reversed()
            }
        }
    )*};
}

/// Implements contacts of one kind with some others, in both orders; one of the two has an inside
/// or a radius.
macro_rules! convex_contacts {
    ($($first:ty: $($second:ty),*;)*) => { $($(convex_contacts!(@ $first, $second);)*)* };
    (@ $first:ty, $second:ty) => {
        impl<T: Scalar> ContactQuery<$second> for $first {
            type Answer = Contact<T>;
            fn contact(&self, other: &$second) -> Option<Contact<T>> {
                let touch = || with_whole_pair(self, other, deepest_contact).map(Contact::from_wide);
                if self.intersects(other) { touch() } else { None }
            }
        }
        impl<T: Scalar> ContactQuery<$first> for $second {
            type Answer = Contact<T>;
            fn contact(&self, other: &$first) -> Option<Contact<T>> {
                ContactQuery::contact(other, self).map(|contact| contact.reversed())
            }
        }
    };
}

/// Implements all queries of one kind with some others.
macro_rules! convex_pairs_with_contacts {
    ($($all:tt)*) => {
        convex_pairs! { $($all)* }
        convex_contacts! { $($all)* }
    };
}

convex_pairs! {
    Cylinder<T>: Segment<T>;
    Ellipsoid<T>: Segment<T>;
    ConvexHull<T>: Segment<T>;
    Polygon3<T>: Triangle<T>;
    Dop14<T>: Segment<T>;
    Dop18<T>: Segment<T>;
    SpaceDop8<T>: Segment<T>;
}

convex_pairs_with_contacts! {
    Cylinder<T>: Sphere<T, 3>, Capsule<T>, Triangle<T>, Aabb<T, 3>, Obb<T>, Ellipsoid<T>,
        ConvexHull<T>, Frustum<T>, Polygon3<T>;
    Ellipsoid<T>: Sphere<T, 3>, Capsule<T>, Triangle<T>, Aabb<T, 3>, Obb<T>, ConvexHull<T>,
        Frustum<T>, Polygon3<T>;
    ConvexHull<T>: Sphere<T, 3>, Capsule<T>, Triangle<T>, Aabb<T, 3>, Obb<T>, Frustum<T>,
        Polygon3<T>;
    Polygon3<T>: Aabb<T, 3>, Obb<T>, Frustum<T>;
    Dop14<T>: Sphere<T, 3>, Capsule<T>, Triangle<T>, Aabb<T, 3>, Obb<T>, Cylinder<T>, Ellipsoid<T>,
        ConvexHull<T>, Frustum<T>, Polygon3<T>, Dop18<T>, SpaceDop8<T>;
    Dop18<T>: Sphere<T, 3>, Capsule<T>, Triangle<T>, Aabb<T, 3>, Obb<T>, Cylinder<T>, Ellipsoid<T>,
        ConvexHull<T>, Frustum<T>, Polygon3<T>, SpaceDop8<T>;
    SpaceDop8<T>: Sphere<T, 3>, Capsule<T>, Triangle<T>, Aabb<T, 3>, Obb<T>, Cylinder<T>,
        Ellipsoid<T>, ConvexHull<T>, Frustum<T>, Polygon3<T>;
}

closest_beside_own_test! {
    Frustum<T>: Sphere<T, 3>, Capsule<T>, Segment<T>, Triangle<T>, Aabb<T, 3>, Obb<T>
}

convex_contacts! {
    Frustum<T>: Sphere<T, 3>, Capsule<T>, Triangle<T>, Aabb<T, 3>, Obb<T>;
    Polygon3<T>: Sphere<T, 3>, Capsule<T>;
}

/// Shape that is ordered among its kind by its stored bits only.
pub(in crate::pair) trait BitOrdered: ConvexBody {
    fn stored_bits(&self, each: &mut dyn FnMut(u64));
}

/// Orders two shapes of one kind by their bits; `true` if they were swapped.
pub(in crate::pair) fn ordered_by_bits<'a, K: BitOrdered>(
    a: &'a K,
    b: &'a K,
) -> ([&'a K; 2], bool) {
    let bits = |k: &K| {
        let mut hash = Fingerprint::default();
        k.stored_bits(&mut |bits| hash.add(bits));
        hash.value()
    };
    let swapped = bits(b) < bits(a);
    (if swapped { [b, a] } else { [a, b] }, swapped)
}

/// Implements intersection and closest points of two shapes of one kind, in the order of their
/// bits.
macro_rules! convex_equals {
    ($($kind:ty, |$shape:ident, $each:ident| $bits:expr;)*) => {$(
        impl<T: Scalar> BitOrdered for $kind {
            fn stored_bits(&self, $each: &mut dyn FnMut(u64)) {
                let $shape = self;
                $bits
            }
        }
        impl<T: Scalar> IntersectsQuery for $kind {
            fn intersects(&self, other: &$kind) -> bool {
                let ([a, b], _) = ordered_by_bits(self, other);
                intersect(a, b)
            }
        }
        impl<T: Scalar> ClosestPointsQuery for $kind {
            type Scalar = T;
            fn closest_points(&self, other: &$kind) -> ClosestPoints<T> {
                let ([a, b], swapped) = ordered_by_bits(self, other);
                let found = ClosestPoints::from_wide(closest(a, b));
                if swapped { found.reversed() } else { found }
            }
        }
    )*};
}

/// Implements contacts of two shapes of one kind.
macro_rules! convex_equals_contacts {
    ($($kind:ty),*) => {$(
        impl<T: Scalar> ContactQuery for $kind {
            type Answer = Contact<T>;
            fn contact(&self, other: &$kind) -> Option<Contact<T>> {
                let ([a, b], swapped) = ordered_by_bits(self, other);
                let touch = || with_whole_pair(a, b, deepest_contact).map(Contact::from_wide);
                let found = if intersect(a, b) { touch() } else { None };
                if swapped { found.map(|contact| contact.reversed()) } else { found }
            }
        }
    )*};
}

convex_equals! {
    Cylinder<T>, |shape, each| shape.for_each_bits(each);
    Ellipsoid<T>, |shape, each| shape.for_each_bits(each);
    ConvexHull<T>, |shape, each| shape.for_each_bits(each);
    ConvexShape<T>, |shape, each| shape.for_each_bits(each);
    Polygon3<T>, |shape, each| {
        shape.corners().iter().for_each(|corner| for_each_number_bits(corner.coords.as_slice(), each));
    };
    Frustum<T>, |shape, each| {
        shape.corners().iter().for_each(|corner| for_each_number_bits(corner.coords.as_slice(), each));
    };
}

convex_equals_contacts!(Cylinder<T>, Ellipsoid<T>, ConvexHull<T>, ConvexShape<T>, Frustum<T>);
