//! Which shapes answer which questions: every pair of round and flat shapes and boxes, in an order fixed by kind and bits.

use super::questions::{Closest, Nearest, Overlap, Touch, Touching};
use super::round::{self, Round};
use crate::num::Scalar;
use crate::shape::{Aabb, Capsule, Obb, Segment, Sphere, Triangle};

/// Overlap and closest points of two kinds, both ways.
macro_rules! pairs {
    ($($first:ty, $second:ty;)*) => {$(
        impl<T: Scalar> Overlap<$second> for $first {
            #[inline]
            fn intersects(&self, other: &$second) -> bool {
                round::intersects(self, other)
            }
        }
        impl<T: Scalar> Overlap<$first> for $second {
            #[inline]
            fn intersects(&self, other: &$first) -> bool {
                other.intersects(self)
            }
        }
        impl<T: Scalar> Nearest<$second> for $first {
            type Scalar = T;
            #[inline]
            fn closest_points(&self, other: &$second) -> Closest<T> {
                Closest::of(round::closest(self, other))
            }
            #[inline]
            fn distance(&self, other: &$second) -> T {
                T::at_least(round::distance(self, other))
            }
        }
        impl<T: Scalar> Nearest<$first> for $second {
            type Scalar = T;
            #[inline]
            fn closest_points(&self, other: &$first) -> Closest<T> {
                Closest::of(round::closest(other, self)).reversed()
            }
            #[inline]
            fn distance(&self, other: &$first) -> T {
                T::at_least(round::distance(other, self))
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

/// Overlap of two of one kind.
macro_rules! overlap_of_equals {
    ($($kind:ty),*) => {$(
        impl<T: Scalar> Overlap for $kind {
            #[inline]
            fn intersects(&self, other: &$kind) -> bool {
                match Round::precedes(other, self) {
                    true => round::intersects(other, self),
                    false => round::intersects(self, other),
                }
            }
        }
    )*};
}

/// Closest points of two of one kind.
macro_rules! nearest_of_equals {
    ($($kind:ty),*) => {$(
        impl<T: Scalar> Nearest for $kind {
            type Scalar = T;
            #[inline]
            fn closest_points(&self, other: &$kind) -> Closest<T> {
                match Round::precedes(other, self) {
                    true => Closest::of(round::closest(other, self)).reversed(),
                    false => Closest::of(round::closest(self, other)),
                }
            }
            #[inline]
            fn distance(&self, other: &$kind) -> T {
                T::at_least(match Round::precedes(other, self) {
                    true => round::distance(other, self),
                    false => round::distance(self, other),
                })
            }
        }
    )*};
}

overlap_of_equals!(Sphere<T, 3>, Capsule<T>, Segment<T>, Triangle<T>);
nearest_of_equals!(Sphere<T, 3>, Capsule<T>, Segment<T>, Triangle<T>);

/// Contacts of two kinds, both ways.
macro_rules! touching {
    ($($first:ty, $second:ty;)*) => {$(
        impl<T: Scalar> Touching<$second> for $first {
            type Answer = Touch<T>;
            #[inline]
            fn contact(&self, other: &$second) -> Option<Touch<T>> {
                round::touch(self, other).map(Touch::of)
            }
        }
        impl<T: Scalar> Touching<$first> for $second {
            type Answer = Touch<T>;
            #[inline]
            fn contact(&self, other: &$first) -> Option<Touch<T>> {
                round::touch(other, self).map(|touch| Touch::of(touch).reversed())
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

/// Contacts of two of one kind.
macro_rules! touching_equals {
    ($($kind:ty),*) => {$(
        impl<T: Scalar> Touching for $kind {
            type Answer = Touch<T>;
            #[inline]
            fn contact(&self, other: &$kind) -> Option<Touch<T>> {
                match Round::precedes(other, self) {
                    true => round::touch(other, self).map(|touch| Touch::of(touch).reversed()),
                    false => round::touch(self, other).map(Touch::of),
                }
            }
        }
    )*};
}

touching_equals!(Sphere<T, 3>, Capsule<T>);
