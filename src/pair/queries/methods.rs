//! Queries as methods of the shapes, so that only generic code imports a trait.

use super::traits::{ClosestPointsQuery, ContactQuery, IntersectsQuery, SeparatingAxisQuery};
use crate::num::Scalar;
use crate::pair::cast::RayCastQuery;
use crate::pair::convex::ConvexShape;
use crate::pair::results::RayHit;
use crate::pair::results::{ClosestPoints, SeparatingAxis};
use crate::shape::{
    Aabb, Capsule, ConvexHull, Cylinder, Ellipsoid, Frustum, Kdop, Obb, Plane, Polygon3, Ray,
    Segment, Sphere, Triangle,
};

macro_rules! asked {
    ($($kind:ty $(, $d:ident)*;)*) => {$(
        impl<T: Scalar $(, const $d: usize)*> $kind {
            /// Returns `true` if the shapes share a point; touching counts. See
            /// [`IntersectsQuery`].
            #[inline]
            pub fn intersects<B>(&self, other: &B) -> bool
            where
                Self: IntersectsQuery<B>,
            {
                IntersectsQuery::intersects(self, other)
            }

            /// Returns the closest points and their distance; a common point if the shapes
            /// intersect. See [`ClosestPointsQuery`].
            #[inline]
            pub fn closest_points<B>(&self, other: &B) -> ClosestPoints<<Self as ClosestPointsQuery<B>>::Scalar>
            where
                Self: ClosestPointsQuery<B>,
            {
                ClosestPointsQuery::closest_points(self, other)
            }

            /// Returns the contact; `None` exactly where the shapes do not intersect. See
            /// [`ContactQuery`].
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
    Polygon3<T>;
    Frustum<T>;
    Kdop<T, D, N>, D, N;
    Aabb<T, D>, D;
    Obb<T>;
    Plane<T>;
    Cylinder<T>;
    Ellipsoid<T>;
    ConvexHull<T>;
    ConvexShape<T>;
}

macro_rules! measured {
    ($($kind:ty $(, $d:ident)*;)*) => {$(
        impl<T: Scalar $(, const $d: usize)*> $kind {
            /// Returns the distance, rounded up [length units]: zero exactly where the shapes
            /// intersect, infinite if one is empty. See [`ClosestPointsQuery::distance`].
            #[inline]
            pub fn distance<B>(&self, other: &B) -> <Self as ClosestPointsQuery<B>>::Scalar
            where
                Self: ClosestPointsQuery<B>,
            {
                ClosestPointsQuery::distance(self, other)
            }

            /// Returns an axis that separates the shapes, with a certified gap; `None` if they
            /// touch, or are apart by less than rounding. See
            /// [`SeparatingAxisQuery::separating_axis`].
            #[inline]
            pub fn separating_axis<B>(
                &self,
                other: &B,
            ) -> Option<SeparatingAxis<<Self as SeparatingAxisQuery<B>>::Scalar>>
            where
                Self: SeparatingAxisQuery<B>,
            {
                SeparatingAxisQuery::separating_axis(self, other)
            }
        }
    )*};
}

// `Plane` has a distance of its own, the signed distance of a point, and its normal for an axis.
measured! {
    Sphere<T, D>, D;
    Capsule<T>;
    Segment<T>;
    Triangle<T>;
    Polygon3<T>;
    Frustum<T>;
    Kdop<T, D, N>, D, N;
    Aabb<T, D>, D;
    Obb<T>;
    Cylinder<T>;
    Ellipsoid<T>;
    ConvexHull<T>;
    ConvexShape<T>;
}

impl<T: Scalar> Ray<T> {
    /// Returns the first contact of the ray with the shape; `None` if it misses. Touching counts,
    /// up to the rounding of `f64`.
    ///
    /// ```
    /// use boxwood::nalgebra::{Point3, Vector3};
    /// use boxwood::{Ray, Sphere};
    ///
    /// let up = Ray::through(Point3::origin(), Point3::new(0.0, 9.0, 0.0))?.expect("two points");
    /// let hit = up.cast(&Sphere::new(Point3::new(0.0, 3.0, 0.0), 1.0)?).expect("in the way");
    /// assert_eq!((hit.distance, hit.normal), (2.0, -Vector3::y()));
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    #[inline]
    pub fn cast<B>(&self, other: &B) -> Option<RayHit<T>>
    where
        Self: RayCastQuery<B, Scalar = T>,
    {
        RayCastQuery::cast(self, other)
    }
}
