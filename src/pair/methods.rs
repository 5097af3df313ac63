//! The questions as methods of the shapes, so that nobody has to import a trait.

use super::cast::RayCastQuery;
use super::questions::{ClosestPointsQuery, ContactQuery, IntersectsQuery};
use super::results::CastHit;
use super::results::ClosestPoints;
use crate::num::Scalar;
use crate::shape::{Aabb, Capsule, Frustum, Obb, Plane, Ray, Segment, Sphere, Triangle};

macro_rules! asked {
    ($($kind:ty $(, $d:ident)?;)*) => {$(
        impl<T: Scalar $(, const $d: usize)?> $kind {
            /// Whether the two share a point; touching counts. See the table of [`pair`](crate::pair) for the pairs there are.
            #[inline]
            pub fn intersects<B>(&self, other: &B) -> bool
            where
                Self: IntersectsQuery<B>,
            {
                IntersectsQuery::intersects(self, other)
            }

            /// A point of each such that no others are closer, and their distance; where they share points, one of these.
            #[inline]
            pub fn closest_points<B>(&self, other: &B) -> ClosestPoints<<Self as ClosestPointsQuery<B>>::Scalar>
            where
                Self: ClosestPointsQuery<B>,
            {
                ClosestPointsQuery::closest_points(self, other)
            }

            /// Where the two touch, which way they part and how far; `None` exactly where they do not intersect.
            #[inline]
            pub fn contact<B>(&self, other: &B) -> Option<<Self as ContactQuery<B>>::Answer>
            where
                Self: ContactQuery<B>,
            {
                ContactQuery::contact(self, other)
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
            pub fn distance<B>(&self, other: &B) -> <Self as ClosestPointsQuery<B>>::Scalar
            where
                Self: ClosestPointsQuery<B>,
            {
                ClosestPointsQuery::distance(self, other)
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
    pub fn cast<B>(&self, other: &B) -> Option<CastHit<T>>
    where
        Self: RayCastQuery<B, Scalar = T>,
    {
        RayCastQuery::cast(self, other)
    }
}

impl<T: Scalar> Frustum<T> {
    /// Whether the two share a point; touching counts, up to the rounding of `f64`: boxes and triangles are never missed, and those
    /// not quite reached may be called touching.
    #[inline]
    pub fn intersects<B>(&self, other: &B) -> bool
    where
        Self: IntersectsQuery<B>,
    {
        IntersectsQuery::intersects(self, other)
    }
}
