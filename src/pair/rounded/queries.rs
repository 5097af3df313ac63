//! Query impls for pairs of rounded shapes (ball, capsule, segment, triangle, box), in an order
//! fixed by kind and bits.

use super::rounded_shape;
use super::rounded_shape::RoundedShape;
use crate::num::Scalar;
use crate::pair::queries::traits::{ClosestPointsQuery, ContactQuery, IntersectsQuery};
use crate::pair::results::{ClosestPoints, Contact};
use crate::shape::{Aabb, Capsule, Obb, Segment, Sphere, Triangle};

/// Implements intersection and closest points of two kinds, in both orders.
macro_rules! pairs {
    ($($first:ty, $second:ty;)*) => {$(
        impl<T: Scalar> IntersectsQuery<$second> for $first {
            #[inline]
            fn intersects(&self, other: &$second) -> bool {
                rounded_shape::intersects(self, other)
            }
        }
        impl<T: Scalar> IntersectsQuery<$first> for $second {
            #[inline]
            fn intersects(&self, other: &$first) -> bool {
                other.intersects(self)
            }
        }
        impl<T: Scalar> ClosestPointsQuery<$second> for $first {
            type Scalar = T;
            #[inline]
            fn closest_points(&self, other: &$second) -> ClosestPoints<T> {
                ClosestPoints::from_wide(rounded_shape::closest(self, other))
            }
            #[inline]
            fn distance(&self, other: &$second) -> T {
                T::at_least(rounded_shape::distance(self, other))
            }
        }
        impl<T: Scalar> ClosestPointsQuery<$first> for $second {
            type Scalar = T;
            #[inline]
            fn closest_points(&self, other: &$first) -> ClosestPoints<T> {
                ClosestPoints::from_wide(rounded_shape::closest(other, self)).reversed()
            }
            #[inline]
            fn distance(&self, other: &$first) -> T {
                T::at_least(rounded_shape::distance(other, self))
            }
        }
    )*};
}

pairs! {
    Sphere<T, 3>, Capsule<T>;
    Sphere<T, 3>, Segment<T>;
    Sphere<T, 3>, Triangle<T>;
    Sphere<T, 3>, Aabb<T, 3>;
    Sphere<T, 3>, Obb<T>;
    Capsule<T>, Segment<T>;
    Capsule<T>, Triangle<T>;
    Capsule<T>, Aabb<T, 3>;
    Capsule<T>, Obb<T>;
    Segment<T>, Triangle<T>;
    Segment<T>, Aabb<T, 3>;
    Segment<T>, Obb<T>;
    Triangle<T>, Aabb<T, 3>;
    Triangle<T>, Obb<T>;
}

/// Implements intersection of two shapes of one kind.
macro_rules! overlap_of_equals {
    ($($kind:ty),*) => {$(
        impl<T: Scalar> IntersectsQuery for $kind {
            #[inline]
            fn intersects(&self, other: &$kind) -> bool {
                match RoundedShape::precedes(other, self) {
                    true => rounded_shape::intersects(other, self),
                    false => rounded_shape::intersects(self, other),
                }
            }
        }
    )*};
}

/// Implements closest points of two shapes of one kind.
macro_rules! nearest_of_equals {
    ($($kind:ty),*) => {$(
        impl<T: Scalar> ClosestPointsQuery for $kind {
            type Scalar = T;
            #[inline]
            fn closest_points(&self, other: &$kind) -> ClosestPoints<T> {
                match RoundedShape::precedes(other, self) {
                    true => ClosestPoints::from_wide(rounded_shape::closest(other, self)).reversed(),
                    false => ClosestPoints::from_wide(rounded_shape::closest(self, other)),
                }
            }
            #[inline]
            fn distance(&self, other: &$kind) -> T {
                T::at_least(match RoundedShape::precedes(other, self) {
                    true => rounded_shape::distance(other, self),
                    false => rounded_shape::distance(self, other),
                })
            }
        }
    )*};
}

overlap_of_equals!(Sphere<T, 3>, Capsule<T>, Segment<T>, Triangle<T>);
nearest_of_equals!(Sphere<T, 3>, Capsule<T>, Segment<T>, Triangle<T>);

/// Implements contacts of two kinds, in both orders.
macro_rules! touching {
    ($($first:ty, $second:ty;)*) => {$(
        impl<T: Scalar> ContactQuery<$second> for $first {
            type Answer = Contact<T>;
            #[inline]
            fn contact(&self, other: &$second) -> Option<Contact<T>> {
                rounded_shape::contact(self, other).map(Contact::from_wide)
            }
        }
        impl<T: Scalar> ContactQuery<$first> for $second {
            type Answer = Contact<T>;
            #[inline]
            fn contact(&self, other: &$first) -> Option<Contact<T>> {
                rounded_shape::contact(other, self).map(|touch| Contact::from_wide(touch).reversed())
            }
        }
    )*};
}

touching! {
    Sphere<T, 3>, Capsule<T>;
    Sphere<T, 3>, Triangle<T>;
    Sphere<T, 3>, Aabb<T, 3>;
    Sphere<T, 3>, Obb<T>;
    Capsule<T>, Triangle<T>;
    Capsule<T>, Aabb<T, 3>;
    Capsule<T>, Obb<T>;
}

/// Implements contacts of two shapes of one kind.
macro_rules! touching_equals {
    ($($kind:ty),*) => {$(
        impl<T: Scalar> ContactQuery for $kind {
            type Answer = Contact<T>;
            #[inline]
            fn contact(&self, other: &$kind) -> Option<Contact<T>> {
                match RoundedShape::precedes(other, self) {
                    true => rounded_shape::contact(other, self).map(|touch| Contact::from_wide(touch).reversed()),
                    false => rounded_shape::contact(self, other).map(Contact::from_wide),
                }
            }
        }
    )*};
}

touching_equals!(Sphere<T, 3>, Capsule<T>);
