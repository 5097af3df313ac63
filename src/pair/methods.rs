//! The questions as methods of the shapes, so that nobody has to import a trait.

use super::cast::RayCastQuery;
use super::convex::ConvexShape;
use super::questions::{ClosestPointsQuery, ContactQuery, IntersectsQuery};
use super::results::CastHit;
use super::results::ClosestPoints;
use crate::num::Scalar;
use crate::shape::{
    Aabb, Capsule, ConvexHull, Cylinder, Ellipsoid, Frustum, Kdop, Obb, Plane, Polygon3, Ray,
    Segment, Sphere, Triangle,
};

macro_rules! asked {
    ($($kind:ty $(, $d:ident)*;)*) => {$(
        impl<T: Scalar $(, const $d: usize)*> $kind {
            /// Whether the two share a point; touching counts. See the table of
            /// [`pair`](crate::pair) for the pairs there are.
            ///
            /// ```
            /// use boxwood::nalgebra::Point3;
            /// use boxwood::{Aabb, Sphere};
            ///
            /// let wall = Aabb::new(Point3::new(-1.0, -1.0, -1.0), Point3::new(1.0, 1.0, 1.0));
            /// let ball = Sphere::new(Point3::new(0.0, 3.0, 0.0), 2.0)?;
            /// assert!(ball.intersects(&wall) && wall.intersects(&ball)); // touching counts
            /// # Ok::<(), boxwood::Error>(())
            /// ```
            #[inline]
            pub fn intersects<B>(&self, other: &B) -> bool
            where
                Self: IntersectsQuery<B>,
            {
                IntersectsQuery::intersects(self, other)
            }

            /// A point of each such that no others are closer, and their distance; where they share
            /// points, one of these.
            ///
            /// ```
            /// use boxwood::nalgebra::Point3;
            /// use boxwood::{Aabb, Sphere};
            ///
            /// let wall = Aabb::new(Point3::new(-1.0, -1.0, -1.0), Point3::new(1.0, 1.0, 1.0));
            /// let ball = Sphere::new(Point3::new(0.0, 3.0, 0.0), 1.5)?;
            /// let closest = ball.closest_points(&wall);
            /// assert_eq!(closest.distance, 0.5);
            /// assert_eq!((closest.on_a.y, closest.on_b.y), (1.5, 1.0)); // of ball, of wall
            /// # Ok::<(), boxwood::Error>(())
            /// ```
            #[inline]
            pub fn closest_points<B>(&self, other: &B) -> ClosestPoints<<Self as ClosestPointsQuery<B>>::Scalar>
            where
                Self: ClosestPointsQuery<B>,
            {
                ClosestPointsQuery::closest_points(self, other)
            }

            /// Where the two touch, which way they part and how far; `None` exactly where they do
            /// not intersect.
            ///
            /// ```
            /// use boxwood::nalgebra::{Point3, Vector3};
            /// use boxwood::{Aabb, Sphere};
            ///
            /// let wall = Aabb::new(Point3::new(-1.0, -1.0, -1.0), Point3::new(1.0, 1.0, 1.0));
            /// let ball = Sphere::new(Point3::new(0.0, 2.0, 0.0), 1.5)?;
            /// let contact = wall.contact(&ball).expect("they touch");
            /// assert_eq!((contact.normal, contact.depth), (Vector3::y(), 0.5)); // wall to ball
            /// # Ok::<(), boxwood::Error>(())
            /// ```
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
            /// How far the two are apart, rounded up: zero exactly where they intersect. Units;
            /// infinite if one is empty.
            ///
            /// ```
            /// use boxwood::nalgebra::Point3;
            /// use boxwood::{Aabb, Sphere};
            ///
            /// let wall = Aabb::new(Point3::new(-1.0, -1.0, -1.0), Point3::new(1.0, 1.0, 1.0));
            /// assert_eq!(wall.distance(&Sphere::new(Point3::new(0.0, 3.0, 0.0), 1.5)?), 0.5);
            /// assert_eq!(wall.distance(&Sphere::new(Point3::origin(), 0.1)?), 0.0); // inside
            /// # Ok::<(), boxwood::Error>(())
            /// ```
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
    /// Where the ray first meets the shape; `None` if it never does. Touching counts, up to the
    /// rounding of `f64`.
    ///
    /// ```
    /// use boxwood::nalgebra::{Point3, Vector3};
    /// use boxwood::{Ray, Sphere};
    ///
    /// let up = Ray::through(Point3::origin(), Point3::new(0.0, 9.0, 0.0))?.expect("two points");
    /// let hit = up.cast(&Sphere::new(Point3::new(0.0, 3.0, 0.0), 1.0)?).expect("in the way");
    /// assert_eq!((hit.time_of_impact, hit.normal), (2.0, -Vector3::y())); // 2.0 is a length
    /// # Ok::<(), boxwood::Error>(())
    /// ```
    #[inline]
    pub fn cast<B>(&self, other: &B) -> Option<CastHit<T>>
    where
        Self: RayCastQuery<B, Scalar = T>,
    {
        RayCastQuery::cast(self, other)
    }
}
