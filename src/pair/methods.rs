//! The questions as methods of the shapes, so that nobody has to import a trait.

use super::cast::{Cast, RayHit};
use super::questions::{Closest, Nearest, Overlap, Touching};
use crate::num::Scalar;
use crate::shape::{Aabb, Capsule, Frustum, Obb, Plane, Ray, Segment, Sphere, Triangle};

macro_rules! asked {
    ($($kind:ty $(, $d:ident)?;)*) => {$(
        impl<T: Scalar $(, const $d: usize)?> $kind {
            /// Whether the two share a point; touching counts. See the table of [`pair`](crate::pair) for the pairs there are.
            #[inline]
            pub fn intersects<B>(&self, other: &B) -> bool
            where
                Self: Overlap<B>,
            {
                Overlap::intersects(self, other)
            }

            /// A point of each such that no others are closer, and their distance; where they share points, one of these.
            #[inline]
            pub fn closest_points<B>(&self, other: &B) -> Closest<<Self as Nearest<B>>::Scalar>
            where
                Self: Nearest<B>,
            {
                Nearest::closest_points(self, other)
            }

            /// Where the two touch, which way they part and how far; `None` exactly where they do not intersect.
            #[inline]
            pub fn contact<B>(&self, other: &B) -> Option<<Self as Touching<B>>::Answer>
            where
                Self: Touching<B>,
            {
                Touching::contact(self, other)
            }
        }
    )*};
}

asked! {
    Sphere<T, D>, D;
    Capsule<T>;
    Segment<T>;
    Triangle<T>;
    Aabb<T, D>, D;
    Obb<T>;
    Plane<T>;
}

macro_rules! measured {
    ($($kind:ty $(, $d:ident)?;)*) => {$(
        impl<T: Scalar $(, const $d: usize)?> $kind {
            /// How far the two are apart, rounded up: zero exactly where they intersect. Units; infinite if one is empty.
            #[inline]
            pub fn distance<B>(&self, other: &B) -> <Self as Nearest<B>>::Scalar
            where
                Self: Nearest<B>,
            {
                Nearest::distance(self, other)
            }
        }
    )*};
}

// A plane has its own: the signed distance of a point.
measured! {
    Sphere<T, D>, D;
    Capsule<T>;
    Segment<T>;
    Triangle<T>;
    Aabb<T, D>, D;
    Obb<T>;
}

impl<T: Scalar> Ray<T> {
    /// Where the ray first meets the shape; `None` if it never does. Touching counts, up to the rounding of `f64`.
    #[inline]
    pub fn cast<B>(&self, other: &B) -> Option<RayHit<T>>
    where
        Self: Cast<B, Scalar = T>,
    {
        Cast::cast(self, other)
    }
}

impl<T: Scalar> Frustum<T> {
    /// Whether the two share a point; touching counts, up to the rounding of `f64`: boxes and triangles are never missed, and those
    /// not quite reached may be called touching.
    #[inline]
    pub fn intersects<B>(&self, other: &B) -> bool
    where
        Self: Overlap<B>,
    {
        Overlap::intersects(self, other)
    }
}
